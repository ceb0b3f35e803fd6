//go:build js && wasm

package webapi

import (
	"context"
	"io"
	"syscall/js"
)

// Init describes a request. Empty strings leave the browser's defaults.
type Init struct {
	Method, URL                  string
	Header                       map[string]string
	Body                         []byte
	JSBody                       js.Value // used if Body is nil
	Cache, Credentials, Redirect string
}

// Head is a response without its body.
type Head struct {
	Status     int
	StatusText string
	URL        string // after redirects
	Redirected bool
	Header     map[string]string // names in lower case
}

// Exchange is one request and its response. Its methods are for one goroutine at a time, except Close.
type Exchange struct {
	request, controller js.Value
	awaiter             *awaiter

	response js.Value
	reader   js.Value // undefined until the first read
	chunk    js.Value // the array last read
	read     int      // bytes of it already handed out
	length   int
}

// NewExchange builds a request and sends nothing yet. The error says what the browser found wrong with it. The
// exchange must be closed.
func NewExchange(init Init) (*Exchange, error) {
	x := &Exchange{}
	err := try(func() {
		x.controller = js.Global().Get("AbortController").New()
		options := js.Global().Get("Object").New()
		options.Set("signal", x.controller.Get("signal"))
		for name, value := range map[string]string{
			"method": init.Method, "cache": init.Cache, "credentials": init.Credentials, "redirect": init.Redirect,
		} {
			if value != "" {
				options.Set(name, value)
			}
		}
		headers := js.Global().Get("Headers").New()
		for name, value := range init.Header {
			headers.Call("append", name, value)
		}
		options.Set("headers", headers)
		options.Set("body", body(init))
		x.request = js.Global().Get("Request").New(init.URL, options)
	})
	if err != nil {
		return nil, err
	}
	x.awaiter = newAwaiter()
	return x, nil
}

func body(init Init) js.Value {
	if init.Body == nil {
		return init.JSBody
	}
	array := js.Global().Get("Uint8Array").New(len(init.Body))
	js.CopyBytesToJS(array, init.Body)
	return array
}

// Send sends the request and waits for the head of the response.
func (x *Exchange) Send(ctx context.Context) (Head, error) {
	response, err := x.awaiter.await(ctx, func() js.Value { return js.Global().Call("fetch", x.request) })
	if err != nil {
		return Head{}, err
	}
	x.response = response
	var head Head
	err = try(func() {
		head = Head{
			Status:     get(response, "status").Int(),
			StatusText: property(response, "statusText"),
			URL:        property(response, "url"),
			Redirected: get(response, "redirected").Truthy(),
			Header:     headers(response),
		}
	})
	return head, err
}

func headers(response js.Value) map[string]string {
	// The copy is a real Headers object whatever the response is.
	own := js.Global().Get("Headers").New(get(response, "headers"))
	pairs := js.Global().Get("Array").Call("from", own)
	header := make(map[string]string, pairs.Length())
	for i := range pairs.Length() {
		pair := pairs.Index(i)
		header[pair.Index(0).String()] = pair.Index(1).String()
	}
	return header
}

// Read copies the next bytes of the body to p, waiting for them if there are none, and returns their number, which
// is at least one if p is not empty. At the end of the body the error is io.EOF.
func (x *Exchange) Read(ctx context.Context, p []byte) (int, error) {
	for x.Buffered() == 0 {
		if err := x.readChunk(ctx); err != nil {
			return 0, err
		}
	}
	n := min(len(p), x.Buffered())
	err := try(func() {
		part := x.chunk
		if n < x.length {
			part = part.Call("subarray", x.read, x.read+n)
		}
		n = js.CopyBytesToGo(p, part)
	})
	if err != nil {
		return 0, err
	}
	x.read += n
	return n, nil
}

// Buffered returns how many bytes can be read without waiting.
func (x *Exchange) Buffered() int { return x.length - x.read }

func (x *Exchange) readChunk(ctx context.Context) error {
	if x.reader.IsUndefined() {
		if err := x.openBody(); err != nil {
			return err
		}
	}
	result, err := x.awaiter.await(ctx, func() js.Value { return call(x.reader, "read") })
	if err != nil {
		return err
	}
	done := false
	err = try(func() {
		if done = get(result, "done").Truthy(); done {
			return
		}
		x.chunk = view(get(result, "value"))
		x.read, x.length = 0, x.chunk.Length()
	})
	if done {
		return io.EOF
	}
	return err
}

// view returns a typed array on the same memory as v. It throws if v is anything but a typed array.
func view(v js.Value) js.Value {
	prototype := js.Global().Get("Uint8Array").Get("prototype")
	return prototype.Get("subarray").Call("call", v, 0)
}

// openBody fails with io.EOF if the response has no body at all, as with status 204.
func (x *Exchange) openBody() error {
	empty := false
	err := try(func() {
		stream := get(x.response, "body")
		if empty = !stream.Truthy(); !empty {
			x.reader = call(stream, "getReader")
		}
	})
	if empty {
		return io.EOF
	}
	return err
}

// Close aborts the exchange at whatever point it is and releases what it holds. It may be called from any goroutine
// and more than once.
func (x *Exchange) Close() {
	// The browser's own abort does not throw. Should a replaced one do so, there is nothing more that could be done.
	_ = try(func() { x.controller.Call("abort") })
	x.awaiter.release()
}
