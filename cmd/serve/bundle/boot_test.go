package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"igraph-console/cmd/serve/static"
)

// console is a bundle with a stand-in program, served at / and under a prefix,
// and a browser to look at it.
type console struct {
	address string
	browser context.Context

	mu      sync.Mutex
	program http.HandlerFunc // answers for the program, if set
	missing []string         // what was asked for and not there
}

const prefix = "/agent/ui"

func TestBoot(t *testing.T) {
	c := startConsole(t)
	t.Run("program starts at any address", c.testAddresses)
	t.Run("unknown address is said so", c.testUnknownAddress)
	t.Run("theme and language are right before the program runs", c.testPreferences)
	t.Run("program that cannot start is explained", c.testFailures)
	t.Run("browser without WebAssembly is explained", c.testUnsupported)
	t.Run("death of the program is explained", c.testDeath)
}

func startConsole(t *testing.T) *console {
	t.Helper()
	program, err := compile("./testdata/client")
	if err != nil {
		t.Fatal(err)
	}
	glue, err := runtimeScript()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := assemble(newBundle(dir, true), testSources, program, glue); err != nil {
		t.Fatal(err)
	}
	files, err := static.New(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}

	c := &console{}
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.Handle(prefix+"/", http.StripPrefix(prefix, files))
	server := httptest.NewServer(c.watch(mux))
	t.Cleanup(server.Close)
	c.address = server.URL
	c.browser = startBrowser(t)
	return c
}

// watch lets a test answer for the program, and notes what is missing.
func (c *console) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		program := c.program
		c.mu.Unlock()
		if program != nil && strings.HasSuffix(r.URL.Path, ".wasm") {
			program(w, r)
			return
		}
		recorder := &statusRecorder{ResponseWriter: w}
		next.ServeHTTP(recorder, r)
		if recorder.status == http.StatusNotFound {
			c.mu.Lock()
			c.missing = append(c.missing, r.URL.Path)
			c.mu.Unlock()
		}
	})
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (c *console) answerProgram(program http.HandlerFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.program = program
}

func startBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.Flag("disable-quic", true), chromedp.WindowSize(1280, 800))
	if path := os.Getenv("CHROME"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	// It reports events newer than itself as errors.
	quiet := chromedp.WithErrorf(func(string, ...any) {})
	browser, closeBrowser := chromedp.NewContext(allocator, quiet)
	t.Cleanup(closeBrowser)
	if err := chromedp.Run(browser); err != nil {
		t.Fatalf("start Chromium (make setup installs it; CHROME names another): %v", err)
	}
	return browser
}

// tab is a page without stored preferences, with the complaints of the browser about it.
type tab struct {
	context.Context
	t *testing.T

	mu         sync.Mutex
	complaints []string
}

func (c *console) open(t *testing.T) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(c.browser)
	t.Cleanup(closeTab)
	ctx, stopWaiting := context.WithTimeout(ctx, 30*time.Second)
	t.Cleanup(stopWaiting)
	p := &tab{Context: ctx, t: t}
	chromedp.ListenTarget(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch event := event.(type) {
		case *log.EventEntryAdded:
			if event.Entry.Level == log.LevelError {
				p.complaints = append(p.complaints, event.Entry.Text+" "+event.Entry.URL)
			}
		case *runtime.EventExceptionThrown:
			p.complaints = append(p.complaints, event.ExceptionDetails.Error())
		}
	})
	p.run(network.Enable(), network.SetCacheDisabled(true))
	p.before("localStorage.clear()") // tabs share it
	return p
}

func (p *tab) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p, actions...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) prefer(key, value string) {
	p.before(`localStorage.setItem("` + key + `", "` + value + `")`)
}

// before runs a script in the page before any of its own.
func (p *tab) before(script string) {
	p.t.Helper()
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	}))
}

