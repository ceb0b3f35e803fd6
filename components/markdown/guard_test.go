package markdown

import (
	"slices"
	"strings"
	"testing"
)

// hostile texts take quadratic time, deep recursion or both from a parser that
// does not expect them. The test of their limits is that they end.
func hostile() map[string]string {
	r := strings.Repeat
	var deepList strings.Builder
	for i := range 500 {
		deepList.WriteString(r("  ", i) + "- x\n")
	}
	return map[string]string{
		"quote signs":         r(">", 2000) + " x",
		"lines of signs":      r(r("> ", 100)+"x\n", 1000),
		"nested lists":        r("- ", 2000) + "x" + r("\n", 10000),
		"deep list":           deepList.String(),
		"line of 1 MB":        r("中", 350000),
		"line of marks":       r("*a_ ", 250000),
		"200,000 lines":       r("x\n", 200000),
		"200,000 items":       r("- x\n", 200000),
		"200,000 rows":        "|a|b|\n|-|-|\n" + r("|1|2|\n", 200000),
		"200,000 blank lines": r("\n", 200000) + "x",
		"open brackets":       r("[", 16000),
		"bracket pairs":       r("[", 8000) + r("]", 8000),
		"open links":          r("[a](b \"", 2300),
		"openers and closers": r("*a ", 2700) + r("b_ ", 2700),
		"nested emphasis":     r("**a *b ", 1100) + r("c* d**", 1100),
		"code spans":          r("`a``", 4000),
		"angle brackets":      r("<a@", 5000),
		"addresses":           "http://a" + r(")", 15000),
		"paragraph of marks":  r(r("*a_ ", 1000)+"\n", 8),
		"wide table":          "|" + r("a|", 5000) + "\n|" + r("-|", 5000) + "\n" + r("|x|\n", 500),
	}
}

func TestHostileTextsEndAndStayShallow(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			if depth := depthOf(Parse(text)); depth > maxNesting+maxInlineNesting+2 {
				t.Errorf("tree is %d deep", depth)
			}
		})
	}
}

func depthOf(blocks []*Block) int {
	deepest := 0
	for _, b := range blocks {
		deepest = max(deepest, 1+depthOf(b.Children), 1+inlineDepth(b.Inlines))
	}
	return deepest
}

func inlineDepth(inlines []Inline) int {
	deepest := 0
	for _, in := range inlines {
		deepest = max(deepest, 1+inlineDepth(in.Children))
	}
	return deepest
}

func TestTextBeyondTheLimitsStaysVisible(t *testing.T) {
	stars := strings.Repeat("*a ", maxMarks+10)
	for name, text := range map[string]string{
		"long line":      strings.Repeat("<", maxLineBytes+1),
		"long heading":   "# " + strings.Repeat("x", maxLineBytes),
		"long paragraph": strings.Repeat(strings.Repeat("x", 100)+"\n", maxParagraphBytes/100) + "x",
		"many marks":     strings.TrimSuffix(stars, " "),
		"many columns":   strings.Repeat("a|", maxColumns) + "b\n" + strings.Repeat("-|", maxColumns) + "-",
	} {
		if got := visible(text); got != text {
			t.Errorf("%s: shows %d bytes of %d", name, len(got), len(text))
		}
	}
	if got := visible(strings.Repeat("> ", 2*maxNesting) + "x"); !strings.HasSuffix(got, "> > x") {
		t.Errorf("deep quote shows %q", got)
	}
}

func TestLongLinesLeaveTheirNeighboursAlone(t *testing.T) {
	long := strings.Repeat("x", maxLineBytes+1)
	got := leafKinds(Parse("**a**\n" + long + "\n**b**\n\n- " + long + "\n- c\n"))
	if want := []BlockKind{Paragraph, Plain, Paragraph, Plain, Paragraph}; !slices.Equal(got, want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
}

// The marks of one paragraph must not use up those of the next.
func TestEveryParagraphHasItsOwnMarks(t *testing.T) {
	text := strings.Repeat("*a ", maxMarks) + "\n\n**b**"
	if got := Parse(text)[1].Inlines[0].Kind; got != Strong {
		t.Errorf("second paragraph starts with %s", inlineNames[got])
	}
}
