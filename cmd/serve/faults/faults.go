package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend"
)

// Path is where the fault endpoints are.
const Path = "/api/__faults"

// Target is the backend as far as commands reach into it.
type Target interface {
	Evict(runID string)
	RequireRecovery(runID, reason string) error
	Restart(ctx context.Context) error
}

// Faults holds what is set. Its hooks go into the backend's configuration, its Handler in front of
// the backend's.
type Faults struct {
	clock  backend.Clock
	names  *http.ServeMux // finds the endpoint of a request
	target Target
	api    http.Handler

	mu      sync.Mutex
	rules   []*rule
	holds   []*hold
	scripts []*script
	gates   map[string]*gate
	log     []*entry
}

// New returns faults of which none is set.
func New(clock backend.Clock) *Faults {
	return &Faults{clock: clock, names: endpointMux(), gates: map[string]*gate{}}
}

// Configure puts the hooks into a backend's configuration.
func (f *Faults) Configure(cfg *backend.Config) {
	cfg.Hold = f.holdStep
	cfg.HoldSnapshot = func(session, run string) bool { return f.held("snapshot", session, run) }
	cfg.EndAtPause = func(session string) bool { return f.held("open_stream", session, "") }
	cfg.Script = f.scriptFor
}

// Handler serves the fault endpoints and passes everything else on to the backend's handler, with
// faults.
func (f *Faults) Handler(target Target, api http.Handler) http.Handler {
	f.target, f.api = target, api
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, answering(f.postFault))
	mux.HandleFunc("GET "+Path, answering(f.getFaults))
	mux.HandleFunc("DELETE "+Path, answering(f.deleteFaults))
	mux.HandleFunc("POST "+Path+"/script", answering(f.postScript))
	mux.HandleFunc("GET "+Path+"/log", answering(f.getLog))
	mux.HandleFunc("DELETE "+Path+"/log", answering(f.deleteLog))
	mux.HandleFunc("/", f.serve)
	return mux
}

