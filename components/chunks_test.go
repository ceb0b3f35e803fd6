package components

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestChunksAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringMatching(`[a字\n]{1,40}`).Draw(t, "unit"), rapid.IntRange(1, 2000).Draw(t, "times"))
		for name, list := range map[string][]string{"chunks": chunks(text), "shelves": shelves(text)} {
			if strings.Join(list, "") != text {
				t.Fatalf("%s do not add up to the text", name)
			}
			for _, part := range list {
				if !utf8.ValidString(part) {
					t.Fatalf("a part of %s ends inside a character", name)
				}
			}
		}
	})
}

func TestGrowingTextChangesOnlyItsLastChunk(t *testing.T) {
	line := "0123456789 字字字 some words\n"
	for _, unit := range []string{line, strings.TrimSpace(line)} {
		text := strings.Repeat(unit, 3000)
		before := chunks(text[:1000])
		for n := 1000; n <= len(text); n += 997 {
			end := n
			for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
				end--
			}
			list := chunks(text[:end])
			for i := range len(before) - 1 {
				if list[i] != before[i] {
					t.Fatalf("chunk %d changed when the text grew to %d bytes", i, end)
				}
			}
			before = list
		}
	}
}
