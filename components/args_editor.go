package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// argsEditor is arguments being edited. The text lives in its box; this is what was made of it last.
type argsEditor struct {
	active   bool
	original protocol.RawJSON
	plain    bool   // the arguments are a plain string, edited as its text
	initial  string // what the box held when it appeared
	lines    int
	edited   protocol.RawJSON
	problem  *argsProblem
	changes  []argChange
}

// begin starts editing with a text, kept from before or made of the arguments.
func (e *argsEditor) begin(original protocol.RawJSON, text string) {
	*e = argsEditor{active: true, original: original}
	made, plain := editText(original)
	e.plain = plain
	if text == "" {
		text = made
	}
	e.initial = text
	e.typed(text)
}

// typed reads the text again after each change.
func (e *argsEditor) typed(text string) {
	e.lines = strings.Count(text, "\n") + 1
	e.edited, e.problem = editedArgs(text, e.plain)
	e.changes = nil
	if e.problem == nil {
		e.changes = diffArgs(rawOrNull(string(e.original)), string(e.edited))
	}
}

// ready reports whether there is something to send.
func (e *argsEditor) ready() bool { return e.problem == nil && len(e.changes) > 0 }

// maxDiffRows is how many differences are listed.
const maxDiffRows = 50

// The editor grows with its text between these numbers of lines.
const (
	editorMinLines = 4
	editorMaxLines = 24
)

func (v *approvalView) edit() app.UI {
	e := &v.editor
	wrong := 0
	class := "editor"
	if e.problem != nil {
		wrong = e.problem.Line
		class = "editor editor--bad"
	}
	before, at, after := lineNumbers(e.lines, wrong)
	return app.Div().Class("stack").Body(
		app.Div().Class("kv").Body(
			app.Div().Class("kv__h").Body(
				app.Label().For(v.boxID()).Text(v.P.T(v.editTitle())),
				app.Button().Type("button").Class("btn btn--ghost btn--sm").OnClick(v.resetEdit).
					Text(v.P.T(locales.ApprovalReset)),
			),
			app.Div().Class(class).Body(
				app.Div().Class("editor__n").Aria("hidden", true).Body(
					app.Text(before), app.Span().Class("is-bad").Text(at), app.Text(after)),
				app.Div().Class("editor__t").Body(v.box(e)),
			),
		),
		app.Div().ID(v.elementID("args-note")).Body(v.editNote()),
	)
}

func (v *approvalView) editTitle() locales.Key {
	if v.editor.plain {
		return locales.ApprovalEditedText
	}
	return locales.ApprovalEdited
}

func (v *approvalView) boxID() string { return v.elementID("args") }

// box holds the text being edited. It is filled once: what is typed belongs to the browser.
func (v *approvalView) box(e *argsEditor) app.UI {
	return app.Textarea().ID(v.boxID()).Attr(hook("args-editor")).
		Rows(min(max(e.lines, editorMinLines), editorMaxLines)).
		Spellcheck(false).Attr("autocapitalize", "off").Attr("wrap", "off").Dir("ltr").
		Aria("invalid", e.problem != nil).
		Aria("describedby", v.elementID("args-note")).
		OnInput(v.typeArgs).OnScroll(v.scrollNumbers).
		Text(e.initial)
}

// editNote says what is wrong with the text, or what it would change.
func (v *approvalView) editNote() app.UI {
	e := &v.editor
	if p := e.problem; p != nil {
		return app.P().Class("error").Attr(hook("error")).Attr("data-code", "ARGS").Body(
			icon("alert"), app.Span().Text(v.P.problemText(p)))
	}
	if len(e.changes) == 0 {
		return app.P().Class("muted").Text(v.P.T(locales.ApprovalUnchanged))
	}
	return app.Div().Class("change").Body(app.Ul().Class("diff").Body(diffList(v.P, e.changes)...))
}

func (p *Page) problemText(problem *argsProblem) string {
	said := p.T(problem.Key, locales.A("Near", problem.Near))
	return p.T(locales.ApprovalInvalid,
		locales.A("Line", itoa(problem.Line)), locales.A("Column", itoa(problem.Column)), locales.A("Problem", said))
}

