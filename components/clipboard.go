package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// copier is what has a text to copy. A copyButton asks for it when pressed, so that a large text
// costs nothing before.
type copier interface{ copyText() string }

// copied tells for how long a button says that it has copied.
const copiedFor = 2 * time.Second

// copyButton copies a text. Of is the component around it, which never changes. Bare shows the icon
// alone, for places whose text content must be the content's own.
type copyButton struct {
	app.Compo

	P    *Page
	Of   copier
	Text locales.Key
	Bare bool
	Lang string

	state copyState
	turn  int // counts presses: an older one does not end the newer's message
}

type copyState int

const (
	copyIdle copyState = iota
	copyDone
	copyFailed
)

func (b *copyButton) Render() app.UI {
	label, symbol := b.P.T(b.Text), "copy"
	switch b.state {
	case copyDone:
		label, symbol = b.P.T(locales.CopyDone), "check"
	case copyFailed:
		label, symbol = b.P.T(locales.CopyFailed), "alert"
	}
	button := app.Button().Type("button").Class("btn btn--ghost btn--sm").OnClick(b.press)
	if b.Bare {
		return button.Class("btn--icon").Title(label).Aria("label", label).Body(icon(symbol, "i--14"))
	}
	return button.Body(icon(symbol, "i--14"), app.Span().Text(label))
}

func (b *copyButton) press(ctx app.Context, _ app.Event) {
	b.turn++
	turn := b.turn
	writeClipboard(b.Of.copyText(), func(ok bool) {
		ctx.Dispatch(func(ctx app.Context) {
			b.state = copyDone
			said := locales.CopyDone
			if !ok {
				b.state = copyFailed
				said = locales.CopyFailed
			}
			b.P.tell(b.P.T(said))
			ctx.After(copiedFor, func(app.Context) {
				if b.turn == turn {
					b.state = copyIdle
				}
			})
		})
	})
}

// writeClipboard puts a text into the clipboard and reports whether it got there. Browsers offer the
// clipboard only to secure pages; elsewhere a selection is copied, as of old.
func writeClipboard(text string, done func(ok bool)) {
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		done(copySelection(text))
		return
	}
	settle(clipboard.Call("writeText", text), func(ok bool) {
		done(ok || copySelection(text))
	})
}

// settle waits for a promise, one way or the other.
func settle(promise app.Value, done func(ok bool)) {
	var kept, broken app.Func
	finish := func(ok bool) func(app.Value, []app.Value) any {
		return func(app.Value, []app.Value) any {
			kept.Release()
			broken.Release()
			done(ok)
			return nil
		}
	}
	kept, broken = app.FuncOf(finish(true)), app.FuncOf(finish(false))
	promise.Call("then", kept, broken)
}

func copySelection(text string) bool {
	doc := document()
	focused := doc.Get("activeElement")
	area := doc.Call("createElement", "textarea")
	area.Set("className", "vh")
	area.Set("value", text)
	doc.Get("body").Call("appendChild", area)
	area.Call("select")
	ok := doc.Call("execCommand", "copy").Bool()
	area.Call("remove")
	focusOn(focused)
	return ok
}

// saveFile offers a text to be saved as a file. The link is marked as a download, so that nobody
// takes it for an address to go to.
func saveFile(name, mediaType, text string) {
	blob := app.Window().Get("Blob").New([]any{text}, map[string]any{"type": mediaType})
	address := app.Window().Get("URL").Call("createObjectURL", blob)
	link := document().Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", name)
	link.Call("click")
	app.Window().Get("URL").Call("revokeObjectURL", address)
}
