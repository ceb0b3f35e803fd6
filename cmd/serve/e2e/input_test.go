package e2e

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// click clicks the middle of an element as a mouse does, once it can be clicked.
func (p *page) click(selector string) {
	p.t.Helper()
	p.clicks(selector, 1)
}

// clicks clicks several times in a row, as in a double click.
func (p *page) clicks(selector string, times int) {
	p.t.Helper()
	var at struct{ X, Y float64 }
	p.evaluate(selector+" to be clickable", "__e2e.until(() => __e2e.place("+quote(selector)+"))", &at)
	for i := range times {
		p.do("click "+selector,
			mouse(input.MousePressed, at.X, at.Y, int64(i+1)), mouse(input.MouseReleased, at.X, at.Y, int64(i+1)))
	}
}

func mouse(kind input.MouseType, x, y float64, clicks int64) *input.DispatchMouseEventParams {
	return input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(clicks)
}

// wheel turns the mouse wheel over an element; positive is down.
func (p *page) wheel(selector string, pixels float64) {
	p.t.Helper()
	at := value[struct{ X, Y float64 }](p, fmt.Sprintf(
		"(() => { const r = %s.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })()", find(selector)))
	p.do("turn the wheel", input.DispatchMouseEvent(input.MouseWheel, at.X, at.Y).WithDeltaX(0).WithDeltaY(pixels))
}

// focus puts the keyboard on an element.
func (p *page) focus(selector string) {
	p.t.Helper()
	p.waitAttached(selector)
	p.evaluate("focus "+selector, find(selector)+".focus()", nil)
}

// write inserts text where the keyboard is, all at once, as pasting does.
func (p *page) write(text string) {
	p.t.Helper()
	p.do("write", input.InsertText(text))
}

// typeIn adds text to the end of a field.
func (p *page) typeIn(selector, text string) {
	p.t.Helper()
	p.focus(selector)
	p.write(text)
}

// A key is pressed by its name and code.
type key struct {
	name, code string
	number     int64
	text       string // what it writes
}

var (
	keyEnter  = key{"Enter", "Enter", 13, "\r"}
	keyEscape = key{"Escape", "Escape", 27, ""}
	keyTab    = key{"Tab", "Tab", 9, ""}
	keyPageUp = key{"PageUp", "PageUp", 33, ""}
)

// letter is the key of a lower-case letter.
func letter(r rune) key { return key{string(r), "Key" + string(r-32), int64(r - 32), string(r)} }

// press presses and releases a key.
func (p *page) press(k key, modifiers ...input.Modifier) {
	p.t.Helper()
	p.do("press "+k.name, down(k, modifiers...), up(k, modifiers...))
}

func down(k key, modifiers ...input.Modifier) *input.DispatchKeyEventParams {
	kind := input.KeyRawDown
	if k.text != "" {
		kind = input.KeyDown
	}
	return stroke(kind, k, modifiers).WithText(k.text)
}

func up(k key, modifiers ...input.Modifier) *input.DispatchKeyEventParams {
	return stroke(input.KeyUp, k, modifiers)
}

func stroke(kind input.KeyType, k key, modifiers []input.Modifier) *input.DispatchKeyEventParams {
	params := input.DispatchKeyEvent(kind).WithKey(k.name).WithCode(k.code).
		WithWindowsVirtualKeyCode(k.number).WithNativeVirtualKeyCode(k.number)
	for _, m := range modifiers {
		params.Modifiers |= m
	}
	return params
}

// compose begins a composition of an input method, or goes on with it.
func (p *page) compose(text string) {
	p.t.Helper()
	end := int64(len([]rune(text)))
	p.do("compose", input.ImeSetComposition(text, end, end))
}

// pressComposing presses a key that the input method takes: browsers report it with code 229.
func (p *page) pressComposing(k key) {
	p.t.Helper()
	k.number, k.text = 229, ""
	p.press(k)
}

// send types a message and presses Enter.
func (p *page) send(text string) {
	p.t.Helper()
	p.waitBlocked("")
	p.typeIn(hook("composer"), text)
	p.press(keyEnter)
}

// ask sends a message and waits until its run has ended and another can be sent.
func (p *page) ask(text string) {
	p.t.Helper()
	turns := p.count(hook("turn"))
	p.send(text)
	p.waitCount(hook("turn"), turns+1)
	p.waitTurn("completed")
	p.waitBlocked("")
}

// choose picks a value of a select, as a person does who uses the keyboard.
func (p *page) choose(selector, option string) {
	p.t.Helper()
	p.do("choose "+option, chromedp.ActionFunc(func(ctx context.Context) error {
		return chromedp.Evaluate(fmt.Sprintf(`(() => {
			const el = %s;
			el.value = %s;
			el.dispatchEvent(new Event("input", {bubbles: true}));
			el.dispatchEvent(new Event("change", {bubbles: true}));
		})()`, find(selector), quote(option)), nil).Do(ctx)
	}))
}
