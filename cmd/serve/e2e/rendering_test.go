package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
)

// shows opens a page whose only answer is this text.
func (w *world) shows(text string) *page {
	w.t.Helper()
	w.script(run(say("m", text)))
	p := w.open("/")
	p.ask("show")
	return p
}

func TestOrdinaryCharactersAreShownAsWritten(t *testing.T) {
	lines := []string{
		`A $5 vs $10`,
		`约3~5个，或10~20个`,
		`Map<String, User> 与 <think>x</think>`,
		`C:\new\temp`,
		`a_b_c 2*3*4`,
	}
	w := newWorld(t)
	w.script(run(say("m", strings.Join(lines, "\n\n"))))
	p := w.open("/")
	p.ask(strings.Join(lines, "\n"))
	for _, line := range lines {
		for _, selector := range []string{hook("message"), hook("user-message")} {
			if text := p.text(selector); !strings.Contains(text, line) {
				p.fatal("%q is not in %s: %q", line, selector, text)
			}
			if text := value[string](p, find(selector)+".innerText"); !strings.Contains(text, line) {
				p.fatal("%q cannot be copied from %s: %q", line, selector, text)
			}
		}
	}
	p.wantCount(hook("message")+" :is(del, s, math, em, strong, think)", 0)
}

func TestBoldStandsNextToChinesePunctuation(t *testing.T) {
	w := newWorld(t)
	p := w.shows("**注意：**先备份。\n\n请看**“规则”**一节\n\n- **步骤（一）**执行\n\n**a**b\n\n`**原样：**x`")
	bold := p.texts(hook("message") + " strong")
	if want := []string{"注意：", "“规则”", "步骤（一）", "a"}; !slices.Equal(bold, want) {
		p.fatal("bold is %q, want %q", bold, want)
	}
	p.wantText(hook("message")+" code", "**原样：**x")
}

func TestFencesEndWhereTheyShould(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		say("m1", "````md\n# T\n```sh\nls\n```\nend\n````\nafter"),
		say("m2", "open:\n\n```go\nx := 1"),
		say("m3", "third"),
	))
	p := w.open("/")
	p.ask("show")
	if code := p.texts(hook("message", "message-id", "m1") + " pre code"); len(code) != 1 || !strings.Contains(code[0], "```sh\nls\n```\nend") {
		p.fatal("the outer fence holds %q", code)
	}
	p.wantText(hook("message", "message-id", "m1")+" p", "after")
	p.wantText(hook("message", "message-id", "m3"), "third")
}

func TestGrowingMarkdownNeverTurnsBack(t *testing.T) {
	text := "看：\n\n```go\nx := 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
	steps := []step{frame(start("m"))}
	for _, r := range text {
		steps = append(steps, step{Events: []event{delta("m", string(r))}})
	}
	w := newWorld(t)
	// In pieces of a few milliseconds, so that many states are drawn.
	for i := range steps {
		steps[i].Delay = 4
	}
	w.script(run(append(steps, frame(end("m")))...))
	p := w.tab()
	p.probe("blocks", `__e2e.all('[data-testid="message"]').slice(0, 1).map((m) => [
		m.querySelectorAll("pre").length, m.querySelectorAll("table").length,
		[...m.querySelectorAll("p")].filter((el) => el.textContent.includes("|")).length].join(" ")).join()`)
	p.visit("/")
	p.ask("show")
	seen := series[string](p, "blocks")
	last := "0 0 0"
	for _, now := range seen {
		if now == "" {
			continue
		}
		if now[0] < last[0] || now[2] < last[2] || now[0] > '1' || now[2] > '1' || now[2] == '1' && now[4] != '0' {
			p.fatal("blocks (code, tables, paragraphs with bars) came and went: %q", seen)
		}
		last = now
	}
	if last != "1 1 0" {
		p.fatal("in the end there are %q", last)
	}
	streamed := value[string](p, find(hook("message"))+".innerHTML")
	p.reload()
	p.waitFor(hook("message"))
	if whole := value[string](p, find(hook("message"))+".innerHTML"); unordered(whole) != unordered(streamed) {
		p.fatal("streamed it is %s\nat once %s", streamed, whole)
	}
}

// unordered takes the order of attributes, which is not fixed, out of HTML.
func unordered(html string) string {
	var b strings.Builder
	for _, tag := range strings.SplitAfter(html, ">") {
		parts := strings.Fields(strings.TrimRight(tag, "/>"))
		slices.Sort(parts)
		b.WriteString(strings.Join(parts, " ") + "\n")
	}
	return b.String()
}

