package observe

import (
	"errors"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// connect resumes the run after the last frame that was applied whole.
func (w *watch) connect() {
	if w.shadow == nil && w.run().Snapshot {
		w.poll()
		return
	}
	w.setConn(w.connecting())
	r := w.run()
	w.recovering("resume after %d", r.Cursor)
	s := &stream{watch: w}
	w.next(func() func() { return w.Client.Resume(w.sid, w.rid, r.Cursor, w.language(), s) })
	w.lastByte = w.time()
	w.guardSilence()
}

func (w *watch) language() string {
	if t := w.turn(); t != nil {
		return t.Lang
	}
	return ""
}

// connecting is the phase before a stream is open.
func (w *watch) connecting() store.Connection {
	switch {
	case w.attempt > 0:
		return store.Connection{Phase: store.PhaseReconnecting, Attempt: w.attempt}
	case w.shadow != nil:
		return w.rebuilding()
	}
	return store.Connection{Phase: store.PhaseConnecting}
}

func (w *watch) rebuilding() store.Connection {
	return store.Connection{
		Phase: store.PhaseRebuilding, Done: w.shadow.Cursor + 1, Total: max(w.target, w.shadow.Cursor) + 1,
	}
}

// attach watches a stream that is already open.
func (w *watch) attach(cancel func()) wire.Sink {
	s := &stream{watch: w}
	w.step = cancel
	w.guardSilence()
	s.Opened()
	return s
}

// stream is a stream of the run being watched.
type stream struct{ *watch }

func (s *stream) Opened() {
	s.lastByte = s.time()
	if s.shadow != nil {
		s.setConn(s.rebuilding())
		s.publishIfCaughtUp(false)
		return
	}
	s.setConn(healthy(s.run()))
}

// guardSilence breaks a connection that has brought no byte for too long. The wall clock decides,
// so that time spent asleep counts; the timer only says when to look.
func (w *watch) guardSilence() {
	w.side = w.Client.Clock.After(watchEvery, func() {
		if !w.checkSilence() {
			w.guardSilence()
		}
	})
}

func (w *watch) checkSilence() (broken bool) {
	if w.side == nil || w.lastByte.IsZero() || w.time().Sub(w.lastByte) <= silence {
		return false
	}
	w.stop()
	w.lost(errors.New("no byte for too long"))
	return true
}

func (s *stream) Read(events []string) {
	s.lastByte = s.time()
	frames, trouble := s.decode(events)
	end := s.apply(frames)
	if s.watch.step == nil || end {
		return // applying has moved on to another step
	}
	if trouble != nil {
		trouble()
	}
}

// decode validates what has arrived, up to the first frame that cannot be applied; trouble is what
// to do about that one.
func (s *stream) decode(events []string) (frames []protocol.Frame, trouble func()) {
	for _, data := range events {
		s.Trace.add(s.lastByte, TraceFrame, data)
		f, err := protocol.DecodeFrame(data)
		switch {
		case err != nil:
			return frames, func() { s.badFrame(err) }
		case f.SessionID != s.sid || f.RunID != s.rid:
			return frames, func() { s.wrongRun(f) }
		case requiresRecovery(f):
			return frames, func() { s.recovering("the server requires recovery"); s.fallBack() }
		}
		frames = append(frames, f)
	}
	return frames, nil
}

func requiresRecovery(f protocol.Frame) bool {
	for _, ev := range f.Events {
		if _, ok := ev.(protocol.RecoveryRequired); ok {
			return true
		}
	}
	return false
}

func replayComplete(frames []protocol.Frame) bool {
	for _, f := range frames {
		for _, ev := range f.Events {
			if _, ok := ev.(protocol.ReplayComplete); ok {
				return true
			}
		}
	}
	return false
}

// apply takes frames in: into the shadow while rebuilding, else into the store, content and cursor
// in one transaction. It reports whether the run has ended.
func (s *stream) apply(frames []protocol.Frame) (ended bool) {
	if len(frames) == 0 {
		return false
	}
	before := s.run().Cursor
	var run *store.Run
	var err error
	if s.shadow != nil {
		var n int
		run, n, err = s.shadow.Apply(frames...)
		s.shadow, frames = run, frames[:n]
	} else {
		run, err = s.commit(frames)
	}
	if run.Cursor > before {
		s.attempt, s.refusals, s.failures, s.missing = 0, 0, 0, 0
	}
	if s.shadow != nil {
		s.publishIfCaughtUp(replayComplete(frames))
	}
	if s.shadow == nil && run.Ended() {
		s.end()
		return true
	}
	if err != nil {
		s.badFrame(err)
		return true
	}
	return false
}

func (s *stream) commit(frames []protocol.Frame) (run *store.Run, foldErr error) {
	s.update(func(tx *store.Tx) error {
		turn := tx.Turn(s.sid, s.key)
		if turn == nil {
			return errors.New("the watched turn is gone")
		}
		run, _, foldErr = turn.Run.Apply(frames...)
		turn.Run = run
		adoptIdentity(turn)
		s.putConn(tx, healthy(run))
		return nil
	})
	if run == nil {
		return s.run(), errors.New("the watched turn is gone")
	}
	return run, foldErr
}

// adoptIdentity takes what the run says about itself into its turn.
func adoptIdentity(t *store.Turn) {
	if t.TurnID == "" {
		t.TurnID = t.Run.TurnID
	}
	if t.Run.Lang != "" {
		t.Lang = t.Run.Lang
	}
}

// publishIfCaughtUp puts the rebuilt run in place of what is shown, in one transaction, once it has
// reached the live edge. Until then what is shown stays.
func (s *stream) publishIfCaughtUp(complete bool) {
	shadow := s.shadow
	if !complete && !shadow.Ended() && shadow.Cursor < s.target {
		s.setConn(s.rebuilding())
		return
	}
	s.shadow = nil
	s.recovering("caught up at %d", shadow.Cursor)
	s.update(func(tx *store.Tx) error {
		turn := tx.Turn(s.sid, s.key)
		if turn == nil {
			return errors.New("the watched turn is gone")
		}
		turn.Run = turn.Run.Rebuilt(shadow)
		adoptIdentity(turn)
		s.putConn(tx, healthy(turn.Run))
		return nil
	})
	if s.Published != nil {
		s.Published(s.sid)
	}
}

// badFrame gives up a stream that brought a frame that cannot be applied. Once is a broken
// connection; twice with the cursor unchanged means that this frame will never do.
func (s *stream) badFrame(err error) {
	s.recovering("bad frame: %v", err)
	var frame *protocol.FrameError
	if errors.As(err, &frame) && frame.Code == protocol.CodeVersion {
		s.fail(&protocol.Error{Code: protocol.CodeVersion, Message: frame.Reason})
		return
	}
	cursor := s.run().Cursor
	if s.failures > 0 && s.failedAt != cursor {
		s.failures = 0
	}
	s.failures, s.failedAt = s.failures+1, cursor
	if s.failures >= 2 {
		s.fallBack()
		return
	}
	s.stop()
	s.lost(err)
}

// wrongRun drops a frame of another run, asks how our own stands, and goes on watching that.
func (s *stream) wrongRun(f protocol.Frame) {
	s.recovering("frame %d belongs to run %s of session %s", f.Index, f.RunID, f.SessionID)
	s.stop()
	s.attempt++
	s.setConn(store.Connection{Phase: store.PhaseReconnecting, Attempt: s.attempt})
	s.wait(reconnectDelay(s.attempt, s.Random()), s.ask)
}

func (s *stream) Closed(err error) {
	if errors.Is(err, wire.ErrTooLarge) {
		s.badFrame(err)
		return
	}
	s.stop()
	s.lost(err)
}

// lost goes on after a stream has ended before its run did. A pause may end it; anything else is a
// lost connection, however it is called.
func (w *watch) lost(err error) {
	if err == nil {
		err = errors.New("the stream ended")
	}
	r := w.run()
	w.recovering("stream lost after %d: %v", r.Cursor, err)
	if w.shadow == nil && r.Status == protocol.StatusPaused {
		w.waitForDecision()
		return
	}
	w.attempt++
	w.reconnect(reconnectDelay(w.attempt, w.Random()), nil)
}

// reconnect waits and tries again. From the second time on that nothing came, control is read
// first: the run may have ended without a word.
func (w *watch) reconnect(d time.Duration, e *protocol.Error) {
	w.setConn(store.Connection{Phase: store.PhaseReconnecting, Attempt: w.attempt, Err: e})
	if w.attempt > 1 {
		w.wait(d, w.ask)
		return
	}
	w.wait(d, w.connect)
}

func (w *watch) retryDelay(e *protocol.Error) time.Duration {
	return max(e.RetryAfter, reconnectDelay(max(w.attempt, 1), w.Random()))
}

func (s *stream) Refused(r wire.Response) {
	e := s.Client.Fail(r)
	s.recovering("resume refused: %v", e)
	s.stop()
	switch {
	case e.Code == protocol.CodeReplayUnavailable:
		s.fallBack()
	case e.Status == 404 || e.Status == 410:
		s.refusals = max(s.refusals, 1) + 1
		s.ask()
	case denied(e):
		s.refusals++
		s.attempt++
		if s.refusals > 1 {
			s.ask()
			return
		}
		s.reconnectAfterRefusal(e)
	default:
		s.attempt++
		s.reconnectAfterRefusal(e)
	}
}

func (s *stream) reconnectAfterRefusal(e *protocol.Error) {
	s.setConn(store.Connection{Phase: store.PhaseReconnecting, Attempt: s.attempt, Err: e})
	s.wait(s.retryDelay(e), s.connect)
}

// fail stops watching for a reason that waiting cannot cure. What is shown stays.
func (w *watch) fail(e *protocol.Error) {
	w.stop()
	w.shadow = nil
	w.setConn(store.Connection{Phase: store.PhaseFailed, Err: e})
}
