package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Beyond these limits text stays as it is written. They keep a hostile or
// broken answer from taking quadratic time or nesting elements so deeply that
// the browser fails to lay them out; no honest answer comes near them.
const (
	maxNesting        = 32       // containers around a block
	maxInlineNesting  = 16       // styled spans around a text
	maxLineBytes      = 16 << 10 // a line outside code
	maxParagraphBytes = 32 << 10
	maxMarks          = 1000 // runs of delimiters and brackets in a paragraph
	maxColumns        = 200  // of a table, whose every row is filled up to them
)

// containerParser opens quotes and lists only up to maxNesting.
type containerParser struct{ parser.BlockParser }

func (p containerParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	// A list's parser has to see the lines of its own items: it keeps state.
	if _, inList := parent.(*ast.List); !inList && nesting(parent) >= maxNesting {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

func nesting(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		depth++
	}
	return depth
}

// headingParser leaves headings that are too long to longLineParser.
type headingParser struct{ parser.BlockParser }

func (p headingParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); len(line) > maxLineBytes {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// longLineParser takes every line longer than maxLineBytes as a block of its own.
type longLineParser struct{}

func (longLineParser) Trigger() []byte { return nil }

func (longLineParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	if len(line) <= maxLineBytes {
		return nil, parser.NoChildren
	}
	node := &plainNode{}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func (longLineParser) Continue(ast.Node, text.Reader, parser.Context) parser.State {
	return parser.Close
}

func (longLineParser) Close(ast.Node, text.Reader, parser.Context) {}

func (longLineParser) CanInterruptParagraph() bool { return true }

func (longLineParser) CanAcceptIndentedLine() bool { return true }

// longParagraphTransformer takes paragraphs that are too long, and are no
// tables, as plain text.
type longParagraphTransformer struct{}

func (longParagraphTransformer) Transform(paragraph *ast.Paragraph, _ text.Reader, _ parser.Context) {
	lines := paragraph.Lines()
	if n := lines.Len(); n == 0 || lines.At(n-1).Stop-lines.At(0).Start <= maxParagraphBytes {
		return
	}
	node := &plainNode{}
	node.SetPos(paragraph.Pos())
	node.SetLines(lines)
	node.SetBlankPreviousLines(paragraph.HasBlankPreviousLines())
	parent := paragraph.Parent()
	parent.ReplaceChild(parent, paragraph, node)
}

// plainNode is a block whose lines are not parsed.
type plainNode struct{ ast.BaseBlock }

var plainKind = ast.NewNodeKind("Plain")

func (*plainNode) Kind() ast.NodeKind { return plainKind }

func (*plainNode) IsRaw() bool { return true }

func (n *plainNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// pairParser wraps a parser of paired marks and stops asking it after maxMarks
// in one block: each closing mark may search all open ones before it.
type pairParser struct{ parser.InlineParser }

type markCount struct {
	block ast.Node
	marks int
}

var markCountKey = parser.NewContextKey()

func (p pairParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	count := pc.ComputeIfAbsent(markCountKey, func() any { return &markCount{} }).(*markCount)
	if count.block != parent {
		*count = markCount{block: parent}
	}
	if count.marks >= maxMarks {
		return nil
	}
	count.marks++
	return p.InlineParser.Parse(parent, block, pc)
}

// CloseBlock passes the end of a block on, which makes open brackets text.
func (p pairParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if closer, ok := p.InlineParser.(parser.CloseBlocker); ok {
		closer.CloseBlock(parent, block, pc)
	}
}
