package backend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
)

// patience is how long a test waits for what has to happen before it gives up.
const patience = 20 * time.Second

// TestMain fails if anything of the backend still runs once all servers are closed.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if left := leftGoroutines(); left != "" {
			fmt.Fprintln(os.Stderr, "still running after all servers are closed:\n"+left)
			code = 1
		}
	}
	os.Exit(code)
}

// leftGoroutines gives those that are still there after some patience: a connection's goroutine may
// take a moment to notice that it is closed.
func leftGoroutines() string {
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		var left []string
		for _, g := range strings.Split(string(stacks), "\n\n") {
			if strings.Contains(g, "cmd/serve/backend.(*") {
				left = append(left, g)
			}
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return strings.Join(left, "\n\n")
		}
	}
}

// harness is a server with a clock turned by hand, a client, and one session.
type harness struct {
	t       *testing.T
	cfg     Config
	clock   *handClock
	srv     *Server
	web     *httptest.Server
	session string
	scripts chan Script
}

func newHarness(t *testing.T, change ...func(*Config)) *harness {
	t.Helper()
	h := &harness{t: t, clock: newHandClock(), scripts: make(chan Script, 16)}
	h.cfg = Config{Dir: t.TempDir(), Clock: h.clock, Script: func(string) Script {
		select {
		case s := <-h.scripts:
			return s
		default:
			return nil
		}
	}}
	for _, f := range change {
		f(&h.cfg)
	}
	h.open()
	t.Cleanup(h.close)
	h.session = h.newSession()
	return h
}

