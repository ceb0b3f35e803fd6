package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// A page of turns is one component, so that a frame costs the page in which something changed. The
// newest two pages are there at first; older ones are empty slots until they are wanted, so that
// filling them moves nothing else.
const (
	pageTurns  = 25
	firstPages = 2
)

// conversation is the session on screen.
type conversation struct {
	app.Compo

	P       *Page
	SID     string
	Session *store.Session // nil for a new chat, and before the session has been asked for
	Around  around
	Lang    string

	ctx    app.Context
	reader *scroller
	oldest int // the oldest page that is filled
	filled bool
}

// CompoID gives every session a view of its own, with its own scroll position.
func (c *conversation) CompoID() string { return c.SID }

// OnMount begins to keep the reader's place.
func (c *conversation) OnMount(ctx app.Context) {
	c.ctx = ctx
	c.reader = newScroller(ctx.JSSrc(), c.left, c.olderWanted)
	c.P.desk.reader = c.reader
}

// OnDismount lets go of the listeners.
func (c *conversation) OnDismount() {
	if c.reader == nil {
		return
	}
	c.reader.close()
	if c.P.desk.reader == c.reader {
		c.P.desk.reader = nil
	}
}

// OnUpdate puts the view right once the change has been drawn. The size of the content need not
// have changed with it.
func (c *conversation) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		if c.reader != nil {
			c.reader.settle()
		}
	})
}

// left: the reader has left the end, or is back at it.
func (c *conversation) left() {
	c.reader.mark = markEnd(c.Session)
	c.P.redraw()
}

func (c *conversation) olderWanted() {
	if c.filled && c.oldest > 0 {
		c.ctx.Dispatch(func(app.Context) { c.fillOlder() })
	}
}

func (c *conversation) fillOlder() {
	if c.oldest > 0 {
		c.reader.stay()
		c.oldest--
	}
}

func (c *conversation) onMore(app.Context, app.Event) { c.fillOlder() }

// Render draws the turns, or what stands in for them.
func (c *conversation) Render() app.UI {
	p := c.P
	turns := 0
	if c.Session != nil {
		turns = c.Session.Turns()
	}
	return app.Div().Class("scroll").ID("conversation").Attr(hook("conversation")).
		Role("log").Aria("live", "off").Aria("label", p.title(c.SID)).TabIndex(0).
		Body(app.Div().Class("scroll__in").Body(
			app.Div().Class("col").Hidden(turns > 0).Body(c.standIn(turns)),
			app.Div().Class("col").Hidden(turns == 0).Body(c.thread(turns)),
		))
}

// standIn is what shows while there are no turns.
func (c *conversation) standIn(turns int) app.UI {
	switch {
	case turns > 0:
		return app.Div()
	case c.SID == "" || c.Session != nil && c.Session.Loaded:
		return &emptyChat{P: c.P, Lang: c.Lang}
	case c.Session != nil && c.Session.LoadErr != nil:
		return &loadFailure{P: c.P, SID: c.SID, Rev: c.Session.Rev, Lang: c.Lang}
	}
	return app.Div().Class("state").Aria("busy", true).Body(
		app.P().Class("vh").Text(c.P.T(locales.ThreadLoading)),
		app.Div().Class("skel").Aria("hidden", true).Body(app.I(), app.I(), app.I(), app.I()),
	)
}

func (c *conversation) thread(turns int) app.UI {
	pages := (turns + pageTurns - 1) / pageTurns
	if !c.filled && turns > 0 {
		c.filled = true
		c.oldest = max(0, pages-firstPages)
	}
	c.oldest = min(c.oldest, max(0, pages-1))
	thread := []app.UI{c.older(turns)}
	for i := range pages {
		thread = append(thread, c.page(i, turns))
	}
	return app.Div().Class("thread").Body(thread...)
}

func (c *conversation) older(turns int) app.UI {
	shown := turns - c.oldest*pageTurns
	if c.oldest == 0 {
		return app.P().Hidden(true)
	}
	return app.P().Class("older").Hidden(false).Body(
		app.Span().Text(c.P.N(locales.ThreadShowing, turns, locales.A("Shown", itoa(shown)))),
		app.Button().Class("btn btn--sm").Type("button").Attr(hook("history-more")).
			Text(c.P.T(locales.ThreadEarlier)).OnClick(c.onMore),
	)
}

func (c *conversation) page(i, turns int) app.UI {
	page := &turnPage{P: c.P, SID: c.SID, Index: i, Around: c.Around, Lang: c.Lang, Boundary: -1}
	if i < c.oldest {
		return page
	}
	page.Filled = true
	first, end := pageRange(i, turns)
	for n := first; n < end; n++ {
		page.Rev = page.Rev*31 + c.Session.Turn(n).Rev
	}
	if away := c.Session.Away; away != nil {
		page.Away = *away
	}
	if c.reader != nil && !c.reader.following {
		page.Boundary = boundary(c.reader.mark, first, end)
	}
	return page
}

// boundary is the turn before which new content begins, if it is in this page; else -1.
func boundary(m mark, first, end int) int {
	if m.turns > 0 && m.turns >= first && m.turns < end {
		return m.turns
	}
	return -1
}

func pageRange(i, turns int) (first, end int) {
	return i * pageTurns, min((i+1)*pageTurns, turns)
}

// turnPage is a slot for some turns. Rev stands for all of their revisions, Around for what else they
// depend on.
type turnPage struct {
	app.Compo

	P        *Page
	SID      string
	Index    int
	Filled   bool
	Rev      uint64
	Around   around
	Boundary int
	Away     store.Away
	Lang     string
}

func (t *turnPage) Render() app.UI {
	session := t.P.State().Session(t.SID)
	if !t.Filled || session == nil {
		return app.Div().Hidden(true)
	}
	first, end := pageRange(t.Index, session.Turns())
	slots := make([]app.UI, 0, pageTurns)
	for i := first; i < end; i++ {
		slots = append(slots, t.slot(session.Turn(i), i))
	}
	return app.Div().Class("thread__page").Hidden(false).Body(slots...)
}

// slot holds a turn, and above it what divides it from the turn before.
func (t *turnPage) slot(turn *store.Turn, i int) app.UI {
	return app.Div().Class("thread__turn").Body(
		app.Div().Class("thread__mark").Body(t.divider(turn, i)),
		newTurnView(t.P, t.SID, turn, t.Lang),
	)
}

func (t *turnPage) divider(turn *store.Turn, i int) app.UI {
	switch {
	case t.Away.Turn == turn.Key && t.Away.FirstKey == (store.ItemKey{}):
		return &awayDivider{P: t.P, Away: t.Away, Lang: t.Lang}
	case t.Boundary == i:
		return app.P().Class("daybreak daybreak--new").Text(t.P.T(locales.ThreadSince))
	}
	return app.Div()
}
