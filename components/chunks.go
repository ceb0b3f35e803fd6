package components

import (
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A long text stands in the page as many short text nodes, so that growing at its end replaces only
// the last of them. A chunk ends at the first newline after chunkMin bytes, or at chunkMax; where
// chunks end depends only on what is before, so that it never changes while the text grows.
const (
	chunkMin = 1 << 11
	chunkMax = 1 << 12
	// shelfSize is how much text one component holds: the others do not render again, nor are they
	// laid out again.
	shelfSize = 1 << 14
)

func chunks(text string) []string {
	var list []string
	for len(text) > chunkMin {
		end := chunkEnd(text)
		if end == 0 {
			break
		}
		list = append(list, text[:end])
		text = text[end:]
	}
	if text != "" {
		list = append(list, text)
	}
	return list
}

// chunkEnd returns where the first chunk of text ends, or 0 if that is not known yet.
func chunkEnd(text string) int {
	window := text[chunkMin:min(len(text), chunkMax)]
	if i := strings.IndexByte(window, '\n'); i >= 0 {
		return chunkMin + i + 1
	}
	if len(text) <= chunkMax {
		return 0
	}
	end := chunkMax
	for end > chunkMin && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// shelves groups the chunks of a text so that no group is much larger than shelfSize.
func shelves(text string) []string {
	var list []string
	size := 0
	start := 0
	for _, chunk := range chunks(text) {
		size += len(chunk)
		if size >= shelfSize {
			list = append(list, text[start:start+size])
			start += size
			size = 0
		}
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

// longText shows a text as it is, however long. Shelves are blocks of their own, so that the browser
// breaks the lines of the last one only; but not if one ends within a line, which has to go on.
func longText(text string) []app.UI {
	parts := shelves(text)
	blocks := true
	for _, part := range parts[:max(0, len(parts)-1)] {
		blocks = blocks && strings.HasSuffix(part, "\n")
	}
	list := make([]app.UI, len(parts))
	for i, part := range parts {
		list[i] = &shelf{Text: part, Block: blocks}
	}
	return list
}

// shelf is a part of a long text.
type shelf struct {
	app.Compo

	Text  string
	Block bool
}

func (s *shelf) Render() app.UI {
	var spans []app.UI
	for _, chunk := range chunks(s.Text) {
		spans = append(spans, app.Span().Text(showControls(chunk)))
	}
	root := app.Span().Body(spans...)
	if s.Block {
		return root.Class("shelf")
	}
	return root
}
