package observe

import (
	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// ask reads control to learn how the run stands, and goes on from there.
func (w *watch) ask() {
	w.next(func() func() { return w.Client.Control(w.sid, w.rid, w.answered) })
}

func (w *watch) answered(c protocol.Control, e *protocol.Error) {
	w.step = nil
	if e != nil {
		w.askFailed(e, w.ask)
		return
	}
	w.missing = 0
	w.reconcile(c)
	switch {
	case w.ranOut(c):
		w.fallBack()
	case w.refusals > 1:
		w.refusals = 0
		w.fallBack()
	default:
		w.connect()
	}
}

// ranOut reports whether the run is over while its stream no longer brings its end: then the
// snapshot has it.
func (w *watch) ranOut(c protocol.Control) bool {
	over := protocol.Terminal(c.Status) || c.Confirmed()
	return over && w.attempt > 2
}

// askFailed goes on after control could not be read.
func (w *watch) askFailed(e *protocol.Error, again func()) {
	w.recovering("reading control failed: %v", e)
	w.attempt++
	switch {
	case e.Code == protocol.CodeRunNotFound || e.Status == 404 || e.Status == 410:
		w.lookUp()
	case (e.Status == 401 || e.Status == 403) && w.refusals > 0:
		w.fail(e)
	default:
		if denied(e) {
			w.refusals++
		}
		w.setConn(store.Connection{Phase: store.PhaseReconnecting, Attempt: w.attempt, Err: e})
		w.wait(max(e.RetryAfter, pollDelay(w.attempt)), again)
	}
}

// lookUp goes on after the server has said that it does not know the run: the session tells what
// became of the turn. While it still names the run, it is asked ever more slowly.
func (w *watch) lookUp() {
	w.missing++
	if w.missing == 1 {
		w.load()
		return
	}
	w.wait(pollDelay(w.missing-1), w.load)
}

// reconcile takes from control what it knows better than the frames so far: which request waits,
// how the last one was decided, and the three confirmations. A reading from before the last frame
// knows nothing better.
func (w *watch) reconcile(c protocol.Control) {
	w.update(func(tx *store.Tx) error {
		turn := tx.Turn(w.sid, w.key)
		if turn == nil {
			return nil
		}
		turn.Stopped, turn.Persisted = c.ExecutionStopped, c.TerminalPersisted
		if turn.TurnID == "" {
			turn.TurnID = c.TurnID
		}
		turn.Run = turn.Run.Reconcile(c)
		return nil
	})
}

// waitForDecision watches a paused run whose stream the server has ended: control every few
// seconds, no stream.
func (w *watch) waitForDecision() {
	w.setConn(store.Connection{Phase: store.PhasePaused})
	w.wait(pausedPoll, w.askWhilePaused)
}

func (w *watch) askWhilePaused() {
	w.next(func() func() {
		return w.Client.Control(w.sid, w.rid, func(c protocol.Control, e *protocol.Error) {
			w.step = nil
			if e != nil {
				w.askFailed(e, w.askWhilePaused)
				return
			}
			w.attempt, w.refusals = 0, 0
			before := w.run().Current()
			w.reconcile(c)
			if c.Status == protocol.StatusPaused && c.LastEventIndex <= w.run().Cursor && w.run().Current() == before {
				w.waitForDecision()
				return
			}
			w.connect()
		})
	})
}
