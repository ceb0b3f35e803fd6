package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// turnView is one turn: what the person asked, and the run that answers it. Turn is an immutable
// version whose revision differs from any other's, so comparing two costs next to nothing.
type turnView struct {
	app.Compo

	P      *Page
	SID    string
	Turn   *store.Turn
	Around around
	Away   store.Away // if the reader had stopped in this turn
	Latest bool
	Lang   string

	frozen time.Time // since when the page has not heard of a run that goes on
}

func newTurnView(p *Page, sid string, t *store.Turn, lang string) app.UI {
	view := &turnView{P: p, SID: sid, Turn: t, Around: p.around(sid), Lang: lang}
	if session := p.State().Session(sid); session != nil {
		view.Latest = session.Last == t
		if session.Away != nil && session.Away.Turn == t.Key {
			view.Away = *session.Away
		}
	}
	return view
}

// CompoID keeps what is open in a turn with that turn.
func (v *turnView) CompoID() string { return v.Turn.Key }

func (v *turnView) Render() app.UI {
	return guarded(v.P, v.turn)
}

func (v *turnView) turn() app.UI {
	t := v.Turn
	status := t.Status()
	v.freeze(status)
	return app.Section().Class("exchange").Attr(hook("turn")).
		Attr("data-turn-id", t.TurnID).
		Attr("data-run-id", t.Run.ID).
		Attr("data-status", status).
		Attr("data-lang", t.Lang).
		Body(
			&userMessage{P: v.P, SID: v.SID, Turn: t, CanEdit: v.Latest && v.Around.CanEdit, Latest: v.Latest, Lang: v.Lang},
			app.Article().Class("turn").
				Aria("label", v.P.T(locales.TurnAssistantAt, locales.A("Time", v.P.at(v.asked())))).
				Aria("busy", status == protocol.StatusRunning).
				Hidden(v.silent(status)).
				Body(
					app.Header().Class("turn__meta").Body(v.header(status)...),
					app.Div().Class("items").Body(v.pages()...),
					&outcome{P: v.P, SID: v.SID, Turn: t, CanAsk: v.Around.CanAsk, CanEdit: v.Latest && v.Around.CanEdit, Lang: v.Lang},
				),
		)
}

// silent reports whether there is no answer to show yet, nor anything to say about it.
func (v *turnView) silent(status string) bool {
	return status == string(store.SendSubmitting) && v.Turn.Cancel == store.CancelNone
}

// freeze notes when the page lost touch with a run that goes on: its times stand still from then.
func (v *turnView) freeze(status string) {
	goesOn := status == protocol.StatusRunning || status == protocol.StatusPaused || status == protocol.StatusCancelling
	switch {
	case !goesOn || v.Around.Live:
		v.frozen = time.Time{}
	case v.frozen.IsZero():
		v.frozen = v.P.now()
	}
}

// asked is when the turn began, as far as is known.
func (v *turnView) asked() time.Time {
	if !v.Turn.CreatedAt.IsZero() {
		return v.Turn.CreatedAt
	}
	return v.Turn.Run.StartedAt
}

// began is when the run began, as far as is known.
func (v *turnView) began() time.Time {
	if !v.Turn.Run.StartedAt.IsZero() {
		return v.Turn.Run.StartedAt
	}
	return v.Turn.CreatedAt
}

// header has a place for each part, so that none moves another.
func (v *turnView) header(status string) []app.UI {
	return []app.UI{
		app.Span().Class("turn__who").Body(logo(), app.Text(v.P.T(locales.AppAssistant))),
		note(v.P.at(v.asked())),
		app.Span().Class("turn__state").Body(v.state(status)),
		v.tongue(),
		v.format(),
	}
}

// note is a part of the header; one without text is not there.
func note(text string) app.UI {
	return app.Span().Class("sep note num").Hidden(text == "").Text(text)
}

// state says what the run is doing, or how long it took.
func (v *turnView) state(status string) app.UI {
	switch status {
	case protocol.StatusPaused:
		return note(v.P.T(locales.TurnWaiting))
	case protocol.StatusRunning, protocol.StatusCancelling:
		if v.began().IsZero() {
			return nil
		}
		return app.Span().Class("sep note").Body(
			&runningTime{P: v.P, Kind: timeWorking, From: v.began(), At: v.frozen, Lang: v.Lang})
	}
	if took, known := elapsed(v.Turn.Run.StartedAt, v.Turn.Run.EndedAt); known {
		return note(v.P.T(locales.TurnTook, locales.A("Duration", v.P.formatDuration(took))))
	}
	return nil
}

// tongue names the language of the answer where it is not that of the interface.
func (v *turnView) tongue() app.UI {
	name := ""
	switch v.Turn.Lang {
	case protocol.LangZH:
		name = v.P.T(locales.LanguageZhName)
	case protocol.LangEN:
		name = v.P.T(locales.LanguageEnName)
	}
	other := name != "" && v.Turn.Lang != locales.Lang(v.Lang).Tag()
	return app.Span().Class("sep note").Hidden(!other).Body(
		icon("globe", "i--14"),
		app.Span().Text(v.P.T(locales.TurnResponseLanguage, locales.A("Language", name))),
	)
}

func (v *turnView) format() app.UI {
	format := ""
	switch v.Turn.Format {
	case protocol.FormatReport:
		format = v.P.T(locales.ComposerFormatReport)
	case protocol.FormatJSON:
		format = v.P.T(locales.ComposerFormatJson)
	}
	if format == "" {
		return note("")
	}
	return note(v.P.T(locales.TurnFormat, locales.A("Format", format)))
}

// pages renders the items in groups, of which a frame changes only the last.
func (v *turnView) pages() []app.UI {
	run := v.Turn.Run
	views := make([]app.UI, 0, run.Pages()+1)
	for i := range run.Pages() {
		items, rev := run.Page(i)
		views = append(views, &itemPage{
			P: v.P, SID: v.SID, Key: v.Turn.Key, Rev: rev, Items: items,
			Ended: run.Ended(), Paused: run.Status == protocol.StatusPaused, Current: run.Current(),
			Named: run.Waiting, Around: v.Around, Away: v.Away, At: v.frozen, Tongue: v.Turn.Lang, Lang: v.Lang,
		})
	}
	if extra := unlisted(run); extra != nil {
		views = append(views, &itemPage{
			P: v.P, SID: v.SID, Key: v.Turn.Key, Rev: run.Rev, Items: []*store.Item{extra},
			Current: run.Current(), Named: run.Waiting, Around: v.Around, At: v.frozen, Tongue: v.Turn.Lang, Lang: v.Lang,
		})
	}
	return views
}

// unlisted is a request that the server names as waiting and that no item shows. It must be there to
// be decided: nothing goes on without it.
func unlisted(run *store.Run) *store.Item {
	if run.Ended() || run.Waiting == nil {
		return nil
	}
	key := store.ItemKey{Type: protocol.ItemApproval, ID: run.Waiting.RequestID}
	if run.Item(key) != nil {
		return nil
	}
	return &store.Item{Key: key, Approval: &protocol.Approval{Request: *run.Waiting, Status: protocol.StatusPending}}
}
