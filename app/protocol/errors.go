package protocol

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Codes the server sends.
const (
	CodeReplayUnavailable = "REPLAY_UNAVAILABLE"
	CodeRunNotFound       = "RUN_NOT_FOUND"
	CodeRunActive         = "RUN_ACTIVE"
	CodeRequestStale      = "REQUEST_STALE"
	CodeRequestMismatch   = "REQUEST_MISMATCH"
	CodeAlreadyDecided    = "ALREADY_DECIDED"
	CodeInterrupted       = "INTERRUPTED"
	CodeFileTooLarge      = "FILE_TOO_LARGE"
	CodeFileType          = "FILE_TYPE"
	CodeFileEmpty         = "FILE_EMPTY"
)

// Codes the client makes where the server sent none. CodeHTTPPrefix is followed by the status.
const (
	CodeHTTPPrefix     = "HTTP_"
	CodeBadContentType = "BAD_CONTENT_TYPE"
	CodeBadFrame       = "BAD_FRAME"
	CodeVersion        = "PROTOCOL_VERSION"
	CodeNetwork        = "NETWORK"
)

// Error is a request or a stream that failed: a machine code, the HTTP status (0 without an answer)
// and the server's own words, if any.
type Error struct {
	Code       string
	Status     int
	Message    string
	RetryAfter time.Duration // 0: the server did not say
	JSON       bool          // the body was JSON: the backend itself answered, not a proxy
	Body       string        // the JSON body, for answers that carry a record beside the error
}

func (e *Error) Error() string {
	s := e.Code
	if e.Status != 0 {
		s += " (HTTP " + strconv.Itoa(e.Status) + ")"
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// Unknown reports whether the failure leaves open if the server accepted the request: then control
// must be read before anything else is done. True for a failed network, a cut, 502, 504, a 503
// without JSON and a 200 of another content type.
func (e *Error) Unknown() bool {
	switch e.Status {
	case 0, 502, 504:
		return true
	case 503:
		return !e.JSON
	case 200:
		return true
	}
	return false
}

// NetworkError is a request that got no answer.
func NetworkError(cause error) *Error {
	return &Error{Code: CodeNetwork, Message: cause.Error()}
}

// DecodeError makes an error of an answer that is not the wanted one. The code is looked for in
// error.code, code, detail.code and detail, in this order; anything else gives HTTP_<status>, or
// BAD_CONTENT_TYPE for a success that carries no JSON.
func DecodeError(status int, contentType, retryAfter string, body []byte, now time.Time) *Error {
	e := &Error{Status: status, RetryAfter: parseRetryAfter(retryAfter, now)}
	if root, err := object("error", body); err == nil {
		e.JSON = true
		e.Body = string(body)
		e.Code = firstString(root, "error.code", "code", "detail.code", "detail")
		e.Message = firstString(root, "error.message", "message", "detail.message", "error", "detail")
	}
	if e.Code != "" {
		return e
	}
	if status < 300 {
		e.Code = CodeBadContentType
		e.Message = contentType
		return e
	}
	e.Code = CodeHTTPPrefix + strconv.Itoa(status)
	return e
}

func firstString(root gjson.Result, paths ...string) string {
	for _, path := range paths {
		if r := root.Get(path); r.Type == gjson.String && r.Str != "" {
			return r.Str
		}
	}
	return ""
}

// parseRetryAfter reads seconds or an HTTP date. Longer than an hour counts as an hour, so that a
// wrong clock cannot park the page for days.
func parseRetryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	d := time.Duration(0)
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		d = time.Duration(min(n, 3600) * float64(time.Second))
	} else if at, err := time.Parse(time.RFC1123, s); err == nil {
		d = at.Sub(now)
	}
	return max(0, min(d, time.Hour))
}

// IsEventStream reports whether a Content-Type header names an event stream.
func IsEventStream(contentType string) bool { return mediaType(contentType) == EventStream }

// IsJSON reports whether a Content-Type header names JSON.
func IsJSON(contentType string) bool {
	t := mediaType(contentType)
	return t == JSONType || strings.HasSuffix(t, "+json")
}

func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}
