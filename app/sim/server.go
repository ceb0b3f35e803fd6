package sim

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/wire"
)

// Session is the id of the simulated server's first session.
const Session = "s-1"

// Server runs scripted runs in one session. It answers at once; how long that takes to arrive, and
// whether it does, is the network's doing.
type Server struct {
	Clock    *Clock
	ID       string               // of the session; "" is Session
	Others   map[string]*Server   // further sessions, by id
	Script   func(n int) []Frame  // what run n does
	Delay    func() time.Duration // between two frames
	EndsAt   func() bool          // whether a pause ends the streams
	Persist  bool                 // whether the items of an unfinished run are saved as they grow
	Runs     []*Run
	Chats    int             // chat requests that started a run, or would have
	Feedback []string        // decisions that were taken: request=decision
	Posts    map[string]int  // requests by path kind
	Starts   map[string]bool // start requests that arrived
	Down     bool

	// Manual leaves it to the test what a run does and when: Emit and End, and the confirmations.
	Manual bool
	// Custom answers a request in the server's place, if it returns an answer.
	Custom func(wire.Request) *wire.Response

	updated time.Time
}

func (s *Server) sid() string {
	if s.ID == "" {
		return Session
	}
	return s.ID
}

// touch notes that something changed. Two changes never bear the same time: virtual time may stand
// still between them, a real clock does not.
func (s *Server) touch() {
	now := s.Clock.Now()
	if !now.After(s.updated) {
		now = s.updated.Add(1)
	}
	s.updated = now
}

// of is the server of the session that a path names.
func (s *Server) of(path string) *Server {
	rest, _ := strings.CutPrefix(path, protocol.PathSessions+"/")
	sid, _, _ := strings.Cut(rest, "/")
	if other := s.Others[sid]; other != nil {
		return other
	}
	return s
}

// Frame is one frame of a script: its events, and how many indexes it skips before its own. A frame
// without index is only seen by those who watch when it is made.
type Frame struct {
	Events  []string
	Gap     int64
	NoIndex bool
}

// Run is a run of the server.
type Run struct {
	ID, StartID, TurnID string
	Text, Lang          string
	Log                 []Entry
	Ref                 Reference
	Saved               []protocol.Item
	Next                int64 // index of the next frame
	From                int64 // the buffer holds indexes from here on
	Lost                bool  // the buffer is gone
	Ended               bool
	Stopped, Persisted  bool
	CanSend             bool
	Decisions           map[string]string // decision id by request
	Last                *protocol.LastDecision
	CancelIDs           map[string]bool
	cancelled           bool

	script []Frame
	pos    int
	subs   map[*conn]bool
}

// Entry is a frame as it went out.
type Entry struct {
	Index int64
	Data  string
}

func (s *Server) run(match func(*Run) bool) *Run {
	for _, r := range s.Runs {
		if match(r) {
			return r
		}
	}
	return nil
}

func (s *Server) active() *Run {
	if n := len(s.Runs); n > 0 && !s.Runs[n-1].CanSend {
		return s.Runs[n-1]
	}
	return nil
}

// prefix keeps the ids of further sessions apart from the first's.
func (s *Server) prefix() string {
	if s.ID == "" {
		return ""
	}
	return s.ID + "."
}

// Chat starts a run, or finds the one that this start request led to.
func (s *Server) chat(body protocol.ChatRequest, lang string) (*Run, *protocol.Error) {
	if s.Starts == nil {
		s.Starts = map[string]bool{}
	}
	s.Starts[body.StartRequestID] = true
	if r := s.run(func(r *Run) bool { return r.StartID == body.StartRequestID }); r != nil {
		return r, nil
	}
	if s.active() != nil {
		return nil, &protocol.Error{Status: 409, Code: protocol.CodeRunActive}
	}
	s.Chats++
	n := len(s.Runs) + 1
	r := &Run{
		ID: s.prefix() + fmt.Sprintf("r-%d", n), TurnID: s.prefix() + fmt.Sprintf("t-%d", n), StartID: body.StartRequestID, Text: body.Message, Lang: lang,
		Decisions: map[string]string{}, CancelIDs: map[string]bool{}, subs: map[*conn]bool{},
	}
	if !s.Manual {
		r.script = s.Script(n)
	}
	r.Ref.Status = protocol.StatusRunning
	s.Runs = append(s.Runs, r)
	start := fmt.Sprintf(`{"type":"run_started","turn_id":%q,"start_request_id":%q,"response_language":%q,"output_format":"chat","started_at":"2026-01-05T02:00:00Z"}`, r.TurnID, r.StartID, lang)
	s.Emit(r, Frame{Events: []string{start}})
	s.advance(r)
	return r, nil
}

