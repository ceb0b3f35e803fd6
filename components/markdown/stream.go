package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Parse returns the blocks of a complete text.
func Parse(text string) []*Block {
	var s Stream
	s.advance(text)
	return s.Finish()
}

// Stream turns a text that grows at its end into blocks, at a cost per update
// that depends on its last block only. The zero Stream is ready; it must not be
// copied and serves one goroutine at a time.
type Stream struct {
	given string // as last passed to Update
	hasCR bool   // given contains carriage returns
	text  string // given with newlines only

	done []*Block // final blocks
	// start is the offset of the text that done and growing do not cover.
	start int
	// checked is the end of the lines in which no more final blocks were found.
	checked int
	growing *growing
	fence   *fence

	// shown is the source of the blocks after done as last parsed.
	shown    string
	isParsed bool
	tail     []*Block
}

// growing is a top-level list or table of which the first children are final.
type growing struct {
	block Block
	start int
	// head is what has to stand before the rest to make it a part of the block:
	// nothing for a list, header and delimiter row for a table.
	head string
}

// Update returns the blocks of text, the whole text so far, as two parts. The
// final blocks stay: later updates return the same pointers and only add to
// them. The tail, mostly one block, is replaced by every update that changes it.
// Together they are the whole answer; two slices, because joining them would
// cost more the longer it is.
//
// Normally text extends the text given before; if it does not, the Stream starts
// over. Comparing the two costs nothing when they share their memory, as the
// strings of one strings.Builder mostly do.
func (s *Stream) Update(text string) (final, tail []*Block) {
	s.advance(text)
	return slices.Clip(s.done), s.arriving()
}

// Finish returns the blocks of the last text taken as complete. A later Update
// may extend that text.
func (s *Stream) Finish() []*Block {
	return append(slices.Clip(s.done), s.complete()...)
}

