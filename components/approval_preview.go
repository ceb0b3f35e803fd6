package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// diffRows is how many nodes or edges of a kind are listed by name.
const diffRows = 40

// previewView shows what a graph mutation would change: drawn, if it is small enough, and listed.
// Preview is part of an immutable version of the request.
type previewView struct {
	app.Compo

	P       *Page
	Preview *protocol.Preview
	Lang    string

	of    *protocol.Preview // what graph was laid out for
	graph previewGraph
	drawn bool
}

func (v *previewView) Render() app.UI {
	return guarded(v.P, func() app.UI {
		if v.of != v.Preview {
			v.of = v.Preview
			v.graph, v.drawn = previewOf(v.Preview)
		}
		return app.Div().Class("change").Body(
			app.Div().Class("ba").Hidden(!v.drawn && v.Preview.Before == nil && v.Preview.After == nil).Body(
				v.side(locales.ApprovalBefore, v.Preview.Before, nil, added),
				v.side(locales.ApprovalAfter, v.Preview.After, v.Preview.Before, removed),
			),
			app.Ul().Class("diff").Body(v.list()...),
		)
	})
}

func (v *previewView) side(title locales.Key, counts, before *protocol.GraphCounts, without fate) app.UI {
	heading := []app.UI{app.Text(v.P.T(title))}
	if counts != nil {
		heading = append(heading, v.counts(counts, before))
	}
	side := app.Div().Body(app.H4().Body(heading...))
	if !v.drawn {
		return side
	}
	return app.Div().Body(app.H4().Body(heading...), v.drawing(v.P.T(title), without))
}

// counts tells the size of the graph and, after the change, how it differs.
func (v *previewView) counts(c, before *protocol.GraphCounts) app.UI {
	nodes := v.P.N(locales.GraphNodes, int(c.Nodes), locales.A("Count", formatCount(c.Nodes)))
	edges := v.P.N(locales.GraphEdges, int(c.Edges), locales.A("Count", formatCount(c.Edges)))
	if before == nil {
		return app.Span().Text(nodes + v.P.T(locales.AppSep) + edges)
	}
	return app.Span().Body(
		app.Text(nodes), delta(c.Nodes-before.Nodes),
		app.Text(v.P.T(locales.AppSep)+edges), delta(c.Edges-before.Edges),
	)
}

func delta(n int64) app.UI {
	switch {
	case n > 0:
		return app.Ins().Class("more").Text(" +" + formatCount(n))
	case n < 0:
		return app.Ins().Text(" " + formatCount(n))
	}
	return app.Ins()
}

func (v *previewView) drawing(title string, without fate) app.UI {
	nodes, edges := v.graph.side(without)
	var parts []app.UI
	for _, e := range edges {
		from, to := v.graph.nodes[e.from], v.graph.nodes[e.to]
		parts = append(parts, svg("path").Class("e", edgeClass(e.fate)).
			Attr("d", "M"+coordinate(from.x)+" "+coordinate(from.y)+"L"+coordinate(to.x)+" "+coordinate(to.y)))
	}
	for _, n := range nodes {
		parts = append(parts, drawNode(n)...)
	}
	label := title + v.P.T(locales.AppSep) +
		v.P.N(locales.GraphNodes, len(nodes)) + v.P.T(locales.AppSep) + v.P.N(locales.GraphEdges, len(edges))
	return svg("svg").Class("gv").Attr("viewBox", "0 0 340 156").Attr("role", "img").Aria("label", label).Body(parts...)
}

func edgeClass(f fate) string {
	switch f {
	case added:
		return "e--new"
	case removed:
		return "e--cut"
	}
	return "e--old"
}

func drawNode(n previewNode) []app.UI {
	class, text, radius := "nd", "t", "6"
	switch n.fate {
	case added:
		class, text, radius = "nd nd--keep", "t--keep", "8"
	case removed:
		class, text, radius = "nd nd--cut", "t--cut", "8"
	}
	x, y := coordinate(n.x), coordinate(n.y)
	parts := []app.UI{svg("circle").Class(class).Attr("cx", x).Attr("cy", y).Attr("r", radius)}
	switch n.fate {
	case added:
		parts = append(parts, svg("text").Class("m m--new").Attr("x", x).Attr("y", coordinate(n.y+4)).Text("+"))
	case removed:
		parts = append(parts, svg("text").Class("m").Attr("x", x).Attr("y", coordinate(n.y+4)).Text("−"))
	}
	at, anchor := n.x+labelGap, "start"
	if n.left {
		at, anchor = n.x-labelGap, "end"
	}
	return append(parts, svg("text").Class(text).Attr("x", coordinate(at)).Attr("y", coordinate(n.y+4)).
		Attr("text-anchor", anchor).Text(shorten(n.label, labelBytes)))
}

func (v *previewView) list() []app.UI {
	p := v.Preview
	var rows []app.UI
	rows = append(rows, v.nodes("del", "−", p.RemoveNodes, locales.ApprovalRemoveNodes)...)
	rows = append(rows, v.nodes("add", "+", p.AddNodes, locales.ApprovalAddNodes)...)
	rows = append(rows, v.edges("del", "−", p.RemoveEdges, locales.ApprovalRemoveEdges)...)
	rows = append(rows, v.edges("add", "+", p.AddEdges, locales.ApprovalAddEdges)...)
	if len(rows) == 0 {
		rows = append(rows, app.Li().Body(
			app.Span(), app.Span().Text(v.P.T(locales.ApprovalNoChange)), app.Span()))
	}
	return rows
}

func (v *previewView) nodes(class, mark string, labels []string, total locales.PluralKey) []app.UI {
	var names []string
	for _, label := range labels[:min(len(labels), diffRows)] {
		names = append(names, shorten(label, 200))
	}
	return v.rows(class, mark, names, len(labels), total)
}

func (v *previewView) edges(class, mark string, edges []protocol.Edge, total locales.PluralKey) []app.UI {
	var names []string
	for _, e := range edges[:min(len(edges), diffRows)] {
		name := shorten(e.Source, 100) + " – " + shorten(e.Target, 100)
		if e.Weight != 0 {
			name += " (" + formatMetric(e.Weight) + ")"
		}
		names = append(names, name)
	}
	return v.rows(class, mark, names, len(edges), total)
}

// rows lists names under their number.
func (v *previewView) rows(class, mark string, names []string, count int, total locales.PluralKey) []app.UI {
	if count == 0 {
		return nil
	}
	heading := v.P.N(total, count, locales.A("Count", formatCount(int64(count))))
	rows := []app.UI{app.Li().Class("diff__h").Body(app.Span(), app.Span().Text(heading), app.Span())}
	for _, name := range names {
		rows = append(rows, app.Li().Class(class).Body(
			app.Span().Class("diff__m").Aria("hidden", true).Text(mark), app.Span().Dir("auto").Text(name), app.Span()))
	}
	if rest := count - len(names); rest > 0 {
		rows = append(rows, app.Li().Body(app.Span(), app.Span().Text(
			v.P.N(locales.ApprovalMore, rest, locales.A("Count", formatCount(int64(rest))))), app.Span()))
	}
	return rows
}
