package backend

import (
	"context"
	"net/http"
	"time"

	"igraph-console/app/protocol"
)

// writeTimeout bounds how long a client that takes nothing keeps its connection.
const writeTimeout = 30 * time.Second

// stream is one observer of a run.
type stream struct {
	srv  *Server
	run  *run
	w    http.ResponseWriter
	out  *http.ResponseController
	pos  int
	edge int  // where the live part begins; what lies before it is a replay
	tell bool // replay_complete is due at the edge
	last int64
}

// observe sends a run's frames from a position on, live ones as they come, until the run ends or
// the client leaves. replay says that the frames before now are a repetition, whose end is told.
// Every frame goes out in a write of its own.
func (s *Server) observe(w http.ResponseWriter, r *http.Request, run *run, pos int, after int64, replay bool) {
	o := stream{srv: s, run: run, w: w, out: http.NewResponseController(w), pos: pos, edge: pos, tell: replay, last: after}
	if replay {
		o.edge = run.log.edge()
	}
	o.open()
	for o.step() {
		if !o.wait(r.Context()) {
			return
		}
	}
}

// recoveryOnly answers an accepted act whose run's frames are gone: the observer has to take
// snapshots. It costs no error, because the act itself stands.
func (s *Server) recoveryOnly(w http.ResponseWriter, sessionID, runID string) *apiError {
	raw, err := encodeEvents([]protocol.Event{protocol.RecoveryRequired{Reason: "the events of this run are no longer buffered"}})
	if err != nil {
		return internalError(err)
	}
	frame, err := encodeFrame(sessionID, runID, nil, raw)
	if err != nil {
		return internalError(err)
	}
	o := stream{srv: s, w: w, out: http.NewResponseController(w)}
	o.open()
	o.write(frame)
	o.flush()
	return nil
}

func (o *stream) open() {
	h := o.w.Header()
	h.Set("Content-Type", protocol.EventStream)
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx would otherwise collect frames
	o.w.WriteHeader(http.StatusOK)
	o.flush()
}

// step sends what there is and reports whether more may come.
func (o *stream) step() bool {
	for {
		b := o.run.log.read(o.pos)
		if b.lost {
			o.event(protocol.RecoveryRequired{Reason: "the observer fell behind the buffer"})
			return false
		}
		for i, f := range b.frames {
			if f.live && o.pos+i < o.edge {
				continue
			}
			if !o.write(f.data) {
				return false
			}
			o.last = f.index
		}
		o.pos = b.next
		if b.ended && len(b.frames) > 0 {
			o.flush()
			return false // run_end was the last word
		}
		if o.tell && o.pos >= o.edge {
			o.tell = false
			o.event(protocol.ReplayComplete{LastEventIndex: o.last})
		}
		if b.ended || !o.flush() {
			return false
		}
		if len(b.frames) == 0 {
			return !o.endsHere()
		}
	}
}

// endsHere reports whether the stream ends at a pause.
func (o *stream) endsHere() bool {
	end := o.srv.cfg.EndAtPause
	return end != nil && end(o.run.sessionID) && o.run.control().Status == protocol.StatusPaused && o.pos == o.run.log.edge()
}

// wait returns true when there is more to send and false when the client has left. It keeps the
// connection alive meanwhile.
func (o *stream) wait(ctx context.Context) bool {
	for {
		beat := make(chan struct{})
		stop := o.srv.clock.AfterFunc(o.srv.cfg.Heartbeat, func() { close(beat) })
		b := o.run.log.read(o.pos)
		if len(b.frames) > 0 || b.lost || b.ended {
			stop()
			return true
		}
		select {
		case <-b.wake:
			stop()
			return true
		case <-ctx.Done():
			stop()
			return false
		case <-o.run.proc.ctx.Done():
			stop()
			if context.Cause(o.run.proc.ctx) == errCrash {
				panic(http.ErrAbortHandler) // a dead process closes no stream politely
			}
			return o.waitForEnd(ctx)
		case <-beat:
			if !o.write([]byte(": hb\n\n")) || !o.flush() {
				return false
			}
		}
	}
}

// waitForEnd waits for the last frames of a server that shuts down.
func (o *stream) waitForEnd(ctx context.Context) bool {
	b := o.run.log.read(o.pos)
	if len(b.frames) > 0 || b.lost || b.ended {
		return true
	}
	select {
	case <-b.wake:
		return true
	case <-ctx.Done():
		return false
	}
}

// event sends an event about the observation itself.
func (o *stream) event(ev protocol.Event) {
	raw, err := encodeEvents([]protocol.Event{ev})
	if err == nil {
		var frame []byte
		if frame, err = encodeFrame(o.run.sessionID, o.run.id, nil, raw); err == nil {
			o.write(frame)
			o.flush()
		}
	}
	if err != nil {
		o.srv.log.Error("an event cannot be sent", "run", o.run.id, "err", err)
	}
}

func (o *stream) write(data []byte) bool {
	// Not every writer has deadlines; without one a client can only stall itself.
	_ = o.out.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := o.w.Write(data)
	return err == nil
}

func (o *stream) flush() bool { return o.out.Flush() == nil }