// advance takes the text so far and moves what can no longer change to done.
// Only complete lines count: the beginning of a line may mislead.
func (s *Stream) advance(text string) {
	if !strings.HasPrefix(text, s.given) {
		*s = Stream{}
	}
	s.hasCR = s.hasCR || strings.IndexByte(text[len(s.given):], '\r') >= 0
	s.given = text
	s.text = text
	if s.hasCR {
		s.text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	for s.settle() {
		s.isParsed = false
	}
}

// settle moves the next blocks that are final to done. It reports whether more
// may follow.
func (s *Stream) settle() bool {
	if s.growing == nil {
		s.skipBlankLines()
		if s.fence == nil {
			s.fence = openFence(s.text, s.start)
		}
	}
	if s.fence != nil {
		return s.settleFence()
	}
	end := strings.LastIndexByte(s.text, '\n') + 1
	if end <= max(s.start, s.checked) {
		return false
	}
	s.checked = end
	return s.settleBlocks(end)
}

func (s *Stream) skipBlankLines() {
	for {
		line, _, isComplete := strings.Cut(s.text[s.start:], "\n")
		if !isComplete || !isBlank(line) {
			return
		}
		s.start += len(line) + 1
	}
}

// isBlank knows the two spaces that make a blank line of Markdown; other spaces
// of Unicode are text.
func isBlank(line string) bool {
	return strings.Trim(line, " \t") == ""
}

func (s *Stream) settleFence() bool {
	if !s.fence.feed(s.text) {
		return false
	}
	s.addDone(s.fence.block(), s.fence.pos)
	s.fence = nil
	return true
}

// addDone appends a final block that ends at offset end.
func (s *Stream) addDone(b *Block, end int) {
	b.Key = len(s.done)
	b.Source = s.source(s.blockStart(), end)
	s.done = append(s.done, b)
	s.start = end
	s.growing = nil
}

// source returns the Markdown between two offsets, without the blank lines
// behind it.
func (s *Stream) source(start, end int) string {
	return strings.TrimRight(s.text[start:end], " \t\n")
}

// settleBlocks parses the lines up to offset end. All blocks but the last are
// final, and so are all items but the last of a list, and all rows of a table.
func (s *Stream) settleBlocks(end int) bool {
	before := s.start
	rest := s.rest(end)
	doc := parse(rest.source, false)
	last := doc.LastChild()
	for n := doc.FirstChild(); n != last; n = n.NextSibling() {
		s.addDone(s.join(rest.block(n)), rest.offset(n.NextSibling().Pos()))
	}
	switch n := last.(type) {
	case *ast.List:
		if n.ChildCount() > 1 {
			list := s.join(rest.block(n))
			list.Children = list.Children[:len(list.Children)-1]
			s.grow(list, "", rest.offset(n.LastChild().Pos()))
		}
	case *tableNode:
		if n.ChildCount() > 1 {
			s.grow(s.join(rest.block(n)), rest.lines(n.Pos(), 2), rest.offset(n.LastChild().Pos())+
				len(rest.lines(n.LastChild().Pos(), 1)))
		}
	}
	return s.start > before
}

// grow makes b, whose children are final, the growing block. The text it does
// not cover starts at offset start.
func (s *Stream) grow(b *Block, head string, start int) {
	// Blocks returned before share these children, so nothing may be appended
	// in place.
	b.Children = slices.Clip(b.Children)
	s.growing = &growing{block: *b, head: head, start: s.blockStart()}
	s.start = start
}

// blockStart returns the offset at which the first block after done starts.
func (s *Stream) blockStart() int {
	if s.growing != nil {
		return s.growing.start
	}
	return s.start
}

// join returns b, the first block of the rest, with the children that were
// final before.
func (s *Stream) join(b *Block) *Block {
	if s.growing == nil {
		return b
	}
	children := b.Children
	if b.Kind == Table {
		children = children[1:] // the header came from the head
	}
	joined := s.growing.block
	for _, child := range children {
		child.Key = len(joined.Children)
		joined.Children = append(joined.Children, child)
	}
	joined.Tight = joined.Tight && b.Tight
	return &joined
}

// arriving returns the blocks after done while the text is incomplete.
func (s *Stream) arriving() []*Block {
	if s.fence != nil {
		if shown := s.text[s.start:]; !s.isParsed || shown != s.shown {
			s.tail = s.openCode(s.fence.block())
			s.shown, s.isParsed = shown, true
		}
		return s.tail
	}
	rest := s.rest(len(s.text))
	shown := string(rest.source[:len(rest.source)-undecided(rest.source)])
	if s.isParsed && shown == s.shown {
		return s.tail
	}
	rest.source = rest.source[:len(shown)]
	s.tail = s.blocksOf(rest, true)
	closeOpenSpans(s.tail, shown)
	s.shown, s.isParsed = shown, true
	return s.tail
}

// complete returns the blocks after done of a text that ends here.
func (s *Stream) complete() []*Block {
	if s.fence != nil {
		return s.openCode(s.fence.complete(s.text))
	}
	return s.blocksOf(s.rest(len(s.text)), false)
}

func (s *Stream) openCode(b *Block) []*Block {
	b.Key = len(s.done)
	b.Source = s.source(s.start, len(s.text))
	return []*Block{b}
}

func (s *Stream) blocksOf(r rest, arriving bool) []*Block {
	doc := parse(r.source, arriving)
	var blocks []*Block
	start := s.blockStart()
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		b := r.block(n)
		if n.PreviousSibling() == nil {
			b = s.join(b)
		}
		end := len(s.text)
		if next := n.NextSibling(); next != nil {
			end = r.offset(next.Pos())
		}
		b.Key = len(s.done) + len(blocks)
		b.Source = s.source(start, end)
		start = end
		blocks = append(blocks, b)
	}
	return blocks
}

// rest is the source of the text that done and growing do not cover, with the
// head of growing before it.
type rest struct {
	converter
	base int // offset in the text minus offset in the source
}

func (s *Stream) rest(end int) rest {
	head := ""
	if s.growing != nil {
		head = s.growing.head
	}
	source := make([]byte, 0, len(head)+end-s.start)
	source = append(append(source, head...), s.text[s.start:end]...)
	return rest{converter{source}, s.start - len(head)}
}

// offset returns the offset in the text of the line at position pos of the source.
func (r rest) offset(pos int) int {
	return r.base + bytes.LastIndexByte(r.source[:pos], '\n') + 1
}

// lines returns the first n lines from the one at position pos of the source.
func (r rest) lines(pos, n int) string {
	start := bytes.LastIndexByte(r.source[:pos], '\n') + 1
	end := start
	for range n {
		end += bytes.IndexByte(r.source[end:], '\n') + 1
	}
	return string(r.source[start:end])
}
