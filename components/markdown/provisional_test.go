package markdown

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// arriving returns what is shown of a text that may go on.
func arriving(text string) []*Block {
	var s Stream
	final, tail := s.Update(text)
	return append(final, tail...)
}

func TestHalfArrivedMarksDoNotShow(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n-":                 "a",
		"a\n-":                   "a",
		"a\n\n1.":                "a",
		"a\n## ":                 "a",
		"a\n``":                  "a",
		"a\n```go":               "a",
		"> ``":                   "",
		"- **":                   "",
		"- [ ]":                  "",
		"a\n```x` b":             "a\nx` b",
		"see **bo":               "see bo",
		"see **bo*":              "see bo",
		"see **bold** and *":     "see bold and",
		"**a `b` c":              "a b c",
		"**first\nsecond":        "first\nsecond",
		"run `go te":             "run go te",
		"old ~~pri":              "old pri",
		"see [docs](https://exa": "see docs",
		"see [docs](/pa":         "see docs",
		"see [docs]":             "see [docs]",
		"| a | **b":              "a\tb",
		"| a | b |\n|--":         "a\tb",
		"- x\n  | a | b |\n  |-": "- x\n  a\tb",
		"# **T":                  "T",
		"2**3 is":                "2**3 is",
		"a ** b":                 "a ** b",
		"x **y\n\nnext":          "x **y\n\nnext",
		"# x **y\n":              "x **y",
	} {
		if got := Text(arriving(text)); got != want {
			t.Errorf("%q shows %q, want %q", text, got, want)
		}
	}
}

func TestOnlyTheNextLineMakesADraftATable(t *testing.T) {
	for text, want := range map[string][]BlockKind{
		"| a | b |":                        {TableDraft},
		"| a | b |\n":                      {TableDraft},
		"| a | b |\n|---|---|":             {TableDraft},
		"| a | b |\n|---|---|\n":           {Table},
		"| a | b |\n|---|---|\n| 1":        {Table},
		"| a | b |\nc":                     {Paragraph},
		"| a | b |\n\n":                    {Paragraph},
		"| a | b |\n| c | d |":             {Paragraph},
		"text\n| a | b |":                  {Paragraph, TableDraft},
		"text\n| a | b |\n|---|---|\n":     {Paragraph, Table},
		"| a |\n|---|\n| 1 |\n\n| b |":     {Table, TableDraft},
		"```\n| a | b |":                   {CodeBlock},
		"| a | b |\n|---|\n":               {Paragraph},
		"- | a | b |\n  |---|---|\n  | 1 ": {Table},
	} {
		if got := leafKinds(arriving(text)); !slices.Equal(got, want) {
			t.Errorf("%q shows kinds %v, want %v", text, got, want)
		}
	}
}

func TestFinishShowsWhatWasHeldBack(t *testing.T) {
	for _, text := range []string{"a\n--", "see **bo", "run `go te", "| a | b |", "42", "a *", "see [docs](/pa", "``"} {
		var s Stream
		s.Update(text)
		if got := Text(s.Finish()); got != text {
			t.Errorf("%q ends as %q", text, got)
		}
	}
}

// Whatever is held back, words that have arrived show up at once, except in the
// places where Markdown has no text: addresses and what follows a code fence.
func TestArrivedWordsShow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			"词", "word", "\n", "\n\n", " ", "- ", "1. ", "> ", "# ", "| ", "|\n", "|--|\n", "**", "*", "_", "`", "~~", "[", "]", "<b>", "\\", "&",
		}), 0, 30).Draw(rt, "pieces")
		text := strings.Join(pieces, "") + "end"
		shown := Text(arriving(text))
		for _, word := range []string{"词", "word", "end"} {
			if strings.Count(shown, word) != strings.Count(text, word) && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
				rt.Fatalf("%q shows %q", text, shown)
			}
		}
	})
}
