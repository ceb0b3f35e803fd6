// Package e2e drives the built console in a real browser against the real server.
//
// A test begins with newWorld, which starts a server of its own with faults on, pace 0 and an empty
// data directory, and a browser context of its own, and makes the test parallel. Then:
//
//	w := newWorld(t)
//	w.script(run(frame(start("a"), delta("a", "Hello")), gate("g"), frame(end("a"))))
//	p := w.open("/")                      // a tab; returns once the console is ready
//	p.send("hi")                          // types and presses Enter
//	p.waitAttr(lastTurn, "data-status", "running")
//	w.openGate("g")
//	p.waitTurn("completed")
//	p.wantText(hook("message"), "Hello")
//
// Elements are found by the page's hooks, never by class or text: hook("tool", "status", "running")
// is a selector. Selectors are CSS, and name the first element they match; lastTurn stands for the
// last turn. Every wait happens in the page, frame by frame, and fails with what the page shows.
//
// The world also has fault (a rule, hold or command for the server's fault endpoints, as JSON),
// requests (what the server was asked), kill and start (the server dies and comes back on the same
// address and data), and turns (a session that is there already). Every tab is sampled in every
// frame from before its first script on: see sampler_test.go. A test fails on any error of the page
// that it did not allow with p.allow, and on any request that leaves the server's origin.
//
// Chromium repeats a request by itself, POSTs too, when a connection that it had kept breaks before
// an answer: a rule that refuses or loses once may go unnoticed by the page. "times":-1 is noticed.
//
// The browser is $CHROME, else bin/chromium as .ci/setup makes it, else an installed one.
package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long anything may take before a test gives up. It only bounds failures.
const patience = 30 * time.Second

// built are the programs under test and the browser, shared by all tests.
var built struct {
	server  string // program
	dist    string // the bundle's directory
	browser context.Context
}

func TestMain(m *testing.M) {
	flag.Parse()
	if at := flag.Lookup("test.parallel"); at.Value.String() == at.DefValue {
		// Tests mostly wait: for the page, and for what the console waits for.
		_ = at.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir)
	program, err := findBrowser()
	if err != nil {
		return failed(err)
	}
	if err := build(dir); err != nil {
		return failed(err)
	}
	stop, err := startBrowser(program)
	if err != nil {
		return failed(fmt.Errorf("start the browser %s: %w", program, err))
	}
	defer stop()
	return m.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}

// findBrowser looks for the browser where .ci/setup puts it, then among the installed ones.
func findBrowser() (string, error) {
	if name := os.Getenv("CHROME"); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("CHROME names no program: %w", err)
		}
		return path, nil
	}
	if path, err := filepath.Abs("../../../bin/chromium"); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium or Chrome to test with: run .ci/setup, or name one in CHROME")
}

// build makes the bundle, in quick mode, and the server.
func build(dir string) error {
	built.dist, built.server = filepath.Join(dir, "dist"), filepath.Join(dir, "serve")
	for _, args := range [][]string{
		{"run", "./cmd/serve/bundle", "-quick", "-o", built.dist},
		{"build", "-o", built.server, "./cmd/serve"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = "../../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s %s: %w\n%s", args[0], args[len(args)-1], err, out)
		}
	}
	return nil
}

// startBrowser starts the one browser of all tests.
func startBrowser(program string) (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"),
		chromedp.WindowSize(1440, 900),
	)
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	browser, _ := chromedp.NewContext(allocator)
	if err := chromedp.Run(browser); err != nil {
		free()
		return nil, err
	}
	built.browser = browser
	return func() {
		_ = chromedp.Cancel(browser) // the process ends either way
		free()
	}, nil
}
