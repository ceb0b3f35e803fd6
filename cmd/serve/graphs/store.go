package graphs

import (
	"encoding/json"
	"fmt"
)

// stored is the JSON form of a graph: edges are [from, to] or
// [from, to, weight] with indexes into the nodes.
type stored struct {
	Name     string      `json:"name"`
	Directed bool        `json:"directed"`
	Weights  Weights     `json:"weights"`
	Nodes    []string    `json:"nodes"`
	Edges    [][]float64 `json:"edges"`
	Notes    []Note      `json:"notes,omitempty"`
}

// MarshalJSON writes the whole graph, so that a backend can store it.
func (g *Graph) MarshalJSON() ([]byte, error) {
	s := stored{
		Name:     g.name,
		Directed: g.directed,
		Weights:  g.weights,
		Nodes:    g.labels,
		Edges:    make([][]float64, len(g.links)),
		Notes:    g.notes,
	}
	for i, l := range g.links {
		s.Edges[i] = []float64{float64(l.u), float64(l.v)}
		if g.Weighted() {
			s.Edges[i] = append(s.Edges[i], l.w)
		}
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. The error is an *Error if the
// data is damaged; the graph is then unchanged.
func (g *Graph) UnmarshalJSON(data []byte) error {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return refuse(CodeStoredGraph, 0, err.Error()).because(err)
	}
	restored, err := s.graph()
	if err != nil {
		return refuse(CodeStoredGraph, 0, err.Error()).because(err)
	}
	*g = *restored
	return nil
}

func (s stored) graph() (*Graph, error) {
	if s.Weights != Unweighted && s.Weights != Given && s.Weights != Counted {
		return nil, fmt.Errorf("unknown kind of weights %q", s.Weights)
	}
	if len(s.Nodes) > MaxNodes || len(s.Edges) > MaxEdges {
		return nil, fmt.Errorf("%d nodes and %d edges are beyond the limits", len(s.Nodes), len(s.Edges))
	}
	seen := make(map[string]bool, len(s.Nodes))
	for _, label := range s.Nodes {
		if !validLabel(label) || seen[label] {
			return nil, fmt.Errorf("bad or repeated node %q", short(label))
		}
		seen[label] = true
	}
	links := make([]link, len(s.Edges))
	pairs := make(map[[2]int]bool, len(s.Edges))
	for i, e := range s.Edges {
		l, err := s.link(e)
		if err != nil {
			return nil, fmt.Errorf("edge %d: %w", i, err)
		}
		if pairs[[2]int{l.u, l.v}] {
			return nil, fmt.Errorf("edge %d is repeated", i)
		}
		pairs[[2]int{l.u, l.v}] = true
		links[i] = l
	}
	g := build(s.Name, s.Directed, s.Weights, s.Nodes, links)
	g.notes = s.Notes
	return g, nil
}

func (s stored) link(e []float64) (link, error) {
	width := 2
	if s.Weights != Unweighted {
		width = 3
	}
	if len(e) != width {
		return link{}, fmt.Errorf("%d fields instead of %d", len(e), width)
	}
	l := link{w: 1}
	if width == 3 {
		l.w = e[2]
	}
	if !validWeight(l.w) {
		return link{}, fmt.Errorf("bad weight %v", l.w)
	}
	for i, end := range []*int{&l.u, &l.v} {
		*end = int(e[i])
		if float64(*end) != e[i] || *end < 0 || *end >= len(s.Nodes) {
			return link{}, fmt.Errorf("no node %v", e[i])
		}
	}
	if l.u == l.v || !s.Directed && l.u > l.v {
		return link{}, fmt.Errorf("ends %d and %d are out of order", l.u, l.v)
	}
	return l, nil
}
