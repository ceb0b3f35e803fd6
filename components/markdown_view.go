package components

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/components/markdown"
	"igraph-console/locales"
)

// A message's blocks are grouped, and each group, each block, each list item and each group of
// table rows is a component: a frame renders only those in which something changed. Blocks that did
// not change are the same pointers as before, which go-app compares at no cost.

// groupSize is how many blocks, or table rows, share a component.
const groupSize = 32

// blockList keeps the groups of a growing list of blocks, and a revision of each. Final blocks stay
// as they are; the tail may be another at each update.
type blockList struct {
	final, tail []*markdown.Block
	revs        []int
	settled     []bool // groups that were whole and final when they were first drawn
}

// update takes the new blocks and counts up the revision of each group that may have changed: those
// that reach beyond the final blocks known before.
func (l *blockList) update(final, tail []*markdown.Block) {
	from := 0
	if n := min(len(l.final), len(final)); n > 0 && l.final[n-1] == final[n-1] {
		from = n / groupSize
	}
	before := *l
	groups := (len(final) + len(tail) + groupSize - 1) / groupSize
	l.final, l.tail = final, tail
	l.revs = make([]int, groups)
	copy(l.revs, before.revs)
	for g := from; g < groups; g++ {
		if !slices.Equal(before.group(g), l.group(g)) {
			l.revs[g]++
		}
	}
}

// settle decides for each new group whether it is drawn in one piece: if its blocks are final, or
// all are. A group that grew on screen stays as it grew: a person may be selecting text in it.
func (l *blockList) settle(still bool) {
	for g := len(l.settled); g < len(l.revs); g++ {
		l.settled = append(l.settled, still || (g+1)*groupSize <= len(l.final))
	}
}

func (l *blockList) len() int { return len(l.final) + len(l.tail) }

func (l *blockList) at(i int) *markdown.Block {
	if i < len(l.final) {
		return l.final[i]
	}
	return l.tail[i-len(l.final)]
}

func (l *blockList) group(g int) []*markdown.Block {
	var blocks []*markdown.Block
	for i := g * groupSize; i < min((g+1)*groupSize, l.len()); i++ {
		blocks = append(blocks, l.at(i))
	}
	return blocks
}

// all returns the blocks in one list, for what needs to see them all.
func (l *blockList) all() []*markdown.Block {
	return append(slices.Clip(l.final), l.tail...)
}

// blockGroup is one group of a message's blocks. List is the message's own and never changes; Rev
// tells when to look at it again. Live marks the group that is still growing.
type blockGroup struct {
	app.Compo

	P      *Page
	List   *blockList
	Group  int
	Rev    int
	Live   bool
	Anchor string
	Lang   string
}

func (g *blockGroup) Render() app.UI {
	return guarded(g.P, func() app.UI {
		if g.List.settled[g.Group] && g.Anchor == "" {
			if html, ok := settledHTML(g.P, g.List.group(g.Group)); ok {
				return app.Raw(html)
			}
		}
		root := app.Div().Class("prose")
		if g.Live {
			root = root.Class("prose--live")
		}
		return root.Body(blockViews(g.P, g.List.group(g.Group), g.Anchor, g.Lang)...)
	})
}

func blockViews(p *Page, blocks []*markdown.Block, anchor, lang string) []app.UI {
	views := make([]app.UI, len(blocks))
	for i, b := range blocks {
		views[i] = &blockView{P: p, Block: b, Anchor: anchor, Lang: lang}
	}
	return views
}

// blockView is one block. With an Anchor, headings can be gone to.
type blockView struct {
	app.Compo

	P      *Page
	Block  *markdown.Block
	Anchor string
	Lang   string
}

func (v *blockView) Render() app.UI {
	return guarded(v.P, v.block)
}

func (v *blockView) block() app.UI {
	b := v.Block
	switch b.Kind {
	case markdown.Heading:
		heading := app.Elem("h" + strconv.Itoa(b.Level)).Dir("auto")
		if v.Anchor != "" {
			heading = heading.ID(headingID(v.Anchor, b)).TabIndex(-1)
		}
		return heading.Body(inlines(b.Inlines)...)
	case markdown.CodeBlock:
		return v.code()
	case markdown.Plain:
		return app.Div().Class("plain").Dir("auto").Body(longText(b.Text)...)
	case markdown.Quote:
		return app.Blockquote().Dir("auto").Body(blockViews(v.P, b.Children, "", v.Lang)...)
	case markdown.List:
		return v.list()
	case markdown.Rule:
		return app.Hr()
	case markdown.Table, markdown.TableDraft:
		return v.table()
	}
	return app.P().Dir("auto").Body(inlines(b.Inlines)...)
}

// headingID names a heading for as long as it keeps its place among the blocks.
func headingID(anchor string, b *markdown.Block) string { return anchor + "-" + strconv.Itoa(b.Key) }

