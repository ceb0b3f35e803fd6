package graphs

import (
	"context"
	"math"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
)

// Path is a shortest path between two nodes.
type Path struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Found  bool     `json:"found"`
	Nodes  []string `json:"nodes"` // both ends included; empty if there is no path
	Hops   int      `json:"hops"`
	Cost   float64  `json:"cost"`    // sum of weights if ByCost, else the hops
	ByCost bool     `json:"by_cost"` // weights were taken as costs
}

// ShortestPath finds a path with the least cost, or the fewest hops where
// byHops is set or the weights are no costs (see Weights). The error is an
// *Error for an unknown node, or the context's.
func (g *Graph) ShortestPath(ctx context.Context, from, to string, byHops bool) (Path, error) {
	u, ok := g.index[from]
	if !ok {
		return Path{}, refuse(CodeNodeUnknown, 0, from)
	}
	v, ok := g.index[to]
	if !ok {
		return Path{}, refuse(CodeNodeUnknown, 0, to)
	}
	p := Path{From: from, To: to, Nodes: []string{}, ByCost: g.weights == Given && !byHops}
	var nodes []graph.Node
	var cost float64
	err := stoppable(ctx, func() {
		nodes, cost = path.DijkstraFromTo(nodeID(u), nodeID(v), g.gonum(ctx, !p.ByCost))
	})
	if err != nil {
		return Path{}, err
	}
	if u == v {
		// gonum finds no path from an isolated node to itself.
		nodes, cost = []graph.Node{nodeID(u)}, 0
	}
	if len(nodes) == 0 || math.IsInf(cost, 1) {
		return p, nil
	}
	p.Found, p.Cost, p.Hops = true, cost, len(nodes)-1
	for _, n := range nodes {
		p.Nodes = append(p.Nodes, g.labels[n.ID()])
	}
	return p, nil
}

// Neighbour is a node next to another.
type Neighbour struct {
	Node      string  `json:"node"`
	Weight    float64 `json:"weight"`
	Direction string  `json:"direction,omitempty"` // "out" or "in" in a directed graph
	Degree    int     `json:"degree"`              // of the neighbour
}

// Neighbours is what surrounds one node.
type Neighbours struct {
	Node       string      `json:"node"`
	Degree     int         `json:"degree"`
	Neighbours []Neighbour `json:"neighbours"` // in node order; edges out before edges in
}

// NeighboursOf lists the nodes next to a node. The error is an *Error for an
// unknown node.
func (g *Graph) NeighboursOf(label string) (Neighbours, error) {
	u, ok := g.index[label]
	if !ok {
		return Neighbours{}, refuse(CodeNodeUnknown, 0, label)
	}
	n := Neighbours{Node: label, Degree: g.degree(u), Neighbours: []Neighbour{}}
	direction := ""
	if g.directed {
		direction = "out"
	}
	for _, a := range g.out[u] {
		n.Neighbours = append(n.Neighbours, Neighbour{g.labels[a.to], a.w, direction, g.degree(a.to)})
	}
	if g.directed {
		for _, a := range g.in[u] {
			n.Neighbours = append(n.Neighbours, Neighbour{g.labels[a.to], a.w, "in", g.degree(a.to)})
		}
	}
	return n, nil
}
