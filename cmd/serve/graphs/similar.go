package graphs

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestMistyped bounds the work of comparing a text with every label, in
// characters. What is longer is no mistyped name.
const longestMistyped = 60

// Similar gives at most k labels that a person may have meant by label: those
// that contain it or are a few letters away, the closest first.
func (g *Graph) Similar(label string, k int) []string {
	wanted := strings.ToLower(strings.TrimSpace(label))
	if wanted == "" || utf8.RuneCountInString(wanted) > longestMistyped {
		return nil
	}
	type match struct {
		node, distance int
	}
	var matches []match
	allowed := max(1, utf8.RuneCountInString(wanted)/3)
	for i, l := range g.labels {
		l = strings.ToLower(l)
		d := editDistance(wanted, l, allowed)
		if d > allowed && !strings.Contains(l, wanted) && (l == "" || !strings.Contains(wanted, l)) {
			continue
		}
		matches = append(matches, match{i, d})
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(a.distance, b.distance) })
	var found []string
	for _, m := range matches[:min(k, len(matches))] {
		found = append(found, g.labels[m.node])
	}
	return found
}

// editDistance is Levenshtein's; it gives most+1 as soon as the lengths alone
// make it greater than most.
func editDistance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > most || len(y)-len(x) > most {
		return most + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			replace := diagonal
			if r != s {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
