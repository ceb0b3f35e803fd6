package store_test

import (
	"reflect"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
)

func messageItem(id, text string) protocol.Item {
	return protocol.Item{Type: "message", Message: &protocol.Message{MessageID: id, Format: "markdown", Text: text}}
}

func approvalItem(id, status string) protocol.Item {
	return protocol.Item{Type: "approval", Approval: &protocol.Approval{Request: protocol.PausedRequest{RequestID: id, Args: `1`}, Status: status}}
}

func TestASnapshotReplacesTheItemsAndEndsTheCursorsMeaning(t *testing.T) {
	r := folded(t, fr(0, txt("half"), toolStart("c", "t", "1")), fr(1, ask("q-0", "rm", "1")))
	s := protocol.Snapshot{
		Status: "paused", Complete: true, ResponseLanguage: "zh-CN", OutputFormat: "report",
		Items:         []protocol.Item{messageItem("a-1", "half and more"), approvalItem("q-0", "approve"), approvalItem("q-1", "pending")},
		PausedRequest: &protocol.PausedRequest{RequestID: "q-1", Args: `2`},
	}
	next := r.Restore(s)
	if !next.Snapshot || next.Status != "paused" || next.Lang != "zh-CN" || next.Format != "report" {
		t.Fatalf("%+v", next)
	}
	if sim.Print(store.Wire(next)) != sim.Print(s.Items) {
		t.Fatalf("shows\n%s", shown(next))
	}
	if q, ok := next.Request("q-1"); next.Current() != "q-1" || !ok || q.Args != `2` {
		t.Fatalf("current %q: %+v; what the server names wins over the item", next.Current(), q)
	}
	if r.Snapshot || r.At(0).Message.Text() != "half" {
		t.Fatal("the version before it changed")
	}
	end := next.Restore(protocol.Snapshot{Status: "failed", Error: &protocol.RunError{Code: "BOOM"}, Items: s.Items})
	if end.Current() != "" || end.Error.Code != "BOOM" || end.Waiting != nil {
		t.Fatalf("%+v", end)
	}
}

// A poll that brings what is shown already must not make it render again.
func TestWhatASnapshotDoesNotChangeKeepsItsRevision(t *testing.T) {
	items := []protocol.Item{messageItem("a-1", "一"), messageItem("a-2", "二")}
	r := store.NewRun("s-1", "r-1").Restore(protocol.Snapshot{Status: "running", Items: items})
	next := r.Restore(protocol.Snapshot{Status: "running", Items: []protocol.Item{messageItem("a-1", "一"), messageItem("a-2", "二三")}})
	if next.At(0).Rev != r.At(0).Rev || next.At(1).Rev == r.At(1).Rev {
		t.Fatalf("revisions %d %d, then %d %d", r.At(0).Rev, r.At(1).Rev, next.At(0).Rev, next.At(1).Rev)
	}
}

func TestItemsOfUnknownTypeOrTwiceTheSame(t *testing.T) {
	odd := protocol.Item{Type: "hologram", Raw: `{"type":"hologram","x":1.0}`}
	nameless := protocol.Item{Type: "message", Raw: `{"type":"message","text":"x"}`}
	r := store.NewRun("s-1", "r-1").Restore(protocol.Snapshot{Status: "running", Items: []protocol.Item{
		odd, odd, nameless, messageItem("a", "1"), messageItem("a", "2"), nameless,
	}})
	if r.Len() != 5 || r.At(0).Raw != odd.Raw || r.At(3).Message.Text() != "1" {
		t.Fatalf("shows\n%s", shown(r))
	}
	seen := map[store.ItemKey]bool{}
	for i := range r.Len() {
		if key := r.At(i).Key; seen[key] {
			t.Fatalf("two items are %v", key)
		} else {
			seen[key] = true
		}
	}
	if at := r.Differs([]protocol.Item{odd, odd, nameless, messageItem("a", "1"), nameless}); at != -1 {
		t.Fatalf("item %d is said to differ", at)
	}
}

