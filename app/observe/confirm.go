package observe

import (
	"errors"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// end is called when the run has ended for the observer. Whether one may send again is for the
// server to confirm.
func (w *watch) end() {
	w.stop()
	w.shadow = nil
	w.polls = 0
	w.ended = w.time()
	w.setConn(store.Connection{Phase: store.PhaseIdle})
	w.confirm()
	if !w.run().Snapshot {
		w.selfCheck()
	}
}

// confirm reads control until the end is confirmed.
func (w *watch) confirm() {
	check := w.side
	w.side = nil // the self-check goes on beside the polls
	w.next(func() func() { return w.Client.Control(w.sid, w.rid, w.confirmed) })
	w.side = check
}

func (w *watch) confirmed(c protocol.Control, e *protocol.Error) {
	w.step = nil
	w.polls++
	if e != nil && (e.Status == 404 || e.Status == 410) {
		w.lookUp()
		return
	}
	if e == nil {
		w.missing = 0
		w.reconcile(c)
		if c.Confirmed() {
			w.finish(c)
			return
		}
	}
	w.setConn(unconfirmed(w.polls, e))
	if w.time().Sub(w.ended) > patience {
		w.update(func(tx *store.Tx) error {
			if turn := tx.Turn(w.sid, w.key); turn != nil {
				turn.Unconfirmed = true
			}
			return nil
		})
	}
	d := pollDelay(w.polls)
	if e != nil {
		w.recovering("confirmation could not be read: %v", e)
		d = max(d, e.RetryAfter)
	}
	check := w.side
	w.side = nil
	w.wait(d, w.confirm)
	w.side = check
}

// unconfirmed is the connection while an end waits to be confirmed: the stream is over, and that is
// well, unless the server cannot be asked.
func unconfirmed(polls int, e *protocol.Error) store.Connection {
	if e == nil {
		return store.Connection{Phase: store.PhaseIdle}
	}
	return store.Connection{Phase: store.PhaseReconnecting, Attempt: polls, Err: e}
}

// finish opens the session again: the server has confirmed the end and permits sending. A run that
// the server has ended without telling how was interrupted.
func (w *watch) finish(c protocol.Control) {
	w.update(func(tx *store.Tx) error {
		turn := tx.Turn(w.sid, w.key)
		if turn == nil {
			return errors.New("the watched turn is gone")
		}
		turn.Confirmed, turn.Stopped, turn.Persisted = true, true, true
		turn.Cancel, turn.Unconfirmed = store.CancelNone, false
		switch {
		case protocol.Terminal(c.Status):
			turn.Run = turn.Run.WithStatus(c.Status, c.Error)
		case !turn.Run.Ended():
			turn.Run = interrupted(turn.Run)
		}
		w.putConn(tx, store.Connection{Phase: store.PhaseIdle})
		return nil
	})
	w.note("end confirmed: %s", w.run().Status)
}

// selfCheck compares what has been folded with the server's complete snapshot. A difference is
// healed, counted and left in the log.
func (w *watch) selfCheck() {
	w.side = w.Client.Snapshot(w.sid, w.rid, func(s protocol.Snapshot, e *protocol.Error) {
		w.side = nil
		if e != nil || !s.Complete || s.RunID != w.rid || !protocol.Terminal(s.Status) {
			return
		}
		i := w.run().Differs(s.Items)
		if i < 0 {
			w.note("self-check: the snapshot agrees")
			return
		}
		w.recovering("self-check: item %d differs from the snapshot; replaced", i)
		w.update(func(tx *store.Tx) error {
			turn := tx.Turn(w.sid, w.key)
			if turn == nil {
				return errors.New("the watched turn is gone")
			}
			turn.Run = turn.Run.Heal(s.Items)
			tx.Healed++
			return nil
		})
	})
}
