package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"syscall"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/backend"
	"igraph-console/cmd/serve/faults"
	"igraph-console/cmd/serve/proxy"
	"igraph-console/cmd/serve/static"
)

// shutdownTime bounds how long open requests may take to end once the server stops.
const shutdownTime = 5 * time.Second

// run serves until ctx ends and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if errors.Is(err, errHelp) {
		return exitOK
	}
	if err != nil {
		return exitUsage
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	err = serve(ctx, o, log, stdout)
	if err != nil && !errors.Is(err, context.Canceled) { // stopped while starting is no failure
		fmt.Fprintf(stderr, "serve: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// serve starts everything, serves until ctx ends, and stops in order: runs end and say so to their
// observers, requests finish, the database closes.
func serve(ctx context.Context, o options, log *slog.Logger, stdout io.Writer) (err error) {
	pages, err := pagesOf(o.dist)
	if err != nil {
		return err
	}
	// The address comes first: most often it is another of these programs that has it.
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return listenError(o.addr, err)
	}
	defer listener.Close() // of no effect once the server has closed it
	api, err := newAPI(ctx, o, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, api.close()) }()
	mux := http.NewServeMux()
	mux.Handle("/api/", sameOrigin(api.handler))
	mux.Handle("/", pages)
	server := &http.Server{
		Handler:           logged(log, mux),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	fmt.Fprintf(stdout, "iGraph Console is ready: open %s\n", address(listener.Addr()))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", o.addr, err)
	case <-ctx.Done():
	}
	log.Info("shutting down")
	api.stop()
	deadline, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(deadline); err != nil {
		// A stream that a client keeps open is no reason to stay.
		return server.Close()
	}
	return nil
}

// api is what answers below /api/.
type api struct {
	handler http.Handler
	stop    func() // ends what goes on, so that requests can finish
	close   func() error
}

func newAPI(ctx context.Context, o options, log *slog.Logger) (api, error) {
	if o.backend != nil {
		go warnUnreachable(ctx, o.backend, log)
		return api{handler: proxy.New(o.backend), stop: func() {}, close: func() error { return nil }}, nil
	}
	cfg := backend.Config{
		Dir: o.data, Pace: o.pace, Buffer: o.buffer, Heartbeat: o.heartbeat, ApprovalTimeout: o.approvalTimeout, Log: log,
	}
	fault := faults.New(backend.SystemClock{})
	if o.faults {
		fault.Configure(&cfg)
	}
	server, err := backend.New(ctx, cfg)
	if err != nil {
		return api{}, err
	}
	handler := server.Handler()
	if o.faults {
		handler = fault.Handler(server, handler)
	}
	return api{handler: handler, stop: server.Stop, close: server.Close}, nil
}

// warnUnreachable asks the backend once. It may come up later, so its absence stops nothing.
func warnUnreachable(ctx context.Context, target *url.URL, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.JoinPath(protocol.PathCapabilities).String(), nil)
	if err == nil {
		var res *http.Response
		if res, err = http.DefaultClient.Do(req); err == nil {
			err = res.Body.Close()
		}
	}
	if err != nil {
		log.Warn("the backend cannot be reached; requests are answered by 502 until it can: check -backend and that it runs", "backend", target.Redacted(), "err", err)
	}
}

// pagesOf serves the built client.
func pagesOf(dist string) (http.Handler, error) {
	if dist == "" {
		return http.NotFoundHandler(), nil
	}
	if _, err := os.Stat(dist + "/index.html"); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the client is not built: there is no index.html in %s. Run make build, or name its directory with -dist", dist)
	}
	return static.New(os.DirFS(dist))
}

// listenError says what to do about an address that cannot be used.
func listenError(addr string, err error) error {
	host, port, _ := net.SplitHostPort(addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		n, _ := strconv.Atoi(port)
		next := net.JoinHostPort(host, strconv.Itoa(n%65535+1))
		return fmt.Errorf("the address %s is already in use: end the other program, or try another port with -addr %s", addr, next)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("not allowed to listen on %s: try a port from 1024 on, such as -addr %s", addr, net.JoinHostPort(host, "8080"))
	}
	return fmt.Errorf("cannot listen on %s: %w. Name another address with -addr", addr, err)
}

// address is what a person can open: a server on all interfaces is reached as localhost.
func address(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String() + "/"
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// sameOrigin refuses what other web sites make a person's browser send.
func sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", protocol.JSONType)
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"error":{"code":"CROSS_ORIGIN","message":"requests from other web sites are refused"}}`)
	}))
	return protection.Handler(next)
}
