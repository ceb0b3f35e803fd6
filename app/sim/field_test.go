package sim_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// field is a world in which a test says what happens and when: two sessions, s-1 and s-2, whose
// runs do what the test emits, and one tab, showing s-1.
type field struct {
	*testing.T
	clock  *sim.Clock
	server *sim.Server // of s-1
	other  *sim.Server // of s-2
	fates  *sim.Fates
	client *sim.Client
	local  sim.Storage
	tab    sim.Storage
	ids    int

	before []wire.Request // sent by tabs that are closed
	states []*store.State // every one published
}

func newField(t *testing.T) *field {
	f := &field{
		T: t, clock: sim.NewClock(), local: sim.Storage{}, tab: sim.Storage{},
		fates: &sim.Fates{Next: map[string][]sim.Fate{}, Always: map[string]sim.Fate{}},
	}
	serve := func(id string) *sim.Server {
		return &sim.Server{
			Clock: f.clock, ID: id, Manual: true, Posts: map[string]int{},
			Delay: func() time.Duration { return 0 }, EndsAt: func() bool { return false },
		}
	}
	f.server, f.other = serve(""), serve("s-2")
	f.server.Others = map[string]*sim.Server{"s-2": f.other}
	f.open()
	return f
}

func (f *field) open() {
	f.client = sim.NewClient(f.server, f.fates.Of, f.local, f.tab, &f.ids)
	f.client.Store.Subscribe(func() { f.states = append(f.states, f.client.Store.State()) })
	f.client.Acts.Show(sim.Session)
	f.pass(0)
}

// refresh closes the tab and opens it again: what is in storage stays.
func (f *field) refresh() {
	f.before = f.all()
	f.client.Close()
	f.open()
}

// pass lets time pass. What takes no time is done in any case; that it never ends is a hot loop.
func (f *field) pass(d time.Duration) {
	f.Helper()
	deadline := f.clock.Now().Add(d)
	for n := 0; f.clock.Step(deadline); n++ {
		if n > 10000 {
			f.Fatalf("the client does not come to rest: %d requests", len(f.all()))
		}
	}
	f.clock.Run(deadline.Sub(f.clock.Now()))
}

func (f *field) state() *store.State { return f.client.Store.State() }

func (f *field) session() *store.Session { return f.state().Session(sim.Session) }

// send sends a message in s-1, which must be taken.
func (f *field) send(text string) {
	f.Helper()
	if !f.client.Acts.Send(sim.Session, text) {
		f.Fatalf("%q was not taken: blocked by %q", text, f.state().Blocked(sim.Session))
	}
	f.pass(0)
}

// run is the newest run of s-1.
func (f *field) run() *sim.Run {
	f.Helper()
	if len(f.server.Runs) == 0 {
		f.Fatal("no run was started")
	}
	return f.server.Runs[len(f.server.Runs)-1]
}

// emit makes a frame of the newest run.
func (f *field) emit(events ...string) {
	f.Helper()
	f.server.Emit(f.run(), sim.Frame{Events: events})
	f.pass(0)
}

// finish ends the newest run and confirms it.
func (f *field) finish(status string) {
	f.Helper()
	f.server.End(f.run(), status, "")
	f.run().Confirm(true, true, true)
	f.pass(time.Second)
}

// started sends a message whose run then brings these frames, one for each argument.
func (f *field) started(events ...string) *sim.Run {
	f.Helper()
	f.send("你好")
	for _, ev := range events {
		f.emit(ev)
	}
	return f.run()
}

// last is the last turn on screen in s-1.
func (f *field) last() *store.Turn {
	f.Helper()
	session := f.session()
	if session == nil || session.Last == nil {
		f.Fatal("no turn is shown")
	}
	return session.Last
}

// said is what the last turn of s-1 says in a state.
func said(s *store.State) string {
	if session := s.Session(sim.Session); session != nil && session.Last != nil {
		return text(session.Last)
	}
	return ""
}

// text is what a turn's messages say.
func text(t *store.Turn) string {
	var b strings.Builder
	for i := range t.Run.Len() {
		if m := t.Run.At(i).Message; m != nil {
			b.WriteString(m.Text())
		}
	}
	return b.String()
}

// all are the requests of all tabs.
func (f *field) all() []wire.Request { return slices.Concat(f.before, f.client.Net.Sent) }

// sent are the requests of one kind.
func (f *field) sent(kind string) (list []wire.Request) {
	for _, req := range f.all() {
		if sim.Kind(req) == kind {
			list = append(list, req)
		}
	}
	return list
}

