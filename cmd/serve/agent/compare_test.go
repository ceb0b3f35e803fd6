package agent

import (
	"slices"
	"testing"

	"igraph-console/cmd/serve/graphs"
)

func TestTheNodeWhosePlacesDifferMostIsNamed(t *testing.T) {
	ranks := []graphs.Score{{Node: "a"}, {Node: "b"}, {Node: "c"}, {Node: "d"}}
	between := []graphs.Score{{Node: "b"}, {Node: "a"}, {Node: "d"}, {Node: "c"}}
	if node, a, b := farthestApart(ranks, between); node != "a" || a != 1 || b != 2 {
		t.Errorf("%s at %d and %d", node, a, b)
	}
	if _, a, b := farthestApart(ranks, ranks); a != b {
		t.Errorf("equal rankings differ by %d", a-b)
	}
}

func TestLabelsStandInNaturalOrder(t *testing.T) {
	got := inNaturalOrder([]string{"10", "乙", "9", "甲", "a", "1"})
	if !slices.Equal(got[:3], []string{"1", "9", "10"}) {
		t.Errorf("%q", got)
	}
}
