package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/sampler.js
var sampler string

// lastTurn is the selector of the last turn on the page; it can begin a longer one.
const lastTurn = ":last-turn"

// hook is the selector of a hook; attributes are names of data-* attributes, each with its value.
func hook(name string, attributes ...string) string {
	s := fmt.Sprintf(`[data-testid=%q]`, name)
	for i := 0; i < len(attributes); i += 2 {
		s += fmt.Sprintf(`[data-%s=%q]`, attributes[i], attributes[i+1])
	}
	return s
}

// page is one tab.
type page struct {
	t   *testing.T
	w   *world
	ctx context.Context

	mu      sync.Mutex
	errors  []string // what went wrong in the page
	allowed []string // parts of errors that the test expects
}

// tab opens an empty tab. The browser's preferences can be changed before it goes anywhere.
func (w *world) tab() *page {
	w.t.Helper()
	// A window of its own: browsers do not draw what lies behind another tab.
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(w.profile).WithNewWindow(true).
		WithWidth(1440).WithHeight(900).Do(inBrowser())
	if err != nil {
		w.t.Fatalf("open a tab: %v", err)
	}
	ctx, shut := chromedp.NewContext(built.browser, chromedp.WithTargetID(id))
	p := &page{t: w.t, w: w, ctx: ctx}
	w.t.Cleanup(func() {
		p.finish()
		shut()
	})
	chromedp.ListenTarget(ctx, p.hear)
	p.do("open a tab",
		network.Enable(),
		cdplog.Enable(),
		emulation.SetFocusEmulationEnabled(true), // several tabs are at work at once, each as if in front
		cdppage.SetLifecycleEventsEnabled(true),
	)
	p.before(sampler)
	p.size(1440, 900)
	return p
}

// open opens a tab on a path and waits until the console is ready.
func (w *world) open(path string) *page {
	w.t.Helper()
	p := w.tab()
	p.visit(path)
	return p
}

// before runs a script in every document of the tab, before the document's own.
func (p *page) before(source string) {
	p.t.Helper()
	p.do("add a script", chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(source).Do(ctx)
		return err
	}))
}

// hear notes everything that must not happen in a page.
func (p *page) hear(ev any) {
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.note("uncaught: " + ev.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.APITypeError {
			p.note("console.error: " + words(ev.Args))
		}
	case *cdplog.EventEntryAdded:
		// A request that fails is the server's fault, and often the test's wish.
		if ev.Entry.Level == cdplog.LevelError && ev.Entry.Source != cdplog.SourceNetwork {
			p.note(fmt.Sprintf("%s: %s", ev.Entry.Source, ev.Entry.Text))
		}
	case *cdppage.EventJavascriptDialogOpening:
		p.note("a dialog opened: " + ev.Message)
	case *network.EventRequestWillBeSent:
		if !p.w.ours(ev.Request.URL) {
			p.note("a request left the console: " + ev.Request.URL)
		}
	}
}

func (w *world) ours(address string) bool {
	for _, start := range []string{w.base + "/", "data:", "blob:", "about:"} {
		if strings.HasPrefix(address, start) {
			return true
		}
	}
	return false
}

func words(args []*runtime.RemoteObject) string {
	var list []string
	for _, a := range args {
		if a.Value != nil {
			list = append(list, string(a.Value))
			continue
		}
		list = append(list, a.Description)
	}
	return strings.Join(list, " ")
}

func (p *page) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, text)
}

// allow expects errors that contain one of the parts.
func (p *page) allow(parts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, parts...)
}

// finish fails the test for errors that it did not allow.
func (p *page) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.errors {
		if !slices.ContainsFunc(p.allowed, func(part string) bool { return strings.Contains(text, part) }) {
			p.t.Errorf("in the page: %s", text)
		}
	}
}

// do performs actions of the browser.
func (p *page) do(what string, actions ...chromedp.Action) {
	p.t.Helper()
	if err := p.try(actions...); err != nil {
		p.fatal("%s: %v", what, err)
	}
}

