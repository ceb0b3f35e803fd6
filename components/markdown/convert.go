package markdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownParser is CommonMark without HTML, headings by underline and link
// reference definitions; the package comment says why.
var markdownParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 100),
		util.Prioritized(containerParser{parser.NewListParser()}, 200),
		util.Prioritized(parser.NewListItemParser(), 300),
		util.Prioritized(parser.NewCodeBlockParser(), 400),
		util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 500),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 600),
		util.Prioritized(containerParser{parser.NewBlockquoteParser()}, 700),
		util.Prioritized(longLineParser{}, 800),
		util.Prioritized(parser.NewParagraphParser(), 900),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(tableTransformer{}, 100),
		util.Prioritized(longParagraphTransformer{}, 200),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(pairParser{parser.NewLinkParser()}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(pairParser{emphasisParser{}}, 400),
	),
)

// parse returns the document of source. In an arriving source a last line that
// may become a table's header makes a draft.
func parse(source []byte, arriving bool) ast.Node {
	pc := parser.NewContext()
	if arriving {
		pc.Set(draftKey, true)
	}
	return markdownParser.Parse(text.NewReader(source), parser.WithContext(pc))
}

// converter makes our tree of goldmark's, whose nodes are offsets into source.
type converter struct{ source []byte }

func (c converter) children(n ast.Node) []*Block {
	var blocks []*Block
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		b := c.block(child)
		b.Key = len(blocks)
		blocks = append(blocks, b)
	}
	return blocks
}

func (c converter) block(n ast.Node) *Block {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return &Block{Kind: Paragraph, Inlines: c.inlines(n, inlineContext{})}
	case *ast.Heading:
		return &Block{Kind: Heading, Level: n.Level, Inlines: c.inlines(n, inlineContext{})}
	case *ast.FencedCodeBlock:
		return &Block{Kind: CodeBlock, Lang: unescape(string(n.Language(c.source))), Text: c.lines(n)}
	case *ast.CodeBlock:
		return &Block{Kind: CodeBlock, Text: c.lines(n)}
	case *ast.Blockquote:
		return &Block{Kind: Quote, Children: c.children(n)}
	case *ast.List:
		return &Block{Kind: List, Ordered: n.IsOrdered(), Start: n.Start, Tight: n.IsTight, Children: c.children(n)}
	case *ast.ListItem:
		return c.item(n)
	case *ast.ThematicBreak:
		return &Block{Kind: Rule}
	case *tableNode:
		kind := Table
		if n.draft {
			kind = TableDraft
		}
		return &Block{Kind: kind, Children: c.children(n)}
	case *rowNode:
		return &Block{Kind: Row, Children: c.children(n)}
	case *cellNode:
		return &Block{Kind: Cell, Align: n.align, Inlines: c.inlines(n, inlineContext{inCell: true})}
	default: // plainNode; a kind of block unknown here loses its form, not its text
		return &Block{Kind: Plain, Text: c.lines(n)}
	}
}

// lines returns the text of a block that is not parsed, without the last newline.
func (c converter) lines(n ast.Node) string {
	var b strings.Builder
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		b.Write(line.Value(c.source))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// item recognises checkboxes in the source, where an escaped bracket is none.
func (c converter) item(n *ast.ListItem) *Block {
	item := &Block{Kind: Item, Children: c.children(n)}
	if len(item.Children) == 0 || item.Children[0].Kind != Paragraph {
		return item
	}
	line := n.FirstChild().Lines().At(0)
	box, _, _ := strings.Cut(string(line.Value(c.source)), " ")
	if box == "[" {
		box = "[ ]"
	}
	first := item.Children[0]
	if len(first.Inlines) == 0 || !strings.HasPrefix(first.Inlines[0].Text, box+" ") {
		return item
	}
	switch box {
	case "[ ]":
		item.Task = OpenTask
	case "[x]", "[X]":
		item.Task = DoneTask
	default:
		return item
	}
	first.Inlines[0].Text = first.Inlines[0].Text[len(box)+1:]
	return item
}

// inlineContext is what surrounds an inline.
type inlineContext struct {
	depth  int
	inLink bool
	inCell bool
}

func (c converter) inlines(n ast.Node, in inlineContext) []Inline {
	var out []Inline
	in.depth++
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		out = c.inline(out, child, in)
	}
	if in.inLink {
		return out
	}
	return linkifyAll(out)
}

