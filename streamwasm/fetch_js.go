//go:build js && wasm

package streamwasm

import (
	"context"
	"strings"
	"syscall/js"

	"igraph-console/streamwasm/internal/webapi"
)

// JSError is what JavaScript threw or rejected with. It is the cause within errors of this package; get at it with
// [errors.As] and a *JSError.
type JSError = webapi.Error

// Request is a request to be sent by fetch.
type Request struct {
	Method string // "GET" if empty
	URL    string // relative to the page if it is not absolute
	Header map[string]string

	// Body is sent as it is. If it is nil, JSBody is sent: anything that fetch takes, such as a FormData, a Blob or a
	// File. With a FormData leave Content-Type out of the header, so that the browser writes it with its boundary.
	Body   []byte
	JSBody js.Value

	// Cache, Credentials and Redirect are fetch's options of these names. Empty means the browser's default, except
	// that Open does not let its response be stored.
	Cache, Credentials, Redirect string

	// Limit is the most memory, in bytes, that one event (for Open) or the whole body (for Fetch) may take. Zero
	// means DefaultLimit.
	Limit int
}

// String returns the method and the URL.
func (r Request) String() string {
	if r.Method == "" {
		return "GET " + r.URL
	}
	return r.Method + " " + r.URL
}

func (r Request) init() webapi.Init {
	return webapi.Init{
		Method: r.Method, URL: r.URL, Header: r.Header, Body: r.Body, JSBody: r.JSBody,
		Cache: r.Cache, Credentials: r.Credentials, Redirect: r.Redirect,
	}
}

// Head is a response without its body. Of a response from another origin, only the headers that it exposes are seen.
type Head struct {
	Status     int
	StatusText string
	URL        string // where the response came from, after redirects
	Redirected bool
	Header     map[string]string // names in lower case; values of equal names are joined by ", "
}

// ContentType returns the media type of the body in lower case, without parameters, or "" if it is not known.
func (h Head) ContentType() string {
	mediaType, _, _ := strings.Cut(h.Header["content-type"], ";")
	return strings.ToLower(strings.TrimSpace(mediaType))
}

// IsEventStream reports whether the body is to be read as an event stream: status 200 and type text/event-stream.
// An error, or a page that a proxy put in between, is not.
func (h Head) IsEventStream() bool {
	return h.Status == 200 && h.ContentType() == "text/event-stream"
}

// Response is a response with its whole body.
type Response struct {
	Head
	Body []byte
}

// Fetch sends a request and reads the whole response. Any status is a response and no error. A body that breaks off
// or exceeds the limit is an error, and the response is returned all the same, with as much of the body as came.
func Fetch(ctx context.Context, req Request) (*Response, error) {
	stream, err := open(ctx, req)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	body, err := stream.ReadAll(req.Limit)
	return &Response{Head: stream.Head, Body: body}, err
}
