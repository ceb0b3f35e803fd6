package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/components/markdown"
	"igraph-console/locales"
)

// report shows an answer as a document with a list of its contents beside it.
func (v *messageView) report(m *store.Message) app.UI {
	anchor := "report-" + m.ID
	groups := v.groups(m, anchor)
	entries := contents(v.blocks.all())
	return app.Section().Class("card out out--report").Aria("label", v.P.T(locales.ComposerFormatReport)).Body(
		app.Div().Class("out__bar").Body(
			icon("doc"),
			app.B().Text(v.P.T(locales.ComposerFormatReport)),
			app.Span().Class("meta num").Text(v.P.N(locales.ReportSections, len(entries))),
			app.Span().Class("grow"),
			&copyButton{P: v.P, Of: v, Text: locales.CopyLabel, Lang: v.Lang},
			&saveButton{P: v.P, Of: v, Name: "report.md", Type: "text/markdown", Lang: v.Lang},
		),
		v.hooked(app.Div(), m).Class("doc").Body(groups...),
		app.Div().Class("toc__slot").Body(v.toc(anchor, entries)),
	)
}

// contents are the headings of a report that its list of contents names: those of the two highest
// levels it uses below its title.
func contents(blocks []*markdown.Block) []*markdown.Block {
	top := 0
	var headings []*markdown.Block
	for i, b := range blocks {
		if b.Kind != markdown.Heading || i == 0 && b.Level == 1 {
			continue
		}
		headings = append(headings, b)
		if top == 0 || b.Level < top {
			top = b.Level
		}
	}
	var list []*markdown.Block
	for _, b := range headings {
		if b.Level <= top+1 {
			list = append(list, b)
		}
	}
	return list
}

func (v *messageView) toc(anchor string, entries []*markdown.Block) app.UI {
	if len(entries) < 2 {
		return nil
	}
	links := []app.UI{app.H3().Text(v.P.T(locales.ReportContents))}
	for _, b := range entries {
		links = append(links, &tocEntry{ID: headingID(anchor, b), Text: markdown.Text([]*markdown.Block{b})})
	}
	return app.Nav().Class("toc").Aria("label", v.P.T(locales.ReportContents)).Body(app.Div().Body(links...))
}

// tocEntry goes to a heading. It is a button: a link would change the address.
type tocEntry struct {
	app.Compo

	ID   string
	Text string
}

func (e *tocEntry) Render() app.UI {
	return app.Button().Type("button").Dir("auto").Text(shorten(e.Text, 120)).OnClick(e.press)
}

func (e *tocEntry) press(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	heading := byID(e.ID)
	if !heading.Truthy() {
		return
	}
	heading.Call("scrollIntoView", map[string]any{"block": "start"})
	heading.Call("focus", map[string]any{"preventScroll": true})
}

// saveButton offers a text as a file.
type saveButton struct {
	app.Compo

	P    *Page
	Of   copier
	Name string
	Type string
	Lang string
}

func (b *saveButton) Render() app.UI {
	label := b.P.T(locales.MessageDownload)
	return app.Button().Type("button").Class("btn btn--sm").Aria("label", label).OnClick(b.press).Body(
		icon("download", "i--14"), app.Span().Class("hide-s").Text(label))
}

func (b *saveButton) press(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	saveFile(b.P.now().Format(time.DateOnly)+"-"+b.Name, b.Type, b.Of.copyText())
}
