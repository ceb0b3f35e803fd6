package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// newDock is the lower edge of the page: the way back to the newest content, and the message box.
// The box is there for as long as the page lives, whatever is on screen: text, caret and a
// composition under way stay untouched by whatever is drawn around it.
func newDock(p *Page, session *store.Session, hidden bool) app.UI {
	return app.Footer().Class("dock").Hidden(hidden).Body(
		newJump(p, session),
		app.Div().Class("col").Body(
			app.Div().Class("composer-wrap").Body(
				app.Div().Class("composer").Role("form").Aria("label", p.T(locales.ComposerPlaceholder)).Body(
					newStrip(p, session),
					newComposer(p),
				),
			),
			app.P().Class("dock__note").Text(p.T(locales.ComposerNote)),
		),
	)
}

// jump leads back to the newest content.
type jump struct {
	app.Compo

	P     *Page
	Lang  string
	Shown bool
	New   int
}

func newJump(p *Page, session *store.Session) app.UI {
	j := &jump{P: p, Lang: p.State().Lang}
	if r := p.desk.reader; r != nil && session != nil && session.Turns() > 0 {
		j.Shown = !r.following
		if j.Shown {
			j.New = partsSince(r.mark, session)
		}
	}
	return j
}

func (j *jump) onClick(app.Context, app.Event) {
	if r := j.P.desk.reader; r != nil {
		r.toLatest()
	}
}

func (j *jump) Render() app.UI {
	return app.Div().Class("pill-box").Body(j.pill())
}

func (j *jump) pill() app.UI {
	if !j.Shown {
		return app.Span()
	}
	p := j.P
	return app.Button().Class("pill").Type("button").Attr(hook("jump-to-latest")).OnClick(j.onClick).Body(
		icon("down", "i--14"),
		app.Span().Text(p.T(locales.ThreadLatest)),
		app.Span().Class("pill__n").Hidden(j.New == 0).Aria("label", p.N(locales.AnnounceNewParts, j.New)).
			Text(p.N(locales.ThreadNewParts, j.New)),
	)
}

// composer is the message box and what belongs to the next message.
type composer struct {
	app.Compo

	P        *Page
	Lang     string
	SID      string
	Blocked  store.Block
	Rev      uint64 // of the store's record
	Edit     string // turn being edited
	Restored int
	Turns    bool // there is a latest message to edit

	box draftBox
}

func newComposer(p *Page) app.UI {
	state := p.State()
	record := state.Composers[state.Current]
	return &composer{
		P: p, Lang: state.Lang, SID: state.Current, Blocked: state.Blocked(state.Current),
		Rev: record.Rev, Edit: record.EditTurn, Restored: record.Restored,
	}
}

func messageBox() app.Value { return byID("msg") }

// OnMount fills the box with what was typed before.
func (c *composer) OnMount(ctx app.Context) {
	c.box.stops = c.P.acceptDrops(ctx)
	c.refresh()
}

// OnDismount lets go of the listeners.
func (c *composer) OnDismount() {
	for _, stop := range c.box.stops {
		stop()
	}
}

// OnUpdate follows the session on screen, once the change has been drawn.
func (c *composer) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) { c.refresh() })
}

func (c *composer) refresh() {
	box := messageBox()
	if !box.Truthy() {
		return
	}
	// go-app does not write an empty attribute, and here empty has a meaning.
	box.Call("setAttribute", "data-blocked", string(c.Blocked))
	record := c.P.State().Composers[c.SID]
	text := box.Get("value").String()
	next := c.box.follow(view{sid: c.SID, edit: c.Edit, restored: c.Restored, restore: record.Restore}, text,
		c.P.firstMessage(c.SID), c.P.Acts.Draft)
	if next != text {
		setBox(box, next)
	}
	if c.box.began {
		c.box.began = false
		c.P.Do(func() { c.P.Acts.SaveDraft("", "") })
	}
	if c.box.unsaved {
		c.box.unsaved = false
		c.P.Do(func() { c.P.Acts.SaveDraft(c.SID, next) })
	}
}

