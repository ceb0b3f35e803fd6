package backend

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

// Sizes of pages of the session list, and of a title in characters.
const (
	defaultPage = 30
	maxPage     = 100
	maxTitle    = 200
)

// deleteWait bounds how long a deletion waits for the session's run to stop.
const deleteWait = 10 * time.Second

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) *apiError {
	query := r.URL.Query()
	limit := defaultPage
	if v := query.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return fail(http.StatusBadRequest, codeBadRequest, "limit must be a number from 1 on")
		}
		limit = min(n, maxPage)
	}
	after, ok := parseCursor(query.Get("cursor"))
	if !ok {
		return fail(http.StatusBadRequest, codeInvalidCursor, "cursor is none that this server gave")
	}
	// One more than asked for tells whether there is a next page.
	list, err := s.db.Sessions(r.Context(), after, strings.TrimSpace(query.Get("q")), limit+1)
	if err != nil {
		return internalError(err)
	}
	page := protocol.SessionPage{Sessions: []protocol.SessionInfo{}}
	if len(list) > limit {
		list = list[:limit]
		next := cursorOf(list[limit-1])
		page.NextCursor = &next
	}
	for _, session := range list {
		page.Sessions = append(page.Sessions, s.info(session))
	}
	s.writeJSON(w, http.StatusOK, page)
	return nil
}

// A cursor is the place of the last session of a page. It goes through URLs, hence the encoding.
func cursorOf(session db.Session) string {
	place := strconv.FormatInt(session.UpdatedAt.UnixMicro(), 10) + " " + session.ID
	return base64.RawURLEncoding.EncodeToString([]byte(place))
}

func parseCursor(cursor string) (db.Position, bool) {
	if cursor == "" {
		return db.Position{}, true
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return db.Position{}, false
	}
	stamp, id, _ := strings.Cut(string(raw), " ")
	micros, err := strconv.ParseInt(stamp, 10, 64)
	return db.Position{UpdatedAt: time.UnixMicro(micros), ID: id}, err == nil && id != ""
}

// info adds to a session what its active run says.
func (s *Server) info(session db.Session) protocol.SessionInfo {
	status := session.LastStatus
	if active := s.process().activeRun(session.ID); active != nil {
		status = active.control().Status
	}
	switch status {
	case protocol.StatusCancelling:
		status = protocol.StatusRunning
	case protocol.StatusRunning, protocol.StatusPaused, protocol.StatusFailed:
	default:
		status = protocol.StatusIdle
	}
	return protocol.SessionInfo{
		SessionID: session.ID, Title: session.Title,
		CreatedAt: session.CreatedAt, UpdatedAt: session.UpdatedAt, Status: status,
	}
}

func (s *Server) createSession(w http.ResponseWriter, r *http.Request) *apiError {
	var body protocol.TitleRequest
	if r.ContentLength != 0 { // a title is optional, and so is the body
		if failure := readJSON(w, r, &body); failure != nil {
			return failure
		}
	}
	title := strings.TrimSpace(body.Title)
	if utf8.RuneCountInString(title) > maxTitle {
		return fail(http.StatusBadRequest, codeInvalidTitle, "the title is longer than 200 characters")
	}
	now := s.now()
	session := db.Session{ID: uuid.NewString(), Title: title, CreatedAt: now, UpdatedAt: now}
	if err := s.db.CreateSession(r.Context(), session); err != nil {
		return internalError(err)
	}
	s.writeJSON(w, http.StatusOK, s.info(session))
	return nil
}

func (s *Server) renameSession(w http.ResponseWriter, r *http.Request) *apiError {
	var body protocol.TitleRequest
	if failure := readJSON(w, r, &body); failure != nil {
		return failure
	}
	title := strings.TrimSpace(body.Title)
	if title == "" || utf8.RuneCountInString(title) > maxTitle {
		return fail(http.StatusBadRequest, codeInvalidTitle, "the title must have 1 to 200 characters")
	}
	if err := s.db.Rename(r.Context(), r.PathValue("sid"), title); err != nil {
		return notFoundOr(err, codeSessionNotFound, "there is no such session")
	}
	session, failure := s.needSession(r)
	if failure != nil {
		return failure
	}
	s.writeJSON(w, http.StatusOK, s.info(session))
	return nil
}