func (h *harness) open() {
	h.t.Helper()
	srv, err := New(context.Background(), h.cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	h.srv = srv
	h.web = httptest.NewServer(srv.Handler())
}

func (h *harness) close() {
	h.srv.Stop()
	h.web.CloseClientConnections()
	h.web.Close()
	if err := h.srv.Close(); err != nil {
		h.t.Error(err)
	}
}

// reopen ends the process in order and starts another on the same data.
func (h *harness) reopen() {
	h.t.Helper()
	h.close()
	h.open()
}

// answer puts fn in the agent's place.
func (h *harness) answer(fn func(context.Context, agent.Turn, agent.Out) error) { h.srv.answer = fn }

// script gives the next run its content.
func (h *harness) script(s Script) { h.scripts <- s }

// frames is a script of ready frames.
func frames(list ...string) Script {
	return func(_ context.Context, stage *Stage) error {
		if err := stage.Start(); err != nil {
			return err
		}
		for _, events := range list {
			if err := stage.Emit(nil, raw(events)); err != nil {
				return err
			}
		}
		return nil
	}
}

// hanging is a script of ready frames that then goes on until the run is cancelled.
func hanging(list ...string) Script {
	return func(ctx context.Context, stage *Stage) error {
		if err := frames(list...)(ctx, stage); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

func raw(events string) []json.RawMessage {
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(events), &list); err != nil {
		panic(fmt.Sprintf("%v in %s", err, events))
	}
	return list
}

// reply is a whole answer.
type reply struct {
	status int
	header http.Header
	body   string
	obj    map[string]any
}

// code is the error code of an answer.
func (r reply) code() string {
	e, _ := r.obj["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

func (h *harness) request(method, path, body string, header ...string) *http.Request {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	h.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, h.web.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set(protocol.VersionHeader, "2")
	for i := 0; i < len(header); i += 2 {
		req.Header.Del(header[i])
		if header[i+1] != "" {
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req
}

// call makes a request and reads the whole answer.
func (h *harness) call(method, path, body string, header ...string) reply {
	h.t.Helper()
	res, err := h.web.Client().Do(h.request(method, path, body, header...))
	if err != nil {
		h.t.Fatal(err)
	}
	return h.read(res)
}

func (h *harness) read(res *http.Response) reply {
	h.t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	r := reply{status: res.StatusCode, header: res.Header, body: string(body)}
	_ = json.Unmarshal(body, &r.obj) // a stream is none
	return r
}

// want is call with the status it must have.
func (h *harness) want(status int, method, path, body string, header ...string) reply {
	h.t.Helper()
	r := h.call(method, path, body, header...)
	if r.status != status {
		h.t.Fatalf("%s %s: status %d, want %d: %s", method, path, r.status, status, r.body)
	}
	return r
}

// refused is want with the error code it must have.
func (h *harness) refused(status int, code, method, path, body string, header ...string) reply {
	h.t.Helper()
	r := h.want(status, method, path, body, header...)
	if r.code() != code {
		h.t.Fatalf("%s %s: code %q, want %q: %s", method, path, r.code(), code, r.body)
	}
	return r
}

func (h *harness) newSession() string {
	h.t.Helper()
	return h.want(200, "POST", protocol.PathSessions, "").obj["session_id"].(string)
}

// frame is one data frame as the test reads it.
type frame struct {
	Version   int              `json:"protocol_version"`
	SessionID string           `json:"session_id"`
	RunID     string           `json:"run_id"`
	Index     *int64           `json:"event_index"`
	Events    []map[string]any `json:"events"`
}

// index is -1 for a frame without one.
func (f frame) index() int64 {
	if f.Index == nil {
		return -1
	}
	return *f.Index
}

func (f frame) types() string {
	var types []string
	for _, ev := range f.Events {
		types = append(types, ev["type"].(string))
	}
	return strings.Join(types, " ")
}

// watch is an open stream.
type watch struct {
	t    *testing.T
	res  *http.Response
	in   *bufio.Reader
	run  string
	last frame
}

// open makes a stream request.
func (h *harness) stream(path, body string, header ...string) *watch {
	h.t.Helper()
	res, err := h.web.Client().Do(h.request("POST", path, body, header...))
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		r := h.read(res)
		h.t.Fatalf("POST %s: status %d, content type %q: %s", path, r.status, r.header.Get("Content-Type"), r.body)
	}
	w := &watch{t: h.t, res: res, in: bufio.NewReader(res.Body)}
	h.t.Cleanup(w.leave)
	return w
}

func (w *watch) leave() { w.res.Body.Close() }

// block reads up to the next blank line: a frame or a comment. ok is false at the end.
func (w *watch) block() (text string, ok bool) {
	w.t.Helper()
	var b strings.Builder
	for {
		line, err := w.in.ReadString('\n')
		if err == io.EOF && b.Len() == 0 && line == "" {
			return "", false
		}
		if err != nil {
			w.t.Fatalf("the stream broke after %q: %v", b.String()+line, err)
		}
		if line == "\n" {
			return b.String(), true
		}
		b.WriteString(line)
	}
}

// next reads the next data frame; ok is false at the end.
func (w *watch) next() (f frame, ok bool) {
	w.t.Helper()
	for {
		text, ok := w.block()
		if !ok {
			return f, false
		}
		data, is := strings.CutPrefix(text, "data: ")
		if !is {
			continue
		}
		if err := json.Unmarshal([]byte(data), &f); err != nil {
			w.t.Fatalf("bad frame %s: %v", text, err)
		}
		w.run, w.last = f.RunID, f
		return f, true
	}
}

// until reads up to the frame that has an event of a type.
func (w *watch) until(typ string) frame {
	w.t.Helper()
	for {
		f, ok := w.next()
		if !ok {
			w.t.Fatalf("the stream ended before %s", typ)
		}
		for _, ev := range f.Events {
			if ev["type"] == typ {
				return f
			}
		}
	}
}

// rest reads to the end.
func (w *watch) rest() []frame {
	w.t.Helper()
	var list []frame
	for {
		f, ok := w.next()
		if !ok {
			return list
		}
		list = append(list, f)
	}
}

func (h *harness) chatBody(message string, fields ...string) string {
	body := `{"message":` + quote(message) + `,"stream":true,"background":true`
	for i := 0; i < len(fields); i += 2 {
		body += `,"` + fields[i] + `":` + fields[i+1]
	}
	return body + "}"
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// chat sends a message; fields are further members of the body, as JSON.
func (h *harness) chat(message string, fields ...string) *watch {
	h.t.Helper()
	return h.stream(protocol.PathChat(h.session), h.chatBody(message, fields...))
}

// ran sends a message and reads its run to the end.
func (h *harness) ran(message string, fields ...string) (runID string, list []frame) {
	h.t.Helper()
	list = h.chat(message, fields...).rest()
	if len(list) == 0 {
		h.t.Fatal("the run sent nothing")
	}
	return list[0].RunID, list
}

func (h *harness) resume(run string, after int64) *watch {
	h.t.Helper()
	return h.stream(protocol.PathResume(h.session, run, after), "")
}

func (h *harness) control(run string) map[string]any {
	h.t.Helper()
	return h.want(200, "GET", protocol.PathControl(h.session, run), "").obj
}

func (h *harness) snapshot(run string) map[string]any {
	h.t.Helper()
	return h.want(200, "GET", protocol.PathSnapshot(h.session, run), "").obj
}

func (h *harness) detail() map[string]any {
	h.t.Helper()
	return h.want(200, "GET", protocol.PathSession(h.session), "").obj
}

// confirmedAs waits until a run's end is confirmed and checks its status.
func (h *harness) confirmedAs(run, status string) map[string]any {
	h.t.Helper()
	r := h.srv.process().run(h.session, run)
	if r != nil {
		select {
		case <-r.done:
		case <-time.After(patience):
			h.t.Fatalf("run %s did not end: %v", run, h.control(run))
		}
	}
	c := h.control(run)
	for _, flag := range []string{"execution_stopped", "terminal_persisted", "can_send"} {
		if c[flag] != true {
			h.t.Fatalf("%s is not confirmed after the end: %v", flag, c)
		}
	}
	if c["status"] != status {
		h.t.Fatalf("the run is %v, want %s: %v", c["status"], status, c)
	}
	return c
}

func (h *harness) cancel(target, id string) reply {
	h.t.Helper()
	return h.call("POST", protocol.PathCancelRun(h.session), `{"target":`+target+`,"cancel_request_id":"`+id+`"}`)
}

func byRun(run string) string     { return `{"run_id":"` + run + `"}` }
func byStart(start string) string { return `{"start_request_id":"` + start + `"}` }

func newID() string { return uuid.NewString() }

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func containsAll(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

// ask is a frame that pauses a run.
func ask(id string, fields ...string) string {
	extra := strings.Join(fields, "")
	return `[{"type":"approval_required","request":{"request_id":"` + id + `","tool_call_id":"c-` + id +
		`","tool_name":"rm","args":{"n":12345678901234567890},"created_at":"2026-03-01T08:00:00Z"` + extra + `}}]`
}
