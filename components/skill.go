package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// skillView is a skill that the agent proposes to keep. Nothing waits for its decision. Act is the
// revision of the person's own act.
type skillView struct {
	app.Compo

	P    *Page
	SID  string
	Item *store.Item
	Act  uint64
	Lang string
}

func (v *skillView) CompoID() string { return itemID(v.Item) }

// skillStatus is what a candidate shows: how it was decided, or where the person's act stands.
func skillStatus(status string, act store.Decision) string {
	decided := func(decision string) string {
		switch decision {
		case protocol.Approve:
			return "approved"
		case protocol.Reject:
			return "rejected"
		}
		return ""
	}
	if settled := decided(status); settled != "" {
		return settled
	}
	switch act.State {
	case store.ActSubmitting, store.ActChecking, store.ActUnsure:
		return "submitting"
	case store.ActConflict:
		return "conflict"
	case store.ActAccepted:
		if settled := decided(act.Truth); settled != "" {
			return settled
		}
		return decided(act.Decision)
	}
	return protocol.StatusPending
}

func (v *skillView) Render() app.UI {
	return guarded(v.P, v.card)
}

func (v *skillView) card() app.UI {
	skill := v.Item.Skill
	act := v.P.State().Skills[skill.CandidateID]
	status := skillStatus(skill.Status, act)
	open := status == protocol.StatusPending
	return app.Section().Class("card skill").Attr(hook("skill-candidate")).
		Attr("data-candidate-id", skill.CandidateID).
		Attr("data-status", status).
		Aria("label", v.P.T(locales.SkillTitle)).
		Body(
			app.Div().Class("card__head").Body(
				icon("skill"),
				app.H3().Dir("auto").Text(skill.Name),
				app.Span().Class("meta").Body(v.verdict(status)),
			),
			app.Div().Class("skill__body").Body(
				app.P().Class("muted").Text(v.P.T(locales.SkillCandidate)),
				app.P().Dir("auto").Text(showControls(skill.Description)),
				app.Div().Body(v.body(skill.Body)),
				app.P().Class("muted").Hidden(!open).Text(v.P.T(locales.SkillNote)),
				app.Div().Body(v.fault(act)),
				app.Div().Body(v.buttons(status)),
			),
		)
}

func (v *skillView) verdict(status string) app.UI {
	label, class, symbol := locales.SkillPending, "tag", ""
	switch status {
	case "submitting":
		label, symbol = locales.SkillSubmitting, "spin"
	case "approved":
		label, class, symbol = locales.SkillApproved, "tag tag--ok", "check"
	case "rejected":
		label, symbol = locales.SkillRejected, "x"
	case "conflict":
		label, symbol = locales.SkillConflict, "info"
	}
	tag := app.Span().Class(class)
	if symbol == "" {
		return tag.Text(v.P.T(label))
	}
	return tag.Body(icon(symbol, "i--14"), app.Text(v.P.T(label)))
}

func (v *skillView) body(text string) app.UI {
	if text == "" {
		return nil
	}
	return app.Details().Class("disc").Body(
		app.Summary().Body(icon("chev", "i--14", "chev"), app.Text(v.P.T(locales.SkillBody))),
		app.Div().Class("kv").Body(app.Pre().TabIndex(0).Dir("auto").Body(longText(text)...)),
	)
}

func (v *skillView) fault(act store.Decision) app.UI {
	if act.Err == nil || act.State != store.ActOpen && act.State != store.ActConflict {
		return nil
	}
	return errorLine(v.P, act.Err)
}

// buttons stay while the decision is on its way, so that the keyboard does not lose its place.
func (v *skillView) buttons(status string) app.UI {
	busy := status == "submitting"
	if status != protocol.StatusPending && !busy {
		return nil
	}
	return app.Div().Class("btns").Body(
		app.Button().Type("button").Class("btn btn--sm btn--primary").Attr(hook("skill-approve")).
			Aria("disabled", busy).OnClick(v.approve).OnKeyDown(ignoreRepeat).
			Body(icon("check", "i--14"), app.Text(v.P.T(locales.SkillAdd))),
		app.Button().Type("button").Class("btn btn--sm").Attr(hook("skill-reject")).
			Aria("disabled", busy).OnClick(v.reject).OnKeyDown(ignoreRepeat).
			Body(icon("x", "i--14"), app.Text(v.P.T(locales.SkillReject))),
	)
}

func (v *skillView) approve(app.Context, app.Event) { v.decide(protocol.Approve) }
func (v *skillView) reject(app.Context, app.Event)  { v.decide(protocol.Reject) }

func (v *skillView) decide(decision string) {
	v.P.Do(func() { v.P.Acts.DecideSkill(v.SID, v.Item.Skill.CandidateID, decision, "") })
}

// ignoreRepeat keeps a key that is held down from pressing a button over and over.
func ignoreRepeat(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if e.Get("repeat").Truthy() {
		e.PreventDefault()
	}
}
