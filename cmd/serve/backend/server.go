package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
	"igraph-console/cmd/serve/backend/db"
)

// Config says how the backend works. Zero values of Buffer, Heartbeat and KeepEnded take the
// defaults; a zero ApprovalTimeout lets requests wait for ever, and a zero Pace answers at once.
type Config struct {
	Dir             string        // data directory
	Pace            float64       // 1 is pleasant to watch, 2 takes twice as long
	Buffer          int           // frames kept per run
	Heartbeat       time.Duration // silence after which a comment is sent
	ApprovalTimeout time.Duration // time to decide a paused request
	KeepEnded       int           // ended runs whose buffers are kept

	Clock Clock
	Log   *slog.Logger

	// EndAtPause ends streams at a pause instead of keeping them open. Both are legal.
	EndAtPause func(sessionID string) bool
	// Hold blocks before a step of a run's end for as long as a test wants.
	Hold func(ctx context.Context, sessionID, runID, step string)
	// HoldSnapshot keeps a run's snapshots incomplete.
	HoldSnapshot func(sessionID, runID string) bool
	// Script gives the performance that takes the agent's place in a run; nil for none.
	Script func(sessionID string) Script
}

// Defaults of a Config.
const (
	DefaultBuffer    = 100_000
	DefaultHeartbeat = 10 * time.Second
	DefaultKeepEnded = 64
)

// Server is the backend. Its Handler serves the API.
type Server struct {
	cfg   Config
	clock Clock
	log   *slog.Logger
	db    *db.DB
	// answer is the agent; tests put in their own.
	answer func(context.Context, agent.Turn, agent.Out) error

	starting sync.Mutex // held while a run starts: at most one per session, and per start request

	mu   sync.Mutex
	proc *process
}

// process is what a restart loses.
type process struct {
	ctx  context.Context
	stop context.CancelCauseFunc
	wg   sync.WaitGroup // runs and due saves

	mu     sync.Mutex
	runs   map[string]*run // by run id
	active map[string]*run // by session id: the newest, until its end is confirmed
	ended  []*run          // oldest first
	keep   int
}

// New opens the database in the data directory and ends the runs that an earlier process left
// behind. The error is a *db.OpenError where the directory cannot be used.
func New(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.Buffer <= 0 {
		cfg.Buffer = DefaultBuffer
	}
	if cfg.Heartbeat <= 0 {
		cfg.Heartbeat = DefaultHeartbeat
	}
	if cfg.KeepEnded <= 0 {
		cfg.KeepEnded = DefaultKeepEnded
	}
	if cfg.Clock == nil {
		cfg.Clock = SystemClock{}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	store, err := db.Open(ctx, cfg.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, clock: cfg.Clock, log: cfg.Log, db: store}
	s.answer = (&agent.Agent{NewID: uuid.NewString}).Run
	s.proc = s.newProcess()
	if err := s.endInterrupted(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("end the runs that were interrupted: %w", err), store.Close())
	}
	return s, nil
}

func (s *Server) newProcess() *process {
	p := &process{runs: map[string]*run{}, active: map[string]*run{}, keep: s.cfg.KeepEnded}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
	return p
}

// Stop ends all runs as interrupted and refuses new ones. It returns once every end is saved;
// observers have then been sent run_end.
func (s *Server) Stop() {
	s.starting.Lock() // whatever starts now has started, or is refused
	p := s.process()
	p.stop(errShutdown)
	s.starting.Unlock()
	p.wg.Wait()
}

// Close stops the server and closes the database.
func (s *Server) Close() error {
	s.Stop()
	return s.db.Close()
}

// Restart does to everything in memory what the end of the process does: runs stop without a word,
// connections break, buffers are gone. Then it starts anew on what was saved.
func (s *Server) Restart(ctx context.Context) error {
	s.starting.Lock()
	defer s.starting.Unlock()
	old := s.process()
	old.stop(errCrash)
	old.wg.Wait()
	s.mu.Lock()
	s.proc = s.newProcess()
	s.mu.Unlock()
	return s.endInterrupted(ctx)
}

// Evict drops the buffered frames of a run, as a full buffer does; of all runs without an id.
func (s *Server) Evict(runID string) {
	for _, r := range s.process().all(runID) {
		r.log.evict()
	}
}