// advance makes the next frame of the script after a while, unless the run waits for a decision.
func (s *Server) advance(r *Run) {
	if s.Manual {
		return
	}
	s.Clock.After(s.Delay(), func() {
		if r.Ended || len(r.Ref.Pending()) > 0 {
			return
		}
		if r.pos >= len(r.script) {
			s.End(r, protocol.StatusCompleted, "")
			return
		}
		frame := r.script[r.pos]
		r.pos++
		s.Emit(r, frame)
		if len(r.Ref.Pending()) > 0 {
			r.Saved = r.Ref.Copy()
			if s.EndsAt() {
				r.closeAll()
			}
			return
		}
		s.advance(r)
	})
}

// Emit makes a frame of a run.
func (s *Server) Emit(r *Run, f Frame) {
	s.touch()
	index := "null"
	if !f.NoIndex {
		r.Next += f.Gap
		index = fmt.Sprint(r.Next)
	}
	data := fmt.Sprintf(`{"protocol_version":2,"session_id":%q,"run_id":%q,"event_index":%s,"events":[%s]}`, s.sid(), r.ID, index, strings.Join(f.Events, ","))
	frame, err := protocol.DecodeFrame(data)
	if err != nil {
		panic(fmt.Sprintf("the script holds a bad frame: %v: %s", err, data))
	}
	if !f.NoIndex {
		for _, ev := range frame.Events {
			r.Ref.Take(ev)
		}
		r.Log = append(r.Log, Entry{r.Next, data})
		r.Next++
		if s.Persist {
			r.Saved = r.Ref.Copy()
		}
	}
	for c := range r.subs {
		c.frame(data)
	}
	if protocol.Terminal(r.Ref.Status) && !r.Ended {
		s.ended(r)
	}
}

// End ends a run with a status and, unless it is empty, an error code.
func (s *Server) End(r *Run, status, code string) {
	if r.Ended {
		return
	}
	errText := "null"
	if code != "" {
		errText = fmt.Sprintf(`{"code":%q,"message":""}`, code)
	}
	s.Emit(r, Frame{Events: []string{fmt.Sprintf(`{"type":"run_end","status":%q,"error":%s}`, status, errText)}})
}

// ended closes a run whose end has gone out.
func (s *Server) ended(r *Run) {
	r.Ended = true
	r.Saved = r.Ref.Copy()
	r.closeAll()
	s.confirm(r)
}

// confirm makes the three confirmations true, one after another.
func (s *Server) confirm(r *Run) {
	if s.Manual {
		return
	}
	s.Clock.After(s.Delay(), func() {
		r.Stopped = true
		s.Clock.After(s.Delay(), func() {
			r.Persisted = true
			s.Clock.After(s.Delay(), func() { r.CanSend = true })
		})
	})
}

// Confirm sets the three confirmations.
func (r *Run) Confirm(stopped, persisted, canSend bool) {
	r.Stopped, r.Persisted, r.CanSend = stopped, persisted, canSend
}

// CloseStreams ends the streams that watch a run, cleanly, as at a pause.
func (r *Run) CloseStreams() { r.closeAll() }

// Cut breaks the streams that watch a run.
func (r *Run) Cut() {
	for c := range r.subs {
		c.break_()
	}
}

// Silence breaks the streams that watch a run so that their readers are told nothing.
func (r *Run) Silence() {
	for c := range r.subs {
		c.leave()
	}
}

// Write writes bytes to the streams that watch a run, beside its frames.
func (r *Run) Write(text string) {
	for c := range r.subs {
		c.write(text)
	}
}

// Streams is the number of streams that watch a run.
func (r *Run) Streams() int { return len(r.subs) }

func (r *Run) closeAll() {
	for c := range r.subs {
		c.close()
	}
}

func (r *Run) last() int64 { return r.Next - 1 }

// Restart loses all buffers and ends what was running.
func (s *Server) Restart() {
	s.touch()
	for _, r := range s.Runs {
		for c := range r.subs {
			c.break_()
		}
		r.Lost = true
		if !r.Ended {
			r.Ended = true
			r.Ref.Items = r.Saved
			for i := range r.Ref.Items {
				if a := r.Ref.Items[i].Approval; a != nil && a.Status == protocol.StatusPending {
					v := *a
					v.Status = protocol.StatusCancelled
					r.Ref.Items[i].Approval = &v
				}
			}
			r.Ref.Status, r.Ref.Error = protocol.StatusFailed, &protocol.RunError{Code: protocol.CodeInterrupted}
			r.Saved = r.Ref.Copy()
		}
		r.Stopped, r.Persisted, r.CanSend = true, true, true
	}
}

// Evict drops the buffer of the newest run up to now.
func (s *Server) Evict() {
	if n := len(s.Runs); n > 0 {
		s.Runs[n-1].From = s.Runs[n-1].Next
	}
}

