package graphs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func load(t testing.TB, directed bool, data string) *Graph {
	t.Helper()
	g, err := Load("g.csv", []byte(data), Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestPreviewNamesWhatFollowsFromAChange(t *testing.T) {
	g := load(t, false, "a,b\nb,c\nc,a\nc,d\n")
	for _, c := range []struct {
		rule string
		m    Mutation
		want string
	}{
		{"a node takes its edges along", Mutation{RemoveNodes: []string{"c"}}, "+[] -[c] +[] -[{a c 0} {b c 0} {c d 0}] 4→3 4→1"},
		{"an edge brings its nodes", Mutation{AddEdges: []Edge{{From: "d", To: "e"}}}, "+[e] -[] +[{d e 0}] -[] 4→5 4→5"},
		{"an edge goes in either direction", Mutation{RemoveEdges: []Edge{{From: "b", To: "a"}}}, "+[] -[] +[] -[{a b 0}] 4→4 4→3"},
		{"a node stays alone", Mutation{AddNodes: []string{"x y"}}, "+[x y] -[] +[] -[] 4→5 4→4"},
		{"a weight makes the graph weighted", Mutation{AddEdges: []Edge{{From: "a", To: "d", Weight: 2}}}, "+[] -[] +[{a d 2}] -[] 4→4 4→5"},
	} {
		p, err := g.Preview(c.m)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		got := fmt.Sprintf("+%v -%v +%v -%v %d→%d %d→%d", p.AddNodes, p.RemoveNodes, p.AddEdges, p.RemoveEdges, p.NodesBefore, p.NodesAfter, p.EdgesBefore, p.EdgesAfter)
		if got != c.want {
			t.Errorf("%s: preview is\n%s, want\n%s", c.rule, got, c.want)
		}
	}
}

func TestImpossibleChangesAreRefused(t *testing.T) {
	g := load(t, false, "a,b\nb,c\n")
	for _, c := range []struct {
		m    Mutation
		code Code
	}{
		{Mutation{}, CodeNoChange},
		{Mutation{AddNodes: []string{"a"}}, CodeNodeExists},
		{Mutation{AddNodes: []string{" "}}, CodeBadLabel},
		{Mutation{RemoveNodes: []string{"z"}}, CodeNodeUnknown},
		{Mutation{AddEdges: []Edge{{From: "b", To: "a"}}}, CodeEdgeExists},
		{Mutation{AddEdges: []Edge{{From: "a", To: "a"}}}, CodeSelfLoop},
		{Mutation{AddEdges: []Edge{{From: "a", To: "c", Weight: -1}}}, CodeBadWeight},
		{Mutation{AddEdges: []Edge{{From: "a", To: "c"}, {From: "c", To: "a"}}}, CodeEdgeExists},
		{Mutation{RemoveEdges: []Edge{{From: "a", To: "c"}}}, CodeEdgeUnknown},
		{Mutation{RemoveEdges: []Edge{{From: "a", To: "z"}}}, CodeNodeUnknown},
		{Mutation{RemoveNodes: []string{"a"}, AddNodes: []string{"a"}}, CodeConflict},
		{Mutation{RemoveNodes: []string{"a"}, AddEdges: []Edge{{From: "a", To: "c"}}}, CodeConflict},
		{Mutation{RemoveEdges: []Edge{{From: "a", To: "b"}}, AddEdges: []Edge{{From: "a", To: "b"}}}, CodeConflict},
	} {
		_, _, err := g.Apply(c.m)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%+v: error is %v, want code %s", c.m, err, c.code)
			continue
		}
		checkWording(t, refused.EN, refused.ZH)
	}
}

// Whatever a mutation does to a graph, its preview says exactly that: nothing
// more changes and nothing less.
func TestApplyDoesWhatThePreviewSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "甲", "乙"})
		edge := rapid.Custom(func(t *rapid.T) Edge {
			return Edge{node.Draw(t, "from"), node.Draw(t, "to"), rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "weight")}
		})
		c := newCollector("g")
		c.directed = rapid.Bool().Draw(t, "directed")
		for _, e := range rapid.SliceOfN(edge, 1, 12).Draw(t, "edges") {
			if err := c.edge(e.From, e.To, e.Weight, 0); err != nil {
				t.Fatal(err)
			}
		}
		g, err := c.graph()
		if err != nil {
			t.Skip("no edges")
		}
		m := Mutation{
			AddNodes:    rapid.SliceOfN(node, 0, 2).Draw(t, "add nodes"),
			RemoveNodes: rapid.SliceOfN(node, 0, 2).Draw(t, "remove nodes"),
			AddEdges:    rapid.SliceOfN(edge, 0, 2).Draw(t, "add edges"),
			RemoveEdges: rapid.SliceOfN(edge, 0, 2).Draw(t, "remove edges"),
		}
		before := outline(g)
		said, previewErr := g.Preview(m)
		changed, done, applyErr := g.Apply(m)
		if (previewErr == nil) != (applyErr == nil) {
			t.Fatalf("preview says %v, apply says %v", previewErr, applyErr)
		}
		if outline(g) != before {
			t.Fatalf("the graph itself changed from %q to %q", before, outline(g))
		}
		if applyErr != nil {
			return
		}
		if fmt.Sprint(said) != fmt.Sprint(done) {
			t.Fatalf("preview says %v, apply did %v", said, done)
		}
		checkDifference(t, g, changed, said)
	})
}

// checkDifference compares two graphs as sets, without the code under test.
func checkDifference(t *rapid.T, before, after *Graph, p Preview) {
	nodes := map[string]bool{}
	for _, n := range before.Nodes() {
		nodes[n] = true
	}
	edges := edgeSet(before)
	for _, n := range p.RemoveNodes {
		delete(nodes, n)
	}
	for _, e := range p.RemoveEdges {
		delete(edges, pairKey(before, e))
	}
	for _, n := range p.AddNodes {
		nodes[n] = true
	}
	for _, e := range p.AddEdges {
		edges[pairKey(before, e)] = max(e.Weight, 0)
	}
	if len(nodes) != p.NodesAfter || len(edges) != p.EdgesAfter || before.NodeCount() != p.NodesBefore || before.EdgeCount() != p.EdgesBefore {
		t.Fatalf("the counts %+v do not fit the lists", p)
	}
	if got := slices.Sorted(slices.Values(after.Nodes())); !slices.Equal(got, slices.Sorted(maps.Keys(nodes))) {
		t.Fatalf("nodes after are %v, the preview gives %v", got, nodes)
	}
	got := edgeSet(after)
	for k, w := range edges {
		// Edges of a graph that was unweighted before count 1 afterwards.
		if w == 0 {
			w = 1
		}
		if g, ok := got[k]; !ok || max(g, 1e-9) != w && !(g == 0 && w == 1) {
			t.Fatalf("edges after are %v, the preview gives %v", got, edges)
		}
	}
	if len(got) != len(edges) {
		t.Fatalf("edges after are %v, the preview gives %v", got, edges)
	}
}

func edgeSet(g *Graph) map[string]float64 {
	set := map[string]float64{}
	for _, e := range g.Edges() {
		set[pairKey(g, e)] = e.Weight
	}
	return set
}

func pairKey(g *Graph, e Edge) string {
	if !g.Directed() && e.To < e.From {
		e.From, e.To = e.To, e.From
	}
	return e.From + "\x00" + e.To
}
