package sim_test

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// TestMain makes 100,000 schedules the ordinary number, which takes about half a minute. They make
// much garbage and keep little: collecting it more rarely saves a third of that time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "50000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// world is one schedule: a server with a drawn script, one or two tabs with a drawn fate for each of
// their requests, and a drawn list of what else happens.
type world struct {
	t      *rapid.T
	clock  *sim.Clock
	server *sim.Server
	tabs   []*tab
	local  sim.Storage
	ids    int

	until     time.Time       // faults happen before this
	restarted bool            // the server has been
	decisions int             // made by the person
	sends     int             // made by the person
	retries   int             // made by the person
	prefix    map[string]bool // prints of every state of a run that was ever true
}

// tab is a browser tab. Its storage outlives a refresh of its client.
type tab struct {
	*world
	client  *sim.Client
	storage sim.Storage
	shown   map[string]shown
}

// shown is what a client has published of a run.
type shown struct {
	rev      uint64
	length   int
	cursor   int64
	snapshot bool
	ended    bool
}

const faultsFor = 40 * time.Second

func newWorld(t *rapid.T) *world {
	w := &world{t: t, clock: sim.NewClock(), local: sim.Storage{}, prefix: map[string]bool{}}
	w.until = w.clock.Now().Add(faultsFor)
	delays := rapid.SliceOfN(rapid.SampledFrom([]time.Duration{0, 10 * time.Millisecond, 700 * time.Millisecond, 4 * time.Second}), 1, 4).Draw(t, "delays")
	n := 0
	w.server = &sim.Server{
		Clock:  w.clock,
		Script: func(run int) []sim.Frame { return drawScript(t, run) },
		Delay:  func() time.Duration { n++; return delays[n%len(delays)] },
		Posts:  map[string]int{},
	}
	endsAt := rapid.Bool().Draw(t, "pause ends the stream")
	w.server.EndsAt = func() bool { return endsAt }
	w.server.Persist = rapid.Bool().Draw(t, "items are saved as they grow")
	for range rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "tabs") {
		tab := &tab{world: w, storage: sim.Storage{}}
		w.tabs = append(w.tabs, tab)
		tab.open()
	}
	return w
}

// open opens a tab, or opens it again after a refresh.
func (w *tab) open() {
	w.client = sim.NewClient(w.server, w.fate, w.local, w.storage, &w.ids)
	w.shown = map[string]shown{}
	w.client.Store.Subscribe(w.check)
	w.client.Acts.Show(sim.Session)
}

// fate draws what happens to a request, while faults happen.
func (w *world) fate(req wire.Request) sim.Fate {
	if !w.clock.Now().Before(w.until) {
		return sim.Fate{}
	}
	kind := rapid.IntRange(0, 23).Draw(w.t, "fate of "+kindOf(req))
	stream := strings.Contains(req.Path, "/stream") || strings.Contains(req.Path, "/resume")
	count := func(label string, most int) int { return rapid.IntRange(1, most).Draw(w.t, label) }
	switch kind {
	case 1:
		there := rapid.SampledFrom([]time.Duration{300 * time.Millisecond, 3 * time.Second}).Draw(w.t, "there")
		return sim.Fate{There: there, Back: 900 * time.Millisecond}
	case 2:
		return sim.Fate{NeverThere: true}
	case 3:
		return sim.Fate{AnswerLost: true}
	case 4:
		return sim.Fate{Status: 502, Back: 100 * time.Millisecond}
	case 5:
		return sim.Fate{Status: rapid.SampledFrom([]int{500, 503, 429, 401, 404, 200, 504}).Draw(w.t, "status"), JSON: rapid.Bool().Draw(w.t, "json"), RetryAfter: "1"}
	case 6:
		return sim.Fate{Incomplete: true, Back: 3 * time.Second}
	case 7:
		return sim.Fate{Back: 8 * time.Second}
	}
	if !stream {
		return sim.Fate{}
	}
	switch kind {
	case 8, 9, 10:
		return sim.Fate{CutAt: count("cut at byte", 4000), Chunk: rapid.SampledFrom([]int{0, 1, 7, 100}).Draw(w.t, "chunk"), Clean: rapid.Bool().Draw(w.t, "clean")}
	case 11:
		return sim.Fate{SilentAt: count("silent at byte", 3000)}
	case 12:
		return sim.Fate{Corrupt: count("corrupt frame", 8)}
	case 13:
		return sim.Fate{Twice: count("frame twice", 8), Chunk: 64}
	case 14:
		return sim.Fate{Wrong: count("wrong run at", 8)}
	case 15:
		return sim.Fate{Recover: count("recovery at", 12)}
	}
	return sim.Fate{}
}

