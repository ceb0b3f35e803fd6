package store

import (
	"fmt"
	"sync"

	"igraph-console/app/protocol"
)

// Store holds the newest State.
type Store struct {
	mu    sync.Mutex
	state *State
	subs  map[int]func()
	next  int
}

// New returns a store with an empty state.
func New() *Store {
	return &Store{state: &State{Rev: NextRev(), Online: true, Theme: "system", Lang: "en"}, subs: map[int]func(){}}
}

// State returns the newest state.
func (s *Store) State() *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Subscribe calls f after every publication until the returned function is called. f must not
// block and must not call Update.
func (s *Store) Subscribe(f func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next
	s.next++
	s.subs[id] = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subs, id)
	}
}

// Update runs one transaction. If fn returns an error or panics, nothing changes and nobody is
// told; otherwise the new state is published and every subscriber is told once.
func (s *Store) Update(fn func(*Tx) error) error {
	told, err := s.commit(fn)
	for _, f := range told {
		f()
	}
	return err
}

func (s *Store) commit(fn func(*Tx) error) ([]func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.state
	tx := &Tx{State: &next, rev: NextRev()}
	if err := run(tx, fn); err != nil {
		return nil, err
	}
	next.Rev = tx.rev
	s.state = &next
	told := make([]func(), 0, len(s.subs))
	for _, f := range s.subs {
		told = append(told, f)
	}
	return told, nil
}

func run(tx *Tx, fn func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("transaction panicked: %v", p)
		}
	}()
	return fn(tx)
}

// Tx is a transaction: a State of its own, whose sessions and turns are copied before they change.
// Its scalar fields may be set directly.
type Tx struct {
	*State
	rev      uint64
	copied   bool
	sessions map[string]*Session
}

// Session returns the session to change, opening it if it is not.
func (tx *Tx) Session(id string) *Session {
	if s, ok := tx.sessions[id]; ok {
		return s
	}
	if !tx.copied {
		tx.open = append([]*Session(nil), tx.open...)
		tx.copied = true
	}
	if tx.sessions == nil {
		tx.sessions = map[string]*Session{}
	}
	fresh := &Session{ID: id, Conn: Connection{Phase: PhaseIdle}}
	for i, s := range tx.open {
		if s.ID == id {
			*fresh = *s
			tx.open[i] = fresh
		}
	}
	if fresh.Rev == 0 {
		tx.open = append(tx.open, fresh)
	}
	fresh.Rev = tx.rev
	tx.sessions[id] = fresh
	return fresh
}

// LastTurn returns the session's last turn to change, or nil if there is none.
func (tx *Tx) LastTurn(id string) *Turn {
	s := tx.Session(id)
	if s.Last == nil {
		return nil
	}
	s.Last = tx.ownTurn(s.Last)
	return s.Last
}

// Turn returns the turn with this key to change, or nil.
func (tx *Tx) Turn(id, key string) *Turn {
	s := tx.Session(id)
	if s.Last != nil && s.Last.Key == key {
		return tx.LastTurn(id)
	}
	for i, t := range s.Past {
		if t.Key == key {
			s.Past = append([]*Turn(nil), s.Past...)
			s.Past[i] = tx.ownTurn(t)
			return s.Past[i]
		}
	}
	return nil
}

func (tx *Tx) ownTurn(t *Turn) *Turn {
	if t.Rev == tx.rev {
		return t
	}
	copied := *t
	copied.Rev = tx.rev
	return &copied
}

// AddTurn puts a turn behind the others.
func (tx *Tx) AddTurn(id string, t *Turn) {
	s := tx.Session(id)
	if s.Last != nil {
		s.Past = append(s.Past[:len(s.Past):len(s.Past)], s.Last)
	}
	t.Rev = tx.rev
	s.Last = t
}

// DropTurn takes a turn away: one that the person discarded, or that an edit replaced.
func (tx *Tx) DropTurn(id, key string) {
	s := tx.Session(id)
	var kept []*Turn
	for i := range s.Turns() {
		if t := s.Turn(i); t.Key != key {
			kept = append(kept, t)
		}
	}
	s.setTurns(kept)
}

// SetTurns replaces all turns of a session.
func (tx *Tx) SetTurns(id string, turns []*Turn) { tx.Session(id).setTurns(turns) }

func (s *Session) setTurns(turns []*Turn) {
	s.Past, s.Last = nil, nil
	if n := len(turns); n > 0 {
		s.Past, s.Last = turns[:n-1:n-1], turns[n-1]
	}
}

// CloseSession forgets a session that was deleted.
func (tx *Tx) CloseSession(id string) {
	var kept []*Session
	for _, s := range tx.open {
		if s.ID != id {
			kept = append(kept, s)
		}
	}
	tx.open, tx.copied = kept, true
	delete(tx.sessions, id)
}

// SetDecision records an act of deciding.
func (tx *Tx) SetDecision(runID, requestID string, d Decision) {
	d.Rev = tx.rev
	tx.Decisions = with(tx.Decisions, ActKey{runID, requestID}, d)
}

// SetSkill records an act of deciding a skill candidate.
func (tx *Tx) SetSkill(candidateID string, d Decision) {
	d.Rev = tx.rev
	tx.Skills = with(tx.Skills, candidateID, d)
}

// SetJob records an act of cancelling a job.
func (tx *Tx) SetJob(sessionID, callID string, j JobCancel) {
	j.Rev = tx.rev
	tx.Jobs = with(tx.Jobs, ActKey{sessionID, callID}, j)
}

// SetComposer changes what stands beside a message box.
func (tx *Tx) SetComposer(sessionID string, c Composer) {
	c.Rev = tx.rev
	tx.Composers = with(tx.Composers, sessionID, c)
}

// SetRow puts a session into the list, or changes its row. New rows come first: the list is ordered
// by last activity.
func (tx *Tx) SetRow(info protocol.SessionInfo) {
	rows := append([]protocol.SessionInfo(nil), tx.Sessions.Rows...)
	for i := range rows {
		if rows[i].SessionID == info.SessionID {
			rows[i] = info
			tx.Sessions.Rows = rows
			return
		}
	}
	tx.Sessions.Rows = append([]protocol.SessionInfo{info}, rows...)
}

// with returns a copy of m in which key has this value.
func with[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	copied := make(map[K]V, len(m)+1)
	for k, v := range m {
		copied[k] = v
	}
	copied[key] = value
	return copied
}
