package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// approvalView is a call that waits for a person's decision, or did. Named is the request as the
// server named it last, where that is newer than the item. Status and Act are where the request and
// the person's own act stand; At freezes what counts down.
type approvalView struct {
	app.Compo

	P      *Page
	SID    string
	RunID  string
	Item   *store.Item
	Named  *protocol.PausedRequest
	Status string
	Act    uint64
	At     time.Time
	Lang   string

	started bool
	comment string // as kept when the card first appeared; from then on the box has it
	editor  argsEditor
	follow  bool // the person has decided: the keyboard goes on to the result
}

func (v *approvalView) CompoID() string { return itemID(v.Item) }

// request is what is to be decided.
func (v *approvalView) request() protocol.PausedRequest {
	if v.Named != nil {
		return *v.Named
	}
	return v.Item.Approval.Request
}

func (v *approvalView) id() string { return v.Item.Key.ID }

// elementID names a part of the card for the rest of the page. It is escaped, since lists of such
// names are separated by spaces.
func (v *approvalView) elementID(part string) string {
	return part + "-" + protocol.Escape(v.RunID+"/"+v.id())
}

func (v *approvalView) decision() store.Decision { return v.P.State().Decision(v.RunID, v.id()) }

// begin takes up what was typed before a refresh.
func (v *approvalView) begin() {
	if v.started || !isOpen(v.Status) {
		return
	}
	v.started = true
	v.comment = v.P.Acts.Field(commentField(v.RunID, v.id()))
	if text := v.P.Acts.Field(argsField(v.RunID, v.id())); text != "" {
		v.editor.begin(v.request().Args, text)
	}
}

func commentField(runID, requestID string) string { return "comment/" + runID + "/" + requestID }
func argsField(runID, requestID string) string    { return "args/" + runID + "/" + requestID }

// shown is the status with the person's editing, which only this page knows of.
func (v *approvalView) shown() string {
	if v.Status == store.ApprovalPending && v.editor.active {
		return "editing"
	}
	return v.Status
}

// open reports whether the request can still be decided, now or later.
func isOpen(status string) bool {
	switch status {
	case store.ApprovalPending, store.ApprovalWaiting, store.ApprovalSubmitting, store.ApprovalChecking, "editing":
		return true
	}
	return false
}

// OnUpdate moves the keyboard to the result after the person has decided, so that it does not fall
// to the start of the page with the buttons.
func (v *approvalView) OnUpdate(ctx app.Context) {
	if v.follow && v.Status != store.ApprovalPending {
		v.follow = false
		ctx.Defer(func(app.Context) { focusOn(byID(v.elementID("result"))) })
	}
	if v.started && !isOpen(v.Status) {
		v.started = false
		v.forget()
	}
}

// forget drops what was typed for a request that is settled.
func (v *approvalView) forget() {
	v.editor = argsEditor{}
	v.P.Do(func() {
		for _, field := range []string{commentField(v.RunID, v.id()), argsField(v.RunID, v.id())} {
			if v.P.Acts.Field(field) != "" {
				v.P.Acts.SaveField(field, "")
			}
		}
	})
}

func (v *approvalView) Render() app.UI {
	return guarded(v.P, v.card)
}

func (v *approvalView) card() app.UI {
	v.begin()
	status := v.shown()
	class := "card appr"
	if status != store.ApprovalPending && status != "editing" && status != store.ApprovalWaiting {
		class = "card appr appr--done"
	}
	return app.Section().Class(class).Attr(hook("approval")).
		Attr("data-request-id", v.id()).
		Attr("data-status", status).
		Aria("labelledby", v.elementID("request")).
		Aria("describedby", v.elementID("tool")+" "+v.elementID("change")+" "+v.elementID("arguments")).
		Body(
			v.bar(status),
			app.Div().Class("appr__body").Body(v.body(status)...),
			app.Div().Body(v.actions(status)),
		)
}

// bar says where the request stands, and is what the keyboard goes to after a decision.
func (v *approvalView) bar(status string) app.UI {
	look := v.look(status)
	request := v.request()
	return app.Div().Class("appr__bar").Body(
		icon(look.symbol, look.classes...),
		app.B().ID(v.elementID("result")).TabIndex(-1).Text(look.title),
		app.Span().Class("mono").ID(v.elementID("tool")).Text(shorten(request.ToolName, 80)),
		app.Span().Class("meta").Body(v.times(request, status)...),
	)
}

func (v *approvalView) times(request protocol.PausedRequest, status string) []app.UI {
	asked := ""
	if !request.CreatedAt.IsZero() {
		asked = v.P.T(locales.ApprovalAsked, locales.A("Time", v.P.at(request.CreatedAt)))
	}
	if request.ExpiresAt.IsZero() || !isOpen(status) {
		return []app.UI{app.Span().Text(asked), app.Span()}
	}
	if asked != "" {
		asked += v.P.T(locales.AppSep)
	}
	return []app.UI{
		app.Span().Text(asked),
		&runningTime{P: v.P, Kind: timeExpires, From: request.ExpiresAt, At: v.At, Lang: v.Lang},
	}
}

