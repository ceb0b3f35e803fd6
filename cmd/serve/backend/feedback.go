package backend

import (
	"net/http"

	"igraph-console/app/protocol"
)

func (s *Server) feedback(w http.ResponseWriter, r *http.Request) *apiError {
	if failure := needVersion(r); failure != nil {
		return failure
	}
	var body protocol.FeedbackRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	if failure := checkFeedback(&body); failure != nil {
		return failure
	}
	session, failure := s.needSession(r)
	if failure != nil {
		return failure
	}
	f, failure := s.findRun(r.Context(), session.ID, body.RunID, "")
	if failure != nil {
		return failure
	}
	if f.run == nil {
		return s.feedbackAfterwards(w, r, f, body)
	}
	pos, failure := f.run.decide(body)
	if failure != nil {
		return failure
	}
	f.run.saveNow()
	s.log.Info("request decided", "run", body.RunID, "request", body.RequestID, "decision", body.Decision)
	s.observe(w, r, f.run, pos, -1, false)
	return nil
}

// feedbackAfterwards answers a decision on a run that is no longer in memory: it has ended.
func (s *Server) feedbackAfterwards(w http.ResponseWriter, r *http.Request, f found, body protocol.FeedbackRequest) *apiError {
	decisions, err := s.db.Decisions(r.Context(), body.RunID)
	if err != nil {
		return internalError(err)
	}
	control, failure := s.controlOf(r.Context(), f)
	if failure != nil {
		return failure
	}
	for _, d := range decisions {
		if d.RequestID != body.RequestID {
			continue
		}
		if d.DecisionID == body.DecisionID && d.Decision == body.Decision {
			return s.recoveryOnly(w, f.turn.SessionID, f.turn.RunID)
		}
		return settledError(d.Decision).with("control", control)
	}
	return fail(http.StatusGone, codeRequestGone, "the run has ended").with("control", control)
}

// checkFeedback validates a decision. Replaced arguments go with modify and only with it: an
// approval must never change what was asked.
func checkFeedback(f *protocol.FeedbackRequest) *apiError {
	if f.RunID == "" || f.RequestID == "" {
		return fail(http.StatusBadRequest, codeBadRequest, "run_id and request_id are required")
	}
	if failure := needUUID("decision_id", f.DecisionID); failure != nil {
		return failure
	}
	switch f.Decision {
	case protocol.Approve, protocol.Reject:
		if f.PatchedArgs == "null" {
			f.PatchedArgs = ""
		}
		if f.PatchedArgs != "" {
			return fail(http.StatusBadRequest, codeInvalidDecision, "patched_args go only with modify")
		}
	case protocol.Modify:
		if f.PatchedArgs == "" {
			return fail(http.StatusBadRequest, codeInvalidDecision, "modify needs patched_args")
		}
	default:
		return fail(http.StatusBadRequest, codeInvalidDecision, "decision must be approve, reject or modify")
	}
	return nil
}