func TestHealingChangesTheItemsAndNothingElse(t *testing.T) {
	r := folded(t, fr(0, txt("hal")), fr(1, end("completed")))
	next := r.Heal([]protocol.Item{messageItem("a-1", "half")})
	if next.Snapshot || next.Status != "completed" || next.Cursor != 1 || next.At(0).Message.Text() != "half" {
		t.Fatalf("%+v shows\n%s", next, shown(next))
	}
}

func TestASavedTurn(t *testing.T) {
	saved := protocol.Turn{
		TurnID: "t-1", RunID: "r-1", Status: "failed", Error: &protocol.RunError{Code: "BOOM"}, ResponseLanguage: "en-US", OutputFormat: "json",
		Items: []protocol.Item{messageItem("a-1", "x"), approvalItem("q", "pending")},
	}
	r := store.Saved("s-1", saved)
	if r.Cursor != -1 || r.Snapshot || !r.Ended() || r.Error.Code != "BOOM" || r.Lang != "en-US" || r.Format != "json" || r.TurnID != "t-1" {
		t.Fatalf("%+v", r)
	}
	saved.Status, saved.Error = "completed", nil
	saved.Items = append(saved.Items, messageItem("a-2", "y"))
	next := r.Resaved(saved)
	if next.Status != "completed" || next.Error != nil || next.Len() != 3 || next.At(0).Rev != r.At(0).Rev {
		t.Fatalf("saved again, it is %+v", next)
	}
}

// A rebuild made aside takes the place of what is shown; what is the same stays untouched.
func TestARebuildReplacesWhatIsShownAtOnce(t *testing.T) {
	published := folded(t, fr(0, txt("甲")), fr(1, toolStart("c", "t", "1")))
	published.Lang, published.Format = "zh-CN", "chat"
	shadow := folded(t, fr(0, txt("甲")), fr(1, toolStart("c", "t", "1")), fr(2, toolEnd("c", "2")), fr(3, txtOf("a-2", "乙")))
	next := published.Rebuilt(shadow)
	if shown(next) != shown(shadow) {
		t.Fatalf("shows\n%s\nwant\n%s", shown(next), shown(shadow))
	}
	if next.At(0).Rev != published.At(0).Rev || next.At(1).Rev == published.At(1).Rev {
		t.Fatal("what is the same must keep its revision, and only that")
	}
	if next.Lang != "zh-CN" || next.Format != "chat" {
		t.Fatalf("the turn's language and format are lost: %+v", next)
	}
	more := apply(t, next, fr(4, txt("!"), txtOf("a-2", "!")))
	if more.At(0).Message.Text() != "甲!" || more.At(2).Message.Text() != "乙!" || published.At(0).Message.Text() != "甲" || shadow.At(0).Message.Text() != "甲" {
		t.Fatalf("frames after the rebuild give\n%s", shown(more))
	}
}

func TestARebuildDoesNotForgetWhichRequestTheServerNamed(t *testing.T) {
	paused := protocol.Control{Status: "paused", LastEventIndex: 9, PausedRequest: &protocol.PausedRequest{RequestID: "q-2", Args: `2`}}
	published := store.NewRun("s-1", "r-1").Reconcile(paused)
	shadow := folded(t, fr(8, ask("q-1", "rm", "1"), ask("q-2", "rm", "1")))
	if got := published.Rebuilt(shadow).Current(); got != "q-2" {
		t.Fatalf("current %q", got)
	}
	if got := published.Rebuilt(apply(t, shadow, fr(9, asked("q-1", "approve"), asked("q-2", "approve")))); got.Current() != "" || got.Status != "running" {
		t.Fatalf("decided meanwhile, yet %s with current %q", got.Status, got.Current())
	}
	if got := published.Rebuilt(apply(t, shadow, fr(9, end("cancelled")))); got.Current() != "" {
		t.Fatalf("ended meanwhile, yet current %q", got.Current())
	}
}