// deleteSession cancels the session's run, waits for its end and deletes the session.
func (s *Server) deleteSession(w http.ResponseWriter, r *http.Request) *apiError {
	session, failure := s.needSession(r)
	if failure != nil {
		return failure
	}
	if active := s.process().activeRun(session.ID); active != nil {
		active.cancelNow()
		s.waitForEnd(r.Context(), active)
	}
	// No run may start between the last look and the deletion.
	s.starting.Lock()
	defer s.starting.Unlock()
	if active := s.process().activeRun(session.ID); active != nil {
		return fail(http.StatusConflict, protocol.CodeRunActive, "the session's run has not stopped yet; try again").with("control", active.control())
	}
	s.process().forget(session.ID)
	if err := s.db.DeleteSession(r.Context(), session.ID); err != nil {
		return notFoundOr(err, codeSessionNotFound, "there is no such session")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// waitForEnd waits until a run's end is confirmed, the client leaves, or it has taken too long.
func (s *Server) waitForEnd(ctx context.Context, r *run) {
	given := make(chan struct{})
	stop := s.clock.AfterFunc(deleteWait, func() { close(given) })
	defer stop()
	select {
	case <-r.done:
	case <-given:
	case <-ctx.Done():
	}
}

func (s *Server) getSession(w http.ResponseWriter, r *http.Request) *apiError {
	session, failure := s.needSession(r)
	if failure != nil {
		return failure
	}
	turns, active, err := s.history(r.Context(), session.ID)
	if err != nil {
		return internalError(err)
	}
	detail := protocol.SessionDetail{Session: s.info(session), Turns: turns}
	if active != nil {
		control := active.control()
		detail.ActiveRun = &control
	}
	s.writeJSON(w, http.StatusOK, detail)
	return nil
}

// history reads a session's turns and the run that is not confirmed. A run may end between the two:
// then its turn was read unfinished and is read again, with its end, which was saved before.
func (s *Server) history(ctx context.Context, sessionID string) ([]protocol.Turn, *run, error) {
	for again := false; ; again = true {
		turns, err := s.savedTurns(ctx, sessionID)
		if err != nil || len(turns) == 0 {
			return turns, nil, err
		}
		latest := turns[len(turns)-1]
		active := s.process().run(sessionID, latest.RunID)
		if active != nil && !active.confirmed() {
			return turns, active, nil
		}
		if again || protocol.Terminal(latest.Status) {
			return turns, nil, nil
		}
	}
}

func (s *Server) savedTurns(ctx context.Context, sessionID string) ([]protocol.Turn, error) {
	saved, err := s.db.Turns(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	turns := []protocol.Turn{}
	for _, t := range saved {
		turn, err := s.turn(ctx, t)
		if err != nil {
			return nil, err
		}
		turns = append(turns, turn)
	}
	return turns, nil
}

// turn reads a turn as it was saved.
func (s *Server) turn(ctx context.Context, t db.Turn) (protocol.Turn, error) {
	items, err := s.savedItems(ctx, t.RunID)
	if err != nil {
		return protocol.Turn{}, err
	}
	attachments := []protocol.Attachment{}
	for _, a := range t.Attachments {
		attachments = append(attachments, protocol.Attachment{FileToken: a.Token, Filename: a.Filename})
	}
	return protocol.Turn{
		TurnID: t.ID, RunID: t.RunID, StartRequestID: t.StartRequestID,
		User:             protocol.UserMessage{Text: t.Text, Attachments: attachments},
		ResponseLanguage: t.Language, OutputFormat: t.Format, Status: t.Status, Error: runError(t),
		Items: items, CreatedAt: t.CreatedAt,
	}, nil
}

// endInterrupted ends the runs that an earlier process left behind, with the items they had saved.
func (s *Server) endInterrupted(ctx context.Context) error {
	turns, err := s.db.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, turn := range turns {
		if err := s.closeSaved(ctx, turn); err != nil {
			return err
		}
		failure := interrupted(turn.Language)
		state := db.RunState{
			RunID: turn.RunID, Status: protocol.StatusFailed, ErrorCode: failure.Code, ErrorMessage: failure.Message,
			LastIndex: turn.LastIndex, At: s.now(),
		}
		if err := s.db.SaveRun(ctx, state, nil); err != nil {
			return err
		}
		s.log.Info("run interrupted by a restart", "session", turn.SessionID, "run", turn.RunID)
	}
	return nil
}

// closeSaved settles what an interrupted run left open.
func (s *Server) closeSaved(ctx context.Context, turn db.Turn) error {
	items, err := s.db.Items(ctx, turn.RunID)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := s.closeSavedItem(ctx, turn.RunID, it); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) closeSavedItem(ctx context.Context, runID string, it db.Item) error {
	var open struct {
		Status  string `json:"status"`
		Request struct {
			RequestID string `json:"request_id"`
		} `json:"request"`
	}
	if err := json.Unmarshal([]byte(it.Body), &open); err != nil {
		return err
	}
	now := s.now()
	switch {
	case it.Type == protocol.ItemApproval && open.Status == protocol.StatusPending:
		err := s.db.SaveDecision(ctx, db.Decision{RunID: runID, RequestID: it.ID, Decision: protocol.StatusCancelled, DecidedAt: now})
		if err != nil {
			return err
		}
		return s.setItem(ctx, runID, it, map[string]any{"status": protocol.StatusCancelled})
	case it.Type == protocol.ItemTool && open.Status == protocol.StatusRunning:
		return s.setItem(ctx, runID, it, map[string]any{"status": protocol.StatusFailed, "ended_at": now})
	case it.Type == protocol.ItemTool && open.Status == protocol.StatusCancelling:
		return s.setItem(ctx, runID, it, map[string]any{"status": protocol.StatusCancelled, "ended_at": now})
	}
	return nil
}