func (p *page) try(actions ...chromedp.Action) error {
	// The first run opens the tab, and its context has to live as long as the tab.
	if chromedp.FromContext(p.ctx).Target == nil {
		return chromedp.Run(p.ctx, actions...)
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// fatal ends the test with what the page shows.
func (p *page) fatal(format string, args ...any) {
	p.t.Helper()
	text := fmt.Sprintf(format, args...)
	var shows string
	if err := p.try(chromedp.Evaluate(summary, &shows)); err != nil {
		shows = err.Error()
	}
	p.picture("failed-" + strings.NewReplacer("/", "-", " ", "-").Replace(p.t.Name()))
	p.t.Fatalf("%s\n--- the page: %s", text, shows)
}

// summary lists the hooks on the page with their attributes, and the text of the last turn.
const summary = `location.pathname + "\n" + [...document.querySelectorAll("[data-testid]")]
	.filter((el) => el.getClientRects().length > 0)
	.slice(-80).map((el) => Object.entries(el.dataset).map(([k, v]) => k + "=" + v).join(" ")).join("\n") +
	"\n" + [...document.querySelectorAll("[data-testid=turn]")].slice(-1).map((el) => el.innerText.slice(-1500)).join()`

// visit goes to a path of the console and waits until it is ready.
func (p *page) visit(path string) {
	p.t.Helper()
	p.do("go to "+path, chromedp.Navigate(p.w.base+path))
	p.ready()
}

// reload is what F5 does.
func (p *page) reload() {
	p.t.Helper()
	p.do("reload", chromedp.Reload())
	p.ready()
}

func (p *page) ready() {
	p.t.Helper()
	p.wait("the console to be ready", `__e2e.find('[data-testid="app"][data-ready="true"]')`)
}

// wait waits until an expression is true in the page, looking in every frame.
func (p *page) wait(what, expression string) {
	p.t.Helper()
	p.evaluate(what, "__e2e.until(() => !!("+expression+"))", nil)
}

// evaluate gives an expression's value; a promise is waited for. The page may move on meanwhile.
func (p *page) evaluate(what, expression string, out any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		err := chromedp.Run(ctx, chromedp.Evaluate(expression, out, awaited))
		switch {
		case err == nil:
			return
		case ctx.Err() != nil:
			p.fatal("waited in vain for %s", what)
		case !movedOn(err):
			p.fatal("%s: %v", what, err)
		}
	}
}

func awaited(params *runtime.EvaluateParams) *runtime.EvaluateParams {
	return params.WithAwaitPromise(true)
}

// movedOn reports whether an evaluation failed because its document was left.
func movedOn(err error) bool {
	var thrown *runtime.ExceptionDetails
	if errors.As(err, &thrown) {
		return strings.Contains(thrown.Error(), "__e2e is not defined")
	}
	for _, part := range []string{"navigated or closed", "context was destroyed", "Cannot find context", "Promise was collected", "find default execution context"} {
		if strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}

// value is the value of an expression in the page.
func value[T any](p *page, expression string) T {
	p.t.Helper()
	var v T
	p.evaluate(expression, expression, &v)
	return v
}

// quote writes a text as JavaScript does.
func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return string(raw)
}

func find(selector string) string { return "__e2e.find(" + quote(selector) + ")" }

// waitFor waits until an element is there and takes up room.
func (p *page) waitFor(selector string) {
	p.t.Helper()
	p.wait(selector, find(selector)+"?.getClientRects().length")
}

// waitGone waits until an element is not there, or hidden.
func (p *page) waitGone(selector string) {
	p.t.Helper()
	p.wait("no "+selector, "!"+find(selector)+"?.getClientRects().length")
}

// waitAttr waits until an attribute has a value.
func (p *page) waitAttr(selector, name, want string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%s=%q on %s", name, want, selector),
		fmt.Sprintf("%s?.getAttribute(%s) === %s", find(selector), quote(name), quote(want)))
}

// waitText waits until the text of an element contains a part.
func (p *page) waitText(selector, part string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%q in %s", part, selector), find(selector)+"?.textContent.includes("+quote(part)+")")
}

// waitCount waits until so many elements are there.
func (p *page) waitCount(selector string, n int) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%d of %s", n, selector), fmt.Sprintf("__e2e.all(%s).length === %d", quote(selector), n))
}

// waitTurn waits until the last turn has a status.
func (p *page) waitTurn(status string) {
	p.t.Helper()
	p.waitAttr(lastTurn, "data-status", status)
}

// waitBlocked waits until sending is blocked for a reason; "" is that it is open.
func (p *page) waitBlocked(reason string) {
	p.t.Helper()
	p.waitAttr(hook("composer"), "data-blocked", reason)
}

// waitConnection waits until the connection has a state.
func (p *page) waitConnection(state string) {
	p.t.Helper()
	p.waitAttr(hook("connection"), "data-state", state)
}

func (p *page) count(selector string) int {
	p.t.Helper()
	return value[int](p, "__e2e.all("+quote(selector)+").length")
}

// text is the text of an element, "" if there is none.
func (p *page) text(selector string) string {
	p.t.Helper()
	return value[string](p, find(selector)+`?.textContent ?? ""`)
}

func (p *page) texts(selector string) []string {
	p.t.Helper()
	return value[[]string](p, "__e2e.all("+quote(selector)+").map((el) => el.textContent)")
}

// attr is an attribute of an element, "" if it has none.
func (p *page) attr(selector, name string) string {
	p.t.Helper()
	return value[string](p, fmt.Sprintf(`%s?.getAttribute(%s) ?? ""`, find(selector), quote(name)))
}