func kindOf(req wire.Request) string {
	path, _, _ := strings.Cut(req.Path, "?")
	return req.Method + " " + path[strings.LastIndexByte(path, '/')+1:]
}

// check looks at every publication.
func (w *tab) check() {
	session := w.client.Store.State().Session(sim.Session)
	if session == nil {
		return
	}
	for i := range session.Turns() {
		w.checkTurn(session.Turn(i))
	}
}

func (w *tab) checkTurn(turn *store.Turn) {
	r := turn.Run
	for _, run := range w.server.Runs {
		if run.ID == r.ID && turn.Confirmed && !run.CanSend {
			w.t.Fatalf("%s counts as confirmed before the server says so", r.ID)
		}
	}
	before, known := w.shown[r.ID]
	if r.ID == "" || known && before.rev == r.Rev {
		return
	}
	now := shown{rev: r.Rev, length: visible(r), cursor: r.Cursor, snapshot: r.Snapshot, ended: r.Ended()}
	if known {
		if now.length < before.length && !w.restarted {
			w.t.Fatalf("content of %s shrank from %d to %d", r.ID, before.length, now.length)
		}
		if before.snapshot && !now.snapshot {
			w.t.Fatalf("%s left snapshot mode", r.ID)
		}
		if before.snapshot && now.cursor != before.cursor {
			w.t.Fatalf("%s moved its cursor in snapshot mode", r.ID)
		}
		if now.cursor < before.cursor && !now.snapshot {
			w.t.Fatalf("the cursor of %s went back from %d to %d", r.ID, before.cursor, now.cursor)
		}
		if before.ended && !now.ended {
			w.t.Fatalf("%s came back to life\nlog: %s", r.ID, w.trace())
		}
	}
	w.shown[r.ID] = now
	if !w.everTrue(r) {
		w.t.Fatalf("%s shows at cursor %d what was never true:\n%s\nlog: %s", r.ID, r.Cursor, sim.Print(store.Wire(r)), w.trace())
	}
}

// everTrue reports whether the run's content is a state that whole frames lead to.
func (w *world) everTrue(r *store.Run) bool {
	for _, run := range w.server.Runs {
		if run.ID != r.ID {
			continue
		}
		print := sim.Print(settledAside(store.Wire(r)))
		if w.prefix[r.ID+print] {
			return true
		}
		var ref sim.Reference
		w.prefix[r.ID] = true
		for _, e := range run.Log {
			frame, err := protocol.DecodeFrame(e.Data)
			if err != nil {
				panic(err)
			}
			w.prefix[r.ID+sim.Print(settledAside(ref.Items))] = true
			for _, ev := range frame.Events {
				ref.Take(ev)
			}
		}
		w.prefix[r.ID+sim.Print(settledAside(ref.Items))] = true
		w.prefix[r.ID+sim.Print(settledAside(run.Saved))] = true
		return w.prefix[r.ID+print]
	}
	return false
}

// settledAside takes out what control may tell before its frame comes: how a request was decided.
func settledAside(items []protocol.Item) []protocol.Item {
	out := append([]protocol.Item(nil), items...)
	for i, it := range out {
		if it.Approval != nil {
			v := *it.Approval
			v.Status, v.Comment, v.EffectiveArgs = "", "", ""
			out[i].Approval = &v
		}
	}
	return out
}

// visible is how much of a run is on screen.
func visible(r *store.Run) int {
	n := 0
	for i := range r.Len() {
		n++
		if m := r.At(i).Message; m != nil {
			n += len(m.Text()) + len(m.Reasoning())
		}
	}
	return n
}

// happen lets one drawn thing happen.
func (w *tab) happen() {
	switch rapid.IntRange(0, 14).Draw(w.t, "happens") {
	case 0:
		w.client.Close()
		w.open()
	case 1:
		w.clock.Sleep(10 * time.Minute)
		w.client.Watcher.Nudge()
	case 2:
		w.server.Evict()
	case 3:
		w.server.Restart()
		w.restarted = true
	case 4, 5:
		w.client.Watcher.Nudge()
		w.client.Acts.Nudge()
	case 6:
		w.client.Acts.Show("")
	case 7:
		w.client.Acts.Show(sim.Session)
	case 8:
		w.server.DecideElsewhere(rapid.SampledFrom([]string{protocol.Approve, protocol.Reject}).Draw(w.t, "decided elsewhere"))
	case 9, 10:
		w.decide()
	case 11:
		w.client.Acts.Stop(sim.Session)
	case 12:
		w.send()
	case 13:
		w.client.Watcher.Reload()
	case 14:
		w.decide()
		w.decide() // a double click
	}
}

