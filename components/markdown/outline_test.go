package markdown

import (
	"fmt"
	"strings"
)

var blockNames = map[BlockKind]string{
	Paragraph: "paragraph", Heading: "heading", CodeBlock: "code", Quote: "quote", List: "list", Item: "item",
	Rule: "rule", Table: "table", TableDraft: "draft", Row: "row", Cell: "cell", Plain: "plain",
}

var inlineNames = map[InlineKind]string{
	TextInline: "text", CodeInline: "code", Emphasis: "em", Strong: "strong", Strike: "strike", Link: "link",
	Image: "image", SoftBreak: "break", HardBreak: "hard break",
}

// outline writes a tree with all its fields but the sources, one line a block,
// so that trees can be compared and told apart in failures.
func outline(blocks []*Block) string {
	var b strings.Builder
	writeOutline(&b, blocks, 0)
	return b.String()
}

func writeOutline(b *strings.Builder, blocks []*Block, depth int) {
	for _, block := range blocks {
		fmt.Fprintf(b, "%s%d %s", strings.Repeat("  ", depth), block.Key, blockNames[block.Kind])
		field(b, "level", block.Level, 0)
		field(b, "lang", block.Lang, "")
		field(b, "text", block.Text, "")
		field(b, "ordered", block.Ordered, false)
		field(b, "start", block.Start, 0)
		field(b, "tight", block.Tight, false)
		field(b, "task", block.Task, NoTask)
		field(b, "align", block.Align, AlignDefault)
		writeInlineOutline(b, block.Inlines)
		b.WriteByte('\n')
		writeOutline(b, block.Children, depth+1)
	}
}

func writeInlineOutline(b *strings.Builder, inlines []Inline) {
	for _, in := range inlines {
		fmt.Fprintf(b, " %s", inlineNames[in.Kind])
		if in.Text != "" {
			fmt.Fprintf(b, " %q", in.Text)
		}
		field(b, "href", in.Href, "")
		field(b, "target", in.Target, NoTarget)
		if len(in.Children) > 0 {
			b.WriteString(" (")
			writeInlineOutline(b, in.Children)
			b.WriteString(" )")
		}
	}
}

func field[T comparable](b *strings.Builder, name string, value, zero T) {
	if value != zero {
		fmt.Fprintf(b, " %s=%#v", name, value)
	}
}
