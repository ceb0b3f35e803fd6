package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// endless is a run that has said one thing and goes on until it is cancelled.
func endless() script {
	return script{Steps: []step{frame(start("m"), delta("m", "one"))}, KeepRunning: true}
}

// running opens a page whose run goes on until it is cancelled.
func (w *world) running() *page {
	w.t.Helper()
	w.script(endless())
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	return p
}

// waitStopped waits until the last run is cancelled and another message can be sent.
func (p *page) waitStopped() {
	p.t.Helper()
	p.waitTurn("cancelled")
	p.waitBlocked("")
	p.wantCount(hook("stop"), 0)
	p.waitFor(lastTurn + " " + hook("ask-again"))
	p.steady()
}

func TestStoppingShowsWhatTheServerHasConfirmed(t *testing.T) {
	w := newWorld(t)
	p := w.running()
	for _, step := range []string{"run_end", "execution_stopped", "terminal_persisted", "can_send"} {
		w.fault(`{"hold":%q}`, step)
	}
	p.click(hook("stop"))
	p.waitTurn("cancelling")
	p.waitBlocked("cancelling")
	p.waitText(lastTurn, "Stopping execution")
	p.waitText(lastTurn, "Saving results")
	p.typeIn(box(), "下一步")
	p.press(keyEnter)
	w.openGate("run_end")
	p.waitTurn("confirming")
	p.waitText(lastTurn, "Stopping execution")
	w.openGate("execution_stopped")
	p.waitText(lastTurn, "Execution stopped")
	p.waitText(lastTurn, "Saving results")
	w.openGate("terminal_persisted")
	p.waitText(lastTurn, "Results saved")
	p.waitBlocked("confirming")
	p.press(keyEnter)
	w.openGate("can_send")
	p.waitStopped()
	p.wantText(hook("message"), "one")
	p.waitBox("下一步")
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("%d messages were sent, want 1", n)
	}
	if sent := w.requests("cancel"); len(sent) != 1 {
		p.fatal("%d cancellations were sent, want 1", len(sent))
	}
	w.script(run(say("n", "two")))
	p.press(keyEnter)
	p.waitCount(hook("turn"), 2)
	p.waitTurn("completed")
}

func TestStoppingTwiceIsOneCancellation(t *testing.T) {
	w := newWorld(t)
	p := w.running()
	w.fault(`{"on":"cancel","lose":true,"times":-1}`)
	w.fault(`{"hold":"run_end"}`)
	p.clicks(hook("stop"), 2)
	p.waitTurn("cancelling")
	p.evaluate("stop once more", find(hook("stop"))+"?.click()", nil)
	w.openGate("run_end")
	p.waitStopped()
	w.wantOneAct("cancel", "cancel_request_id")
}

func TestARunThatWaitsForADecisionCanBeStopped(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	p.click(hook("stop"))
	p.waitStopped()
	p.waitAttr(card("q-1"), "data-status", "cancelled")
	p.wantCount(hook("approve"), 0)
	w.wantDecisions()
	p.reload()
	p.waitAttr(card("q-1"), "data-status", "cancelled")
	p.wantCount(hook("approve"), 0)
}

func TestStoppingGoesOnAfterARefresh(t *testing.T) {
	w := newWorld(t)
	p := w.running()
	p.reload()
	p.waitText(hook("message"), "one")
	w.fault(`{"on":"cancel","gate":"cancel"}`)
	p.click(hook("stop"))
	w.waitGate("cancel", 1)
	p.reload() // before the server has the cancellation
	p.waitText(hook("message"), "one")
	p.click(hook("stop"))
	p.waitStopped()
	w.wantOneAct("cancel", "cancel_request_id")
}

