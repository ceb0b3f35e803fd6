package markdown

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// emphasisParser finds *emphasis*, **strong** and ~~strikethrough~~.
//
// CommonMark lets a run of asterisks open or close only if its sides differ in
// a way that spaces between words bring about: in **注意：**先 the closing run
// stands between punctuation and a letter, which reads as the start of a word.
// Chinese and Japanese have no such spaces. So here punctuation of these
// scripts counts as a letter, and any character of them next to a run excuses
// other punctuation on its far side, as a space would.
//
// Between two ASCII letters or digits asterisks are operators, as in 2*3*4, and
// open nothing. There CommonMark would swallow them.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte {
	return []byte{'*', '_', '~'}
}

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	mark := line[0]
	length := 1
	for length < len(line) && line[length] == mark {
		length++
	}
	// A single tilde means "about", three are no mark of a span.
	if mark == '~' && (length != 2 || before == '~') {
		return nil
	}
	after := ' '
	if length < len(line) {
		after, _ = utf8.DecodeRune(line[length:])
	}
	canOpen, canClose := flanking(mark, before, after)
	node := parser.NewDelimiter(canOpen, canClose, length, mark, pairing{mark})
	node.Segment = segment.WithStop(segment.Start + length)
	block.Advance(length)
	pc.PushDelimiter(node)
	return node
}

// flanking says whether a run of marks between two characters can open a span
// and whether it can close one.
func flanking(mark byte, before, after rune) (canOpen, canClose bool) {
	if mark == '_' {
		left, right := sides(before, after, util.IsPunctRune)
		return left && (!right || util.IsPunctRune(before)), right && (!left || util.IsPunctRune(after))
	}
	left, right := sides(before, after, func(r rune) bool { return util.IsPunctRune(r) && !isEastAsian(r) })
	isOperator := mark == '*' && isASCIIWord(before) && isASCIIWord(after)
	return left && !isOperator, right
}

func isASCIIWord(r rune) bool {
	return r < utf8.RuneSelf && isAlphanumeric(byte(r))
}

// sides says whether a run is left-flanking and whether it is right-flanking.
func sides(before, after rune, isPunctuation func(rune) bool) (left, right bool) {
	spaceBefore, spaceAfter := util.IsSpaceRune(before), util.IsSpaceRune(after)
	punctBefore, punctAfter := isPunctuation(before), isPunctuation(after)
	left = !spaceAfter && (!punctAfter || spaceBefore || punctBefore || isEastAsian(before))
	right = !spaceBefore && (!punctBefore || spaceAfter || punctAfter || isEastAsian(after))
	return left, right
}

// isEastAsian reports whether r is a letter or punctuation of Chinese, Japanese
// or Korean, full-width forms included.
func isEastAsian(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x11ff, // Hangul letters
		r >= 0x2e80 && r <= 0xa4cf,   // radicals, punctuation, kana, ideographs
		r >= 0xa960 && r <= 0xa97f,   // Hangul letters
		r >= 0xac00 && r <= 0xd7ff,   // Hangul syllables
		r >= 0xf900 && r <= 0xfaff,   // compatibility ideographs
		r >= 0xfe30 && r <= 0xfe4f,   // vertical punctuation
		r >= 0xff00 && r <= 0xffef,   // full-width forms
		r >= 0x1aff0 && r <= 0x1b2ff, // kana
		r >= 0x20000 && r <= 0x3ffff: // further ideographs
		return true
	}
	return false
}

// strikeNode is a ~~struck~~ span.
type strikeNode struct{ ast.BaseInline }

var strikeKind = ast.NewNodeKind("Strike")

func (*strikeNode) Kind() ast.NodeKind { return strikeKind }

func (n *strikeNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// pairing makes spans of matching runs of one mark.
type pairing struct{ mark byte }

func (p pairing) IsDelimiter(c byte) bool { return c == p.mark }

func (p pairing) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (p pairing) OnMatch(consumes int) ast.Node {
	if p.mark == '~' {
		return &strikeNode{}
	}
	return ast.NewEmphasis(consumes)
}
