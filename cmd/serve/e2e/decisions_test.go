package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

// card is the selector of a request's card, or of something in it.
func card(id string, within ...string) string {
	return strings.Join(append([]string{hook("approval", "request-id", id)}, within...), " ")
}

// pausing is a run that asks once, and then says what it was told.
func pausing(id string) script {
	return run(frame(ask(id, "change", event{"n": 1}, nil)), decision(), say("m-"+id, "went on"))
}

// paused opens a page whose run waits for a decision on q-1.
func (w *world) paused() *page {
	w.t.Helper()
	w.script(pausing("q-1"))
	p := w.open("/")
	p.send("change it")
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.waitConnection("paused")
	return p
}

// waitDecided waits until a request shows how it was decided, and its run has gone on to its end.
func (p *page) waitDecided(id, status string) {
	p.t.Helper()
	p.waitAttr(card(id), "data-status", status)
	p.wantCount(card(id, hook("approve")), 0)
	p.waitTurn("completed")
	p.waitText(hook("message", "message-id", "m-"+id), "went on")
	p.waitBlocked("")
	p.steady()
}

// wantDecisions checks which decisions were sent, in order.
func (w *world) wantDecisions(want ...string) []request {
	w.t.Helper()
	sent := w.requests("feedback")
	var got []string
	for _, r := range sent {
		got = append(got, r.field("request_id")+" "+r.field("decision"))
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("decisions sent: %q, want %q", got, want)
	}
	return sent
}

// decide decides a request as another client would.
func (w *world) decide(sid, rid, id, decision string) {
	w.t.Helper()
	body := asJSON(w.t, event{"run_id": rid, "request_id": id, "decision_id": uuid.NewString(), "decision": decision})
	req, err := http.NewRequest("POST", w.base+"/api/sessions/"+sid+"/feedback/stream", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-iGraph-Stream-Version", "2")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		w.t.Fatalf("decide: status %d (%v)", res.StatusCode, err)
	}
}

// replace puts a text in place of all that a field holds.
func (p *page) replace(selector, text string) {
	p.t.Helper()
	p.waitFor(selector)
	p.evaluate("select "+selector, find(selector)+".focus(), "+find(selector)+".select()", nil)
	p.write(text)
}

func (p *page) runID() string { p.t.Helper(); return p.attr(lastTurn, "data-run-id") }

func TestAnApprovedChangeIsMadeARejectedOneIsNot(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.ask("load the karate club")
	p.send("add an edge between 1 and 34")
	p.waitFor(hook("approval", "status", "pending"))
	p.waitBlocked("approval")
	p.waitText(hook("approval"), "1 edge added")
	p.click(hook("reject"))
	p.waitFor(hook("approval", "status", "rejected"))
	p.waitTurn("completed")
	p.ask("describe the graph")
	p.waitText(lastTurn+" "+hook("message"), "34 nodes and 78 edges")

	p.send("add an edge between 1 and 34")
	p.waitFor(lastTurn + " " + hook("approval", "status", "pending"))
	p.click(lastTurn + " " + hook("approve"))
	p.waitFor(lastTurn + " " + hook("approval", "status", "approved"))
	p.waitTurn("completed")
	p.ask("describe the graph")
	p.waitText(lastTurn+" "+hook("message"), "34 nodes and 79 edges")

	p.send("add an edge between 15 and 17")
	p.click(lastTurn + " " + hook("edit-args"))
	p.waitFor(hook("args-editor"))
	args := value[string](p, find(hook("args-editor"))+".value")
	p.replace(hook("args-editor"), strings.Replace(args, "17", "18", 1))
	p.click(lastTurn + " " + hook("submit-modified"))
	p.waitFor(lastTurn + " " + hook("approval", "status", "modified"))
	p.waitTurn("completed")
	if text := p.text(lastTurn + " " + hook("approval")); !strings.Contains(text, "17") || !strings.Contains(text, "18") {
		p.fatal("the card does not show what was changed: %s", text)
	}
	p.ask("neighbours of 15")
	answer := p.text(lastTurn + " " + hook("message"))
	if !strings.Contains(answer, "18") || strings.Contains(answer, "17") {
		p.fatal("the edge that was approved is 15–18; the graph says %s", answer)
	}
	p.steady()
}

func TestADecisionIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		name, want string
		decide     func(p *page)
	}{
		{"a double click", "approve", func(p *page) { p.clicks(card("q-1", hook("approve")), 2) }},
		{"approve and reject at once", "approve", func(p *page) {
			p.evaluate("approve, then reject", fmt.Sprintf("%s.click(), %s.click()",
				find(card("q-1", hook("approve"))), find(card("q-1", hook("reject")))), nil)
		}},
		{"reject, then approve while it is sent", "reject", func(p *page) {
			p.click(card("q-1", hook("reject")))
			p.waitAttr(card("q-1"), "data-status", "submitting")
			p.evaluate("approve", find(card("q-1", hook("approve")))+"?.click()", nil)
		}},
		{"Enter held down", "approve", func(p *page) {
			p.focus(card("q-1", hook("approve")))
			held := []chromedp.Action{down(keyEnter)}
			for range 20 {
				held = append(held, down(keyEnter).WithAutoRepeat(true))
			}
			p.do("hold Enter", append(held, up(keyEnter))...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			p := w.paused()
			w.fault(`{"on":"feedback","gate":"feedback","times":-1}`)
			c.decide(p)
			w.waitGate("feedback", 1)
			p.waitAttr(card("q-1"), "data-status", "submitting")
			p.waitBlocked("deciding")
			w.openGate("feedback")
			p.waitDecided("q-1", map[string]string{"approve": "approved", "reject": "rejected"}[c.want])
			w.wantDecisions("q-1 " + c.want)
		})
	}
}

func TestADecisionWhoseAnswerIsLostIsLookedUp(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	w.fault(`{"on":"feedback","lose":true,"times":-1}`) // the server has it
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
	w.wantOneAct("feedback", "decision_id")
}

// wantOneAct checks that all requests at an endpoint repeat the same act, and returns its id.
// Chromium repeats a request whose connection broke by itself.
func (w *world) wantOneAct(on, name string) string {
	w.t.Helper()
	ids := map[string]bool{}
	for _, r := range w.requests(on) {
		ids[r.field(name)] = true
	}
	if len(ids) != 1 {
		w.t.Fatalf("%d different acts were sent to %s: %v", len(ids), on, ids)
	}
	for id := range ids {
		return id
	}
	return ""
}

func TestADecisionThatNeverArrivedCanBeMadeAgain(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	w.fault(`{"on":"feedback","refuse":true,"times":-1}`)
	w.fault(`{"on":"control","gate":"control","times":-1}`)
	p.click(card("q-1", hook("approve")))
	p.waitAttr(card("q-1"), "data-status", "checking")
	p.wantCount(card("q-1", "button:not([disabled])", hook("approve")), 0)
	w.openGate("control")
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.waitFor(card("q-1", hook("error", "code", "NETWORK")))
	first := w.wantOneAct("feedback", "decision_id")
	w.clearFaults()
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
	if again := w.wantOneAct("feedback", "decision_id"); again != first {
		p.fatal("the same decision was sent as another act")
	}
}

func TestAnotherDecisionIsAnotherAct(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	w.fault(`{"on":"feedback","status":429,"code":"BUSY","headers":{"Retry-After":"0"}}`)
	p.click(card("q-1", hook("approve")))
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.waitText(card("q-1", hook("error", "code", "BUSY")), "429")
	p.click(card("q-1", hook("reject")))
	p.waitDecided("q-1", "rejected")
	sent := w.wantDecisions("q-1 approve", "q-1 reject")
	if sent[0].field("decision_id") == sent[1].field("decision_id") {
		p.fatal("two decisions were sent as one act")
	}
}

func TestADecisionThatCannotBeLookedUpSaysSo(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	w.fault(`{"on":"feedback","refuse":true,"times":-1}`)
	w.fault(`{"on":"control","status":502,"body":"<h1>bad gateway</h1>","times":-1}`)
	p.click(card("q-1", hook("approve")))
	p.waitText(card("q-1"), "Cannot confirm your decision")
	p.waitText(card("q-1", hook("error")), "502")
	p.wantCount(card("q-1", hook("approve")), 0)
	w.clearFaults()
	p.click(card("q-1", hook("check-again")))
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
	w.wantOneAct("feedback", "decision_id")
}

