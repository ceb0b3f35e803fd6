package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"igraph-console/app/protocol"
)

// Codes of runs that failed without the agent's doing.
const codeInternal = "INTERNAL"

// Steps of an end that tests and demonstrations may hold back.
const (
	StepRunEnd    = "run_end"
	StepStopped   = "execution_stopped"
	StepPersisted = "terminal_persisted"
	StepCanSend   = "can_send"
)

// ending is how a run ends. events are those of its last frame, run_end among them; a script may
// give its own, and an index for them.
type ending struct {
	status string
	err    *protocol.RunError
	events []json.RawMessage
	index  int64
}

// execute runs the agent, or a script in its place, to its end.
func (r *run) execute(perform func(context.Context) (*ending, error)) {
	defer r.cancel(nil)
	started := r.srv.clock.Now()
	r.srv.log.Info("run started", "session", r.sessionID, "run", r.id)
	end, err := guarded(r.ctx, perform)
	if context.Cause(r.proc.ctx) == errCrash {
		r.stopTimers()
		return
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		r.srv.log.Error("run failed", "run", r.id, "err", err)
	}
	if end == nil {
		end = r.endingOf(err)
	}
	r.finish(end)
	r.srv.log.Info("run ended", "session", r.sessionID, "run", r.id, "status", end.status,
		"duration", r.srv.clock.Now().Sub(started))
}

// stopTimers stops what is due later, as the end of a process does.
func (r *run) stopTimers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopSave != nil {
		r.stopSave()
		r.stopSave = nil
	}
	for _, p := range r.pending {
		if p.stop != nil {
			p.stop()
		}
	}
}

// guarded turns a panic into an error: it costs the run, not the server.
func guarded(ctx context.Context, perform func(context.Context) (*ending, error)) (end *ending, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return perform(ctx)
}

// endingOf derives the end from what the agent returned. An agent that finished in spite of a
// cancellation has finished.
func (r *run) endingOf(err error) *ending {
	switch {
	case err == nil:
		return &ending{status: protocol.StatusCompleted}
	case context.Cause(r.ctx) == errShutdown:
		return &ending{status: protocol.StatusFailed, err: interrupted(r.language)}
	case context.Cause(r.ctx) == errCancelled:
		return &ending{status: protocol.StatusCancelled}
	}
	return &ending{status: protocol.StatusFailed, err: internal(r.language)}
}

// finish brings a run to its end in the order that doc.go gives.
func (r *run) finish(end *ending) {
	r.srv.hold(r, StepRunEnd)
	if end.events == nil {
		r.closeItems(end.status)
		end.events = r.runEnd(end)
	}
	r.mu.Lock()
	r.applyLocked(decodeEvents(end.events))
	end.index = max(end.index, r.nextIndex)
	r.end = end
	r.mu.Unlock()
	frame, err := encodeFrame(r.sessionID, r.id, &end.index, end.events)
	if err != nil {
		r.srv.log.Error("the end of a run cannot be sent", "run", r.id, "err", err)
	}
	if !r.saveEnd() {
		return
	}
	r.mu.Lock()
	r.status, r.err = end.status, end.err
	r.nextIndex = end.index + 1
	r.log.append(end.index, frame)
	r.log.end()
	if r.srv.cfg.Hold == nil {
		// Whoever has seen run_end and reads control finds the end confirmed.
		r.stopped, r.persisted, r.canSend = true, true, true
	}
	r.mu.Unlock()
	r.confirm()
}

func (r *run) runEnd(end *ending) []json.RawMessage {
	events, err := encodeEvents([]protocol.Event{protocol.RunEnd{Status: end.status, Error: end.err, EndedAt: r.srv.now()}})
	if err != nil {
		r.srv.log.Error("the end of a run cannot be sent", "run", r.id, "err", err)
	}
	return events
}

// closeItems settles what the run leaves open, so that nothing looks alive after its end.
func (r *run) closeItems(status string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.cancelRequestsLocked()
	for _, it := range r.rec.openTools() {
		toolStatus := protocol.StatusCancelled
		if status == protocol.StatusFailed && it.tool.Status != protocol.StatusCancelling {
			toolStatus = protocol.StatusFailed
		}
		events = append(events, protocol.ToolEnd{CallID: it.key.id, Status: toolStatus, EndedAt: r.srv.now()})
	}
	if len(events) == 0 {
		return
	}
	if err := r.emitLocked(events...); err != nil {
		r.srv.log.Error("open items of a run cannot be closed", "run", r.id, "err", err)
	}
}

// saveEnd saves the terminal state, again and again until it succeeds: a run whose end is not saved
// has not ended. It reports false if the process ends first.
func (r *run) saveEnd() bool {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		err := r.save()
		if err == nil {
			return true
		}
		r.srv.log.Error("the end of a run was not saved, trying again", "run", r.id, "wait", wait, "err", err)
		sleep(r.srv.clock, wait, r.proc.ctx.Done())
		if r.proc.ctx.Err() != nil {
			return false
		}
	}
}

// confirm makes the three confirmations true, in their order. Without anything that holds one back
// they follow run_end at once.
func (r *run) confirm() {
	for _, step := range []struct {
		name string
		flag *bool
	}{{StepStopped, &r.stopped}, {StepPersisted, &r.persisted}, {StepCanSend, &r.canSend}} {
		r.srv.hold(r, step.name)
		if context.Cause(r.proc.ctx) == errCrash {
			return
		}
		r.mu.Lock()
		*step.flag = true
		r.mu.Unlock()
	}
	r.proc.release(r)
	close(r.done)
}

func interrupted(language string) *protocol.RunError {
	message := "The server was restarted while this run was going on. What it had produced is kept; ask again to start over."
	if language == protocol.LangZH {
		message = "运行过程中服务重启，运行已中断。已产生的内容已保留；如需继续，请重新提问。"
	}
	return &protocol.RunError{Code: protocol.CodeInterrupted, Message: message}
}

func internal(language string) *protocol.RunError {
	message := "The run stopped because of an internal error. The server's log says more."
	if language == protocol.LangZH {
		message = "运行因内部错误而停止，详情见服务端日志。"
	}
	return &protocol.RunError{Code: codeInternal, Message: message}
}
