package agent

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClustersKeepVisibleCharactersWhole(t *testing.T) {
	for text, want := range map[string][]string{
		"ab":                               {"a", "b"},
		"张三":                               {"张", "三"},
		"e\u0301a":                         {"e\u0301", "a"},
		"👍🏽!":                              {"👍🏽", "!"},
		"👩‍👩‍👧x":                           {"👩‍👩‍👧", "x"},
		"❤️a":                              {"❤️", "a"},
		"🇨🇳🇩🇪":                             {"🇨🇳", "🇩🇪"},
		"🏴\U000E0067\U000E0062\U000E007Fa": {"🏴\U000E0067\U000E0062\U000E007F", "a"},
		"1️⃣2":                             {"1️⃣", "2"},
		"각a":                               {"각", "a"},
	} {
		if got := clusters(text); !slices.Equal(got, want) {
			t.Errorf("clusters of %q are %q, want %q", text, got, want)
		}
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"short", "Who matters most?", "Who matters most?"},
		{"first line with text", "\n  \n 谁最重要？\n第二行", "谁最重要？"},
		{"white space is folded", "a\t b\u00a0 c\x07d", "a b c d"},
		{"sixty fit", strings.Repeat("图", 60), strings.Repeat("图", 60)},
		{"sixty-one are cut", strings.Repeat("图", 61), strings.Repeat("图", 59) + "…"},
		{"not inside an emoji", strings.Repeat("👩‍👩‍👧", 61), strings.Repeat("👩‍👩‍👧", 59) + "…"},
		{"no blank before the ellipsis", strings.Repeat("a", 58) + " bcdef", strings.Repeat("a", 58) + "…"},
		{"empty", " \n ", ""},
		{"invalid bytes are dropped", "a\xffb", "ab"},
	} {
		if got := Title(c.text); got != c.want {
			t.Errorf("%s: title is %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestPiecesMakeUpTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		found := pieces(text)
		if strings.Join(found, "") != text {
			t.Fatalf("the pieces %q do not make up %q", found, text)
		}
		for _, p := range found {
			if p == "" || len(clusters(p)) > longRun || utf8.ValidString(text) && !utf8.ValidString(p) {
				t.Fatalf("piece %q", p)
			}
		}
	})
}

func TestPiecesAreWords(t *testing.T) {
	got := strings.Join(pieces("Two words\n\n| a | 共有四个社区 |"), "/")
	if want := "Two /words\n\n/| /a /| /共有四个/社区 /|"; got != want {
		t.Errorf("pieces are %q, want %q", got, want)
	}
}