func (w *tab) decide() {
	session := w.client.Store.State().Session(sim.Session)
	if session == nil || session.Active() == nil {
		return
	}
	current := session.Active().Run.Current()
	decision := rapid.SampledFrom([]string{protocol.Approve, protocol.Reject}).Draw(w.t, "decision")
	if current != "" && w.client.Acts.Decide(sim.Session, current, decision, "", "") {
		w.decisions++
	}
}

func (w *tab) send() {
	if w.client.Acts.Send(sim.Session, fmt.Sprintf("问题 %d", w.sends)) {
		w.sends++
	}
	for _, turn := range w.turns() {
		if turn.Send == store.SendUnsent {
			w.retries++
			w.client.Acts.Retry(sim.Session, turn.Key)
		}
	}
}

func (w *tab) turns() (list []*store.Turn) {
	session := w.client.Store.State().Session(sim.Session)
	if session == nil {
		return nil
	}
	for i := range session.Turns() {
		list = append(list, session.Turn(i))
	}
	return list
}

// settle ends all faults and lets the world come to rest, deciding whatever waits.
func (w *world) settle() {
	if left := w.until.Sub(w.clock.Now()); left > 0 {
		w.clock.Run(left)
	}
	for _, tab := range w.tabs {
		tab.client.Acts.Show(sim.Session)
	}
	w.clock.Run(70 * time.Second)
	for _, tab := range w.tabs {
		if s := tab.client.Store.State().Session(sim.Session); s.Conn.Phase == store.PhaseFailed {
			tab.client.Watcher.Reload() // the way out that a failed state offers
		}
	}
	for range 12 {
		if !slices.ContainsFunc(w.tabs, func(tab *tab) bool { return !tab.atRest() }) {
			return
		}
		w.server.DecideElsewhere(protocol.Approve)
		w.clock.Run(70 * time.Second)
	}
}

// atRest reports whether nothing goes on any more, on either side.
func (w *tab) atRest() bool {
	for _, run := range w.server.Runs {
		if !run.CanSend {
			return false
		}
	}
	state := w.client.Store.State()
	session := state.Session(sim.Session)
	return session.Conn.Phase == store.PhaseIdle && state.Blocked(sim.Session) == store.BlockNone && len(w.turns()) >= len(w.server.Runs)
}

// TestConvergence: whatever happens, the client comes to show what an undisturbed one would, or
// what the server has left; nothing is submitted that the person did not; no publication on the way
// breaks a rule.
//
// Half of the schedules run beside the other half, so that two cores have work.
func TestConvergence(t *testing.T) {
	for _, half := range []string{"one half", "other half"} {
		t.Run(half, func(t *testing.T) {
			t.Parallel()
			converge(t)
		})
	}
}

func converge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.clock.Run(time.Second)
		w.tabs[0].send()
		for range rapid.IntRange(0, 10).Draw(t, "steps") {
			w.clock.Run(rapid.SampledFrom([]time.Duration{0, 100 * time.Millisecond, time.Second, 7 * time.Second}).Draw(t, "wait"))
			rapid.SampledFrom(w.tabs).Draw(t, "tab").happen()
		}
		w.settle()
		for _, tab := range w.tabs {
			tab.converged()
		}
		w.nothingUnasked()
	})
}

func (w *tab) converged() {
	state := w.client.Store.State()
	session := state.Session(sim.Session)
	byRun := map[string]*store.Turn{}
	for _, turn := range w.turns() {
		if turn.Send == store.SendAccepted {
			byRun[turn.Run.ID] = turn
		} else if turn.Send != store.SendUnsent {
			w.t.Fatalf("a message is still %s", turn.Send)
		}
	}
	if len(byRun) != len(w.server.Runs) {
		w.t.Fatalf("%d turns are shown, the server has %d", len(byRun), len(w.server.Runs))
	}
	for _, run := range w.server.Runs {
		turn := byRun[run.ID]
		if turn == nil {
			w.t.Fatalf("run %s is not shown", run.ID)
			return // what Fatalf does, for those who cannot see it
		}
		if got, want := sim.Print(store.Wire(turn.Run)), sim.Print(run.Ref.Items); got != want {
			w.t.Fatalf("run %s shows\n%s\nand not\n%s\nlog: %s", run.ID, got, want, w.trace())
		}
		if turn.Status() != run.Ref.Status {
			w.t.Fatalf("run %s shows as %s, it is %s\nlog: %s", run.ID, turn.Status(), run.Ref.Status, w.trace())
		}
	}
	if session.Conn.Phase != store.PhaseIdle {
		w.t.Fatalf("the connection rests in %s\nlog: %s", session.Conn.Phase, w.trace())
	}
	if b := state.Blocked(sim.Session); b != store.BlockNone {
		w.t.Fatalf("sending is blocked: %s", b)
	}
	if n := w.client.Net.Most; n > 1 {
		w.t.Fatalf("%d streams were open at once", n)
	}
}

