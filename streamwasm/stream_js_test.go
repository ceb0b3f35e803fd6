//go:build js && wasm

package streamwasm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall/js"
	"testing"
	"time"

	"igraph-console/streamwasm"
	"igraph-console/streamwasm/internal/webapi"
)

// TestMain fails if the tests together left functions behind that JavaScript could still call.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := settledFuncs(); code == 0 && left != 0 {
		fmt.Printf("%d js.Funcs were not released\n", left)
		code = 1
	}
	os.Exit(code)
}

// settledFuncs waits for the promises of aborted requests, which settle a little later, and returns how many
// functions are live then.
func settledFuncs() int {
	for range 500 {
		if webapi.LiveFuncs() == 0 {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return webapi.LiveFuncs()
}

// at returns the address of a path of the scripted server, which the native test of this package starts.
func at(t testing.TB, path string) string {
	t.Helper()
	server := os.Getenv("STREAMWASM_SERVER")
	if server == "" {
		t.Fatal("STREAMWASM_SERVER is not set: run go test natively, which starts the server and this test")
	}
	return server + path
}

var lastID atomic.Int64

// newID returns an id for a request whose fate a test wants to follow.
func newID() string { return strconv.FormatInt(lastID.Add(1), 10) }

// ask sends a plain request to the scripted server and returns the body of its answer.
func ask(t *testing.T, path string) string {
	t.Helper()
	response, err := streamwasm.Fetch(t.Context(), streamwasm.Request{URL: at(t, path)})
	if err != nil {
		t.Fatal(err)
	}
	return string(response.Body)
}

// background runs do beside the test and returns a function that waits for its end.
func background(do func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	return func() { <-done }
}

func open(t *testing.T, ctx context.Context, path string) *streamwasm.Stream {
	t.Helper()
	stream, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, path)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stream.Close)
	return stream
}

// readAll receives until an error, which it returns with what came before: events by their data, comments with a colon.
func readAll(stream *streamwasm.Stream) (got []string, err error) {
	for err == nil {
		err = stream.Receive(func(e streamwasm.Event) error {
			got = append(got, label(e))
			return nil
		})
	}
	return got, err
}

func label(e streamwasm.Event) string {
	if e.Kind == streamwasm.KindComment {
		return ":" + string(e.Data)
	}
	return string(e.Data)
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("received %q, want %q", got, want)
	}
}

func expectKind(t *testing.T, err error, kinds ...error) {
	t.Helper()
	for _, kind := range kinds {
		if !errors.Is(err, kind) {
			t.Errorf("error %v, want kind %v", err, kind)
		}
	}
}

// chunked is the path of a stream of these chunks, each but the first held back until a release.
func chunked(id string, chunks ...string) string {
	query := url.Values{"id": {id}, "chunk": chunks}
	return "/chunks?" + query.Encode()
}

func TestStreamKeepsCharactersWholeForEveryCut(t *testing.T) {
	const text = "价格¥5 👍🏽完"
	frame := "data: " + text + "\r\n\r\n"
	for cut := 1; cut < len(frame); cut++ {
		id := newID()
		stream := open(t, t.Context(), chunked(id, frame[:cut], frame[cut:]))
		var got []string
		collect := func(e streamwasm.Event) error { got = append(got, label(e)); return nil }
		if err := stream.Receive(collect); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		complete := cut >= len(frame)-1 // the CR of the blank line is there
		if (len(got) == 1) != complete {
			t.Errorf("cut at %d: %q after the first chunk", cut, got)
		}
		ask(t, "/release?id="+id)
		rest, err := readAll(stream)
		if err != io.EOF {
			t.Errorf("cut at %d: error %v, want EOF", cut, err)
		}
		expect(t, append(got, rest...), text)
	}
}

func TestReceiveReportsBytesThatCompleteNothing(t *testing.T) {
	id := newID()
	stream := open(t, t.Context(), chunked(id, ": beat\n", "da", "ta: x", "\n\n"))
	var got []string
	for i := range 4 {
		if err := stream.Receive(func(e streamwasm.Event) error { got = append(got, label(e)); return nil }); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if want := []int{1, 1, 1, 2}[i]; len(got) != want {
			t.Errorf("after chunk %d: %q, want %d entries", i, got, want)
		}
		ask(t, "/release?id="+id)
	}
	expect(t, got, ":beat", "x")
}

