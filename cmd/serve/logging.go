package main

import (
	"log/slog"
	"net/http"
	"time"
)

// logged writes a line per request: method, path, status and duration, a stream's when it ends.
// Queries and bodies stay out of it, because they hold what people wrote.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &statusWriter{ResponseWriter: w}
		defer func() {
			log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status, "duration", time.Since(start))
		}()
		next.ServeHTTP(seen, r)
	})
}

// statusWriter remembers the status of an answer; 0 is none.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets streams flush and set deadlines.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
