package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend/db"
)

// Why a run's context ends.
var (
	errCancelled = errors.New("the run was cancelled")
	errShutdown  = errors.New("the server is shutting down")
	errCrash     = errors.New("the process is gone")
)

// saveEvery bounds how long growing text stays unsaved.
const saveEvery = 500 * time.Millisecond

// run is one execution. What it shows (record), what it sends (log) and what control says of it
// change together under mu.
type run struct {
	srv       *Server
	proc      *process
	id        string
	sessionID string
	turnID    string
	startID   string
	language  string
	format    string

	ctx    context.Context
	cancel context.CancelCauseFunc
	log    *eventLog
	done   chan struct{} // closed once the end is confirmed

	mu        sync.Mutex
	rec       *record
	nextIndex int64
	status    string
	err       *protocol.RunError
	end       *ending // nil until it is decided; status and err follow once it is saved
	stopped   bool    // the three confirmations
	persisted bool
	canSend   bool
	pending   []*request          // undecided requests, oldest first; the first is current
	asked     map[string]*request // all requests, by id
	settled   map[string]*settled // by request id
	last      *protocol.LastDecision
	jobs      map[string]context.CancelFunc // running jobs by call id
	stopSave  func()                        // stops the save that is due; nil for none

	saving sync.Mutex // held while saving, so that an older state never overwrites a newer one
}

func newRun(s *Server, p *process, turn db.Turn) *run {
	r := &run{
		srv: s, proc: p,
		id: turn.RunID, sessionID: turn.SessionID, turnID: turn.ID, startID: turn.StartRequestID,
		language: turn.Language, format: turn.Format,
		log: newEventLog(s.cfg.Buffer), done: make(chan struct{}),
		rec: newRecord(), status: protocol.StatusRunning,
		asked: map[string]*request{}, settled: map[string]*settled{}, jobs: map[string]context.CancelFunc{},
	}
	r.ctx, r.cancel = context.WithCancelCause(p.ctx)
	return r
}

// emit applies events and sends them in one frame.
func (r *run) emit(events ...protocol.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.emitLocked(events...)
}

func (r *run) emitLocked(events ...protocol.Event) error {
	raw, err := encodeEvents(events)
	if err != nil {
		return err
	}
	frame, err := encodeFrame(r.sessionID, r.id, &r.nextIndex, raw)
	if err != nil {
		return err
	}
	r.applyLocked(events)
	r.sendLocked(frame)
	return nil
}

// emitRaw sends events as they were written, known or not, and applies those that are known. index
// nil takes the next one.
func (r *run) emitRaw(index *int64, raw []json.RawMessage) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index != nil {
		if *index < r.nextIndex {
			return fmt.Errorf("event index %d of run %s is behind %d", *index, r.id, r.nextIndex)
		}
		r.nextIndex = *index
	}
	frame, err := encodeFrame(r.sessionID, r.id, &r.nextIndex, raw)
	if err != nil {
		return err
	}
	r.applyLocked(decodeEvents(raw))
	r.sendLocked(frame)
	return nil
}

// decodeEvents reads the events that the protocol knows; the others change nothing.
func decodeEvents(raw []json.RawMessage) []protocol.Event {
	var events []protocol.Event
	for _, ev := range raw {
		frame, err := protocol.DecodeFrame(`{"protocol_version":2,"event_index":0,"events":[` + string(ev) + `]}`)
		if err == nil {
			events = append(events, frame.Events...)
		}
	}
	return events
}

// announce sends events without an index to those who watch now.
func (r *run) announce(raw []json.RawMessage) error {
	frame, err := encodeFrame(r.sessionID, r.id, nil, raw)
	if err != nil {
		return err
	}
	r.log.announce(frame)
	return nil
}

func (r *run) sendLocked(frame []byte) {
	r.log.append(r.nextIndex, frame)
	r.nextIndex++
	r.saveSoonLocked()
}

func (r *run) applyLocked(events []protocol.Event) {
	for _, ev := range events {
		r.rec.apply(ev)
		switch ev := ev.(type) {
		case protocol.ApprovalRequired:
			r.requireLocked(ev.Request)
		case protocol.ApprovalResolved:
			r.resolveLocked(ev)
		case protocol.RunStatus:
			r.status = ev.Status
		case protocol.SkillCandidate:
			r.addSkill(ev.Skill)
		}
	}
}