// code is a code block. Its language stands in an attribute, which the stylesheet shows: the text
// of a message is what was written, and nothing beside it.
func (v *blockView) code() app.UI {
	label := v.Block.Lang
	if label == "" {
		label = v.P.T(locales.MessageCode)
	}
	return app.Div().Class("code").Attr("role", "group").Aria("label", label).Body(
		app.Div().Class("code__bar").Attr("data-label", shorten(label, 40)).Body(
			v.copyButton()),
		app.Pre().TabIndex(0).Dir("ltr").Attr("translate", "no").Body(
			app.Code().Body(longText(v.Block.Text)...)))
}

func (v *blockView) copyButton() app.UI {
	label := v.P.T(locales.CopyLabel)
	return app.Button().Type("button").Class("btn btn--ghost btn--sm btn--icon").Title(label).Aria("label", label).
		Body(icon("copy", "i--14"))
}

func (v *blockView) list() app.UI {
	b := v.Block
	items := make([]app.UI, len(b.Children))
	for i, child := range b.Children {
		items[i] = &listItem{P: v.P, Block: child, Tight: b.Tight, Lang: v.Lang}
	}
	if !b.Ordered {
		return app.Ul().Body(items...)
	}
	return app.Ol().Attr("start", b.Start).Body(items...)
}

// listItem is one item of a list.
type listItem struct {
	app.Compo

	P     *Page
	Block *markdown.Block
	Tight bool
	Lang  string
}

func (v *listItem) Render() app.UI {
	return guarded(v.P, func() app.UI {
		var body []app.UI
		item := app.Li().Dir("auto")
		if v.Block.Task != markdown.NoTask {
			item = item.Class("task")
			body = append(body, app.Input().Type("checkbox").Disabled(true).
				Checked(v.Block.Task == markdown.DoneTask).Aria("label", v.P.T(locales.MessageTask)))
		}
		for _, child := range v.Block.Children {
			if v.Tight && child.Kind == markdown.Paragraph {
				body = append(body, app.Span().Body(inlines(child.Inlines)...))
				continue
			}
			body = append(body, &blockView{P: v.P, Block: child, Lang: v.Lang})
		}
		return item.Body(body...)
	})
}

// table scrolls in its own box, so that a wide one does not move the page.
func (v *blockView) table() app.UI {
	rows := v.Block.Children
	if len(rows) == 0 {
		return app.Div()
	}
	parts := []app.UI{app.THead().Body(tableRow(rows[0], true))}
	for start := 1; start < len(rows); start += groupSize {
		end := min(start+groupSize, len(rows))
		parts = append(parts, &rowGroup{P: v.P, Rows: rows[start:end], Lang: v.Lang})
	}
	return app.Div().Class("tbl").TabIndex(0).Attr("role", "region").Aria("label", v.P.T(locales.MessageTable)).Body(
		app.Table().Body(parts...))
}

// rowGroup is some rows of a table.
type rowGroup struct {
	app.Compo

	P    *Page
	Rows []*markdown.Block
	Lang string
}

func (v *rowGroup) Render() app.UI {
	return guarded(v.P, func() app.UI {
		rows := make([]app.UI, len(v.Rows))
		for i, row := range v.Rows {
			rows[i] = tableRow(row, false)
		}
		return app.TBody().Body(rows...)
	})
}

func tableRow(row *markdown.Block, header bool) app.UI {
	cells := make([]app.UI, len(row.Children))
	for i, cell := range row.Children {
		class := alignClass(cell.Align)
		content := inlines(cell.Inlines)
		if header {
			cells[i] = app.Th().Scope("col").Class(class).Dir("auto").Body(content...)
			continue
		}
		cells[i] = app.Td().Class(class).Dir("auto").Body(content...)
	}
	return app.Tr().Body(cells...)
}

func alignClass(align markdown.Align) string {
	switch align {
	case markdown.AlignRight:
		return "r"
	case markdown.AlignCenter:
		return "m"
	}
	return ""
}

func inlines(list []markdown.Inline) []app.UI {
	views := make([]app.UI, 0, len(list))
	for _, in := range list {
		views = append(views, inline(in))
	}
	return views
}

func inline(in markdown.Inline) app.UI {
	switch in.Kind {
	case markdown.CodeInline:
		return app.Code().Dir("ltr").Attr("translate", "no").Text(showControls(in.Text))
	case markdown.Emphasis:
		return app.Em().Body(inlines(in.Children)...)
	case markdown.Strong:
		return app.Strong().Body(inlines(in.Children)...)
	case markdown.Strike:
		return app.Elem("del").Body(inlines(in.Children)...)
	case markdown.Link:
		return link(in, inlines(in.Children))
	case markdown.Image:
		text := in.Text
		if text == "" {
			text = in.Href
		}
		return link(in, []app.UI{app.Text(text)})
	case markdown.SoftBreak:
		return app.Text("\n")
	case markdown.HardBreak:
		return app.Br()
	}
	return app.Text(showControls(in.Text))
}

// link opens in a tab of its own, wherever it leads: this page is watching a run, and go-app's
// router takes every other click on a link for a change of page.
func link(in markdown.Inline, content []app.UI) app.UI {
	if in.Target == markdown.NoTarget {
		return app.Span().Body(content...)
	}
	return app.A().Href(in.Href).Target("_blank").Rel("noopener noreferrer").Body(content...)
}
