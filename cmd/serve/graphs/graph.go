package graphs

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Limits on what a session may hold. They keep every analysis within seconds
// on a small machine and a stored graph within a few megabytes.
const (
	MaxBytes = 20 << 20 // bytes of one file
	MaxNodes = 50_000
	MaxEdges = 200_000
	MaxLabel = 200 // characters of one node label
)

// Weights says where a graph's edge weights come from, because that decides
// what they may be used for.
type Weights string

const (
	// Unweighted: every edge weighs 1.
	Unweighted Weights = "none"
	// Given: the file named the weights. Paths take them as costs.
	Given Weights = "given"
	// Counted: the file repeated edges and the weight is the number of times.
	// A frequent edge is a strong one, not a long one, so paths ignore it.
	Counted Weights = "counted"
)

// Edge is an edge between two labelled nodes. In an undirected graph From and
// To are interchangeable.
type Edge struct {
	From   string  `json:"source"`
	To     string  `json:"target"`
	Weight float64 `json:"weight,omitempty"`
}

// link is an edge between node indexes; in an undirected graph u < v.
type link struct {
	u, v int
	w    float64
}

// arc is one entry of an adjacency list.
type arc struct {
	to int
	w  float64
}

// Graph is a graph without self loops or parallel edges. Nodes keep the
// labels and the order they came with. It is immutable and safe for
// concurrent use.
type Graph struct {
	name     string
	directed bool
	weights  Weights
	labels   []string
	index    map[string]int
	folded   map[string]int // by lower case; ambiguous where several labels share it
	links    []link         // sorted by u, then v
	out      [][]arc        // sorted by to; in an undirected graph all neighbours
	in       [][]arc        // directed graphs only
	notes    []Note
}

// ambiguous stands in folded for a label that letter case alone tells apart.
const ambiguous = -1

// build derives the lookup structures from nodes and links, which it keeps.
// The links must be unique, without loops, and ordered u < v when undirected.
func build(name string, directed bool, weights Weights, labels []string, links []link) *Graph {
	g := &Graph{name: name, directed: directed, weights: weights, labels: labels, links: links}
	g.index = make(map[string]int, len(labels))
	g.folded = make(map[string]int, len(labels))
	for i, l := range labels {
		g.index[l] = i
		lower := strings.ToLower(l)
		if _, taken := g.folded[lower]; taken {
			i = ambiguous
		}
		g.folded[lower] = i
	}
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v))
	})
	g.out = make([][]arc, len(labels))
	if directed {
		g.in = make([][]arc, len(labels))
	}
	for _, l := range links {
		g.out[l.u] = append(g.out[l.u], arc{l.v, l.w})
		if directed {
			g.in[l.v] = append(g.in[l.v], arc{l.u, l.w})
			continue
		}
		g.out[l.v] = append(g.out[l.v], arc{l.u, l.w})
	}
	if !directed {
		for _, arcs := range g.out {
			slices.SortFunc(arcs, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
		}
	}
	return g
}

// Name is the name of the file or data set the graph came from.
func (g *Graph) Name() string { return g.name }

// Directed reports whether edges have a direction.
func (g *Graph) Directed() bool { return g.directed }

// Weights says where the edge weights come from.
func (g *Graph) Weights() Weights { return g.weights }

// Weighted reports whether edges may weigh other than 1.
func (g *Graph) Weighted() bool { return g.weights != Unweighted }

// NodeCount is the number of nodes.
func (g *Graph) NodeCount() int { return len(g.labels) }

// EdgeCount is the number of edges; an undirected edge counts once.
func (g *Graph) EdgeCount() int { return len(g.links) }

// Notes are the findings made while the graph was loaded.
func (g *Graph) Notes() []Note { return slices.Clone(g.notes) }

// Nodes gives the labels in their original order.
func (g *Graph) Nodes() []string { return slices.Clone(g.labels) }

// Edges gives all edges in node order.
func (g *Graph) Edges() []Edge {
	edges := make([]Edge, len(g.links))
	for i, l := range g.links {
		edges[i] = g.edge(l)
	}
	return edges
}

// HasNode reports whether a node carries exactly this label.
func (g *Graph) HasNode(label string) bool {
	_, ok := g.index[label]
	return ok
}

// HasEdge reports whether the edge exists; direction counts only in a
// directed graph.
func (g *Graph) HasEdge(from, to string) bool {
	_, ok := g.find(from, to)
	return ok
}

// Resolve finds the node a person means by label: the exact label first, then
// the only one that differs from it in letter case alone.
func (g *Graph) Resolve(label string) (string, bool) {
	label = strings.TrimSpace(label)
	if g.HasNode(label) {
		return label, true
	}
	u, ok := g.folded[strings.ToLower(label)]
	if !ok || u == ambiguous {
		return "", false
	}
	return g.labels[u], true
}

func (g *Graph) edge(l link) Edge {
	e := Edge{From: g.labels[l.u], To: g.labels[l.v]}
	if g.Weighted() {
		e.Weight = l.w
	}
	return e
}

// find gives the stored link between two labels.
func (g *Graph) find(from, to string) (link, bool) {
	u, ok := g.index[from]
	if !ok {
		return link{}, false
	}
	v, ok := g.index[to]
	if !ok {
		return link{}, false
	}
	w, ok := g.weight(u, v)
	return g.ordered(u, v, w), ok
}

// ordered makes the link in the form the graph stores it.
func (g *Graph) ordered(u, v int, w float64) link {
	if !g.directed && v < u {
		u, v = v, u
	}
	return link{u, v, w}
}

// weight looks an arc up by binary search.
func (g *Graph) weight(u, v int) (float64, bool) {
	arcs := g.out[u]
	i := sort.Search(len(arcs), func(i int) bool { return arcs[i].to >= v })
	if i == len(arcs) || arcs[i].to != v {
		return 0, false
	}
	return arcs[i].w, true
}

// degree counts the edges at a node; in a directed graph those in and out.
func (g *Graph) degree(u int) int {
	if g.directed {
		return len(g.out[u]) + len(g.in[u])
	}
	return len(g.out[u])
}
