package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// itemPage is some items of a run. Its other fields are what the items depend on besides
// themselves.
type itemPage struct {
	app.Compo

	P       *Page
	SID     string
	Key     string // of the turn
	Rev     uint64
	Items   []*store.Item
	Ended   bool
	Paused  bool
	Current string // request that can be decided
	Named   *protocol.PausedRequest
	Around  around
	Away    store.Away // with the item before which the reader had stopped
	At      time.Time
	Tongue  string
	Lang    string
}

func (v *itemPage) Render() app.UI {
	return guarded(v.P, func() app.UI {
		run := v.run()
		slots := make([]app.UI, len(v.Items))
		for i, it := range v.Items {
			slots[i] = app.Div().Class("item", "item--"+kindOf(it)).Body(v.divider(it), v.item(run, it))
		}
		return app.Div().Class("items__page").Body(slots...)
	})
}

// divider is the slot above an item, for the mark of where the reader had been.
func (v *itemPage) divider(it *store.Item) app.UI {
	if v.Away.FirstKey != it.Key {
		return app.Div().Hidden(true)
	}
	return app.Div().Hidden(false).Body(&awayDivider{P: v.P, Away: v.Away, Lang: v.Lang})
}

// run is the run as it is being rendered.
func (v *itemPage) run() *store.Run {
	if session := v.P.State().Session(v.SID); session != nil {
		if turn := session.TurnByKey(v.Key); turn != nil {
			return turn.Run
		}
	}
	return &store.Run{}
}

// kindOf names the kind of an item for the stylesheet, which joins neighbouring tools.
func kindOf(it *store.Item) string {
	switch {
	case it.Tool != nil && it.Tool.Job:
		return "job"
	case it.Tool != nil:
		return "tool"
	}
	return "other"
}

func (v *itemPage) item(run *store.Run, it *store.Item) app.UI {
	state := v.P.State()
	switch {
	case it.Message != nil:
		return &messageView{P: v.P, Item: it, Ended: v.Ended, Tongue: v.Tongue, Lang: v.Lang}
	case it.Plan != nil:
		return &planView{P: v.P, Item: it, Ended: v.Ended, Paused: v.Paused, Lang: v.Lang}
	case it.Tool != nil && it.Tool.Job:
		return &jobView{
			P: v.P, SID: v.SID, Item: it, Status: store.ToolStatus(run, it.Tool), Act: state.Job(v.SID, it.Tool.CallID).Rev,
			MayStop: v.Around.JobStop, At: v.At, Lang: v.Lang,
		}
	case it.Tool != nil:
		return &toolView{P: v.P, Item: it, Status: store.ToolStatus(run, it.Tool), At: v.At, Lang: v.Lang}
	case it.Approval != nil:
		return v.approval(run, it)
	case it.Skill != nil:
		return &skillView{P: v.P, SID: v.SID, Item: it, Act: state.Skills[it.Skill.CandidateID].Rev, Lang: v.Lang}
	}
	return app.P().Class("callout").Body(
		icon("info"), app.Span().Text(v.P.T(locales.TurnUnknownItem, locales.A("Type", shorten(it.Key.Type, 80)))))
}

func (v *itemPage) approval(run *store.Run, it *store.Item) app.UI {
	state := v.P.State()
	view := &approvalView{
		P: v.P, SID: v.SID, RunID: run.ID, Item: it, Status: state.ApprovalStatus(run, it.Key.ID, it.Approval.Status),
		Act: state.Decision(run.ID, it.Key.ID).Rev, At: v.At, Lang: v.Lang,
	}
	if v.Named != nil && v.Named.RequestID == it.Key.ID {
		view.Named = v.Named
	}
	return view
}