func TestLinksLeaveThePageAlone(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(start("m"), delta("m", "[web](https://example.org/x) [**bold**](/admin) [hash](#top) [mail](mailto:a@example.com) <https://example.org/auto>\n\n")),
		gate("g"),
		frame(delta("m", "more"), end("m")),
	))
	p := w.open("/")
	p.allow("example.org") // nothing can be reached there, and nothing has to be
	p.send("links")
	p.waitFor(hook("message") + " a")
	before := p.path()
	p.evaluate("mark", "void (window.stillHere = true)", nil)
	links := value[[]struct{ Href, Target, Rel string }](p, fmt.Sprintf(
		`__e2e.all(%s).map((a) => ({href: a.getAttribute("href"), target: a.target, rel: a.rel}))`, quote(hook("message")+" a")))
	for _, link := range links {
		if strings.HasPrefix(link.Href, "http") && (link.Target != "_blank" || !strings.Contains(link.Rel, "noopener")) {
			p.fatal("a web link would open in the page: %+v", link)
		}
	}
	for _, text := range []string{"web", "bold", "hash", "mail"} {
		p.evaluate("click "+text, fmt.Sprintf(`[...document.querySelectorAll(%s)].filter((el) => el.textContent === %s).at(-1)?.click()`,
			quote(hook("message")+" :is(a, strong, span)"), quote(text)), nil)
	}
	w.openGate("g")
	p.waitTurn("completed")
	p.waitText(hook("message"), "more")
	if !value[bool](p, "window.stillHere === true") || p.path() != before {
		p.fatal("a link took the page from %s to %s", before, p.path())
	}
	if n := len(w.requests("resume")); n != 0 {
		p.fatal("a link broke the stream: resumed %d times", n)
	}
	w.closeOthers(p)
}

// closeOthers closes the tabs that links have opened.
func (w *world) closeOthers(p *page) {
	w.t.Helper()
	infos, err := target.GetTargets().Do(inBrowser())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, info := range infos {
		if info.BrowserContextID == w.profile && info.Type == "page" && strings.Contains(info.URL, "example.org") {
			if info.CanAccessOpener {
				p.fatal("%s knows the page that opened it", info.URL)
			}
			_ = target.CloseTarget(info.TargetID).Do(inBrowser()) // it may have gone by itself
		}
	}
}

