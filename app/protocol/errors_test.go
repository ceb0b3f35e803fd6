package protocol_test

import (
	"errors"
	"testing"
	"time"

	"igraph-console/app/protocol"
)

func TestWhereAnErrorHasItsCode(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		status                  int
		code, message           string
		json                    bool
	}{
		{"error.code", "application/json", `{"error":{"code":"RUN_ACTIVE","message":"busy"},"code":"B","detail":{"code":"C"}}`, 409, "RUN_ACTIVE", "busy", true},
		{"code", "application/json", `{"code":"B","message":"m","detail":{"code":"C","message":"n"}}`, 409, "B", "m", true},
		{"code beside an error in words", "application/json", `{"error":"it broke","code":"B"}`, 500, "B", "it broke", true},
		{"detail.code", "application/json", `{"detail":{"code":"C","message":"n"}}`, 404, "C", "n", true},
		{"detail", "application/json", `{"detail":"REPLAY_UNAVAILABLE"}`, 409, "REPLAY_UNAVAILABLE", "REPLAY_UNAVAILABLE", true},
		{"a code that is a number", "application/json", `{"code":409,"detail":{"code":null}}`, 409, "HTTP_409", "", true},
		{"an empty code", "application/json", `{"error":{"code":""},"code":"B"}`, 400, "B", "", true},
		{"JSON without a code", "application/json", `{"x":1}`, 500, "HTTP_500", "", true},
		{"JSON under another name", "text/plain", `{"code":"B"}`, 503, "B", "", true},
		{"a page", "text/html", `<html><body>Bad Gateway</body></html>`, 502, "HTTP_502", "", false},
		{"half a record", "application/json", `{"code":"B"`, 503, "HTTP_503", "", false},
		{"a list", "application/json", `["B"]`, 422, "HTTP_422", "", false},
		{"nothing", "", ``, 401, "HTTP_401", "", false},
		{"a page on success", "text/html; charset=utf-8", `<html>log in</html>`, 200, "BAD_CONTENT_TYPE", "text/html; charset=utf-8", false},
		{"JSON on success", "application/json", `{"error":"x"}`, 200, "BAD_CONTENT_TYPE", "application/json", true},
		{"a redirect", "text/html", ``, 302, "HTTP_302", "", false},
		{"deep", "application/json", `{"code":"B","x":` + nested(10001) + `}`, 500, "HTTP_500", "", false},
	} {
		e := protocol.DecodeError(c.status, c.contentType, "", []byte(c.body), second)
		if e.Code != c.code || e.Message != c.message || e.Status != c.status || e.JSON != c.json || e.RetryAfter != 0 {
			t.Errorf("%s: %+v, want code %q, message %q, json %v", c.name, e, c.code, c.message, c.json)
		}
		if c.json && e.Body != c.body || !c.json && e.Body != "" {
			t.Errorf("%s: body %q is kept", c.name, e.Body)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		header string
		want   time.Duration
	}{
		{"", 0},
		{"5", 5 * time.Second},
		{" 5 ", 5 * time.Second},
		{"0", 0},
		{"0.5", 500 * time.Millisecond},
		{"-5", 0},
		{"86400", time.Hour},
		{"1e300", time.Hour},
		{"NaN", 0},
		{"Mon, 05 Jan 2026 02:00:07 GMT", 7 * time.Second},
		{"Mon, 05 Jan 2026 01:00:00 GMT", 0},
		{"Tue, 06 Jan 2026 02:00:00 GMT", time.Hour},
		{"soon", 0},
		{"5 seconds", 0},
	} {
		e := protocol.DecodeError(503, "", c.header, nil, second)
		if e.RetryAfter != c.want {
			t.Errorf("Retry-After %q waits %v, want %v", c.header, e.RetryAfter, c.want)
		}
	}
}

