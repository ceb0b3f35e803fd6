package proxy

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// serve runs a proxy in front of backend and returns the proxy's address.
func serve(t *testing.T, backend http.HandlerFunc) string {
	t.Helper()
	b := httptest.NewServer(backend)
	t.Cleanup(b.Close)
	return front(t, b.URL)
}

func front(t *testing.T, backend string) string {
	t.Helper()
	u, err := url.Parse(backend)
	if err != nil {
		t.Fatal(err)
	}
	p := httptest.NewServer(New(u))
	t.Cleanup(p.Close)
	return p.URL
}

func TestFirstChunkArrivesBeforeTheSecondIsWritten(t *testing.T) {
	first, second := ": hello\n\n", "data: {}\n\n"
	goOn := make(chan struct{})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, first)
		w.(http.Flusher).Flush()
		<-goOn
		io.WriteString(w, second)
	})
	res, err := http.Get(address + "/api/sessions/1/chat/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()

	got := make([]byte, len(first))
	if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != first {
		t.Fatalf("got %q (%v), want the first chunk", got, err)
	}
	close(goOn)
	rest, err := io.ReadAll(res.Body)
	if err != nil || string(rest) != second {
		t.Fatalf("got %q (%v), want the second chunk", rest, err)
	}
}

func TestAbortReachesTheBackend(t *testing.T) {
	aborted := make(chan struct{})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(aborted)
	})
	ctx, abort := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", address+"/api/x", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	abort()
	<-aborted
}

func TestAbortBeforeTheAnswerReachesTheBackend(t *testing.T) {
	arrived, aborted := make(chan struct{}), make(chan struct{})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(aborted)
	})
	ctx, abort := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", address+"/api/x", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-arrived
		abort()
	}()
	if _, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v, want canceled", err)
	}
	<-aborted
}

func TestRequestIsPassedOnUntouched(t *testing.T) {
	type request struct {
		method, target, body, language, encoding string
	}
	seen := make(chan request, 1)
	b := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- request{r.Method, r.RequestURI, string(body), r.Header.Get("Accept-Language"), r.Header.Get("Accept-Encoding")}
	}))
	t.Cleanup(b.Close)
	address := front(t, b.URL+"/base")

	r, err := http.NewRequest("POST", address+"/api/runs/a%2Fb/resume?last_event_index=-1", strings.NewReader(`{"n":12345678901234567890}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Language", "zh-CN")
	r.Header.Set("Accept-Encoding", "identity")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	want := request{"POST", "/base/api/runs/a%2Fb/resume?last_event_index=-1", `{"n":12345678901234567890}`, "zh-CN", "identity"}
	if got := <-seen; got != want {
		t.Errorf("backend saw %+v, want %+v", got, want)
	}
}

func TestCompressedAnswerIsPassedOnUntouched(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, strings.Repeat("graph ", 100))
	z.Close()
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusTeapot)
		w.Write(packed.Bytes())
	})
	client := http.Client{Transport: &http.Transport{DisableCompression: true}}
	res, err := client.Get(address + "/api/x")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil || !bytes.Equal(got, packed.Bytes()) || res.StatusCode != http.StatusTeapot {
		t.Errorf("status %d, %d bytes (%v), want 418 and the %d packed bytes", res.StatusCode, len(got), err, packed.Len())
	}
}

func TestCutAnswerStaysCut(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "data: {\"half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	res, err := http.Get(address + "/api/x")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the cut looks like a regular end")
	}
}

func TestUnreachableBackendIsSaidSo(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + closed.Addr().String()
	closed.Close()

	res, err := http.Get(front(t, address) + "/api/capabilities")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body errorBody
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusBadGateway || body.Error.Code != "BACKEND_UNREACHABLE" || body.Error.Message == "" {
		t.Errorf("got %d %+v", res.StatusCode, body)
	}
	if got := res.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
}
