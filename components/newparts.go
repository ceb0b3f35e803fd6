package components

import (
	"strings"

	"igraph-console/app/store"
)

// partsSince counts what has come since a mark: messages of the person, cards and paragraphs.
func partsSince(m mark, s *store.Session) int {
	if s == nil || m.turns == 0 {
		return 0
	}
	n := 0
	for i := max(m.turns-1, 0); i < s.Turns(); i++ {
		run := s.Turn(i).Run
		first := 0
		if i == m.turns-1 {
			first = min(m.items, run.Len())
			n += grownParagraphs(m, run)
		} else {
			n++
		}
		for j := first; j < run.Len(); j++ {
			n += 1 + paragraphBreaks(messageText(run.At(j)))
		}
	}
	return n
}

// grownParagraphs counts the paragraphs added to the message that was last when the reader left.
func grownParagraphs(m mark, run *store.Run) int {
	if m.items == 0 || m.items > run.Len() {
		return 0
	}
	text := messageText(run.At(m.items - 1))
	if len(text) <= len(m.text) {
		return 0
	}
	// The break may have been half there.
	return paragraphBreaks(text[max(len(m.text)-1, 0):])
}

// paragraphBreaks counts where a further paragraph begins.
func paragraphBreaks(text string) int {
	return strings.Count(strings.TrimRight(text, "\n"), "\n\n")
}