// rule is a fault that acts on requests; doc.go explains its members.
type rule struct {
	On          string            `json:"on"`
	Session     string            `json:"session,omitempty"`
	Run         string            `json:"run,omitempty"`
	Skip        int               `json:"skip,omitempty"`
	Times       int               `json:"times,omitempty"`
	DelayMS     int               `json:"delay_ms,omitempty"`
	Gate        string            `json:"gate,omitempty"`
	Refuse      bool              `json:"refuse,omitempty"`
	Lose        bool              `json:"lose,omitempty"`
	Status      int               `json:"status,omitempty"`
	Code        string            `json:"code,omitempty"`
	Body        string            `json:"body,omitempty"`
	ContentType string            `json:"content_type,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	CutBytes    int               `json:"cut_bytes,omitempty"`
	CutGate     string            `json:"cut_gate,omitempty"`
	Chunk       int               `json:"chunk,omitempty"`
	Edits       []edit            `json:"edits,omitempty"`
}

// hold keeps something from happening.
type hold struct {
	Hold    string `json:"hold"`
	Session string `json:"session,omitempty"`
	Run     string `json:"run,omitempty"`
	Gate    string `json:"gate,omitempty"`
	DelayMS int    `json:"delay_ms,omitempty"`
}

var holdNames = []string{
	backend.StepRunEnd, backend.StepStopped, backend.StepPersisted, backend.StepCanSend, backend.StepJob, "snapshot", "open_stream",
}

// command acts at once.
type command struct {
	Open     string `json:"open"`
	Evict    bool   `json:"evict"`
	Recovery string `json:"recovery"`
	Restart  bool   `json:"restart"`
	Run      string `json:"run"`
}

// gate is something to wait at.
type gate struct {
	opened  chan struct{}
	waiting int
}

// answering serves an endpoint that answers with v, or refuses what it was sent.
func answering(h func(*http.Request) (v any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := h(r)
		status := http.StatusOK
		if err != nil {
			status = http.StatusBadRequest
			v = map[string]any{"error": protocol.RunError{Code: "BAD_FAULT", Message: err.Error()}}
		}
		writeJSON(w, status, v)
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", protocol.JSONType)
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // a client gone by now is no error of ours
}

var done = map[string]bool{"ok": true}

func (f *Faults) postFault(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var kind struct{ On, Hold string }
	if err := json.Unmarshal(body, &kind); err != nil {
		return nil, err
	}
	switch {
	case kind.On != "":
		return done, f.addRule(body)
	case kind.Hold != "":
		return done, f.addHold(body)
	}
	var c command
	if err := strict(body, &c); err != nil {
		return nil, err
	}
	return done, f.command(r.Context(), c)
}

// strict refuses members that do not exist, so that a misspelt fault does not silently do nothing.
func strict(body []byte, v any) error {
	dec := json.NewDecoder(newReader(body))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

func (f *Faults) addRule(body []byte) error {
	ru := &rule{}
	if err := strict(body, ru); err != nil {
		return err
	}
	if ru.On != "*" && !slices.Contains(endpointNames(), ru.On) {
		return fmt.Errorf("there is no endpoint %q", ru.On)
	}
	for _, e := range ru.Edits {
		if err := e.check(); err != nil {
			return err
		}
	}
	if ru.Times == 0 {
		ru.Times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules = append(f.rules, ru)
	return nil
}

func (f *Faults) addHold(body []byte) error {
	h := &hold{}
	if err := strict(body, h); err != nil {
		return err
	}
	if !slices.Contains(holdNames, h.Hold) {
		return fmt.Errorf("there is no hold %q", h.Hold)
	}
	if h.Gate == "" && h.DelayMS == 0 {
		h.Gate = h.Hold
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holds = append(f.holds, h)
	return nil
}

func (f *Faults) command(ctx context.Context, c command) error {
	switch {
	case c.Open != "":
		f.open(c.Open)
		return nil
	case c.Evict:
		f.target.Evict(c.Run)
		return nil
	case c.Recovery != "":
		return f.target.RequireRecovery(c.Run, c.Recovery)
	case c.Restart:
		return f.target.Restart(context.WithoutCancel(ctx))
	}
	return errors.New("name a rule (on), a hold, or a command (open, evict, recovery, restart)")
}

func (f *Faults) getFaults(*http.Request) (any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	type gateState struct {
		Open    bool `json:"open"`
		Waiting int  `json:"waiting"`
	}
	gates := map[string]gateState{}
	for name, g := range f.gates {
		gates[name] = gateState{Open: g.isOpen(), Waiting: g.waiting}
	}
	// Encoded here, because the rules change once the lock is free.
	body, err := json.Marshal(map[string]any{"rules": f.rules, "holds": f.holds, "scripts": len(f.scripts), "gates": gates})
	return json.RawMessage(body), err
}

func (f *Faults) deleteFaults(*http.Request) (any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.gates {
		g.open()
	}
	f.rules, f.holds, f.scripts, f.gates = nil, nil, nil, map[string]*gate{}
	return done, nil
}

// take finds the rules that act on a request and counts them as used.
func (f *Faults) take(on, session, run string) []rule {
	f.mu.Lock()
	defer f.mu.Unlock()
	var acting []rule
	var rest []*rule
	for _, ru := range f.rules {
		if !ru.matches(on, session, run) {
			rest = append(rest, ru)
			continue
		}
		if ru.Skip > 0 {
			ru.Skip--
			rest = append(rest, ru)
			continue
		}
		acting = append(acting, *ru)
		if ru.Times > 0 {
			ru.Times--
		}
		if ru.Times != 0 {
			rest = append(rest, ru)
		}
	}
	f.rules = rest
	return acting
}

func (ru *rule) matches(on, session, run string) bool {
	return (ru.On == on || ru.On == "*") && concerns(ru.Session, session) && concerns(ru.Run, run)
}

func concerns(wanted, is string) bool { return wanted == "" || wanted == is }

// holdStep is the backend's hook at the steps of an end.
func (f *Faults) holdStep(ctx context.Context, session, run, step string) {
	f.mu.Lock()
	var acting []hold
	for _, h := range f.holds {
		if h.Hold == step && concerns(h.Session, session) && concerns(h.Run, run) {
			acting = append(acting, *h)
		}
	}
	f.mu.Unlock()
	for _, h := range acting {
		f.wait(ctx, h.DelayMS, h.Gate)
	}
}

// held reports whether a hold is in force: its gate is not open.
func (f *Faults) held(name, session, run string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.holds {
		if h.Hold == name && concerns(h.Session, session) && concerns(h.Run, run) && !f.gate(h.Gate).isOpen() {
			return true
		}
	}
	return false
}

// wait waits for a time and at a gate. The error is the context's.
func (f *Faults) wait(ctx context.Context, delayMS int, gateName string) error {
	if delayMS > 0 {
		over := make(chan struct{})
		stop := f.clock.AfterFunc(time.Duration(delayMS)*time.Millisecond, func() { close(over) })
		defer stop()
		select {
		case <-over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if gateName == "" {
		return ctx.Err()
	}
	f.mu.Lock()
	g := f.gate(gateName)
	g.waiting++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		g.waiting--
		f.mu.Unlock()
	}()
	select {
	case <-g.opened:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// gate finds a gate or makes it. The caller holds mu.
func (f *Faults) gate(name string) *gate {
	if f.gates[name] == nil {
		f.gates[name] = &gate{opened: make(chan struct{})}
	}
	return f.gates[name]
}

func (f *Faults) open(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate(name).open()
}

func (g *gate) isOpen() bool {
	select {
	case <-g.opened:
		return true
	default:
		return false
	}
}

func (g *gate) open() {
	if !g.isOpen() {
		close(g.opened)
	}
}
