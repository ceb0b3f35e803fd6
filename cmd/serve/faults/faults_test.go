package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend"
	"igraph-console/cmd/serve/faults"
)

// bench is a backend behind faults, with one session.
type bench struct {
	t       *testing.T
	web     *httptest.Server
	session string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	cfg := backend.Config{Dir: t.TempDir(), Heartbeat: time.Hour}
	f := faults.New(backend.SystemClock{})
	f.Configure(&cfg)
	server, err := backend.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, web: httptest.NewServer(f.Handler(server, server.Handler()))}
	t.Cleanup(func() {
		b.call("DELETE", faults.Path, "")
		b.web.CloseClientConnections()
		b.web.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	b.session = b.want(200, "POST", protocol.PathSessions, "")["session_id"].(string)
	return b
}

func (b *bench) do(method, path, body string) (*http.Response, error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	b.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, b.web.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set(protocol.VersionHeader, "2")
	req.Header.Set("Accept-Language", "zh-CN")
	// A connection of its own: a kept one that breaks would be tried again by the client.
	req.Close = true
	return b.web.Client().Do(req)
}

// call gives the status, the body as far as it came, and what broke the connection.
func (b *bench) call(method, path, body string) (int, string, error) {
	b.t.Helper()
	res, err := b.do(method, path, body)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, string(data), err
}

func (b *bench) want(status int, method, path, body string) map[string]any {
	b.t.Helper()
	got, data, err := b.call(method, path, body)
	if err != nil || got != status {
		b.t.Fatalf("%s %s: status %d, want %d: %s, %v", method, path, got, status, data, err)
	}
	var obj map[string]any
	_ = json.Unmarshal([]byte(data), &obj) // a stream is none
	return obj
}

func (b *bench) fault(body string) {
	b.t.Helper()
	b.want(200, "POST", faults.Path, body)
}

func (b *bench) script(steps string) {
	b.t.Helper()
	b.want(200, "POST", faults.Path+"/script", `{"steps":[`+steps+`]}`)
}

func (b *bench) chat() (int, string, error) {
	b.t.Helper()
	return b.call("POST", protocol.PathChat(b.session), `{"message":"你好","start_request_id":"`+uuid.NewString()+`"}`)
}

// log lists the requests of an endpoint as "status outcome".
func (b *bench) log(on string) []string {
	b.t.Helper()
	var list []string
	for _, e := range b.want(200, "GET", faults.Path+"/log?on="+on, "")["requests"].([]any) {
		entry := e.(map[string]any)
		list = append(list, fmt.Sprint(entry["status"], " ", entry["outcome"]))
	}
	return list
}

// settled reads the log until no request of the endpoint is open.
func (b *bench) settled(on string) []string {
	b.t.Helper()
	for {
		list := b.log(on)
		if !strings.Contains(strings.Join(list, ","), "open") {
			return list
		}
	}
}

// awaitGate waits until somebody waits at a gate.
func (b *bench) awaitGate(name string) {
	b.t.Helper()
	for {
		gates := b.want(200, "GET", faults.Path, "")["gates"].(map[string]any)
		if g, ok := gates[name].(map[string]any); ok && g["waiting"].(float64) > 0 {
			return
		}
	}
}

const (
	first  = `{"events":[{"type":"message_start","message_id":"m-1"},{"type":"message_delta","message_id":"m-1","delta":"甲👍🏽"}]}`
	second = `{"events":[{"type":"message_delta","message_id":"m-1","delta":"乙"}]}`
)

// indexes lists the event indexes of a stream's whole frames; x is no JSON.
func indexes(body string) string {
	var list []string
	for block := range strings.SplitSeq(body, "\n\n") {
		data, is := strings.CutPrefix(block, "data: ")
		if !is {
			continue
		}
		var f struct {
			Version int    `json:"protocol_version"`
			Index   *int64 `json:"event_index"`
		}
		switch err := json.Unmarshal([]byte(data), &f); {
		case err != nil:
			list = append(list, "x")
		case f.Index == nil:
			list = append(list, "null")
		default:
			list = append(list, fmt.Sprint(*f.Index))
		}
	}
	return strings.Join(list, " ")
}

func TestEditsChangeTheFramesTheyName(t *testing.T) {
	whole := "0 1 2 3"
	for name, c := range map[string]struct {
		edit, indexes, contains, outcome string
		broken                           bool
	}{
		"none":      {``, whole, `"delta":"甲👍🏽"`, "done", false},
		"cut":       {`{"frame":3,"do":"cut"}`, "0 1", "", "cut", true},
		"clean cut": {`{"frame":3,"do":"cut","clean":true}`, "0 1", "", "cut", false},
		"half":      {`{"frame":2,"do":"half"}`, "0 x", "", "cut", true},
		"drop":      {`{"frame":2,"do":"drop"}`, "0 2 3", "", "done", false},
		"duplicate": {`{"frame":2,"do":"duplicate"}`, "0 1 1 2 3", "", "done", false},
		"swap":      {`{"frame":2,"do":"swap"}`, "0 2 1 3", "", "done", false},
		"swap last": {`{"frame":4,"do":"swap"}`, whole, "", "done", false},
		"corrupt":   {`{"frame":2,"do":"corrupt"}`, "0 x 2 3", "", "done", false},
		"run":       {`{"frame":2,"do":"run"}`, whole, `"run_id":"00000000-0000-4000-8000-00000000abcd","event_index":1`, "done", false},
		"session":   {`{"frame":2,"do":"session"}`, whole, `"session_id":"00000000-0000-4000-8000-00000000abcd"`, "done", false},
		"version":   {`{"frame":2,"do":"version"}`, whole, `"protocol_version":99`, "done", false},
		"before":    {`{"frame":2,"do":"before","text":": note\n\n"}`, whole, ": note\n\ndata: ", "done", false},
		"replace":   {`{"frame":2,"do":"replace","text":"data: []\n\n"}`, "0 x 2 3", "", "done", false},
		"announce":  {`{"frame":2,"do":"announce","text":"[{\"type\":\"stream_recovery_required\",\"reason\":\"r\"}]"}`, "0 null 1 2 3", `"event_index":null,"events":[{"type":"stream_recovery_required","reason":"r"}]}`, "done", false},
		"each":      {`{"frame":0,"do":"duplicate"}`, "0 0 1 1 2 2 3 3", "", "done", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.script(first + "," + second)
			b.fault(`{"on":"chat","edits":[` + c.edit + `]}`)
			_, body, err := b.chat()
			if got := indexes(body); got != c.indexes {
				t.Errorf("frames %s, want %s in %s", got, c.indexes, body)
			}
			if !strings.Contains(body, c.contains) {
				t.Errorf("no %s in %s", c.contains, body)
			}
			if (err != nil) != c.broken {
				t.Errorf("the connection broke: %v", err)
			}
			if got := b.settled("chat"); len(got) != 1 || got[0] != "200 "+c.outcome {
				t.Errorf("log %v", got)
			}
		})
	}
}

