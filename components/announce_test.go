package components

import (
	"slices"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// hear applies a change to a page and returns what is said about it.
func hear(t *testing.T, p *Page, a *announcer, change func(*store.Tx)) []spoken {
	t.Helper()
	before := p.Store.State()
	if err := p.Store.Update(func(tx *store.Tx) error { change(tx); return nil }); err != nil {
		t.Fatal(err)
	}
	p.freeze()
	return a.compare(p, before, p.State())
}

// fold applies events to the session's newest turn.
func fold(t *testing.T, events ...string) func(*store.Tx) {
	return func(tx *store.Tx) {
		turn := tx.LastTurn("s")
		for _, event := range events {
			frame, err := protocol.DecodeFrame(`{"protocol_version":2,"session_id":"s","run_id":"r-1","event_index":` +
				itoa(int(turn.Run.Cursor)+1) + `,"events":[` + event + `]}`)
			if err != nil {
				t.Fatal(err)
			}
			next, _, err := turn.Run.Apply(frame)
			if err != nil {
				t.Fatal(err)
			}
			turn.Run = next
		}
	}
}

func runningPage(t *testing.T) *Page {
	turn := savedTurn(t, protocol.StatusRunning)
	turn.Run = store.NewRun("s", "r-1")
	return storyPage(t, "en", turn, nil)
}

func TestStepsAreAnnouncedAndTokensAreNot(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	plan := func(first, second string) string {
		return `{"type":"plan_update","plan_id":"p","steps":[{"step_id":"1","title":"Load","status":"` + first +
			`"},{"step_id":"2","title":"Train","status":"` + second + `"}]}`
	}
	for _, c := range []struct {
		event string
		want  []spoken
	}{
		{plan("running", "pending"), []spoken{{text: "Step 1 of 2: Load"}}},
		{plan("running", "pending"), nil},
		{`{"type":"message_start","message_id":"m","format":"markdown"}`, nil},
		{`{"type":"message_delta","message_id":"m","delta":"Hello"}`, nil},
		{`{"type":"message_delta","message_id":"m","delta":" there"}`, nil},
		{plan("done", "running"), []spoken{{text: "Step 2 of 2: Train"}}},
		{plan("done", "done"), nil},
	} {
		if got := hear(t, p, a, fold(t, c.event)); !slices.Equal(got, c.want) {
			t.Errorf("after %s: said %v, want %v", c.event, got, c.want)
		}
	}
}

func TestTrainingIsAnnouncedEveryTenth(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	said := hear(t, p, a, fold(t, `{"type":"tool_start","tool":"train","call_id":"j","args":{},"job":true}`))
	for epoch := 1; epoch <= 100; epoch++ {
		said = append(said, hear(t, p, a, fold(t,
			`{"type":"tool_progress","call_id":"j","progress":{"epoch":`+itoa(epoch)+`,"epochs":100}}`))...)
	}
	if len(said) != 10 || said[0].text != "Epoch 10 of 100" || said[9].text != "Epoch 100 of 100" {
		t.Errorf("said %v", said)
	}
}

func TestApprovalIsAnnouncedAtOnceAndOnlyOnce(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	ask := `{"type":"approval_required","request":{"request_id":"q","tool_name":"remove_node","args":{},"summary":"Remove node 7"}}`
	if got := hear(t, p, a, fold(t, ask)); !slices.Equal(got, []spoken{{"Approval needed: Remove node 7", true}}) {
		t.Errorf("said %v", got)
	}
	if got := hear(t, p, a, func(tx *store.Tx) { tx.LastTurn("s") }); got != nil {
		t.Errorf("said again: %v", got)
	}
}

func TestEndIsAnnouncedOnceItIsConfirmed(t *testing.T) {
	for status, want := range map[string]spoken{
		"completed": {text: "Answer finished"},
		"cancelled": {text: "Stopped by you"},
		"failed":    {text: "This run failed", urgent: true},
	} {
		p, a := runningPage(t), &announcer{}
		end := `{"type":"run_end","status":"` + status + `"}`
		if got := hear(t, p, a, fold(t, end)); got != nil {
			t.Errorf("%s, unconfirmed: said %v", status, got)
		}
		got := hear(t, p, a, func(tx *store.Tx) { tx.LastTurn("s").Confirmed = true })
		if !slices.Equal(got, []spoken{want}) {
			t.Errorf("%s: said %v, want %v", status, got, want)
		}
	}
}

func TestLostConnectionIsAnnouncedAfterTenSecondsAndItsReturnOnce(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	clock := p.Acts.Client.Clock.(*stoppedClock)
	lost := func(attempt int) []spoken {
		since := testTime.Add(time.Minute)
		return hear(t, p, a, func(tx *store.Tx) {
			tx.Session("s").Conn = store.Connection{Phase: store.PhaseReconnecting, Attempt: attempt, Since: since}
		})
	}
	back := func() []spoken {
		return hear(t, p, a, func(tx *store.Tx) { tx.Session("s").Conn = store.Connection{Phase: store.PhaseLive} })
	}
	if got := append(lost(1), back()...); got != nil {
		t.Errorf("a blink is announced: %v", got)
	}
	lost(1)
	clock.now = clock.now.Add(10 * time.Second)
	if got := lost(2); len(got) != 1 || !got[0].urgent {
		t.Errorf("after ten seconds: said %v", got)
	}
	if got := lost(3); got != nil {
		t.Errorf("said again: %v", got)
	}
	if got := back(); len(got) != 1 || got[0].urgent {
		t.Errorf("on return: said %v", got)
	}
}

func TestUploadsAreAnnouncedWhenTheyEnd(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	files := func(state store.FileState) []spoken {
		return hear(t, p, a, func(tx *store.Tx) {
			tx.SetComposer("s", store.Composer{Files: []store.File{{ID: "f", Name: "a.csv", State: state}}})
		})
	}
	if got := files(store.FileUploading); got != nil {
		t.Errorf("at the beginning: said %v", got)
	}
	if got := files(store.FileFailed); len(got) != 1 || !got[0].urgent {
		t.Errorf("after a failure: said %v", got)
	}
	files(store.FileUploading)
	if got := files(store.FileReady); !slices.Equal(got, []spoken{{text: "a.csv uploaded"}}) {
		t.Errorf("at the end: said %v", got)
	}
}

func TestGoingToAnotherSessionAnnouncesNothing(t *testing.T) {
	p, a := runningPage(t), &announcer{}
	got := hear(t, p, a, func(tx *store.Tx) {
		tx.Current = "b"
		session := tx.Session("b")
		session.Loaded = true
		tx.AddTurn("b", savedTurn(t, protocol.StatusPaused,
			`{"type":"approval","request":{"request_id":"q","args":{}},"status":"pending"}`))
	})
	if got != nil {
		t.Errorf("said %v", got)
	}
}

func TestNewPartsAreCountedFromWhereTheReaderLeft(t *testing.T) {
	p := runningPage(t)
	change := func(events ...string) {
		t.Helper()
		hear(t, p, &announcer{}, fold(t, events...))
	}
	change(`{"type":"message_delta","message_id":"m","delta":"one\n\ntwo\n"}`)
	m := markEnd(p.State().Session("s"))
	for _, c := range []struct {
		event string
		want  int
	}{
		{`{"type":"message_delta","message_id":"m","delta":"still two"}`, 0},
		{`{"type":"message_delta","message_id":"m","delta":"\n\nthree"}`, 1},
		{`{"type":"message_delta","message_id":"m","delta":"\n\nfour\n\n"}`, 2},
		{`{"type":"tool_start","tool":"t","call_id":"c","args":{}}`, 3},
		{`{"type":"message_delta","message_id":"m2","delta":"a\n\nb"}`, 5},
	} {
		change(c.event)
		if got := partsSince(m, p.State().Session("s")); got != c.want {
			t.Errorf("after %s: %d new, want %d", c.event, got, c.want)
		}
	}
}

func TestBreakThatWasHalfThereCounts(t *testing.T) {
	p := runningPage(t)
	hear(t, p, &announcer{}, fold(t, `{"type":"message_delta","message_id":"m","delta":"one\n"}`))
	m := markEnd(p.State().Session("s"))
	hear(t, p, &announcer{}, fold(t, `{"type":"message_delta","message_id":"m","delta":"\ntwo"}`))
	if got := partsSince(m, p.State().Session("s")); got != 1 {
		t.Errorf("%d new, want 1", got)
	}
}

func TestFurtherTurnsCountWithAllTheirParts(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, protocol.StatusCompleted), nil)
	m := markEnd(p.State().Session("s"))
	hear(t, p, &announcer{}, func(tx *store.Tx) {
		next := savedTurn(t, protocol.StatusRunning,
			`{"type":"message","message_id":"m","format":"markdown","text":"a","complete":true}`)
		next.Key = "next"
		tx.AddTurn("s", next)
	})
	if got := partsSince(m, p.State().Session("s")); got != 2 {
		t.Errorf("%d new, want the message and its answer", got)
	}
}