// nothingUnasked: every submission is one that the person made.
func (w *world) nothingUnasked() {
	if w.server.Chats > w.sends {
		w.t.Fatalf("%d runs were started for %d messages", w.server.Chats, w.sends)
	}
	if n := len(w.server.Starts); n > w.sends {
		w.t.Fatalf("%d start requests were made for %d messages", n, w.sends)
	}
	if n := w.server.Posts["chat"]; n > w.sends+w.retries {
		w.t.Fatalf("%d messages were posted, %d were sent and %d retried", n, w.sends, w.retries)
	}
	if n := w.server.Posts["feedback"]; n > w.decisions {
		w.t.Fatalf("%d decisions were posted, %d were made", n, w.decisions)
	}
}

func (w *tab) trace() string {
	entries, _ := w.client.Watcher.Trace.Entries()
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "\n%s %s %s", e.At.Format("15:04:05.000"), e.Kind, e.Text)
	}
	return b.String()
}

// drawScript draws what a run does.
func drawScript(t *rapid.T, run int) []sim.Frame {
	var frames []sim.Frame
	approvals := 0
	for range rapid.IntRange(0, 14).Draw(t, "frames") {
		f := sim.Frame{}
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "events") {
			f.Events = append(f.Events, drawEvent(t, run, &approvals))
		}
		switch rapid.IntRange(0, 9).Draw(t, "index") {
		case 0:
			f.Gap = 3
		case 1:
			f.NoIndex = true
			f.Events = []string{`{"type":"observation","note":"x"}`, `{"type":"message_delta","message_id":"m-9","delta":"live only"}`}
		}
		frames = append(frames, f)
	}
	return frames
}

func drawEvent(t *rapid.T, run int, approvals *int) string {
	m := fmt.Sprintf("%d-%d", run, rapid.IntRange(1, 2).Draw(t, "id"))
	switch rapid.IntRange(0, 15).Draw(t, "event") {
	case 0:
		return fmt.Sprintf(`{"type":"message_start","message_id":"m-%s","format":"markdown"}`, m)
	case 1, 2, 3, 4:
		text := rapid.SampledFrom([]string{"价格¥5 ", "👍🏽", "answer ", "**粗体**", "\\n\\n| a |", "完"}).Draw(t, "text")
		return fmt.Sprintf(`{"type":"message_delta","message_id":"m-%s","delta":"%s"}`, m, text)
	case 5:
		return fmt.Sprintf(`{"type":"message_end","message_id":"m-%s"}`, m)
	case 6:
		return fmt.Sprintf(`{"type":"reasoning_delta","message_id":"m-%s","delta":"因为"}`, m)
	case 7:
		return fmt.Sprintf(`{"type":"plan_update","plan_id":"p-1","steps":[{"step_id":"a","title":"读图","status":%q}]}`, rapid.SampledFrom([]string{"pending", "running", "done"}).Draw(t, "step"))
	case 8:
		return fmt.Sprintf(`{"type":"tool_start","tool":"train","call_id":"c-%s","args":{"n":12345678901234567890},"job":true}`, m)
	case 9, 10:
		return fmt.Sprintf(`{"type":"tool_progress","tool":"train","call_id":"c-%s","progress":{"epoch":%d,"epochs":9,"metrics":{"loss":0.5}}}`, m, rapid.IntRange(1, 9).Draw(t, "epoch"))
	case 11:
		return fmt.Sprintf(`{"type":"tool_end","call_id":"c-%s","status":"succeeded","result":{"auc":0.91}}`, m)
	case 12:
		*approvals++
		return fmt.Sprintf(`{"type":"approval_required","request":{"request_id":"q-%d-%d","tool_name":"add_edge","args":{"a":1}}}`, run, *approvals)
	case 13:
		return fmt.Sprintf(`{"type":"skill_candidate","candidate_id":"k-%s","name":"n","description":"d"}`, m)
	case 14:
		return `{"type":"brand_new","x":{"y":[1]}}`
	}
	return `{"type":"run_status","status":"running"}`
}