func TestARefusedDecisionOnAnOpenRequestGivesItBack(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	for _, c := range []struct {
		status int
		code   string
	}{{409, "REQUEST_STALE"}, {409, "REQUEST_MISMATCH"}, {410, "REQUEST_GONE"}, {404, "NOT_FOUND"}} {
		w.fault(`{"on":"feedback","status":%d,"code":%q}`, c.status, c.code)
		p.click(card("q-1", hook("approve")))
		p.waitText(card("q-1", hook("error", "code", c.code)), fmt.Sprint(c.status))
		p.waitAttr(card("q-1"), "data-status", "pending")
		p.waitBlocked("approval")
	}
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
}

func TestADecisionMadeElsewhereIsShown(t *testing.T) {
	w := newWorld(t)
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall","gate":"news"}]}`) // of how it was decided
	p := w.paused()
	w.decide(p.sessionID(), p.runID(), "q-1", "reject")
	p.click(card("q-1", hook("approve")))
	p.waitText(card("q-1"), "Already handled elsewhere: rejected")
	p.wantCount(card("q-1", hook("approve")), 0)
	w.openGate("news")
	p.waitDecided("q-1", "rejected")
	p.waitText(card("q-1"), "Your answer was not used")
}

// expiring opens a page whose run waits for a decision on q-1 that soon expires.
func (w *world) expiring() *page {
	w.t.Helper()
	p := w.open("/")
	sc := pausing("q-1")
	sc.Steps[0] = frame(ask("q-1", "change", event{"n": 1}, event{"expires_at": time.Now().Add(3 * time.Second)}))
	w.script(sc)
	p.send("change it")
	p.waitAttr(card("q-1"), "data-status", "pending")
	return p
}

func TestAnExpiredRequestSaysSo(t *testing.T) {
	w := newWorld(t)
	p := w.expiring()
	p.waitDecided("q-1", "expired")
	p.waitText(card("q-1"), "Nobody answered in time")
	w.wantDecisions()
}

func TestALateDecisionOnAnExpiredRequestIsRefused(t *testing.T) {
	w := newWorld(t)
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall","gate":"news"}]}`)
	p := w.expiring()
	w.until("the request to expire", func() bool {
		var control struct{ Status string }
		w.call("GET", "/api/sessions/"+p.sessionID()+"/runs/control?run_id="+p.runID(), nil, &control)
		return control.Status != "paused"
	})
	p.click(card("q-1", hook("approve")))
	p.waitText(card("q-1"), "Expired")
	p.wantCount(card("q-1", hook("approve")), 0)
	w.openGate("news")
	p.waitDecided("q-1", "expired")
}

func TestADecisionSurvivesARefresh(t *testing.T) {
	t.Run("taken", func(t *testing.T) {
		w := newWorld(t)
		w.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall","gate":"news"}]}`)
		p := w.paused()
		w.fault(`{"on":"feedback","lose":true,"times":-1}`)
		w.fault(`{"on":"control","gate":"control","times":-1}`)
		p.click(card("q-1", hook("approve")))
		p.waitAttr(card("q-1"), "data-status", "checking")
		p.do("reload", chromedp.Reload())
		w.openGate("control")
		p.ready()
		p.waitDecided("q-1", "approved")
		w.wantOneAct("feedback", "decision_id")
	})
	t.Run("not taken", func(t *testing.T) {
		w := newWorld(t)
		p := w.paused()
		w.fault(`{"on":"feedback","gate":"feedback"}`)
		p.typeIn(card("q-1", hook("approval-comment")), "因为需要")
		p.click(card("q-1", hook("approve")))
		w.waitGate("feedback", 1)
		p.reload()
		p.waitAttr(card("q-1"), "data-status", "pending")
		p.wait("the comment", find(card("q-1", hook("approval-comment")))+`?.value === "因为需要"`)
		p.click(card("q-1", hook("approve")))
		p.waitDecided("q-1", "approved")
		p.waitText(card("q-1"), "因为需要")
		w.wantOneAct("feedback", "decision_id")
	})
}

// liveButtons are the requests of which something can be decided, in every frame.
const liveButtons = `[...document.querySelectorAll('[data-testid="approval"]')].filter((el) =>
	[...el.querySelectorAll("[data-testid=approve], [data-testid=reject], [data-testid=edit-args], [data-testid=submit-modified]")]
		.some((b) => !b.disabled)).map((el) => el.dataset.requestId)`

