//go:build js && wasm

package streamwasm

import (
	"context"
	"fmt"
	"io"
	"time"

	"igraph-console/streamwasm/internal/webapi"
)

// readBuffer is the size in bytes of the buffer that chunks are copied to. Larger chunks pass through it in parts.
const readBuffer = 64 << 10

// Stream is a response whose body is read as it arrives. Read it from one goroutine; Close may come from any.
type Stream struct {
	// Head is known from the beginning. Look at it before reading: any status opens a stream.
	Head

	request  Request
	ctx      context.Context
	cancel   context.CancelCauseFunc
	unwatch  func() bool
	exchange *webapi.Exchange
	decoder  *Decoder
	buffer   []byte
	err      error // why reading has ended; nil while it goes on
}

// Open sends a request and returns when the head of the response is there. The stream must be read to its end or
// closed. When the context ends, the request is aborted, at whatever point it is, and reading stops at once.
//
// The error is of kind [ErrRequest], [ErrNetwork] or [ErrAborted]. It must not be called, and no method that waits
// either, from within a callback from JavaScript: start a goroutine there.
func Open(ctx context.Context, req Request) (*Stream, error) {
	if req.Cache == "" {
		req.Cache = "no-store"
	}
	return open(ctx, req)
}

func open(ctx context.Context, req Request) (*Stream, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w: %w", req, ErrAborted, context.Cause(ctx))
	}
	exchange, err := webapi.NewExchange(req.init())
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", req, ErrRequest, err)
	}
	s := &Stream{request: req, exchange: exchange, decoder: NewDecoder(req.Limit)}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.unwatch = context.AfterFunc(s.ctx, exchange.Close)
	head, err := exchange.Send(s.ctx)
	if err != nil {
		return nil, s.end(s.failure(ErrNetwork, err))
	}
	s.Head = Head(head)
	return s, nil
}

// Receive waits for the next chunk of the body and calls handle for each event and comment that it completes, perhaps
// none. So it returns nil each time bytes arrived, which tells a caller that the connection lives, also in the middle
// of a long event. What handle gets is described at [Event].
//
// At the end of the body the error is [io.EOF] itself; a block left open there is no event. Else it is of kind
// [ErrRead], [ErrAborted] or [*TooLargeError], or the error of handle as it is. Any error ends the stream and closes
// it; later calls return the same one. After the context ended, handle is not called any more, not even for events
// of the same chunk.
func (s *Stream) Receive(handle func(Event) error) error {
	if s.err != nil {
		return s.err
	}
	if s.buffer == nil {
		s.buffer = make([]byte, readBuffer)
	}
	for {
		n, err := s.read(s.buffer)
		if err != nil {
			return s.end(err)
		}
		if err := s.decode(s.buffer[:n], handle); err != nil {
			return s.end(err)
		}
		if s.exchange.Buffered() == 0 {
			return nil
		}
	}
}

func (s *Stream) decode(chunk []byte, handle func(Event) error) error {
	var handled error
	err := s.decoder.Feed(chunk, func(event Event) error {
		if handled = s.aborted(); handled == nil {
			handled = handle(event)
		}
		return handled
	})
	if err != nil && err != handled {
		return fmt.Errorf("%s: %w", s.request, err)
	}
	return err
}

// ReadAll reads the rest of the body, up to a limit in bytes; zero means [DefaultLimit]. It is for responses that
// are no event stream. Errors are those of Receive, without the end of the body, and the bytes that came before an
// error are returned with it. Afterwards the stream is closed.
func (s *Stream) ReadAll(limit int) ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	body, err := io.ReadAll(io.LimitReader(readerFunc(s.read), int64(limit)+1))
	if err == nil && len(body) > limit {
		body = body[:limit]
		err = fmt.Errorf("%s: %w", s.request, &TooLargeError{What: "body", Limit: limit})
	}
	if err != nil {
		return body, s.end(err)
	}
	_ = s.end(io.EOF) // the end of the body is what was wanted here
	return body, nil
}

// readerFunc makes an io.Reader of a function.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// read reads body bytes. Its errors are io.EOF or have their kind.
func (s *Stream) read(p []byte) (int, error) {
	if err := s.aborted(); err != nil {
		return 0, err
	}
	n, err := s.exchange.Read(s.ctx, p)
	if err != nil && err != io.EOF {
		return 0, s.failure(ErrRead, err)
	}
	return n, err
}

// aborted returns an error once the context has ended or the stream was closed.
func (s *Stream) aborted() error {
	if s.ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%s: %w: %w", s.request, ErrAborted, context.Cause(s.ctx))
}

// failure names what happened. Whatever else went wrong, an abort explains it.
func (s *Stream) failure(kind, cause error) error {
	if err := s.aborted(); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w: %w", s.request, kind, cause)
}

// end keeps the first error and releases the stream.
func (s *Stream) end(err error) error {
	s.err = err
	s.Close()
	return err
}

// LastEventID returns the last event ID that the stream has set.
func (s *Stream) LastEventID() string { return s.decoder.LastEventID() }

// Retry returns the reconnection time that the stream asked for, and whether it asked.
func (s *Stream) Retry() (time.Duration, bool) { return s.decoder.Retry() }

// Close aborts what is still to come and releases what the stream holds. A Receive that waits returns an error of
// kind [ErrAborted] whose cause is [ErrClosed]. Closing twice, or after the end, does nothing.
func (s *Stream) Close() {
	s.unwatch()
	s.cancel(ErrClosed)
	s.exchange.Close()
}
