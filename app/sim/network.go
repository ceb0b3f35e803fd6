package sim

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/wire"
	"igraph-console/streamwasm"
)

// Fate is what happens to one request. The zero value: it arrives and is answered at once.
type Fate struct {
	There, Back time.Duration // how long it takes to arrive, and its answer
	NeverThere  bool          // it does not arrive
	AnswerLost  bool          // it is done, and the answer does not arrive
	Hangs       bool          // it does not arrive, and nothing says so
	Status      int           // a gateway answers in the server's place
	JSON        bool          // the gateway's answer is JSON
	RetryAfter  string
	Incomplete  bool   // a snapshot says that it is incomplete
	Type        string // of the gateway's answer; "" is a page
	Text        string // the gateway's answer, with Type

	// What happens to a stream; counts are from 1, 0 is never.
	CutAt    int   // broken after that many bytes
	Clean    bool  // the break looks like a clean end
	SilentAt int   // nothing more arrives after that many bytes, and nothing says so
	Empty    bool  // it opens, though nothing was done, and ends without a byte
	Rewind   int64 // it replays so many indexes more than was asked for
	Chunk    int   // size of the pieces it arrives in; 0: as written
	Corrupt  int   // frame that arrives damaged
	Twice    int   // frame that arrives twice
	Wrong    int   // before this frame comes one of another run
	Recover  int   // before this frame the server requires recovery
}

// Network is one client's way to the server.
type Network struct {
	Clock  *Clock
	Server *Server
	Fate   func(wire.Request) Fate
	Sent   []wire.Request
	Most   int // streams that ever watched a run at the same time
	conns  map[*conn]bool
	closed bool // the page is gone: no callback reaches it
}

// watching counts the open streams that watch a run. That of a decision is given up once it has
// opened.
func (n *Network) watching() (count int) {
	for c := range n.conns {
		if c.opened && !c.feedback {
			count++
		}
	}
	return count
}

// close is the end of the page: its streams are disconnected, and nothing reaches it any more.
func (n *Network) close() {
	n.closed = true
	for c := range n.conns {
		c.finish()
	}
}

var errCut = errors.New("network error")

// call is a request that can be cancelled.
type call struct{ cancelled bool }

// Do implements wire.Network.
func (n *Network) Do(req wire.Request, done func(wire.Response, error)) (cancel func()) {
	n.Sent = append(n.Sent, req)
	fate := n.Fate(req)
	c := &call{}
	tell := func(r wire.Response, err error) {
		n.Clock.After(fate.Back, func() {
			if !c.cancelled && !n.closed {
				c.cancelled = true
				done(r, err)
			}
		})
	}
	n.Clock.After(fate.There, func() {
		switch {
		case fate.Hangs:
		case fate.NeverThere || n.Server.Down:
			tell(wire.Response{}, errCut)
		case fate.Status != 0:
			tell(gateway(fate), nil)
		case fate.AnswerLost:
			n.Server.answer(req, fate)
			tell(wire.Response{}, errCut)
		default:
			tell(n.Server.answer(req, fate), nil)
		}
	})
	return func() { c.cancelled = true }
}

func gateway(f Fate) wire.Response {
	r := wire.Response{Status: f.Status, ContentType: "text/html", Body: []byte("<html>no</html>"), RetryAfter: f.RetryAfter}
	if f.Type != "" {
		r.ContentType, r.Body = f.Type, []byte(f.Text)
	}
	if f.JSON {
		r.ContentType, r.Body = protocol.JSONType, []byte(`{"error":{"code":"BUSY"}}`)
	}
	return r
}

// Stream implements wire.Network.
func (n *Network) Stream(req wire.Request, sink wire.Sink) (cancel func()) {
	n.Sent = append(n.Sent, req)
	c := &conn{net: n, fate: n.Fate(req), sink: sink, decoder: streamwasm.NewDecoder(0)}
	c.feedback = strings.HasSuffix(req.Path, "/feedback/stream")
	if n.conns == nil {
		n.conns = map[*conn]bool{}
	}
	n.conns[c] = true
	n.Clock.After(c.fate.There, func() { c.arrive(req) })
	return c.cancel
}

// conn is one stream, with the server at one end and a sink at the other.
type conn struct {
	net     *Network
	fate    Fate
	sink    wire.Sink
	decoder *streamwasm.Decoder
	run     *Run
	sid     string

	feedback bool
	opened   bool
	done     bool // the client has given it up, or was told its end
	shut     bool // nothing more is written
	written  int  // bytes
	frames   int
}

func (c *conn) cancel() { c.finish() }

