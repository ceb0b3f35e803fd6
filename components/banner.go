package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// A trouble shorter than blink shows in the indicator only; a banner that flashes up and goes would
// worry a person for nothing. The same time lies in the stylesheet, as the delay of the banner.
const (
	blink         = 600 * time.Millisecond
	restoredShows = 4 * time.Second
)

// banners lie over the top of the conversation, so that nothing in it moves: what is wrong with the
// connection, and what the page has to say beside it.
type banners struct {
	app.Compo

	P      *Page
	Lang   string
	SID    string
	Conn   store.Connection
	Loaded bool // the session is on screen; otherwise the screen itself says what is wrong
	Online bool
	Notice store.Notice
	Cursor bool // something of the run is shown

	of       string    // the session that the following is about
	trouble  time.Time // since when, zero if there is none
	lost     bool      // the connection was lost in it; catching up after a refresh is no such thing
	restored bool      // say that all is well again
	times    int       // of being restored
}

func newBanners(p *Page, session *store.Session) app.UI {
	state := p.State()
	b := &banners{P: p, Lang: state.Lang, SID: state.Current, Online: state.Online}
	b.Conn = store.Connection{Phase: store.PhaseIdle}
	if session != nil && !p.desk.lost {
		b.Conn, b.Loaded = session.Conn, session.Loaded
	}
	if state.Notice != nil {
		b.Notice = *state.Notice
	}
	return b
}

// OnUpdate notices that trouble has passed.
func (b *banners) OnUpdate(ctx app.Context) {
	now := b.P.now()
	if b.of != b.SID {
		b.of, b.trouble, b.lost, b.restored = b.SID, time.Time{}, false, false
	}
	if troubled(b.Conn.Phase) || catchingUp(b.Conn) {
		if b.trouble.IsZero() {
			b.trouble = b.Conn.Since
		}
		b.lost = b.lost || stale(b.Conn.Phase)
		b.restored = false
		return
	}
	lasted := now.Sub(b.trouble)
	if b.trouble.IsZero() || b.Conn.Phase == store.PhaseConnecting {
		return
	}
	lost := b.lost
	b.trouble, b.lost = time.Time{}, false
	if !lost || lasted < blink {
		return
	}
	b.restored = true
	b.times++
	this := b.times
	ctx.After(restoredShows, func(app.Context) {
		if b.times == this {
			b.restored = false
		}
	})
}

func troubled(phase store.Phase) bool {
	switch phase {
	case store.PhaseReconnecting, store.PhaseRebuilding, store.PhaseFailed:
		return true
	}
	return false
}

// catchingUp reports whether a run in snapshot mode still waits for a complete snapshot. Later it is
// followed by snapshots, which is no trouble any more.
func catchingUp(c store.Connection) bool {
	return c.Phase == store.PhaseSnapshot && (c.Attempt > 0 || c.Err != nil)
}

func (b *banners) onTryNow(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	b.P.Do(func() {
		b.P.Acts.Watcher.Nudge()
		b.P.Acts.Nudge()
	})
}

func (b *banners) onReload(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	if b.Conn.Err != nil && b.Conn.Err.Code == protocol.CodeVersion {
		app.Window().Get("location").Call("reload")
		return
	}
	b.P.Do(b.P.Acts.Watcher.Reload)
}

func (b *banners) onDismiss(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	b.P.Do(b.P.Acts.Dismiss)
}

// Render draws the two places.
func (b *banners) Render() app.UI {
	return app.Div().Class("banners").Body(b.connection(), b.notice())
}

func (b *banners) connection() app.UI {
	p, c := b.P, b.Conn
	switch {
	case b.restored:
		return banner("ok", false, icon("check"), app.Span().Text(p.T(locales.ConnRestored)), app.Span())
	case !b.Loaded:
		return banner("idle", true, app.Span(), app.Span(), app.Span())
	case unreachable(c):
		return banner("bad", false, icon("alert"), b.trying(locales.ConnUnreachable, p.T(locales.ConnUnreachableHint)),
			b.wayOut(locales.ConnTryNow, b.onTryNow))
	case c.Phase == store.PhaseReconnecting:
		return banner("wait", false, icon("off"), b.lostWords(), b.wayOut(locales.ConnTryNow, b.onTryNow))
	case c.Phase == store.PhaseRebuilding:
		return banner("run", false, icon("spin", "i--run", "i--spin"), b.words(locales.ConnRebuilding,
			p.restoring(c)), app.Span())
	case catchingUp(c):
		return banner("run", false, icon("spin", "i--run", "i--spin"), b.snapshot(), b.wayOut(locales.ConnTryNow, b.onTryNow))
	case c.Phase == store.PhaseFailed:
		return b.failed()
	}
	return banner("idle", true, app.Span(), app.Span(), app.Span())
}

