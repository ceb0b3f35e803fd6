package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

// StepJob is the end of a cancelled job of a scripted run, which may be held back.
const StepJob = "job"

// addJob makes the context that ends when the job is cancelled.
func (r *run) addJob(ctx context.Context, callID string) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs[callID] = cancel
	return ctx
}

// endJob releases a job's context and reports whether the job was being cancelled.
func (r *run) endJob(callID string) (cancelling bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.jobs[callID]; cancel != nil {
		cancel()
		delete(r.jobs, callID)
	}
	it := r.rec.tool(callID)
	return it != nil && it.tool.Status == protocol.StatusCancelling
}

func (r *run) toolName(callID string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if it := r.rec.tool(callID); it != nil {
		return it.tool.Tool
	}
	return ""
}

// jobControl is the authoritative state of a job; not ok if the run has no such job.
func (r *run) jobControl(callID string) (protocol.JobControl, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.jobControlLocked(callID)
}

func (r *run) jobControlLocked(callID string) (protocol.JobControl, bool) {
	it := r.rec.tool(callID)
	if it == nil || !it.tool.Job {
		return protocol.JobControl{}, false
	}
	ended := toolEnded(it.tool.Status)
	return protocol.JobControl{JobID: callID, Status: it.tool.Status, ExecutionStopped: ended, TerminalPersisted: ended && it.saved()}, true
}

// cancelJob asks a job to stop, once. A job that nobody computes (in a scripted run, or after the
// end of its run) is settled here.
func (r *run) cancelJob(callID string) (protocol.JobControl, bool) {
	if r.stopJob(callID) {
		r.settleJob(callID)
	}
	return r.jobControl(callID)
}

// stopJob marks a running job as being cancelled and ends its context. It reports whether nobody
// computes the job, so that nobody else will say how it ended.
func (r *run) stopJob(callID string) (orphan bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	control, ok := r.jobControlLocked(callID)
	if !ok || control.Status != protocol.StatusRunning {
		return false
	}
	it := r.rec.tool(callID)
	it.tool.Status = protocol.StatusCancelling
	it.rev++
	cancel := r.jobs[callID]
	if cancel == nil {
		return true
	}
	cancel()
	return false
}

// settleJob ends a job that nobody computes; a test may hold that back.
func (r *run) settleJob(callID string) {
	if r.srv.cfg.Hold == nil {
		r.endOrphan(callID)
		return
	}
	go func() {
		r.srv.hold(r, StepJob)
		r.endOrphan(callID)
	}()
}

func (r *run) endOrphan(callID string) {
	r.mu.Lock()
	it := r.rec.tool(callID)
	if r.proc.ctx.Err() != nil || toolEnded(it.tool.Status) {
		r.mu.Unlock()
		return
	}
	end := protocol.ToolEnd{CallID: callID, Status: protocol.StatusCancelled, EndedAt: r.srv.now()}
	if protocol.Terminal(r.status) {
		r.rec.apply(end)
	} else if err := r.emitLocked(end); err != nil {
		r.srv.log.Error("the end of a job cannot be sent", "run", r.id, "err", err)
	}
	r.mu.Unlock()
	r.saveNow()
}

// findJob looks for a job in the runs in memory.
func (p *process) findJob(sessionID, callID string) *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.runs {
		if r.sessionID != sessionID {
			continue
		}
		if _, ok := r.jobControl(callID); ok {
			return r
		}
	}
	return nil
}

func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request) *apiError {
	var body protocol.JobCancelRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	if failure := needUUID("cancel_request_id", body.CancelRequestID); failure != nil {
		return failure
	}
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	sid, jid := r.PathValue("sid"), r.PathValue("jid")
	if run := s.process().findJob(sid, jid); run != nil {
		control, _ := run.cancelJob(jid)
		s.log.Info("job cancelled", "session", sid, "run", run.id, "job", jid)
		s.answerCancel(w, control.ExecutionStopped, control)
		return nil
	}
	control, failure := s.savedJob(r, true)
	if failure != nil {
		return failure
	}
	s.answerCancel(w, control.ExecutionStopped, control)
	return nil
}

// answerCancel answers 200 if the execution has stopped already and 202 if not.
func (s *Server) answerCancel(w http.ResponseWriter, stopped bool, control any) {
	status := http.StatusAccepted
	if stopped {
		status = http.StatusOK
	}
	s.writeJSON(w, status, control)
}

func (s *Server) getJobControl(w http.ResponseWriter, r *http.Request) *apiError {
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	jid := r.PathValue("jid")
	if run := s.process().findJob(r.PathValue("sid"), jid); run != nil {
		control, _ := run.jobControl(jid)
		s.writeJSON(w, http.StatusOK, control)
		return nil
	}
	control, failure := s.savedJob(r, false)
	if failure != nil {
		return failure
	}
	s.writeJSON(w, http.StatusOK, control)
	return nil
}

// savedJob reads a job of a run that is no longer in memory. Cancelling one that never ended
// settles it: nobody computes it any more.
func (s *Server) savedJob(r *http.Request, cancel bool) (protocol.JobControl, *apiError) {
	runID, item, err := s.db.FindItem(r.Context(), r.PathValue("sid"), protocol.ItemTool, r.PathValue("jid"))
	if err != nil {
		return protocol.JobControl{}, notFoundOr(err, codeJobNotFound, "there is no such job")
	}
	var job struct {
		Job    bool   `json:"job"`
		Status string `json:"status"`
	}
	if err := json.Unmarshal([]byte(item.Body), &job); err != nil {
		return protocol.JobControl{}, internalError(fmt.Errorf("read job %s: %w", item.ID, err))
	}
	if !job.Job {
		return protocol.JobControl{}, fail(http.StatusNotFound, codeJobNotFound, "that call is no job")
	}
	if cancel && !toolEnded(job.Status) {
		job.Status = protocol.StatusCancelled
		if err := s.setItem(r.Context(), runID, item, map[string]any{"status": job.Status}); err != nil {
			return protocol.JobControl{}, internalError(err)
		}
	}
	ended := toolEnded(job.Status)
	return protocol.JobControl{JobID: item.ID, Status: job.Status, ExecutionStopped: ended, TerminalPersisted: ended}, nil
}

// setItem changes members of a saved item and leaves the others as they are.
func (s *Server) setItem(ctx context.Context, runID string, item db.Item, members map[string]any) error {
	var body map[string]json.RawMessage
	if err := json.Unmarshal([]byte(item.Body), &body); err != nil {
		return fmt.Errorf("read saved %s %s: %w", item.Type, item.ID, err)
	}
	for name, value := range members {
		raw, err := encodeJSON(value)
		if err != nil {
			return fmt.Errorf("encode %s of %s %s: %w", name, item.Type, item.ID, err)
		}
		body[name] = raw
	}
	raw, err := encodeJSON(body)
	if err != nil {
		return fmt.Errorf("encode %s %s: %w", item.Type, item.ID, err)
	}
	item.Body = string(raw)
	return s.db.SaveItem(ctx, runID, item)
}
