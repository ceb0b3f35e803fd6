package components

import (
	"fmt"
	"math"
	"testing"

	"igraph-console/app/protocol"
)

func TestDrawingIsTheSameEachTimeAndWithinItsBox(t *testing.T) {
	p := &protocol.Preview{
		AddNodes: []string{"new"}, RemoveNodes: []string{"old"},
		AddEdges:    []protocol.Edge{{Source: "new", Target: "a"}, {Source: "a", Target: "a"}},
		RemoveEdges: []protocol.Edge{{Source: "old", Target: "a"}, {Source: "old", Target: "b"}},
	}
	first, ok := previewOf(p)
	again, _ := previewOf(p)
	if !ok || fmt.Sprint(first) != fmt.Sprint(again) {
		t.Fatal("two drawings of the same change differ")
	}
	if len(first.nodes) != 4 || len(first.edges) != 4 {
		t.Fatalf("%d nodes, %d edges", len(first.nodes), len(first.edges))
	}
	for _, n := range first.nodes {
		if !(n.x >= 0 && n.x <= previewWidth && n.y >= 0 && n.y <= previewHeight) {
			t.Errorf("%s is at %v, %v", n.label, n.x, n.y)
		}
	}
	for i, a := range first.nodes {
		for _, b := range first.nodes[:i] {
			if math.Hypot(a.x-b.x, a.y-b.y) < 12 {
				t.Errorf("%s and %s lie on each other", a.label, b.label)
			}
		}
	}
}

func TestSidesLeaveOutWhatIsNotThere(t *testing.T) {
	g, _ := previewOf(&protocol.Preview{
		AddNodes: []string{"new"}, RemoveNodes: []string{"old"},
		AddEdges:    []protocol.Edge{{Source: "new", Target: "a"}},
		RemoveEdges: []protocol.Edge{{Source: "old", Target: "a"}},
	})
	for without, want := range map[fate]string{added: "[old a]", removed: "[new a]"} {
		nodes, edges := g.side(without)
		var labels []string
		for _, n := range nodes {
			labels = append(labels, n.label)
		}
		if fmt.Sprint(labels) != want || len(edges) != 1 || edges[0].fate == without {
			t.Errorf("without %v: nodes %v, edges %v", without, labels, edges)
		}
	}
}

func TestTooMuchIsNotDrawn(t *testing.T) {
	var p protocol.Preview
	if _, ok := previewOf(&p); ok {
		t.Error("nothing is drawn as something")
	}
	for i := range 100_000 {
		p.AddEdges = append(p.AddEdges, protocol.Edge{Source: "hub", Target: fmt.Sprint(i)})
	}
	if _, ok := previewOf(&p); ok {
		t.Error("100,000 nodes are drawn")
	}
	one, ok := previewOf(&protocol.Preview{AddNodes: []string{"alone"}})
	if !ok || math.IsNaN(one.nodes[0].x) {
		t.Errorf("a single node: %v %v", one, ok)
	}
}
