// Package streamwasm reads server-sent events over fetch, for Go programs in the browser.
//
// EventSource can neither send a body nor choose its method and headers, and it hides the status of the response and
// the comments that servers send as heartbeats. This package does the same job over fetch and a ReadableStream, where
// all of that is at hand. Bytes go in and events come out: it knows HTTP and the browser, and nothing of what the
// events mean.
//
// It has two halves. [Decoder], which turns chunks of bytes into events, is plain Go and works on every platform, and
// so do the errors. Open, Fetch, Request, Stream, Head and Response need the browser and exist for js/wasm only; to
// read about them use
//
//	GOOS=js GOARCH=wasm go doc -all igraph-console/streamwasm
//
// # A stream
//
//	stream, err := streamwasm.Open(ctx, streamwasm.Request{
//		Method: "POST",
//		URL:    "/api/questions",
//		Header: map[string]string{"Accept": "text/event-stream", "Content-Type": "application/json"},
//		Body:   body,
//	})
//	if err != nil {
//		return err
//	}
//	defer stream.Close()
//	if !stream.IsEventStream() {
//		page, err := stream.ReadAll(64 << 10)
//		return refused(stream.Head, page, err)
//	}
//	for {
//		err := stream.Receive(func(event streamwasm.Event) error {
//			if event.Kind == streamwasm.KindComment {
//				return nil
//			}
//			return apply(event.Data)
//		})
//		if err == io.EOF {
//			return nil
//		}
//		if err != nil {
//			return err
//		}
//		heard = time.Now() // bytes arrived
//	}
//
// Open returns as soon as the head of the response is there, for any status, so that the caller decides what to make of
// an error or of a web page from a proxy. Receive returns once for each chunk that arrived, whether or not it
// completed an event, which is what a caller needs to notice a silent connection, or to publish what a chunk brought
// in one go. Fetch is for requests that are no streams.
//
// Ending the context aborts the fetch at any moment: before the headers, between chunks, among the events of one
// chunk. The server sees the client disconnect.
//
// # Decoding
//
// The decoder follows the event stream format of the HTML standard, whose name for what it does is interpreting an
// event stream:
//
//   - Lines end in LF, CR LF or CR, mixed as they come and cut anywhere. An event is handed out at the first byte that
//     completes its blank line; a LF that completes a CR LF later is swallowed.
//   - One byte order mark at the very beginning is removed.
//   - Characters are never cut. Invalid UTF-8 becomes U+FFFD as in a browser's own decoder.
//   - What the end of the stream cuts off is dropped: it is no event, sets no id and counts as no comment.
//   - An event's data is handed out without a copy where possible, so it may be read only until the handler returns.
//
// # Limits
//
// An event may take as much memory as its limit says, [DefaultLimit] if nothing else is said; so may a body that is
// read as a whole. What exceeds it ends the stream with a [TooLargeError]. Beyond one event and a buffer of 64 KiB
// nothing is stored, however long the stream. Work is linear in the bytes, however they are cut. A browser may drop bytes
// that it received right before a connection broke; they are then not seen here either.
//
// # Errors
//
// Every failure is an error that names the request and has one kind, to be found with [errors.Is]: [ErrRequest] when
// nothing was sent, [ErrNetwork] when no response came, [ErrRead] when the body broke off, [ErrAborted] when the
// context ended or the stream was closed. A [TooLargeError] is found with [errors.As]. The end of a body is [io.EOF].
// Whatever JavaScript throws or rejects with, be it null, a string or an object that throws in turn, becomes such an
// error and never a panic.
//
// # What it does not do
//
// It does not reconnect, and sends no Last-Event-ID by itself: when to try again, and from where, is known by those
// who know what the events mean. [Decoder.Retry] and [Decoder.LastEventID] tell what the stream asked for. It has no
// timeouts but the context's. It does not report the progress of an upload, which fetch cannot.
//
// # Functions and goroutines
//
// A stream holds two js.Funcs until it has ended or was closed, and no goroutine. If a request is aborted whose promise
// the browser has not settled yet, they are released when it does, which is a moment later. As all that waits, Open,
// Fetch, Receive and ReadAll must not be called within a callback from JavaScript; start a goroutine there.
package streamwasm
