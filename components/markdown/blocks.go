package markdown

import (
	"strconv"
	"strings"
)

// BlockKind says which fields of a [Block] have a meaning.
type BlockKind uint8

// The kinds of blocks.
const (
	// Paragraph has Inlines.
	Paragraph BlockKind = iota + 1
	// Heading has Level and Inlines.
	Heading
	// CodeBlock has Lang, possibly empty, and Text without its last newline.
	CodeBlock
	// Quote has Children.
	Quote
	// List has Ordered, Start, Tight and Children, all of kind Item.
	List
	// Item has Task and Children.
	Item
	// Rule is a thematic break.
	Rule
	// Table has Children, all of kind Row; the first is the header, and all
	// have the same number of cells.
	Table
	// TableDraft has one child of kind Row: a line that becomes the header of
	// a table, or text, when the next line decides. Shown as anything but a
	// table it keeps the promise that a table on screen stays one.
	TableDraft
	// Row has Children, all of kind Cell.
	Row
	// Cell has Align and Inlines.
	Cell
	// Plain has Text, to be shown preformatted and wrapped: Markdown too large
	// to be parsed.
	Plain
)

// Task is the state of a list item's checkbox.
type Task uint8

// The states of a checkbox.
const (
	NoTask Task = iota
	OpenTask
	DoneTask
)

// Align is the alignment of a table cell.
type Align uint8

// The alignments of a cell.
const (
	AlignDefault Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Block is a node of the tree. Blocks never change once returned: the same
// pointer means the same content, so whoever draws them can skip it.
type Block struct {
	Kind BlockKind
	// Key is the ordinal among the siblings. A block keeps it while the text
	// grows.
	Key int
	// Source is the Markdown of a top-level block, empty for inner ones.
	Source string

	Level   int
	Lang    string
	Text    string
	Ordered bool
	// Start is the number of an ordered list's first item.
	Start int
	// Tight lists show their items' paragraphs without space between them.
	Tight    bool
	Task     Task
	Align    Align
	Inlines  []Inline
	Children []*Block
}

// InlineKind says which fields of an [Inline] have a meaning.
type InlineKind uint8

// The kinds of inlines.
const (
	// TextInline has Text.
	TextInline InlineKind = iota + 1
	// CodeInline has Text.
	CodeInline
	// Emphasis has Children.
	Emphasis
	// Strong has Children.
	Strong
	// Strike has Children.
	Strike
	// Link has Href, Target and Children, none of which is a link.
	Link
	// Image has Href, Target and Text, the alternative text. It is to be shown
	// as a link: loading it would tell a stranger who reads the answer when.
	Image
	// SoftBreak is a line break of the source.
	SoftBreak
	// HardBreak is a line break the author asked for.
	HardBreak
)

// Inline is a piece of a block's text.
type Inline struct {
	Kind     InlineKind
	Text     string
	Href     string
	Target   Target
	Children []Inline
}

// Text returns what a reader sees of the blocks as plain text: list markers,
// tabs between cells and blank lines between blocks, but no Markdown marks.
func Text(blocks []*Block) string {
	return joinBlocks(blocks, "\n\n")
}

func joinBlocks(blocks []*Block, separator string) string {
	parts := make([]string, len(blocks))
	for i, b := range blocks {
		parts[i] = blockText(b)
	}
	return strings.Join(parts, separator)
}

func blockText(b *Block) string {
	switch b.Kind {
	case CodeBlock, Plain:
		return b.Text
	case Rule:
		return "---"
	case List:
		return listText(b)
	case Item:
		return taskText(b.Task) + joinBlocks(b.Children, "\n")
	case Table, TableDraft:
		return joinBlocks(b.Children, "\n")
	case Row:
		return joinBlocks(b.Children, "\t")
	case Quote:
		return joinBlocks(b.Children, "\n\n")
	default:
		return inlineText(b.Inlines)
	}
}

func listText(list *Block) string {
	items := make([]string, len(list.Children))
	for i, item := range list.Children {
		marker := "- "
		if list.Ordered {
			marker = strconv.Itoa(list.Start+i) + ". "
		}
		indent := "\n" + strings.Repeat(" ", len(marker))
		items[i] = marker + strings.ReplaceAll(blockText(item), "\n", indent)
	}
	return strings.Join(items, "\n")
}

func taskText(t Task) string {
	switch t {
	case OpenTask:
		return "[ ] "
	case DoneTask:
		return "[x] "
	default:
		return ""
	}
}

func inlineText(inlines []Inline) string {
	var b strings.Builder
	writeInlines(&b, inlines)
	return b.String()
}

func writeInlines(b *strings.Builder, inlines []Inline) {
	for _, in := range inlines {
		switch in.Kind {
		case SoftBreak, HardBreak:
			b.WriteByte('\n')
		default:
			b.WriteString(in.Text)
			writeInlines(b, in.Children)
		}
	}
}
