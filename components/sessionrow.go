package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// sessionRow is one session of the list, with its menu.
type sessionRow struct {
	app.Compo

	P        *Page
	Lang     string
	SID      string
	Title    string
	Status   string
	Line     string
	When     string
	Current  bool
	Unread   bool
	Menu     bool
	Renaming bool
}

// CompoID ties the row's place in the page, and with it the keyboard, to its session.
func (r *sessionRow) CompoID() string { return r.SID }

func (r *sessionRow) onMenu(app.Context, app.Event) {
	if r.P.desk.menu == r.SID {
		r.P.desk.menu = ""
		return
	}
	r.P.desk.menu = r.SID
}

func (r *sessionRow) onRename(app.Context, app.Event) {
	r.P.desk.menu, r.P.desk.renaming = "", r.SID
}

func (r *sessionRow) onDelete(app.Context, app.Event) {
	r.P.desk.menu, r.P.desk.dialog, r.P.desk.subject = "", dialogDelete, r.SID
}

// Render draws the row. Link, field and menu have a place each.
func (r *sessionRow) Render() app.UI {
	p := r.P
	return app.Div().Class("sess-box").
		Attr(hook("session")).Attr("data-session-id", r.SID).Attr("data-status", r.Status).
		Body(
			app.Div().Hidden(r.Renaming).Body(r.link()),
			app.Div().Hidden(!r.Renaming).Body(r.field()),
			app.Div().Class("sess-box__more").Hidden(r.Renaming).Body(
				app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").
					Aria("label", p.T(locales.SessionsMenu, locales.A("Title", r.Title))).
					Aria("haspopup", "menu").Aria("expanded", r.Menu).
					OnClick(r.onMenu).Body(icon("more")),
			),
			app.Div().Class("sess-box__menu").Hidden(!r.Menu).Body(r.menu()),
		)
}

func (r *sessionRow) link() app.UI {
	a := app.A().Class("sess").Href(r.P.SessionPath(r.SID)).Title(r.Title)
	if r.Line != "" {
		a = a.Class("sess--2")
	}
	if r.Unread {
		a = a.Class("sess--unread")
	}
	if r.Current {
		a = a.Aria("current", "page")
	}
	return a.Body(
		app.Span().Class("sess__dot").Body(r.mark()),
		app.Span().Class("sess__t").Text(r.Title),
		app.Span().Class("sess__s num").Class(lineClass(r.Status)).Hidden(r.Line == "").Text(r.Line),
		app.Span().Class("vh").Hidden(!r.Unread).Text(r.P.T(locales.SessionsUnread)),
		app.Span().Class("sess__when num").Text(r.When),
	)
}

func (r *sessionRow) mark() app.UI {
	switch {
	case r.Status == protocol.StatusPaused:
		return icon("wait", "i--wait")
	case r.Status == protocol.StatusRunning:
		return icon("spin", "i--run", "i--spin")
	case r.Status == protocol.StatusFailed:
		return icon("bad", "i--bad")
	case r.Line != "":
		return icon("stopped", "i--idle")
	case r.Unread:
		return app.Span().Class("dot dot--run")
	}
	return app.Span()
}

func lineClass(status string) string {
	switch status {
	case protocol.StatusPaused:
		return "sess__s--wait"
	case protocol.StatusRunning:
		return "sess__s--run"
	case protocol.StatusFailed:
		return "sess__s--bad"
	}
	return ""
}

func (r *sessionRow) field() app.UI {
	if !r.Renaming {
		return app.Div()
	}
	return &titleField{P: r.P, SID: r.SID, Title: r.Title, Lang: r.Lang}
}

func (r *sessionRow) menu() app.UI {
	if !r.Menu {
		return app.Div()
	}
	item := func(symbol string, text locales.Key, act app.EventHandler) app.UI {
		return app.Button().Class("menu__item").Type("button").Role("menuitem").OnClick(act).
			Body(icon(symbol), app.Span().Text(r.P.T(text)))
	}
	return app.Div().Class("menu menu--sm").Role("menu").Aria("label", r.Title).Body(
		item("pen", locales.SessionsRename, r.onRename),
		item("x", locales.SessionsDelete, r.onDelete),
	)
}

// titleField is a session's title being edited: Enter takes it, Esc leaves it as it was, and so
// does going elsewhere without a change.
type titleField struct {
	app.Compo

	P     *Page
	SID   string
	Title string
	Lang  string

	done bool
}

// OnMount moves the keyboard here, with the whole title selected.
func (f *titleField) OnMount(ctx app.Context) {
	ctx.JSSrc().Set("value", f.Title)
	focusOn(ctx.JSSrc())
	ctx.JSSrc().Call("select")
}

func (f *titleField) onKey(ctx app.Context, e app.Event) {
	switch {
	case composing(e.Value):
	case e.Get("key").String() == "Enter":
		e.PreventDefault()
		f.take(ctx)
		return
	case e.Get("key").String() == "Escape":
		f.leave()
		return
	}
	ctx.PreventUpdate()
}

func (f *titleField) onBlur(ctx app.Context, _ app.Event) { f.take(ctx) }

func (f *titleField) take(ctx app.Context) {
	title := strings.TrimSpace(ctx.JSSrc().Get("value").String())
	if !f.done && title != "" && title != f.Title {
		f.P.Do(func() { f.P.Acts.Rename(f.SID, title) })
	}
	f.leave()
}

func (f *titleField) leave() {
	f.done = true
	f.P.desk.renaming, f.P.desk.retitling = "", false
}

func (f *titleField) Render() app.UI {
	return app.Input().Class("input input--title").Type("text").MaxLength(200).
		Aria("label", f.P.T(locales.SessionsRename)).OnKeyDown(f.onKey).OnBlur(f.onBlur)
}
