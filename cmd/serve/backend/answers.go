package backend

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

// Codes beyond those the client acts on.
const (
	codeBadRequest      = "BAD_REQUEST"
	codeBadID           = "INVALID_ID"
	codeNotFound        = "NOT_FOUND"
	codeSessionNotFound = "SESSION_NOT_FOUND"
	codeJobNotFound     = "JOB_NOT_FOUND"
	codeSkillNotFound   = "SKILL_NOT_FOUND"
	codeFileNotFound    = "FILE_NOT_FOUND"
	codeFileRequired    = "FILE_REQUIRED"
	codeMessageRequired = "MESSAGE_REQUIRED"
	codeMessageTooLarge = "MESSAGE_TOO_LARGE"
	codeStreamVersion   = "STREAM_VERSION"
	codeContentType     = "CONTENT_TYPE"
	codeInvalidMode     = "INVALID_MODE"
	codeInvalidFormat   = "INVALID_OUTPUT_FORMAT"
	codeInvalidTitle    = "INVALID_TITLE"
	codeInvalidCursor   = "INVALID_CURSOR"
	codeInvalidDecision = "INVALID_DECISION"
	codeNotLatest       = "NOT_LATEST_TURN"
	codeRequestGone     = "REQUEST_GONE"
	codeShuttingDown    = "SHUTTING_DOWN"
)

// apiError is an answer that refuses: status, machine code, words, and records beside them.
type apiError struct {
	status  int
	code    string
	message string
	cause   error
	records []namedRecord
}

type namedRecord struct {
	name  string
	value any
}

func fail(status int, code, message string) *apiError {
	return &apiError{status: status, code: code, message: message}
}

// internalError answers a failure of the server's own; the cause goes into the log only.
func internalError(cause error) *apiError {
	return &apiError{status: http.StatusInternalServerError, code: codeInternal, message: "the server failed to do this; its log says why", cause: cause}
}

// notFoundOr answers a record that is missing, or else a failure of the server's own.
func notFoundOr(err error, code, message string) *apiError {
	if errors.Is(err, db.ErrNotFound) {
		return fail(http.StatusNotFound, code, message)
	}
	return internalError(err)
}

// with adds a record beside the error.
func (e *apiError) with(name string, value any) *apiError {
	e.records = append(e.records, namedRecord{name, value})
	return e
}

func (e *apiError) body() map[string]any {
	body := map[string]any{}
	for _, r := range e.records {
		body[r.name] = r.value
	}
	body["error"] = protocol.RunError{Code: e.code, Message: e.message}
	return body
}

// answering turns a refusal into its answer.
func (s *Server) answering(h func(http.ResponseWriter, *http.Request) *apiError) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		failure := h(w, r)
		if failure == nil {
			return
		}
		if failure.cause != nil {
			s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "err", failure.cause)
		}
		if failure.status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "2")
		}
		s.writeJSON(w, failure.status, failure.body())
	})
}

func (s *Server) writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := encodeJSON(v)
	if err != nil {
		s.log.Error("an answer cannot be encoded", "err", err)
		status, body = http.StatusInternalServerError, []byte(`{"error":{"code":"`+codeInternal+`","message":"the answer cannot be encoded"}}`)
	}
	w.Header().Set("Content-Type", protocol.JSONType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A client gone by now is no error of ours.
	_, _ = w.Write(body)
}

// maxBody bounds a JSON request, in bytes. The longest message fits with every character escaped.
const maxBody = 8 << 20

// readJSON reads a request's body into v. Requiring the content type keeps other web sites from
// sending requests that browsers let through without asking.
func readJSON(w http.ResponseWriter, r *http.Request, v any) *apiError {
	if !protocol.IsJSON(r.Header.Get("Content-Type")) {
		return fail(http.StatusUnsupportedMediaType, codeContentType, "the Content-Type must be application/json")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return fail(http.StatusRequestEntityTooLarge, codeMessageTooLarge, "the request is too large")
	}
	if err != nil {
		return fail(http.StatusBadRequest, codeBadRequest, "the request did not arrive whole")
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fail(http.StatusBadRequest, codeBadRequest, "the request is not the JSON expected: "+err.Error())
	}
	return nil
}

// needUUID refuses an id that is no UUID in its usual form.
func needUUID(name, value string) *apiError {
	if uuid.Validate(value) != nil || len(value) != 36 {
		return fail(http.StatusBadRequest, codeBadID, name+" must be a UUID")
	}
	return nil
}

// needVersion refuses a stream request of another protocol version.
func needVersion(r *http.Request) *apiError {
	if r.Header.Get(protocol.VersionHeader) != protocol.VersionValue {
		return fail(http.StatusBadRequest, codeStreamVersion, "the header "+protocol.VersionHeader+" must be "+protocol.VersionValue)
	}
	return nil
}

// needSession refuses a session that does not exist.
func (s *Server) needSession(r *http.Request) (db.Session, *apiError) {
	session, err := s.db.Session(r.Context(), r.PathValue("sid"))
	if err != nil {
		return session, notFoundOr(err, codeSessionNotFound, "there is no such session")
	}
	return session, nil
}

// languageOf takes the first language a request accepts; anything but Chinese is English.
func languageOf(r *http.Request) string {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(r.Header.Get(protocol.LanguageHeader))), "zh") {
		return protocol.LangZH
	}
	return protocol.LangEN
}

func (s *Server) capabilities(w http.ResponseWriter, _ *http.Request) *apiError {
	s.writeJSON(w, http.StatusOK, protocol.Capabilities{RunCancel: true, JobCancel: true, EditLatest: true})
	return nil
}