func TestControlTellsWhichRequestWaitsAndHowOneWasDecided(t *testing.T) {
	r := folded(t, fr(4, ask("q-1", "rm", "1"), ask("q-2", "rm", "2")))
	next := r.Reconcile(protocol.Control{
		Status: "paused", LastEventIndex: 5,
		LastDecision:  &protocol.LastDecision{RequestID: "q-1", Decision: "modify", Comment: "c", DecidedAt: time.Now()},
		PausedRequest: &protocol.PausedRequest{RequestID: "q-2", Args: `22`},
	})
	a := next.Item(store.ItemKey{Type: "approval", ID: "q-1"}).Approval
	if a.Status != "modify" || a.Comment != "c" || next.Current() != "q-2" || next.Cursor != 4 || next.Status != "paused" {
		t.Fatalf("shows\n%s", shown(next))
	}
	if q, _ := next.Request("q-2"); q.Args != `22` {
		t.Fatalf("the request as the server names it is %+v", q)
	}
	if shown(r) == shown(next) || r.Item(store.ItemKey{Type: "approval", ID: "q-1"}).Approval.Status != "pending" {
		t.Fatal("the version before it changed")
	}
	after := apply(t, next, fr(5, asked("q-1", "modify")), fr(6, asked("q-2", "reject")))
	if after.Status != "running" || after.Current() != "" {
		t.Fatalf("its frames then give\n%s", shown(after))
	}
}

// A reading older than what is shown knows nothing better; nor does one of a run that has ended.
func TestAnOldReadingOfControlIsNotListenedTo(t *testing.T) {
	r := folded(t, fr(4, ask("q-1", "rm", "1")), fr(6, asked("q-1", "approve")))
	stale := protocol.Control{Status: "paused", LastEventIndex: 5, PausedRequest: &protocol.PausedRequest{RequestID: "q-1"}}
	if next := r.Reconcile(stale); next != r {
		t.Fatalf("shows\n%s", shown(next))
	}
	ended := folded(t, fr(0, end("completed")))
	if next := ended.Reconcile(protocol.Control{Status: "running", LastEventIndex: 9, PausedRequest: stale.PausedRequest}); next != ended {
		t.Fatalf("shows\n%s", shown(next))
	}
	snapshot := r.Restore(protocol.Snapshot{Status: "running"})
	if next := snapshot.Reconcile(stale); next.Current() != "q-1" || next.Status != "paused" {
		t.Fatalf("in snapshot mode a cursor means nothing: %s", shown(next))
	}
}

// Where control and an item differ, control wins: a request that the server no longer waits for has
// no live buttons, even before the frame has come that says how it was decided.
func TestARequestThatControlNoLongerNamesIsNotCurrent(t *testing.T) {
	r := folded(t, fr(4, ask("q-1", "rm", "1"), ask("q-2", "rm", "2")))
	next := r.Reconcile(protocol.Control{Status: "running", LastEventIndex: 7, LastDecision: &protocol.LastDecision{RequestID: "q-2", Decision: "approve"}})
	if next.Current() != "" || next.Status != "running" {
		t.Fatalf("%s, current %q", next.Status, next.Current())
	}
	after := apply(t, next, fr(5, asked("q-1", "reject")), fr(6, asked("q-2", "approve")), fr(7, ask("q-3", "rm", "3")))
	if after.Current() != "q-3" || after.Status != "paused" {
		t.Fatalf("its frames then give\n%s", shown(after))
	}
	sure := folded(t, fr(4, ask("q-1", "rm", "1"))).Reconcile(protocol.Control{Status: "paused", LastEventIndex: 4})
	if sure.Current() != "q-1" {
		t.Fatal("a paused run whose control names no request keeps the one it raised")
	}
}

func TestStatusesAreReplacedOnlyByNews(t *testing.T) {
	r := folded(t, fr(0))
	if r.WithStatus("running", nil) != r {
		t.Fatal("the same status makes a new version")
	}
	failed := r.WithStatus("failed", &protocol.RunError{Code: "X"})
	if failed.Status != "failed" || failed.Error.Code != "X" || r.Status != "running" {
		t.Fatalf("%+v", failed)
	}
	if failed.WithStatus("failed", &protocol.RunError{Code: "X"}) != failed {
		t.Fatal("the same error makes a new version")
	}
	if kept := failed.WithStatus("cancelled", nil); kept.Error == nil {
		t.Fatal("no error is no news about the error")
	}
	if mode := r.InSnapshotMode(); !mode.Snapshot || r.Snapshot || shown(mode) != shown(r) {
		t.Fatal("snapshot mode changes what is shown")
	}
}

