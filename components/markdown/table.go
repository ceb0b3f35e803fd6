package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tableTransformer makes tables of paragraphs that contain a delimiter row. The
// header in front of it is the paragraph's first line or starts with a bar:
// other lines, such as "2. a | b", would not be text if a block started there.
// Goldmark's own extension would add 320 KB of HTML rendering and regular
// expressions to the client, and knows no drafts.
type tableTransformer struct{}

// draftKey is set in the context of texts still arriving.
var draftKey = parser.NewContextKey()

func (tableTransformer) Transform(paragraph *ast.Paragraph, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	lines := paragraph.Lines()
	for i := 1; i < lines.Len(); i++ {
		aligns := delimiterRow(valueOf(lines.At(i), source))
		header := splitRow(lines.At(i-1), source)
		if len(aligns) == 0 || len(aligns) > maxColumns || len(aligns) != len(header) {
			continue
		}
		if i > 1 && !startsWithBar(lines.At(i-1), source) {
			continue
		}
		table := newTable(lines.At(i-1).Start, header, aligns, source)
		for j := i + 1; j < lines.Len(); j++ {
			row := lines.At(j)
			table.AppendChild(table, newRow(row.Start, splitRow(row, source), aligns, source))
		}
		replaceLines(paragraph, i-1, table)
		return
	}
	if pc.Get(draftKey) != nil && endsInDraft(lines, source) {
		last := lines.At(lines.Len() - 1)
		header := splitRow(last, source)
		table := newTable(last.Start, header, make([]Align, len(header)), source)
		table.draft = true
		replaceLines(paragraph, lines.Len()-1, table)
	}
}

// endsInDraft reports whether the last line may still become the header of a
// table. Two lines that start with a bar are none: the second would have had to
// be a delimiter row.
func endsInDraft(lines *text.Segments, source []byte) bool {
	n := lines.Len()
	if lines.At(n-1).Stop != len(source) || !startsWithBar(lines.At(n-1), source) {
		return false
	}
	return n < 2 || !startsWithBar(lines.At(n-2), source)
}

func startsWithBar(line text.Segment, source []byte) bool {
	row := valueOf(line, source)
	bar := bytes.IndexByte(row, '|')
	return bar >= 0 && line.Padding+bar < 4 && len(bytes.Trim(row[:bar], " ")) == 0
}

// replaceLines puts table in place of the paragraph's lines from the nth on.
func replaceLines(paragraph *ast.Paragraph, n int, table *tableNode) {
	parent := paragraph.Parent()
	table.SetBlankPreviousLines(n == 0 && paragraph.HasBlankPreviousLines())
	parent.InsertAfter(parent, paragraph, table)
	paragraph.Lines().SetSliced(0, n)
	if n == 0 {
		parent.RemoveChild(parent, paragraph)
	}
}

// delimiterRow returns the alignments of a row like |---|:-:|, or none if line
// is no such row. A row of dashes alone is a rule.
func delimiterRow(line []byte) []Align {
	line = bytes.TrimSpace(line)
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, ':') < 0 {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	var aligns []Align
	for cell := range bytes.SplitSeq(line, []byte("|")) {
		cell = bytes.TrimSpace(cell)
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		aligns = append(aligns, alignOf(cell))
	}
	return aligns
}

func alignOf(cell []byte) Align {
	left, right := cell[0] == ':', cell[len(cell)-1] == ':'
	switch {
	case left && right:
		return AlignCenter
	case left:
		return AlignLeft
	case right:
		return AlignRight
	default:
		return AlignDefault
	}
}

// splitRow returns the cells of a line: what stands between bars, which a
// backslash makes text.
func splitRow(line text.Segment, source []byte) []text.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	row := source[line.Start:line.Stop]
	start := 0
	if len(row) > 0 && row[0] == '|' {
		start = 1
	}
	var cells []text.Segment
	for i := start; i < len(row); i++ {
		if row[i] == '|' && row[max(i-1, 0)] != '\\' {
			cells = append(cells, text.NewSegment(line.Start+start, line.Start+i))
			start = i + 1
		}
	}
	if start < len(row) {
		cells = append(cells, text.NewSegment(line.Start+start, line.Stop))
	}
	return cells
}

// newTable returns a table at offset start whose only row is its header.
func newTable(start int, header []text.Segment, aligns []Align, source []byte) *tableNode {
	table := &tableNode{}
	table.SetPos(start)
	table.AppendChild(table, newRow(start, header, aligns, source))
	return table
}

// newRow returns a row with one cell per alignment. Cells in excess join the
// last one: dropping them, as GitHub does, would lose text.
func newRow(start int, cells []text.Segment, aligns []Align, source []byte) *rowNode {
	row := &rowNode{}
	row.SetPos(start)
	if len(cells) > len(aligns) {
		cells[len(aligns)-1].Stop = cells[len(cells)-1].Stop
	}
	for i, align := range aligns {
		cell := &cellNode{align: align}
		if i < len(cells) {
			trimmed := cells[i].TrimLeftSpace(source)
			cell.Lines().Append(trimmed.TrimRightSpace(source))
		}
		row.AppendChild(row, cell)
	}
	return row
}

func valueOf(segment text.Segment, source []byte) []byte {
	return source[segment.Start:segment.Stop]
}

var (
	tableKind = ast.NewNodeKind("Table")
	rowKind   = ast.NewNodeKind("Row")
	cellKind  = ast.NewNodeKind("Cell")
)

type tableNode struct {
	ast.BaseBlock
	draft bool
}

func (*tableNode) Kind() ast.NodeKind { return tableKind }

func (n *tableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type rowNode struct{ ast.BaseBlock }

func (*rowNode) Kind() ast.NodeKind { return rowKind }

func (n *rowNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type cellNode struct {
	ast.BaseBlock
	align Align
}

func (*cellNode) Kind() ast.NodeKind { return cellKind }

func (n *cellNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