// attrs are an attribute of all elements that match.
func (p *page) attrs(selector, name string) []string {
	p.t.Helper()
	return value[[]string](p, fmt.Sprintf(`__e2e.all(%s).map((el) => el.getAttribute(%s) ?? "")`, quote(selector), quote(name)))
}

func (p *page) wantText(selector, want string) {
	p.t.Helper()
	if got := p.text(selector); got != want {
		p.fatal("%s says %q, want %q", selector, got, want)
	}
}

// wantCount checks how many elements there are now.
func (p *page) wantCount(selector string, want int) {
	p.t.Helper()
	if got := p.count(selector); got != want {
		p.fatal("there are %d of %s, want %d", got, selector, want)
	}
}

// path is the address within the console.
func (p *page) path() string { p.t.Helper(); return value[string](p, "location.pathname") }

// sessionID waits until the address names a session, and returns it.
func (p *page) sessionID() string {
	p.t.Helper()
	p.wait("a session in the address", `location.pathname.startsWith("/s/")`)
	return strings.TrimPrefix(p.path(), "/s/")
}

// steady fails if a sample has seen the last turn shrink, a message change what it had said, or
// anything twice. It is for texts whose letters Markdown leaves alone.
func (p *page) steady() {
	p.t.Helper()
	if bad := value[[]string](p, "__e2e.violations()"); len(bad) > 0 {
		p.fatal("content was not steady:\n%s", strings.Join(bad, "\n"))
	}
}

// probe evaluates an expression in every frame of every document from the next on.
func (p *page) probe(name, expression string) {
	p.t.Helper()
	p.before(fmt.Sprintf("__e2e.probe(%s, () => (%s))", quote(name), expression))
}

// series are the values that a probe has had in this document, each as it changed.
func series[T any](p *page, name string) []T {
	p.t.Helper()
	return value[[]T](p, "__e2e.series("+quote(name)+")")
}

// attach gives files to the message box; names and contents in turn.
func (p *page) attach(namesAndContents ...string) {
	p.t.Helper()
	var files []string
	for i := 0; i < len(namesAndContents); i += 2 {
		file := filepath.Join(p.t.TempDir(), namesAndContents[i])
		if err := os.WriteFile(file, []byte(namesAndContents[i+1]), 0o644); err != nil {
			p.t.Fatal(err)
		}
		files = append(files, file)
	}
	p.waitAttached(hook("attach"))
	var input *runtime.RemoteObject
	p.do("attach files",
		chromedp.Evaluate(find(hook("attach")), &input),
		chromedp.ActionFunc(func(ctx context.Context) error {
			return dom.SetFileInputFiles(files).WithObjectID(input.ObjectID).Do(ctx)
		}))
}

// waitAttached waits until an element is in the page, seen or not.
func (p *page) waitAttached(selector string) {
	p.t.Helper()
	p.wait(selector, find(selector))
}

// picture saves what is seen, if SCREENS names a directory.
func (p *page) picture(name string) {
	dir := os.Getenv("SCREENS")
	if dir == "" {
		return
	}
	var png []byte
	err := p.try(chromedp.CaptureScreenshot(&png))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Errorf("picture %s: %v", name, err)
	}
}

// size sets the viewport, in CSS pixels.
func (p *page) size(width, height int64) {
	p.t.Helper()
	p.do("set the viewport", emulation.SetDeviceMetricsOverride(width, height, 1, false))
}

// systemTheme is what the operating system prefers: light or dark.
func (p *page) systemTheme(theme string) {
	p.t.Helper()
	p.do("set the system's theme", emulation.SetEmulatedMedia().
		WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
}

// systemLanguages are those of the browser, best first, such as "zh-CN,en".
func (p *page) systemLanguages(tags string) {
	p.t.Helper()
	first, _, _ := strings.Cut(tags, ",")
	p.do("set the browser's languages", chromedp.ActionFunc(func(ctx context.Context) error {
		var agent string
		if err := chromedp.Evaluate("navigator.userAgent", &agent).Do(ctx); err != nil {
			return err
		}
		return emulation.SetUserAgentOverride(agent).WithAcceptLanguage(tags).Do(ctx)
	}), emulation.SetLocaleOverride().WithLocale(first))
}

// ownTime gives the tab's documents a clock that sleep can turn forward, as after a laptop's sleep.
func (p *page) ownTime() {
	p.t.Helper()
	p.before(`{
		let ahead = 0;
		const wall = Date.now, steady = performance.now.bind(performance), Real = Date;
		performance.now = () => steady() + ahead;
		Date = class extends Real {
			constructor(...args) { args.length ? super(...args) : super(wall() + ahead); }
			static now() { return wall() + ahead; }
		};
		window.__sleep = (seconds) => { ahead += seconds * 1000; };
	}`)
}

// sleep turns the clock forward. Timers that are set already are not reached by it.
func (p *page) sleep(seconds int) {
	p.t.Helper()
	p.evaluate("sleep", fmt.Sprintf("__sleep(%d)", seconds), nil)
}
