package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// loadFailure says that a session could not be read, and offers a way on.
type loadFailure struct {
	app.Compo

	P    *Page
	SID  string
	Rev  uint64
	Lang string
}

func (f *loadFailure) onRetry(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	f.P.Do(f.P.Acts.Watcher.Reload)
}

func (f *loadFailure) Render() app.UI {
	p := f.P
	session := p.State().Session(f.SID)
	if session == nil || session.LoadErr == nil {
		return app.Div()
	}
	e := session.LoadErr
	title := locales.ThreadNotLoaded
	missing := e.Status == 404 || e.Status == 410
	if missing {
		title = locales.ThreadNotFound
	}
	return app.Div().Class("state").Body(
		app.Section().Class("end end--bad").Attr(hook("error")).Attr("data-code", e.Code).Body(
			app.H2().Class("end__h").Body(icon("alert"), app.Span().Text(p.T(title))),
			app.P().Text(p.errorText(e)),
			app.Div().Class("btns").Body(
				app.Button().Class("btn btn--primary").Type("button").OnClick(f.onRetry).
					Body(icon("retry", "i--14"), app.Span().Text(p.T(locales.ThreadLoadAgain))),
				app.A().Class("btn").Href(p.SessionPath("")).Hidden(!missing).Text(p.T(locales.SessionsNew)),
			),
		),
	)
}

// emptyChat is a conversation before its first message.
type emptyChat struct {
	app.Compo

	P    *Page
	Lang string
}

func (e *emptyChat) Render() app.UI {
	p := e.P
	return app.Div().Class("empty").Body(app.Div().Class("empty__in").Body(
		emptyArt(),
		app.Div().Body(
			app.H2().Text(p.T(locales.EmptyTitle)),
			app.P().Text(p.T(locales.EmptyText)),
		),
		app.Ul().Class("prompts").Body(
			e.prompt("hub", locales.EmptyUnderstand, locales.EmptyUnderstandText, "", ""),
			e.prompt("share", locales.EmptyCompare, locales.EmptyCompareText, "", ""),
			e.prompt("train", locales.EmptyTrain, locales.EmptyTrainText, "tag", p.T(locales.EmptyTakesLong)),
			e.prompt("merge", locales.EmptyChange, locales.EmptyChangeText, "tag tag--wait", p.T(locales.EmptyAsks)),
		),
	))
}

func (e *emptyChat) prompt(symbol string, title, text locales.Key, tagClass, tag string) app.UI {
	return app.Li().Body(&promptCard{
		P: e.P, Symbol: symbol, Title: e.P.T(title), Text: e.P.T(text), TagClass: tagClass, Tag: tag,
	})
}

// promptCard is an example. It fills the message box and never sends: a person may want to change
// it first.
type promptCard struct {
	app.Compo

	P        *Page
	Symbol   string
	Title    string
	Text     string
	TagClass string
	Tag      string
}

func (c *promptCard) onClick(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	c.P.compose(c.Text)
}

func (c *promptCard) Render() app.UI {
	return app.Button().Class("prompt").Type("button").OnClick(c.onClick).Body(
		icon(c.Symbol),
		app.B().Body(app.Span().Text(c.Title), app.Span().Class(c.TagClass).Hidden(c.Tag == "").Text(c.Tag)),
		app.Span().Class("t").Text(c.Text),
	)
}

// emptyArt is a small graph with a path through it.
func emptyArt() app.UI {
	return svg("svg").Class("empty__art").Attr("viewBox", "0 0 252 84").Attr("fill", "none").
		Attr("stroke", "currentColor").Attr("stroke-width", "1.5").Aria("hidden", true).Body(
		svg("path").Attr("d", "M14 60 48 22M48 22 92 40M14 60l46 12M60 72l32-32M48 22l48-14M96 8l36 20M92 40l40-12M60 72l60-6M120 66l12-38M132 28l42 30M120 66l54-8M96 8l70 6M166 14l34 20M174 58l26-24M166 14l54-6M200 34l38 14M174 58l44 16M218 74l20-26M220 8l18 40"),
		svg("path").Class("p").Attr("stroke-width", "2").Attr("d", "M14 60 48 22 92 40l40-12 42 30 26-24 38 14"),
		svg("g").Class("nf").Body(dots("4", "60 72", "96 8", "120 66", "166 14", "220 8", "218 74")...),
		svg("g").Class("pf").Attr("stroke-width", "2").
			Body(dots("5.5", "14 60", "48 22", "92 40", "132 28", "174 58", "200 34", "238 48")...),
	)
}

func dots(radius string, centres ...string) []app.UI {
	var list []app.UI
	for _, centre := range centres {
		x, y, _ := strings.Cut(centre, " ")
		list = append(list, svg("circle").Attr("cx", x).Attr("cy", y).Attr("r", radius))
	}
	return list
}
