package graphs

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/topo"
)

// diameterWork bounds the breadth-first searches for the diameter: nodes times
// edges, about a second's worth.
const diameterWork = 40_000_000

// Summary describes a graph as a whole.
type Summary struct {
	Name         string  `json:"name"`
	Nodes        int     `json:"nodes"`
	Edges        int     `json:"edges"`
	Directed     bool    `json:"directed"`
	Weights      Weights `json:"weights"`
	Density      float64 `json:"density"` // share of the possible edges that exist
	Components   int     `json:"components"`
	Largest      int     `json:"largest_component"` // nodes in it
	Isolated     int     `json:"isolated_nodes"`
	MeanDegree   float64 `json:"mean_degree"`
	MaxDegree    int     `json:"max_degree"`
	Clustering   float64 `json:"average_clustering"`
	Transitivity float64 `json:"transitivity"`
	// Diameter is the longest shortest path in the largest component, in hops,
	// direction ignored; nil where the graph is too large to measure it.
	Diameter *int `json:"diameter"`
}

// Summary measures the graph. Components are weak ones in a directed graph,
// and clustering ignores direction and weight. The error is the context's.
func (g *Graph) Summary(ctx context.Context) (Summary, error) {
	s := Summary{
		Name:     g.name,
		Nodes:    len(g.labels),
		Edges:    len(g.links),
		Directed: g.directed,
		Weights:  g.weights,
	}
	n := float64(s.Nodes)
	if s.Nodes > 0 {
		s.MeanDegree = 2 * float64(s.Edges) / n
	}
	if s.Nodes > 1 {
		s.Density = float64(s.Edges) / (n * (n - 1))
		if !g.directed {
			s.Density *= 2
		}
	}
	for u := range g.labels {
		d := g.degree(u)
		s.MaxDegree = max(s.MaxDegree, d)
		if d == 0 {
			s.Isolated++
		}
	}
	plain := g.neighbourLists()
	components, err := g.components(ctx, plain)
	if err != nil {
		return Summary{}, err
	}
	s.Components = len(components)
	if len(components) > 0 {
		s.Largest = len(components[0])
	}
	if s.Clustering, s.Transitivity, err = clustering(ctx, plain); err != nil {
		return Summary{}, err
	}
	if len(components) > 0 && s.Largest*max(s.Edges, 1) <= diameterWork {
		d, err := diameter(ctx, plain, components[0])
		if err != nil {
			return Summary{}, err
		}
		s.Diameter = &d
	}
	return s, nil
}

// neighbourLists gives each node's distinct neighbours in order, direction
// ignored.
func (g *Graph) neighbourLists() [][]int {
	lists := make([][]int, len(g.labels))
	for u := range lists {
		list := make([]int, 0, g.degree(u))
		for _, a := range g.out[u] {
			list = append(list, a.to)
		}
		if g.directed {
			for _, a := range g.in[u] {
				list = append(list, a.to)
			}
			slices.Sort(list)
			list = slices.Compact(list)
		}
		lists[u] = list
	}
	return lists
}

// components gives the connected components, the largest first.
func (g *Graph) components(ctx context.Context, plain [][]int) ([][]int, error) {
	v := newView(ctx, g, true)
	v.out = make([][]arc, len(plain))
	for u, list := range plain {
		for _, w := range list {
			v.out[u] = append(v.out[u], arc{w, 1})
		}
	}
	var found [][]graph.Node
	if err := stoppable(ctx, func() { found = topo.ConnectedComponents(undirected{v}) }); err != nil {
		return nil, err
	}
	components := make([][]int, len(found))
	for i, nodes := range found {
		for _, n := range nodes {
			components[i] = append(components[i], int(n.ID()))
		}
		slices.Sort(components[i])
	}
	sortGroups(components)
	return components, nil
}

// sortGroups puts the largest group first and, among equals, the one with the
// earliest node. The groups are sorted and not empty.
func sortGroups(groups [][]int) {
	slices.SortFunc(groups, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
}

// clustering gives the mean local clustering coefficient, which is 0 for nodes
// with fewer than two neighbours, and the transitivity. Each triangle is found
// once, from its node of lowest rank, which keeps hubs cheap.
func clustering(ctx context.Context, plain [][]int) (average, transitivity float64, err error) {
	if len(plain) == 0 {
		return 0, 0, nil
	}
	higher := orient(plain)
	triangles := make([]int, len(plain))
	marked := make([]bool, len(plain))
	total := 0
	for u, list := range higher {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		for _, v := range list {
			marked[v] = true
		}
		for _, v := range list {
			for _, w := range higher[v] {
				if marked[w] {
					triangles[u]++
					triangles[v]++
					triangles[w]++
					total++
				}
			}
		}
		for _, v := range list {
			marked[v] = false
		}
	}
	wedges := 0.0
	for u, list := range plain {
		d := float64(len(list))
		if d < 2 {
			continue
		}
		pairs := d * (d - 1) / 2
		wedges += pairs
		average += float64(triangles[u]) / pairs
	}
	if wedges > 0 {
		transitivity = 3 * float64(total) / wedges
	}
	return average / float64(len(plain)), transitivity, nil
}

// orient keeps of each pair the direction from lower to higher degree.
func orient(plain [][]int) [][]int {
	higher := make([][]int, len(plain))
	for u, list := range plain {
		for _, v := range list {
			if cmp.Or(cmp.Compare(len(list), len(plain[v])), cmp.Compare(u, v)) < 0 {
				higher[u] = append(higher[u], v)
			}
		}
	}
	return higher
}

// diameter searches from every node of a component.
func diameter(ctx context.Context, plain [][]int, component []int) (int, error) {
	dist := make([]int, len(plain))
	queue := make([]int, 0, len(component))
	longest := 0
	for _, s := range component {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for _, u := range component {
			dist[u] = -1
		}
		dist[s] = 0
		queue = append(queue[:0], s)
		for i := 0; i < len(queue); i++ {
			u := queue[i]
			for _, v := range plain[u] {
				if dist[v] < 0 {
					dist[v] = dist[u] + 1
					queue = append(queue, v)
				}
			}
		}
		longest = max(longest, dist[queue[len(queue)-1]])
	}
	return longest, nil
}
