package observe

import (
	"fmt"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// Watcher follows the session on screen. Its methods must be called where the network's callbacks
// arrive: one at a time.
type Watcher struct {
	Store  *store.Store
	Client wire.Client
	Random func() float64 // in [0,1); for jitter
	// Loaded is told whenever a session has been read from the server, after it was published.
	Loaded func(sid string)
	// Published is told whenever a rebuild has caught up and was published.
	Published func(sid string)
	Trace     Trace

	now *watch
}

// watch is one session being followed. It is thrown away on leaving.
type watch struct {
	*Watcher
	sid string
	key string // the turn being watched
	rid string // its run

	step func() // ends the present step; nil when idle
	wake func() // with a waiting step: go on at once
	side func() // ends what runs beside the step: the silence check, or the self-check

	shadow *store.Run // a rebuild in the making
	target int64      // the index at which it is caught up

	lastByte time.Time
	attempt  int   // of connecting, since a frame was last applied
	refusals int   // of the same step, of a kind that trying again will not cure
	failures int   // of frames, in a row, with the cursor unchanged
	failedAt int64 // that cursor
	missing  int   // times, in a row, that the server did not know the run
	polls    int
	ended    time.Time // when the run ended for the observer
}

// Watch follows a session, and stops following any other: the stream is disconnected, which the
// server does not take as a cancellation. An empty id follows none.
func (w *Watcher) Watch(sid string) {
	if w.now != nil && w.now.sid == sid {
		return
	}
	w.Leave()
	if sid == "" {
		return
	}
	w.now = &watch{Watcher: w, sid: sid}
	w.now.start()
}

// Watching returns the session being followed.
func (w *Watcher) Watching() string {
	if w.now == nil {
		return ""
	}
	return w.now.sid
}

// Leave stops following.
func (w *Watcher) Leave() {
	if w.now == nil {
		return
	}
	w.now.stop()
	w.now.setConn(store.Connection{Phase: store.PhaseIdle})
	w.now = nil
}

// Reload reads the session and its run anew: the way out of any state that looks stuck.
func (w *Watcher) Reload() {
	if w.now == nil {
		return
	}
	w.now.stop()
	w.now.attempt, w.now.refusals, w.now.failures, w.now.missing, w.now.polls = 0, 0, 0, 0, 0
	w.now.load()
}

// Nudge goes on at once with whatever is being waited for: the network is back, the page became
// visible, or a person asked. A stream that has been silent too long is given up.
func (w *Watcher) Nudge() {
	if w.now == nil {
		return
	}
	if w.now.wake != nil {
		w.now.wake()
		return
	}
	w.now.checkSilence()
}

// Moved tells that a run has gone on after an act of a person, so that waiting for it ends.
func (w *Watcher) Moved(sid string) {
	if w.now != nil && w.now.sid == sid && w.now.wake != nil {
		w.now.wake()
	}
}

// Learn takes a reading of control that an act has made.
func (w *Watcher) Learn(sid string, c protocol.Control) {
	if w.now != nil && w.now.sid == sid && w.now.rid == c.RunID {
		w.now.reconcile(c)
	}
}

// Settle takes a reading of control that confirms the end of a run. What the stream has not brought
// by then comes with the session, which is read as often as it takes.
func (w *Watcher) Settle(sid string, c protocol.Control) {
	if w.now == nil || w.now.sid != sid || w.now.rid != c.RunID {
		return
	}
	r := w.now.run()
	w.now.stop()
	w.now.shadow = nil
	w.now.finish(c)
	if r.Ended() && !r.Snapshot && r.Cursor >= 0 {
		w.now.selfCheck()
		return
	}
	w.now.load() // what the stream has not brought is with the session
}

// Over tells that a message has not led to a run. A session whose watching was left to that act is
// read: another run may be going on in it.
func (w *Watcher) Over(sid string) {
	if w.now != nil && w.now.sid == sid && w.now.step == nil {
		w.now.load()
	}
}

// Adopt takes over a stream that a person's message has opened: the run is known from here on and
// the stream is watched like any other. It returns the sink for what the stream brings, or nil if
// the session is not on screen; the caller then disconnects.
func (w *Watcher) Adopt(sid, key, rid string, cancel func()) wire.Sink {
	if w.now == nil || w.now.sid != sid {
		return nil
	}
	wa := w.now
	wa.stop()
	wa.follow(key, rid)
	return wa.attach(cancel)
}

// Resume watches the run of a turn that is known to have been accepted, from its beginning.
func (w *Watcher) Resume(sid, key string, c protocol.Control) {
	if w.now == nil || w.now.sid != sid {
		return
	}
	w.now.stop()
	w.now.follow(key, c.RunID)
	if c.Confirmed() {
		w.now.load() // over already: the session has what was saved
		return
	}
	w.now.begin(c)
}

// start is called on arriving. A turn whose sending is not settled is left to the act that sends
// it; everything else begins with what the server knows.
func (w *watch) start() {
	session := w.Store.State().Session(w.sid)
	if session != nil && session.Loaded && session.Last != nil {
		if s := session.Last.Send; s == store.SendSubmitting || s == store.SendChecking {
			return
		}
	}
	w.load()
}

func (w *watch) follow(key, rid string) {
	w.key, w.rid = key, rid
	w.shadow, w.target = nil, -1
	w.attempt, w.refusals, w.failures, w.missing, w.polls = 0, 0, 0, 0, 0
	w.ended = time.Time{}
	w.Trace.reset()
	w.Trace.add(w.time(), TraceRun, rid)
}

// stop ends the present step and what runs beside it.
func (w *watch) stop() {
	for _, end := range []func(){w.step, w.side} {
		if end != nil {
			end()
		}
	}
	w.step, w.wake, w.side = nil, nil, nil
	w.lastByte = time.Time{} // no stream is read any more
}

// next begins a step in place of the present one.
func (w *watch) next(begin func() (end func())) {
	w.stop()
	w.step = begin()
}

// wait is a step that goes on after d, or at once when nudged.
func (w *watch) wait(d time.Duration, then func()) {
	w.next(func() func() { return w.Client.Clock.After(d, then) })
	w.wake = then
}

func (w *watch) time() time.Time { return w.Client.Clock.Now() }

// note logs what was learned.
func (w *watch) note(format string, args ...any) {
	w.Trace.add(w.time(), TraceNote, fmt.Sprintf(format, args...))
}

// recovering logs a step of recovery.
func (w *watch) recovering(format string, args ...any) {
	w.Trace.add(w.time(), TraceStep, fmt.Sprintf(format, args...))
}

// update runs a transaction. One that fails here is a fault of this program: nothing has changed,
// and the inspector shows it.
func (w *watch) update(fn func(*store.Tx) error) {
	if err := w.Store.Update(fn); err != nil {
		w.note("transaction failed: %v", err)
	}
}

// setConn publishes how the session is being watched. Since is kept while the phase stays.
func (w *watch) setConn(c store.Connection) {
	w.update(func(tx *store.Tx) error {
		w.putConn(tx, c)
		return nil
	})
}

func (w *watch) putConn(tx *store.Tx, c store.Connection) {
	session := tx.Session(w.sid)
	c.Since = w.time()
	if session.Conn.Phase == c.Phase {
		c.Since = session.Conn.Since
	}
	session.Conn = c
}

// turn returns the turn being watched, as published.
func (w *watch) turn() *store.Turn {
	session := w.Store.State().Session(w.sid)
	if session == nil {
		return nil
	}
	return session.TurnByKey(w.key)
}

// run is what the next frame goes on from: the shadow while rebuilding, else what is published.
func (w *watch) run() *store.Run {
	if w.shadow != nil {
		return w.shadow
	}
	if t := w.turn(); t != nil {
		return t.Run
	}
	return store.NewRun(w.sid, w.rid)
}

// healthy is the connection's phase while all is well with the run as published.
func healthy(r *store.Run) store.Connection {
	switch {
	case r.Ended():
		return store.Connection{Phase: store.PhaseIdle}
	case r.Snapshot:
		return store.Connection{Phase: store.PhaseSnapshot}
	case r.Status == protocol.StatusPaused:
		return store.Connection{Phase: store.PhasePaused}
	}
	return store.Connection{Phase: store.PhaseLive}
}
