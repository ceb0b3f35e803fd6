package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"igraph-console/app/protocol"
)

// bundle makes a directory with the pages of a built client.
func bundle(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"index.html", "s/index.html", "404.html"} {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte("page "+name), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func file(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatCannotStartSaysWhyAndWhatToDo(t *testing.T) {
	dist := bundle(t)
	plainFile := file(t, t.TempDir(), "file", "x")
	damaged := t.TempDir()
	file(t, damaged, "igraph.db", strings.Repeat("this is no database ", 100))
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	next := fmt.Sprintf("127.0.0.1:%d", taken.Addr().(*net.TCPAddr).Port%65535+1)
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"unknown flag":         {[]string{"-prot", "1"}, 2, []string{"-prot", "Usage: serve"}},
		"argument":             {[]string{"run"}, 2, []string{`unexpected argument "run"`, "-help"}},
		"address without port": {[]string{"-addr", "localhost"}, 2, []string{`-addr "localhost"`, "127.0.0.1:8080"}},
		"address beyond":       {[]string{"-addr", ":99999"}, 2, []string{`-addr ":99999"`}},
		"backend no URL":       {[]string{"-backend", "localhost:21108"}, 2, []string{"-backend", "http://localhost:21108"}},
		"backend of no scheme": {[]string{"-backend", "ftp://x"}, 2, []string{"-backend"}},
		"faults elsewhere":     {[]string{"-backend", "http://x", "-faults"}, 2, []string{"-faults", "embedded"}},
		"pace below":           {[]string{"-pace", "-1"}, 2, []string{"-pace"}},
		"pace no number":       {[]string{"-pace", "NaN"}, 2, []string{"-pace"}},
		"buffer":               {[]string{"-buffer", "0"}, 2, []string{"-buffer"}},
		"heartbeat":            {[]string{"-heartbeat", "0s"}, 2, []string{"-heartbeat", "10s"}},
		"approval timeout":     {[]string{"-approval-timeout", "-1s"}, 2, []string{"-approval-timeout"}},
		"no data directory":    {[]string{"-data", ""}, 2, []string{"-data"}},
		"bundle missing":       {[]string{"-dist", t.TempDir(), "-data", t.TempDir()}, 1, []string{"make build", "-dist"}},
		"data is a file":       {[]string{"-addr", "127.0.0.1:0", "-dist", dist, "-data", plainFile}, 1, []string{plainFile, "it is a file", "-data"}},
		"data cannot be made":  {[]string{"-addr", "127.0.0.1:0", "-dist", dist, "-data", filepath.Join(plainFile, "sub")}, 1, []string{plainFile, "writable", "-data"}},
		"database damaged":     {[]string{"-addr", "127.0.0.1:0", "-dist", dist, "-data", damaged}, 1, []string{filepath.Join(damaged, "igraph.db"), "damaged", "move"}},
		"port in use":          {[]string{"-dist", dist, "-data", t.TempDir(), "-addr", taken.Addr().String()}, 1, []string{"already in use", "-addr " + next}},
		"host of others":       {[]string{"-dist", dist, "-data", t.TempDir(), "-addr", "192.0.2.1:80"}, 1, []string{"cannot listen on 192.0.2.1:80", "-addr"}},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, words := range c.says {
				if !strings.Contains(stderr.String(), words) {
					t.Errorf("does not say %q: %s", words, stderr.String())
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("says it is ready: %s", stdout.String())
			}
		})
	}
}

func TestADataDirectoryOfANewerVersionIsLeftAlone(t *testing.T) {
	data := t.TempDir()
	s := serving(t, "-dist", "", "-data", data)
	s.stop()
	db := filepath.Join(data, "igraph.db")
	content, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	content[63] = 99 // the low byte of the version in an SQLite file's header
	file(t, data, "igraph.db", string(content))
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-dist", "", "-data", data, "-addr", "127.0.0.1:0"}, io.Discard, &stderr); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(stderr.String(), "newer version") {
		t.Errorf("says %s", stderr.String())
	}
}

func TestADataDirectoryInUseIsLeftAlone(t *testing.T) {
	data := t.TempDir()
	s := serving(t, "-dist", "", "-data", data)
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-dist", "", "-data", data, "-addr", "127.0.0.1:0"}, io.Discard, &stderr); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(stderr.String(), "Another process uses it") {
		t.Errorf("says %s", stderr.String())
	}
	s.stop()
	serving(t, "-dist", "", "-data", data).stop()
}

