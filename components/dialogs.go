package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// dialogKind is what the page asks, or shows, over everything else.
type dialogKind string

const (
	dialogNone      dialogKind = ""
	dialogShortcuts dialogKind = "shortcuts"
	dialogDelete    dialogKind = "delete"
	dialogStop      dialogKind = "stop"
)

// dialog is the browser's own: it holds the keyboard, closes on Esc and gives the keyboard back.
type dialog struct {
	app.Compo

	P       *Page
	Lang    string
	Kind    dialogKind
	Subject string
}

func newDialogs(p *Page) app.UI {
	d := &p.desk
	if d.dialog == dialogNone {
		return app.Div()
	}
	return &dialog{P: p, Lang: p.State().Lang, Kind: d.dialog, Subject: d.subject}
}

// CompoID makes every dialog a new element, opened on its own.
func (d *dialog) CompoID() string { return string(d.Kind) + d.Subject }

// OnMount opens the dialog. The browser moves the keyboard to what is marked for it: the safe
// choice.
func (d *dialog) OnMount(ctx app.Context) { ctx.JSSrc().Call("showModal") }

func (d *dialog) onClose(app.Context, app.Event) { d.done() }

func (d *dialog) done() { d.P.desk.dialog, d.P.desk.subject = dialogNone, "" }

func (d *dialog) onKeep(ctx app.Context, _ app.Event) { d.closeElement(ctx) }

func (d *dialog) onDelete(ctx app.Context, _ app.Event) {
	d.P.Do(func() { d.P.Acts.Delete(d.Subject) })
	d.closeElement(ctx)
}

func (d *dialog) onStop(ctx app.Context, _ app.Event) {
	d.P.Do(func() { d.P.Acts.Stop(d.Subject) })
	d.closeElement(ctx)
}

// closeElement closes the element first, which gives the keyboard back to where it was.
func (d *dialog) closeElement(ctx app.Context) {
	if el := ctx.JSSrc().Call("closest", "dialog"); el.Truthy() {
		el.Call("close")
	}
	d.done()
}

// Render draws the dialog of this kind.
func (d *dialog) Render() app.UI {
	p := d.P
	switch d.Kind {
	case dialogDelete:
		return d.question(locales.SessionsDeleteTitle,
			p.T(locales.SessionsDeleteText, locales.A("Title", p.title(d.Subject))),
			locales.SessionsKeep, locales.SessionsDelete, d.onDelete)
	case dialogStop:
		return d.question(locales.StopTitle, p.T(locales.StopText),
			locales.StopKeep, locales.ComposerStop, d.onStop)
	}
	return d.shortcuts()
}

// question offers the safe choice first, and the keyboard begins there.
func (d *dialog) question(title locales.Key, text string, keep, act locales.Key, onAct app.EventHandler) app.UI {
	p := d.P
	return app.Dialog().Class("dialog dialog--sm").Role("alertdialog").
		Aria("labelledby", "dialog-title").Aria("describedby", "dialog-text").On("close", d.onClose).Body(
		app.Header().Class("dialog__head").Body(app.H2().ID("dialog-title").Text(p.T(title))),
		app.Div().Class("dialog__body").Body(
			app.P().ID("dialog-text").Text(text),
			app.Div().Class("btns").Body(
				app.Button().Class("btn").Type("button").AutoFocus(true).Text(p.T(keep)).OnClick(d.onKeep),
				app.Button().Class("btn btn--danger").Type("button").Text(p.T(act)).OnClick(onAct),
			),
		),
	)
}

func (d *dialog) shortcuts() app.UI {
	p := d.P
	or := func(a, b keyPress) []app.UI {
		keys := append(keyCaps(a), app.Span().Text(p.T(locales.ShortcutsOr)))
		return append(keys, keyCaps(b)...)
	}
	section := func(title locales.Key, rows ...app.UI) app.UI {
		return app.Section().Body(app.H3().Text(p.T(title)), app.Dl().Body(rows...))
	}
	enter, up := keyPress{key: "enter"}, keyPress{key: "arrowup"}
	return app.Dialog().Class("dialog").Aria("labelledby", "dialog-title").On("close", d.onClose).Body(
		app.Header().Class("dialog__head").Body(
			app.H2().ID("dialog-title").Text(p.T(locales.ShortcutsTitle)),
			app.Button().Class("btn btn--ghost btn--icon").Type("button").AutoFocus(true).
				Aria("label", p.T(locales.AppClose)).OnClick(d.onKeep).Body(icon("x")),
		),
		app.Div().Class("dialog__body").Body(app.Div().Class("keys").Body(
			section(locales.ShortcutsAnywhere,
				p.shortcutRow(locales.SessionsNew, keyCaps(keyNew)...),
				p.shortcutRow(locales.SessionsSearch, keyCaps(keySearch)...),
				p.shortcutRow(locales.ShortcutsGoMessageBox, keyCaps(keyBox)...),
				p.shortcutRow(locales.ThreadLatest, keyCaps(keyLatest)...),
				p.shortcutRow(locales.ShortcutsThisList, keyCaps(keyList)...),
			),
			section(locales.ShortcutsMessageBox,
				p.shortcutRow(locales.ComposerSend, keyCaps(enter)...),
				p.shortcutRow(locales.ShortcutsNewLine, keyCaps(keyPress{key: "enter", shift: true})...),
				p.shortcutRow(locales.ShortcutsEditLatest,
					append(keyCaps(up), app.Span().Text(p.T(locales.ShortcutsWhenEmpty)))...),
				p.shortcutRow(locales.ComposerAttach, app.Span().Text(p.T(locales.ShortcutsPaste))),
				p.shortcutRow(locales.ComposerFormat, keyCaps(keyFormat)...),
			),
			section(locales.ShortcutsConversation,
				p.shortcutRow(locales.ShortcutsTurns, or(keyUp, keyDown)...),
				p.shortcutRow(locales.ShortcutsStop, keyCaps(keyStop)...),
			),
			section(locales.ApprovalTitle,
				p.shortcutRow(locales.ShortcutsNextRequest, keyCaps(keyRequest)...),
				p.shortcutRow(locales.ShortcutsDecide, app.Span().Text(p.T(locales.ShortcutsPress))),
			),
			app.P().Class("keys__note").Text(p.T(locales.ShortcutsNote)),
		)),
	)
}
