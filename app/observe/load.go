package observe

import (
	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// load reads the session and goes on with its active run, if there is one.
func (w *watch) load() {
	w.shadow = nil
	session := w.Store.State().Session(w.sid)
	if session == nil || !session.Loaded {
		w.setConn(store.Connection{Phase: store.PhaseConnecting})
	}
	w.next(func() func() { return w.Client.Session(w.sid, w.loaded) })
}

func (w *watch) loaded(d protocol.SessionDetail, e *protocol.Error) {
	w.step = nil
	if e != nil {
		w.loadFailed(e)
		return
	}
	w.attempt, w.refusals = 0, 0
	w.update(func(tx *store.Tx) error {
		mergeDetail(tx, w.sid, d)
		if d.ActiveRun == nil {
			w.putConn(tx, store.Connection{Phase: store.PhaseIdle})
		}
		return nil
	})
	if w.Loaded != nil {
		w.Loaded(w.sid)
	}
	if d.ActiveRun != nil {
		w.take(*d.ActiveRun)
	}
}

// take goes on with the session's active run.
func (w *watch) take(active protocol.Control) {
	turn := w.Store.State().Session(w.sid).TurnByRun(active.RunID)
	if turn == nil {
		w.recovering("the active run %s has no turn", active.RunID)
		w.lookUp()
		return
	}
	if w.key != turn.Key || w.rid != active.RunID {
		w.follow(turn.Key, active.RunID)
	}
	w.begin(active)
}

// loadFailed goes on by itself where that can help. A session that is not there, or not ours, is
// said to be so.
func (w *watch) loadFailed(e *protocol.Error) {
	w.recovering("reading the session failed: %v", e)
	w.attempt++
	if denied(e) {
		w.refusals++
	}
	final := e.Status == 404 || e.Status == 410 || denied(e) && w.refusals > 1
	phase := store.Connection{Phase: store.PhaseReconnecting, Attempt: w.attempt, Err: e}
	if final {
		phase = store.Connection{Phase: store.PhaseFailed, Err: e}
	}
	w.update(func(tx *store.Tx) error {
		tx.Session(w.sid).LoadErr = e
		w.putConn(tx, phase)
		return nil
	})
	if !final {
		w.wait(w.retryDelay(e), w.load)
	}
}

// denied reports whether trying again as we are will give the same answer: anything but a failed
// network, an overloaded or a broken server.
func denied(e *protocol.Error) bool {
	switch e.Status {
	case 0, 408, 425, 429:
		return false
	}
	return e.Status < 500
}

// begin goes on with an active run: from where this page left it, or by rebuilding it aside.
func (w *watch) begin(c protocol.Control) {
	w.reconcile(c)
	run := w.run()
	switch {
	case c.Confirmed():
		w.finish(c)
	case run.Snapshot:
		w.poll()
	case run.Ended() && run.Cursor >= 0:
		w.end()
	case run.Cursor >= 0:
		w.connect()
	default:
		w.shadow = store.NewRun(w.sid, w.rid)
		w.target = c.LastEventIndex
		w.connect()
	}
}
