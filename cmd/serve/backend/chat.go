package backend

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
	"igraph-console/cmd/serve/backend/db"
)

// maxMessage bounds a message, in bytes of UTF-8.
const maxMessage = 1 << 20

func (s *Server) chat(w http.ResponseWriter, r *http.Request) *apiError {
	if failure := needVersion(r); failure != nil {
		return failure
	}
	var body protocol.ChatRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	if failure := checkChat(&body); failure != nil {
		return failure
	}
	session, failure := s.needSession(r)
	if failure != nil {
		return failure
	}
	started, failure := s.start(r.Context(), session, body, languageOf(r))
	if failure != nil {
		return failure
	}
	if started.run == nil {
		return s.recoveryOnly(w, session.ID, started.turn.RunID)
	}
	pos, ok := started.run.log.after(-1)
	if !ok {
		return s.recoveryOnly(w, session.ID, started.run.id)
	}
	s.observe(w, r, started.run, pos, -1, started.again)
	return nil
}

// checkChat validates a chat request and fills in its defaults.
func checkChat(c *protocol.ChatRequest) *apiError {
	if strings.TrimSpace(c.Message) == "" {
		return fail(http.StatusBadRequest, codeMessageRequired, "message is required")
	}
	if len(c.Message) > maxMessage {
		return fail(http.StatusRequestEntityTooLarge, codeMessageTooLarge, "the message is longer than 1 MiB; put it into a file and attach that")
	}
	if c.StartRequestID != "" {
		if failure := needUUID("start_request_id", c.StartRequestID); failure != nil {
			return failure
		}
	}
	if c.EditTurnID != "" {
		if failure := needUUID("edit_turn_id", c.EditTurnID); failure != nil {
			return failure
		}
	}
	if !oneOf(&c.OutputFormat, protocol.OutputFormats) {
		return fail(http.StatusBadRequest, codeInvalidFormat, "output_format must be one of "+strings.Join(protocol.OutputFormats, ", "))
	}
	if !oneOf(&c.ReasoningMode, protocol.ReasoningModes) {
		return fail(http.StatusBadRequest, codeInvalidMode, "reasoning_mode must be one of "+strings.Join(protocol.ReasoningModes, ", "))
	}
	if !oneOf(&c.PlanningMode, protocol.PlanningModes) {
		return fail(http.StatusBadRequest, codeInvalidMode, "planning_mode must be one of "+strings.Join(protocol.PlanningModes, ", "))
	}
	return nil
}

// oneOf checks a value against those offered; an empty one becomes the first.
func oneOf(value *string, offered []string) bool {
	if *value == "" {
		*value = offered[0]
	}
	return slices.Contains(offered, *value)
}

// startedRun is a run that a chat request leads to. again says that an earlier request with the
// same start_request_id started it; run is nil if its process is gone.
type startedRun struct {
	found
	again bool
}

// start begins a run, or finds the one that this very request began before.
func (s *Server) start(ctx context.Context, session db.Session, c protocol.ChatRequest, language string) (startedRun, *apiError) {
	s.starting.Lock()
	defer s.starting.Unlock()
	if c.StartRequestID != "" {
		f, failure := s.findRun(ctx, session.ID, "", c.StartRequestID)
		if failure == nil {
			return startedRun{found: f, again: true}, nil
		}
		if failure != errNoRun {
			return startedRun{}, failure
		}
	}
	p := s.process()
	if p.ctx.Err() != nil {
		return startedRun{}, fail(http.StatusServiceUnavailable, codeShuttingDown, "the server is shutting down")
	}
	if active := p.activeRun(session.ID); active != nil {
		return startedRun{}, fail(http.StatusConflict, protocol.CodeRunActive, "the session has a run that is not finished").with("control", active.control())
	}
	turn := db.Turn{
		ID: uuid.NewString(), SessionID: session.ID, RunID: uuid.NewString(), StartRequestID: c.StartRequestID,
		Text: c.Message, Language: language, Format: c.OutputFormat,
		Status: protocol.StatusRunning, LastIndex: -1, CreatedAt: s.now(),
	}
	var failure *apiError
	if turn.Attachments, failure = s.checkAttachments(ctx, c.Attachments); failure != nil {
		return startedRun{}, failure
	}
	if failure := s.checkEdit(ctx, session.ID, c.EditTurnID); failure != nil {
		return startedRun{}, failure
	}
	if err := s.db.StartTurn(ctx, turn, c.EditTurnID, agent.Title(c.Message)); err != nil {
		return startedRun{}, internalError(err)
	}
	r := newRun(s, p, turn)
	perform := r.perform(turn, c.ReasoningMode, c.PlanningMode)
	script := s.scriptFor(session.ID)
	if script != nil {
		perform = script.perform(r)
	} else if err := r.sendStarted(); err != nil {
		return startedRun{}, internalError(err)
	}
	p.add(r)
	p.wg.Go(func() { r.execute(perform) })
	return startedRun{found: found{run: r}}, nil
}

func (s *Server) scriptFor(sessionID string) Script {
	if s.cfg.Script == nil {
		return nil
	}
	return s.cfg.Script(sessionID)
}

func (r *run) sendStarted() error {
	return r.emit(protocol.RunStarted{
		TurnID: r.turnID, StartRequestID: r.startID, ResponseLanguage: r.language,
		OutputFormat: r.format, StartedAt: r.srv.now(),
	})
}

// checkAttachments takes the files' names from the register, where the person's own were kept.
func (s *Server) checkAttachments(ctx context.Context, list []protocol.Attachment) ([]db.Attachment, *apiError) {
	var out []db.Attachment
	for _, a := range list {
		u, err := s.db.Upload(ctx, a.FileToken)
		if errors.Is(err, db.ErrNotFound) {
			return nil, fail(http.StatusBadRequest, codeFileNotFound, "an attached file is not there any more; attach it again")
		}
		if err != nil {
			return nil, internalError(err)
		}
		out = append(out, db.Attachment{Token: u.Token, Filename: u.Filename})
	}
	return out, nil
}

// checkEdit allows only the latest turn to be replaced. That its run has ended is clear by now: the
// session has no active run.
func (s *Server) checkEdit(ctx context.Context, sessionID, turnID string) *apiError {
	if turnID == "" {
		return nil
	}
	latest, err := s.db.LatestTurn(ctx, sessionID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return internalError(err)
	}
	if latest.ID != turnID {
		return fail(http.StatusConflict, codeNotLatest, "only the latest turn can be edited")
	}
	return nil
}