func TestSettledRequestsNeverComeBackToLife(t *testing.T) {
	w := newWorld(t)
	var steps []step
	for _, id := range []string{"q-1", "q-2", "q-3"} {
		steps = append(steps, frame(ask(id, "change", event{"of": id}, nil)), decision(), say("m-"+id, "after "+id))
	}
	w.script(run(steps...))
	p := w.tab()
	p.probe("live", liveButtons)
	p.visit("/")
	p.send("change it three times")
	p.click(card("q-1", hook("approve")))
	p.waitAttr(card("q-1"), "data-status", "approved")
	p.click(card("q-2", hook("reject")))
	p.waitAttr(card("q-2"), "data-status", "rejected")
	p.waitAttr(card("q-3"), "data-status", "pending")

	w.fault(`{"on":"resume","chunk":20,"times":-1}`)
	for range 3 {
		p.reload()
		p.waitAttr(card("q-1"), "data-status", "approved")
		p.waitAttr(card("q-2"), "data-status", "rejected")
		p.waitAttr(card("q-3"), "data-status", "pending")
		p.waitText(hook("message", "message-id", "m-q-2"), "after q-2")
		p.waitConnection("paused")
		p.waitBlocked("approval")
		for _, live := range series[[]string](p, "live") {
			if len(live) > 0 && !slices.Equal(live, []string{"q-3"}) {
				p.fatal("after the refresh %v could be decided", live)
			}
		}
		p.steady()
	}
	p.click(card("q-3", hook("approve")))
	p.waitTurn("completed")
	w.wantDecisions("q-1 approve", "q-2 reject", "q-3 approve")
}

func TestOfTwoRequestsAtOnceTheSecondWaits(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(ask("q-1", "rm", event{"p": "a.txt"}, nil), ask("q-2", "rm", event{"p": "b.txt"}, nil)),
		decision(), say("m", "both decided"),
	))
	p := w.open("/")
	p.send("remove two")
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.waitAttr(card("q-2"), "data-status", "waiting")
	p.wantCount(card("q-2", ":is([data-testid=approve], [data-testid=reject], [data-testid=edit-args]):not([disabled])"), 0)
	p.click(card("q-1", hook("reject")))
	p.waitAttr(card("q-1"), "data-status", "rejected")
	p.waitAttr(card("q-2"), "data-status", "pending")
	p.waitBlocked("approval")
	p.click(card("q-2", hook("approve")))
	p.waitAttr(card("q-2"), "data-status", "approved")
	p.waitTurn("completed")
	sent := w.wantDecisions("q-1 reject", "q-2 approve")
	if sent[0].field("decision_id") == sent[1].field("decision_id") || sent[1].field("tool_call_id") != "call-q-2" {
		p.fatal("the decisions were sent as %s and %s", sent[0].Body, sent[1].Body)
	}
	p.steady()
}

func TestTheSameCallAskedAgainIsAnotherRequest(t *testing.T) {
	w := newWorld(t)
	args := event{"p": "a.txt"}
	w.script(run(
		frame(ask("q-1", "rm", args, nil)), decision(), say("m", "once more"), gate("again"),
		frame(ask("q-2", "rm", args, nil)), decision(), say("n", "done"),
	))
	p := w.open("/")
	p.send("remove it")
	p.click(card("q-1", hook("approve")))
	p.waitTurn("running")
	p.waitBlocked("running")
	w.openGate("again")
	p.waitTurn("paused")
	p.waitAttr(card("q-2"), "data-status", "pending")
	p.waitAttr(card("q-1"), "data-status", "approved")
	p.click(card("q-2", hook("approve")))
	p.waitTurn("completed")
	w.wantDecisions("q-1 approve", "q-2 approve")
	p.steady()
}

func TestARequestNeverTakesTheKeyboard(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "one"), gate("ask"), frame(ask("q-1", "change", event{"n": 1}, nil)), decision()))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	p.focus(box())
	for _, r := range "ye" {
		p.press(letter(r))
	}
	w.openGate("ask")
	p.waitAttr(card("q-1"), "data-status", "pending")
	p.press(letter('s'))
	p.press(key{" ", "Space", 32, " "})
	p.press(key{"1", "Digit1", 49, "1"})
	p.press(keyEnter)
	p.wait("the keyboard to stay in the box", "document.activeElement === "+find(box()))
	p.wantBox("yes 1")
	p.waitBlocked("approval")
	w.wantDecisions()
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("%d messages were sent, want 1", n)
	}
	p.click(card("q-1", hook("approve")))
	p.waitTurn("completed")
	p.wantBox("yes 1")
}

