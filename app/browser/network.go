//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"igraph-console/app/protocol"
	"igraph-console/app/wire"
	"igraph-console/streamwasm"
)

// bodyLimit bounds an answer: a session of thousands of turns takes a few megabytes.
const bodyLimit = 128 << 20

// Network sends requests through fetch.
type Network struct {
	Loop *Loop
	API  string // where /api lies, without a slash at its end; "" is this page's own server
}

func (n *Network) request(req wire.Request) streamwasm.Request {
	header := map[string]string{"Accept": protocol.JSONType}
	if req.Version {
		header["Accept"] = protocol.EventStream
		header[protocol.VersionHeader] = protocol.VersionValue
	}
	if req.Language != "" {
		header[protocol.LanguageHeader] = req.Language
	}
	out := streamwasm.Request{Method: req.Method, URL: n.API + req.Path, Header: header, Cache: "no-store"}
	if req.Body != nil {
		header["Content-Type"] = protocol.JSONType
		out.Body = req.Body
	}
	if file, ok := req.File.(js.Value); ok {
		form := js.Global().Get("FormData").New()
		form.Call("append", "file", file)
		out.JSBody = form
	}
	return out
}

// call is one request. It may be cancelled until its last callback.
type call struct {
	loop      *Loop
	cancelled bool // read and written by callbacks only
	abort     context.CancelFunc
}

func (n *Network) begin() (*call, context.Context) {
	ctx, abort := context.WithCancel(context.Background())
	return &call{loop: n.Loop, abort: abort}, ctx
}

func (c *call) cancel() {
	c.cancelled = true
	c.abort()
}

// tell runs a callback unless the request was cancelled, and reports whether it still goes on.
func (c *call) tell(f func()) (goOn bool) {
	c.loop.Do(func() {
		if !c.cancelled {
			f()
		}
		goOn = !c.cancelled
	})
	return goOn
}

// Do implements wire.Network.
func (n *Network) Do(req wire.Request, done func(wire.Response, error)) (cancel func()) {
	c, ctx := n.begin()
	go func() {
		defer c.abort()
		out := n.request(req)
		out.Limit = bodyLimit
		r, err := streamwasm.Fetch(ctx, out)
		if err != nil {
			c.tell(func() { done(wire.Response{}, err) })
			return
		}
		c.tell(func() { done(response(r.Head, r.Body), nil) })
	}()
	return c.cancel
}

func response(head streamwasm.Head, body []byte) wire.Response {
	return wire.Response{
		Status: head.Status, ContentType: head.Header["content-type"], RetryAfter: head.Header["retry-after"], Body: body,
	}
}

// Stream implements wire.Network.
func (n *Network) Stream(req wire.Request, sink wire.Sink) (cancel func()) {
	c, ctx := n.begin()
	go func() {
		defer c.abort()
		s, err := streamwasm.Open(ctx, n.request(req))
		if err != nil {
			c.tell(func() { sink.Closed(err) })
			return
		}
		defer s.Close()
		c.read(s, sink)
	}()
	return c.cancel
}

// refusalLimit bounds what is read of an answer that is no event stream.
const refusalLimit = 1 << 20

func (c *call) read(s *streamwasm.Stream, sink wire.Sink) {
	if !s.IsEventStream() {
		// A body that breaks off or is too long still tells its status.
		body, _ := s.ReadAll(refusalLimit)
		c.tell(func() { sink.Refused(response(s.Head, body)) })
		return
	}
	if !c.tell(sink.Opened) {
		return
	}
	for {
		var events []string
		err := s.Receive(func(ev streamwasm.Event) error {
			if ev.Kind == streamwasm.KindEvent {
				events = append(events, string(ev.Data))
			}
			return nil
		})
		if (err == nil || len(events) > 0) && !c.tell(func() { sink.Read(events) }) {
			return
		}
		if err == nil {
			continue
		}
		c.tell(func() { sink.Closed(ending(err)) })
		return
	}
}

// ending names the end of a stream for the sink.
func ending(err error) error {
	var large *streamwasm.TooLargeError
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.As(err, &large):
		return fmt.Errorf("%w: %w", wire.ErrTooLarge, err)
	}
	return err
}
