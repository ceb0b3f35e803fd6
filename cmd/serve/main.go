// Serve runs the iGraph Console on one address: the built client, and the API behind it, either the
// embedded reference backend or a proxy to a backend that runs elsewhere.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // it could not start, or stopped with an error
	exitUsage  = 2 // the command line is wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