func TestEditedArgumentsKeepTheirTypes(t *testing.T) {
	const asked = `{"to":"a@example.com","count":3,"id":12345678901234567890,"note":null,"tags":["x"],"ok":false}`
	w := newWorld(t)
	w.script(run(frame(ask("q-1", "order", raw(asked), nil)), decision(), gate("next"),
		frame(ask("q-2", "shell", "ls", nil)), decision()))
	p := w.open("/")
	p.send("order")
	p.click(card("q-1", hook("edit-args")))
	p.waitAttr(card("q-1"), "data-status", "editing")
	submit := card("q-1", hook("submit-modified"))
	for _, bad := range []string{`{"count":}`, ``, `{"count":1`} {
		p.replace(card("q-1", hook("args-editor")), bad)
		if bad == "" {
			p.press(key{"Delete", "Delete", 46, ""})
		}
		p.waitFor(card("q-1", hook("error", "code", "ARGS")))
		p.wait("no way to submit it", find(submit)+`?.ariaDisabled === "true"`)
		p.evaluate("submit", find(submit)+"?.click()", nil)
		p.wait("the text to stay", find(card("q-1", hook("args-editor")))+".value === "+quote(bad))
	}
	w.wantDecisions()
	p.replace(card("q-1", hook("args-editor")), strings.Replace(asked, `"count":3`, `"count":4`, 1))
	p.waitGone(card("q-1", hook("error", "code", "ARGS")))
	p.click(submit)
	p.waitAttr(card("q-1"), "data-status", "modified")
	sent := w.wantDecisions("q-1 modify")
	if want := `"patched_args":` + strings.Replace(asked, `"count":3`, `"count":4`, 1); !strings.Contains(sent[0].Body, want) {
		p.fatal("sent was %s, want %s", sent[0].Body, want)
	}
	p.waitText(card("q-1"), "count")

	w.openGate("next")
	p.click(card("q-2", hook("edit-args")))
	p.replace(card("q-2", hook("args-editor")), "ls -l")
	p.click(card("q-2", hook("submit-modified")))
	p.waitTurn("completed")
	if body := w.requests("feedback")[1].Body; !strings.Contains(body, `"patched_args":"ls -l"`) {
		p.fatal("a plain text was sent as %s", body)
	}
}

func TestHalfEditedArgumentsAndTheCommentSurviveARefresh(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	p.typeIn(card("q-1", hook("approval-comment")), "想一想")
	p.click(card("q-1", hook("edit-args")))
	p.replace(card("q-1", hook("args-editor")), `{"n": 2`)
	p.reload()
	p.waitAttr(card("q-1"), "data-status", "editing")
	p.wait("the half-edited arguments", find(card("q-1", hook("args-editor")))+"?.value === "+quote(`{"n": 2`))
	p.wait("the comment", find(card("q-1", hook("approval-comment")))+`?.value === "想一想"`)
	p.typeIn(card("q-1", hook("args-editor")), "}")
	p.click(card("q-1", hook("submit-modified")))
	p.waitDecided("q-1", "modified")
	sent := w.wantDecisions("q-1 modify")[0]
	var body struct {
		Patched json.RawMessage `json:"patched_args"`
		Comment string
	}
	if err := json.Unmarshal([]byte(sent.Body), &body); err != nil || body.Comment != "想一想" || strings.ReplaceAll(string(body.Patched), " ", "") != `{"n":2}` {
		p.fatal("sent was %s (%v)", sent.Body, err)
	}
}

