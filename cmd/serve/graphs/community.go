package graphs

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph/community"
)

const (
	communitySeed = 1
	// gonum's Louvain compares all members of a community with each other, so
	// it is kept to graphs where that takes a second or two.
	louvainNodes = 3_000
	louvainEdges = 15_000
	// Small graphs are cheap enough to try several orders of visiting and keep
	// the best division.
	louvainTries     = 10
	louvainTriesUpTo = 500 // nodes
	labelRounds      = 50
)

// Community is a group of nodes with more edges among them than chance gives.
type Community struct {
	ID    int      `json:"id"` // from 1, the largest first
	Size  int      `json:"size"`
	Nodes []string `json:"nodes"` // in node order
}

// Communities is a division of all nodes.
type Communities struct {
	Method      string      `json:"method"` // "louvain" or "label_propagation"
	Seed        uint64      `json:"seed"`
	Modularity  float64     `json:"modularity"`
	Communities []Community `json:"communities"`
}

// Communities divides the nodes by the Louvain method, or by label propagation
// where the graph is too large for that. The error is the context's.
func (g *Graph) Communities(ctx context.Context) (Communities, error) {
	c := Communities{Method: "louvain", Seed: communitySeed, Communities: []Community{}}
	var groups [][]int
	var err error
	switch {
	case len(g.links) == 0:
		groups, err = g.singles(), ctx.Err()
	case len(g.labels) <= louvainNodes && len(g.links) <= louvainEdges:
		groups, err = g.louvain(ctx)
	default:
		c.Method = "label_propagation"
		groups, err = g.propagate(ctx)
	}
	if err != nil {
		return Communities{}, err
	}
	c.Modularity = g.modularity(groups)
	sortGroups(groups)
	for i, group := range groups {
		members := make([]string, len(group))
		for j, u := range group {
			members[j] = g.labels[u]
		}
		c.Communities = append(c.Communities, Community{i + 1, len(group), members})
	}
	return c, nil
}

func (g *Graph) singles() [][]int {
	groups := make([][]int, len(g.labels))
	for u := range groups {
		groups[u] = []int{u}
	}
	return groups
}

// louvain keeps the best of a few tries, the first among equals.
func (g *Graph) louvain(ctx context.Context) ([][]int, error) {
	tries := 1
	if len(g.labels) <= louvainTriesUpTo {
		tries = louvainTries
	}
	var best [][]int
	bestQ := 0.0
	for try := range tries {
		groups, err := g.modularize(ctx, rand.NewPCG(communitySeed, uint64(try)))
		if err != nil {
			return nil, err
		}
		if q := g.modularity(groups); best == nil || q > bestQ {
			best, bestQ = groups, q
		}
	}
	return best, nil
}

func (g *Graph) modularize(ctx context.Context, src rand.Source) ([][]int, error) {
	var groups [][]int
	err := stoppable(ctx, func() {
		reduced := community.Modularize(g.gonum(ctx, false), 1, stoppableSource{ctx, src})
		for _, nodes := range reduced.Communities() {
			var group []int
			for _, n := range nodes {
				group = append(group, int(n.ID()))
			}
			slices.Sort(group)
			groups = append(groups, group)
		}
	})
	return groups, err
}

// stoppableSource lets a cancelled Louvain stop between its passes: after
// copying the graph it asks for nothing but random numbers.
type stoppableSource struct {
	ctx context.Context
	rand.Source
}

func (s stoppableSource) Uint64() uint64 {
	if err := s.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	return s.Source.Uint64()
}

// propagate lets every node take the label that weighs most among its
// neighbours, until nothing changes. It is linear in the edges.
func (g *Graph) propagate(ctx context.Context) ([][]int, error) {
	rnd := rand.New(rand.NewPCG(communitySeed, 0))
	of := make([]int, len(g.labels))
	for u := range of {
		of[u] = u
	}
	weight := make([]float64, len(of))
	for range labelRounds {
		changed := false
		for i, u := range rnd.Perm(len(of)) {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if label := g.heaviest(u, of, weight, rnd); label != of[u] {
				of[u] = label
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return groupsOf(of), ctx.Err()
}

// heaviest gives the label with the greatest weight around u: its own among
// equals, else any of them. A fixed rule for ties would let one label flood the
// graph through the first bridge. weight is scratch space, zero before and
// after.
func (g *Graph) heaviest(u int, of []int, weight []float64, rnd *rand.Rand) int {
	arcs := g.out[u]
	if g.directed {
		arcs = slices.Concat(arcs, g.in[u])
	}
	for _, a := range arcs {
		weight[of[a.to]] += a.w
	}
	best, equals := of[u], 1
	for _, a := range arcs {
		label := of[a.to]
		switch {
		case weight[label] > weight[best]:
			best, equals = label, 1
		case weight[label] == weight[best] && best != of[u] && label != best:
			if equals++; rnd.IntN(equals) == 0 {
				best = label
			}
		}
	}
	for _, a := range arcs {
		weight[of[a.to]] = 0
	}
	return best
}

// groupsOf turns labels into sorted groups, ordered by their first node.
func groupsOf(of []int) [][]int {
	place := map[int]int{}
	var groups [][]int
	for u, label := range of {
		i, ok := place[label]
		if !ok {
			i = len(groups)
			place[label] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], u)
	}
	return groups
}

// modularity is Newman's Q at resolution 1: the share of edge weight inside the
// groups less the share expected by chance. It takes the edges once, where
// gonum's Q takes all pairs of members.
func (g *Graph) modularity(groups [][]int) float64 {
	of := make([]int, len(g.labels))
	for i, group := range groups {
		for _, u := range group {
			of[u] = i
		}
	}
	var total float64
	inside, out, in := make([]float64, len(groups)), make([]float64, len(groups)), make([]float64, len(groups))
	for _, l := range g.links {
		total += l.w
		out[of[l.u]] += l.w
		in[of[l.v]] += l.w
		if of[l.u] == of[l.v] {
			inside[of[l.u]] += l.w
		}
	}
	if total == 0 {
		return 0
	}
	q := 0.0
	for i := range groups {
		a, b := out[i]/total, in[i]/total
		if !g.directed {
			a = (a + b) / 2
			b = a
		}
		q += inside[i]/total - a*b
	}
	return q
}
