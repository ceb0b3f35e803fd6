package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// guarded draws one item. If that panics, this item shows a line that says so, and the page goes
// on: what a server sends must not be able to take the page away.
func guarded(p *Page, draw func() app.UI) (ui app.UI) {
	defer func() {
		if cause := recover(); cause != nil {
			app.Log("an item could not be drawn:", cause)
			ui = app.P().Class("error").Attr(hook("error")).Attr("data-code", "RENDER").Body(
				icon("alert"), app.Span().Text(p.T(locales.TurnBrokenItem)))
		}
	}()
	return draw()
}
