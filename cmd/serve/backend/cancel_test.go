package backend

import (
	"context"
	"errors"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
)

func TestCancelValidatesItsTarget(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	for name, c := range map[string]struct {
		target, id string
		status     int
		code       string
	}{
		"no target":              {`{}`, newID(), 400, "BAD_REQUEST"},
		"both targets":           {`{"run_id":"` + w.run + `","start_request_id":"` + newID() + `"}`, newID(), 400, "BAD_REQUEST"},
		"run id no UUID":         {byRun("r-1"), newID(), 400, "INVALID_ID"},
		"cancel id no UUID":      {byRun(w.run), "c-1", 400, "INVALID_ID"},
		"unknown run":            {byRun(newID()), newID(), 404, "RUN_NOT_FOUND"},
		"start request unheard":  {byStart(newID()), newID(), 404, "RUN_NOT_FOUND"},
		"cancel id with a brace": {byRun(w.run), "{" + newID() + "}", 400, "INVALID_ID"},
	} {
		r := h.cancel(c.target, c.id)
		if r.status != c.status || r.code() != c.code {
			t.Errorf("%s: %d %s, want %d %s", name, r.status, r.code(), c.status, c.code)
		}
	}
	if c := h.control(w.run); c["status"] != "running" {
		t.Errorf("a refused cancellation changed the run: %v", c)
	}
}

func TestCancelInEachPhaseEndsTheRunAsCancelled(t *testing.T) {
	for name, events := range map[string][]string{
		"before any content": nil,
		"in a message":       {hello},
		"in a tool":          {`[{"type":"tool_start","tool":"t","call_id":"c-1","args":{}}]`},
		"at a pause":         {ask("q-1"), ask("q-2")},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			start := newID()
			h.script(hanging(events...))
			w := h.chat("x", "start_request_id", quote(start))
			for range len(events) + 1 {
				w.next()
			}
			id := newID()
			r := h.cancel(byStart(start), id)
			if r.status != 202 && r.status != 200 || r.status == 200 != (r.obj["execution_stopped"] == true) {
				t.Errorf("answer %d %s", r.status, r.body)
			}
			f := w.until("run_status")
			if f.Events[len(f.Events)-1]["status"] != "cancelling" {
				t.Errorf("the stream tells %s", jsonOf(t, f))
			}
			if end := w.until("run_end"); end.Events[0]["status"] != "cancelled" {
				t.Errorf("the run ended as %v", end.Events[0])
			}
			h.confirmedAs(w.run, "cancelled")
			if again := h.cancel(byRun(w.run), id); again.status != 200 {
				t.Errorf("repeated after the end: %d %s", again.status, again.body)
			}
			for _, it := range h.snapshot(w.run)["items"].([]any) {
				if status := it.(map[string]any)["status"]; status == "pending" || status == "running" {
					t.Errorf("left alive: %v", it)
				}
			}
		})
	}
}

func TestARepeatedCancelIsToldOnce(t *testing.T) {
	h := newHarness(t)
	stop := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello)(ctx, stage); err != nil {
			return err
		}
		<-stop
		return context.Cause(ctx)
	})
	w := h.chat("x")
	w.until("message_delta")
	id := newID()
	for range 3 {
		if r := h.cancel(byRun(w.run), id); r.status != 202 || r.obj["status"] != "cancelling" {
			t.Errorf("answer %d %s", r.status, r.body)
		}
	}
	if d := h.detail(); d["active_run"].(map[string]any)["status"] != "cancelling" || d["session"].(map[string]any)["status"] != "running" {
		t.Errorf("detail %v", d)
	}
	close(stop)
	list := w.rest()
	if len(list) != 2 || list[0].types() != "run_status" || list[1].types() != "run_end" {
		t.Errorf("the stream tells %s", jsonOf(t, list))
	}
}

func TestCancelAfterTheEndTellsHowTheRunReallyEnded(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	run, _ := h.ran("x")
	h.confirmedAs(run, "completed")
	if r := h.cancel(byRun(run), newID()); r.status != 200 || r.obj["status"] != "completed" {
		t.Errorf("answer %d %s", r.status, r.body)
	}
	h.reopen()
	if r := h.cancel(byRun(run), newID()); r.status != 200 || r.obj["status"] != "completed" {
		t.Errorf("after a restart: %d %s", r.status, r.body)
	}
}

