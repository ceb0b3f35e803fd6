package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend"
)

// script is a run's content; doc.go explains its members.
type script struct {
	Session      string `json:"session"`
	Times        int    `json:"times"`
	Bare         bool   `json:"bare"`
	IgnoreCancel bool   `json:"ignore_cancel"`
	KeepRunning  bool   `json:"keep_running"`
	Steps        []step `json:"steps"`
	Start        *start `json:"start"`
}

type step struct {
	DelayMS  int               `json:"delay_ms"`
	Gate     string            `json:"gate"`
	Await    string            `json:"await"`
	Index    *int64            `json:"index"`
	Announce bool              `json:"announce"`
	Events   []json.RawMessage `json:"events"`
}

type start struct {
	SessionID      string `json:"session_id"`
	Message        string `json:"message"`
	StartRequestID string `json:"start_request_id"`
	Language       string `json:"language"`
}

func (f *Faults) postScript(r *http.Request) (any, error) {
	sc := &script{}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(sc); err != nil {
		return nil, err
	}
	if sc.Times == 0 {
		sc.Times = 1
	}
	if sc.Start != nil {
		sc.Session = sc.Start.SessionID
	}
	f.mu.Lock()
	f.scripts = append(f.scripts, sc)
	f.mu.Unlock()
	if sc.Start == nil {
		return done, nil
	}
	return done, f.begin(r.Context(), sc.Start)
}

// scriptFor is the backend's hook at the start of a run.
func (f *Faults) scriptFor(session string) backend.Script {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, sc := range f.scripts {
		if !concerns(sc.Session, session) {
			continue
		}
		if sc.Times > 0 {
			sc.Times--
		}
		if sc.Times == 0 {
			f.scripts = append(f.scripts[:i:i], f.scripts[i+1:]...)
		}
		return func(ctx context.Context, stage *backend.Stage) error { return f.play(ctx, sc, stage) }
	}
	return nil
}

// play performs a script.
func (f *Faults) play(ctx context.Context, sc *script, stage *backend.Stage) error {
	if sc.IgnoreCancel {
		ctx = stage.Process()
	}
	if !sc.Bare {
		if err := stage.Start(); err != nil {
			return err
		}
	}
	for i, st := range sc.Steps {
		if err := f.playStep(ctx, st, stage); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if stage.Ended() {
			return nil
		}
	}
	if sc.KeepRunning {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (f *Faults) playStep(ctx context.Context, st step, stage *backend.Stage) error {
	if err := f.wait(ctx, st.DelayMS, st.Gate); err != nil {
		return err
	}
	if st.Await != "" {
		request := st.Await
		if request == "decision" {
			request = ""
		}
		if err := stage.AwaitDecision(ctx, request); err != nil {
			return err
		}
	}
	if len(st.Events) == 0 {
		return nil
	}
	if st.Announce {
		return stage.Announce(st.Events)
	}
	return stage.Emit(st.Index, st.Events)
}

// begin starts a run as a client would that leaves as soon as the run is accepted.
func (f *Faults) begin(ctx context.Context, s *start) error {
	body, err := json.Marshal(protocol.ChatRequest{Message: s.Message, StartRequestID: s.StartRequestID, Stream: true, Background: true})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, protocol.PathChat(s.SessionID), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", protocol.JSONType)
	req.Header.Set(protocol.VersionHeader, protocol.VersionValue)
	req.Header.Set(protocol.LanguageHeader, s.Language)
	out := &unread{header: http.Header{}, leave: cancel}
	f.api.ServeHTTP(out, req)
	if out.status != http.StatusOK {
		return errors.New("the run was not started: " + out.body.String())
	}
	return nil
}

// unread takes an answer's header and leaves; of a refusal it takes the body.
type unread struct {
	header http.Header
	leave  context.CancelFunc
	status int
	body   bytes.Buffer
}

func (u *unread) Header() http.Header { return u.header }

func (u *unread) WriteHeader(status int) {
	u.status = status
	if status == http.StatusOK {
		u.leave()
	}
}

func (u *unread) Write(b []byte) (int, error) {
	if u.status == http.StatusOK {
		return len(b), nil
	}
	return u.body.Write(b)
}
