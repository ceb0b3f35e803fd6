package markdown

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// wholeParse returns the blocks of text by one parse of all of it, which knows
// nothing of final blocks, growing lists or open code.
func wholeParse(text string) []*Block {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	source := []byte(text)
	return converter{source}.children(parse(source, false))
}

// parts are the stuff answers are made of, and what breaks them.
var parts = []string{
	"# 标题\n", "## Heading `x` #\n", "段落，**注意：**先备份。", "plain text with *em* and __strong__", "\n", "\n\n", "  \n", "   ",
	"- item\n", "- **步骤（一）**执行\n", "* star\n", "  - nested\n", "    - deeper\n", "1. one\n", "2. two\n", "10) ten\n", "- [ ] open\n", "- [x] done\n", "-\n", "- \n",
	"  continued\n", "    indented code\n", "\ttab\n", " - a\n", "   - b\n", "- a\n\n  b\n", "- - x\n", "1. - y\n",
	"> quote\n", "> - list in quote\n", ">\n", "> ```\n", "> > deep\n",
	"```go\n", "```\n", "````md\n", "````\n", "~~~\n", "```x``` inline\n", "   ```\n", "- ```sh\n", "  ```\n", "x := 1\n",
	"| a | b |\n", "|---|---|\n", "| 1 | 2 |\n", "|:-:|\n", "a | b\n", "--|--\n", "| `x\\|y` | **z** | more |\n", "|", "| x\n", "|\n",
	"---\n", "***\n", "===\n", "--\n", "-", "*", "`", "**", "~~gone~~", "[link](https://example.org/x)", "![alt](a.png)", "[a](", ")",
	"https://example.org/路", "<think>", "</think>\n", "<a@b.c>", "\\", "\\*", "&amp;", "&lt;", "$5", "约3~5个", "👨‍👩‍👧‍👦", "\r\n", "\r", "\x00",
	"[1]: https://example.org\n", "![[", "]]", "_", "a_b_c 2*3*4", "C:\\new\\temp", "+ plus\n", "1", ".", " ", "中",
}

func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40).Draw(t, "parts"), "")
}

func drawCuts(t *rapid.T, text string) []int {
	cuts := rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 30).Draw(t, "cuts")
	for i, cut := range cuts {
		for cut > 0 && !utf8.RuneStart((text + "x")[cut]) {
			cut--
		}
		cuts[i] = cut
	}
	return cuts
}

func TestStreamEndsWithTheBlocksOfOneParse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		want := outline(wholeParse(text))
		var s Stream
		if rapid.Bool().Draw(rt, "every byte") {
			for i := range text {
				s.Update(text[:i])
			}
		} else {
			for _, cut := range sorted(drawCuts(rt, text)) {
				s.Update(text[:cut])
			}
		}
		s.Update(text)
		got := s.Finish()
		if g := outline(got); g != want {
			rt.Fatalf("text %q\nstreamed\n%s\nat once\n%s", text, g, want)
		}
		if g, once := sources(got), sources(Parse(text)); !slices.Equal(g, once) {
			rt.Fatalf("text %q\nstreamed sources %q\nParse %q", text, g, once)
		}
	})
}

func sources(blocks []*Block) []string {
	out := make([]string, len(blocks))
	for i, b := range blocks {
		out[i] = b.Source
	}
	return out
}

func sorted(cuts []int) []int {
	slices.Sort(cuts)
	return cuts
}

// A renderer keeps what it was given: it must neither change later, nor may a
// final block be replaced.
func TestReturnedBlocksNeverChange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		outlines := map[*Block]string{}
		var s Stream
		var before []*Block
		for end := range text + " " {
			final, tail := s.Update(text[:end])
			if len(final) < len(before) || !slices.Equal(before, final[:len(before)]) {
				rt.Fatalf("%q replaces final blocks", text[:end])
			}
			before = final
			for _, b := range slices.Concat(final, tail) {
				if was, ok := outlines[b]; ok && was != outline([]*Block{b}) {
					rt.Fatalf("%q changes\n%s\nto\n%s", text[:end], was, outline([]*Block{b}))
				}
				outlines[b] = outline([]*Block{b})
			}
		}
		for b, was := range outlines {
			if now := outline([]*Block{b}); now != was {
				rt.Fatalf("%q ends with\n%s\nonce returned as\n%s", text, now, was)
			}
		}
	})
}

func TestKeysCountTheBlocks(t *testing.T) {
	var s Stream
	for end := range growingFenceAndTable {
		final, tail := s.Update(growingFenceAndTable[:end])
		for i, b := range slices.Concat(final, tail) {
			if b.Key != i {
				t.Fatalf("%q: block %d has key %d", growingFenceAndTable[:end], i, b.Key)
			}
		}
	}
}

func TestUnchangedTailKeepsItsPointers(t *testing.T) {
	for _, text := range []string{"para\n\n-", "```\ncode", "- a\n- b"} {
		var s Stream
		_, first := s.Update(text)
		_, second := s.Update(text)
		if !slices.Equal(first, second) {
			t.Errorf("%q given twice gives other blocks", text)
		}
	}
}

func TestOtherTextStartsOver(t *testing.T) {
	var s Stream
	s.Update("```go\nx := 1\n")
	s.Update("- a\n- b\n- c")
	if got, want := outline(s.Finish()), outline(Parse("- a\n- b\n- c")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s.Update("")
	if got := s.Finish(); len(got) != 0 {
		t.Errorf("empty text gives\n%s", outline(got))
	}
}

func TestFinishedTextMayGoOn(t *testing.T) {
	text := "```go\nx := 1\n``" + "`\n\n| a |\n|--" + "-|\n| 1 |\n"
	var s Stream
	for end := range text {
		s.Update(text[:end])
		s.Finish()
	}
	s.Update(text)
	if got, want := outline(s.Finish()), outline(Parse(text)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSourcesAreTheMarkdownOfTheBlocks(t *testing.T) {
	got := sources(Parse("# 标题\r\n\r\n- a\n- b\n\n\n```go\nx\n```\n\ntext\n| a |\n|---|\n| 1 |\n\nend\n"))
	want := []string{"# 标题", "- a\n- b", "```go\nx\n```", "text", "| a |\n|---|\n| 1 |", "end"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextIsWhatAReaderSees(t *testing.T) {
	got := visible("# T\n\n> q\n\n9. a\n   - [x] b\n\n     c\n10. d\n\n---\n\n| a | b |\n|---|---|\n| 1 | [2](/x) |\n\n![alt](i.png)")
	want := "T\n\nq\n\n9. a\n   - [x] b\n     c\n10. d\n\n---\n\na\tb\n1\t2\n\nalt"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
