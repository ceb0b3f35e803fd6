// Package proxy passes the console's API requests on to a backend that runs
// elsewhere.
package proxy

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

// idlePerHost bounds the kept connections to the backend. Go's default of two
// makes every short request beside a few streams open a new one.
const idlePerHost = 32

// New returns a handler that forwards each request to backend, whose path is put
// before the request's. Answers are passed on byte for byte as they arrive, and
// a client that goes away ends the backend's request at once. A backend that
// cannot be reached is answered by 502 with the code BACKEND_UNREACHABLE.
func New(backend *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			r.SetXForwarded()
		},
		// A frame is worth something when it arrives, not when a buffer is full.
		FlushInterval: -1,
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			// Otherwise the transport asks for gzip by itself and unpacks it.
			DisableCompression:  true,
			MaxIdleConnsPerHost: idlePerHost,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
		},
		ErrorHandler: answerUnreachable,
	}
}

type errorBody struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func answerUnreachable(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there to read an answer
	}
	log.Printf("%s %s did not reach the backend: %v", r.Method, r.URL.Path, err)
	var body errorBody
	body.Error.Code = "BACKEND_UNREACHABLE"
	body.Error.Message = "the console's server could not reach the backend"
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusBadGateway)
	// A client gone by now is no error of ours.
	_ = json.NewEncoder(w).Encode(body)
}
