package observe

import (
	"errors"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// fallBack switches the run to snapshot mode, for good: what is shown stays until a complete
// snapshot replaces it, and no raw frame of this run is applied any more.
func (w *watch) fallBack() {
	w.stop()
	w.shadow = nil
	w.polls, w.refusals = 0, 0
	w.recovering("snapshot mode")
	w.update(func(tx *store.Tx) error {
		turn := tx.Turn(w.sid, w.key)
		if turn == nil {
			return errors.New("the watched turn is gone")
		}
		turn.Run = turn.Run.InSnapshotMode()
		w.putConn(tx, store.Connection{Phase: store.PhaseSnapshot})
		return nil
	})
	w.poll()
}

// poll reads the snapshot. Only one poll is ever out, so a late one cannot win.
func (w *watch) poll() {
	w.next(func() func() { return w.Client.Snapshot(w.sid, w.rid, w.polled) })
}

func (w *watch) polled(s protocol.Snapshot, e *protocol.Error) {
	w.step = nil
	w.polls++
	switch {
	case e != nil:
		w.pollFailed(e)
	case s.RunID != w.rid || !s.Complete:
		w.setConn(store.Connection{Phase: store.PhaseSnapshot, Attempt: w.polls})
		w.pollLater()
	default:
		w.restore(s)
	}
}

func (w *watch) restore(s protocol.Snapshot) {
	before := w.run()
	w.update(func(tx *store.Tx) error {
		turn := tx.Turn(w.sid, w.key)
		if turn == nil {
			return errors.New("the watched turn is gone")
		}
		turn.Run = turn.Run.Restore(s)
		if s.ResponseLanguage != "" {
			turn.Lang = s.ResponseLanguage
		}
		w.putConn(tx, healthy(turn.Run))
		return nil
	})
	after := w.run()
	if after.Ended() {
		w.end()
		return
	}
	if moved(before, after) {
		w.polls = 1
	}
	w.pollLater()
}

// pollLater polls again after a while. Without news for some polls, control is read first: the
// snapshot of a run that died without a word may never say so.
func (w *watch) pollLater() {
	if w.polls%quietPolls == 0 {
		w.wait(pollDelay(w.polls), w.askInSnapshot)
		return
	}
	w.wait(pollDelay(w.polls), w.poll)
}

func moved(before, after *store.Run) bool {
	if before.Status != after.Status || before.Len() != after.Len() {
		return true
	}
	n := after.Len()
	return n > 0 && before.At(n-1) != after.At(n-1)
}

// pollFailed keeps the content and goes on. A snapshot that is not to be had is asked about in
// control, which may know that the run is over.
func (w *watch) pollFailed(e *protocol.Error) {
	w.recovering("reading the snapshot failed: %v", e)
	w.setConn(store.Connection{Phase: store.PhaseSnapshot, Attempt: w.polls, Err: e})
	if denied(e) {
		w.wait(pollDelay(w.polls), w.askInSnapshot)
		return
	}
	w.wait(max(e.RetryAfter, pollDelay(w.polls)), w.poll)
}

func (w *watch) askInSnapshot() {
	w.next(func() func() {
		return w.Client.Control(w.sid, w.rid, func(c protocol.Control, e *protocol.Error) {
			w.step = nil
			if e != nil {
				w.askFailed(e, w.poll)
				return
			}
			w.reconcile(c)
			if c.Confirmed() {
				w.load() // over, and without a snapshot: the session has what was saved
				return
			}
			w.poll()
		})
	})
}
