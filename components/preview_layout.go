package components

import (
	"math"
	"slices"
	"unicode/utf8"

	"igraph-console/app/protocol"
)

// fate is what a change does to a node or an edge.
type fate int

const (
	stays fate = iota
	added
	removed
)

// previewGraph is the neighbourhood of a change: what is added and removed, and the nodes that the
// edges lead to.
type previewGraph struct {
	nodes []previewNode
	edges []previewEdge
}

// previewNode has its place in units of the drawing's view box. Left tells on which side its label
// stands.
type previewNode struct {
	label string
	fate  fate
	x, y  float64
	left  bool
}

type previewEdge struct {
	from, to int
	fate     fate
}

// maxPreviewNodes is how many nodes a drawing may have and still tell something.
const maxPreviewNodes = 24

// The drawing, in units of its view box. Labels stand beside the nodes and need room at the sides.
const (
	previewWidth  = 340
	previewHeight = 156
	previewSide   = 46
	previewEdgeY  = 18
)

// previewOf collects the neighbourhood of a change. It reports false if there is nothing to draw, or
// too much.
func previewOf(p *protocol.Preview) (previewGraph, bool) {
	var g previewGraph
	place := map[string]int{}
	node := func(label string, f fate) int {
		i, known := place[label]
		if !known {
			i = len(g.nodes)
			place[label] = i
			g.nodes = append(g.nodes, previewNode{label: label, fate: f})
		}
		return i
	}
	for _, label := range p.RemoveNodes {
		node(label, removed)
	}
	for _, label := range p.AddNodes {
		node(label, added)
	}
	edges := func(list []protocol.Edge, f fate) {
		for _, e := range list {
			if len(g.nodes) > maxPreviewNodes {
				return
			}
			g.edges = append(g.edges, previewEdge{node(e.Source, stays), node(e.Target, stays), f})
		}
	}
	edges(p.RemoveEdges, removed)
	edges(p.AddEdges, added)
	if len(g.nodes) == 0 || len(g.nodes) > maxPreviewNodes {
		return previewGraph{}, false
	}
	g.arrange()
	return g, true
}

// arrange places the nodes: edges pull, nodes push, from a circle as the start, for a fixed number of
// rounds. The same change always gives the same drawing.
func (g *previewGraph) arrange() {
	n := len(g.nodes)
	for i := range g.nodes {
		angle := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
		g.nodes[i].x, g.nodes[i].y = math.Cos(angle), math.Sin(angle)
	}
	const rounds = 150
	ideal := math.Sqrt(4 / float64(n))
	for round := range rounds {
		g.push(ideal, 0.2*(1-float64(round)/rounds)+0.005)
	}
	g.fit()
}

// push moves each node by the forces on it, at most by reach.
func (g *previewGraph) push(ideal, reach float64) {
	dx, dy := make([]float64, len(g.nodes)), make([]float64, len(g.nodes))
	pull := func(i, j int, force func(distance float64) float64) {
		x, y := g.nodes[i].x-g.nodes[j].x, g.nodes[i].y-g.nodes[j].y
		distance := math.Max(math.Hypot(x, y), 1e-3)
		f := force(distance) / distance
		dx[i] += x * f
		dy[i] += y * f
		dx[j] -= x * f
		dy[j] -= y * f
	}
	for i := range g.nodes {
		for j := range i {
			pull(i, j, func(d float64) float64 { return ideal * ideal / d })
		}
	}
	for _, e := range g.edges {
		if e.from != e.to {
			pull(e.from, e.to, func(d float64) float64 { return -d * d / ideal })
		}
	}
	for i := range g.nodes {
		length := math.Max(math.Hypot(dx[i], dy[i]), 1e-9)
		step := math.Min(length, reach) / length
		g.nodes[i].x += dx[i] * step
		g.nodes[i].y += dy[i] * step
	}
}

// fit stretches the drawing over the view box.
func (g *previewGraph) fit() {
	xs, ys := make([]float64, len(g.nodes)), make([]float64, len(g.nodes))
	for i, n := range g.nodes {
		xs[i], ys[i] = n.x, n.y
	}
	x := spread(xs, previewSide, previewWidth-previewSide)
	y := spread(ys, previewEdgeY, previewHeight-previewEdgeY)
	for i := range g.nodes {
		g.nodes[i].x, g.nodes[i].y = x.at(xs[i]), y.at(ys[i])
	}
	g.placeLabels()
}

// A label stands labelGap from the middle of its node and takes about letterWidth a character.
const (
	labelGap    = 12
	letterWidth = 7
	labelBytes  = 18
)

// placeLabels puts each label on the side its node's edges do not lead to, if there is room.
func (g *previewGraph) placeLabels() {
	pull := make([]float64, len(g.nodes))
	for _, e := range g.edges {
		dx := g.nodes[e.to].x - g.nodes[e.from].x
		pull[e.from] += dx
		pull[e.to] -= dx
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		width := labelGap + letterWidth*float64(min(utf8.RuneCountInString(n.label), labelBytes))
		roomLeft, roomRight := n.x > width, n.x+width < previewWidth
		n.left = !roomRight || roomLeft && pull[i] > 0
	}
}

func spread(values []float64, start, end float64) scale {
	low, high := slices.Min(values), slices.Max(values)
	if high-low < 1e-6 {
		low, high = values[0], values[0]
	}
	return scale{low, high, start, end}
}

// side is a drawing before or after the change: what is not there then is left out.
func (g previewGraph) side(without fate) (nodes []previewNode, edges []previewEdge) {
	for _, e := range g.edges {
		if e.fate != without && g.nodes[e.from].fate != without && g.nodes[e.to].fate != without {
			edges = append(edges, e)
		}
	}
	for _, n := range g.nodes {
		if n.fate != without {
			nodes = append(nodes, n)
		}
	}
	return nodes, edges
}
