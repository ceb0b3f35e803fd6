package components

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCutsOnlyBetweenVisibleCharacters(t *testing.T) {
	for _, whole := range []string{"字", "👨‍👩‍👧‍👦", "e\u0301", "👍🏽", "🇨🇳", "☺️"} {
		text := "ab" + whole + whole + "z"
		for n := range len(text) + 1 {
			cut := cutVisible(text, n)
			if len(cut) > n || !strings.HasPrefix(text, cut) || !utf8.ValidString(cut) {
				t.Fatalf("%q cut at %d gives %q", text, n, cut)
			}
			if rest := strings.TrimPrefix(cut, "ab"); len(cut) > 2 && rest != whole && rest != whole+whole && rest != whole+whole+"z" {
				t.Errorf("%q cut at %d gives %q: half a character", text, n, cut)
			}
		}
	}
}

func TestControlCharactersAreShown(t *testing.T) {
	for in, want := range map[string]string{
		"a\x00b":       "a␀b",
		"\x1b[31m":     "␛[31m",
		"a\rb":         "a␍b",
		"x\x7f\u0085":  "x␡⟨U+0085⟩",
		"\u202egnp":    "⟨U+202E⟩gnp",
		"tab\tand\nnl": "tab\tand\nnl",
		"字👍":           "字👍",
	} {
		if got := showControls(in); got != want {
			t.Errorf("%q shows as %q, want %q", in, got, want)
		}
	}
}

func TestShortenedTextIsOneLine(t *testing.T) {
	if got := shorten("a\n  b\tc", 80); got != "a b c" {
		t.Errorf("got %q", got)
	}
	if got := shorten(strings.Repeat("字", 10), 9); got != "字字字…" {
		t.Errorf("got %q", got)
	}
}
