package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// awayDivider marks where a person who comes back had been, and tells what has happened since. Each
// count leads to the first of what it counts.
type awayDivider struct {
	app.Compo

	P    *Page
	Away store.Away
	Lang string
}

func (d *awayDivider) Render() app.UI {
	return app.Div().Class("daybreak", "daybreak--new").Attr(hook("away")).Role("note").Body(
		app.Span().Text(d.P.T(locales.AwayTitle)),
		app.Span().Class("num").Text(d.P.N(locales.AwayItems, d.Away.Items)),
		d.link(d.Away.Tools, locales.AwayTools, d.onTool),
		d.link(d.Away.Jobs, locales.AwayJobs, d.onJob),
		d.link(d.Away.Approvals, locales.AwayApprovals, d.onApproval),
	)
}

func (d *awayDivider) link(count int, text locales.PluralKey, lead app.EventHandler) app.UI {
	return app.Button().Type("button").Class("link", "num").Hidden(count == 0).
		Text(d.P.N(text, count)).OnClick(lead)
}

func (d *awayDivider) onTool(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	d.P.focusInView(d.P.card("tool", "data-call-id", d.Away.ToolID))
}

func (d *awayDivider) onJob(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	d.P.focusInView(d.P.card("tool", "data-call-id", d.Away.JobID))
}

func (d *awayDivider) onApproval(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	d.P.goToRequest(d.Away.ApprovalID)
}
