package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
)

// turnView is one turn: what the person asked, and the run that answers it.
//
// Turn is an immutable version whose revision differs from any other's, so comparing two costs
// next to nothing.
type turnView struct {
	app.Compo

	P    *Page
	SID  string
	Turn *store.Turn
	Lang string
}

func newTurnView(p *Page, sid string, t *store.Turn, lang string) app.UI {
	return &turnView{P: p, SID: sid, Turn: t, Lang: lang}
}

// CompoID keeps what is open in a turn with that turn.
func (v *turnView) CompoID() string { return v.Turn.Key }

func (v *turnView) Render() app.UI {
	return app.Article().Attr(hook("turn")).
		Attr("data-turn-id", v.Turn.TurnID).
		Attr("data-run-id", v.Turn.Run.ID).
		Attr("data-status", v.Turn.Status()).
		Attr("data-lang", v.Turn.Lang)
}
