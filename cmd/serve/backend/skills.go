package backend

import (
	"context"
	"net/http"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

func wireSkill(s db.Skill) protocol.Skill {
	return protocol.Skill{CandidateID: s.ID, Name: s.Name, Description: s.Description, Body: s.Body, Status: s.Status}
}

func (s *Server) listSkills(w http.ResponseWriter, r *http.Request) *apiError {
	if _, failure := s.needSession(r); failure != nil {
		return failure
	}
	list, err := s.db.Skills(r.Context(), r.PathValue("sid"))
	if err != nil {
		return internalError(err)
	}
	candidates := []protocol.Skill{}
	for _, skill := range list {
		candidates = append(candidates, wireSkill(skill))
	}
	s.writeJSON(w, http.StatusOK, map[string]any{"candidates": candidates})
	return nil
}

// decideSkill decides a candidate once. The same decision again gives the same answer; another one
// is told how the candidate was decided.
func (s *Server) decideSkill(w http.ResponseWriter, r *http.Request) *apiError {
	var body protocol.SkillDecisionRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	if failure := needUUID("decision_id", body.DecisionID); failure != nil {
		return failure
	}
	if body.Decision != protocol.Approve && body.Decision != protocol.Reject {
		return fail(http.StatusBadRequest, codeInvalidDecision, "decision must be approve or reject")
	}
	id := r.PathValue("id")
	decided, err := s.db.DecideSkill(r.Context(), id, body.Decision, body.DecisionID, body.Comment)
	if err != nil {
		return internalError(err)
	}
	skill, err := s.db.Skill(r.Context(), id)
	if err != nil {
		return notFoundOr(err, codeSkillNotFound, "there is no such skill candidate")
	}
	if !decided && (skill.DecisionID != body.DecisionID || skill.Status != body.Decision) {
		return alreadyDecided(skill)
	}
	if decided {
		if err := s.showSkill(r.Context(), skill); err != nil {
			return internalError(err)
		}
		s.log.Info("skill candidate decided", "candidate", id, "decision", body.Decision)
	}
	s.writeJSON(w, http.StatusOK, wireSkill(skill))
	return nil
}

// alreadyDecided answers with the candidate's own fields beside the error.
func alreadyDecided(skill db.Skill) *apiError {
	return fail(http.StatusConflict, protocol.CodeAlreadyDecided, "the candidate was decided: "+skill.Status).
		with("candidate_id", skill.ID).with("name", skill.Name).with("description", skill.Description).
		with("body", skill.Body).with("status", skill.Status)
}

// showSkill carries a decision into the candidate's item, and into the stream of a run that still
// goes on.
func (s *Server) showSkill(ctx context.Context, skill db.Skill) error {
	if run := s.process().run(skill.SessionID, skill.RunID); run != nil {
		return run.resolveSkill(protocol.SkillResolved{CandidateID: skill.ID, Decision: skill.Status})
	}
	runID, item, err := s.db.FindItem(ctx, skill.SessionID, protocol.ItemSkill, skill.ID)
	if err != nil {
		return err
	}
	return s.setItem(ctx, runID, item, map[string]any{"status": skill.Status})
}

func (r *run) resolveSkill(ev protocol.SkillResolved) error {
	r.mu.Lock()
	if protocol.Terminal(r.status) {
		r.rec.apply(ev)
	} else if err := r.emitLocked(ev); err != nil {
		r.mu.Unlock()
		return err
	}
	r.mu.Unlock()
	return r.save()
}