func (f *field) wantSent(kind string, n int) []wire.Request {
	f.Helper()
	list := f.sent(kind)
	if len(list) != n {
		f.Fatalf("%d requests of kind %s were sent, want %d: %s", len(list), kind, n, paths(list))
	}
	return list
}

func paths(list []wire.Request) string {
	var all []string
	for _, req := range list {
		all = append(all, req.Path)
	}
	return strings.Join(all, " ")
}

// cursor is the index that a resume asks to go on after.
func cursor(req wire.Request) string {
	_, index, _ := strings.Cut(req.Path, "last_event_index=")
	return index
}

func (f *field) wantTurn(turn *store.Turn, status, says string) {
	f.Helper()
	if turn.Status() != status || text(turn) != says {
		f.Fatalf("the turn is %s and says %q, want %s and %q\n%s", turn.Status(), text(turn), status, says, f.log())
	}
}

func (f *field) wantBlocked(want store.Block) {
	f.Helper()
	if got := f.state().Blocked(sim.Session); got != want {
		f.Fatalf("sending is blocked by %q, want %q\n%s", got, want, f.log())
	}
}

func (f *field) wantPhase(want store.Phase) {
	f.Helper()
	if got := f.session().Conn.Phase; got != want {
		f.Fatalf("the connection is %s, want %s\n%s", got, want, f.log())
	}
}

// always fails if any state published so far breaks a rule.
func (f *field) always(rule string, holds func(*store.State) bool) {
	f.Helper()
	for i, s := range f.states {
		if !holds(s) {
			f.Fatalf("state %d of %d breaks the rule: %s\n%s", i, len(f.states), rule, f.log())
		}
	}
}

// log is what the watcher noted and what was sent, for failures.
func (f *field) log() string {
	var b strings.Builder
	entries, _ := f.client.Watcher.Trace.Entries()
	for _, e := range entries {
		fmt.Fprintf(&b, "%s %s %.200s\n", e.At.Format("15:04:05.000"), e.Kind, e.Text)
	}
	for _, req := range f.all() {
		fmt.Fprintln(&b, req.Method, req.Path, string(req.Body))
	}
	return b.String()
}

// decode reads a body that was sent.
func decode[T any](f *field, req wire.Request) (body T) {
	f.Helper()
	if err := json.Unmarshal(req.Body, &body); err != nil {
		f.Fatalf("%s %s: %v", req.Path, req.Body, err)
	}
	return body
}

// approval is what a request shows in the last turn.
func approval(s *store.State, requestID string) string {
	session := s.Session(sim.Session)
	if session == nil || session.Last == nil {
		return ""
	}
	r := session.Last.Run
	it := r.Item(store.ItemKey{Type: protocol.ItemApproval, ID: requestID})
	if it == nil {
		return ""
	}
	return s.ApprovalStatus(r, requestID, it.Approval.Status)
}

func (f *field) wantApproval(requestID, want string) {
	f.Helper()
	if got := approval(f.state(), requestID); got != want {
		f.Fatalf("request %s shows %q, want %q\n%s", requestID, got, want, f.log())
	}
}

func (f *field) decide(requestID, decision string) bool {
	f.Helper()
	taken := f.client.Acts.Decide(sim.Session, requestID, decision, "", "")
	f.pass(0)
	return taken
}

// The events, in short.
func txt(delta string) string { return txtOf("a-1", delta) }
func txtOf(id, delta string) string {
	quoted, _ := json.Marshal(delta)
	return fmt.Sprintf(`{"type":"message_delta","message_id":%q,"delta":%s}`, id, quoted)
}
func ask(id, name, args string) string {
	return fmt.Sprintf(`{"type":"approval_required","request":{"request_id":%q,"tool_call_id":"c-%s","tool_name":%q,"args":%s}}`, id, id, name, args)
}
func job(id string) string {
	return fmt.Sprintf(`{"type":"tool_start","tool":"train","call_id":%q,"args":{},"job":true}`, id)
}
func ended(status string) string { return fmt.Sprintf(`{"type":"run_end","status":%q}`, status) }

// raw is a data frame of a run as it stands on the wire.
func raw(r *sim.Run, index, events string) string {
	return fmt.Sprintf(`data: {"protocol_version":2,"session_id":"s-1","run_id":%q,"event_index":%s,"events":[%s]}`, r.ID, index, events)
}