func TestACardBeingEditedSurvivesALostConnection(t *testing.T) {
	w := newWorld(t)
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall","gate":"cut"},{"frame":3,"do":"cut"}]}`)
	w.script(run(frame(ask("q-1", "change", event{"n": 1}, nil)), gate("more"), frame(delta("m-q-1", "still here. ")), decision(),
		frame(delta("m-q-1", "went on"))))
	p := w.open("/")
	p.send("change it")
	p.click(card("q-1", hook("edit-args")))
	p.replace(card("q-1", hook("args-editor")), `{"n": 2`)
	w.openGate("more")
	w.openGate("cut")
	p.waitText(hook("message"), "still here.")
	p.waitConnection("paused")
	p.waitAttr(card("q-1"), "data-status", "editing")
	p.wait("the text and the keyboard to stay", fmt.Sprintf("document.activeElement === %[1]s && %[1]s.value === %[2]s",
		find(card("q-1", hook("args-editor"))), quote(`{"n": 2`)))
	w.fault(`{"recovery":"a test"}`)
	p.waitConnection("snapshot")
	p.waitAttr(card("q-1"), "data-status", "editing")
	p.wait("the text and the keyboard to stay", fmt.Sprintf("document.activeElement === %[1]s && %[1]s.value === %[2]s",
		find(card("q-1", hook("args-editor"))), quote(`{"n": 2`)))
	p.write("}")
	p.click(card("q-1", hook("submit-modified")))
	p.waitTurn("completed")
	p.waitAttr(card("q-1"), "data-status", "modified")
	p.steady()
}

func TestAPauseWhoseStreamEndsIsNoLostConnection(t *testing.T) {
	w := newWorld(t)
	w.fault(`{"hold":"open_stream"}`)
	p := w.paused()
	w.until("the stream to end", func() bool { return w.requests("chat")[0].Outcome == "done" })
	p.waitConnection("paused")
	p.waitAttr(card("q-1"), "data-status", "pending")
	if n := len(w.requests("resume")); n != 0 {
		p.fatal("a pause was resumed %d times", n)
	}
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
	w.wantDecisions("q-1 approve")
}

func TestAPendingRequestBlocksItsOwnSessionOnly(t *testing.T) {
	w := newWorld(t)
	p := w.paused()
	first := p.sessionID()
	p.typeIn(box(), "hi")
	p.press(keyEnter)
	p.wantBox("hi")
	p.waitBlocked("approval")
	p.waitText("#why", "Waiting for your decision.")
	p.wait("the reason to be told with the box", fmt.Sprintf(`%s.getAttribute("aria-describedby")?.split(" ").includes("why")`, find(box())))
	p.click(hook("new-session"))
	p.waitBox("")
	w.script(run(say("n", "hello")))
	p.ask("hi there")
	p.click(hook("session", "session-id", first))
	p.waitBox("hi")
	p.waitAttr(card("q-1"), "data-status", "pending")
	if n := len(w.requests("chat")); n != 2 {
		p.fatal("%d messages were sent, want 2", n)
	}
	p.click(card("q-1", hook("approve")))
	p.waitDecided("q-1", "approved")
	p.waitBox("hi")
}

func TestSkillsAreDecidedOnTheirOwn(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(
		skill("k-1", "first", "a skill", "steps"), skill("k-2", "second", "a skill", "steps"), skill("k-3", "third", "a skill", "steps")),
		say("m", "done")))
	p := w.open("/")
	p.ask("learn") // nothing waits for skills
	of := func(id string, within ...string) string {
		return strings.Join(append([]string{hook("skill-candidate", "candidate-id", id)}, within...), " ")
	}
	w.fault(`{"on":"skill_decision","gate":"skill"}`)
	p.clicks(of("k-1", hook("skill-approve")), 2)
	w.waitGate("skill", 1)
	p.waitAttr(of("k-1"), "data-status", "submitting")
	w.openGate("skill")
	p.waitAttr(of("k-1"), "data-status", "approved")
	p.click(of("k-2", hook("skill-reject")))
	p.waitAttr(of("k-2"), "data-status", "rejected")

	w.call("POST", "/api/skill-candidates/k-3/decision", event{"decision": "reject", "decision_id": uuid.NewString()}, nil)
	p.click(of("k-3", hook("skill-approve")))
	p.waitAttr(of("k-3"), "data-status", "conflict")
	p.waitText(of("k-3"), "ALREADY_DECIDED")
	p.wantCount(hook("skill-approve"), 0)
	if n := len(w.requests("skill_decision")); n != 4 {
		p.fatal("%d decisions were sent, want 3 and the other client's", n)
	}
	p.reload()
	p.waitAttr(of("k-1"), "data-status", "approved")
	p.waitAttr(of("k-2"), "data-status", "rejected")
	p.waitAttr(of("k-3"), "data-status", "rejected")
	p.wantCount(hook("skill-approve"), 0)
}
