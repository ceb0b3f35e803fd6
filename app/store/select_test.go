package store_test

import (
	"fmt"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// turnIn makes a turn whose run has this status.
func turnIn(status string, change func(*store.Turn)) *store.Turn {
	r := store.NewRun("s-1", "r-1").WithStatus(status, nil)
	if status == protocol.StatusPaused {
		r.Pending = []string{"q-1"}
	}
	turn := &store.Turn{Key: "k", TurnID: "t-1", StartRequestID: "k", Run: r}
	change(turn)
	return turn
}

func TestWhatATurnShowsAndWhetherOneMaySendStopOrEdit(t *testing.T) {
	confirmed := func(turn *store.Turn) { turn.Confirmed = true }
	asked := func(turn *store.Turn) { turn.Cancel = store.CancelAsked }
	as := func(s store.SendState) func(*store.Turn) { return func(turn *store.Turn) { turn.Send = s } }
	nothing := func(*store.Turn) {}
	for _, c := range []struct {
		name       string
		turn       *store.Turn
		status     string
		blocked    store.Block
		stop, edit bool
	}{
		{"submitting", turnIn("running", as(store.SendSubmitting)), "submitting", store.BlockSubmitting, true, false},
		{"checking", turnIn("running", as(store.SendChecking)), "checking", store.BlockSubmitting, true, false},
		{"submitting, wanted stopped", turnIn("running", func(turn *store.Turn) { turn.Send, turn.Cancel = store.SendSubmitting, store.CancelAsked }), "submitting", store.BlockCancelling, true, false},
		{"unsent", turnIn("running", as(store.SendUnsent)), "unsent", store.BlockNone, false, false},
		{"running", turnIn("running", nothing), "running", store.BlockRunning, true, false},
		{"paused", turnIn("paused", nothing), "paused", store.BlockApproval, true, false},
		{"cancelling elsewhere", turnIn("cancelling", nothing), "cancelling", store.BlockCancelling, true, false},
		{"cancelling, frames still coming", turnIn("running", asked), "cancelling", store.BlockCancelling, true, false},
		{"cancelling while paused", turnIn("paused", asked), "cancelling", store.BlockCancelling, true, false},
		{"cancel refused", turnIn("running", func(turn *store.Turn) { turn.Cancel = store.CancelFailed }), "running", store.BlockRunning, true, false},
		{"completed, not confirmed", turnIn("completed", nothing), "confirming", store.BlockConfirming, false, false},
		{"cancelled, not confirmed", turnIn("cancelled", asked), "confirming", store.BlockConfirming, false, false},
		{"completed", turnIn("completed", confirmed), "completed", store.BlockNone, false, true},
		{"failed", turnIn("failed", confirmed), "failed", store.BlockNone, false, true},
		{"cancelled", turnIn("cancelled", confirmed), "cancelled", store.BlockNone, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := store.New()
			update(t, s, func(tx *store.Tx) {
				tx.Caps = protocol.Capabilities{RunCancel: true, EditLatest: true}
				tx.Session("s-1").Loaded = true
				tx.AddTurn("s-1", c.turn)
			})
			state := s.State()
			if got := c.turn.Status(); got != c.status {
				t.Errorf("shows %s, want %s", got, c.status)
			}
			if got := state.Blocked("s-1"); got != c.blocked {
				t.Errorf("sending is blocked by %q, want %q", got, c.blocked)
			}
			if got := state.CanStop("s-1"); got != c.stop {
				t.Errorf("stop offered: %v", got)
			}
			if got := state.CanEdit("s-1"); got != c.edit {
				t.Errorf("edit offered: %v", got)
			}
			update(t, s, func(tx *store.Tx) { tx.Caps = protocol.Capabilities{} })
			if state := s.State(); state.CanStop("s-1") || state.CanEdit("s-1") {
				t.Error("offered though the server cannot")
			}
			if state.Blocked("s-2") != store.BlockLoading || state.Blocked("") != store.BlockNone {
				t.Error("one session's run blocks another")
			}
		})
	}
}

func TestADecisionOnItsWayBlocksAsSuch(t *testing.T) {
	for state, want := range map[store.ActState]store.Block{
		store.ActSubmitting: store.BlockDeciding, store.ActChecking: store.BlockDeciding, store.ActAccepted: store.BlockDeciding,
		store.ActOpen: store.BlockApproval, store.ActUnsure: store.BlockApproval, store.ActConflict: store.BlockApproval, "": store.BlockApproval,
	} {
		s := store.New()
		update(t, s, func(tx *store.Tx) {
			tx.Session("s-1").Loaded = true
			tx.AddTurn("s-1", turnIn("paused", func(*store.Turn) {}))
			tx.SetDecision("r-1", "q-1", store.Decision{State: state})
			tx.SetDecision("r-1", "q-9", store.Decision{State: store.ActSubmitting})
		})
		if got := s.State().Blocked("s-1"); got != want {
			t.Errorf("%q blocks by %q, want %q", state, got, want)
		}
	}
}

