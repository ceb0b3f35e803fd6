package graphs

import (
	"context"
	"maps"
	"slices"
)

// DegreeCount is how many nodes have one degree.
type DegreeCount struct {
	Degree int     `json:"degree"`
	Nodes  int     `json:"nodes"`
	Share  float64 `json:"share"` // of all nodes
}

// Degrees is the distribution of node degrees; in a directed graph a degree
// counts edges in and out.
type Degrees struct {
	Min          int           `json:"min"`
	Max          int           `json:"max"`
	Mean         float64       `json:"mean"`
	Median       float64       `json:"median"`
	Distribution []DegreeCount `json:"distribution"` // by rising degree
	Ranking      []Score       `json:"ranking"`      // all nodes, highest degree first
}

// DegreeDistribution counts degrees. The error is the context's.
func (g *Graph) DegreeDistribution(ctx context.Context) (Degrees, error) {
	if err := ctx.Err(); err != nil {
		return Degrees{}, err
	}
	n := len(g.labels)
	if n == 0 {
		return Degrees{Distribution: []DegreeCount{}, Ranking: []Score{}}, nil
	}
	degrees := make([]int, n)
	scores := make([]float64, n)
	counts := map[int]int{}
	for u := range degrees {
		degrees[u] = g.degree(u)
		scores[u] = float64(degrees[u])
		counts[degrees[u]]++
	}
	slices.Sort(degrees)
	d := Degrees{
		Min:     degrees[0],
		Max:     degrees[n-1],
		Mean:    2 * float64(len(g.links)) / float64(n),
		Median:  float64(degrees[(n-1)/2]+degrees[n/2]) / 2,
		Ranking: g.rank(scores),
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		d.Distribution = append(d.Distribution, DegreeCount{k, counts[k], float64(counts[k]) / float64(n)})
	}
	return d, nil
}