type approvalLook struct {
	title, symbol string
	classes       []string
}

func (v *approvalView) look(status string) approvalLook {
	p := v.P
	if v.elsewhere(status) {
		return approvalLook{p.T(conflictTitle(v.Item.Approval.Status)), "info", []string{"i--run"}}
	}
	switch status {
	case store.ApprovalWaiting:
		return approvalLook{p.T(locales.ApprovalWaiting), "clock", []string{"i--idle"}}
	case store.ApprovalSubmitting:
		return approvalLook{p.T(sendingTitle(v.decision().Decision)), "spin", []string{"i--run", "i--spin"}}
	case store.ApprovalChecking:
		if v.decision().State == store.ActUnsure {
			return approvalLook{p.T(locales.ApprovalUnsure), "alert", []string{"i--wait"}}
		}
		return approvalLook{p.T(locales.ApprovalChecking), "spin", []string{"i--run", "i--spin"}}
	case "approved":
		return approvalLook{p.T(locales.ApprovalApproved), "ok", []string{"i--ok"}}
	case "modified":
		return approvalLook{p.T(locales.ApprovalModified), "ok", []string{"i--ok"}}
	case "rejected":
		return approvalLook{p.T(locales.ApprovalRejected), "bad", []string{"i--idle"}}
	case protocol.StatusExpired:
		return approvalLook{p.T(locales.ApprovalExpired), "clock", []string{"i--idle"}}
	case protocol.StatusCancelled:
		return approvalLook{p.T(locales.ApprovalCancelled), "stopped", []string{"i--idle"}}
	case store.ApprovalConflict:
		return approvalLook{p.T(conflictTitle(v.decision().Truth)), "info", []string{"i--run"}}
	}
	return approvalLook{p.T(locales.ApprovalTitle), "wait", []string{"i--wait"}}
}

// elsewhere reports whether a request was decided by another than the person who decided it here.
func (v *approvalView) elsewhere(status string) bool {
	return v.decision().State == store.ActConflict && (status == "approved" || status == "modified" || status == "rejected")
}

func sendingTitle(decision string) locales.Key {
	if decision == protocol.Reject {
		return locales.ApprovalSendingReject
	}
	return locales.ApprovalSending
}

func conflictTitle(truth string) locales.Key {
	switch truth {
	case protocol.Approve:
		return locales.ApprovalElsewhereApprove
	case protocol.Reject:
		return locales.ApprovalElsewhereReject
	case protocol.Modify:
		return locales.ApprovalElsewhereModify
	case protocol.StatusExpired:
		return locales.ApprovalExpired
	case protocol.StatusCancelled:
		return locales.ApprovalCancelled
	}
	return locales.ApprovalGone
}

// body has a place for each part, so that none moves another. An open request is read in the order
// what, why, can it be undone, before and after, arguments, comment.
func (v *approvalView) body(status string) []app.UI {
	request := v.request()
	if !isOpen(status) {
		return []app.UI{
			app.Div().ID(v.elementID("change")).Body(v.settledChange(request)),
			app.Div().Body(v.settledNote(status)),
		}
	}
	editing := status == "editing"
	return []app.UI{
		app.H3().ID(v.elementID("request")).TabIndex(-1).Dir("auto").Text(v.title(request)),
		app.Dl().Class("facts").Body(v.facts(request)...),
		app.Div().ID(v.elementID("change")).Body(v.preview(request, editing)),
		app.Div().ID(v.elementID("arguments")).Body(v.arguments(request, editing)),
		app.Div().Body(v.commentField(status)),
		app.Div().Body(v.note(status)),
	}
}

// title says what is asked, in the agent's words if there are any.
func (v *approvalView) title(request protocol.PausedRequest) string {
	if request.Summary != "" {
		return showControls(request.Summary)
	}
	if request.ToolName != "" {
		return v.P.T(locales.ApprovalCall, locales.A("Tool", shorten(request.ToolName, 120)))
	}
	return v.P.T(locales.ApprovalTitle)
}

func (v *approvalView) facts(request protocol.PausedRequest) []app.UI {
	why := locales.ApprovalWhyAny
	if request.Preview != nil && request.Preview.Kind == protocol.PreviewGraphMutation {
		why = locales.ApprovalWhyText
	}
	facts := []app.UI{app.Dt().Text(v.P.T(locales.ApprovalWhy)), app.Dd().Text(v.P.T(why))}
	if request.Reason != "" {
		facts = append(facts, app.Dt().Text(v.P.T(locales.ApprovalReason)),
			app.Dd().Dir("auto").Text(showControls(request.Reason)))
	}
	if request.Preview != nil && request.Preview.Irreversible {
		facts = append(facts, app.Dt().Text(v.P.T(locales.ApprovalUndo)),
			app.Dd().Class("facts__bad").Body(icon("alert"), app.Span().Text(v.P.T(locales.ApprovalIrreversible))))
	}
	return facts
}