func TestNothingFromTheServerRuns(t *testing.T) {
	const hostile = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><svg onload="window.hacked = 3"></svg>` +
		`<iframe srcdoc="<script>parent.hacked = 4</script>"></iframe>`
	markdown := hostile + "\n\n[a](javascript:window.hacked=5) [b](JaVaScRiPt:window.hacked=6) [c](data:text/html,<script>1</script>) " +
		"[d](vbscript:x) ![e](javascript:window.hacked=7) ![f](https://example.org/pixel.png) <javascript:window.hacked=8>\n\n" +
		"[g](\x01javascript:window.hacked=9) [h](java\tscript:window.hacked=10) [i](&#106;avascript:window.hacked=11)\n\n" +
		"| " + hostile + " |\n|---|\n| " + hostile + " |\n\n```html\n" + hostile + "\n```\n\n`" + hostile + "`\n\n<a href=\"javascript:window.hacked=12\">j</a>"
	w := newWorld(t)
	w.script(run(
		frame(plan("p", hostile, "running"), toolStart("t-1", hostile, event{hostile: hostile}),
			toolProgress("t-1", hostile, event{"message": hostile, "metrics": event{hostile: 1}})),
		frame(toolEnd("t-1", "succeeded", event{"html": hostile, "link": "javascript:window.hacked=13"})),
		frame(jobStart("t-2", hostile, hostile), toolFail("t-2", hostile, hostile)),
		say("m", markdown),
		frame(startAs("r", "report"), delta("r", "# "+hostile+"\n\n"+markdown), end("r")),
		frame(startAs("j", "json"), delta("j", asJSON(t, event{hostile: hostile})), end("j")),
		frame(skill("s", hostile, hostile, hostile)),
		frame(ask("q", hostile, event{hostile: hostile}, event{"reason": hostile, "summary": hostile, "preview": event{
			"kind": "graph_mutation", "add_nodes": []string{hostile}, "remove_nodes": []string{hostile},
			"add_edges": []event{{"source": hostile, "target": hostile}}, "remove_edges": []event{},
		}})),
		decision(),
		frame(event{"type": "brand_new", hostile: hostile}, runFailed(hostile, hostile)),
	))
	p := w.open("/")
	p.attached(`<img src=x onerror=hacked=1>.csv`, "a,b\n")
	p.send(hostile)
	p.waitAttr(hook("approval"), "data-status", "pending")
	for range p.count(hook("tool-toggle")) {
		p.evaluate("open all", `__e2e.all('[data-testid="tool-toggle"]').forEach((el) => { if (!el.closest("[open]")) el.click() })`, nil)
	}
	p.click(hook("inspector-toggle"))
	p.waitFor(hook("inspector"))
	p.click(hook("inspector-toggle"))
	p.clickAll(hook("conversation") + " summary")
	p.click(hook("reject"))
	p.waitTurn("failed")
	p.clickAll(hook("conversation") + " a")
	bad := value[[]string](p, `[
		...(window.hacked === undefined ? [] : ["hacked " + window.hacked]),
		...[...document.querySelectorAll("a[href], form[action], [src], [xlink\\:href]")]
			.map((el) => el.getAttribute("href") || el.getAttribute("action") || el.getAttribute("src") || "")
			.filter((url) => /^[\s\x00-\x20]*(java\s*script|vbscript|data:text)/i.test(url)),
		...[...document.querySelectorAll("#conversation :is(script, iframe, object, embed, img, base, form)")].map((el) => el.outerHTML.slice(0, 80)),
		...[...document.querySelectorAll("*")].flatMap((el) => [...el.attributes].filter((a) => /^on/i.test(a.name)).map((a) => a.name)),
	]`)
	if len(bad) > 0 {
		p.fatal("something of the server's got through:\n%s", strings.Join(bad, "\n"))
	}
	for _, selector := range []string{hook("message", "message-id", "m"), hook("user-message"), hook("error")} {
		if text := p.text(selector); !strings.Contains(text, "<script>window.hacked = 1</script>") {
			p.fatal("%s does not show the text as it is: %q", selector, text)
		}
	}
	w.closeOthers(p)
}

// clickAll clicks everything that matches, as a script does.
func (p *page) clickAll(selector string) {
	p.t.Helper()
	p.evaluate("click all "+selector, fmt.Sprintf("__e2e.all(%s).forEach((el) => el.click())", quote(selector)), nil)
}

func TestAWideTableScrollsInItsOwnBox(t *testing.T) {
	row := "|" + strings.Repeat(" 很长的一个中文表头 |", 8) + "\n"
	text := row + "|" + strings.Repeat("---|", 8) + "\n" + row + "\n" + strings.Repeat("w", 300) + "\n\n`" + strings.Repeat("c", 300) + "`\n"
	w := newWorld(t)
	w.script(run(say("m", text)))
	p := w.tab()
	p.size(390, 844)
	p.visit("/")
	p.ask(strings.Repeat("u", 300))
	if width := value[int](p, "document.scrollingElement.scrollWidth"); width > 390 {
		p.fatal("the page is %d pixels wide", width)
	}
	if width := value[int](p, find(hook("conversation"))+".scrollWidth"); width > 390 {
		p.fatal("the conversation is %d pixels wide", width)
	}
	narrow := value[[]float64](p, `__e2e.all('[data-testid="message"] td').map((el) => el.getBoundingClientRect().width)`)
	if slices.Min(narrow) < 50 {
		p.fatal("a cell is %v pixels wide", slices.Min(narrow))
	}
}

func TestOddToolResultsCrashNothing(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	results := []string{
		deep, `null`, `true`, `0`, `""`, `[]`, `{"content":{"a":1}}`, `{"":1,"a.b":2,"__proto__":3}`,
		asJSON(t, strings.Repeat("> ", 2000)), `12345678901234567890123`, asJSON(t, "a\x00b\x1b[31mc\rd"),
		asJSON(t, strings.Repeat("x", 1<<20)), asJSON(t, strings.Repeat("line\n", 20000)),
	}
	w := newWorld(t)
	steps := []step{say("before", "before")}
	for i, result := range results {
		id := fmt.Sprintf("t-%d", i)
		steps = append(steps, frame(toolStart(id, "odd", raw(result)), toolEnd(id, "succeeded", raw(result))))
	}
	w.script(run(append(steps, say("after", "after"))...))
	p := w.open("/")
	p.ask("show")
	p.wantText(hook("message", "message-id", "before"), "before")
	p.wantText(hook("message", "message-id", "after"), "after")
	p.wantCount(hook("tool", "status", "succeeded"), len(results))
	for i := range results {
		card := hook("tool", "call-id", fmt.Sprintf("t-%d", i))
		p.click(card + " " + hook("tool-toggle"))
		p.waitAttached(card + " details[open]")
		p.click(card + " " + hook("tool-toggle"))
		p.waitCount(card+" details[open]", 0)
	}
	p.ask("describe the karate club")
}
