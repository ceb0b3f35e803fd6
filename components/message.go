package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/components/markdown"
	"igraph-console/locales"
)

// messageView is one answer, complete or still growing. Item is an immutable version, told apart
// from others by its revision. Ended says that nothing more will come, even if the message was
// never completed.
type messageView struct {
	app.Compo

	P      *Page
	Item   *store.Item
	Ended  bool
	Tongue string // language of the answer
	Lang   string

	stream markdown.Stream
	blocks blockList
	raw    bool // JSON is shown as it came
}

// CompoID keeps the parsed text and what is open with the message.
func (v *messageView) CompoID() string { return itemID(v.Item) }

func (v *messageView) copyText() string { return v.Item.Message.Text() }

func (v *messageView) Render() app.UI {
	return guarded(v.P, v.message)
}

func (v *messageView) message() app.UI {
	m := v.Item.Message
	return app.Div().Class("msg").Body(
		app.Div().Body(v.reasoning(m)),
		v.content(m),
	)
}

func (v *messageView) reasoning(m *store.Message) app.UI {
	if m.Reasoning() == "" {
		return nil
	}
	return &reasoningView{P: v.P, Item: v.Item, Lang: v.Lang}
}

func (v *messageView) content(m *store.Message) app.UI {
	switch m.Format {
	case protocol.FormatReport:
		return v.report(m)
	case protocol.FormatJSON:
		return v.json(m)
	}
	return app.Div().Class("msg__text").Body(
		v.hooked(app.Div(), m).Body(v.groups(m, "")...),
		app.Div().Class("msg__acts").Hidden(!v.still(m)).Body(
			&copyButton{P: v.P, Of: v, Text: locales.TurnCopyAnswer, Bare: true, Lang: v.Lang}),
	)
}

func (v *messageView) onClick(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	v.P.copyCode(ctx, e)
}

// hooked marks the element that holds the text of the message, and nothing else. While it grows a
// screen reader waits; the finished answer is what it gets.
func (v *messageView) hooked(el app.HTMLDiv, m *store.Message) app.HTMLDiv {
	return el.OnClick(v.onClick).Attr(hook("message")).
		Attr("data-message-id", m.ID).
		Attr("data-complete", m.Complete).
		Lang(v.Tongue).
		Aria("busy", !v.still(m))
}

// still reports whether the text will not grow any more.
func (v *messageView) still(m *store.Message) bool { return m.Complete || v.Ended }

// groups parses what is new and returns the groups of blocks.
func (v *messageView) groups(m *store.Message, anchor string) []app.UI {
	final, tail := v.stream.Update(m.Text())
	if v.still(m) {
		tail = v.stream.Finish()[len(final):]
	}
	v.blocks.update(final, tail)
	v.blocks.settle(v.still(m))
	views := make([]app.UI, len(v.blocks.revs))
	for g, rev := range v.blocks.revs {
		views[g] = &blockGroup{
			P: v.P, List: &v.blocks, Group: g, Rev: rev, Anchor: anchor, Lang: v.Lang,
			Live: !v.still(m) && g == len(v.blocks.revs)-1,
		}
	}
	return views
}