func TestARunThatFinishesInSpiteOfACancelIsCompleted(t *testing.T) {
	h := newHarness(t)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello)(ctx, stage); err != nil {
			return err
		}
		<-ctx.Done()
		return stage.Emit(nil, raw(`[{"type":"message_end","message_id":"m-1"},{"type":"run_end","status":"completed"}]`))
	})
	w := h.chat("x")
	w.until("message_delta")
	h.cancel(byRun(w.run), newID())
	if f := w.until("run_end"); f.types() != "message_end run_end" {
		t.Errorf("the last frame is %s", jsonOf(t, f))
	}
	h.confirmedAs(w.run, "completed")
}

func TestACancelledRunCannotBeDecided(t *testing.T) {
	h := newHarness(t)
	stop := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(ask("q-1"))(ctx, stage); err != nil {
			return err
		}
		<-stop
		return context.Cause(ctx)
	})
	w := h.chat("x")
	w.until("approval_required")
	h.cancel(byRun(w.run), newID())
	h.refused(409, "REQUEST_STALE", "POST", protocol.PathFeedback(h.session), decision(w.run, "q-1", newID(), "approve"))
	if c := h.control(w.run); c["paused_request"] != nil || c["last_decision"].(map[string]any)["decision"] != "cancelled" {
		t.Errorf("control %v", c)
	}
	close(stop)
	h.confirmedAs(w.run, "cancelled")
}

func TestConfirmationsComeInTheirOrder(t *testing.T) {
	steps := make(chan string)
	pass := make(chan bool)
	h := newHarness(t, func(cfg *Config) {
		cfg.Hold = func(ctx context.Context, _, _, step string) {
			select {
			case steps <- step:
			case <-ctx.Done():
				return
			}
			<-pass
		}
	})
	h.script(frames(hello, goodbye))
	start := newID()
	w := h.chat("x", "start_request_id", quote(start))
	flags := func() string {
		c := h.control(w.run)
		return jsonOf(t, []any{c["status"], c["execution_stopped"], c["terminal_persisted"], c["can_send"]})
	}
	for _, want := range []struct{ step, before string }{
		{StepRunEnd, `["running",false,false,false]`},
		{StepStopped, `["completed",false,false,false]`},
		{StepPersisted, `["completed",true,false,false]`},
		{StepCanSend, `["completed",true,true,false]`},
	} {
		if step := <-steps; step != want.step {
			t.Fatalf("step %s, want %s", step, want.step)
		}
		if w.run == "" {
			w.next()
		}
		if got := flags(); got != want.before {
			t.Errorf("before %s: %s, want %s", want.step, got, want.before)
		}
		h.refused(409, "RUN_ACTIVE", "POST", protocol.PathChat(h.session), h.chatBody("y"))
		if d := h.detail(); d["active_run"] == nil || len(d["turns"].([]any)) != 1 {
			t.Errorf("before %s the session names no active run", want.step)
		}
		pass <- true
	}
	h.confirmedAs(w.run, "completed")
	if d := h.detail(); d["active_run"] != nil {
		t.Errorf("active run after the confirmations: %v", d["active_run"])
	}
}

// training is an agent with two jobs, each of which ends when it is cancelled, and then the run's
// end if both are.
func training(_ context.Context, _ agent.Turn, out agent.Out) error {
	one, err := out.ToolStart("j-1", "train", map[string]int{"epochs": 10}, true)
	if err != nil {
		return err
	}
	two, err := out.ToolStart("j-2", "train", nil, true)
	if err != nil {
		return err
	}
	if err := out.ToolProgress("j-1", agent.Progress{Epoch: 1, Epochs: 10, Metrics: map[string]float64{"loss": 0.5, "auc": 0.75}}); err != nil {
		return err
	}
	<-one.Done()
	if err := out.ToolEnd("j-1", agent.ToolFailed, nil, "context canceled"); err != nil {
		return err
	}
	if err := out.Plan([]agent.Step{{ID: "p-1", Title: "train", Status: agent.StepSkipped}}); err != nil {
		return err
	}
	<-two.Done()
	return errors.Join(out.ToolEnd("j-2", agent.ToolCancelled, nil, ""), two.Err())
}

// cancelJob answers 200 if the job has stopped by then, and 202 if not.
func (h *harness) cancelJob(job string) {
	h.t.Helper()
	r := h.call("POST", protocol.PathCancelJob(h.session, job), `{"cancel_request_id":"`+newID()+`"}`)
	want := 202
	if r.obj["execution_stopped"] == true {
		want = 200
	}
	if r.status != want {
		h.t.Errorf("cancelling %s: status %d, want %d: %s", job, r.status, want, r.body)
	}
}

