package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// tale is a run's text in 40 pieces, with characters of one to four bytes and joined emoji.
var tale = func() (pieces []string) {
	for i := range 40 {
		pieces = append(pieces, fmt.Sprintf("第%d段：图的中心性é👍🏽，x%d👨‍👩‍👧。", i+1, i))
	}
	return pieces
}()

// taleFrames are the tale as one message, a piece a frame.
func taleFrames(id string) []step {
	var steps []step
	for i, piece := range tale {
		events := []event{delta(id, piece)}
		if i == 0 {
			events = append([]event{start(id)}, events...)
		}
		steps = append(steps, frame(events...))
	}
	return append(steps, frame(end(id)))
}

// spread are more than a hundred places to cut a stream, over all of it and with every byte of an
// emoji and of a frame's end among them: so many a run, ascending.
func spread(stream []byte, perRun int) (runs [][]int) {
	var all []int
	for at := 1; at < len(stream); at += len(stream)/104 + 1 {
		all = append(all, at)
	}
	emoji := bytes.Index(stream[len(stream)/2:], []byte("👍🏽")) + len(stream)/2
	edge := bytes.Index(stream[emoji:], []byte("\n\n")) + emoji
	for i := range len("👍🏽") {
		all = append(all, emoji+i)
	}
	all = append(all, edge, edge+1, edge+2)
	slices.Sort(all)
	apart := (len(all) + perRun - 1) / perRun
	for i := range apart {
		var run []int
		for at := i; at < len(all); at += apart {
			run = append(run, all[at])
		}
		runs = append(runs, run)
	}
	return runs
}

// cutRun is a run in a tab whose streams break off one after the other.
type cutRun struct {
	p      *page
	id     string // of its message and of its gates
	stream []byte // what an undisturbed stream brings
	cuts   []int
}

func (c *cutRun) gate(i int) string { return fmt.Sprintf("%s-%d", c.id, i) }

// begin makes the streams break off, and sends the message. A stream begins with the first frame
// that the one before had not brought whole. The run does not end before the
// second stream: one that is over is not resumed.
func (c *cutRun) begin() {
	w, session := c.p.w, c.p.sessionID()
	steps := taleFrames(c.id)
	steps[len(steps)-1].Gate = c.id
	w.script(script{Session: session, Steps: steps})
	from := 0
	for i, cut := range c.cuts {
		on, skip := "resume", i-1
		if i == 0 {
			on, skip = "chat", 0
		}
		w.fault(`{"on":%q,"session":%q,"skip":%d,"cut_bytes":%d,"cut_gate":%q}`, on, session, skip, cut-from, c.gate(i))
		from = bytes.LastIndex(append([]byte("\n\n"), c.stream[:cut]...), []byte("\n\n"))
	}
	turns := c.p.count(hook("turn"))
	c.p.send("tell")
	c.p.waitCount(hook("turn"), turns+1)
}

// breakOff breaks the i-th stream, once the page shows every frame that it has brought whole.
func (c *cutRun) breakOff(i int) {
	c.p.t.Helper()
	if i >= len(c.cuts) {
		return
	}
	c.p.w.waitGate(c.gate(i), 1)
	if i == 1 {
		c.p.w.openGate(c.id)
	}
	if whole := c.whole(i); whole > 1 && c.whole(0) > 0 { // otherwise it is being rebuilt aside
		c.p.wait(fmt.Sprintf("%d frames at cut %v", whole, c.cuts[:i+1]), c.says(tale[:min(whole-1, len(tale))]))
	}
	c.p.w.openGate(c.gate(i))
}

// whole is how many frames have come up to the i-th cut, run_started among them.
func (c *cutRun) whole(i int) int { return bytes.Count(c.stream[:c.cuts[i]], []byte("\n\n")) }

func (c *cutRun) says(pieces []string) string {
	return find(lastTurn+" "+hook("message")) + "?.textContent === " + quote(strings.Join(pieces, ""))
}