func (c *conn) finish() {
	if c.done {
		return
	}
	c.done = true
	delete(c.net.conns, c)
	c.leave()
}

func (c *conn) leave() {
	c.shut = true
	if c.run != nil {
		delete(c.run.subs, c)
	}
}

// later lets something reach the client after its way back.
func (c *conn) later(f func()) {
	c.net.Clock.After(c.fate.Back, func() {
		if !c.done {
			f()
		}
	})
}

func (c *conn) endWith(err error) {
	c.later(func() {
		c.finish()
		c.sink.Closed(err)
	})
}

func (c *conn) refuse(r wire.Response) {
	c.later(func() {
		c.finish()
		c.sink.Refused(r)
	})
}

func (c *conn) arrive(req wire.Request) {
	s := c.net.Server.of(req.Path)
	switch {
	case c.done && c.fate.NeverThere, c.fate.Hangs:
		return
	case c.fate.NeverThere || s.Down:
		c.endWith(errCut)
		return
	case c.fate.Status != 0:
		c.refuse(gateway(c.fate))
		return
	case c.fate.Empty:
		c.later(c.sink.Opened)
		c.endWith(nil)
		return
	}
	run, from, refusal := s.open(req)
	if c.fate.AnswerLost {
		c.endWith(errCut)
		return
	}
	if refusal != nil {
		c.refuse(*refusal)
		return
	}
	if c.done {
		return
	}
	c.later(func() {
		c.sink.Opened()
		c.opened = !c.done
		c.net.Most = max(c.net.Most, c.net.watching())
	})
	c.run, c.sid = run, s.sid()
	for _, e := range run.Log {
		if e.Index > from-c.fate.Rewind {
			c.frame(e.Data)
		}
	}
	c.frame(`{"protocol_version":2,"session_id":"` + s.sid() + `","run_id":"` + run.ID + `","event_index":null,"events":[{"type":"replay_complete","last_event_index":` + strconv.FormatInt(run.last(), 10) + `}]}`)
	if run.Ended || len(run.Ref.Pending()) > 0 && s.EndsAt() {
		c.close()
		return
	}
	if c.shut {
		return
	}
	run.subs[c] = true
	c.beat()
}

// beat writes a heartbeat every 15 seconds.
func (c *conn) beat() {
	c.net.Clock.After(15*time.Second, func() {
		if !c.shut {
			c.write(": hb\n\n")
			c.beat()
		}
	})
}

// frame writes a data frame, with what its fate does to it.
func (c *conn) frame(data string) {
	c.frames++
	switch c.frames {
	case c.fate.Wrong:
		c.write("data: " + wrongRun(data) + "\n\n")
	case c.fate.Recover:
		c.write(`data: {"protocol_version":2,"session_id":"` + c.sid + `","run_id":"` + c.run.ID + `","event_index":null,"events":[{"type":"stream_recovery_required","reason":"buffer"}]}` + "\n\n")
	case c.fate.Corrupt:
		data = data[:len(data)/2]
	case c.fate.Twice:
		c.write("data: " + data + "\n\n")
	}
	c.write("data: " + data + "\n\n")
}

// wrongRun makes of a frame one of another run, which says something else.
func wrongRun(data string) string {
	head, _, _ := strings.Cut(data, `"events":[`)
	head = strings.Replace(head, `"run_id":"`, `"run_id":"x`, 1)
	return head + `"events":[{"type":"run_started","start_request_id":"of another"},{"type":"message_delta","message_id":"m-9","delta":"of another run"}]}`
}

func (c *conn) write(text string) {
	if c.shut {
		return
	}
	if c.fate.SilentAt > 0 && c.written+len(text) > c.fate.SilentAt {
		text = text[:max(0, c.fate.SilentAt-c.written)]
	}
	if cut := c.fate.CutAt; cut > 0 && c.written+len(text) >= cut {
		c.deliver(text[:cut-c.written])
		c.break_()
		return
	}
	c.written += len(text)
	c.deliver(text)
}

func (c *conn) deliver(text string) {
	if text == "" {
		return
	}
	size := c.fate.Chunk
	if size == 0 {
		size = len(text)
	}
	for len(text) > 0 {
		n := min(size, len(text))
		piece := text[:n]
		text = text[n:]
		c.later(func() { c.read(piece) })
	}
}

