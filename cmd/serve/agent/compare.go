package agent

import (
	"cmp"
	"slices"
	"strconv"

	"igraph-console/cmd/serve/graphs"
)

// comparison tells where PageRank and betweenness differ, if both were asked for.
func (r *run) comparison(told []finding) []string {
	var ranks []graphs.Score
	var between []graphs.Score
	for _, f := range told {
		switch v := f.result.(type) {
		case graphs.Ranking:
			ranks = v.Scores
		case graphs.Betweenness:
			between = v.Scores
		}
	}
	if len(ranks) < 2 || len(between) < 2 || between[0].Score == 0 {
		return nil
	}
	lead := r.say("compare_same", escape(ranks[0].Node))
	if ranks[0].Node != between[0].Node {
		lead = r.say("compare_leaders", escape(ranks[0].Node), escape(between[0].Node))
	}
	if node, a, b := farthestApart(ranks, between); a != b {
		lead += " " + r.say("compare_most", escape(node), count(a), count(b))
	}
	return []string{"### " + r.say("compare_title"), lead + " " + r.say("compare_why")}
}

// farthestApart is the node among the first ten of either ranking whose places differ most; places
// are counted from 1.
func farthestApart(ranks, between []graphs.Score) (node string, a, b int) {
	places := func(scores []graphs.Score) map[string]int {
		at := make(map[string]int, len(scores))
		for i, s := range scores {
			at[s.Node] = i + 1
		}
		return at
	}
	inRanks, inBetween := places(ranks), places(between)
	leading := append(slices.Clone(ranks[:min(chatRows, len(ranks))]), between[:min(chatRows, len(between))]...)
	for _, s := range leading {
		x, y := inRanks[s.Node], inBetween[s.Node]
		if max(x-y, y-x) > max(a-b, b-a) {
			node, a, b = s.Node, x, y
		}
	}
	return node, a, b
}

// inNaturalOrder sorts labels as a person would: numbers by value, before words.
func inNaturalOrder(labels []string) []string {
	sorted := slices.Clone(labels)
	slices.SortStableFunc(sorted, func(x, y string) int {
		nx, errX := strconv.Atoi(x)
		ny, errY := strconv.Atoi(y)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(nx, ny)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return cmp.Compare(x, y)
	})
	return sorted
}