func TestARunCutAnywhereIsWhole(t *testing.T) {
	const perRun = 4
	w := newWorld(t)
	w.script(run(taleFrames("m-000")...))
	stream := w.tell(w.session(), "the undisturbed stream")
	var tabs []*page
	for range 4 { // a browser opens six connections to a server
		tabs = append(tabs, w.open("/s/"+w.session()))
	}
	total := 0
	for group := range slices.Chunk(spread(stream, perRun), len(tabs)) {
		var runs []*cutRun
		for i, cuts := range group {
			total += len(cuts)
			c := &cutRun{p: tabs[i], id: fmt.Sprintf("m-%03d", total), stream: stream, cuts: cuts}
			c.begin()
			runs = append(runs, c)
		}
		for i := range perRun {
			for _, c := range runs {
				c.breakOff(i)
			}
		}
		for _, c := range runs {
			c.p.wait(fmt.Sprintf("the whole text after cuts at %v", c.cuts), c.says(tale))
			c.p.waitTurn("completed")
			c.p.waitBlocked("")
			c.p.steady()
		}
	}
	broken := 0
	for _, r := range append(w.requests("chat"), w.requests("resume")...) {
		if r.Outcome == "cut" {
			broken++
		}
	}
	if total < 100 || broken != total {
		t.Fatalf("%d streams were cut, want %d, and at least 100", broken, total)
	}
}

func TestARefreshAtAnyFrameShowsTheSame(t *testing.T) {
	w := newWorld(t)
	var steps []step
	for i, st := range taleFrames("m") {
		st.Gate = fmt.Sprint("g", i)
		steps = append(steps, st)
	}
	w.script(run(steps...))
	p := w.open("/")
	p.send("tell")
	shown := ""
	for i, piece := range tale {
		w.openGate(fmt.Sprint("g", i))
		shown += piece
		is := find(lastTurn+" "+hook("message")) + "?.textContent === " + quote(shown)
		p.wait("the text so far", is)
		p.reload()
		p.wait("the text so far after a refresh", is)
		p.waitTurn("running")
		p.wantCount(hook("turn"), 1)
		p.waitFor(hook("stop"))
		p.steady()
	}
	w.openGate(fmt.Sprint("g", len(tale)))
	p.waitTurn("completed")
	p.wantText(hook("message"), shown)
	p.waitBlocked("")
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("the message was sent %d times", n)
	}
}

