package backend

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

var errNoRun = fail(http.StatusNotFound, protocol.CodeRunNotFound, "there is no such run in this session")

// savedControl is the control of a run that is no longer in memory. It has ended: what was still
// going on when the process ended was ended at the next start.
func (s *Server) savedControl(ctx context.Context, turn db.Turn) (protocol.Control, error) {
	c := protocol.Control{
		SessionID: turn.SessionID, TurnID: turn.ID, RunID: turn.RunID, StartRequestID: turn.StartRequestID,
		Status: turn.Status, Error: runError(turn),
		ExecutionStopped: true, TerminalPersisted: true, CanSend: true,
		LastEventIndex: turn.LastIndex, ResponseLanguage: turn.Language,
	}
	decisions, err := s.db.Decisions(ctx, turn.RunID)
	if err != nil {
		return c, err
	}
	if n := len(decisions); n > 0 {
		d := decisions[n-1]
		c.LastDecision = &protocol.LastDecision{RequestID: d.RequestID, Decision: d.Decision, Comment: d.Comment, DecidedAt: d.DecidedAt}
	}
	return c, nil
}

func runError(turn db.Turn) *protocol.RunError {
	if turn.ErrorCode == "" && turn.ErrorMessage == "" {
		return nil
	}
	return &protocol.RunError{Code: turn.ErrorCode, Message: turn.ErrorMessage}
}

// found is a run in memory, or else its saved turn.
type found struct {
	run  *run
	turn db.Turn
}

// findRun finds a run of a session by its id, or by its start request where that is given instead.
func (s *Server) findRun(ctx context.Context, sessionID, runID, startID string) (found, *apiError) {
	p := s.process()
	var f found
	var err error
	if runID != "" {
		f.run = p.run(sessionID, runID)
	} else {
		f.run = p.runByStart(sessionID, startID)
	}
	if f.run != nil {
		return f, nil
	}
	if runID != "" {
		f.turn, err = s.db.TurnByRun(ctx, sessionID, runID)
	} else {
		f.turn, err = s.db.TurnByStart(ctx, sessionID, startID)
	}
	if errors.Is(err, db.ErrNotFound) {
		return f, errNoRun
	}
	if err != nil {
		return f, internalError(err)
	}
	return f, nil
}

func (s *Server) controlOf(ctx context.Context, f found) (protocol.Control, *apiError) {
	if f.run != nil {
		return f.run.control(), nil
	}
	c, err := s.savedControl(ctx, f.turn)
	if err != nil {
		return c, internalError(err)
	}
	return c, nil
}

func (s *Server) getControl(w http.ResponseWriter, r *http.Request) *apiError {
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	runID, startID := r.URL.Query().Get("run_id"), r.URL.Query().Get("start_request_id")
	if (runID == "") == (startID == "") {
		return fail(http.StatusBadRequest, codeBadRequest, "give either run_id or start_request_id")
	}
	f, failure := s.findRun(r.Context(), r.PathValue("sid"), runID, startID)
	if failure != nil {
		return failure
	}
	control, failure := s.controlOf(r.Context(), f)
	if failure != nil {
		return failure
	}
	s.writeJSON(w, http.StatusOK, control)
	return nil
}

func (s *Server) cancelRun(w http.ResponseWriter, r *http.Request) *apiError {
	var body protocol.CancelRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	target := body.Target
	if (target.RunID == "") == (target.StartRequestID == "") {
		return fail(http.StatusBadRequest, codeBadRequest, "give exactly one target: run_id or start_request_id")
	}
	if failure := needUUID("target", target.RunID+target.StartRequestID); failure != nil {
		return failure
	}
	if failure := needUUID("cancel_request_id", body.CancelRequestID); failure != nil {
		return failure
	}
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	f, failure := s.findRun(r.Context(), r.PathValue("sid"), target.RunID, target.StartRequestID)
	if failure != nil {
		return failure
	}
	if f.run != nil && f.run.cancelNow() {
		s.log.Info("run cancelled", "session", f.run.sessionID, "run", f.run.id)
	}
	control, failure := s.controlOf(r.Context(), f)
	if failure != nil {
		return failure
	}
	s.answerCancel(w, control.ExecutionStopped, control)
	return nil
}

// cancelNow asks the run to stop, once: a repetition, and a cancellation after the end, change
// nothing. It reports whether it asked. Requests that wait for a decision are settled at once, for
// there is nothing left to decide.
func (r *run) cancelNow() bool {
	r.mu.Lock()
	if protocol.Terminal(r.status) || r.status == protocol.StatusCancelling {
		r.mu.Unlock()
		return false
	}
	r.cancel(errCancelled)
	events := append(r.cancelRequestsLocked(), protocol.RunStatus{Status: protocol.StatusCancelling})
	if err := r.emitLocked(events...); err != nil {
		r.srv.log.Error("a cancellation cannot be sent", "run", r.id, "err", err)
	}
	r.mu.Unlock()
	r.saveNow()
	return true
}

func (s *Server) resume(w http.ResponseWriter, r *http.Request) *apiError {
	if failure := needVersion(r); failure != nil {
		return failure
	}
	after, err := strconv.ParseInt(r.URL.Query().Get("last_event_index"), 10, 64)
	if err != nil || after < -1 {
		return fail(http.StatusBadRequest, codeInvalidCursor, "last_event_index must be a number from -1 on")
	}
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	f, failure := s.findRun(r.Context(), r.PathValue("sid"), r.PathValue("rid"), "")
	if failure != nil {
		return failure
	}
	unavailable := fail(http.StatusConflict, protocol.CodeReplayUnavailable, "the events after this index are no longer buffered; take the snapshot")
	if f.run == nil {
		return unavailable
	}
	pos, ok := f.run.log.after(after)
	if !ok {
		return unavailable
	}
	s.observe(w, r, f.run, pos, after, true)
	return nil
}

func (s *Server) getSnapshot(w http.ResponseWriter, r *http.Request) *apiError {
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	f, failure := s.findRun(r.Context(), r.PathValue("sid"), r.PathValue("rid"), "")
	if failure != nil {
		return failure
	}
	snapshot, err := s.snapshotOf(r.Context(), f)
	if err != nil {
		return internalError(err)
	}
	if held := s.cfg.HoldSnapshot; held != nil && held(snapshot.SessionID, snapshot.RunID) {
		snapshot.Complete = false
	}
	s.writeJSON(w, http.StatusOK, snapshot)
	return nil
}

func (s *Server) snapshotOf(ctx context.Context, f found) (protocol.Snapshot, error) {
	if f.run != nil {
		return f.run.snapshot(), nil
	}
	items, err := s.savedItems(ctx, f.turn.RunID)
	return protocol.Snapshot{
		SessionID: f.turn.SessionID, RunID: f.turn.RunID, Status: f.turn.Status, Error: runError(f.turn),
		Complete: true, Items: items,
		ResponseLanguage: f.turn.Language, OutputFormat: f.turn.Format,
	}, err
}

// savedItems reads the items of a run as they were saved.
func (s *Server) savedItems(ctx context.Context, runID string) ([]protocol.Item, error) {
	saved, err := s.db.Items(ctx, runID)
	if err != nil {
		return nil, err
	}
	items := make([]protocol.Item, len(saved))
	for i, it := range saved {
		items[i] = protocol.Item{Type: it.Type, Raw: protocol.RawJSON(it.Body)}
	}
	return items, nil
}