func TestARunCanBeStoppedBeforeItIsKnown(t *testing.T) {
	for _, c := range []struct{ name, fault, gate string }{
		{"the request is on its way", `{"on":"chat","gate":"chat"}`, "chat"},
		{"the answer is on its way", `{"on":"chat","edits":[{"frame":1,"do":"stall","gate":"chat"}]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.script(endless())
			p := w.tab()
			p.probe("status", `__e2e.lastTurn()?.dataset.status ?? ""`)
			p.visit("/")
			w.fault("%s", c.fault)
			p.send("go")
			p.waitTurn("submitting")
			p.typeIn(box(), "a draft")
			p.click(hook("stop"))
			p.waitBlocked("cancelling")
			first := w.waitRequests("cancel", 1)[0]
			start := w.waitRequests("chat", 1)[0].field("start_request_id")
			if !strings.Contains(first.Body, fmt.Sprintf(`"target":{"start_request_id":%q}`, start)) {
				p.fatal("the cancellation of a run not yet known was sent as %s", first.Body)
			}
			if c.gate != "" {
				w.openGate(c.gate)
			}
			p.waitStopped()
			p.waitBox("a draft")
			w.wantOneAct("cancel", "cancel_request_id")
			if states := series[string](p, "status"); slices.Contains(states, "running") {
				p.fatal("the run was shown as %v", states)
			}
			if n := len(w.requests("chat")); n != 1 {
				p.fatal("%d messages were sent, want 1", n)
			}
		})
	}
}

func TestARunFollowedBySnapshotsCanBeStopped(t *testing.T) {
	w := newWorld(t)
	p := w.running()
	w.fault(`{"recovery":"a test"}`)
	p.waitConnection("snapshot")
	p.click(hook("stop"))
	p.waitStopped()
	p.wantText(hook("message"), "one")
}

func TestFramesAfterTheStopDoNotReviveTheRun(t *testing.T) {
	w := newWorld(t)
	w.script(script{IgnoreCancel: true, Steps: []step{
		frame(start("m"), delta("m", "one")), gate("late"), frame(delta("m", " two")), frame(event{"type": "run_status", "status": "running"}),
		gate("end"), frame(end("m")), frame(event{"type": "run_end", "status": "cancelled"}),
	}})
	p := w.tab()
	p.probe("status", `__e2e.lastTurn()?.dataset.status ?? ""`)
	p.visit("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	p.click(hook("stop"))
	p.waitTurn("cancelling")
	w.openGate("late")
	p.waitText(hook("message"), "one two")
	p.waitTurn("cancelling")
	w.openGate("end")
	p.waitStopped()
	states := series[string](p, "status")
	if from := slices.Index(states, "cancelling"); slices.Contains(states[from:], "running") {
		p.fatal("the run came back: %v", states)
	}
}

func TestARunThatEndsBeforeTheStopIsShownAsItEnded(t *testing.T) {
	w := newWorld(t)
	w.script(script{IgnoreCancel: true, Steps: []step{
		frame(start("m"), delta("m", "one")), gate("end"), frame(delta("m", " two"), end("m")), frame(event{"type": "run_end", "status": "completed"}),
	}})
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	w.fault(`{"on":"cancel","gate":"cancel"}`)
	p.click(hook("stop"))
	w.waitGate("cancel", 1)
	w.openGate("end")
	w.until("the run to be over", func() bool {
		var detail struct {
			Active any `json:"active_run"`
		}
		w.call("GET", "/api/sessions/"+p.sessionID(), nil, &detail)
		return detail.Active == nil
	})
	w.openGate("cancel")
	p.wantWhole("one two")
	p.wantCount(hook("error"), 0)
}

func TestAStopThatIsNeverConfirmedSaysSo(t *testing.T) {
	w := newWorld(t)
	w.script(endless())
	p := w.tab()
	p.ownTime()
	p.visit("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	w.fault(`{"hold":"run_end"}`)
	p.click(hook("stop"))
	p.waitTurn("cancelling")
	p.wantCount(hook("check-again"), 0)
	p.sleep(21)
	p.waitText(lastTurn, "The server has not confirmed this for a while.")
	p.waitFor(lastTurn + " " + hook("check-again"))
	p.waitText("#why", "The run may still be going on.")
	asked := len(w.requests("control"))
	p.click(lastTurn + " " + hook("check-again"))
	w.waitRequests("control", asked+1)
	w.openGate("run_end")
	p.waitStopped()
}

func TestAStopThatIsRefusedSaysSo(t *testing.T) {
	w := newWorld(t)
	p := w.running()
	w.fault(`{"on":"cancel","status":403,"code":"NOT_YOURS"}`)
	p.click(hook("stop"))
	p.waitText(hook("error", "code", "NOT_YOURS"), "403")
	p.waitTurn("running")
	p.click(hook("stop"))
	p.waitStopped()
	w.wantOneAct("cancel", "cancel_request_id")
}

func TestStoppingAJobStopsThatJobOnly(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(jobStart("j-1", "train", event{"model": "a"}), jobStart("j-2", "train", event{"model": "b"})),
		frame(toolProgress("j-1", "train", event{"epoch": 1, "epochs": 9}), toolProgress("j-2", "train", event{"epoch": 1, "epochs": 9})),
		gate("end"), frame(toolProgress("j-2", "train", event{"epoch": 9, "epochs": 9}), toolEnd("j-2", "succeeded", event{"loss": 0.1})),
		say("m", "done"),
	))
	p := w.open("/")
	p.send("train two")
	of := func(id string) string { return hook("tool", "call-id", id) }
	p.waitAttr(of("j-2"), "data-epoch", "1")
	w.fault(`{"hold":"job"}`)
	p.clicks(of("j-1")+" "+hook("stop-job"), 2)
	p.waitAttr(of("j-1"), "data-status", "cancelling")
	p.waitAttr(of("j-2"), "data-status", "running")
	p.waitTurn("running")
	w.openGate("job")
	p.waitAttr(of("j-1"), "data-status", "cancelled")
	p.waitAttr(of("j-2"), "data-status", "running")
	p.waitTurn("running")
	p.reload()
	p.waitAttr(of("j-1"), "data-status", "cancelled")
	p.waitAttr(of("j-2"), "data-status", "running")
	w.openGate("end")
	p.waitTurn("completed")
	p.waitAttr(of("j-2"), "data-status", "succeeded")
	p.waitAttr(of("j-1"), "data-status", "cancelled")
	p.wantCount(hook("stop-job"), 0)
	p.reload()
	p.waitAttr(of("j-1"), "data-status", "cancelled")
	w.wantOneAct("job_cancel", "cancel_request_id")
	if n := len(w.requests("cancel")); n != 0 {
		p.fatal("stopping a job sent %d cancellations of the run", n)
	}
}

func TestWhatTheServerCannotDoIsNotOffered(t *testing.T) {
	offered := func(name string) string {
		return fmt.Sprintf(`[data-testid=%q]:not([disabled], [aria-disabled="true"])`, name)
	}
	for _, c := range []struct{ name, fault string }{
		{"all false", `{"on":"capabilities","status":200,"body":"{\"run_cancel_v1\":false,\"job_cancel_v1\":false,\"edit_latest_turn_v1\":false}","times":-1}`},
		{"none named", `{"on":"capabilities","status":200,"body":"{\"other\":true}","times":-1}`},
		{"of another type", `{"on":"capabilities","status":200,"body":"{\"run_cancel_v1\":\"true\",\"job_cancel_v1\":1,\"edit_latest_turn_v1\":[]}","times":-1}`},
		{"a web page", `{"on":"capabilities","status":200,"body":"<h1>hello</h1>","times":-1}`},
		{"not found", `{"on":"capabilities","status":404,"code":"NOT_FOUND","times":-1}`},
		{"unreachable", `{"on":"capabilities","refuse":true,"times":-1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.fault("%s", c.fault)
			w.script(run(frame(start("m"), delta("m", "one"), jobStart("j-1", "train", nil)), gate("end"), frame(end("m"))))
			p := w.tab()
			p.probe("offered", fmt.Sprintf(`__e2e.all(%s).length`, quote(strings.Join(
				[]string{offered("stop"), offered("stop-job"), offered("edit-turn")}, ","))))
			p.visit("/")
			p.send("go")
			p.waitAttr(hook("tool", "call-id", "j-1"), "data-status", "running")
			p.waitBlocked("running")
			w.openGate("end")
			p.waitTurn("completed")
			p.waitBlocked("")
			if seen := series[int](p, "offered"); !slices.Equal(seen, []int{0}) {
				p.fatal("what the server cannot do was offered: %v", seen)
			}
		})
	}
}