func TestAnAnswerBreaksAfterSoManyBytesAndComesInPieces(t *testing.T) {
	b := newBench(t)
	for _, n := range []int{1, 100, 333} {
		b.script(first)
		b.fault(fmt.Sprintf(`{"on":"chat","cut_bytes":%d,"chunk":1}`, n))
		if _, body, err := b.chat(); len(body) != n || err == nil {
			t.Errorf("%d bytes came, want %d; %v", len(body), n, err)
		}
		b.fault(`{"on":"control","cut_bytes":5}`)
		if _, body, err := b.call("GET", protocol.PathControl(b.session, "x"), ""); len(body) != 5 || err == nil {
			t.Errorf("control came as %q, %v", body, err)
		}
	}
}

func TestAnAnswerBreaksOnceItsGateIsOpened(t *testing.T) {
	b := newBench(t)
	b.script(first)
	b.fault(`{"on":"chat","cut_bytes":100,"cut_gate":"g"}`)
	over := make(chan string)
	go func() {
		_, body, _ := b.chat()
		over <- body
	}()
	b.awaitGate("g")
	select {
	case <-over:
		t.Fatal("the answer broke before its gate was opened")
	default:
	}
	b.fault(`{"open":"g"}`)
	if body := <-over; len(body) != 100 {
		t.Errorf("%d bytes came, want 100", len(body))
	}
}

func TestARuleActsAsOftenAsItSaysAndOnWhomItSays(t *testing.T) {
	b := newBench(t)
	b.fault(`{"on":"session","skip":1,"times":2,"status":500,"code":"X"}`)
	b.fault(`{"on":"session","session":"another","times":-1,"status":418}`)
	var got []int
	for range 5 {
		status, _, _ := b.call("GET", protocol.PathSession(b.session), "")
		got = append(got, status)
	}
	if fmt.Sprint(got) != "[200 500 500 200 200]" {
		t.Errorf("answers %v", got)
	}
	if status, _, _ := b.call("GET", protocol.PathSession("another"), ""); status != 418 {
		t.Errorf("another session is answered by %d", status)
	}
}