// Decide takes a decision, from whomever it comes.
func (s *Server) decide(b protocol.FeedbackRequest) *protocol.Error {
	r := s.run(func(r *Run) bool { return r.ID == b.RunID })
	if r == nil {
		return &protocol.Error{Status: 404, Code: protocol.CodeRunNotFound}
	}
	if id, decided := r.Decisions[b.RequestID]; decided {
		if id == b.DecisionID {
			return nil
		}
		return &protocol.Error{Status: 409, Code: protocol.CodeAlreadyDecided}
	}
	pending := r.Ref.Pending()
	if r.Ended || len(pending) == 0 || pending[0].RequestID != b.RequestID {
		return &protocol.Error{Status: 409, Code: protocol.CodeRequestStale}
	}
	r.Decisions[b.RequestID] = b.DecisionID
	s.Feedback = append(s.Feedback, b.RequestID+"="+b.Decision)
	r.Last = &protocol.LastDecision{RequestID: b.RequestID, Decision: b.Decision, Comment: b.Comment}
	comment, _ := json.Marshal(b.Comment)
	resolved := fmt.Sprintf(`{"type":"approval_resolved","request_id":%q,"decision":%q,"comment":%s,"effective_args":{"n":9007199254740993}}`, b.RequestID, b.Decision, comment)
	s.Emit(r, Frame{Events: []string{resolved}})
	s.advance(r)
	return nil
}

// DecideElsewhere decides the current request of the newest run as another client would.
func (s *Server) DecideElsewhere(decision string) {
	if len(s.Runs) == 0 {
		return
	}
	r := s.Runs[len(s.Runs)-1]
	if pending := r.Ref.Pending(); !r.Ended && len(pending) > 0 {
		_ = s.decide(protocol.FeedbackRequest{RunID: r.ID, RequestID: pending[0].RequestID, DecisionID: "elsewhere-" + pending[0].RequestID, Decision: decision})
	}
}

func (s *Server) cancel(b protocol.CancelRequest) (*Run, *protocol.Error) {
	r := s.run(func(r *Run) bool {
		return b.Target.RunID != "" && r.ID == b.Target.RunID || b.Target.StartRequestID != "" && r.StartID == b.Target.StartRequestID
	})
	if r == nil {
		return nil, &protocol.Error{Status: 404, Code: protocol.CodeRunNotFound}
	}
	r.CancelIDs[b.CancelRequestID] = true
	if !r.cancelled && !r.Ended {
		r.cancelled = true
		s.Emit(r, Frame{Events: []string{`{"type":"run_status","status":"cancelling"}`}})
		if !s.Manual {
			s.Clock.After(s.Delay(), func() { s.End(r, protocol.StatusCancelled, "") })
		}
	}
	return r, nil
}

// Control is what control says of a run.
func (s *Server) control(r *Run) protocol.Control {
	c := protocol.Control{
		SessionID: s.sid(), TurnID: r.TurnID, RunID: r.ID, StartRequestID: r.StartID, Status: r.Ref.Status, Error: r.Ref.Error,
		ExecutionStopped: r.Stopped, TerminalPersisted: r.Persisted, CanSend: r.CanSend, LastEventIndex: r.last(),
		LastDecision: r.Last, ResponseLanguage: r.Lang,
	}
	if r.Lost {
		c.LastEventIndex = -1
	}
	if pending := r.Ref.Pending(); !r.Ended && len(pending) > 0 {
		c.PausedRequest = pending[0]
	}
	return c
}

func (s *Server) snapshot(r *Run, complete bool) protocol.Snapshot {
	snap := protocol.Snapshot{
		SessionID: s.sid(), RunID: r.ID, Status: r.Ref.Status, Error: r.Ref.Error, Complete: complete || r.Ended,
		Items: r.Ref.Copy(), ResponseLanguage: r.Lang, OutputFormat: protocol.FormatChat,
	}
	if pending := r.Ref.Pending(); !r.Ended && len(pending) > 0 {
		snap.PausedRequest = pending[0]
	}
	if !snap.Complete {
		snap.Items = nil
	}
	return snap
}

func (s *Server) detail() protocol.SessionDetail {
	d := protocol.SessionDetail{Session: protocol.SessionInfo{SessionID: s.sid(), Title: "T", Status: protocol.StatusIdle, UpdatedAt: s.updated}}
	if r := s.active(); r != nil {
		d.Session.Status = protocol.StatusRunning
	}
	for _, r := range s.Runs {
		status := r.Ref.Status
		d.Turns = append(d.Turns, protocol.Turn{
			TurnID: r.TurnID, RunID: r.ID, StartRequestID: r.StartID, User: protocol.UserMessage{Text: r.Text},
			ResponseLanguage: r.Lang, OutputFormat: protocol.FormatChat, Status: status, Error: r.Ref.Error, Items: r.Saved,
		})
	}
	if r := s.active(); r != nil {
		c := s.control(r)
		d.ActiveRun = &c
	}
	return d
}
