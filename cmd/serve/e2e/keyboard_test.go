package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
)

func box() string { return hook("composer") }

func (p *page) wantBox(want string) {
	p.t.Helper()
	if got := value[string](p, find(box())+".value"); got != want {
		p.fatal("the message box holds %q, want %q", got, want)
	}
}

func (p *page) waitBox(want string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%q in the message box", want), find(box())+".value === "+quote(want))
}

// dispatch sends an event made in the page: what the browser's own input cannot make.
func (p *page) dispatch(selector, constructor, kind, members string) {
	p.t.Helper()
	p.evaluate(kind, fmt.Sprintf("void %s.dispatchEvent(new %s(%s, {bubbles: true, cancelable: true, %s}))",
		find(selector), constructor, quote(kind), members), nil)
}

func TestEnterSendsAndShiftEnterMakesALine(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "ok")))
	p := w.open("/")
	p.typeIn(box(), "one")
	p.press(keyEnter, input.ModifierShift)
	p.write("two")
	p.wantBox("one\ntwo")
	p.press(keyEnter)
	p.waitTurn("completed")
	if chats := w.requests("chat"); len(chats) != 1 || chats[0].field("message") != "one\ntwo" {
		p.fatal("sent was %v", chats)
	}
	p.waitBox("")
	p.press(keyEnter) // nothing to send
	p.typeIn(box(), "   ")
	p.press(keyEnter)
	p.wantBox("   ")
	p.wantCount(hook("turn"), 1)
}

func TestEnterThatConfirmsACandidateDoesNotSend(t *testing.T) {
	w := newWorld(t)
	w.script(script{Times: 2, Steps: []step{frame(start("m"), delta("m", "流")), gate("g"), frame(end("m"))}})
	p := w.open("/")
	p.send("前一个")
	p.waitText(hook("message"), "流")
	p.click(box())

	// Chrome: the key belongs to the composition.
	p.compose("nihao")
	p.pressComposing(keyEnter)
	p.write("你好")
	p.wantBox("你好")

	// The page changes meanwhile; neither text nor caret move.
	p.compose("shi")
	w.openGate("g")
	p.waitBlocked("")
	p.pressComposing(keyEnter)
	p.wantBox("你好shi")
	p.write("世界")
	p.wantBox("你好世界")

	// Safari: the composition is over before the key, which only its code marks.
	p.dispatch(box(), "CompositionEvent", "compositionstart", "")
	p.dispatch(box(), "CompositionEvent", "compositionend", `data: "你好"`)
	p.dispatch(box(), "KeyboardEvent", "keydown", `key: "Enter", keyCode: 229, isComposing: false`)
	p.wantBox("你好世界")
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("a key of the input method sent the message")
	}
	p.press(keyEnter, input.ModifierShift)
	p.wantBox("你好世界\n")
	p.press(keyEnter)
	p.waitCount(hook("turn"), 2)
	if chats := w.waitRequests("chat", 2); chats[1].field("message") != "你好世界\n" {
		p.fatal("sent was %q", chats[1].Body)
	}
}

func TestEscapeNeverStopsTheRun(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "流")), gate("g"), frame(end("m"))))
	p := w.open("/")
	p.send("问")
	p.waitText(hook("message"), "流")
	p.click(box())
	p.compose("ni")
	p.pressComposing(keyEscape)
	p.compose("")
	p.write("草稿")
	p.press(keyEscape)
	p.press(keyEscape)
	p.wantBox("草稿")
	if n := len(w.requests("cancel")); n != 0 {
		p.fatal("Escape sent %d cancellations", n)
	}
	p.waitTurn("running")
	w.openGate("g")
	p.waitTurn("completed")
}

func TestStoppingNeverSendsTheDraft(t *testing.T) {
	w := newWorld(t)
	w.script(script{Times: -1, Steps: []step{frame(start("m"), delta("m", "流"))}, KeepRunning: true})
	p := w.open("/")
	for i, stop := range []func(){
		func() { p.click(hook("stop")) },
		func() { p.clicks(hook("stop"), 2) },
		func() { p.focus(hook("stop")); p.press(keyEnter) },
	} {
		p.send("问")
		p.waitCount(hook("turn"), i+1)
		p.waitTurn("running")
		p.typeIn(box(), "下一个问题")
		stop()
		p.waitTurn("cancelled")
		p.waitBlocked("")
		p.wantBox("下一个问题")
		if n := len(w.requests("chat")); n != i+1 {
			p.fatal("stopping sent the draft: %d messages, want %d", n, i+1)
		}
		p.evaluate("empty the box", find(box())+".select()", nil)
		p.press(key{"Backspace", "Backspace", 8, ""})
		p.wantBox("")
	}
	if n := len(w.requests("cancel")); n != 3 {
		p.fatal("%d cancellations were sent, want one each", n)
	}
}

func TestAPressThatEndsOnTheSendButtonSendsNothing(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "流")), gate("g"), frame(end("m"))))
	p := w.open("/")
	p.send("问")
	p.waitTurn("running")
	p.typeIn(box(), "下一个问题")
	var at struct{ X, Y float64 }
	p.evaluate("stop", "__e2e.until(() => __e2e.place("+quote(hook("stop"))+"))", &at)
	p.do("press the mouse", mouse(input.MousePressed, at.X, at.Y, 1))
	w.openGate("g")
	p.waitTurn("completed")
	p.waitBlocked("")
	p.do("release the mouse", mouse(input.MouseReleased, at.X, at.Y, 1))
	p.wantBox("下一个问题")
	p.wantCount(hook("turn"), 1)
}

func TestTheKeyboardReachesEverythingAndOpensWhatItSays(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.click(box())
	p.press(letter('k'), input.ModifierCtrl)
	p.wait("the search to have the keyboard", "document.activeElement === "+find(hook("session-search")))
	p.press(letter('j'), input.ModifierCtrl)
	p.wait("the message box to have the keyboard", "document.activeElement === "+find(box()))
	reached := map[string]bool{}
	for range 60 {
		p.press(keyTab)
		reached[value[string](p, `document.activeElement?.dataset.testid ?? ""`)] = true
	}
	for _, name := range []string{"composer", "attach", "output-format", "reasoning-mode", "planning-mode", "new-session", "session-search", "inspector-toggle"} {
		if !reached[name] {
			p.fatal("Tab never reaches %s", name)
		}
	}
}