// broken is a run that has said one thing and whose stream breaks with the next frame. That waits at
// the gate "more"; the end waits at the gate "end".
func (w *world) broken() (p *page, sid string) {
	w.t.Helper()
	w.script(run(
		frame(start("m"), delta("m", "one")),
		gate("more"), frame(delta("m", " two"), end("m")),
		gate("end"), frame(delta("m", " three")), // late, and still appended
	))
	p = w.tab()
	p.probe("connection", `document.querySelector('[data-testid="connection"]')?.dataset.state ?? ""`)
	p.visit("/")
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"cut"}]}`)
	p.send("go")
	p.waitText(hook("message"), "one")
	return p, p.sessionID()
}

func (p *page) wantWhole(text string) {
	p.t.Helper()
	p.waitTurn("completed")
	p.waitText(hook("message"), text)
	p.wantText(hook("message"), text)
	p.waitBlocked("")
	p.steady()
}

func TestALostConnectionIsShownAndGoesOn(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	p.waitConnection("live")
	w.fault(`{"on":"resume","gate":"resume","times":-1}`)
	w.openGate("more")
	p.waitConnection("reconnecting")
	p.waitText(hook("connection"), "Reconnecting")
	p.waitText(".banner", "Connection lost. The run continues on the server.")
	p.wantText(hook("message"), "one")
	p.waitTurn("running")
	p.waitBlocked("running")
	w.openGate("resume")
	p.waitText(hook("message"), "one two")
	p.waitConnection("live")
	if got := w.requests("resume"); !strings.Contains(got[0].Query, "last_event_index=1") {
		p.fatal("the run was resumed with %q, want the last whole frame, 1", got[0].Query)
	}
	w.openGate("end")
	p.wantWhole("one two three")
	p.waitConnection("idle")
	p.waitText(hook("connection"), "Connected")
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("the message was sent %d times", n)
	}
}

func TestARunLostWithItsServerIsShownAsInterrupted(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "what was saved"), frame(start("n"), delta("n", "half a sen")), gate("never")))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message", "message-id", "n"), "half a sen")
	p.typeIn(box(), "a draft")
	w.until("the text to be saved", func() bool {
		var detail json.RawMessage
		w.call("GET", "/api/sessions/"+p.sessionID(), nil, &detail)
		return bytes.Contains(detail, []byte("half a sen"))
	})
	w.kill()
	p.waitConnection("reconnecting")
	p.wantText(hook("message", "message-id", "n"), "half a sen")
	w.start()
	p.waitTurn("failed")
	p.waitFor(lastTurn + " " + hook("error", "code", "INTERRUPTED"))
	p.waitText(lastTurn, "This run was interrupted")
	p.wantText(hook("message", "message-id", "m"), "what was saved")
	p.wantText(hook("message", "message-id", "n"), "half a sen")
	p.waitBlocked("")
	p.steady()
	p.waitBox("a draft")
	p.reload()
	p.waitTurn("failed")
	p.waitText(hook("message", "message-id", "n"), "half a sen")

	w.script(run(say("again", "all of it")))
	p.click(lastTurn + " " + hook("ask-again"))
	p.waitCount(hook("turn"), 2)
	p.waitTurn("completed")
	p.wantText(lastTurn+" "+hook("message"), "all of it")
	p.waitBox("a draft")
	// The log is of the server that came back.
	if chats := w.requests("chat"); len(chats) != 1 || chats[0].field("message") != "go" {
		p.fatal("asked again with %v", chats)
	}
}

func TestWithoutABufferTheRunIsFollowedBySnapshots(t *testing.T) {
	for _, c := range []struct {
		name    string
		chat    string // fault
		recover func(w *world)
	}{
		{"the buffer was evicted", `{"on":"chat","edits":[{"frame":3,"do":"cut"}]}`, func(w *world) {
			w.fault(`{"on":"resume","gate":"resume"}`)
			w.openGate("more")
			w.waitGate("resume", 1)
			w.fault(`{"evict":true}`)
			w.openGate("resume")
		}},
		{"the server requires recovery", `{"on":"chat"}`, func(w *world) {
			w.fault(`{"recovery":"a test"}`)
			w.openGate("more")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.script(run(
				frame(start("m"), delta("m", "one")),
				gate("more"), frame(delta("m", " two"), end("m")),
				gate("ask"), frame(ask("q-1", "change", event{"n": 1}, nil)), decision(),
				say("n", "three"), gate("end"), say("o", "four"),
			))
			p := w.tab()
			p.probe("connection", `document.querySelector('[data-testid="connection"]')?.dataset.state ?? ""`)
			p.visit("/")
			w.fault("%s", c.chat)
			p.send("go")
			p.waitText(hook("message"), "one")
			w.fault(`{"hold":"snapshot"}`)
			c.recover(w)
			p.waitConnection("snapshot")
			w.waitRequests("snapshot", 1)
			p.waitText(hook("connection"), "Catching up")
			p.wantText(hook("message"), "one") // a partial snapshot is not shown
			w.openGate("snapshot")
			p.waitText(hook("message"), "one two")
			p.waitText(hook("connection"), "Following snapshots")
			w.openGate("ask")
			p.click(hook("approve"))
			p.waitText(hook("message", "message-id", "n"), "three")
			p.waitConnection("snapshot")
			p.waitAttr(hook("approval"), "data-status", "approved")
			w.openGate("end")
			p.waitTurn("completed")
			p.wantText(hook("message", "message-id", "o"), "four")
			p.waitBlocked("")
			p.waitConnection("idle")
			p.steady()
			states := series[string](p, "connection")
			if from := slices.Index(states, "snapshot"); !slices.Equal(states[from:], []string{"snapshot", "idle"}) {
				p.fatal("the connection was %v, want it to stay in snapshot mode", states)
			}
			if n := len(w.requests("feedback")); n != 1 {
				p.fatal("%d decisions were sent, want 1", n)
			}
		})
	}
}

func TestSnapshotsThatFailAreAskedForAgain(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	w.fault(`{"on":"resume","status":409,"code":"REPLAY_UNAVAILABLE"}`)
	w.fault(`{"on":"snapshot","status":502,"body":"<h1>bad gateway</h1>"}`)
	w.openGate("more")
	p.waitConnection("snapshot")
	p.waitText(".banner", "(Status 502)")
	p.wantText(hook("message"), "one")
	p.waitText(hook("message"), "one two")
	w.openGate("end")
	p.wantWhole("one two three")
	p.waitFor(hook("app"))
}

func TestALongRunIsRebuiltAfterARefresh(t *testing.T) {
	const frames, perFrame = 2000, 10
	w := newWorld(t)
	sid := w.session()
	steps := []step{frame(start("m"))}
	var whole strings.Builder
	for i := range frames {
		var events []event
		for j := range perFrame {
			text := fmt.Sprintf("字%d ", i*perFrame+j)
			whole.WriteString(text)
			events = append(events, delta("m", text))
		}
		steps = append(steps, frame(events...))
	}
	steps = append(steps, gate("end"), frame(delta("m", "终"), end("m")))
	w.script(script{Steps: steps, Start: &beginning{
		SessionID: sid, Message: "count", StartRequestID: "0d4e8b1e-2d53-4d38-9c6f-1f0f7c4f0001", Language: "zh-CN",
	}})
	last := fmt.Sprintf("字%d", frames*perFrame-1)
	p := w.open("/s/" + sid)
	p.waitText(hook("message"), last)
	p.waitConnection("live")
	p.steady()
	w.fault(`{"on":"resume","edits":[{"frame":1001,"do":"stall","gate":"rebuild"}]}`)
	p.do("reload", chromedp.Reload())
	p.waitConnection("rebuilding")
	p.waitText(".banner", "Restoring 1,000 of 2,002 events.")
	w.openGate("rebuild")
	p.waitConnection("live")
	p.waitText(hook("message"), last)
	w.openGate("end")
	p.waitTurn("completed")
	p.waitText(hook("message"), "终")
	want := strings.Join(strings.Fields(whole.String()+"终"), " ")
	if got := strings.Join(strings.Fields(p.text(hook("message"))), " "); got != want {
		p.fatal("the text is not whole: %d characters, want %d", len(got), len(want))
	}
	p.steady()
}

func TestSwitchingSessionsQuicklyMixesNothing(t *testing.T) {
	const n = 10
	w := newWorld(t)
	var ids []string
	for i := range n {
		sid := w.session()
		ids = append(ids, sid)
		w.script(script{
			Steps: []step{frame(start(fmt.Sprint("m", i)), delta(fmt.Sprint("m", i), fmt.Sprintf("only of %d", i))),
				gate("end"), frame(delta(fmt.Sprint("m", i), ", ended"), end(fmt.Sprint("m", i)))},
			Start: &beginning{SessionID: sid, Message: fmt.Sprint("ask ", i), Language: "en-US",
				StartRequestID: fmt.Sprintf("0d4e8b1e-2d53-4d38-9c6f-1f0f7c4f1%03d", i)},
		})
	}
	p := w.tab()
	p.probe("mixed", `(() => {
		const text = document.querySelector('[data-testid="conversation"]')?.textContent ?? "";
		return new Set([...text.matchAll(/(?:ask|only of) (\d)/g)].map((m) => m[1])).size > 1;
	})()`)
	p.visit("/")
	p.waitCount(hook("session"), n)
	for range 3 {
		for _, sid := range ids { // faster than any of them can load
			p.evaluate("switch", find(hook("session", "session-id", sid))+".click()", nil)
		}
	}
	for i, sid := range ids {
		p.click(hook("session", "session-id", sid))
		p.waitText(hook("message"), fmt.Sprintf("only of %d", i))
		p.wantCount(hook("turn"), 1)
		p.waitTurn("running")
	}
	w.until("all streams but one to be left", func() bool {
		open := 0
		for _, r := range w.requests("resume") {
			if r.Outcome == "open" {
				open++
			}
		}
		return open == 1
	})
	w.openGate("end")
	for i, sid := range slices.Backward(ids) {
		p.click(hook("session", "session-id", sid))
		p.waitText(hook("message"), fmt.Sprintf("only of %d, ended", i))
		p.waitTurn("completed")
		p.waitBlocked("")
	}
	if slices.Contains(series[bool](p, "mixed"), true) {
		p.fatal("texts of two sessions were shown at once")
	}
	if n := len(w.requests("chat")) + len(w.requests("cancel")); n != 0 {
		p.fatal("switching sent %d acts", n)
	}
}
