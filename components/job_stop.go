package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

func (v *jobView) stop(app.Context, app.Event) {
	started := v.Item.Tool.StartedAt
	if age, known := elapsed(started, v.P.now()); !known || age <= confirmAfter {
		v.cancel()
		return
	}
	v.asking = true
	v.P.afterDrawing(func() { v.focus("stop-job-keep") })
}

// confirm asks before much work is thrown away. The safe choice comes first and has the focus.
func (v *jobView) confirm(t *store.Tool) app.UI {
	if !v.asking || t.Ended() {
		return nil
	}
	duration := "–"
	if age, known := elapsed(t.StartedAt, v.P.now()); known {
		duration = v.P.formatTimer(age)
	}
	return app.Div().Class("job__ask").Attr("role", "alertdialog").Aria("label", v.P.T(locales.JobStopTitle)).
		OnKeyDown(v.escape).
		Body(
			app.P().Body(
				app.B().Text(v.P.T(locales.JobStopTitle)),
				app.Text(" "+v.P.T(locales.JobStopText, locales.A("Duration", duration))),
			),
			app.Div().Class("btns").Body(
				app.Button().Type("button").Class("btn btn--sm").Attr(hook("stop-job-keep")).OnClick(v.keep).
					Text(v.P.T(locales.JobKeep)),
				app.Button().Type("button").Class("btn btn--sm btn--danger").Attr(hook("stop-job-confirm")).OnClick(v.confirmed).
					OnKeyDown(ignoreRepeat).Text(v.P.T(locales.JobStop)),
			),
		)
}

func (v *jobView) escape(ctx app.Context, e app.Event) {
	if e.Get("key").String() != "Escape" {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
	v.asking = false
}

func (v *jobView) keep(app.Context, app.Event) {
	v.asking = false
	v.P.afterDrawing(func() { v.focus("stop-job") })
}

// focus moves the keyboard to a button of this card.
func (v *jobView) focus(name string) {
	if card := v.JSValue(); card.Truthy() {
		focusOn(byHook(card, name))
	}
}

func (v *jobView) confirmed(app.Context, app.Event) { v.cancel() }

func (v *jobView) cancel() {
	v.asking = false
	v.P.Do(func() { v.P.Acts.CancelJob(v.SID, v.Item.Tool.CallID) })
}

// trouble says why stopping did not work, or that nobody has confirmed it yet.
func (v *jobView) trouble(act store.JobCancel, status string) app.UI {
	switch {
	case v.Item.Tool.Ended():
		return nil
	case act.State == store.ActOpen && act.Err != nil:
		return app.Div().Class("job__note").Body(errorLine(v.P, act.Err))
	case act.Unconfirmed && status == protocol.StatusCancelling:
		return app.Div().Class("job__note").Body(
			app.P().Text(v.P.T(locales.TurnUnconfirmed)),
			&checkAgain{P: v.P, SID: v.SID, Lang: v.Lang},
		)
	}
	return nil
}
