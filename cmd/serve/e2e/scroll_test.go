package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// paragraphs is a text of many lines.
func paragraphs(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n\n", word, i+1)
	}
	return b.String()
}

const atEnd = `((el) => el.scrollHeight - el.clientHeight - el.scrollTop)(document.querySelector('[data-testid="conversation"]'))`

func TestWhatIsReadStaysWhereItIs(t *testing.T) {
	w := newWorld(t)
	steps := []step{
		frame(toolStart("t", "load_graph", event{"name": "g"})),
		frame(toolEnd("t", "succeeded", event{"rows": strings.Split(paragraphs(30, "row"), "\n\n")})),
		frame(start("m"), delta("m", paragraphs(60, "paragraph"))), gate("g"),
	}
	for range 20 {
		steps = append(steps, step{Delay: 5, Events: []event{delta("m", paragraphs(2, "later"))}})
	}
	w.script(run(append(steps, frame(end("m")))...))
	p := w.tab()
	// Where the paragraph that is read stands.
	p.probe("top", `((el) => el && window.reading ? Math.round(el.getBoundingClientRect().top) : null)(
		[...document.querySelectorAll('[data-testid="message"] p')].find((el) => el.textContent === "paragraph 50"))`)
	p.visit("/")
	p.send("long")
	p.waitText(hook("message"), "paragraph 60")
	p.wait("the view to follow", atEnd+" <= 2")
	p.wantCount(hook("jump-to-latest"), 0)

	p.wheel(hook("conversation"), -120)
	p.waitFor(hook("jump-to-latest"))
	p.wait("the view to rest", "__e2e.resting()")
	p.evaluate("begin to read", "void (window.reading = true)", nil)
	w.openGate("g")
	p.waitTurn("completed")
	p.waitBlocked("")
	p.evaluate("open the card above", find(hook("tool-toggle"))+".click()", nil)
	p.waitText(hook("tool"), "row 30")
	tops := series[*float64](p, "top")
	var first *float64
	for _, top := range tops {
		if top == nil {
			continue
		}
		if first == nil {
			first = top
		}
		if *top < *first-2 || *top > *first+2 {
			p.fatal("what was read moved: %v", values(tops))
		}
	}
	if first == nil {
		p.fatal("nothing was sampled")
	}
	p.click(hook("jump-to-latest"))
	p.wait("the end", atEnd+" <= 2")
	p.waitGone(hook("jump-to-latest"))
}

func values(list []*float64) (out []float64) {
	for _, v := range list {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out
}

func TestScrollingToTheEndFollowsAgain(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(start("m"), delta("m", paragraphs(60, "paragraph"))), gate("g"),
		frame(delta("m", paragraphs(40, "later"))), gate("h"), frame(end("m")),
	))
	p := w.open("/")
	p.send("long")
	p.waitText(hook("message"), "paragraph 60")
	p.wheel(hook("conversation"), -30) // one small tick is enough to leave
	p.waitFor(hook("jump-to-latest"))
	p.wheel(hook("conversation"), 2000)
	p.waitGone(hook("jump-to-latest"))
	w.openGate("g")
	p.waitText(hook("message"), "later 40")
	p.wait("the view to follow", atEnd+" <= 2")
	p.focus(hook("conversation"))
	p.press(keyPageUp)
	p.waitFor(hook("jump-to-latest"))
	w.openGate("h")
	p.waitTurn("completed")
}

func TestALongSessionOpensAtItsNewestTurn(t *testing.T) {
	const turns = 120
	w := newWorld(t)
	sid := w.session()
	w.script(script{Times: -1, Steps: []step{say("m", paragraphs(3, "answer"))}})
	var messages []string
	for i := range turns {
		messages = append(messages, fmt.Sprintf("question %d.", i+1))
	}
	w.turns(sid, messages...)
	p := w.open("/s/" + sid)
	p.waitText(lastTurn+" "+hook("user-message"), fmt.Sprintf("question %d.", turns))
	p.wait("the view at its end", atEnd+" <= 2")
	for p.count(hook("history-more")+":not([hidden] *)") > 0 {
		before := p.count(hook("turn"))
		p.evaluate("show earlier turns", find(hook("history-more"))+".click()", nil)
		p.wait("earlier turns", fmt.Sprintf("__e2e.all(%s).length > %d", quote(hook("turn")), before))
	}
	p.waitCount(hook("turn"), turns)
	shown := p.texts(hook("user-message") + " .bubble")
	for i, text := range shown {
		if text != messages[i] {
			p.fatal("turn %d says %q, want %q", i+1, text, messages[i])
		}
	}
}
