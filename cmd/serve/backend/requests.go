package backend

import (
	"context"
	"fmt"
	"net/http"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

// request is a paused request that waits for a decision. answer is set before done is closed.
type request struct {
	protocol.PausedRequest
	done   chan struct{}
	answer protocol.ApprovalResolved
	stop   func() // stops the expiry; nil without one
}

// settled remembers how a request was decided, and where in the stream that stands.
type settled struct {
	decision   string
	decisionID string
	position   int // of the frame that tells it
}

// requireLocked notes a request and starts its time to expire.
func (r *run) requireLocked(req protocol.PausedRequest) {
	if r.settled[req.RequestID] != nil || r.asked[req.RequestID] != nil {
		return
	}
	p := &request{PausedRequest: req, done: make(chan struct{})}
	r.pending = append(r.pending, p)
	r.asked[req.RequestID] = p
	r.status = protocol.StatusPaused
	if req.ExpiresAt.IsZero() {
		return
	}
	p.stop = r.later(req.ExpiresAt.Sub(r.srv.now()), func() { r.expire(req.RequestID) })
}

func (r *run) findLocked(requestID string) *request {
	for _, p := range r.pending {
		if p.RequestID == requestID {
			return p
		}
	}
	return nil
}

// currentLocked is the one request that can be decided: the oldest.
func (r *run) currentLocked() *protocol.PausedRequest {
	if len(r.pending) == 0 {
		return nil
	}
	req := r.pending[0].PausedRequest
	return &req
}

// resolveLocked takes a request off those that wait; with the last of them the run goes on.
func (r *run) resolveLocked(ev protocol.ApprovalResolved) {
	if r.settled[ev.RequestID] == nil {
		if err := r.saveDecision(ev, ""); err != nil {
			r.srv.log.Error("a decision was not saved", "run", r.id, "err", err)
		}
		r.settleLocked(ev, "")
	}
	var rest []*request
	for _, p := range r.pending {
		if p.RequestID != ev.RequestID {
			rest = append(rest, p)
			continue
		}
		if p.stop != nil {
			p.stop()
		}
		p.answer = ev
		close(p.done)
	}
	r.pending = rest
	if len(rest) == 0 && r.status == protocol.StatusPaused {
		r.status = protocol.StatusRunning
	}
}

// saveDecision makes a decision durable. decisionID is empty where nobody decided.
func (r *run) saveDecision(ev protocol.ApprovalResolved, decisionID string) error {
	return r.srv.db.SaveDecision(context.Background(), db.Decision{
		RunID: r.id, RequestID: ev.RequestID, DecisionID: decisionID,
		Decision: ev.Decision, Comment: ev.Comment, DecidedAt: r.srv.now(),
	})
}

// settleLocked keeps a decision for those who ask again, and for control.
func (r *run) settleLocked(ev protocol.ApprovalResolved, decisionID string) {
	r.settled[ev.RequestID] = &settled{decision: ev.Decision, decisionID: decisionID, position: r.log.edge()}
	r.last = &protocol.LastDecision{RequestID: ev.RequestID, Decision: ev.Decision, Comment: ev.Comment, DecidedAt: r.srv.now()}
}

// expire settles a request that nobody decided in time.
func (r *run) expire(requestID string) {
	r.mu.Lock()
	due := r.findLocked(requestID) != nil && r.ctx.Err() == nil
	if due {
		r.tellResolvedLocked(protocol.ApprovalResolved{RequestID: requestID, Decision: protocol.StatusExpired})
	}
	r.mu.Unlock()
	if due {
		r.saveNow()
	}
}

// tellResolvedLocked tells how a request was settled, and that the run goes on if it was the last.
func (r *run) tellResolvedLocked(ev protocol.ApprovalResolved) {
	events := []protocol.Event{ev}
	if len(r.pending) == 1 {
		events = append(events, protocol.RunStatus{Status: protocol.StatusRunning})
	}
	if err := r.emitLocked(events...); err != nil {
		r.srv.log.Error("a decision cannot be sent", "run", r.id, "err", err)
	}
}

// cancelRequestsLocked lists the events that settle all waiting requests as cancelled.
func (r *run) cancelRequestsLocked() []protocol.Event {
	var events []protocol.Event
	for _, p := range r.pending {
		events = append(events, protocol.ApprovalResolved{RequestID: p.RequestID, Decision: protocol.StatusCancelled})
	}
	return events
}

// decide takes a person's decision on the current request. It returns the position in the stream
// from which the decision's effect can be watched. The same decision again has the same effect.
func (r *run) decide(d protocol.FeedbackRequest) (position int, failure *apiError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was := r.settled[d.RequestID]; was != nil {
		if was.decisionID == d.DecisionID && was.decision == d.Decision {
			return was.position, nil
		}
		return 0, settledError(was.decision).with("control", r.controlLocked())
	}
	if failure := r.undecidableLocked(d); failure != nil {
		return 0, failure.with("control", r.controlLocked())
	}
	current := r.pending[0]
	ev := protocol.ApprovalResolved{RequestID: d.RequestID, Decision: d.Decision, Comment: d.Comment}
	switch d.Decision {
	case protocol.Approve:
		ev.EffectiveArgs = current.Args
	case protocol.Modify:
		ev.EffectiveArgs = d.PatchedArgs
	}
	// Saved first: what a person was told is decided must not be open again after a restart.
	if err := r.saveDecision(ev, d.DecisionID); err != nil {
		return 0, internalError(err)
	}
	r.settleLocked(ev, d.DecisionID)
	position = r.log.edge()
	r.tellResolvedLocked(ev)
	return position, nil
}

// undecidableLocked says why a request that is not settled cannot be decided; nil if it can.
func (r *run) undecidableLocked(d protocol.FeedbackRequest) *apiError {
	if protocol.Terminal(r.status) || r.status == protocol.StatusCancelling {
		return fail(http.StatusGone, codeRequestGone, "the run has ended or is being cancelled")
	}
	if len(r.pending) == 0 {
		return fail(http.StatusConflict, protocol.CodeRequestStale, "nothing waits for a decision")
	}
	current := r.pending[0]
	if current.RequestID != d.RequestID {
		return fail(http.StatusConflict, protocol.CodeRequestMismatch, "another request is the current one")
	}
	if d.ToolCallID != "" && d.ToolCallID != current.ToolCallID || d.ToolName != "" && d.ToolName != current.ToolName {
		return fail(http.StatusConflict, protocol.CodeRequestMismatch, "the tool is not the one of the current request")
	}
	return nil
}

// settledError answers a decision on a request that is settled another way.
func settledError(decision string) *apiError {
	if decision == protocol.StatusExpired || decision == protocol.StatusCancelled {
		return fail(http.StatusConflict, protocol.CodeRequestStale, "the request is "+decision)
	}
	return fail(http.StatusConflict, protocol.CodeAlreadyDecided, "the request was decided: "+decision)
}

// awaitDecision waits until a request is settled. The error is the context's.
func (r *run) awaitDecision(ctx context.Context, requestID string) (protocol.ApprovalResolved, error) {
	r.mu.Lock()
	p := r.asked[requestID]
	r.mu.Unlock()
	if p == nil {
		return protocol.ApprovalResolved{}, fmt.Errorf("request %s was never made", requestID)
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		return protocol.ApprovalResolved{}, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return protocol.ApprovalResolved{}, err
	}
	return p.answer, nil
}