// unreachable reports whether reconnecting has gone on for so long, without any answer, that it is
// for the person to look at their network. The page goes on trying.
func unreachable(c store.Connection) bool {
	return c.Phase == store.PhaseReconnecting && c.Attempt >= manyAttempts && (c.Err == nil || c.Err.Status == 0)
}

// manyAttempts takes about three quarters of a minute.
const manyAttempts = 8

// banner has three places that are always there: symbol, words, way out.
func banner(kind string, hidden bool, symbol, words, way app.UI) app.UI {
	return app.Div().Class("banner banner--"+kind).Hidden(hidden).Body(
		app.Span().Class("banner__i").Body(symbol),
		app.Div().Class("banner__t").Body(words),
		app.Div().Class("banner__way").Body(way),
	)
}

func (b *banners) words(title locales.Key, rest string) app.UI {
	return app.Span().Body(app.B().Text(b.P.T(title)), app.Text(" "+rest))
}

func (b *banners) wayOut(text locales.Key, act app.EventHandler) app.UI {
	return app.Button().Class("link").Type("button").Text(b.P.T(text)).OnClick(act)
}

func (b *banners) lostWords() app.UI {
	return b.trying(locales.ConnLost, b.P.T(locales.ConnContinues)+" "+b.P.connectionText(b.Conn))
}

func (b *banners) snapshot() app.UI {
	return b.trying(locales.ConnSnapshot, b.P.T(locales.ConnContinues))
}

// trying says what is being tried, and marks the error that made it necessary.
func (b *banners) trying(title locales.Key, rest string) app.UI {
	e := b.Conn.Err
	if e == nil {
		return b.words(title, rest)
	}
	return app.Span().Attr(hook("error")).Attr("data-code", e.Code).Title(b.P.errorText(e)).Body(
		app.B().Text(b.P.T(title)), app.Text(" "+rest+b.status(e)))
}

// status names the HTTP status of an error behind a sentence.
func (b *banners) status(e *protocol.Error) string {
	if e.Status == 0 {
		return ""
	}
	return " " + b.P.T(locales.ConnStatus, locales.A("Status", itoa(e.Status)))
}

func (b *banners) failed() app.UI {
	p, e := b.P, b.Conn.Err
	if e == nil {
		e = &protocol.Error{Code: protocol.CodeNetwork}
	}
	way := b.wayOut(locales.ConnTryAgain, b.onReload)
	if e.Code == protocol.CodeVersion {
		way = b.wayOut(locales.BootReload, b.onReload)
	}
	words := app.Span().Attr(hook("error")).Attr("data-code", e.Code).Body(
		app.B().Text(p.T(locales.ConnNotWatched)), app.Text(" "+p.errorText(e)))
	return banner("bad", false, icon("alert"), words, way)
}

// notice is something that was done, or failed, outside a turn.
func (b *banners) notice() app.UI {
	p, n := b.P, b.Notice
	if n.Key == "" {
		return banner("idle", true, app.Span(), app.Span(), app.Span())
	}
	kind, symbol := "run", "info"
	if n.Bad {
		kind, symbol = "bad", "alert"
	}
	text := p.noticeText(n)
	words := app.Span()
	if n.Err != nil {
		words = words.Attr(hook("error")).Attr("data-code", n.Err.Code)
		text += " " + p.errorText(n.Err)
	}
	way := app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").
		Aria("label", p.T(locales.AppClose)).OnClick(b.onDismiss).Body(icon("x", "i--14"))
	return banner(kind, false, icon(symbol), words.Text(text), way)
}

func (p *Page) noticeText(n store.Notice) string {
	switch n.Key {
	case store.NoticeRename:
		return p.T(locales.NoticeRename)
	case store.NoticeDelete:
		return p.T(locales.NoticeDelete)
	}
	return p.T(locales.NoticeFault)
}

// connectionText says how the session is being watched, in full.
func (p *Page) connectionText(c store.Connection) string {
	switch c.Phase {
	case store.PhaseReconnecting:
		return p.T(locales.ConnAttempt, locales.A("Attempt", itoa(max(c.Attempt, 1))),
			locales.A("Time", c.Since.In(time.Local).Format("15:04:05")))
	case store.PhaseRebuilding:
		return p.restoring(c)
	case store.PhaseSnapshot:
		if !catchingUp(c) {
			return p.T(locales.ConnFollowingHint)
		}
		return p.T(locales.ConnSnapshot)
	case store.PhaseFailed:
		if c.Err != nil {
			return p.errorText(c.Err)
		}
	case store.PhaseLive, store.PhasePaused, store.PhaseIdle:
		return p.T(locales.ConnUpToDate)
	}
	return ""
}

// restoring says how far a rebuild has come.
func (p *Page) restoring(c store.Connection) string {
	if c.Total <= 0 {
		return p.T(locales.ConnRebuildingSafe)
	}
	return p.T(locales.ConnRestoredOf, locales.A("Done", formatCount(min(c.Done, c.Total))),
		locales.A("Total", formatCount(c.Total)))
}
