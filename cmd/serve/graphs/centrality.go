package graphs

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Score is a node with a measure.
type Score struct {
	Node  string  `json:"node"`
	Score float64 `json:"score"`
}

// rank sorts nodes by falling score, equals in node order.
func (g *Graph) rank(scores []float64) []Score {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	ranking := make([]Score, len(order))
	for i, u := range order {
		ranking[i] = Score{g.labels[u], scores[u]}
	}
	return ranking
}

const (
	pageRankDamping   = 0.85
	pageRankTolerance = 1e-12 // sum of absolute changes
	pageRankLimit     = 500   // rounds; 0.85^500 is far below the tolerance
)

// Ranking is the result of PageRank.
type Ranking struct {
	Damping  float64 `json:"damping"`
	Weighted bool    `json:"weighted"`
	Rounds   int     `json:"rounds"`
	Scores   []Score `json:"scores"` // all nodes, highest first; they add up to 1
}

// PageRank ranks nodes by a random walk that follows edges in proportion to
// their weight. gonum's version starts from an unseeded random vector, so its
// last digits change from call to call; this one starts from the uniform one.
// The error is the context's.
func (g *Graph) PageRank(ctx context.Context) (Ranking, error) {
	n := len(g.labels)
	r := Ranking{Damping: pageRankDamping, Weighted: g.Weighted(), Scores: []Score{}}
	if n == 0 {
		return r, ctx.Err()
	}
	strength := make([]float64, n)
	for u, arcs := range g.out {
		for _, a := range arcs {
			strength[u] += a.w
		}
	}
	rank, next := make([]float64, n), make([]float64, n)
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	for change := 1.0; change > pageRankTolerance && r.Rounds < pageRankLimit; r.Rounds++ {
		if err := ctx.Err(); err != nil {
			return Ranking{}, err
		}
		g.walk(next, rank, strength)
		change = 0
		for i := range rank {
			change += math.Abs(next[i] - rank[i])
		}
		rank, next = next, rank
	}
	r.Scores = g.rank(settle(rank))
	return r, nil
}

// walk takes one step of the random walk. A node without a way out, and a
// share of every walk, goes on anywhere.
func (g *Graph) walk(next, rank, strength []float64) {
	n := float64(len(rank))
	loose := 0.0
	for u, s := range strength {
		if s == 0 {
			loose += rank[u]
		}
	}
	base := (1 - pageRankDamping + pageRankDamping*loose) / n
	for i := range next {
		next[i] = base
	}
	for u, arcs := range g.out {
		for _, a := range arcs {
			next[a.to] += pageRankDamping * rank[u] * a.w / strength[u]
		}
	}
}

// settle drops digits beyond the tolerance, so that nodes in equal positions
// get equal scores and keep their order.
func settle(scores []float64) []float64 {
	for i, s := range scores {
		scores[i] = math.Round(s*1e10) / 1e10
	}
	return scores
}

const (
	// betweennessWork bounds the exact computation: nodes times edges, a few
	// seconds' worth. Above it sources are sampled.
	betweennessWork = 30_000_000
	sampleSeed      = 1
)

// Betweenness is the result of the analysis of that name.
type Betweenness struct {
	Exact   bool `json:"exact"`
	Sources int  `json:"sources"` // nodes that shortest paths were followed from
	// Scores has all nodes, highest first: the share of shortest paths between
	// other nodes that pass through the node, from 0 to 1.
	Scores []Score `json:"scores"`
}

// Betweenness measures how much nodes stand between others, by hops. A large
// graph is measured from a sample of sources, chosen with a fixed seed. This is
// Brandes' algorithm on slices; gonum's needs seconds where this needs
// milliseconds, and can neither sample nor be cancelled. The error is the
// context's.
func (g *Graph) Betweenness(ctx context.Context) (Betweenness, error) {
	n := len(g.labels)
	sources := n
	if n*len(g.links) > betweennessWork {
		sources = max(1, betweennessWork/len(g.links))
	}
	return g.betweennessFrom(ctx, sources)
}

func (g *Graph) betweennessFrom(ctx context.Context, sources int) (Betweenness, error) {
	n := len(g.labels)
	b := Betweenness{Exact: sources == n, Sources: sources}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if !b.Exact {
		order = rand.New(rand.NewPCG(sampleSeed, sampleSeed)).Perm(n)[:sources]
	}
	scores := make([]float64, n)
	search := newBrandes(g)
	for _, s := range order {
		if err := ctx.Err(); err != nil {
			return Betweenness{}, err
		}
		search.from(s, scores)
	}
	if n > 2 {
		scale := float64(n) / float64(sources) / (float64(n-1) * float64(n-2))
		for i := range scores {
			scores[i] *= scale
		}
	}
	b.Scores = g.rank(settle(scores))
	return b, nil
}

// brandes holds the state of one search, reused from source to source.
type brandes struct {
	g     *Graph
	dist  []int
	paths []float64 // number of shortest paths from the source
	share []float64 // dependency of the source on the node
	order []int     // nodes by rising distance
}

func newBrandes(g *Graph) *brandes {
	n := len(g.labels)
	return &brandes{
		g:     g,
		dist:  make([]int, n),
		paths: make([]float64, n),
		share: make([]float64, n),
		order: make([]int, 0, n),
	}
}

// from adds to the scores what the shortest paths from s contribute.
func (b *brandes) from(s int, scores []float64) {
	for i := range b.dist {
		b.dist[i], b.paths[i], b.share[i] = -1, 0, 0
	}
	b.dist[s], b.paths[s] = 0, 1
	b.order = append(b.order[:0], s)
	for i := 0; i < len(b.order); i++ {
		u := b.order[i]
		for _, a := range b.g.out[u] {
			if b.dist[a.to] < 0 {
				b.dist[a.to] = b.dist[u] + 1
				b.order = append(b.order, a.to)
			}
			if b.dist[a.to] == b.dist[u]+1 {
				b.paths[a.to] += b.paths[u]
			}
		}
	}
	for i := len(b.order) - 1; i >= 0; i-- {
		u := b.order[i]
		for _, a := range b.g.out[u] {
			if b.dist[a.to] == b.dist[u]+1 {
				b.share[u] += b.paths[u] / b.paths[a.to] * (1 + b.share[a.to])
			}
		}
		if u != s {
			scores[u] += b.share[u]
		}
	}
}