func TestAttachmentsOnTheirWayBlockSending(t *testing.T) {
	for _, c := range []struct {
		files []store.FileState
		want  store.Block
	}{
		{nil, store.BlockNone},
		{[]store.FileState{store.FileReady}, store.BlockNone},
		{[]store.FileState{store.FileReady, store.FileUploading}, store.BlockAttachments},
		{[]store.FileState{store.FileFailed, store.FileReady}, store.BlockAttachments},
	} {
		s := withTurns(t)
		update(t, s, func(tx *store.Tx) {
			var composer store.Composer
			for _, state := range c.files {
				composer.Files = append(composer.Files, store.File{State: state})
			}
			tx.SetComposer("s-1", composer)
		})
		if got := s.State().Blocked("s-1"); got != c.want {
			t.Errorf("%v blocks by %q, want %q", c.files, got, c.want)
		}
		if got := s.State().Blocked(""); got != store.BlockNone {
			t.Errorf("one message box blocks another: %q", got)
		}
	}
	s := store.New()
	update(t, s, func(tx *store.Tx) { tx.SetComposer("", store.Composer{Creating: true}) })
	if got := s.State().Blocked(""); got != store.BlockSubmitting {
		t.Errorf("while the session is being made, %q", got)
	}
}

func TestWhatARequestShows(t *testing.T) {
	paused := folded(t, fr(0, ask("q-1", "rm", "1"), ask("q-2", "rm", "2")))
	for _, c := range []struct {
		run        *store.Run
		id, status string
		act        store.ActState
		want       string
	}{
		{paused, "q-1", "pending", "", "pending"},
		{paused, "q-2", "pending", "", "waiting"},
		{paused, "q-1", "pending", store.ActSubmitting, "submitting"},
		{paused, "q-1", "pending", store.ActAccepted, "modified"},
		{paused, "q-1", "pending", store.ActChecking, "checking"},
		{paused, "q-1", "pending", store.ActUnsure, "checking"},
		{paused, "q-1", "pending", store.ActOpen, "pending"},
		{paused, "q-1", "pending", store.ActConflict, "conflict"},
		{paused, "q-1", "approve", store.ActChecking, "approved"},
		{paused, "q-1", "reject", "", "rejected"},
		{paused, "q-1", "modify", "", "modified"},
		{paused, "q-1", "expired", store.ActSubmitting, "expired"},
		{paused, "q-1", "cancelled", "", "cancelled"},
		{apply(t, paused, fr(1, end("failed"))), "q-1", "pending", store.ActSubmitting, "cancelled"},
		{apply(t, paused, fr(1, end("failed"))), "q-1", "approve", "", "approved"},
	} {
		s := store.New()
		if c.act != "" {
			update(t, s, func(tx *store.Tx) { tx.SetDecision("r-1", c.id, store.Decision{State: c.act, Decision: "modify"}) })
		}
		if got := s.State().ApprovalStatus(c.run, c.id, c.status); got != c.want {
			t.Errorf("%s %s with act %q shows %s, want %s", c.id, c.status, c.act, got, c.want)
		}
	}
}

func TestWhatAToolShows(t *testing.T) {
	running, ended := folded(t, fr(0)), folded(t, fr(0, end("completed")))
	for _, c := range []struct {
		run          *store.Run
		status, want string
	}{
		{running, "running", "running"}, {running, "cancelling", "cancelling"}, {running, "succeeded", "succeeded"},
		{ended, "running", "ended"}, {ended, "cancelling", "ended"}, {ended, "failed", "failed"}, {ended, "cancelled", "cancelled"},
	} {
		if got := store.ToolStatus(c.run, &store.Tool{Status: c.status}); got != c.want {
			t.Errorf("%s in a run that is %s shows %s, want %s", c.status, c.run.Status, got, c.want)
		}
	}
}

func TestOnlyTheLatestTurnCanBeEdited(t *testing.T) {
	for name, last := range map[string]*store.Turn{
		"without an id": turnIn("completed", func(turn *store.Turn) { turn.TurnID, turn.Confirmed = "", true }),
		"unsent":        turnIn("running", func(turn *store.Turn) { turn.Send = store.SendUnsent }),
	} {
		s := store.New()
		update(t, s, func(tx *store.Tx) {
			tx.Caps.EditLatest = true
			tx.AddTurn("s-1", turnIn("completed", func(turn *store.Turn) { turn.Key, turn.Confirmed = "old", true }))
			tx.AddTurn("s-1", last)
		})
		if s.State().CanEdit("s-1") {
			t.Errorf("a latest turn %s can be edited", name)
		}
	}
	if store.New().State().CanEdit("s-1") {
		t.Error("a session that is not open can be edited")
	}
}

func ExampleRun_Apply() {
	r := store.NewRun("s-1", "r-1")
	r, n, err := r.Apply(fr(0, txt("甲")), fr(0, txt("again")), fr(3, txt("乙")))
	fmt.Println(r.At(0).Message.Text(), r.Cursor, n, err)
	// Output: 甲乙 3 3 <nil>
}