func (c *conn) read(piece string) {
	var events []string
	err := c.decoder.Feed([]byte(piece), func(ev streamwasm.Event) error {
		if ev.Kind == streamwasm.KindEvent {
			events = append(events, string(ev.Data))
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	c.sink.Read(events)
}

// close ends the stream cleanly, unless it has fallen silent, which nobody notices.
func (c *conn) close() {
	c.leave()
	if c.fate.SilentAt > 0 && c.written >= c.fate.SilentAt {
		return
	}
	c.endWith(nil)
}

// break_ ends the stream in the middle.
func (c *conn) break_() {
	c.leave()
	if c.fate.SilentAt > 0 && c.written >= c.fate.SilentAt {
		return
	}
	if c.fate.Clean {
		c.endWith(nil)
		return
	}
	c.endWith(errCut)
}

// open finds the run that a stream request is about, and from where to replay it.
func (s *Server) open(req wire.Request) (*Run, int64, *wire.Response) {
	path, query, _ := strings.Cut(req.Path, "?")
	switch {
	case strings.HasSuffix(path, "/chat/stream"):
		s.Posts["chat"]++
		var body protocol.ChatRequest
		must(json.Unmarshal(req.Body, &body))
		r, e := s.chat(body, req.Language)
		if e != nil {
			return nil, 0, failure(e)
		}
		return r, -1, nil
	case strings.HasSuffix(path, "/feedback/stream"):
		s.Posts["feedback"]++
		var body protocol.FeedbackRequest
		must(json.Unmarshal(req.Body, &body))
		if e := s.decide(body); e != nil {
			return nil, 0, failure(e)
		}
		r := s.run(func(r *Run) bool { return r.ID == body.RunID })
		return r, r.last() - 1, nil
	case strings.HasSuffix(path, "/resume"):
		s.Posts["resume"]++
		parts := strings.Split(path, "/")
		r := s.run(func(r *Run) bool { return r.ID == parts[len(parts)-2] })
		if r == nil {
			return nil, 0, failure(&protocol.Error{Status: 404, Code: protocol.CodeRunNotFound})
		}
		from, err := strconv.ParseInt(strings.TrimPrefix(query, "last_event_index="), 10, 64)
		must(err)
		if r.Lost || from+1 < r.From {
			return nil, 0, failure(&protocol.Error{Status: 409, Code: protocol.CodeReplayUnavailable})
		}
		return r, from, nil
	}
	panic("no such stream: " + req.Path)
}

// answer answers a plain request.
func (s *Server) answer(req wire.Request, f Fate) wire.Response {
	if s.Custom != nil {
		if r := s.Custom(req); r != nil {
			return *r
		}
	}
	s = s.of(req.Path)
	path, query, _ := strings.Cut(req.Path, "?")
	switch {
	case strings.HasSuffix(path, "/runs/control"):
		key, id, _ := strings.Cut(query, "=")
		r := s.run(func(r *Run) bool { return key == "run_id" && r.ID == id || key != "run_id" && r.StartID == id })
		if r == nil {
			return *failure(&protocol.Error{Status: 404, Code: protocol.CodeRunNotFound})
		}
		return ok(s.control(r))
	case strings.HasSuffix(path, "/snapshot"):
		parts := strings.Split(path, "/")
		r := s.run(func(r *Run) bool { return r.ID == parts[len(parts)-2] })
		if r == nil {
			return *failure(&protocol.Error{Status: 404, Code: protocol.CodeRunNotFound})
		}
		return ok(s.snapshot(r, !f.Incomplete))
	case strings.HasSuffix(path, "/runs/cancel"):
		s.Posts["cancel"]++
		var body protocol.CancelRequest
		must(json.Unmarshal(req.Body, &body))
		r, e := s.cancel(body)
		if e != nil {
			return *failure(e)
		}
		answer := ok(s.control(r))
		if !r.Stopped {
			answer.Status = 202
		}
		return answer
	case path == protocol.PathSession(s.sid()):
		return ok(s.detail())
	case path == protocol.PathCapabilities:
		return ok(protocol.Capabilities{RunCancel: true, JobCancel: true, EditLatest: true})
	case path == protocol.PathSessions:
		return ok(protocol.SessionPage{Sessions: []protocol.SessionInfo{s.detail().Session}})
	}
	panic("no such request: " + req.Path)
}

// OK is an answer of 200 with a record.
func OK(v any) *wire.Response {
	r := ok(v)
	return &r
}

// Failure is an answer with an error code.
func Failure(status int, code string) *wire.Response {
	return failure(&protocol.Error{Status: status, Code: code})
}

func ok(v any) wire.Response {
	b, err := json.Marshal(v)
	must(err)
	return wire.Response{Status: 200, ContentType: protocol.JSONType, Body: b}
}

func failure(e *protocol.Error) *wire.Response {
	b, err := json.Marshal(map[string]any{"error": map[string]string{"code": e.Code}})
	must(err)
	return &wire.Response{Status: e.Status, ContentType: protocol.JSONType, Body: b}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
