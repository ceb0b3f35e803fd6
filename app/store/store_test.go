package store_test

import (
	"errors"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

func update(t testing.TB, s *store.Store, fn func(*store.Tx)) {
	t.Helper()
	if err := s.Update(func(tx *store.Tx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

// withTurns is a store with session s-1, loaded, and turns with these keys.
func withTurns(t testing.TB, keys ...string) *store.Store {
	t.Helper()
	s := store.New()
	update(t, s, func(tx *store.Tx) {
		tx.Session("s-1").Loaded = true
		for _, key := range keys {
			tx.AddTurn("s-1", &store.Turn{Key: key, TurnID: "t-" + key, StartRequestID: key, Run: store.NewRun("s-1", "r-"+key)})
		}
	})
	return s
}

func TestATransactionIsPublishedOnce(t *testing.T) {
	s := withTurns(t, "a")
	told := 0
	var seen *store.State
	s.Subscribe(func() { told++; seen = s.State() })
	before := s.State()
	update(t, s, func(tx *store.Tx) {
		tx.Lang = "zh"
		tx.Session("s-1").Title = "图"
		turn := tx.LastTurn("s-1")
		turn.Run, _, _ = turn.Run.Apply(fr(0, txt("甲")), fr(1, txt("乙")))
		if s := before.Session("s-1"); s.Title != "" || s.Last.Run.Len() != 0 {
			t.Error("a transaction shows before it is published")
		}
	})
	if told != 1 || seen != s.State() || s.State().Rev == before.Rev {
		t.Fatalf("told %d times", told)
	}
	if session := s.State().Session("s-1"); session.Last.Run.Cursor != 1 || session.Title != "图" || before.Session("s-1").Title != "" {
		t.Fatalf("published %+v", session)
	}
}

func TestATransactionThatFailsChangesNothing(t *testing.T) {
	cause := errors.New("refused")
	for name, fail := range map[string]func() error{
		"error": func() error { return cause },
		"panic": func() error { var none *store.Turn; none.Key = "x"; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := withTurns(t, "a", "b")
			stop := s.Subscribe(func() { t.Error("a failed transaction was published") })
			before, printed := s.State(), print(s.State())
			err := s.Update(func(tx *store.Tx) error {
				tx.Lang, tx.Current = "zh", "s-9"
				tx.Session("s-9").Loaded = true
				tx.Turn("s-1", "a").Send = store.SendUnsent
				turn := tx.LastTurn("s-1")
				turn.Run, _, _ = turn.Run.Apply(fr(0, txt("lost")))
				tx.AddTurn("s-1", &store.Turn{Key: "c", Run: store.NewRun("s-1", "")})
				tx.SetDecision("r-1", "q", store.Decision{State: store.ActOpen})
				tx.SetRow(protocol.SessionInfo{SessionID: "s-9"})
				tx.CloseSession("s-1")
				return fail()
			})
			if err == nil || name == "error" && !errors.Is(err, cause) {
				t.Fatalf("failed with %v", err)
			}
			if s.State() != before || print(s.State()) != printed {
				t.Fatalf("the state changed to\n%s\nfrom\n%s", print(s.State()), printed)
			}
			stop()
			update(t, s, func(tx *store.Tx) { tx.LastTurn("s-1").Run = apply(t, tx.LastTurn("s-1").Run, fr(0, txt("kept"))) })
		})
	}
}

func TestWhoNoLongerListensIsNotTold(t *testing.T) {
	s := store.New()
	told := map[string]int{}
	stop := s.Subscribe(func() { told["a"]++ })
	s.Subscribe(func() { told["b"]++ })
	update(t, s, func(*store.Tx) {})
	stop()
	stop()
	update(t, s, func(*store.Tx) {})
	if told["a"] != 1 || told["b"] != 2 {
		t.Fatalf("told %v", told)
	}
}

func keys(s *store.Session) (list []string) {
	for i := range s.Turns() {
		list = append(list, s.Turn(i).Key)
	}
	return list
}

func TestTurnsAreFoundChangedAndDropped(t *testing.T) {
	s := withTurns(t, "a", "b", "c")
	update(t, s, func(tx *store.Tx) {
		tx.Turn("s-1", "b").Send = store.SendChecking
		tx.Turn("s-1", "c").Send = store.SendUnsent
		if tx.Turn("s-1", "z") != nil || tx.LastTurn("s-2") != nil {
			t.Error("a turn that is not there was found")
		}
	})
	session := s.State().Session("s-1")
	if session.TurnByKey("b").Send != store.SendChecking || session.TurnByRun("r-c") != session.Last || session.TurnByKey("z") != nil {
		t.Fatalf("turns %v", keys(session))
	}
	if session.Active().Key != "b" {
		t.Fatalf("the active turn is %s, though c waits to be sent again", session.Active().Key)
	}
	for _, c := range []struct {
		drop string
		want []string
	}{{"z", []string{"a", "b", "c"}}, {"c", []string{"a", "b"}}, {"a", []string{"b"}}, {"b", nil}} {
		update(t, s, func(tx *store.Tx) { tx.DropTurn("s-1", c.drop) })
		got := keys(s.State().Session("s-1"))
		if len(got) != len(c.want) {
			t.Fatalf("without %s: %v", c.drop, got)
		}
	}
	if s.State().Session("s-1").Active() != nil {
		t.Fatal("an empty session has an active turn")
	}
	update(t, s, func(tx *store.Tx) { tx.AddTurn("s-1", &store.Turn{Key: "d", Run: store.NewRun("s-1", "")}) })
	if got := keys(s.State().Session("s-1")); len(got) != 1 || got[0] != "d" {
		t.Fatalf("turns %v", got)
	}
}

// What did not change is the same pointer: that is how components know without comparing.
func TestWhatATransactionDoesNotTouchStaysTheSame(t *testing.T) {
	s := withTurns(t, "a", "b")
	update(t, s, func(tx *store.Tx) { tx.Session("s-2").Title = "other" })
	before := s.State()
	update(t, s, func(tx *store.Tx) { tx.LastTurn("s-1").CancelErr = &protocol.Error{} })
	after := s.State()
	if after.Session("s-2") != before.Session("s-2") || after.Session("s-1").Turn(0) != before.Session("s-1").Turn(0) {
		t.Fatal("an untouched session or turn was copied")
	}
	if after.Session("s-1").Last == before.Session("s-1").Last || after.Session("s-1").Rev == before.Session("s-1").Rev {
		t.Fatal("a changed turn was not copied")
	}
}

func TestRowsOfTheSessionList(t *testing.T) {
	s := store.New()
	update(t, s, func(tx *store.Tx) {
		tx.SetRow(protocol.SessionInfo{SessionID: "s-1", Title: "A"})
		tx.SetRow(protocol.SessionInfo{SessionID: "s-2", Title: "B"})
	})
	before := s.State().Sessions.Rows
	update(t, s, func(tx *store.Tx) { tx.SetRow(protocol.SessionInfo{SessionID: "s-1", Title: "C"}) })
	rows := s.State().Sessions.Rows
	if len(rows) != 2 || rows[0].SessionID != "s-2" || rows[1].Title != "C" || before[1].Title != "A" {
		t.Fatalf("rows %+v, before %+v", rows, before)
	}
}

func TestAClosedSessionIsForgotten(t *testing.T) {
	s := withTurns(t, "a")
	update(t, s, func(tx *store.Tx) { tx.Session("s-2").Title = "kept"; tx.CloseSession("s-1") })
	if s.State().Session("s-1") != nil || s.State().Session("s-2").Title != "kept" || len(s.State().Opened()) != 1 {
		t.Fatalf("open: %+v", s.State().Opened())
	}
	update(t, s, func(tx *store.Tx) { tx.Session("s-1").Title = "new" })
	if session := s.State().Session("s-1"); session.Turns() != 0 || session.Loaded {
		t.Fatalf("opened again, it has %v", keys(session))
	}
}
