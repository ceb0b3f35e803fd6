package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// sidebar is the list of sessions and what stands around it. The fields tell one version of it from
// another; the list's slices never change in place, so comparing them costs next to nothing.
type sidebar struct {
	app.Compo

	P        *Page
	Lang     string
	Current  string
	List     store.SessionList
	Live     string // what the opened sessions add to the list
	Minute   int64  // times are shown in minutes
	Filter   filter
	Menu     string
	Renaming string
	Unread   int
	Skills   int
	Log      bool // the inspector is open

	typing *time.Timer
}

func newSidebar(p *Page) app.UI {
	state, d := p.State(), &p.desk
	skills, _ := d.skills.of(state)
	return &sidebar{
		P: p, Lang: state.Lang, Current: state.Current, List: state.Sessions, Live: livePart(state),
		Minute: p.now().Unix() / 60, Filter: d.filter, Menu: d.menu, Renaming: d.renaming,
		Unread: d.unreadRev, Skills: skills, Log: d.inspector,
	}
}

// searchWait is how long typing must rest before the list is searched.
const searchWait = 250 * time.Millisecond

func (s *sidebar) onSearch(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	if s.typing != nil {
		s.typing.Stop()
	}
	query := ctx.JSSrc().Get("value").String()
	s.typing = time.AfterFunc(searchWait, func() {
		s.P.Do(func() { s.P.Acts.SearchSessions(query) })
	})
}

func (s *sidebar) onClearSearch(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	byID("session-search").Set("value", "")
	s.P.Do(func() { s.P.Acts.SearchSessions("") })
}

func (s *sidebar) onAgain(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	s.P.Do(s.P.Acts.RefreshSessions)
}

func (s *sidebar) onMore(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	s.P.Do(s.P.Acts.MoreSessions)
}

func (s *sidebar) onNew(app.Context, app.Event) { s.P.newChat() }

func (s *sidebar) onFold(app.Context, app.Event) {
	d := &s.P.desk
	if d.drawer {
		d.drawer = false
		return
	}
	d.folded = true
}

func (s *sidebar) onLog(app.Context, app.Event) { s.P.desk.inspector = !s.P.desk.inspector }

func (s *sidebar) onShortcuts(app.Context, app.Event) { s.P.desk.dialog = dialogShortcuts }

func (s *sidebar) onSkills(app.Context, app.Event) {
	_, sid := s.P.desk.skills.of(s.P.State())
	s.P.goToSkill(sid)
}

// Render draws the sidebar.
func (s *sidebar) Render() app.UI {
	p := s.P
	return app.Aside().Class("side").ID("sessions").Aria("label", p.T(locales.SessionsLabel)).Body(
		app.Div().Class("brand").Body(
			logo(),
			app.Span().Text(p.T(locales.AppName)),
			app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").
				Aria("label", p.T(locales.SessionsHide)).OnClick(s.onFold).Body(icon("panel")),
		),
		app.Div().Class("side__top").Body(
			app.Button().Class("btn side__new").Type("button").Attr(hook("new-session")).OnClick(s.onNew).
				Body(icon("plus"), app.Span().Text(p.T(locales.SessionsNew)), keyHint(keyNew)),
			app.Div().Class("search").Body(
				icon("search"),
				app.Input().Class("input").Type("search").ID("session-search").Attr(hook("session-search")).
					Placeholder(p.T(locales.SessionsSearch)).Aria("label", p.T(locales.SessionsSearch)).
					AutoComplete(false).OnInput(s.onSearch),
				keyHint(keySearch),
			),
			s.filters(),
		),
		app.Nav().Class("sessions").Attr(hook("session-list")).Aria("label", p.T(locales.SessionsLabel)).
			Aria("busy", !s.List.Loaded && s.List.Err == nil).
			Body(s.body()...),
		app.Div().Class("side__foot").Body(
			app.Button().Class("btn btn--ghost btn--sm").Type("button").Hidden(s.Skills == 0).OnClick(s.onSkills).
				Body(icon("skill"), app.Span().Text(p.T(locales.SkillTitle)),
					app.Span().Class("tag num").Text(itoa(s.Skills))),
			&notifyToggle{P: p, On: p.State().Notify, Lang: s.Lang},
			app.Button().Class("btn btn--ghost btn--sm").Type("button").OnClick(s.onShortcuts).
				Body(icon("keys"), app.Span().Text(p.T(locales.ShortcutsTitle))),
			app.Button().Class("btn btn--ghost btn--sm").Type("button").Attr(hook("inspector-toggle")).
				Title(p.T(locales.InspectorToggle)).
				Aria("expanded", s.Log).Aria("controls", "inspector").OnClick(s.onLog).
				Body(icon("json"), app.Span().Text(p.T(locales.InspectorTitle))),
		),
	)
}

func logo() app.UI {
	return svg("svg").Class("logo").Attr("viewBox", "0 0 20 20").Attr("fill", "none").
		Attr("stroke", "currentColor").Attr("stroke-width", "1.7").Attr("stroke-linecap", "round").
		Aria("hidden", true).Body(svg("use").Attr("href", "#logo"))
}