// setBox replaces the text of the box, with the caret at its end.
func setBox(box app.Value, text string) {
	box.Set("value", text)
	grow(box)
}

// grow gives the box the height of its text, where the stylesheet alone cannot.
func grow(box app.Value) {
	if app.Window().Get("CSS").Call("supports", "field-sizing", "content").Bool() {
		return
	}
	style := box.Get("style")
	style.Set("height", "auto")
	style.Set("height", itoa(box.Get("scrollHeight").Int())+"px")
}

// firstMessage is the text that began a session, if the session has just begun.
func (p *Page) firstMessage(sid string) string {
	session := p.State().Session(sid)
	if session == nil || session.Turns() != 1 {
		return ""
	}
	return session.Last.User.Text
}

// compose puts a text into the box, before what is there, for a person to change and send.
func (p *Page) compose(text string) {
	box := messageBox()
	text = above(text, box.Get("value").String())
	setBox(box, text)
	p.Do(func() { p.Acts.SaveDraft(p.State().Current, text) })
	focusOn(box)
}

func (c *composer) onInput(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	box := ctx.JSSrc()
	grow(box)
	text := box.Get("value").String()
	c.P.Do(func() { c.P.Acts.SaveDraft(c.SID, text) })
}

// onKey: Enter sends, unless it makes a line or confirms what an input method composes.
func (c *composer) onKey(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if composing(e.Value) {
		return
	}
	switch k := pressed(e.Value); {
	case k == (keyPress{key: "Enter"}):
		e.PreventDefault()
		if !e.Get("repeat").Bool() {
			c.send()
		}
	case k == (keyPress{key: "ArrowUp"}) && ctx.JSSrc().Get("value").String() == "":
		if c.P.State().CanEdit(c.SID) && c.Edit == "" {
			e.PreventDefault()
			c.P.Do(func() { c.P.Acts.Edit(c.SID, "") })
		}
	}
}

func (c *composer) onSend(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	c.send()
}

// send asks the newest state, which may be ahead of what is drawn. A text that is not taken stays.
func (c *composer) send() {
	box := messageBox()
	text, sid := box.Get("value").String(), c.P.Store.State().Current
	if sid != c.SID {
		return // the box still shows another session's draft
	}
	if blocked := c.P.Store.State().Blocked(sid); blocked != store.BlockNone {
		c.refuse(blocked)
		return
	}
	c.box.sent = text
	taken := false
	c.P.Do(func() { taken = c.P.Acts.Send(sid, text) })
	if !taken {
		return
	}
	setBox(box, "")
	if r := c.P.desk.reader; r != nil {
		r.toLatest()
	}
}

// refuse says why nothing was sent.
func (c *composer) refuse(b store.Block) {
	uploading := false
	for _, f := range c.P.State().Composers[c.SID].Files {
		uploading = uploading || f.State == store.FileUploading
	}
	c.P.say(spoken{text: c.P.blockedText(b, uploading), urgent: true})
	nudge(byID("why"))
}

// nudge draws the eye to an element for a moment.
func nudge(el app.Value) {
	if !el.Truthy() {
		return
	}
	classes := el.Get("classList")
	classes.Call("remove", "is-nudged")
	el.Get("offsetWidth") // a style change that is not noticed in between would not start the animation again
	classes.Call("add", "is-nudged")
}

func (c *composer) onFormat(ctx app.Context, _ app.Event) {
	c.choose(ctx, func(v string) { c.P.Acts.Choose(c.SID, v, "", "") })
}

func (c *composer) onReasoning(ctx app.Context, _ app.Event) {
	c.choose(ctx, func(v string) { c.P.Acts.Choose(c.SID, "", v, "") })
}