// diffList shows differences as path, old and new value.
func diffList(p *Page, changes []argChange) []app.UI {
	var rows []app.UI
	for _, c := range changes[:min(len(changes), maxDiffRows)] {
		class, mark := "chg", "~"
		switch {
		case c.Old == "":
			class, mark = "add", "+"
		case c.New == "":
			class, mark = "del", "−"
		}
		path := c.Path
		if path == "" {
			path = p.T(locales.ApprovalWhole)
		}
		rows = append(rows, app.Li().Class(class).Body(
			app.Span().Class("diff__m").Aria("hidden", true).Text(mark),
			app.Span().Text(shorten(path, 120)),
			app.Span().Class("mono").Body(
				app.Elem("del").Hidden(c.Old == "").Text(compact(c.Old, 200)),
				app.Span().Hidden(c.Old == "" || c.New == "").Text(" → "),
				app.Ins().Hidden(c.New == "").Text(compact(c.New, 200)),
			),
		))
	}
	if rest := len(changes) - len(rows); rest > 0 {
		rows = append(rows, app.Li().Body(app.Span(), app.Span().Text(
			p.N(locales.ApprovalMore, rest, locales.A("Count", formatCount(int64(rest))))), app.Span()))
	}
	return rows
}

func (v *approvalView) editActions() app.UI {
	e := &v.editor
	reason := ""
	switch {
	case e.problem != nil:
		reason = v.P.T(locales.ApprovalFix, locales.A("Line", itoa(e.problem.Line)))
	case len(e.changes) == 0:
		reason = v.P.T(locales.ApprovalNothingSent)
	}
	why := v.elementID("args-why")
	return app.Div().Class("appr__acts").Body(
		app.Button().Type("button").Class("btn btn--primary").Attr(hook("submit-modified")).
			Aria("disabled", !e.ready()).Aria("describedby", why).
			OnClick(v.submitEdit).OnKeyDown(ignoreRepeat).
			Body(icon("check", "i--14"), app.Span().Text(v.P.T(locales.ApprovalSubmitEdits))),
		app.Button().Type("button").Class("btn").Attr(hook("discard-edit")).OnClick(v.discardEdit).
			Text(v.P.T(locales.ApprovalDiscard)),
		app.Span().Class("why").ID(why).Text(reason),
	)
}

func (v *approvalView) startEdit(app.Context, app.Event) {
	if v.Status != "pending" {
		return
	}
	v.editor.begin(v.request().Args, v.P.Acts.Field(argsField(v.RunID, v.id())))
	v.P.afterDrawing(func() { focusOn(byID(v.boxID())) })
}

func (v *approvalView) typeArgs(ctx app.Context, _ app.Event) {
	text := ctx.JSSrc().Get("value").String()
	v.editor.typed(text)
	v.P.Do(func() { v.P.Acts.SaveField(argsField(v.RunID, v.id()), text) })
}

// scrollNumbers keeps the line numbers beside their lines.
func (v *approvalView) scrollNumbers(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	box := ctx.JSSrc()
	numbers := box.Get("parentElement").Get("previousElementSibling")
	if numbers.Truthy() {
		numbers.Set("scrollTop", box.Get("scrollTop"))
	}
}

// resetEdit puts the arguments back as they came.
func (v *approvalView) resetEdit(app.Context, app.Event) {
	text, _ := editText(v.editor.original)
	if box := byID(v.boxID()); box.Truthy() {
		box.Set("value", text)
	}
	v.editor.typed(text)
	v.P.Do(func() { v.P.Acts.SaveField(argsField(v.RunID, v.id()), text) })
}

// discardEdit leaves editing; nothing has been sent.
func (v *approvalView) discardEdit(app.Context, app.Event) {
	v.editor = argsEditor{}
	v.P.Do(func() { v.P.Acts.SaveField(argsField(v.RunID, v.id()), "") })
	v.P.afterDrawing(func() { focusOn(byID(v.elementID("request"))) })
}

func (v *approvalView) submitEdit(app.Context, app.Event) {
	if !v.editor.ready() {
		return
	}
	v.decide(protocol.Modify, v.editor.edited)
}
