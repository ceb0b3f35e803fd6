package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// settledChange keeps what was asked at hand, closed, for review later.
func (v *approvalView) settledChange(request protocol.PausedRequest) app.UI {
	return &settledRequest{
		P: v.P, Title: v.title(request), ID: v.elementID("request"),
		Request: &request, Effective: string(v.Item.Approval.EffectiveArgs), Lang: v.Lang,
	}
}

// settledNote says what followed from the decision, and what was said with it.
func (v *approvalView) settledNote(status string) app.UI {
	var lines []app.UI
	if comment := v.Item.Approval.Comment; comment != "" {
		lines = append(lines, app.P().Class("muted").Dir("auto").Text("“"+showControls(comment)+"”"))
	}
	act := v.decision()
	if v.elsewhere(status) {
		lines = append(lines, app.P().Text(v.P.T(locales.ApprovalElsewhereNote)))
	}
	switch status {
	case "rejected":
		lines = append(lines, app.P().Class("muted").Text(v.P.T(locales.ApprovalNotDone)))
	case protocol.StatusExpired:
		lines = append(lines, app.P().Text(v.P.T(locales.ApprovalExpiredNote)))
	case store.ApprovalConflict:
		lines = append(lines, app.P().Text(v.P.T(locales.ApprovalElsewhereNote)))
		if act.Err != nil && act.Truth == "" {
			lines = append(lines, errorLine(v.P, act.Err))
		}
	}
	for _, line := range []app.UI{v.changedArgs(status), v.warning(status, act)} {
		if line != nil {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return app.Div().Class("stack").Body(lines...)
}

// changedArgs lists how the arguments that were used differ from those asked for.
func (v *approvalView) changedArgs(status string) app.UI {
	effective := string(v.Item.Approval.EffectiveArgs)
	if status != "modified" || effective == "" {
		return nil
	}
	changes := diffArgs(string(v.request().Args), effective)
	if len(changes) == 0 {
		return nil
	}
	return app.Div().Class("change").Body(app.Ul().Class("diff").Body(diffList(v.P, changes)...))
}

// warning says that the tool was called with something else than what was decided.
func (v *approvalView) warning(status string, act store.Decision) app.UI {
	effective := v.Item.Approval.EffectiveArgs
	if effective == "" || !calledWithOther(status, v.request().Args, act, effective) {
		return nil
	}
	return app.P().Class("error").Attr(hook("error")).Attr("data-code", "EFFECTIVE_ARGS").Body(
		icon("alert"), app.Span().Text(v.P.T(locales.ApprovalDiffers)))
}

// calledWithOther reports whether the arguments a tool was really called with differ from those the
// person decided on. What was sent with an edit is known only to the page that sent it.
func calledWithOther(status string, asked protocol.RawJSON, act store.Decision, effective protocol.RawJSON) bool {
	decided := asked
	switch status {
	case "approved":
	case "modified":
		if act.Patched == "" {
			return false
		}
		decided = act.Patched
	default:
		return false
	}
	return len(diffArgs(string(decided), string(effective))) > 0
}

// settledRequest is what was asked, folded away.
type settledRequest struct {
	app.Compo

	P         *Page
	ID        string
	Title     string
	Request   *protocol.PausedRequest
	Effective string
	Lang      string

	open bool
}

func (s *settledRequest) Render() app.UI {
	return guarded(s.P, func() app.UI {
		var parts []app.UI
		if s.open {
			parts = s.parts()
		}
		return app.Details().Class("disc disc--title").Attr("open", s.open).Body(
			app.Summary().ID(s.ID).OnClick(s.toggle).Body(
				icon("chev", "i--14", "chev"), app.Span().Dir("auto").Text(s.Title)),
			app.Div().Class("stack").Body(parts...),
		)
	})
}

func (s *settledRequest) parts() []app.UI {
	var parts []app.UI
	if s.Request.Reason != "" {
		parts = append(parts, app.P().Class("muted").Dir("auto").Text(showControls(s.Request.Reason)))
	}
	if s.Request.Preview != nil {
		parts = append(parts, &previewView{P: s.P, Preview: s.Request.Preview, Lang: s.Lang})
	}
	parts = append(parts, &valueView{P: s.P, Title: locales.ApprovalArguments, Raw: string(s.Request.Args), Bare: true, Lang: s.Lang})
	if s.Effective != "" {
		parts = append(parts, &valueView{P: s.P, Title: locales.ApprovalEffective, Raw: s.Effective, Bare: true, Lang: s.Lang})
	}
	return parts
}

func (s *settledRequest) toggle(_ app.Context, e app.Event) {
	e.PreventDefault()
	s.open = !s.open
}

// argsView is arguments behind a disclosure.
type argsView struct {
	app.Compo

	P     *Page
	Raw   string
	Title locales.Key
	Open  bool
	Lang  string

	toggled bool
}

func (a *argsView) Render() app.UI {
	return guarded(a.P, func() app.UI {
		open := a.Open != a.toggled
		var parts []app.UI
		if open {
			parts = append(parts, &valueView{P: a.P, Title: locales.ToolArguments, Raw: rawOrNull(a.Raw), Lang: a.Lang})
		}
		return app.Details().Class("disc").Attr("open", open).Body(
			app.Summary().OnClick(a.toggle).Body(icon("chev", "i--14", "chev"), app.Text(a.P.T(a.Title))),
			app.Div().Class("stack").Body(parts...),
		)
	})
}

func (a *argsView) toggle(_ app.Context, e app.Event) {
	e.PreventDefault()
	a.toggled = !a.toggled
}

func rawOrNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}
