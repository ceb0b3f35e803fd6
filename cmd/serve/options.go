package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"time"

	"igraph-console/cmd/serve/backend"
)

// options are what the command line says.
type options struct {
	addr            string
	dist            string
	data            string
	backend         *url.URL // nil: the embedded backend
	pace            float64
	buffer          int
	heartbeat       time.Duration
	approvalTimeout time.Duration
	faults          bool
}

const usage = `Serve runs the iGraph Console: the built client and the API behind it.

Usage: serve [flags]

`

// errHelp says that help was asked for and given.
var errHelp = errors.New("help")

// parseOptions reads the command line. What is wrong with it, and the flags, go to stderr.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	var target string
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`address` to listen on")
	flags.StringVar(&o.dist, "dist", "dist", "`directory` of the built client; empty serves the API alone")
	flags.StringVar(&o.data, "data", "data", "`directory` of the embedded backend's database and uploads")
	flags.StringVar(&target, "backend", "", "`URL` of a backend that runs elsewhere; without it the embedded one runs")
	flags.Float64Var(&o.pace, "pace", 1, "how slowly the embedded backend answers: 1 is pleasant to watch, 0 is at once")
	flags.IntVar(&o.buffer, "buffer", backend.DefaultBuffer, "`events` that the embedded backend keeps per run for observers that come back")
	flags.DurationVar(&o.heartbeat, "heartbeat", backend.DefaultHeartbeat, "`silence` after which the embedded backend sends a heartbeat")
	flags.DurationVar(&o.approvalTimeout, "approval-timeout", time.Hour, "`time` in which an approval has to be decided; 0 is for ever")
	flags.BoolVar(&o.faults, "faults", false, "offer the fault endpoints below /api/__faults, for tests and demonstrations")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, errHelp
		}
		return o, err
	}
	err := o.check(flags.Args(), target)
	if err != nil {
		fmt.Fprintf(stderr, "serve: %v\nRun serve -help for the flags.\n", err)
	}
	return o, err
}

func (o *options) check(rest []string, target string) error {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	if _, port, err := net.SplitHostPort(o.addr); err != nil || !validPort(port) {
		return fmt.Errorf("-addr %q is no address: write host:port, such as 127.0.0.1:8080, or :8080 for all interfaces", o.addr)
	}
	if target != "" {
		u, err := url.Parse(target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("-backend %q is no URL of a backend: write one such as http://localhost:21108", target)
		}
		o.backend = u
	}
	switch {
	case o.faults && o.backend != nil:
		return errors.New("-faults works on the embedded backend only: leave out -backend or -faults")
	case !(o.pace >= 0 && o.pace <= 1000):
		return fmt.Errorf("-pace %v is out of range: write a number from 0 (at once) to 1000", o.pace)
	case o.buffer < 1:
		return fmt.Errorf("-buffer %d is out of range: write at least 1", o.buffer)
	case o.heartbeat <= 0:
		return fmt.Errorf("-heartbeat %v is out of range: write a duration such as 10s", o.heartbeat)
	case o.approvalTimeout < 0:
		return fmt.Errorf("-approval-timeout %v is out of range: write a duration such as 1h, or 0 for ever", o.approvalTimeout)
	case o.backend == nil && o.data == "":
		return errors.New("-data is empty: name a directory")
	}
	return nil
}

func validPort(port string) bool {
	n, err := strconv.Atoi(port)
	return err == nil && n >= 0 && n <= 65535
}
