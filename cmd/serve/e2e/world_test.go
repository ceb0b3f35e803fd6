package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
)

// world is what one test has to itself: a server and a browser context.
type world struct {
	t    *testing.T
	base string // the server's address, without a slash at its end
	args []string
	data string

	process *exec.Cmd
	log     lockedBuffer // what the server wrote

	profile cdp.BrowserContextID // what tabs share: storage, and nothing with other tests
}

// newWorld starts a server with faults on, and gives it further flags. The test becomes parallel.
func newWorld(t *testing.T, flags ...string) *world {
	t.Helper()
	t.Parallel()
	w := &world{t: t, data: t.TempDir()}
	w.args = append([]string{"-dist", built.dist, "-data", w.data, "-pace", "0", "-faults"}, flags...)
	w.serve()
	return w
}

// newProxy starts a server in front of a backend that runs elsewhere, or does not.
func newProxy(t *testing.T, backend string) *world {
	t.Helper()
	t.Parallel()
	w := &world{t: t, data: t.TempDir(), args: []string{"-dist", built.dist, "-backend", backend}}
	w.serve()
	return w
}

func (w *world) serve() {
	w.t.Helper()
	w.t.Cleanup(w.kill)
	w.start()
	var err error
	if w.profile, err = target.CreateBrowserContext().Do(inBrowser()); err != nil {
		w.t.Fatalf("make a browser context: %v", err)
	}
	w.t.Cleanup(func() {
		if err := target.DisposeBrowserContext(w.profile).Do(inBrowser()); err != nil {
			w.t.Errorf("dispose of the browser context: %v", err)
		}
	})
}

// inBrowser is for commands to the browser itself.
func inBrowser() context.Context {
	return cdp.WithExecutor(built.browser, chromedp.FromContext(built.browser).Browser)
}

var readyLine = regexp.MustCompile(`http://(127\.0\.0\.1:\d+)/`)

// start starts the server; after kill it comes back on the same address and data.
func (w *world) start() {
	w.t.Helper()
	addr := "127.0.0.1:0"
	if w.base != "" {
		addr = strings.TrimPrefix(w.base, "http://")
	}
	cmd := exec.Command(built.server, append([]string{"-addr", addr}, w.args...)...)
	cmd.Stderr = &w.log
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatalf("start the server: %v", err)
	}
	w.process = cmd
	line, err := bufio.NewReader(stdout).ReadString('\n')
	at := readyLine.FindStringSubmatch(line)
	if at == nil {
		w.t.Fatalf("the server did not start: it said %q (%v)\n%s", line, err, w.log.String())
	}
	w.base = "http://" + at[1]
}

// kill ends the server as a crash does.
func (w *world) kill() {
	if w.process == nil {
		return
	}
	_ = w.process.Process.Kill()
	_ = w.process.Wait() // it was killed; there is no other news
	w.process = nil
}

// lockedBuffer is written by the server's process and read by the test.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// call makes a request of the API and decodes the answer into out, unless that is nil.
func (w *world) call(method, path string, body, out any) {
	w.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		reader = strings.NewReader(asJSON(w.t, b))
	}
	req, err := http.NewRequest(method, w.base+path, reader)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		w.t.Fatalf("%s %s: status %d: %s (%v)", method, path, res.StatusCode, data, err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(data, out); err != nil {
		w.t.Fatalf("%s %s: %v in %s", method, path, err, data)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// fault sets a rule or a hold, or gives a command, in the JSON that the fault endpoint takes.
func (w *world) fault(format string, args ...any) {
	w.t.Helper()
	w.call("POST", "/api/__faults", fmt.Sprintf(format, args...), nil)
}

func (w *world) openGate(name string) { w.t.Helper(); w.fault(`{"open":%q}`, name) }

// clearFaults takes all faults back and opens all gates.
func (w *world) clearFaults() { w.t.Helper(); w.call("DELETE", "/api/__faults", nil, nil) }

// request is an entry in the server's log of requests.
type request struct {
	At                                     time.Time
	On, Method, Path, Query, Body, Outcome string
	Headers                                map[string]string
	Status                                 int
	BodyBytes                              int `json:"body_bytes"`
}

// field is a member of the request's JSON body, as text.
func (r request) field(name string) string {
	var body map[string]any
	_ = json.Unmarshal([]byte(r.Body), &body) // what is no JSON has no members
	if body[name] == nil {
		return ""
	}
	return fmt.Sprint(body[name])
}

// requests lists what the server was asked at one endpoint so far.
func (w *world) requests(on string) []request {
	w.t.Helper()
	var log struct{ Requests []request }
	w.call("GET", "/api/__faults/log?on="+url.QueryEscape(on), nil, &log)
	return log.Requests
}

// waitRequests waits until an endpoint has been asked so many times.
func (w *world) waitRequests(on string, n int) []request {
	w.t.Helper()
	var list []request
	w.until(fmt.Sprintf("%d requests on %s", n, on), func() bool {
		list = w.requests(on)
		return len(list) >= n
	})
	return list
}

// waitGate waits until so many wait at a gate.
func (w *world) waitGate(name string, n int) {
	w.t.Helper()
	w.until(fmt.Sprintf("%d waiting at gate %s", n, name), func() bool {
		var set struct {
			Gates map[string]struct{ Waiting int }
		}
		w.call("GET", "/api/__faults", nil, &set)
		return set.Gates[name].Waiting >= n
	})
}

// until asks the server again until it is as wanted.
func (w *world) until(what string, as func() bool) {
	w.t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(patience); !as(); <-again.C {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// session makes a session that is there before the page is opened.
func (w *world) session() (id string) {
	w.t.Helper()
	var made struct {
		SessionID string `json:"session_id"`
	}
	w.call("POST", "/api/sessions", `{}`, &made)
	return made.SessionID
}

// turns sends a session messages, one after the other, each to the end of its run.
func (w *world) turns(session string, messages ...string) {
	w.t.Helper()
	for _, message := range messages {
		w.tell(session, message)
		w.until("the session to take another message", func() bool {
			var detail struct {
				Active any `json:"active_run"`
			}
			w.call("GET", "/api/sessions/"+session, nil, &detail)
			return detail.Active == nil
		})
	}
}

// tell sends a session a message and returns the whole stream that answers.
func (w *world) tell(session, message string) []byte {
	w.t.Helper()
	body := map[string]any{"message": message, "start_request_id": uuid.NewString(), "stream": true, "background": true}
	req, err := http.NewRequest("POST", w.base+"/api/sessions/"+session+"/chat/stream", strings.NewReader(asJSON(w.t, body)))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-iGraph-Stream-Version", "2")
	req.Header.Set("Accept-Language", "en-US")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		w.t.Fatalf("send %q: status %d: %s (%v)", message, res.StatusCode, answer, err)
	}
	return answer
}