// visibleText waits for selector and returns the text a person sees in it.
func (p *tab) visibleText(selector string) string {
	p.t.Helper()
	var text string
	p.run(chromedp.WaitVisible(selector), chromedp.Text(selector, &text, chromedp.NodeVisible))
	return text
}

func (p *tab) eval(expression string) string {
	p.t.Helper()
	var value string
	p.run(chromedp.Evaluate(expression, &value))
	return value
}

func (p *tab) mustHaveNoComplaints() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, complaint := range p.complaints {
		p.t.Errorf("the browser complains: %s", complaint)
	}
}

// shoot keeps a picture for a person to look at, if SCREENS names a directory.
func (p *tab) shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("SCREENS")
	if dir == "" {
		return
	}
	var png []byte
	p.run(page.BringToFront(), chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (c *console) testAddresses(t *testing.T) {
	for path, root := range map[string]string{
		"/":                    "",
		"/s/1f0c":              "",
		prefix + "/":           prefix,
		prefix + "/s/1f0c?x=1": prefix,
	} {
		p := c.open(t)
		p.run(chromedp.Navigate(c.address + path))
		if got, want := p.visibleText("#view"), "prefix="+root+" api="+root; got != want {
			t.Errorf("%s: program sees %q, want %q", path, got, want)
		}
		p.mustHaveNoComplaints()
	}
	if len(c.missing) > 0 {
		t.Errorf("asked for and not there: %q", c.missing)
	}
}

func (c *console) testUnknownAddress(t *testing.T) {
	p := c.open(t)
	p.prefer("igraph.lang", "zh")
	p.run(chromedp.Navigate(c.address + prefix + "/no/where"))
	if got := p.visibleText("h1"); got != "页面不存在" {
		t.Errorf("title %q", got)
	}
	p.shoot("notfound-zh")
	p.run(chromedp.Click("a.btn"), chromedp.WaitVisible("#view"))
	if got := p.eval("location.pathname"); got != prefix+"/" {
		t.Errorf("the link leads to %s, want %s/", got, prefix)
	}
}

func (c *console) testPreferences(t *testing.T) {
	for _, want := range []struct{ name, theme, lang, system, dataTheme, text, background string }{
		{"light-en", "light", "en", "dark", "light", "Loading…", "rgb(255, 255, 255)"},
		{"dark-zh", "dark", "zh", "light", "dark", "正在加载…", "rgb(19, 24, 27)"},
		{"system-dark", "system", "en", "dark", "", "Loading…", "rgb(19, 24, 27)"},
		{"system-light", "system", "zh", "light", "", "正在加载…", "rgb(255, 255, 255)"},
		{"garbage", "<b>", "tlh", "light", "", "Loading…", "rgb(255, 255, 255)"},
	} {
		t.Run(want.name, func(t *testing.T) {
			release := make(chan struct{})
			c.answerProgram(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/wasm")
				w.Header().Set("X-Raw-Length", "16")
				io.WriteString(w, "\x00asm\x01\x00\x00\x00")
				w.(http.Flusher).Flush()
				<-release
			})
			defer c.answerProgram(nil)
			defer close(release)

			p := c.open(t)
			p.prefer("igraph.theme", want.theme)
			p.prefer("igraph.lang", want.lang)
			p.run(
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: want.system}}),
				chromedp.Navigate(c.address+"/"),
				chromedp.Poll(`document.getElementById("boot-progress").value === 0.5`, nil),
			)
			if got := p.eval(`document.documentElement.dataset.theme || ""`); got != want.dataTheme {
				t.Errorf("theme %q, want %q", got, want.dataTheme)
			}
			if got := strings.TrimSpace(p.visibleText("[role=status]")); got != want.text {
				t.Errorf("text %q, want %q", got, want.text)
			}
			if got := p.eval(`getComputedStyle(document.querySelector(".main")).backgroundColor`); got != want.background {
				t.Errorf("background %s, want %s", got, want.background)
			}
			p.mustHaveNoComplaints()
			p.shoot("boot-" + want.name)
		})
	}
}

