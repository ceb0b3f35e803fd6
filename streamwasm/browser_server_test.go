//go:build !js

package streamwasm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// scriptedServer answers as its paths say. A request with an id is counted, so that other requests can ask what
// became of it; "/release" lets one go on that waits.
type scriptedServer struct {
	mu       sync.Mutex
	changed  *sync.Cond
	begun    map[string]int // requests by id
	ended    map[string]int
	released map[string]int
}

func newScriptedServer() http.Handler {
	s := &scriptedServer{begun: map[string]int{}, ended: map[string]int{}, released: map[string]int{}}
	s.changed = sync.NewCond(&s.mu)

	mux := http.NewServeMux()
	mux.HandleFunc("/chunks", s.chunks)
	mux.HandleFunc("/stall", s.stall)
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/slow", s.slow)
	mux.HandleFunc("/cut", s.cut)
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/page", page)
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { eventStream(w) })
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/bytes", sendBytes)
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/release", s.release)
	mux.HandleFunc("/await-begun", s.awaitBegun)
	mux.HandleFunc("/await-ended", s.awaitEnded)
	return s.counted(mux)
}

// counted counts requests and allows them from any origin, unless the path forbids it.
func (s *scriptedServer) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/forbidden" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Allow-Headers", "*")
			w.Header().Set("Access-Control-Allow-Methods", "*")
			w.Header().Set("Access-Control-Expose-Headers", "*")
		}
		if r.Method == http.MethodOptions {
			return
		}
		id := r.URL.Query().Get("id")
		if id == "" || strings.HasPrefix(r.URL.Path, "/await-") || r.URL.Path == "/release" {
			next.ServeHTTP(w, r)
			return
		}
		s.count(s.begun, id)
		defer s.count(s.ended, id)
		next.ServeHTTP(w, r)
	})
}

func (s *scriptedServer) count(counts map[string]int, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts[id]++
	s.changed.Broadcast()
}

// await waits for the condition, or until the client of the request goes away.
func (s *scriptedServer) await(r *http.Request, condition func() bool) {
	defer context.AfterFunc(r.Context(), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})()
	s.mu.Lock()
	defer s.mu.Unlock()
	for r.Context().Err() == nil && !condition() {
		s.changed.Wait()
	}
}

func (s *scriptedServer) release(_ http.ResponseWriter, r *http.Request) {
	s.count(s.released, r.URL.Query().Get("id"))
}

// awaitBegun answers once a request of the id has arrived.
func (s *scriptedServer) awaitBegun(_ http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	s.await(r, func() bool { return s.begun[id] > 0 })
}

// awaitEnded answers once all requests of the id are over, with their number.
func (s *scriptedServer) awaitEnded(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	s.await(r, func() bool { return s.begun[id] == s.ended[id] })
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprint(w, s.ended[id])
}

// chunks sends the parameters named "chunk" one by one, each but the first only after a release.
func (s *scriptedServer) chunks(w http.ResponseWriter, r *http.Request) {
	eventStream(w)
	id := r.URL.Query().Get("id")
	for i, chunk := range r.URL.Query()["chunk"] {
		s.await(r, func() bool { return s.released[id] >= i })
		send(w, chunk)
	}
}

// stall sends one event and then nothing until the client goes away.
func (s *scriptedServer) stall(w http.ResponseWriter, r *http.Request) {
	eventStream(w)
	send(w, "data: first\n\n")
	<-r.Context().Done()
}

// slow holds back even the headers until it is released.
func (s *scriptedServer) slow(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	s.await(r, func() bool { return s.released[id] > 0 })
	eventStream(w)
	send(w, "data: late\n\n")
}

// cut drops the connection within a frame, once it is released: a browser throws away what it has not handed out when
// it sees the connection break.
func (s *scriptedServer) cut(w http.ResponseWriter, r *http.Request) {
	eventStream(w)
	send(w, "data: whole\n\ndata: ha")
	id := r.URL.Query().Get("id")
	s.await(r, func() bool { return s.released[id] > 0 })
	panic(http.ErrAbortHandler)
}

// echo describes the request in JSON.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	header := map[string]string{}
	for name := range r.Header {
		header[name] = r.Header.Get(name)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	err = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "header": header, "body": string(body)})
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}

// page answers with a web page, as a proxy would, and the status asked for.
func page(w http.ResponseWriter, r *http.Request) {
	status, err := strconv.Atoi(r.URL.Query().Get("status"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(status)
	fmt.Fprint(w, "<p>网关错误 🚧</p>")
}

// sendBytes sends one event of n bytes of data without a pause.
func sendBytes(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	eventStream(w)
	send(w, "data: "+strings.Repeat("x", n)+"\n\n")
}

func eventStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush(w)
}

func send(w http.ResponseWriter, text string) {
	// A client that went away is noticed through the request's context.
	_, _ = io.WriteString(w, text)
	flush(w)
}

func flush(w http.ResponseWriter) {
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(http.ErrAbortHandler)
	}
}