// RequireRecovery tells those who watch a run, or any run without an id, to take snapshots.
func (s *Server) RequireRecovery(runID, reason string) error {
	raw, err := encodeEvents([]protocol.Event{protocol.RecoveryRequired{Reason: reason}})
	if err != nil {
		return err
	}
	for _, r := range s.process().all(runID) {
		if err := r.announce(raw); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) process() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.proc
}

func (s *Server) now() time.Time { return s.clock.Now().UTC().Truncate(time.Millisecond) }

func (s *Server) hold(r *run, step string) {
	if s.cfg.Hold != nil {
		s.cfg.Hold(r.proc.ctx, r.sessionID, r.id, step)
	}
}

func (p *process) add(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs[r.id] = r
	p.active[r.sessionID] = r
}

// release ends a run's hold on its session and forgets the oldest ended run beyond those kept.
func (p *process) release(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active[r.sessionID] == r {
		delete(p.active, r.sessionID)
	}
	p.ended = append(p.ended, r)
	for len(p.ended) > p.keep {
		delete(p.runs, p.ended[0].id)
		p.ended = p.ended[1:]
	}
}

// forget drops the ended runs of a session that is gone.
func (p *process) forget(sessionID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []*run
	for _, r := range p.ended {
		if r.sessionID != sessionID {
			rest = append(rest, r)
			continue
		}
		delete(p.runs, r.id)
	}
	p.ended = rest
}

func (p *process) run(sessionID, runID string) *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.runs[runID]
	if r == nil || r.sessionID != sessionID {
		return nil
	}
	return r
}

func (p *process) runByStart(sessionID, startID string) *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.runs {
		if r.sessionID == sessionID && r.startID == startID && startID != "" {
			return r
		}
	}
	return nil
}

// activeRun is the session's run whose end is not confirmed; nil for none.
func (p *process) activeRun(sessionID string) *run {
	p.mu.Lock()
	r := p.active[sessionID]
	p.mu.Unlock()
	if r == nil || r.confirmed() {
		return nil
	}
	return r
}

func (p *process) all(runID string) []*run {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*run
	for id, r := range p.runs {
		if runID == "" || runID == id {
			list = append(list, r)
		}
	}
	return list
}

// Handler serves everything below /api/.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	route := func(pattern string, h func(http.ResponseWriter, *http.Request) *apiError) {
		mux.Handle(pattern, s.answering(h))
	}
	route("GET "+protocol.PathCapabilities, s.capabilities)
	route("GET "+protocol.PathSessions, s.listSessions)
	route("POST "+protocol.PathSessions, s.createSession)
	route("GET "+protocol.PathSessions+"/{sid}", s.getSession)
	route("PATCH "+protocol.PathSessions+"/{sid}", s.renameSession)
	route("DELETE "+protocol.PathSessions+"/{sid}", s.deleteSession)
	route("POST "+protocol.PathSessions+"/{sid}/chat/stream", s.chat)
	route("POST "+protocol.PathSessions+"/{sid}/feedback/stream", s.feedback)
	route("POST "+protocol.PathSessions+"/{sid}/runs/{rid}/resume", s.resume)
	route("GET "+protocol.PathSessions+"/{sid}/runs/{rid}/snapshot", s.getSnapshot)
	route("GET "+protocol.PathSessions+"/{sid}/runs/control", s.getControl)
	route("POST "+protocol.PathSessions+"/{sid}/runs/cancel", s.cancelRun)
	route("POST "+protocol.PathSessions+"/{sid}/jobs/{jid}/cancel", s.cancelJob)
	route("GET "+protocol.PathSessions+"/{sid}/jobs/{jid}/control", s.getJobControl)
	route("GET "+protocol.PathSessions+"/{sid}/skill-candidates", s.listSkills)
	route("POST /api/skill-candidates/{id}/decision", s.decideSkill)
	route("POST "+protocol.PathFiles, s.upload)
	route("/api/", func(http.ResponseWriter, *http.Request) *apiError {
		return fail(http.StatusNotFound, codeNotFound, "there is no such endpoint")
	})
	return mux
}