func TestAnswersInTheBackendsPlace(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ rule, contentType, body string }{
		{`"status":429,"code":"RATE","headers":{"Retry-After":"1"}`, "application/json", `{"error":{"code":"RATE","message":"a fault was asked for"}}`},
		{`"status":502,"body":"<html>bad gateway"`, "text/html; charset=utf-8", "<html>bad gateway"},
		{`"status":200,"body":"<html>sign in"`, "text/html; charset=utf-8", "<html>sign in"},
		{`"status":200,"body":"{\"error\":\"x\"}"`, "application/json", `{"error":"x"}`},
		{`"status":200,"content_type":"text/event-stream"`, "text/event-stream", ""},
	} {
		b.fault(`{"on":"chat",` + c.rule + `}`)
		res, err := b.do("POST", protocol.PathChat(b.session), `{"message":"x"}`)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || string(body) != c.body || res.Header.Get("Content-Type") != c.contentType {
			t.Errorf("%s gives %q of %s, %v", c.rule, body, res.Header.Get("Content-Type"), err)
		}
		if strings.Contains(c.rule, "Retry-After") && res.Header.Get("Retry-After") != "1" {
			t.Error("no Retry-After")
		}
	}
	if turns := b.want(200, "GET", protocol.PathSession(b.session), "")["turns"].([]any); len(turns) != 0 {
		t.Errorf("the backend saw the requests: %v", turns)
	}
}

func TestALostAnswerStandsForAnAcceptedActAndARefusedOneDoesNot(t *testing.T) {
	b := newBench(t)
	b.fault(`{"on":"chat","refuse":true}`)
	if status, _, err := b.chat(); err == nil {
		t.Errorf("refused, but answered by %d", status)
	}
	if turns := b.want(200, "GET", protocol.PathSession(b.session), "")["turns"].([]any); len(turns) != 0 {
		t.Errorf("refused, but accepted: %v", turns)
	}
	b.script(first + `,{"events":[{"type":"approval_required","request":{"request_id":"q-1","args":{}}}]},{"await":"decision"},` +
		`{"events":[{"type":"skill_candidate","candidate_id":"s-1","name":"n"},{"type":"tool_start","tool":"t","call_id":"j-1","job":true},{"type":"run_end","status":"completed"}]}`)
	lost := func(on, path, body string) {
		t.Helper()
		b.fault(`{"on":"` + on + `","lose":true}`)
		if status, _, err := b.call("POST", path, body); err == nil {
			t.Errorf("%s was answered by %d", on, status)
		}
		if got := b.settled(on); got[len(got)-1] == "" || !strings.HasSuffix(got[len(got)-1], " lost") {
			t.Errorf("log of %s: %v", on, got)
		}
	}
	start := uuid.NewString()
	lost("chat", protocol.PathChat(b.session), `{"message":"x","start_request_id":"`+start+`"}`)
	control := b.want(200, "GET", protocol.PathControlByStart(b.session, start), "")
	run := control["run_id"].(string)
	for control["status"] != "paused" {
		control = b.want(200, "GET", protocol.PathControl(b.session, run), "")
	}
	lost("feedback", protocol.PathFeedback(b.session), `{"run_id":"`+run+`","request_id":"q-1","decision_id":"`+uuid.NewString()+`","decision":"approve"}`)
	for control["can_send"] != true {
		control = b.want(200, "GET", protocol.PathControl(b.session, run), "")
	}
	if control["last_decision"].(map[string]any)["decision"] != "approve" || control["status"] != "completed" {
		t.Errorf("control %v", control)
	}
	lost("job_cancel", protocol.PathCancelJob(b.session, "j-1"), `{"cancel_request_id":"`+uuid.NewString()+`"}`)
	for b.want(200, "GET", protocol.PathJobControl(b.session, "j-1"), "")["status"] != "cancelled" {
	}
	lost("skill_decision", protocol.PathSkillDecision("s-1"), `{"decision":"reject","decision_id":"`+uuid.NewString()+`"}`)
	if list := b.want(200, "GET", protocol.PathSkills(b.session), "")["candidates"].([]any); list[0].(map[string]any)["status"] != "reject" {
		t.Errorf("candidates %v", list)
	}
	lost("session_create", protocol.PathSessions, "")
	if list := b.want(200, "GET", protocol.PathSessions, "")["sessions"].([]any); len(list) != 2 {
		t.Errorf("%d sessions", len(list))
	}
}

