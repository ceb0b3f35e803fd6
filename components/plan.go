package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// planView is the agent's checklist. Ended and Paused tell what became of the step that is running.
type planView struct {
	app.Compo

	P      *Page
	Item   *store.Item
	Ended  bool
	Paused bool
	Lang   string
}

func (v *planView) CompoID() string { return itemID(v.Item) }

func (v *planView) Render() app.UI {
	return guarded(v.P, func() app.UI {
		steps := v.Item.Plan.Steps
		rows := make([]app.UI, len(steps))
		done := 0
		for i, step := range steps {
			if step.Status == protocol.StatusDone {
				done++
			}
			rows[i] = v.step(step)
		}
		title := v.P.T(locales.PlanTitle)
		return app.Section().Class("card plan").Attr(hook("plan")).Aria("label", title).Body(
			app.Div().Class("card__head").Body(
				app.H3().Text(title),
				app.Span().Class("meta num").Text(v.P.T(locales.PlanProgress,
					locales.A("Done", strconv.Itoa(done)), locales.A("Total", strconv.Itoa(len(steps))))),
			),
			app.Ol().Class("plan__steps").Body(rows...),
		)
	})
}

func (v *planView) step(step protocol.PlanStep) app.UI {
	look := v.look(step.Status)
	note := ""
	if look.tell {
		note = v.P.T(look.label)
	}
	return app.Li().Class("step step--"+look.class).Attr(hook("plan-step")).
		Attr("data-step-id", step.StepID).
		Attr("data-status", step.Status).
		Body(
			namedIcon(v.P.T(look.label), look.symbol, look.icons...),
			app.Span().Dir("auto").Text(step.Title),
			app.Span().Class("step__end").Text(note),
		)
}

// stepLook is how a step is shown. Tell adds the words where colour and shape might not do.
type stepLook struct {
	class, symbol string
	icons         []string
	label         locales.Key
	tell          bool
}

func (v *planView) look(status string) stepLook {
	switch status {
	case protocol.StatusDone:
		return stepLook{"ok", "ok", []string{"i--ok"}, locales.PlanDone, false}
	case protocol.StatusFailed:
		return stepLook{"bad", "bad", []string{"i--bad"}, locales.PlanFailed, true}
	case protocol.StatusSkipped:
		return stepLook{"skip", "skip", []string{"i--idle"}, locales.PlanSkipped, true}
	case protocol.StatusRunning:
		switch {
		case v.Ended:
			return stepLook{"skip", "stopped", []string{"i--idle"}, locales.PlanStopped, true}
		case v.Paused:
			return stepLook{"wait", "wait", []string{"i--wait"}, locales.PlanWaiting, true}
		}
		return stepLook{"run", "spin", []string{"i--run", "i--spin"}, locales.PlanRunning, false}
	}
	return stepLook{"todo", "todo", []string{"i--idle"}, locales.PlanPending, false}
}
