package markdown

import (
	"strings"
	"testing"
)

// visible returns what a reader sees of text as Markdown.
func visible(text string) string {
	return Text(Parse(text))
}

func TestCharactersThatAreNoMarksStay(t *testing.T) {
	for _, text := range []string{
		"A $5 vs $10",
		"约3~5个，或10~20个",
		"Map<String, User> 与 <think>x</think>",
		`C:\new\temp`,
		"a_b_c 2*3*4",
		"2**3**4",
		"std::vector<std::string> v",
		"<div onclick=\"alert(1)\">\n<script>alert(1)</script>\n</div>",
		"<!-- note -->",
		"a ~ b ~~ c",
		"100% & more &nosuch; &",
		"标题\n===",
		"[1]: https://example.org/x",
		"[text][1] and [1]",
		"👨‍👩‍👧‍👦尾",
		"a \ufffd b",
	} {
		if got := visible(text); got != text {
			t.Errorf("visible(%q) = %q", text, got)
		}
	}
}

func TestHTMLIsText(t *testing.T) {
	got := outline(Parse("a <b>bold</b>\n\n<table><tr>"))
	want := "0 paragraph text \"a <b>bold</b>\"\n1 paragraph text \"<table><tr>\"\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkersNextToChinesePunctuationAreBold(t *testing.T) {
	for text, want := range map[string]string{
		"**注意：**先备份。":      `strong ( text "注意：" ) text "先备份。"`,
		"请看**“规则”**一节":     `text "请看" strong ( text "“规则”" ) text "一节"`,
		"- **步骤（一）**执行":    `strong ( text "步骤（一）" ) text "执行"`,
		"**a**b":           `strong ( text "a" ) text "b"`,
		"**注意:**先备份":       `strong ( text "注意:" ) text "先备份"`,
		"先**“甲”**，后*（乙）*丙": `text "先" strong ( text "“甲”" ) text "，后" em ( text "（乙）" ) text "丙"`,
		"**「一」**二**「三」**四": `strong ( text "「一」" ) text "二" strong ( text "「三」" ) text "四"`,
		"价~~￥5~~￥3":        `text "价" strike ( text "￥5" ) text "￥3"`,
		"**重点**——说明":       `strong ( text "重点" ) text "——说明"`,
		"`**注意：**`先":       `code "**注意：**" text "先"`,
	} {
		if got := outline(Parse(text)); !strings.HasSuffix(got, " "+want+"\n") {
			t.Errorf("%q gives\n%s\nwant %s", text, got, want)
		}
	}
}

const growingFenceAndTable = "看：\n\n```go\nx := 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"

func TestGrowingFencesAndTablesNeverFlicker(t *testing.T) {
	for _, text := range []string{
		growingFenceAndTable,
		strings.ReplaceAll(growingFenceAndTable, "\n\n", "\n"),
		growingFenceAndTable + "\n\n" + growingFenceAndTable[len("看：\n\n"):],
		"- 看\n\n  ```go\n  x := 1\n  ```\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n",
	} {
		var s Stream
		var before []BlockKind
		for end := range text + "\n" {
			final, tail := s.Update(text[:end])
			kinds := leafKinds(append(final, tail...))
			for i, kind := range before {
				if i >= len(kinds) || settled(kind) && kinds[i] != kind {
					t.Fatalf("%q: a block of kind %s is gone from %v", text[:end], blockNames[kind], kinds)
				}
			}
			before = kinds
			if seen := Text(append(final, tail...)); strings.ContainsAny(seen, "|`") {
				t.Fatalf("%q shows raw marks: %q", text[:end], seen)
			}
		}
		if got, want := outline(s.Finish()), outline(wholeParse(text)); got != want {
			t.Errorf("%q ends as\n%s\nwant\n%s", text, got, want)
		}
	}
}

func settled(kind BlockKind) bool {
	return kind == CodeBlock || kind == Table
}

// leafKinds returns the kinds of the blocks that hold text, tables as a whole.
func leafKinds(blocks []*Block) []BlockKind {
	var kinds []BlockKind
	for _, b := range blocks {
		switch b.Kind {
		case List, Item, Quote:
			kinds = append(kinds, leafKinds(b.Children)...)
		default:
			kinds = append(kinds, b.Kind)
		}
	}
	return kinds
}

func TestFirstBlockKeepsItsPointerWhileOthersGrow(t *testing.T) {
	var s Stream
	text := growingFenceAndTable
	s.Update(text[:strings.Index(text, "x :=")])
	final, _ := s.Update(text[:strings.Index(text, "x :=")])
	first := final[0]
	for end := strings.Index(text, "x :="); end <= len(text); end++ {
		final, _ := s.Update(text[:end])
		if final[0] != first {
			t.Fatalf("after %q the first block is another", text[:end])
		}
	}
	if s.Finish()[0] != first {
		t.Error("after Finish the first block is another")
	}
}

func TestLongerFenceHoldsAnotherFence(t *testing.T) {
	text := "````md\n# T\n```sh\nls\n```\nend\n````\nafter"
	want := "0 code lang=\"md\" text=\"# T\\n```sh\\nls\\n```\\nend\"\n1 paragraph text \"after\"\n"
	var s Stream
	for end := range text {
		s.Update(text[:end])
	}
	s.Update(text)
	if got := outline(s.Finish()); got != want {
		t.Errorf("streamed\n%s\nwant\n%s", got, want)
	}
	if got := outline(Parse(text)); got != want {
		t.Errorf("at once\n%s\nwant\n%s", got, want)
	}
}

func TestOpenFenceEndsWithTheText(t *testing.T) {
	for text, want := range map[string]string{
		"```go\nx := 1":      "x := 1",
		"```go\nx := 1\n":    "x := 1",
		"```go\nx := 1\n``":  "x := 1\n``",
		"```go\nx := 1\n```": "x := 1",
		"```":                "",
		"```go":              "",
	} {
		blocks := Parse(text)
		if len(blocks) != 1 || blocks[0].Kind != CodeBlock || blocks[0].Text != want {
			t.Errorf("%q gives\n%s\nwant code %q", text, outline(blocks), want)
		}
	}
}

func TestJoinedDeltasShowOneEmoji(t *testing.T) {
	var s Stream
	s.Update("👨")
	_, tail := s.Update("👨" + "\u200d👩")
	if got := Text(tail); got != "👨‍👩" {
		t.Errorf("shows %q", got)
	}
}

func TestWideTableKeepsItsCellsAndWords(t *testing.T) {
	word := strings.Repeat("x", 300)
	text := "|" + strings.Repeat(" 列标题 |", 8) + "\n|" + strings.Repeat("---|", 8) + "\n| " + word + " |\n"
	table := Parse(text)[0]
	if table.Kind != Table || len(table.Children) != 2 {
		t.Fatalf("got\n%s", outline([]*Block{table}))
	}
	for _, row := range table.Children {
		if len(row.Children) != 8 {
			t.Errorf("row has %d cells, want 8", len(row.Children))
		}
	}
	if got := inlineText(table.Children[1].Children[0].Inlines); got != word {
		t.Errorf("cell shows %q", got)
	}
}
