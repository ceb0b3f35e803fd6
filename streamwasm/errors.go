package streamwasm

import (
	"errors"
	"fmt"
)

// The kinds of failure of a request, told apart with [errors.Is]. They are declared for every platform, so that code
// which decides what to do about a failure can be portable although the requests themselves need a browser.
var (
	// ErrRequest: the browser refused to build the request, for instance for a malformed URL or header name. Nothing
	// was sent, and trying again will not help.
	ErrRequest = errors.New("invalid request")
	// ErrNetwork: no response came. The request may or may not have reached the server. Browsers do not tell scripts
	// the difference between no connection, a refused one, a forbidden cross-origin request and the like.
	ErrNetwork = errors.New("network failure")
	// ErrRead: a response came, and its body broke off.
	ErrRead = errors.New("body broke off")
	// ErrAborted: the context ended or the stream was closed. The cause of that is in the error's chain too, so
	// [context.Canceled] and [context.DeadlineExceeded] can be told apart.
	ErrAborted = errors.New("aborted")
	// ErrClosed is the cause of an [ErrAborted] that came from closing the stream rather than from its context.
	ErrClosed = errors.New("stream closed")
)

// TooLargeError says that an event or a body exceeded the limit its reader was given. Test for it with [errors.As].
type TooLargeError struct {
	What  string // "event" or "body"
	Limit int    // in bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s exceeds the limit of %d bytes", e.What, e.Limit)
}