func (h *harness) job(job string) map[string]any {
	h.t.Helper()
	return h.want(200, "GET", protocol.PathJobControl(h.session, job), "").obj
}

func TestCancellingAJobLeavesItsSiblingsAndItsRunAlone(t *testing.T) {
	h := newHarness(t)
	h.answer(training)
	w := h.chat("x")
	progress := w.until("tool_progress")
	if got := jsonOf(t, progress.Events[0]); got != `{"call_id":"j-1","progress":{"epoch":1,"epochs":10,"metrics":{"auc":0.75,"loss":0.5}},"tool":"train","type":"tool_progress"}` {
		t.Errorf("progress %s", got)
	}
	h.cancelJob("j-1")
	f := w.until("tool_end")
	if f.types() != "tool_end plan_update" || f.Events[0]["status"] != "cancelled" {
		t.Errorf("the stream tells %s", jsonOf(t, f))
	}
	h.cancelJob("j-1")
	j := h.job("j-1")
	if j["status"] != "cancelled" || j["execution_stopped"] != true {
		t.Errorf("j-1 is %v", j)
	}
	for j["terminal_persisted"] != true { // it is saved right after it is told
		j = h.job("j-1")
	}
	if j := h.job("j-2"); j["status"] != "running" || j["execution_stopped"] != false {
		t.Errorf("j-2 is %v", j)
	}
	if c := h.control(w.run); c["status"] != "running" {
		t.Errorf("the run is %v", c)
	}
	h.cancel(byRun(w.run), newID())
	w.until("run_end")
	h.confirmedAs(w.run, "cancelled")
	for range 2 {
		for _, id := range []string{"j-1", "j-2"} {
			if j := h.job(id); j["status"] != "cancelled" || j["terminal_persisted"] != true {
				t.Errorf("%s is %v", id, j)
			}
		}
		h.reopen()
	}
	h.cancelJob("j-1")
}

func TestAJobIsCancelledWhileNoRunIsActive(t *testing.T) {
	h := newHarness(t)
	job := func(id string) string {
		return `[{"type":"tool_start","tool":"train","call_id":"` + id + `","args":{},"job":true}]`
	}
	plain := `[{"type":"tool_start","tool":"t","call_id":"c-1","args":{}}]`
	h.script(frames(job("j-1"), job("j-2"), plain, `[{"type":"run_end","status":"completed"}]`))
	run, _ := h.ran("x")
	h.confirmedAs(run, "completed")
	if j := h.job("j-1"); j["status"] != "running" {
		t.Fatalf("j-1 is %v", j)
	}
	h.cancelJob("j-1")
	h.refused(404, "JOB_NOT_FOUND", "GET", protocol.PathJobControl(h.session, "c-1"), "")
	h.refused(404, "JOB_NOT_FOUND", "GET", protocol.PathJobControl(h.session, "j-9"), "")
	h.refused(400, "INVALID_ID", "POST", protocol.PathCancelJob(h.session, "j-2"), `{"cancel_request_id":"1"}`)
	if j := h.job("j-2"); j["status"] != "running" {
		t.Errorf("j-2 is %v", j)
	}
	h.reopen()
	if j := h.job("j-1"); j["status"] != "cancelled" {
		t.Errorf("after a restart j-1 is %v", j)
	}
	h.cancelJob("j-2")
	items := h.snapshot(run)["items"].([]any)
	for _, i := range []int{0, 1} {
		if s := items[i].(map[string]any)["status"]; s != "cancelled" {
			t.Errorf("item %d is %v", i, s)
		}
	}
	h.refused(404, "JOB_NOT_FOUND", "GET", protocol.PathJobControl(h.session, "c-1"), "")
	h.refused(404, "JOB_NOT_FOUND", "GET", protocol.PathJobControl(h.newSession(), "j-1"), "")
}

func TestALateSaveDoesNotTakeBackTheEnd(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	run, _ := h.ran("x")
	h.confirmedAs(run, "completed")
	r := h.srv.process().run(h.session, run)
	for _, status := range []string{"running", "completed"} {
		r.mu.Lock()
		r.status = status // as it is between the saving of the end and run_end
		r.mu.Unlock()
		r.saveNow()
		if turn, err := h.srv.db.TurnByRun(context.Background(), h.session, run); err != nil || turn.Status != "completed" {
			t.Errorf("saved as %v, %v", turn.Status, err)
		}
	}
}