func (c *console) testFailures(t *testing.T) {
	type answer = http.HandlerFunc
	wasm := func(w http.ResponseWriter) { w.Header().Set("Content-Type", "application/wasm") }
	for _, failing := range []struct {
		name, text, cause string
		program           answer
	}{
		{"not there", "did not deliver the program", "HTTP status 404", http.NotFound},
		{"a page instead", "did not deliver the program", "content type text/html", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<p>sign in</p>")
		}},
		{"garbage", "arrived damaged", "CompileError", func(w http.ResponseWriter, r *http.Request) {
			wasm(w)
			io.WriteString(w, "no program at all")
		}},
		{"no answer", "could not be downloaded", "TypeError", func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}},
		{"half an answer", "could not be downloaded", "", func(w http.ResponseWriter, r *http.Request) {
			wasm(w)
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "\x00asm\x01\x00\x00\x00")
		}},
	} {
		t.Run(failing.name, func(t *testing.T) {
			c.answerProgram(failing.program)
			p := c.open(t)
			p.prefer("igraph.lang", "en")
			p.run(chromedp.Navigate(c.address + "/s/1f0c"))
			notice := "[data-testid=boot-failed]"
			if got := p.visibleText(notice); !strings.Contains(got, failing.text) {
				t.Errorf("notice %q, want one with %q", got, failing.text)
			}
			if got := p.eval(`document.querySelector("[data-cause]").textContent`); !strings.Contains(got, failing.cause) || got == "" {
				t.Errorf("cause %q, want one with %q", got, failing.cause)
			}
			p.run(chromedp.Click(notice + " summary"))
			p.shoot("failed-" + strings.ReplaceAll(failing.name, " ", "-"))

			c.answerProgram(nil)
			p.run(chromedp.Click(notice+" [data-reload]"), chromedp.WaitVisible("#view"))
		})
	}
}

func (c *console) testUnsupported(t *testing.T) {
	p := c.open(t)
	p.before("delete globalThis.WebAssembly")
	p.prefer("igraph.lang", "zh")
	p.prefer("igraph.theme", "dark")
	p.run(chromedp.Navigate(c.address + "/"))
	if got := p.visibleText("[data-testid=boot-failed]"); !strings.Contains(got, "无法运行WebAssembly") {
		t.Errorf("notice %q", got)
	}
	p.shoot("failed-unsupported-zh")
}

func (c *console) testDeath(t *testing.T) {
	for _, death := range []struct{ name, script, cause string }{
		{"panic", "try { panicInProgram() } catch {}", "a broken item"},
		{"exit", "exitProgram()", "The program ended."},
		{"trap", `dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable") }))`, "unreachable"},
	} {
		t.Run(death.name, func(t *testing.T) {
			p := c.open(t)
			p.prefer("igraph.lang", "zh")
			p.run(chromedp.Navigate(c.address+"/"), chromedp.WaitVisible("#view"))
			p.run(chromedp.Evaluate(death.script, nil))
			notice := "[data-testid=boot-died]"
			text := p.visibleText(notice)
			if !strings.Contains(text, "运行在服务器上继续") || !strings.Contains(text, "草稿会保留") {
				t.Errorf("notice %q", text)
			}
			if got := p.eval(causeOfDeath); !strings.Contains(got, death.cause) {
				t.Errorf("cause %q, want one with %q", got, death.cause)
			}
			if got := p.eval(`document.activeElement.dataset.reload ?? "none"`); got != "" {
				t.Errorf("focus is not on the button to reload")
			}
			p.shoot("died-" + death.name)
			p.run(chromedp.Click(notice+" [data-reload]"), chromedp.WaitVisible("#view"))
		})
	}
}

const causeOfDeath = `document.querySelector("[data-testid=boot-died] [data-cause]").textContent`
