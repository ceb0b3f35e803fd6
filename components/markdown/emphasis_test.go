package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"pgregory.net/rapid"
)

// commonMark parses with the emphasis of CommonMark.
var commonMark = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 100)),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewEmphasisParser(), 300),
	),
)

var operators = regexp.MustCompile(`[a-z]\*+[a-z]`)

func TestEmphasisWithoutOperatorsIsThatOfCommonMark(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			"*", "**", "***", "_", "__", " ", "a", "b", ".", "(", ")", "\"", "é", "`", "[", "](x)", "\n", "“", "€",
		}), 1, 20).Draw(rt, "pieces")
		source := "a" + strings.Join(pieces, "")
		if operators.MatchString(source) || strings.Contains(source, "\n\n") {
			return
		}
		// A paragraph keeps lines from being lists or rules.
		source = "x " + strings.ReplaceAll(source, "\n", "\nx ")
		want := converter{[]byte(source)}.children(commonMark.Parse(text.NewReader([]byte(source))))
		if got := Parse(source); outline(got) != outline(want) {
			rt.Fatalf("%q gives\n%s\nwant\n%s", source, outline(got), outline(want))
		}
	})
}

func TestEmphasis(t *testing.T) {
	for source, want := range map[string]string{
		"*foo bar*":           `em ( text "foo bar" )`,
		"a * foo bar*":        `text "a * foo bar*"`,
		"_foo_bar_baz_":       `em ( text "foo_bar_baz" )`,
		"foo_bar_":            `text "foo_bar_"`,
		"*foo*bar":            `em ( text "foo" ) text "bar"`,
		"***both***":          `em ( strong ( text "both" ) )`,
		"**foo *bar* baz**":   `strong ( text "foo " em ( text "bar" ) text " baz" )`,
		"**foo\nbar**":        `strong ( text "foo" break text "bar" )`,
		"** no **":            `text "** no **"`,
		"~~x~~ ~y~ ~~~z~~~":   `strike ( text "x" ) text " ~y~ ~~~z~~~"`,
		"~~**x**~~":           `strike ( strong ( text "x" ) )`,
		"2*3*4 a_b_c":         `text "2*3*4 a_b_c"`,
		"f(x)*g(y)*h":         `text "f(x)*g(y)*h"`,
		`\*not\* \_this\_`:    `text "*not* _this_"`,
		"`a*b*` `` ` ``":      "code \"a*b*\" text \" \" code \"`\"",
		"__init__.py":         `strong ( text "init" ) text ".py"`,
		"한국어**（강조）**입니다":      `text "한국어" strong ( text "（강조）" ) text "입니다"`,
		"これは**「強調」**です":       `text "これは" strong ( text "「強調」" ) text "です"`,
		"a&amp;b &#20013;\\&": `text "a&b 中&"`,
		"hard  \nbreak\\\nx":  `text "hard" hard break text "break" hard break text "x"`,
	} {
		if got := strings.TrimSpace(outline(Parse(source))); got != "0 paragraph "+want {
			t.Errorf("%q gives\n%s\nwant\n0 paragraph %s", source, got, want)
		}
	}
}
