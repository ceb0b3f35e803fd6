package graphs

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Weights outside this range would overflow when added up, or vanish.
const (
	minWeight = 1e-12
	maxWeight = 1e12
)

func validWeight(w float64) bool {
	return !math.IsNaN(w) && w >= minWeight && w <= maxWeight
}

func formatWeight(w float64) string { return strconv.FormatFloat(w, 'g', -1, 64) }

// validLabel holds for labels that fit a line of text. Format characters such
// as joiners are part of emoji and of some scripts, so only controls are out.
func validLabel(label string) bool {
	if label == "" || strings.TrimSpace(label) != label || !utf8.ValidString(label) {
		return false
	}
	if len(label) > MaxLabel && utf8.RuneCountInString(label) > MaxLabel {
		return false
	}
	return strings.IndexFunc(label, unicode.IsControl) < 0
}

// short cuts a text so that it can be quoted in a message.
func short(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