func (s *sidebar) filters() app.UI {
	p := s.P
	waiting, running := 0, 0
	for _, row := range s.List.Rows {
		switch rowStatus(p.State(), row) {
		case protocol.StatusPaused:
			waiting++
		case protocol.StatusRunning:
			running++
		}
	}
	return app.Div().Class("filters").Role("group").Aria("label", p.T(locales.SessionsLabel)).Body(
		&filterButton{P: p, Lang: s.Lang, Filter: filterAll, Active: s.Filter == filterAll},
		&filterButton{P: p, Lang: s.Lang, Filter: filterWaiting, Active: s.Filter == filterWaiting, Count: waiting},
		&filterButton{P: p, Lang: s.Lang, Filter: filterRunning, Active: s.Filter == filterRunning, Count: running},
	)
}

// filterButton narrows the list.
type filterButton struct {
	app.Compo

	P      *Page
	Lang   string
	Filter filter
	Active bool
	Count  int
}

func (f *filterButton) onClick(app.Context, app.Event) { f.P.desk.filter = f.Filter }

func (f *filterButton) Render() app.UI {
	b := app.Button().Type("button").Aria("pressed", f.Active).OnClick(f.onClick)
	count := app.Span().Class("num").Hidden(f.Count == 0).Text(itoa(f.Count))
	switch f.Filter {
	case filterWaiting:
		return b.Body(icon("wait", "i--wait"), app.Span().Text(f.P.T(locales.SessionsFilterWaiting)), count)
	case filterRunning:
		return b.Body(icon("spin", "i--run"), app.Span().Text(f.P.T(locales.SessionsFilterRunning)), count)
	}
	return b.Body(app.Span().Text(f.P.T(locales.SessionsFilterAll)))
}

// body is the list: a permanent place for each part of it, so that a row moves only within its own.
func (s *sidebar) body() []app.UI {
	groups := s.groups()
	shown := 0
	sections := []app.UI{}
	for a, rows := range groups {
		shown += len(rows)
		sections = append(sections, app.Section().Hidden(len(rows) == 0).Body(
			app.H2().Text(s.P.T(ageKeys[a])),
			app.Ul().Body(rows...),
		))
	}
	return append([]app.UI{app.Div().Body(s.notice(shown))}, append(sections, app.Div().Class("none").
		Hidden(s.List.Next == "").Body(
		app.Button().Class("btn btn--sm").Type("button").Text(s.P.T(locales.SessionsLoadMore)).OnClick(s.onMore),
	))...)
}

var ageKeys = [ages]locales.Key{
	locales.SessionsToday, locales.SessionsYesterday, locales.SessionsWeek, locales.SessionsOlder,
}

func (s *sidebar) groups() (groups [ages][]app.UI) {
	state, now := s.P.State(), s.P.now()
	for _, info := range s.List.Rows {
		status := rowStatus(state, info)
		if !s.Filter.admits(status) {
			continue
		}
		a := ageOf(info.UpdatedAt, now, time.Local)
		groups[a] = append(groups[a], app.Li().Class("sess-row").Body(&sessionRow{
			P:        s.P,
			Lang:     s.Lang,
			SID:      info.SessionID,
			Title:    s.P.rowTitle(info),
			Status:   status,
			Line:     s.P.statusLine(info.SessionID, status),
			When:     s.P.when(info.UpdatedAt, now, time.Local),
			Current:  info.SessionID == s.Current,
			Unread:   s.P.desk.unread[info.SessionID],
			Menu:     s.Menu == info.SessionID,
			Renaming: s.Renaming == info.SessionID,
		}))
	}
	return groups
}

// notice is what the list has to say beside its rows, or instead of them.
func (s *sidebar) notice(shown int) app.UI {
	p, list := s.P, s.List
	button := func(symbol string, text locales.Key, act app.EventHandler) app.UI {
		return app.Button().Class("btn btn--sm").Type("button").OnClick(act).
			Body(icon(symbol, "i--14"), app.Span().Text(p.T(text)))
	}
	switch {
	case list.Err != nil:
		return app.Div().Class("none").Body(
			app.P().Class("error").Attr(hook("error")).Attr("data-code", list.Err.Code).Body(
				icon("alert"), app.Span().Text(p.T(locales.SessionsNotLoaded)+" "+p.errorText(list.Err))),
			button("retry", locales.SessionsLoadAgain, s.onAgain),
		)
	case !list.Loaded:
		return app.Div().Body(
			app.P().Class("vh").Text(p.T(locales.SessionsLoading)),
			app.Div().Class("skel").Aria("hidden", true).Body(app.I(), app.I(), app.I(), app.I()),
		)
	case shown > 0:
		return app.Div()
	case list.Query != "" && len(list.Rows) == 0:
		return app.Div().Class("none").Body(
			app.P().Text(p.T(locales.SessionsNoMatch, locales.A("Query", list.Query))),
			button("x", locales.SessionsClearSearch, s.onClearSearch),
		)
	case s.Filter != filterAll:
		return app.Div().Class("none").Body(app.P().Text(p.T(locales.SessionsNoneFiltered)))
	}
	return app.Div().Class("none").Body(app.P().Text(p.T(locales.SessionsNone)))
}
