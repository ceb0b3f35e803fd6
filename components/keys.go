package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// keyPress is one key with its modifiers. Command stands for Ctrl, or for ⌘ on a Mac.
type keyPress struct {
	key                 string
	command, shift, alt bool
}

// The keys of the page. None of them approves or rejects anything: that takes the button, which
// stands below what it decides about.
var (
	keyNew     = keyPress{key: "o", command: true, shift: true}
	keySearch  = keyPress{key: "k", command: true}
	keyBox     = keyPress{key: "j", command: true}
	keyRequest = keyPress{key: "a", command: true, shift: true}
	keyLatest  = keyPress{key: "end", command: true}
	keyUp      = keyPress{key: "arrowup", alt: true}
	keyDown    = keyPress{key: "arrowdown", alt: true}
	keyStop    = keyPress{key: ".", command: true}
	keyFormat  = keyPress{key: "f", command: true, shift: true}
	keyList    = keyPress{key: "/", command: true}
	keyClose   = keyPress{key: "escape"}
)

// composing reports whether a key belongs to an input method. Safari reports the end of a
// composition before the key that ends it, and marks that key by its code only.
func composing(e app.Value) bool {
	return e.Get("isComposing").Bool() || e.Get("keyCode").Int() == 229
}

// pressed reads a key as it is. On a Mac, Ctrl is left to the editing keys of its text fields.
func pressed(e app.Value) keyPress {
	modifier := "ctrlKey"
	if onMac() {
		modifier = "metaKey"
	}
	return keyPress{
		key:     e.Get("key").String(),
		command: e.Get(modifier).Bool(),
		shift:   e.Get("shiftKey").Bool(),
		alt:     e.Get("altKey").Bool(),
	}
}

// folded lets letters be compared: with Shift held, or Caps Lock on, they come as capitals.
func (k keyPress) folded() keyPress {
	k.key = strings.ToLower(k.key)
	return k
}

// onMac reports whether the keyboard is Apple's.
func onMac() bool {
	platform := app.Window().Get("navigator").Get("platform")
	return platform.Truthy() && (strings.HasPrefix(platform.String(), "Mac") || strings.HasPrefix(platform.String(), "iP"))
}

// keyDown listens for the page's keys, wherever the keyboard is.
func (s *Shell) keyDown(e app.Value) {
	if composing(e) || e.Get("defaultPrevented").Bool() {
		return
	}
	act := s.shortcut(pressed(e).folded(), e)
	if act == nil {
		return
	}
	e.Call("preventDefault")
	s.ctx.Dispatch(func(app.Context) { act() })
}

// shortcut is what a key does here; nil if the key is none of ours.
func (s *Shell) shortcut(k keyPress, e app.Value) func() {
	p := s.P
	if k == keyClose {
		return s.close()
	}
	if p.desk.dialog != dialogNone {
		return nil
	}
	switch k {
	case keyNew:
		return p.newChat
	case keySearch:
		return p.goToSearch
	case keyBox:
		return func() { focusOn(messageBox()) }
	case keyRequest:
		return p.nextRequest
	case keyLatest:
		if typingIn(e.Get("target")) {
			return nil
		}
		return p.goToLatest
	case keyUp:
		return func() { p.goToTurn(-1) }
	case keyDown:
		return func() { p.goToTurn(1) }
	case keyStop:
		return p.askToStop
	case keyFormat:
		return func() { focusOn(byID("output-format")) }
	case keyList:
		return func() { p.desk.dialog = dialogShortcuts }
	}
	return nil
}

// typingIn reports whether an element holds text in which keys move the caret.
func typingIn(el app.Value) bool {
	switch el.Get("tagName").String() {
	case "TEXTAREA", "INPUT":
		return el.Get("value").String() != ""
	}
	return false
}

// close is what Esc does: the topmost of what lies open goes. It never stops or discards anything.
func (s *Shell) close() func() {
	d := &s.P.desk
	switch {
	case d.dialog != dialogNone: // the browser closes it
		return nil
	case d.menu != "":
		return func() { d.menu = "" }
	case d.prefs:
		return func() { d.prefs = false }
	case d.drawer:
		return func() { d.drawer = false }
	}
	return nil
}

// pointerDown closes what lies open when a person turns to something else.
func (s *Shell) pointerDown(e app.Value) {
	d := &s.P.desk
	target := e.Get("target")
	outside := func(selector string) bool { return !target.Call("closest", selector).Truthy() }
	menu := d.menu != "" && outside(".sess-box__menu, .sess-box__more")
	prefs := d.prefs && outside(".hdr__prefs, .hdr__more")
	drawer := d.drawer && outside(".side, .hdr__menu, dialog")
	if !menu && !prefs && !drawer {
		return
	}
	s.ctx.Dispatch(func(app.Context) {
		if menu {
			d.menu = ""
		}
		d.prefs = d.prefs && !prefs
		d.drawer = d.drawer && !drawer
	})
}

// keyHint shows a key beside what it does.
func keyHint(k keyPress) app.UI { return app.Kbd().Text(strings.Join(k.names(), " ")) }

// names are the caps of a key press.
func (k keyPress) names() []string {
	var names []string
	if k.command {
		names = append(names, commandName())
	}
	if k.alt {
		names = append(names, "Alt")
	}
	if k.shift {
		names = append(names, "Shift")
	}
	switch k.key {
	case "arrowup":
		return append(names, "↑")
	case "arrowdown":
		return append(names, "↓")
	}
	return append(names, strings.ToUpper(k.key[:1])+k.key[1:])
}

func commandName() string {
	if onMac() {
		return "⌘"
	}
	return "Ctrl"
}

// keyCaps draws a key press in the list of shortcuts.
func keyCaps(k keyPress) []app.UI {
	var caps []app.UI
	for _, name := range k.names() {
		caps = append(caps, app.Kbd().Text(name))
	}
	return caps
}

// shortcutRow is one line of the list: what it does, and the keys.
func (p *Page) shortcutRow(does locales.Key, keys ...app.UI) app.UI {
	return app.Div().Body(app.Dt().Text(p.T(does)), app.Dd().Body(keys...))
}
