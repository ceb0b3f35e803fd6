package components

import (
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// reasoningView is what the model thought before it answered: there for who wants it, closed until
// then. Opening and closing is the browser's business, so that it costs no rendering.
type reasoningView struct {
	app.Compo

	P    *Page
	Item *store.Item
	Lang string
}

func (v *reasoningView) Render() app.UI {
	return guarded(v.P, func() app.UI {
		text := v.Item.Message.Reasoning()
		count := utf8.RuneCountInString(text)
		return app.Details().Class("disc reasoning").Attr(hook("reasoning")).Body(
			app.Summary().Body(
				icon("chev", "i--14", "chev"),
				app.Span().Text(v.P.T(locales.MessageReasoning)),
				app.Span().Class("muted num").Text(v.P.N(locales.MessageCharacters, count,
					locales.A("Count", formatCount(int64(count))))),
			),
			app.Div().Class("plain reasoning__text").Dir("auto").Body(longText(text)...),
		)
	})
}