func (v *approvalView) preview(request protocol.PausedRequest, editing bool) app.UI {
	switch {
	case editing && request.Preview != nil:
		return app.P().Class("muted").Text(v.P.T(locales.ApprovalPreviewHidden))
	case editing:
		return nil
	case request.Preview == nil:
		return app.P().Class("muted").Text(v.P.T(locales.ApprovalNoPreview))
	}
	return &previewView{P: v.P, Preview: request.Preview, Lang: v.Lang}
}

// arguments are what the tool will be called with: open from the start where there is nothing else
// to judge by.
func (v *approvalView) arguments(request protocol.PausedRequest, editing bool) app.UI {
	if editing {
		return v.edit()
	}
	return &argsView{
		P: v.P, Raw: string(request.Args), Title: locales.ApprovalArguments, Open: request.Preview == nil, Lang: v.Lang,
	}
}

func (v *approvalView) commentField(status string) app.UI {
	if status != store.ApprovalPending && status != "editing" {
		return nil
	}
	id := v.elementID("comment")
	box := app.Textarea().Class("input").ID(id).Rows(1).Dir("auto").Attr(hook("approval-comment")).OnInput(v.typeComment)
	if v.comment != "" {
		box = box.Text(v.comment)
	}
	return app.Div().Class("field").Body(
		app.Label().Class("field__label").For(id).Body(
			app.Text(v.P.T(locales.ApprovalComment)+" "),
			app.Span().Class("field__hint").Text(v.P.T(locales.ApprovalCommentHint)),
		),
		box,
	)
}

// typeComment keeps the comment as it is typed. The box holds it, not the component.
func (v *approvalView) typeComment(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	text := ctx.JSSrc().Get("value").String()
	v.P.Do(func() { v.P.Acts.SaveField(commentField(v.RunID, v.id()), text) })
}

// note says what keeps an open request from being decided, or what went wrong.
func (v *approvalView) note(status string) app.UI {
	act := v.decision()
	switch {
	case status == store.ApprovalWaiting:
		return app.P().Class("muted").Text(v.P.T(locales.ApprovalWaitingNote))
	case status == store.ApprovalSubmitting:
		return app.P().Class("muted").Text(v.P.T(locales.ApprovalSendingNote))
	case status == store.ApprovalChecking && act.State == store.ActUnsure:
		return app.Div().Class("stack").Body(
			app.P().Text(v.P.T(locales.ApprovalUnsureNote)),
			app.Div().Body(v.cause(act)),
			app.Div().Class("btns").Body(
				app.Button().Type("button").Class("btn btn--sm").Attr(hook("check-again")).OnClick(v.check).
					Body(icon("retry", "i--14"), app.Text(v.P.T(locales.TurnCheckAgain)))),
		)
	case act.State == store.ActOpen && act.Err != nil:
		return app.Div().Class("stack").Body(
			app.P().Class("error").Body(icon("alert"), app.Span().Text(v.P.T(locales.ApprovalSendFailed))),
			v.cause(act),
		)
	}
	return nil
}

func (v *approvalView) cause(act store.Decision) app.UI {
	if act.Err == nil {
		return nil
	}
	return errorLine(v.P, act.Err)
}

func (v *approvalView) check(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.CheckDecision(v.RunID, v.id()) })
}

// actions follow what they act on. While a decision is on its way they stay, without effect, so
// that the keyboard keeps its place.
func (v *approvalView) actions(status string) app.UI {
	switch status {
	case "editing":
		return v.editActions()
	case store.ApprovalPending:
		return v.buttons(false)
	case store.ApprovalSubmitting:
		return v.buttons(true)
	}
	return nil
}

func (v *approvalView) buttons(busy bool) app.UI {
	button := func(name, class, symbol string, text locales.Key, press app.EventHandler) app.UI {
		return app.Button().Type("button").Class(class).Attr(hook(name)).Disabled(busy).
			OnClick(press).OnKeyDown(ignoreRepeat).
			Body(icon(symbol, "i--14"), app.Span().Text(v.P.T(text)))
	}
	return app.Div().Class("appr__acts").Body(
		button("approve", "btn btn--primary", "check", locales.ApprovalApprove, v.approve),
		button("reject", "btn", "x", locales.ApprovalReject, v.reject),
		button("edit-args", "btn btn--ghost", "pen", locales.ApprovalEdit, v.startEdit),
	)
}

func (v *approvalView) approve(app.Context, app.Event) { v.decide(protocol.Approve, "") }
func (v *approvalView) reject(app.Context, app.Event)  { v.decide(protocol.Reject, "") }

// decide takes the comment from its box: what is on the screen is what is sent.
func (v *approvalView) decide(decision string, patched protocol.RawJSON) {
	if v.Status != store.ApprovalPending {
		return
	}
	comment := v.P.Acts.Field(commentField(v.RunID, v.id()))
	if box := byID(v.elementID("comment")); box.Truthy() {
		comment = box.Get("value").String()
	}
	v.P.Do(func() { v.follow = v.P.Acts.Decide(v.SID, v.id(), decision, comment, patched) || v.follow })
}
