// Package wire is what the client needs of the outside world, as small interfaces, and the typed
// requests made over them. It decides nothing: what to ask, when, and what an answer means is the
// business of observe and act.
//
// All callbacks of these interfaces are serialised: no two run at the same time, in whatever
// goroutine they arrive, and none runs from within the call that asked for it. That is what lets observe and act be plain state machines, and lets a test
// fire callbacks by hand in any order.
package wire

import (
	"errors"
	"time"

	"igraph-console/app/protocol"
)

// Request is one HTTP request to the backend. Path begins with /api/; the network adds the base.
type Request struct {
	Method   string
	Path     string
	Version  bool   // send the stream version header
	Language string // Accept-Language; "" sends none of our own
	Body     []byte // JSON, or nil
	File     any    // a file to upload as multipart field "file"; only the network knows its type
}

// Response is an answer. Body is nil for an event stream.
type Response struct {
	Status      int
	ContentType string
	RetryAfter  string
	Body        []byte
}

// ErrTooLarge is how a stream ends that brought a larger event than can be taken: reading it again
// would end the same way.
var ErrTooLarge = errors.New("an event is too large")

// Sink receives an event stream. Either Refused or Closed ends it, once; nothing comes after.
type Sink interface {
	// Opened: the server has answered with an event stream.
	Opened()
	// Refused: the server has answered something else.
	Refused(Response)
	// Read: bytes have arrived, and with them these whole events (perhaps none: a heartbeat, or
	// part of an event). The strings belong to the sink.
	Read(events []string)
	// Closed: the stream, or the request before its answer, has ended. err is nil at a clean end.
	Closed(err error)
}

// Network sends requests. The cancel functions disconnect this side only; after one was called, no
// callback of that request is. Cancelling twice, or late, does nothing.
type Network interface {
	Do(Request, func(Response, error)) (cancel func())
	Stream(Request, Sink) (cancel func())
}

// Clock tells the wall time and calls back later.
type Clock interface {
	Now() time.Time
	After(time.Duration, func()) (stop func())
}

// Storage keeps small values over a refresh. Names are paths; values are opaque.
type Storage interface {
	Load(name string) (value string, ok bool)
	Save(name, value string) error
	Remove(name string)
	// Names lists what is kept under a prefix.
	Names(prefix string) []string
}

// Client makes typed requests.
type Client struct {
	Net   Network
	Clock Clock
}

// Fail turns an answer that was not the wanted one into an error.
func (c Client) Fail(r Response) *protocol.Error {
	return protocol.DecodeError(r.Status, r.ContentType, r.RetryAfter, r.Body, c.Clock.Now())
}

// answerBy is how long a request may stay without its answer. A connection that died without a word
// would otherwise be waited for without end. Files are exempt: how long one takes is its size's affair.
const answerBy = 90 * time.Second

var errNoAnswer = errors.New("no answer in time")

// Do sends a request. done gets either the answer or the error, at the latest after answerBy.
func (c Client) Do(req Request, done func(Response, error)) (cancel func()) {
	if req.File != nil {
		return c.Net.Do(req, done)
	}
	var unguard func()
	abort := c.Net.Do(req, func(r Response, err error) {
		unguard()
		done(r, err)
	})
	unguard = c.Clock.After(answerBy, func() {
		abort()
		done(Response{}, errNoAnswer)
	})
	return func() { unguard(); abort() }
}

// Call sends a request and decodes its answer. done gets either the value or the error.
func Call[T any](c Client, req Request, decode func([]byte) (T, error), done func(T, *protocol.Error)) (cancel func()) {
	return c.Do(req, func(r Response, err error) {
		var none T
		if err != nil {
			done(none, protocol.NetworkError(err))
			return
		}
		if r.Status < 200 || r.Status > 299 || !protocol.IsJSON(r.ContentType) {
			done(none, c.Fail(r))
			return
		}
		value, err := decode(r.Body)
		if err != nil {
			done(none, &protocol.Error{Code: protocol.CodeBadContentType, Status: r.Status, Message: err.Error()})
			return
		}
		done(value, nil)
	})
}

// Control reads the authoritative state of a run.
func (c Client) Control(sid, rid string, done func(protocol.Control, *protocol.Error)) (cancel func()) {
	return Call(c, Request{Method: "GET", Path: protocol.PathControl(sid, rid)}, protocol.DecodeControl, done)
}

// ControlByStart reads the authoritative state of the run that a start request led to.
func (c Client) ControlByStart(sid, startID string, done func(protocol.Control, *protocol.Error)) (cancel func()) {
	return Call(c, Request{Method: "GET", Path: protocol.PathControlByStart(sid, startID)}, protocol.DecodeControl, done)
}

// Snapshot reads a run's snapshot.
func (c Client) Snapshot(sid, rid string, done func(protocol.Snapshot, *protocol.Error)) (cancel func()) {
	return Call(c, Request{Method: "GET", Path: protocol.PathSnapshot(sid, rid)}, protocol.DecodeSnapshot, done)
}

// Session reads a session with its turns.
func (c Client) Session(sid string, done func(protocol.SessionDetail, *protocol.Error)) (cancel func()) {
	return Call(c, Request{Method: "GET", Path: protocol.PathSession(sid)}, protocol.DecodeSessionDetail, done)
}

// Resume observes a run again, after the given index. The language is the turn's own.
func (c Client) Resume(sid, rid string, after int64, language string, sink Sink) (cancel func()) {
	return c.Net.Stream(Request{
		Method: "POST", Path: protocol.PathResume(sid, rid, after), Version: true, Language: language,
	}, sink)
}
