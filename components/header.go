package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// header is the bar above the conversation.
type header struct {
	app.Compo

	P         *Page
	Lang      string
	Theme     string
	SID       string
	Title     string
	Known     bool // the session exists, so it can be renamed
	Retitling bool
	Prefs     bool
	Folded    bool
	Drawer    bool
	Conn      store.Connection
	Online    bool
}

func newHeader(p *Page) app.UI {
	state, d := p.State(), &p.desk
	h := &header{
		P: p, Lang: state.Lang, Theme: state.Theme, SID: state.Current, Title: p.title(state.Current),
		Retitling: d.retitling, Prefs: d.prefs, Folded: d.folded, Drawer: d.drawer,
		Conn: store.Connection{Phase: store.PhaseIdle}, Online: state.Online,
	}
	if e := state.Sessions.Err; e != nil && e.Status == 0 {
		h.Online = false // the network is there, but not the server
	}
	if session := state.Session(state.Current); session != nil && state.Current != "" {
		h.Known, h.Conn = session.Loaded, session.Conn
	}
	if d.lost {
		h.Title, h.Known = p.T(locales.NotfoundTitle), false
	}
	return h
}

func (h *header) onMenu(app.Context, app.Event) {
	h.P.desk.drawer, h.P.desk.folded = true, false
}

func (h *header) onRetitle(app.Context, app.Event) { h.P.desk.retitling = true }

func (h *header) onPrefs(app.Context, app.Event) { h.P.desk.prefs = !h.P.desk.prefs }

// Render draws the bar.
func (h *header) Render() app.UI {
	p := h.P
	return app.Header().Class("hdr").Body(
		app.Button().Class("btn btn--ghost btn--icon hdr__menu").Type("button").
			Aria("label", p.T(locales.SessionsShow)).Aria("controls", "sessions").Aria("expanded", h.Drawer).
			OnClick(h.onMenu).Body(icon("menu")),
		app.Div().Class("hdr__title").Body(
			app.H1().Class("ellip").Hidden(h.Retitling).Text(h.Title),
			app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").Hidden(h.Retitling || !h.Known).
				Aria("label", p.T(locales.SessionsRename)).OnClick(h.onRetitle).Body(icon("pen", "i--14")),
			app.Div().Class("hdr__field").Hidden(!h.Retitling).Body(h.field()),
		),
		app.Div().Class("hdr__end").Body(
			&connection{P: p, Lang: h.Lang, Conn: h.Conn, Online: h.Online},
			app.Div().Class("hdr__prefs").Class(openClass(h.Prefs)).ID("prefs").Body(
				newLanguageSwitch(p, h.Lang), newThemeSwitch(p, h.Lang, h.Theme),
			),
			app.Button().Class("btn btn--ghost btn--icon hdr__more").Type("button").
				Aria("label", p.T(locales.AppMore)).Aria("expanded", h.Prefs).Aria("controls", "prefs").
				OnClick(h.onPrefs).Body(icon("more")),
		),
	)
}

func openClass(open bool) string {
	if open {
		return "is-open"
	}
	return ""
}

func (h *header) field() app.UI {
	if !h.Retitling {
		return app.Div()
	}
	return &titleField{P: h.P, SID: h.SID, Title: h.Title, Lang: h.Lang}
}

// connection says how the session on screen is being watched.
type connection struct {
	app.Compo

	P      *Page
	Lang   string
	Conn   store.Connection
	Online bool
}

func (c *connection) Render() app.UI {
	text, class := connectionWords(c.Conn, c.Online)
	return app.Span().Class("conn").Class(class).Attr(hook("connection")).
		Attr("data-state", string(c.Conn.Phase)).
		Title(c.P.connectionText(c.Conn)).
		Body(
			app.Span().Class("conn__i").Body(connectionIcon(c.Conn, c.Online)),
			app.Span().Class("conn__t").Text(c.P.T(text)),
		)
}

func connectionWords(c store.Connection, online bool) (text locales.Key, class string) {
	switch c.Phase {
	case store.PhaseConnecting:
		return locales.ConnConnecting, "conn--run"
	case store.PhaseReconnecting:
		return locales.ConnReconnecting, "conn--wait"
	case store.PhaseRebuilding:
		return locales.ConnRestoring, "conn--run"
	case store.PhaseSnapshot:
		if !catchingUp(c) {
			return locales.ConnFollowing, "conn--run"
		}
		return locales.ConnCatchingUp, "conn--run"
	case store.PhasePaused:
		return locales.ConnPaused, "conn--wait"
	case store.PhaseFailed:
		return locales.ConnFailed, "conn--bad"
	}
	if !online {
		return locales.ConnOffline, "conn--wait"
	}
	return locales.ConnConnected, "conn--ok"
}

func connectionIcon(c store.Connection, online bool) app.UI {
	switch c.Phase {
	case store.PhaseSnapshot:
		if !catchingUp(c) {
			return app.Span().Class("dot dot--run")
		}
		return icon("spin", "i--14", "i--run", "i--spin")
	case store.PhaseConnecting, store.PhaseRebuilding:
		return icon("spin", "i--14", "i--run", "i--spin")
	case store.PhaseReconnecting:
		return icon("off", "i--14", "i--wait")
	case store.PhasePaused:
		return icon("wait", "i--14", "i--wait")
	case store.PhaseFailed:
		return icon("alert", "i--14", "i--bad")
	}
	if !online {
		return icon("off", "i--14", "i--wait")
	}
	return app.Span().Class("dot dot--ok")
}
