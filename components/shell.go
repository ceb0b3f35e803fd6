package components

import (
	"sync/atomic"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// Shell is the root of the page, for every address: one component instance for as long as the page
// lives. It subscribes to the store and draws at most once per animation frame.
type Shell struct {
	app.Compo

	P *Page

	ctx      app.Context
	asked    atomic.Bool // a frame has been asked for
	draw     app.Func
	stops    []func()
	ready    bool
	dark     bool // the system's theme
	shown    head
	announce announcer
}

// NewShell makes the root component of a page.
func NewShell(p *Page) app.Composer { return &Shell{P: p} }

// OnInit takes the state that the first rendering shows.
func (s *Shell) OnInit() { s.P.freeze() }

// OnMount begins to follow the store and the browser.
func (s *Shell) OnMount(ctx app.Context) {
	s.ctx = ctx
	s.P.shell = s
	s.draw = app.FuncOf(func(app.Value, []app.Value) any {
		s.drawFrame()
		return nil
	})
	system := app.Window().Call("matchMedia", "(prefers-color-scheme: dark)")
	s.dark = system.Get("matches").Bool()
	s.stops = []func(){
		s.P.Store.Subscribe(s.ask),
		listen(system, "change", true, func(e app.Value) {
			s.dark = e.Get("matches").Bool()
			s.ask()
		}),
		listen(document(), "visibilitychange", true, func(app.Value) { s.hidden() }),
		listen(app.Window(), "keydown", false, s.keyDown),
		listen(document(), "pointerdown", true, s.pointerDown),
		s.draw.Release,
	}
	s.ask()
}

// OnDismount lets go of everything.
func (s *Shell) OnDismount() {
	s.P.shell = nil
	for _, stop := range s.stops {
		stop()
	}
}

// OnNav shows what the address names.
func (s *Shell) OnNav(ctx app.Context) {
	sid, known := sessionOf(s.P.Base, ctx.Page().URL().Path)
	s.P.desk.lost = !known
	s.P.desk.drawer, s.P.desk.menu, s.P.desk.retitling = false, "", false
	s.P.Do(func() { s.P.Acts.Show(sid) })
}

// ask asks for a frame, once. Frames stand still in a hidden page, where titles and announcements
// must still come: there a timer stands in.
func (s *Shell) ask() {
	if !s.asked.CompareAndSwap(false, true) {
		return
	}
	if document().Get("hidden").Bool() {
		s.drawLater()
		return
	}
	app.Window().Call("requestAnimationFrame", s.draw)
}

func (s *Shell) drawLater() { time.AfterFunc(50*time.Millisecond, s.drawFrame) }

// hidden takes over a frame that was asked for before the page was hidden and now will not come.
func (s *Shell) hidden() {
	if document().Get("hidden").Bool() && s.asked.Load() {
		s.drawLater()
	}
}

func (s *Shell) drawFrame() {
	if !s.asked.CompareAndSwap(true, false) {
		return
	}
	s.ctx.Dispatch(func(app.Context) {
		before := s.P.state
		s.P.freeze()
		s.changed(before, s.P.state)
	})
}

// changed tells of what is new outside the page's content: the title, the theme, the announcements.
func (s *Shell) changed(before, now *store.State) {
	s.P.desk.noteEnds(before, now)
	for _, a := range s.announce.compare(s.P, before, now) {
		s.P.say(a)
	}
	s.P.notify(before, now)
	s.head(now)
}

// head keeps what stands outside the body: title, language and theme.
func (s *Shell) head(now *store.State) {
	h := head{title: s.P.documentTitle(), lang: locales.Lang(now.Lang).Tag(), theme: now.Theme}
	if h == s.shown {
		return
	}
	s.shown = h
	document().Set("title", h.title)
	root := document().Get("documentElement")
	root.Set("lang", h.lang)
	if h.theme == "system" {
		root.Call("removeAttribute", "data-theme")
		return
	}
	root.Call("setAttribute", "data-theme", h.theme)
}

type head struct{ title, lang, theme string }

// theme is the one that is in effect.
func (s *Shell) theme() string {
	switch chosen := s.P.State().Theme; {
	case chosen == "light" || chosen == "dark":
		return chosen
	case s.dark:
		return "dark"
	}
	return "light"
}

// firstLoadDone reports whether all that the page begins with is there, or known not to come.
func firstLoadDone(s *store.State, lost bool) bool {
	if !s.Sessions.Loaded && s.Sessions.Err == nil {
		return false
	}
	if s.Current == "" || lost {
		return true
	}
	session := s.Session(s.Current)
	return session != nil && (session.Loaded || session.LoadErr != nil)
}

// Render draws the page.
func (s *Shell) Render() app.UI {
	p := s.P
	state, d := p.State(), &p.desk
	s.ready = s.ready || s.ctx.Context != nil && firstLoadDone(state, d.lost)
	session := state.Session(state.Current)
	return app.Div().Class("app").Class(s.classes(session)...).
		Attr(hook("app")).
		Attr("data-ready", s.ready).
		Attr("data-lang", state.Lang).
		Attr("data-theme", s.theme()).
		Body(
			app.Button().Class("skip").Type("button").Text(p.T(locales.AppSkip)).OnClick(s.onSkip),
			newSidebar(p),
			app.Main().Class("main").Body(
				newHeader(p),
				newBanners(p, session),
				s.content(session),
				newDock(p, session, d.lost),
			),
			newInspector(p, session),
			app.Div().Class("over").Body(newDialogs(p)),
			app.Div().Class("dropzone").ID("drop").Hidden(true).Aria("hidden", true).Body(
				app.P().Class("drop").Text(p.T(locales.FileDrop))),
			newLiveRegions(),
		)
}

func (s *Shell) classes(session *store.Session) (classes []string) {
	d := &s.P.desk
	add := func(class string, on bool) {
		if on {
			classes = append(classes, class)
		}
	}
	add("app--panel", d.inspector)
	add("app--drawer", d.drawer)
	add("app--folded", d.folded)
	add("app--stale", session != nil && stale(session.Conn.Phase))
	return classes
}

// stale reports whether what is shown is not moving: nothing may then pretend that it does.
func stale(phase store.Phase) bool {
	return phase == store.PhaseReconnecting || phase == store.PhaseFailed
}

func (s *Shell) content(session *store.Session) app.UI {
	if s.P.desk.lost {
		return &notFound{P: s.P, Lang: s.P.State().Lang}
	}
	sid := s.P.State().Current
	return &conversation{P: s.P, SID: sid, Session: session, Around: s.P.around(sid), Lang: s.P.State().Lang}
}

func (s *Shell) onSkip(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	focusOn(messageBox())
}

// notFound stands for an address that leads nowhere.
type notFound struct {
	app.Compo

	P    *Page
	Lang string
}

func (n *notFound) Render() app.UI {
	return app.Div().Class("scroll").Body(app.Div().Class("col").Class("state").Body(
		app.Section().Class("end").Attr(hook("not-found")).Body(
			app.H2().Class("end__h").Body(icon("info"), app.Span().Text(n.P.T(locales.NotfoundTitle))),
			app.P().Text(n.P.T(locales.NotfoundText)),
			app.Div().Class("btns").Body(
				app.A().Class("btn btn--primary").Href(n.P.SessionPath("")).Text(n.P.T(locales.NotfoundHome)),
			),
		),
	))
}