// inline appends what n is to out.
func (c converter) inline(out []Inline, n ast.Node, in inlineContext) []Inline {
	switch n := n.(type) {
	case *ast.Text:
		out = appendText(out, unescape(string(n.Segment.Value(c.source))))
		if n.HardLineBreak() {
			return append(out, Inline{Kind: HardBreak})
		}
		if n.SoftLineBreak() {
			return append(out, Inline{Kind: SoftBreak})
		}
		return out
	case *ast.CodeSpan:
		return append(out, Inline{Kind: CodeInline, Text: c.codeText(n, in)})
	case *ast.Emphasis:
		if n.Level == 1 {
			return c.span(out, Inline{Kind: Emphasis}, n, in)
		}
		return c.span(out, Inline{Kind: Strong}, n, in)
	case *strikeNode:
		return c.span(out, Inline{Kind: Strike}, n, in)
	case *ast.Link:
		return c.link(out, n, in)
	case *ast.Image:
		return c.image(out, n, in)
	case *ast.AutoLink:
		return c.autoLink(out, n, in)
	default:
		return appendAll(out, c.inlines(n, in))
	}
}

// span appends a span with the children of n, or the bare children if spans
// are nested too deeply.
func (c converter) span(out []Inline, span Inline, n ast.Node, in inlineContext) []Inline {
	children := c.inlines(n, in)
	if in.depth > maxInlineNesting {
		return appendAll(out, children)
	}
	span.Children = children
	return append(out, span)
}

func (c converter) codeText(n ast.Node, in inlineContext) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.Write(t.Segment.Value(c.source))
		}
	}
	code := strings.ReplaceAll(b.String(), "\n", " ")
	if in.inCell {
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	return code
}

func (c converter) link(out []Inline, n *ast.Link, in inlineContext) []Inline {
	href, target := resolve(unescape(string(n.Destination)))
	if target == NoTarget || in.inLink {
		return appendAll(out, c.inlines(n, in))
	}
	in.inLink = true
	return c.span(out, Inline{Kind: Link, Href: href, Target: target}, n, in)
}

func (c converter) image(out []Inline, n *ast.Image, in inlineContext) []Inline {
	alt := inlineText(c.inlines(n, inlineContext{depth: in.depth, inLink: true, inCell: in.inCell}))
	href, target := resolve(unescape(string(n.Destination)))
	if target == NoTarget || in.inLink {
		return appendText(out, alt)
	}
	return append(out, Inline{Kind: Image, Href: href, Target: target, Text: alt})
}

// autoLink keeps the angle brackets of what is no safe address: in
// std::vector<std::string> they are not there to make a link.
func (c converter) autoLink(out []Inline, n *ast.AutoLink, in inlineContext) []Inline {
	label := string(n.Label(c.source))
	address := label
	if n.AutoLinkType == ast.AutoLinkEmail {
		address = "mailto:" + label
	}
	href, target := resolve(address)
	if target != WebTarget && target != MailTarget {
		return appendText(out, "<"+label+">")
	}
	if in.inLink {
		return appendText(out, label)
	}
	return append(out, Inline{
		Kind: Link, Href: href, Target: target,
		Children: []Inline{{Kind: TextInline, Text: label}},
	})
}

func linkifyAll(inlines []Inline) []Inline {
	if !slices.ContainsFunc(inlines, func(in Inline) bool { return strings.Contains(in.Text, "://") }) {
		return inlines
	}
	var out []Inline
	for _, in := range inlines {
		if in.Kind == TextInline && strings.Contains(in.Text, "://") {
			out = append(out, linkify(in.Text)...)
			continue
		}
		out = append(out, in)
	}
	return out
}

func appendAll(out, more []Inline) []Inline {
	for _, in := range more {
		if in.Kind == TextInline {
			out = appendText(out, in.Text)
			continue
		}
		out = append(out, in)
	}
	return out
}

// unescape resolves backslash escapes and entities in one pass, so that an
// escaped ampersand starts no entity.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			b.WriteByte(s[i+1])
			i += 2
			continue
		}
		if s[i] == '&' {
			if chars, n := entity(s[i:]); n > 0 {
				b.WriteString(chars)
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// entity returns the characters of the entity at the start of s and its length
// in s, which is 0 if there is none.
func entity(s string) (chars string, n int) {
	const longest = 33 // bytes, ampersand and semicolon included
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if name[0] != '#' {
		e, ok := util.LookUpHTML5EntityByName(name)
		if !ok {
			return "", 0
		}
		return string(e.Characters), end + 1
	}
	code, err := codePoint(name[1:])
	if err != nil {
		return "", 0
	}
	return string(code), end + 1
}

func codePoint(digits string) (rune, error) {
	base := 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		base, digits = 16, digits[1:]
	}
	code, err := strconv.ParseUint(digits, base, 24)
	if err != nil {
		return 0, err
	}
	if code == 0 || !utf8.ValidRune(rune(code)) {
		return utf8.RuneError, nil
	}
	return rune(code), nil
}