func TestAStallHoldsTheStreamUntilItsGateOpens(t *testing.T) {
	b := newBench(t)
	b.script(first + "," + second)
	b.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall"}]}`)
	res, err := b.do("POST", protocol.PathChat(b.session), `{"message":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	b.awaitGate("stall")
	b.fault(`{"open":"stall"}`)
	body, err := io.ReadAll(res.Body)
	if err != nil || indexes(string(body)) != "0 1 2 3" {
		t.Errorf("frames %s, %v", indexes(string(body)), err)
	}
}

func TestADelayedRequestWaitsAtItsGateOrIsLeft(t *testing.T) {
	b := newBench(t)
	b.fault(`{"on":"control","times":2,"delay_ms":1,"gate":"g"}`)
	answered := make(chan int)
	go func() {
		status, _, _ := b.call("GET", protocol.PathControl(b.session, "x"), "")
		answered <- status
	}()
	b.awaitGate("g")
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "GET", b.web.URL+protocol.PathControl(b.session, "y"), nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan bool)
	go func() {
		if res, err := b.web.Client().Do(req); err == nil {
			res.Body.Close()
		}
		close(gone)
	}()
	for len(b.log("control")) < 2 {
	}
	leave()
	<-gone
	for b.log("control")[1] == "0 open" {
	}
	if got := b.log("control")[1]; got != "0 left" {
		t.Errorf("the request that was left is %s", got)
	}
	b.fault(`{"open":"g"}`)
	if status := <-answered; status != 404 {
		t.Errorf("answer %d", status)
	}
}

func TestHoldsKeepAnEndFromBeingConfirmed(t *testing.T) {
	b := newBench(t)
	for _, step := range []string{"execution_stopped", "terminal_persisted", "can_send"} {
		b.fault(`{"hold":"` + step + `"}`)
	}
	b.fault(`{"hold":"snapshot"}`)
	b.script(first)
	_, body, err := b.chat()
	if err != nil {
		t.Fatal(err)
	}
	run := between(body, `"run_id":"`, `"`)
	flags := func() string {
		c := b.want(200, "GET", protocol.PathControl(b.session, run), "")
		return fmt.Sprint(c["execution_stopped"], c["terminal_persisted"], c["can_send"])
	}
	for _, c := range [][2]string{{"execution_stopped", "falsefalsefalse"}, {"terminal_persisted", "truefalsefalse"}, {"can_send", "truetruefalse"}} {
		b.awaitGate(c[0])
		if got := flags(); strings.ReplaceAll(got, " ", "") != c[1] {
			t.Errorf("before %s: %s", c[0], got)
		}
		b.fault(`{"open":"` + c[0] + `"}`)
	}
	for strings.Contains(flags(), "false") {
	}
	snapshot := func() any { return b.want(200, "GET", protocol.PathSnapshot(b.session, run), "")["snapshot_complete"] }
	if snapshot() != false {
		t.Error("the snapshot is not held")
	}
	b.fault(`{"open":"snapshot"}`)
	if snapshot() != true {
		t.Error("the snapshot is still held")
	}
}

func TestStreamsEndAtAPauseWhereThatIsAskedFor(t *testing.T) {
	b := newBench(t)
	b.fault(`{"hold":"open_stream"}`)
	b.script(`{"events":[{"type":"approval_required","request":{"request_id":"q-1","args":{}}}]},{"await":"q-1"}`)
	if _, body, err := b.chat(); err != nil || indexes(body) != "0 1" {
		t.Errorf("frames %s, %v", indexes(body), err)
	}
}

func TestCommandsReachIntoTheBackend(t *testing.T) {
	b := newBench(t)
	b.want(200, "POST", faults.Path+"/script", `{"keep_running":true,"steps":[`+first+`],"start":{"session_id":"`+b.session+`","message":"你好","language":"zh-CN"}}`)
	detail := b.want(200, "GET", protocol.PathSession(b.session), "")
	run := detail["active_run"].(map[string]any)["run_id"].(string)
	if turn := detail["turns"].([]any)[0].(map[string]any); turn["response_language"] != "zh-CN" || turn["user"].(map[string]any)["text"] != "你好" {
		t.Errorf("turn %v", turn)
	}
	for b.want(200, "GET", protocol.PathControl(b.session, run), "")["last_event_index"] != 1.0 {
	}
	res, err := b.do("POST", protocol.PathResume(b.session, run, -1), "")
	if err != nil {
		t.Fatal(err)
	}
	var seen bytes.Buffer
	until := func(text string) {
		t.Helper()
		buf := make([]byte, 1)
		for !strings.Contains(seen.String(), text) {
			if _, err := res.Body.Read(buf); err != nil {
				t.Fatalf("%v after %s", err, seen.String())
			}
			seen.Write(buf)
		}
	}
	until("replay_complete")
	b.fault(`{"recovery":"因为","run":"` + run + `"}`)
	until(`"stream_recovery_required","reason":"因为"`)
	b.fault(`{"evict":true}`)
	b.want(409, "POST", protocol.PathResume(b.session, run, -1), "")
	b.fault(`{"restart":true}`)
	if _, err := io.Copy(&seen, res.Body); err == nil {
		t.Error("the stream ended properly in a restart")
	}
	c := b.want(200, "GET", protocol.PathControl(b.session, run), "")
	if c["status"] != "failed" || c["error"].(map[string]any)["code"] != "INTERRUPTED" {
		t.Errorf("control %v", c)
	}
}

func TestScriptsPlayTheirSteps(t *testing.T) {
	b := newBench(t)
	b.want(200, "POST", faults.Path+"/script", `{"session":"another","steps":[]}`)
	b.want(200, "POST", faults.Path+"/script", `{"bare":true,"steps":[{"index":5,"events":[{"type":"message_delta","message_id":"m-1","delta":"价格¥5 👍🏽完"}]},`+
		`{"gate":"g","delay_ms":1},{"announce":true,"events":[{"type":"note"}]},{"index":9,"events":[{"type":"run_end","status":"failed","error":{"code":"E","message":"m"}}]}]}`)
	res, err := b.do("POST", protocol.PathChat(b.session), `{"message":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	b.awaitGate("g")
	b.fault(`{"open":"g"}`)
	body, err := io.ReadAll(res.Body)
	if err != nil || indexes(string(body)) != "5 null 9" || !strings.Contains(string(body), "价格¥5 👍🏽完") {
		t.Errorf("%s, %v", body, err)
	}
	run := between(string(body), `"run_id":"`, `"`)
	c := b.want(200, "GET", protocol.PathControl(b.session, run), "")
	for c["can_send"] != true {
		c = b.want(200, "GET", protocol.PathControl(b.session, run), "")
	}
	if c["status"] != "failed" || c["last_event_index"] != 9.0 || c["error"].(map[string]any)["code"] != "E" {
		t.Errorf("control %v", c)
	}
}

func TestAScriptMayGoOnInSpiteOfACancellation(t *testing.T) {
	b := newBench(t)
	b.want(200, "POST", faults.Path+"/script", `{"ignore_cancel":true,"steps":[`+first+`,{"gate":"g"},`+second+`]}`)
	start := uuid.NewString()
	res, err := b.do("POST", protocol.PathChat(b.session), `{"message":"x","start_request_id":"`+start+`"}`)
	if err != nil {
		t.Fatal(err)
	}
	b.awaitGate("g")
	b.want(202, "POST", protocol.PathCancelRun(b.session), `{"target":{"start_request_id":"`+start+`"},"cancel_request_id":"`+uuid.NewString()+`"}`)
	b.fault(`{"open":"g"}`)
	body, err := io.ReadAll(res.Body)
	if err != nil || indexes(string(body)) != "0 1 2 3 4" || !strings.Contains(string(body), `"run_end","status":"completed"`) {
		t.Errorf("%s, %v", body, err)
	}
}

func TestTheLogTellsWhatArrived(t *testing.T) {
	b := newBench(t)
	b.script(first)
	if _, _, err := b.chat(); err != nil {
		t.Fatal(err)
	}
	e := b.want(200, "GET", faults.Path+"/log?on=chat", "")["requests"].([]any)[0].(map[string]any)
	headers := e["headers"].(map[string]any)
	if e["method"] != "POST" || e["path"] != protocol.PathChat(b.session) || !strings.Contains(e["body"].(string), `"message":"你好"`) ||
		headers["Accept-Language"] != "zh-CN" || headers[protocol.VersionHeader] != "2" {
		t.Errorf("entry %v", e)
	}
	b.want(200, "DELETE", faults.Path+"/log", "")
	if list := b.log(""); len(list) != 0 {
		t.Errorf("after emptying: %v", list)
	}
}

func TestMisspeltFaultsAreRefused(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{`{`, `{}`, `{"on":"chatt","status":500}`, `{"on":"chat","statsu":500}`, `{"hold":"nothing"}`, `{"on":"chat","edits":[{"frame":1,"do":"break"}]}`, `{"opne":"g"}`} {
		b.want(400, "POST", faults.Path, body)
	}
	b.want(400, "POST", faults.Path+"/script", `{"stesp":[]}`)
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}