func TestWhichFailuresLeaveTheOutcomeOpen(t *testing.T) {
	json, page := `{"error":{"code":"X"}}`, `<html>`
	for _, c := range []struct {
		status int
		body   string
		open   bool
	}{
		{502, page, true}, {502, json, true},
		{504, page, true}, {504, json, true},
		{503, page, true}, {503, json, false},
		{200, page, true}, {200, json, true},
		{500, page, false}, {500, json, false},
		{401, page, false}, {403, json, false}, {404, json, false}, {409, json, false}, {410, page, false},
		{429, json, false}, {429, page, false}, {400, json, false},
	} {
		if got := protocol.DecodeError(c.status, "", "", []byte(c.body), second).Unknown(); got != c.open {
			t.Errorf("%d %s: open is %v", c.status, c.body, got)
		}
	}
	if !protocol.NetworkError(errors.New("connection reset")).Unknown() {
		t.Error("a failed network leaves the outcome open")
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	for _, c := range []struct {
		err  *protocol.Error
		want string
	}{
		{protocol.NetworkError(errors.New("connection reset")), "NETWORK: connection reset"},
		{&protocol.Error{Code: "HTTP_502", Status: 502}, "HTTP_502 (HTTP 502)"},
		{&protocol.Error{Code: "RUN_ACTIVE", Status: 409, Message: "busy"}, "RUN_ACTIVE (HTTP 409): busy"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("says %q, want %q", got, c.want)
		}
	}
}

func TestContentTypes(t *testing.T) {
	for _, c := range []struct {
		header       string
		stream, json bool
	}{
		{"text/event-stream", true, false},
		{"Text/Event-Stream; charset=utf-8", true, false},
		{" text/event-stream ;x=y", true, false},
		{"text/event-streams", false, false},
		{"application/json", false, true},
		{"APPLICATION/JSON;charset=utf-8", false, true},
		{"application/problem+json", false, true},
		{"application/jsonp", false, false},
		{"text/html", false, false},
		{"", false, false},
	} {
		if protocol.IsEventStream(c.header) != c.stream || protocol.IsJSON(c.header) != c.json {
			t.Errorf("%q: stream %v, json %v", c.header, protocol.IsEventStream(c.header), protocol.IsJSON(c.header))
		}
	}
}

func TestEndpointsEscapeWhatIsInAnID(t *testing.T) {
	id := "a/b?c=d&e #%价 .~_-"
	escaped := "a%2Fb%3Fc%3Dd%26e%20%23%25%E4%BB%B7%20.~_-"
	for _, c := range []struct{ got, want string }{
		{protocol.PathSessionList("", "", 0), "/api/sessions"},
		{protocol.PathSessionList(id, id, 20), "/api/sessions?cursor=" + escaped + "&limit=20&q=" + escaped},
		{protocol.PathSessionList("", "图", 0), "/api/sessions?q=%E5%9B%BE"},
		{protocol.PathSession(id), "/api/sessions/" + escaped},
		{protocol.PathChat(id), "/api/sessions/" + escaped + "/chat/stream"},
		{protocol.PathFeedback(id), "/api/sessions/" + escaped + "/feedback/stream"},
		{protocol.PathResume(id, id, -1), "/api/sessions/" + escaped + "/runs/" + escaped + "/resume?last_event_index=-1"},
		{protocol.PathResume("s", "r", 9007199254740993), "/api/sessions/s/runs/r/resume?last_event_index=9007199254740993"},
		{protocol.PathSnapshot(id, id), "/api/sessions/" + escaped + "/runs/" + escaped + "/snapshot"},
		{protocol.PathControl(id, id), "/api/sessions/" + escaped + "/runs/control?run_id=" + escaped},
		{protocol.PathControlByStart(id, id), "/api/sessions/" + escaped + "/runs/control?start_request_id=" + escaped},
		{protocol.PathCancelRun(id), "/api/sessions/" + escaped + "/runs/cancel"},
		{protocol.PathCancelJob(id, id), "/api/sessions/" + escaped + "/jobs/" + escaped + "/cancel"},
		{protocol.PathJobControl(id, id), "/api/sessions/" + escaped + "/jobs/" + escaped + "/control"},
		{protocol.PathSkills(id), "/api/sessions/" + escaped + "/skill-candidates"},
		{protocol.PathSkillDecision(id), "/api/skill-candidates/" + escaped + "/decision"},
	} {
		if c.got != c.want {
			t.Errorf("path %s\nwant %s", c.got, c.want)
		}
	}
}