// addSkill registers a candidate for its own endpoint.
func (r *run) addSkill(s protocol.Skill) {
	err := r.srv.db.AddSkill(context.Background(), db.Skill{
		ID: s.CandidateID, SessionID: r.sessionID, RunID: r.id, Name: s.Name, Description: s.Description,
		Body: s.Body, Status: protocol.StatusPending, CreatedAt: r.srv.now(),
	})
	if err != nil {
		r.srv.log.Error("a skill candidate was not saved", "run", r.id, "err", err)
	}
}

// later calls f after d unless it is stopped. The process waits for it when it closes.
func (r *run) later(d time.Duration, f func()) (stop func()) {
	r.proc.wg.Add(1)
	stopTimer := r.srv.clock.AfterFunc(d, func() {
		defer r.proc.wg.Done()
		f()
	})
	return func() {
		if stopTimer() {
			r.proc.wg.Done()
		}
	}
}

// saveSoonLocked makes sure that the present state is saved within saveEvery.
func (r *run) saveSoonLocked() {
	if r.stopSave != nil || r.ctx.Err() != nil {
		return
	}
	r.stopSave = r.later(saveEvery, func() {
		r.mu.Lock()
		r.stopSave = nil
		r.mu.Unlock()
		r.saveNow()
	})
}

// saveNow saves what has changed. A failure is logged and the items stay due: the next save or the
// end of the run tries again.
func (r *run) saveNow() {
	if err := r.save(); err != nil {
		r.srv.log.Error("a run was not saved", "run", r.id, "err", err)
	}
}

// save saves the items that have changed with the run's state. Once the end is decided every save
// carries it, so that none that comes late takes it back.
func (r *run) save() error {
	r.saving.Lock()
	defer r.saving.Unlock()
	state, due := r.due()
	items := make([]db.Item, len(due))
	for i, d := range due {
		// Encoding is slow for long texts and needs no lock: what is due is a copy.
		body, err := encodeJSON(d.item)
		if err != nil {
			return fmt.Errorf("encode %s %s: %w", d.of.key.typ, d.of.key.id, err)
		}
		items[i] = db.Item{Pos: d.of.pos, Type: d.of.key.typ, ID: d.of.key.id, Body: string(body)}
	}
	if context.Cause(r.proc.ctx) == errCrash {
		return errCrash
	}
	if err := r.srv.db.SaveRun(context.Background(), state, items); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range due {
		d.of.savedRev = d.rev
	}
	return nil
}

// dueItem is a changed item as it is to be saved.
type dueItem struct {
	of   *recordItem
	rev  int
	item protocol.Item
}

func (r *run) due() (state db.RunState, due []dueItem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopSave != nil {
		r.stopSave()
		r.stopSave = nil
	}
	state = db.RunState{RunID: r.id, Status: r.status, LastIndex: r.nextIndex - 1, At: r.srv.now()}
	failure := r.err
	if end := r.end; end != nil {
		state.Status, state.LastIndex, failure = end.status, end.index, end.err
	}
	if failure != nil {
		state.ErrorCode, state.ErrorMessage = failure.Code, failure.Message
	}
	for _, it := range r.rec.items {
		if !it.saved() {
			due = append(due, dueItem{it, it.rev, it.item()})
		}
	}
	return state, due
}

// control is the authoritative state.
func (r *run) control() protocol.Control {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.controlLocked()
}

func (r *run) controlLocked() protocol.Control {
	return protocol.Control{
		SessionID: r.sessionID, TurnID: r.turnID, RunID: r.id, StartRequestID: r.startID,
		Status: r.status, Error: r.err,
		ExecutionStopped: r.stopped, TerminalPersisted: r.persisted, CanSend: r.canSend,
		LastEventIndex: r.nextIndex - 1, PausedRequest: r.currentLocked(), LastDecision: r.last,
		ResponseLanguage: r.language,
	}
}

// snapshot is the visible state now; doc.go says when it is complete.
func (r *run) snapshot() protocol.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	whole := protocol.Terminal(r.status) || r.status == protocol.StatusPaused || !r.rec.growing()
	return protocol.Snapshot{
		SessionID: r.sessionID, RunID: r.id, Status: r.status, Error: r.err,
		Complete: whole, Items: r.rec.all(), PausedRequest: r.currentLocked(),
		ResponseLanguage: r.language, OutputFormat: r.format,
	}
}

// confirmed reports whether the end of the run is confirmed and the session may go on.
func (r *run) confirmed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.canSend
}
