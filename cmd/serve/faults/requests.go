package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"igraph-console/app/protocol"
)

func newReader(b []byte) io.Reader { return bytes.NewReader(b) }

// endpoints names what faults can be set on.
var endpoints = [][2]string{
	{"GET " + protocol.PathCapabilities, "capabilities"},
	{"GET " + protocol.PathSessions, "sessions"},
	{"POST " + protocol.PathSessions, "session_create"},
	{"GET " + protocol.PathSessions + "/{sid}", "session"},
	{"PATCH " + protocol.PathSessions + "/{sid}", "session_rename"},
	{"DELETE " + protocol.PathSessions + "/{sid}", "session_delete"},
	{"POST " + protocol.PathSessions + "/{sid}/chat/stream", "chat"},
	{"POST " + protocol.PathSessions + "/{sid}/feedback/stream", "feedback"},
	{"POST " + protocol.PathSessions + "/{sid}/runs/{rid}/resume", "resume"},
	{"GET " + protocol.PathSessions + "/{sid}/runs/{rid}/snapshot", "snapshot"},
	{"GET " + protocol.PathSessions + "/{sid}/runs/control", "control"},
	{"POST " + protocol.PathSessions + "/{sid}/runs/cancel", "cancel"},
	{"POST " + protocol.PathSessions + "/{sid}/jobs/{jid}/cancel", "job_cancel"},
	{"GET " + protocol.PathSessions + "/{sid}/jobs/{jid}/control", "job_control"},
	{"GET " + protocol.PathSessions + "/{sid}/skill-candidates", "skills"},
	{"POST /api/skill-candidates/{id}/decision", "skill_decision"},
	{"POST " + protocol.PathFiles, "upload"},
	{"/", "other"},
}

func endpointNames() []string {
	var names []string
	for _, e := range endpoints {
		names = append(names, e[1])
	}
	return names
}

// endpointMux notes on a request which endpoint it is for, and for which session and run.
func endpointMux() *http.ServeMux {
	mux := http.NewServeMux()
	for _, e := range endpoints {
		mux.HandleFunc(e[0], func(w http.ResponseWriter, r *http.Request) {
			to := r.Context().Value(addressKey{}).(*address)
			run := r.PathValue("rid")
			if run == "" {
				run = r.URL.Query().Get("run_id")
			}
			*to = address{endpoint: e[1], session: r.PathValue("sid"), run: run}
		})
	}
	return mux
}

type addressKey struct{}

type address struct{ endpoint, session, run string }

func (f *Faults) addressOf(r *http.Request) address {
	var to address
	// A path that is not clean is answered by a redirect, which goes nowhere here.
	nowhere := &unread{header: http.Header{}, leave: func() {}}
	f.names.ServeHTTP(nowhere, r.WithContext(context.WithValue(r.Context(), addressKey{}, &to)))
	return to
}

// Outcomes of a request.
const (
	outcomeOpen    = "open"
	outcomeDone    = "done"
	outcomeRefused = "refused"
	outcomeLost    = "lost"
	outcomeCut     = "cut"
	outcomeLeft    = "left"
)

// loggedBody bounds how much of a body the log keeps, in bytes.
const loggedBody = 64 << 10

// loggedHeaders are those that the protocol speaks of.
var loggedHeaders = []string{"Accept", "Accept-Language", "Content-Type", protocol.VersionHeader}

// entry is one request in the log. It changes under Faults.mu until the request is over.
type entry struct {
	At        time.Time         `json:"at"`
	On        string            `json:"on"`
	Method    string            `json:"method"`
	Path      string            `json:"path"`
	Query     string            `json:"query"`
	Headers   map[string]string `json:"headers"`
	Body      string            `json:"body"`
	BodyBytes int               `json:"body_bytes"`
	Status    int               `json:"status"`
	Outcome   string            `json:"outcome"`
}

// record notes a request's arrival. The body is read whole, and given back.
func (f *Faults) record(r *http.Request, on string) (*entry, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	e := &entry{
		At: f.clock.Now(), On: on, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery,
		Headers: map[string]string{}, BodyBytes: len(body), Outcome: outcomeOpen,
	}
	if len(body) <= loggedBody {
		e.Body = strings.ToValidUTF8(string(body), "\uFFFD")
	}
	for _, name := range loggedHeaders {
		if v := r.Header.Get(name); v != "" {
			e.Headers[name] = v
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, e)
	return e, nil
}

func (f *Faults) getLog(r *http.Request) (any, error) {
	on := r.URL.Query().Get("on")
	f.mu.Lock()
	defer f.mu.Unlock()
	list := []*entry{}
	for _, e := range f.log {
		if on == "" || on == e.On {
			list = append(list, e)
		}
	}
	body, err := json.Marshal(map[string]any{"requests": list})
	return json.RawMessage(body), err
}

func (f *Faults) deleteLog(*http.Request) (any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = nil
	return done, nil
}

// serve passes a request on, with the faults that are set for it.
func (f *Faults) serve(w http.ResponseWriter, r *http.Request) {
	to := f.addressOf(r)
	e, err := f.record(r, to.endpoint)
	if err != nil {
		panic(http.ErrAbortHandler) // the request did not arrive whole
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &writer{ResponseWriter: w, faults: f, ctx: ctx, cancel: cancel}
	outcome := outcomeLeft
	defer func() {
		f.mu.Lock()
		e.Outcome, e.Status = outcome, out.status
		f.mu.Unlock()
	}()
	for _, ru := range f.take(to.endpoint, to.session, to.run) {
		if f.wait(ctx, ru.DelayMS, ru.Gate) != nil {
			return
		}
		switch {
		case ru.Refuse:
			outcome = outcomeRefused
			panic(http.ErrAbortHandler)
		case ru.Status != 0:
			outcome = outcomeDone
			ru.answer(out)
			return
		}
		out.add(ru)
	}
	f.api.ServeHTTP(out, r.WithContext(ctx))
	out.finish()
	switch {
	case out.lose:
		outcome = outcomeLost
		panic(http.ErrAbortHandler)
	case out.cut:
		outcome = outcomeCut
		if !out.clean {
			panic(http.ErrAbortHandler)
		}
	case r.Context().Err() == nil:
		outcome = outcomeDone
	}
}

// answer answers in the backend's place.
func (ru *rule) answer(w http.ResponseWriter) {
	body, contentType := ru.Body, ru.ContentType
	if body == "" && ru.Code != "" {
		raw, err := json.Marshal(map[string]any{"error": protocol.RunError{Code: ru.Code, Message: "a fault was asked for"}})
		if err != nil {
			panic(err) // two strings can always be encoded
		}
		body = string(raw)
	}
	if contentType == "" {
		contentType = "text/html; charset=utf-8"
		if json.Valid([]byte(body)) {
			contentType = protocol.JSONType
		}
	}
	w.Header().Set("Content-Type", contentType)
	for name, value := range ru.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(ru.Status)
	_, _ = io.WriteString(w, body)
}