func (c *composer) onPlanning(ctx app.Context, _ app.Event) {
	c.choose(ctx, func(v string) { c.P.Acts.Choose(c.SID, "", "", v) })
}

func (c *composer) choose(ctx app.Context, act func(value string)) {
	ctx.PreventUpdate()
	value := ctx.JSSrc().Get("value").String()
	c.P.Do(func() { act(value) })
}

// Render draws attachments, box and buttons.
func (c *composer) Render() app.UI {
	p := c.P
	record := p.State().Composers[c.SID]
	placeholder := p.T(locales.ComposerPlaceholder)
	return app.Div().Body(
		c.files(record.Files),
		app.Textarea().Class("composer__in").ID("msg").Rows(1).Attr(hook("composer")).
			Placeholder(placeholder).Aria("label", placeholder).Aria("describedby", "why").
			Attr("autocomplete", "off").OnInput(c.onInput).OnKeyDown(c.onKey).OnPaste(c.onPaste),
		app.Div().Class("composer__bar").Body(
			app.Label().Class("btn btn--ghost btn--icon btn--sm").Title(p.T(locales.ComposerAttach)).Body(
				icon("clip"),
				app.Input().Class("vh").Type("file").ID("attach").Multiple(true).Attr(hook("attach")).
					Aria("label", p.T(locales.ComposerAttach)).OnChange(c.onAttach),
			),
			c.choice("output-format", locales.ComposerFormat, record.Format, protocol.OutputFormats, formatNames, c.onFormat),
			c.choice("reasoning-mode", locales.ComposerReasoning, record.Mode, protocol.ReasoningModes, reasoningNames, c.onReasoning),
			c.choice("planning-mode", locales.ComposerPlanning, record.Planning, protocol.PlanningModes, planningNames, c.onPlanning),
			app.Span().Class("composer__hint").Text(c.hint()),
			c.sendButton(),
		),
	)
}

func (c *composer) hint() string {
	if c.Blocked != store.BlockNone || c.Edit != "" {
		return ""
	}
	return c.P.T(locales.ComposerHint)
}

func (c *composer) sendButton() app.UI {
	class, text := "btn--primary", locales.ComposerSend
	if c.Blocked != store.BlockNone {
		class = "btn--off"
	}
	if c.Edit != "" {
		text = locales.ComposerSaveRerun
	}
	return app.Button().Class("btn").Class(class).Type("button").Attr(hook("send")).
		Aria("disabled", c.Blocked != store.BlockNone).Aria("describedby", "why").OnClick(c.onSend).
		Body(icon("send"), app.Span().Text(c.P.T(text)))
}

// Names of the values of the protocol, in the person's language. A value that a deployment adds
// shows as it is.
var (
	formatNames = map[string]locales.Key{
		protocol.FormatChat:   locales.ComposerFormatChat,
		protocol.FormatReport: locales.ComposerFormatReport,
		protocol.FormatJSON:   locales.ComposerFormatJson,
	}
	reasoningNames = map[string]locales.Key{
		"fast": locales.ComposerReasoningFast,
		"deep": locales.ComposerReasoningDeep,
	}
	planningNames = map[string]locales.Key{
		"auto":   locales.ComposerPlanningAuto,
		"always": locales.ComposerPlanningAlways,
		"off":    locales.ComposerPlanningOff,
	}
)

func (c *composer) choice(name string, label locales.Key, chosen string, values []string,
	names map[string]locales.Key, act app.EventHandler) app.UI {
	if chosen == "" {
		chosen = values[0]
	}
	var list []app.UI
	for _, v := range values {
		text := v
		if key, known := names[v]; known {
			text = c.P.T(key)
		}
		list = append(list, app.Option().Value(v).Selected(v == chosen).Text(text))
	}
	return app.Label().Class("choice").Body(
		app.Span().Class("choice__l").Text(c.P.T(label)),
		app.Select().Class("select").ID(name).Attr(hook(name)).OnChange(act).Body(list...),
	)
}