func TestStreamReportsIDAndRetry(t *testing.T) {
	stream := open(t, t.Context(), chunked(newID(), "retry: 900\nid: 甲\nevent: run\ndata: x\n\n"))
	err := stream.Receive(func(e streamwasm.Event) error {
		if e.Type != "run" || e.ID != "甲" {
			t.Errorf("event %+v", e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if retry, set := stream.Retry(); !set || retry != 900*time.Millisecond || stream.LastEventID() != "甲" {
		t.Errorf("retry %v, %v, last event id %q", retry, set, stream.LastEventID())
	}
}

func TestStreamPassesChunksLargerThanItsBuffer(t *testing.T) {
	const n = 3 << 20
	got, err := readAll(open(t, t.Context(), fmt.Sprintf("/bytes?n=%d", n)))
	if err != io.EOF || len(got) != 1 || got[0] != strings.Repeat("x", n) {
		t.Errorf("%d events, error %v", len(got), err)
	}
}

func TestReceiveReturnsOnceForAChunkLargerThanItsBuffer(t *testing.T) {
	replaceFetch(t, `
		const chunk = new TextEncoder().encode("data: " + "x".repeat(200000) + "\n\n")
		let done = false
		const read = () => { const result = {done, value: chunk}; done = true; return result }
		return {status: 200, body: {getReader: () => ({read})}}`)
	stream, err := streamwasm.Open(t.Context(), streamwasm.Request{URL: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	if err := stream.Receive(func(streamwasm.Event) error { events++; return nil }); err != nil || events != 1 {
		t.Errorf("%d events at the first Receive, error %v", events, err)
	}
	if got, err := readAll(stream); len(got) != 0 || err != io.EOF {
		t.Errorf("then %q, error %v, want EOF", got, err)
	}
}

func TestStreamWithoutBytesEndsAtOnce(t *testing.T) {
	for _, path := range []string{"/empty", "/nothing"} {
		got, err := readAll(open(t, t.Context(), path))
		if len(got) != 0 || err != io.EOF {
			t.Errorf("%s: %q, error %v, want EOF", path, got, err)
		}
	}
}

func TestHeadIsKnownBeforeTheBodyIsRead(t *testing.T) {
	stream := open(t, t.Context(), "/stall")
	if stream.Status != 200 || stream.ContentType() != "text/event-stream" || !stream.IsEventStream() {
		t.Errorf("head of a stream: %+v", stream.Head)
	}
	for _, status := range []int{200, 409, 502} {
		stream := open(t, t.Context(), fmt.Sprintf("/page?status=%d", status))
		if stream.Status != status || stream.ContentType() != "text/html" || stream.IsEventStream() {
			t.Errorf("head of a page: %+v", stream.Head)
		}
		if stream.Header["retry-after"] != "7" {
			t.Errorf("headers %v", stream.Header)
		}
		body, err := stream.ReadAll(0)
		if err != nil || string(body) != "<p>网关错误 🚧</p>" {
			t.Errorf("body %q, error %v", body, err)
		}
	}
}

func TestReadAllReturnsTheBeginningOfTooLargeABody(t *testing.T) {
	stream := open(t, t.Context(), "/page?status=502")
	body, err := stream.ReadAll(5)
	var tooLarge *streamwasm.TooLargeError
	if !errors.As(err, &tooLarge) || tooLarge.Limit != 5 || tooLarge.What != "body" {
		t.Errorf("error %v", err)
	}
	if string(body) != "<p>网关"[:5] {
		t.Errorf("body %q", body)
	}
	if _, err := stream.ReadAll(0); !errors.As(err, &tooLarge) {
		t.Errorf("second error %v, want the first again", err)
	}
}

func TestReceiveRefusesEventsBeyondTheLimit(t *testing.T) {
	request := streamwasm.Request{URL: at(t, "/bytes?n=2000"), Limit: 1000}
	stream, err := streamwasm.Open(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(stream)
	var tooLarge *streamwasm.TooLargeError
	if len(got) != 0 || !errors.As(err, &tooLarge) || tooLarge.Limit != 1000 || tooLarge.What != "event" {
		t.Errorf("%q, error %v", got, err)
	}
}

// echoed is what the scripted server saw of a request.
type echoed struct {
	Method string            `json:"method"`
	Header map[string]string `json:"header"`
	Body   string            `json:"body"`
}

func fetchEcho(t *testing.T, request streamwasm.Request) (echoed, *streamwasm.Response) {
	t.Helper()
	response, err := streamwasm.Fetch(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	var got echoed
	if err := json.Unmarshal(response.Body, &got); err != nil {
		t.Fatalf("%v in %q", err, response.Body)
	}
	return got, response
}

func TestFetchSendsMethodHeadersAndBody(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		got, _ := fetchEcho(t, streamwasm.Request{
			Method: method, URL: at(t, "/echo"), Body: []byte(`{"message":"你好 👋"}`),
			Header: map[string]string{"Content-Type": "application/json", "X-Stream-Version": "2"},
		})
		if got.Method != method || got.Body != `{"message":"你好 👋"}` {
			t.Errorf("the server saw %+v", got)
		}
		if got.Header["Content-Type"] != "application/json" || got.Header["X-Stream-Version"] != "2" {
			t.Errorf("the server saw headers %v", got.Header)
		}
	}
}

func TestFetchWithoutMethodGetsWithoutBody(t *testing.T) {
	got, response := fetchEcho(t, streamwasm.Request{URL: at(t, "/echo")})
	if got.Method != "GET" || got.Body != "" || response.ContentType() != "application/json" {
		t.Errorf("the server saw %+v, type %q", got, response.ContentType())
	}
}

func TestFetchSendsAnEmptyBody(t *testing.T) {
	got, _ := fetchEcho(t, streamwasm.Request{Method: "POST", URL: at(t, "/echo"), Body: []byte{}})
	if got.Body != "" || got.Header["Content-Length"] != "" && got.Header["Content-Length"] != "0" {
		t.Errorf("the server saw %+v", got)
	}
}

func TestFetchSendsAForm(t *testing.T) {
	form := js.Global().Get("FormData").New()
	form.Call("append", "file", js.Global().Get("Blob").New([]any{"a,b\n甲,乙\n"}), "边.csv")
	got, _ := fetchEcho(t, streamwasm.Request{Method: "POST", URL: at(t, "/echo"), JSBody: form})
	if !strings.HasPrefix(got.Header["Content-Type"], "multipart/form-data; boundary=") {
		t.Errorf("the server saw headers %v", got.Header)
	}
	if !strings.Contains(got.Body, `filename="边.csv"`) || !strings.Contains(got.Body, "a,b\n甲,乙\n") {
		t.Errorf("the server saw body %q", got.Body)
	}
}

func TestFetchFollowsRedirectsAndSaysSo(t *testing.T) {
	got, response := fetchEcho(t, streamwasm.Request{Method: "POST", URL: at(t, "/redirect"), Body: []byte("x")})
	if got.Method != "POST" || got.Body != "x" || !response.Redirected || response.URL != at(t, "/echo") {
		t.Errorf("the server saw %+v, redirected %v to %s", got, response.Redirected, response.URL)
	}
	_, err := streamwasm.Fetch(t.Context(), streamwasm.Request{URL: at(t, "/redirect"), Redirect: "error"})
	expectKind(t, err, streamwasm.ErrNetwork)
}

func TestFetchReturnsTheResponseWithTheErrorOfItsBody(t *testing.T) {
	response, err := streamwasm.Fetch(t.Context(), streamwasm.Request{URL: at(t, "/page?status=502"), Limit: 3})
	var tooLarge *streamwasm.TooLargeError
	if !errors.As(err, &tooLarge) || response.Status != 502 || string(response.Body) != "<p>" {
		t.Errorf("response %+v, error %v", response, err)
	}
	id := newID()
	defer background(func() {
		ask(t, "/await-begun?id="+id)
		ask(t, "/release?id="+id)
	})()
	response, err = streamwasm.Fetch(t.Context(), streamwasm.Request{URL: at(t, "/cut?id="+id)})
	expectKind(t, err, streamwasm.ErrRead)
	if response.Status != 200 || !strings.HasPrefix("data: whole\n\ndata: ha", string(response.Body)) {
		t.Errorf("response %+v", response)
	}
}

func TestBrokenBodyIsAReadErrorAndKeepsTheWholeEvents(t *testing.T) {
	id := newID()
	stream := open(t, t.Context(), "/cut?id="+id)
	var got []string
	for len(got) == 0 {
		if err := stream.Receive(func(e streamwasm.Event) error { got = append(got, label(e)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	ask(t, "/release?id="+id)
	rest, err := readAll(stream)
	expect(t, append(got, rest...), "whole")
	expectKind(t, err, streamwasm.ErrRead)
	if errors.Is(err, streamwasm.ErrAborted) || errors.Is(err, streamwasm.ErrNetwork) {
		t.Errorf("error %v has other kinds too", err)
	}
	var cause *streamwasm.JSError
	if !errors.As(err, &cause) || cause.Name != "TypeError" {
		t.Errorf("cause %+v, want a TypeError", cause)
	}
	if _, again := readAll(stream); again != err {
		t.Errorf("second error %v, want the first again", again)
	}
}

func TestRequestWithoutResponseIsANetworkError(t *testing.T) {
	for _, address := range []string{"http://127.0.0.1:1/", "http://127.0.0.1:9/refused", at(t, "/forbidden")} {
		_, err := streamwasm.Open(t.Context(), streamwasm.Request{URL: address})
		expectKind(t, err, streamwasm.ErrNetwork)
		if err != nil && err.Error() != "GET "+address+": network failure: TypeError: Failed to fetch" {
			t.Errorf("error %v", err)
		}
	}
}

func TestRequestThatCannotBeBuiltIsAnInvalidRequest(t *testing.T) {
	for name, request := range map[string]streamwasm.Request{
		"address":      {URL: "http://[/"},
		"credentials":  {URL: "http://user:password@127.0.0.1/"},
		"method":       {Method: "TRACE", URL: "/"},
		"header name":  {URL: "/", Header: map[string]string{"X Y": "z"}},
		"header value": {URL: "/", Header: map[string]string{"X": "a\nb"}},
		"body of GET":  {URL: "/", Body: []byte("x")},
		"cache option": {URL: "/", Cache: "sometimes"},
	} {
		_, err := streamwasm.Open(t.Context(), request)
		if !errors.Is(err, streamwasm.ErrRequest) {
			t.Errorf("%s: error %v, want kind %v", name, err, streamwasm.ErrRequest)
		}
	}
}

func TestAbortedContextSendsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	id := newID()
	_, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/silent?id="+id)})
	expectKind(t, err, streamwasm.ErrAborted, context.Canceled)
	if n := ask(t, "/await-ended?id="+id); n != "0" {
		t.Errorf("%s requests reached the server", n)
	}
}

func TestAbortBeforeHeadersEndsOpenAndTheRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	id := newID()
	defer background(func() {
		ask(t, "/await-begun?id="+id)
		cancel()
	})()
	_, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/silent?id="+id)})
	expectKind(t, err, streamwasm.ErrAborted, context.Canceled)
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
}

func TestAbortBetweenChunksEndsReceiveAndTheRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	id := newID()
	stream := open(t, ctx, "/stall?id="+id)
	var got []string
	var err error
	for err == nil {
		err = stream.Receive(func(e streamwasm.Event) error {
			got = append(got, label(e))
			go cancel() // runs when the next Receive waits
			return nil
		})
	}
	expect(t, got, "first")
	expectKind(t, err, streamwasm.ErrAborted, context.Canceled)
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
}

func TestAbortEndsTheRequestWhileNobodyReads(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	id := newID()
	stream := open(t, ctx, "/stall?id="+id)
	cancel()
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
	got, err := readAll(stream)
	expect(t, got)
	expectKind(t, err, streamwasm.ErrAborted, context.Canceled)
}

func TestAbortStopsWithinAChunk(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream := open(t, ctx, chunked(newID(), "data: 1\n\ndata: 2\n\ndata: 3\n\n"))
	var got []string
	err := stream.Receive(func(e streamwasm.Event) error {
		got = append(got, label(e))
		if len(got) == 2 {
			cancel()
		}
		return nil
	})
	expect(t, got, "1", "2")
	expectKind(t, err, streamwasm.ErrAborted)
}

func TestAbortAfterTheEndChangesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stream := open(t, ctx, "/empty")
	if _, err := readAll(stream); err != io.EOF {
		t.Fatal(err)
	}
	cancel()
	stream.Close()
	if _, err := readAll(stream); err != io.EOF {
		t.Errorf("error %v, want EOF still", err)
	}
}

func TestAbortTellsWhy(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/silent")})
	expectKind(t, err, streamwasm.ErrAborted, context.DeadlineExceeded)

	left := errors.New("the reader left the page")
	ctx, cancelCause := context.WithCancelCause(t.Context())
	stream := open(t, ctx, "/stall")
	cancelCause(left)
	_, err = readAll(stream)
	expectKind(t, err, streamwasm.ErrAborted, left)
}

func TestCloseEndsAReceiveThatWaits(t *testing.T) {
	id := newID()
	stream := open(t, t.Context(), "/stall?id="+id)
	var err error
	for err == nil {
		err = stream.Receive(func(streamwasm.Event) error {
			go stream.Close()
			return nil
		})
	}
	expectKind(t, err, streamwasm.ErrAborted, streamwasm.ErrClosed)
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
}

func TestCloseDropsABodyThatWasNotRead(t *testing.T) {
	id := newID()
	open(t, t.Context(), "/stall?id="+id).Close()
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
}

func TestHandlersErrorEndsTheStream(t *testing.T) {
	id := newID()
	stop := errors.New("stop")
	stream := open(t, t.Context(), "/stall?id="+id)
	for range 2 {
		if err := stream.Receive(func(streamwasm.Event) error { return stop }); err != stop {
			t.Errorf("error %v, want the handler's own", err)
		}
	}
	if n := ask(t, "/await-ended?id="+id); n != "1" {
		t.Errorf("the server saw %s requests end, want 1", n)
	}
}

func TestSlowHeadersAreWaitedFor(t *testing.T) {
	id := newID()
	defer background(func() {
		ask(t, "/await-begun?id="+id)
		ask(t, "/release?id="+id)
	})()
	got, err := readAll(open(t, t.Context(), "/slow?id="+id))
	expect(t, got, "late")
	if err != io.EOF {
		t.Errorf("error %v, want EOF", err)
	}
}

func TestFiftyQuickAbortsBeforeHeadersLeaveTheConnectionsFree(t *testing.T) {
	id := newID()
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel() // runs when Open waits
		_, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/silent?id="+id)})
		expectKind(t, err, streamwasm.ErrAborted)
	}
	// A browser has six connections to a server. Were six of the fifty still held, this request would never get out.
	ask(t, "/await-ended?id="+id)
}

func TestTenThousandOpenAndAbortCyclesLeaveNothing(t *testing.T) {
	funcs, goroutines := settledFuncs(), settledGoroutines(0)
	for i := range 10_000 {
		ctx, cancel := context.WithCancel(t.Context())
		if i%25 != 0 {
			go cancel() // runs when Open waits for the headers
			_, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/silent")})
			expectKind(t, err, streamwasm.ErrAborted)
			continue
		}
		stream, err := streamwasm.Open(ctx, streamwasm.Request{URL: at(t, "/stall")})
		if err != nil {
			t.Fatal(err)
		}
		err = stream.Receive(func(streamwasm.Event) error { go cancel(); return nil })
		if err == nil {
			err = stream.Receive(func(streamwasm.Event) error { return nil })
		}
		expectKind(t, err, streamwasm.ErrAborted)
	}
	if left := settledFuncs(); left != funcs {
		t.Errorf("%d js.Funcs live, %d at the start", left, funcs)
	}
	if left := settledGoroutines(goroutines); left > goroutines {
		t.Errorf("%d goroutines, %d at the start", left, goroutines)
	}
}

// settledGoroutines waits until no more than want goroutines are left, and returns how many there are.
func settledGoroutines(want int) int {
	for range 100 {
		if runtime.NumGoroutine() <= want {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// oddValues are JavaScript expressions of what may be thrown, with the text it should give.
var oddValues = map[string]string{
	"undefined":                         "undefined",
	"null":                              "null",
	"'just text'":                       "just text",
	"''":                                "",
	"42":                                "42",
	"NaN":                               "NaN",
	"false":                             "false",
	"10n":                               "10",
	"Symbol('sign')":                    "Symbol(sign)",
	"({})":                              "[object Object]",
	"(() => 1)":                         "() => 1",
	"Object.create(null)":               "a value that has no text",
	"({get message() { throw null }})":  "[object Object]",
	"({message: 5, name: {}})":          "[object Object]",
	"new Proxy({}, {get() { throw 1}})": "a value that has no text",
	"(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()": "a value that has no text",
	"new TypeError('broken')":                          "TypeError: broken",
	"new DOMException('gone', 'AbortError')":           "AbortError: gone",
	"Promise.reject(1).catch(() => {}) && new Error()": "Error: ",
}

// replaceFetch makes JavaScript code the body of the page's fetch for the time of a test.
func replaceFetch(t *testing.T, code string) {
	t.Helper()
	former := js.Global().Get("fetch")
	t.Cleanup(func() { js.Global().Set("fetch", former) })
	js.Global().Set("fetch", js.Global().Get("Function").New(code))
}

func TestWhateverIsThrownBecomesAnError(t *testing.T) {
	// In place of ODD stands the odd value.
	for place, c := range map[string]struct {
		code string
		kind error
	}{
		"fetch throws":   {"throw ODD", streamwasm.ErrNetwork},
		"fetch rejects":  {"return Promise.reject(ODD)", streamwasm.ErrNetwork},
		"thenable":       {"return {then(resolve, reject) { reject(ODD); reject(2); resolve(3) }}", streamwasm.ErrNetwork},
		"then throws":    {"return {then() { throw ODD }}", streamwasm.ErrNetwork},
		"reader throws":  {"return {status: 200, body: {getReader() { throw ODD }}}", streamwasm.ErrRead},
		"read throws":    {"return {status: 200, body: {getReader() { return {read() { throw ODD }} }}}", streamwasm.ErrRead},
		"read rejects":   {"return {status: 200, body: {getReader: () => ({read: () => Promise.reject(ODD)})}}", streamwasm.ErrRead},
		"getter rejects": {"return {status: 200, body: {getReader: () => ({get read() { throw ODD }})}}", streamwasm.ErrRead},
	} {
		for value, text := range oddValues {
			t.Run(place+"/"+value, func(t *testing.T) {
				replaceFetch(t, strings.ReplaceAll(c.code, "ODD", value))
				_, err := streamwasm.Fetch(t.Context(), streamwasm.Request{URL: "/x"})
				expectKind(t, err, c.kind)
				if want := fmt.Sprintf("GET /x: %v: %s", c.kind, text); err != nil && err.Error() != want {
					t.Errorf("error %q, want %q", err, want)
				}
			})
		}
	}
}

func TestWhateverIsReturnedIsNoPanic(t *testing.T) {
	for place, code := range map[string]string{
		"response": "return Promise.resolve(ODD)",
		"body":     "return {status: 200, body: ODD || 1}",
		"reader":   "return {status: 200, body: {getReader: () => ODD}}",
		"result":   "return {status: 200, body: {getReader: () => ({read: () => ODD})}}",
		"chunk":    "return {status: 200, body: {getReader: () => ({read: () => ({value: ODD})})}}",
	} {
		for value := range oddValues {
			t.Run(place+"/"+value, func(t *testing.T) {
				replaceFetch(t, strings.ReplaceAll(code, "ODD", value))
				if _, err := streamwasm.Fetch(t.Context(), streamwasm.Request{URL: "/x"}); err == nil {
					t.Error("no error")
				}
			})
		}
	}
}

func TestMissingFetchIsAnError(t *testing.T) {
	former := js.Global().Get("fetch")
	defer js.Global().Set("fetch", former)
	js.Global().Set("fetch", js.Undefined())
	_, err := streamwasm.Open(t.Context(), streamwasm.Request{URL: "/x"})
	expectKind(t, err, streamwasm.ErrNetwork)
}
