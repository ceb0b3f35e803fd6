package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/network"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// random gives a reproducible graph with some structure: most edges stay
// within blocks.
func random(t testing.TB, n, m int, directed, weighted bool) *Graph {
	t.Helper()
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	c := newCollector("random")
	c.directed = directed
	for i := range n {
		if _, err := c.node(fmt.Sprint("n", i), 0); err != nil {
			t.Fatal(err)
		}
	}
	for len(c.links) < m {
		u, v := rnd.IntN(n), rnd.IntN(n)
		if rnd.IntN(4) > 0 {
			v = u/10*10 + rnd.IntN(10)
		}
		if u == v || v >= n {
			continue
		}
		w := 0.0
		if weighted {
			w = 0.5 + rnd.Float64()
		}
		if err := c.edge(c.labels[u], c.labels[v], w, 0); err != nil {
			t.Fatal(err)
		}
	}
	g, err := c.graph()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func graphsOfEveryKind(t *testing.T) map[string]*Graph {
	return map[string]*Graph{
		"karate":              Karate(),
		"directed":            random(t, 60, 200, true, false),
		"directed, weighted":  random(t, 60, 200, true, true),
		"undirected":          random(t, 60, 150, false, false),
		"weighted":            random(t, 60, 150, false, true),
		"several components":  load(t, false, "a,b\nb,c\nd,e\n"),
		"with dangling nodes": load(t, true, "a,b\na,c\n"),
	}
}

func TestKarateSummary(t *testing.T) {
	s, err := Karate().Summary(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.Nodes != 34 || s.Edges != 78 || s.Components != 1 || s.Largest != 34 || s.Isolated != 0 || s.MaxDegree != 17 {
		t.Errorf("summary is %+v", s)
	}
	if s.Diameter == nil || *s.Diameter != 5 {
		t.Errorf("diameter is %v, want 5", s.Diameter)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"density", s.Density, 0.13904},
		{"mean degree", s.MeanDegree, 4.58824},
		{"average clustering", s.Clustering, 0.57064},
		{"transitivity", s.Transitivity, 0.25568},
	} {
		if !near(c.got, c.want, 1e-5) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestKarateCentralities(t *testing.T) {
	ctx := context.Background()
	p, err := Karate().PageRank(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if p.Scores[0].Node != "34" || p.Scores[1].Node != "1" || !near(p.Scores[0].Score, 0.10092, 1e-5) {
		t.Errorf("PageRank begins with %v, want 34 (0.10092), 1", p.Scores[:2])
	}
	b, err := Karate().Betweenness(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Exact || b.Scores[0].Node != "1" || !near(b.Scores[0].Score, 0.43764, 1e-5) {
		t.Errorf("betweenness begins with %v, want 1 (0.43764)", b.Scores[0])
	}
	d, err := Karate().DegreeDistribution(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d.Min != 1 || d.Max != 17 || d.Median != 3 || d.Ranking[0].Node != "34" || d.Distribution[0] != (DegreeCount{1, 1, 1.0 / 34}) {
		t.Errorf("degrees are %+v", d)
	}
}

func TestKarateCommunities(t *testing.T) {
	c, err := Karate().Communities(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c.Method != "louvain" || len(c.Communities) != 4 || c.Modularity < 0.41 || c.Modularity > 0.42 {
		t.Errorf("got %d communities with modularity %v by %s", len(c.Communities), c.Modularity, c.Method)
	}
	total := 0
	for i, each := range c.Communities {
		total += each.Size
		if each.ID != i+1 || each.Size != len(each.Nodes) || i > 0 && each.Size > c.Communities[i-1].Size {
			t.Errorf("community %d is out of order: %+v", i, each)
		}
	}
	if total != 34 {
		t.Errorf("the communities have %d members, want every one of 34 once", total)
	}
}

func TestPageRankAgreesWithGonum(t *testing.T) {
	for name, g := range graphsOfEveryKind(t) {
		p, err := g.PageRank(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		// gonum ranks directed graphs only; an undirected edge is two of them.
		both := graph.WeightedDirected(directed{newView(context.Background(), g.bothWays(), false)})
		want := network.PageRankSparse(both, pageRankDamping, 1e-12)
		for _, s := range p.Scores {
			if w := want[int64(g.index[s.Node])]; !near(s.Score, w, 1e-8) {
				t.Errorf("%s: %s has %v, gonum gives %v", name, s.Node, s.Score, w)
			}
		}
	}
}

// bothWays turns undirected edges into two directed ones.
func (g *Graph) bothWays() *Graph {
	if g.directed {
		return g
	}
	var links []link
	for _, l := range g.links {
		links = append(links, l, link{l.v, l.u, l.w})
	}
	return build(g.name, true, g.weights, g.labels, links)
}

func TestBetweennessAgreesWithGonum(t *testing.T) {
	for name, g := range graphsOfEveryKind(t) {
		b, err := g.Betweenness(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := network.Betweenness(g.gonum(context.Background(), true))
		n := float64(g.NodeCount())
		for _, s := range b.Scores {
			if w := want[int64(g.index[s.Node])] / ((n - 1) * (n - 2)); !near(s.Score, w, 1e-9) {
				t.Errorf("%s: %s has %v, gonum gives %v", name, s.Node, s.Score, w)
			}
		}
	}
}

func TestSampledBetweennessEstimatesTheExactOne(t *testing.T) {
	g := random(t, 400, 1600, false, false)
	exact, err := g.betweennessFrom(context.Background(), 400)
	if err != nil {
		t.Fatal(err)
	}
	sampled, err := g.betweennessFrom(context.Background(), 200)
	if err != nil {
		t.Fatal(err)
	}
	if sampled.Exact || sampled.Sources != 200 {
		t.Errorf("a sample of 200 calls itself %+v", sampled.Sources)
	}
	want := map[string]float64{}
	for _, s := range exact.Scores {
		want[s.Node] = s.Score
	}
	for _, s := range sampled.Scores {
		if !near(s.Score, want[s.Node], 0.01) {
			t.Errorf("%s is estimated at %v and is %v", s.Node, s.Score, want[s.Node])
		}
	}
}

func TestModularityAgreesWithGonum(t *testing.T) {
	for name, g := range graphsOfEveryKind(t) {
		groups, err := g.louvain(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var nodes [][]graph.Node
		for _, group := range groups {
			var members []graph.Node
			for _, u := range group {
				members = append(members, nodeID(u))
			}
			nodes = append(nodes, members)
		}
		want := community.Q(g.gonum(context.Background(), false), nodes, 1)
		if got := g.modularity(groups); !near(got, want, 1e-9) {
			t.Errorf("%s: modularity is %v, gonum gives %v", name, got, want)
		}
	}
}

func TestLabelPropagationFindsPlainGroups(t *testing.T) {
	var edges strings.Builder
	for block := range 3 {
		for i := range 8 {
			for j := range i {
				fmt.Fprintf(&edges, "%d-%d,%d-%d\n", block, i, block, j)
			}
		}
	}
	edges.WriteString("0-0,1-0\n1-1,2-1\n")
	groups, err := load(t, false, edges.String()).propagate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 3 || len(groups[0]) != 8 || len(groups[1]) != 8 {
		t.Errorf("groups are %v, want the three blocks", groups)
	}
}

func TestShortestPaths(t *testing.T) {
	weighted := load(t, false, "a,b,1\nb,c,1\na,c,5\nd,e,1\n")
	oneWay := load(t, true, "a,b\nb,c\n")
	counted := load(t, false, "a,b\na,b\nb,c\na,c\n")
	for _, c := range []struct {
		rule   string
		g      *Graph
		from   string
		to     string
		byHops bool
		want   string
	}{
		{"weights are costs", weighted, "a", "c", false, "[a b c] 2 2 true"},
		{"hops on request", weighted, "a", "c", true, "[a c] 1 1 false"},
		{"no path", weighted, "a", "d", false, "none"},
		{"to itself", weighted, "a", "a", false, "[a] 0 0 true"},
		{"along the direction", oneWay, "a", "c", false, "[a b c] 2 2 false"},
		{"not against it", oneWay, "c", "a", false, "none"},
		{"counts are no costs", counted, "a", "b", false, "[a b] 1 1 false"},
		{"karate", Karate(), "17", "26", false, "[17 6 1 32 26] 4 4 false"},
	} {
		p, err := c.g.ShortestPath(context.Background(), c.from, c.to, c.byHops)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if p.Found {
			got = fmt.Sprint(p.Nodes, p.Hops, p.Cost, p.ByCost)
		}
		if got != c.want {
			t.Errorf("%s: path is %s, want %s", c.rule, got, c.want)
		}
	}
	if p, err := build("g", false, Unweighted, []string{"a"}, nil).ShortestPath(context.Background(), "a", "a", false); err != nil || !p.Found {
		t.Errorf("an isolated node has no path to itself: %+v, %v", p, err)
	}
	_, err := weighted.ShortestPath(context.Background(), "a", "zz", false)
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != CodeNodeUnknown {
		t.Errorf("error is %v, want code %s", err, CodeNodeUnknown)
	}
}

func TestNeighboursKeepDirection(t *testing.T) {
	n, err := load(t, true, "a,b\nc,a\nb,a\n").NeighboursOf("a")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(n), "{a 3 [{b 1 out 2} {b 1 in 2} {c 1 in 1}]}"; got != want {
		t.Errorf("neighbours are %s, want %s", got, want)
	}
}

func TestSimilarLabels(t *testing.T) {
	g := load(t, false, "Alice,Bob\nCarol,张三\n张三丰,Bob\n")
	for wanted, want := range map[string]string{
		"alise": "[Alice]",
		"BOBB":  "[Bob]",
		"张三":    "[张三 张三丰]",
		"zzzz":  "[]",
		"":      "[]",
	} {
		if got := fmt.Sprint(g.Similar(wanted, 3)); got != want {
			t.Errorf("like %q are %s, want %s", wanted, got, want)
		}
	}
	if label, ok := g.Resolve(" alice "); !ok || label != "Alice" {
		t.Errorf("alice resolves to %q, %v", label, ok)
	}
	if _, ok := load(t, false, "a,A\n").Resolve("á"); ok {
		t.Error("á resolves")
	}
}

func everyAnalysis(ctx context.Context, g *Graph) map[string]func() (any, error) {
	return map[string]func() (any, error){
		"summary":     func() (any, error) { return g.Summary(ctx) },
		"degrees":     func() (any, error) { return g.DegreeDistribution(ctx) },
		"pagerank":    func() (any, error) { return g.PageRank(ctx) },
		"betweenness": func() (any, error) { return g.Betweenness(ctx) },
		"communities": func() (any, error) { return g.Communities(ctx) },
		"propagation": func() (any, error) { return g.propagate(ctx) },
		"path": func() (any, error) {
			return g.ShortestPath(ctx, g.labels[0], g.labels[len(g.labels)-1], false)
		},
	}
}

func TestAnalysesAreDeterministic(t *testing.T) {
	for name, g := range graphsOfEveryKind(t) {
		for analysis, run := range everyAnalysis(context.Background(), g) {
			var first string
			for range 5 {
				result, err := run()
				if err != nil {
					t.Fatalf("%s of %s: %v", analysis, name, err)
				}
				data, err := json.Marshal(result)
				if err != nil {
					t.Fatalf("%s of %s: %v", analysis, name, err)
				}
				if first == "" {
					first = string(data)
				}
				if string(data) != first {
					t.Fatalf("%s of %s changes from call to call:\n%s\n%s", analysis, name, first, data)
				}
			}
		}
	}
}

func TestAnalysesStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for analysis, run := range everyAnalysis(ctx, Karate()) {
		if _, err := run(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v, want %v", analysis, err, context.Canceled)
		}
	}
}

// lapsing is a context that ends after it was asked a number of times, which
// puts the cancellation in the middle of the work without a clock.
type lapsing struct {
	context.Context
	left int
}

func (l *lapsing) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestAnalysesStopInTheMiddle(t *testing.T) {
	g := random(t, 60, 200, false, true)
	for _, analysis := range []string{"summary", "pagerank", "betweenness", "communities", "path"} {
		ctx := &lapsing{context.Background(), 5}
		if _, err := everyAnalysis(ctx, g)[analysis](); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v, want %v", analysis, err, context.Canceled)
		}
		if ctx.left < -3 {
			t.Errorf("%s went on and asked %d times more", analysis, -ctx.left-1)
		}
	}
}

func TestGraphsWithoutEdgesOrNodesCanBeAnalysed(t *testing.T) {
	for _, labels := range [][]string{nil, {"a"}, {"a", "b"}} {
		g := build("g", false, Unweighted, labels, nil)
		for analysis, run := range everyAnalysis(context.Background(), g) {
			if analysis == "path" && len(labels) == 0 {
				continue
			}
			result, err := run()
			if err != nil {
				t.Errorf("%s of %v: %v", analysis, labels, err)
			}
			if _, err := json.Marshal(result); err != nil {
				t.Errorf("%s of %v: %v", analysis, labels, err)
			}
		}
	}
}

func BenchmarkAnalyses(b *testing.B) {
	g := random(b, 2000, 10_000, false, false)
	for analysis, run := range everyAnalysis(context.Background(), g) {
		b.Run(analysis, func(b *testing.B) {
			for b.Loop() {
				if _, err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
