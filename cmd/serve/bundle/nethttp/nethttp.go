// Package http stands in for net/http while the client is built, and only then.
//
// The framework's package holds the page's server side too, which needs net/http to compile and
// which the browser never runs. Linked in, net/http keeps TLS, its certificates' mathematics and
// more alive through package initialisation: 1.6 MB of the program, 0.34 MB compressed. So the build
// lays these few declarations over it. Nothing here does anything; what a browser cannot do anyway
// says so.
package http

import (
	"errors"
	"io"
	"net/url"
)

// What the framework's server side names of net/http.
const (
	MethodGet = "GET"

	StatusOK                  = 200
	StatusNotModified         = 304
	StatusNotFound            = 404
	StatusInternalServerError = 500
)

var errNoServer = errors.New("there is no http server or client of Go's in the browser")

// Header is a message's header.
type Header map[string][]string

// Set does nothing.
func (Header) Set(key, value string) {}

// Get finds nothing.
func (Header) Get(key string) string { return "" }

// ResponseWriter is never there to be written to.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(statusCode int)
}

// Request is never received.
type Request struct {
	Method string
	URL    *url.URL
	Header Header
	Host   string
	TLS    *struct{}
}

// Response is never received.
type Response struct {
	StatusCode int
	Header     Header
	Body       io.ReadCloser
}

// Handler is never called.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// Client sends nothing.
type Client struct{}

// DefaultClient sends nothing.
var DefaultClient = &Client{}

// Do fails.
func (*Client) Do(*Request) (*Response, error) { return nil, errNoServer }

// Get fails.
func Get(string) (*Response, error) { return nil, errNoServer }

// NewRequest fails.
func NewRequest(method, target string, body io.Reader) (*Request, error) { return nil, errNoServer }

// NotFound does nothing.
func NotFound(ResponseWriter, *Request) {}

// Dir names a directory that is not there.
type Dir string

// FileServer serves nothing.
func FileServer(Dir) Handler { return nobody{} }

type nobody struct{}

func (nobody) ServeHTTP(ResponseWriter, *Request) {}