func TestHelpIsNoError(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-help"}, io.Discard, &stderr); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for _, name := range []string{"-addr", "-data", "-backend", "-dist", "-pace", "-faults", "-buffer", "-approval-timeout", "-heartbeat"} {
		if !strings.Contains(stderr.String(), "  "+name) {
			t.Errorf("%s is not explained", name)
		}
	}
}

// server is a running program.
type server struct {
	t      *testing.T
	url    string
	cancel context.CancelFunc
	code   chan int
	stderr *guardedBuffer
}

type guardedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (g *guardedBuffer) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.Write(p)
}

func (g *guardedBuffer) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.String()
}

// serving starts the program on a free port and waits until it says where it is.
func serving(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{t: t, cancel: cancel, code: make(chan int, 1), stderr: &guardedBuffer{}}
	out, in := io.Pipe()
	go func() {
		s.code <- run(ctx, append(args, "-addr", "127.0.0.1:0"), in, s.stderr)
		in.Close()
	}()
	t.Cleanup(cancel)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it did not start: %s", s.stderr.String())
	}
	_, s.url, _ = strings.Cut(strings.TrimSpace(line), "open ")
	s.url = strings.TrimSuffix(s.url, "/")
	return s
}

func (s *server) stop() {
	s.t.Helper()
	s.cancel()
	if code := <-s.code; code != exitOK {
		s.t.Errorf("exit code %d: %s", code, s.stderr.String())
	}
}

func (s *server) get(path string) (int, string) {
	s.t.Helper()
	res, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (s *server) post(path, body string, header ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequest("POST", s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(protocol.VersionHeader, "2")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { res.Body.Close() })
	return res
}

func TestPagesAndAPIAreServedAtTheAddressItPrints(t *testing.T) {
	s := serving(t, "-dist", bundle(t), "-data", t.TempDir(), "-pace", "0")
	if status, body := s.get("/"); status != 200 || body != "page index.html" {
		t.Errorf("/ is %d %q", status, body)
	}
	if status, body := s.get(protocol.PathCapabilities); status != 200 || !strings.Contains(body, `"run_cancel_v1":true`) {
		t.Errorf("capabilities are %d %q", status, body)
	}
	if status, _ := s.get("/api/__faults"); status != 404 {
		t.Errorf("faults are offered without being asked for: %d", status)
	}
	if res := s.post(protocol.PathSessions, "{}", "Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"); res.StatusCode != 403 {
		t.Errorf("another web site may post: %d", res.StatusCode)
	}
	s.stop()
	if got := s.stderr.String(); !strings.Contains(got, "msg=request") || !strings.Contains(got, "duration=") {
		t.Errorf("the log is %s", got)
	}
}

func TestStoppingEndsRunsAndTellsTheirObservers(t *testing.T) {
	s := serving(t, "-dist", "", "-data", t.TempDir(), "-faults")
	var sid string
	session, err := io.ReadAll(s.post(protocol.PathSessions, "").Body)
	if err != nil {
		t.Fatal(err)
	}
	_, sid, _ = strings.Cut(string(session), `"session_id":"`)
	sid, _, _ = strings.Cut(sid, `"`)
	s.post("/api/__faults/script", `{"keep_running":true,"steps":[]}`)
	stream := s.post(protocol.PathChat(sid), `{"message":"秘密"}`)
	in := bufio.NewReader(stream.Body)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "run_started") {
		t.Fatalf("%q, %v", line, err)
	}
	s.stop()
	rest, err := io.ReadAll(in)
	if err != nil || !strings.Contains(string(rest), `"code":"INTERRUPTED"`) {
		t.Errorf("the stream ended with %q, %v", rest, err)
	}
	if strings.Contains(s.stderr.String(), "秘密") {
		t.Errorf("the log tells what the person wrote: %s", s.stderr.String())
	}
}

func TestAnAbsentBackendIsWarnedOfAndAnsweredFor(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	target := "http://" + gone.Addr().String()
	gone.Close()
	s := serving(t, "-dist", bundle(t), "-backend", target)
	if status, body := s.get(protocol.PathSessions); status != 502 || !strings.Contains(body, "BACKEND_UNREACHABLE") {
		t.Errorf("sessions are %d %q", status, body)
	}
	if status, _ := s.get("/"); status != 200 {
		t.Errorf("the page is %d", status)
	}
	for !strings.Contains(s.stderr.String(), "check -backend") {
	}
	s.stop()
}