func TestDiffers(t *testing.T) {
	epoch := 1.0
	tool := func(change func(*protocol.Tool)) protocol.Item {
		v := &protocol.Tool{
			Tool: "t", CallID: "c", Args: `{"a": 1}`, Status: "running", Progress: &protocol.Progress{Epoch: &epoch, Metrics: protocol.Metrics{{Name: "l", Value: 0.1}, {Name: "m", Value: 2}}},
			Series: protocol.SeriesSet{{Name: "l", Points: []protocol.Point{{1, 0.1}}}, {Name: "m", Points: []protocol.Point{{1, 2}}}},
		}
		change(v)
		return protocol.Item{Type: "tool", Tool: v}
	}
	same := func(*protocol.Tool) {}
	base := []protocol.Item{messageItem("a", "x"), tool(same), approvalItem("q", "pending"), {Type: "skill_candidate", Skill: &protocol.Skill{CandidateID: "k", Status: "pending"}},
		{Type: "plan", Plan: &protocol.Plan{PlanID: "p", Steps: []protocol.PlanStep{{StepID: "s", Status: "done"}}}}}
	r := store.NewRun("s-1", "r-1").Heal(base)
	with := func(i int, it protocol.Item) []protocol.Item {
		list := append([]protocol.Item(nil), base...)
		list[i] = it
		return list
	}
	for _, c := range []struct {
		name  string
		items []protocol.Item
		want  int
	}{
		{"the same", base, -1},
		{"times aside", with(1, tool(func(t *protocol.Tool) { t.StartedAt = time.Unix(1, 0) })), -1},
		{"white space aside", with(1, tool(func(t *protocol.Tool) { t.Args = `{"a":1}` })), -1},
		{"metrics in another order", with(1, tool(func(t *protocol.Tool) {
			t.Progress.Metrics[0], t.Progress.Metrics[1] = t.Progress.Metrics[1], t.Progress.Metrics[0]
		})), -1},
		{"series in another order", with(1, tool(func(t *protocol.Tool) { t.Series[0], t.Series[1] = t.Series[1], t.Series[0] })), -1},
		{"a last digit", with(1, tool(func(t *protocol.Tool) { t.Series[0].Points[0][1] = 0.1 + 1e-17 })), -1},
		{"text", with(0, messageItem("a", "y")), 0},
		{"an id", with(0, messageItem("b", "x")), 0},
		{"a number written otherwise", with(1, tool(func(t *protocol.Tool) { t.Args = `{"a":1.0}` })), 1},
		{"a status", with(1, tool(func(t *protocol.Tool) { t.Status = "failed" })), 1},
		{"no progress", with(1, tool(func(t *protocol.Tool) { t.Progress = nil })), 1},
		{"a point", with(1, tool(func(t *protocol.Tool) { t.Series[0].Points[0][1] = 0.2 })), 1},
		{"a point more", with(1, tool(func(t *protocol.Tool) { t.Series[0].Points = append(t.Series[0].Points, protocol.Point{2, 1}) })), 1},
		{"a decision", with(2, approvalItem("q", "approve")), 2},
		{"a skill's status", with(3, protocol.Item{Type: "skill_candidate", Skill: &protocol.Skill{CandidateID: "k", Status: "approve"}}), 3},
		{"a step", with(4, protocol.Item{Type: "plan", Plan: &protocol.Plan{PlanID: "p"}}), 4},
		{"an item fewer", base[:4], 4},
		{"an item more", append(base[:5:5], messageItem("z", "")), 5},
		{"nothing", nil, 0},
	} {
		if got := r.Differs(c.items); got != c.want {
			t.Errorf("%s: item %d differs, want %d", c.name, got, c.want)
		}
	}
	if !reflect.DeepEqual(store.Wire(r)[4], base[4]) {
		t.Error("a run does not give its items back")
	}
}
