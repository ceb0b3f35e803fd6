package components

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/components/markdown"
	"igraph-console/locales"
)

// Blocks that are there whole when they are first drawn (a history, a rebuilt run) and will not
// change go into the page in one piece per group: making them element by element costs several
// times more, most of a rebuild's time. What stands in the piece is written here and nowhere else,
// every text and every address through escape; it is element for element what blockView makes.

// settledHTML writes a group of blocks. It reports false for those that need components of their
// own: boxes to tick, and what may be too long to be one piece.
func settledHTML(p *Page, blocks []*markdown.Block) (html string, ok bool) {
	w := htmlWriter{page: p}
	w.raw(`<div class="prose">`)
	for _, b := range blocks {
		if !w.block(b) {
			return "", false
		}
	}
	w.raw(`</div>`)
	return w.text.String(), true
}

type htmlWriter struct {
	page *Page
	text strings.Builder
}

func (w *htmlWriter) raw(html string) { w.text.WriteString(html) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

func (w *htmlWriter) escape(text string) { _, _ = escaper.WriteString(&w.text, text) }

func (w *htmlWriter) block(b *markdown.Block) bool {
	switch b.Kind {
	case markdown.Paragraph:
		w.raw(`<p dir="auto">`)
		w.inlines(b.Inlines)
		w.raw(`</p>`)
	case markdown.Heading:
		level := strconv.Itoa(b.Level)
		w.raw(`<h` + level + ` dir="auto">`)
		w.inlines(b.Inlines)
		w.raw(`</h` + level + `>`)
	case markdown.Rule:
		w.raw(`<hr>`)
	case markdown.Quote:
		w.raw(`<blockquote dir="auto">`)
		for _, child := range b.Children {
			if !w.block(child) {
				return false
			}
		}
		w.raw(`</blockquote>`)
	case markdown.List:
		return w.list(b)
	case markdown.Table:
		return w.table(b)
	case markdown.CodeBlock:
		return w.code(b)
	default:
		return false
	}
	return true
}

func (w *htmlWriter) list(b *markdown.Block) bool {
	tag := "ul"
	if b.Ordered {
		tag = "ol"
		w.raw(`<ol start="` + strconv.Itoa(b.Start) + `">`)
	} else {
		w.raw(`<ul>`)
	}
	for _, item := range b.Children {
		if item.Task != markdown.NoTask {
			return false
		}
		w.raw(`<li dir="auto">`)
		for _, child := range item.Children {
			if b.Tight && child.Kind == markdown.Paragraph {
				w.raw(`<span>`)
				w.inlines(child.Inlines)
				w.raw(`</span>`)
			} else if !w.block(child) {
				return false
			}
		}
		w.raw(`</li>`)
	}
	w.raw(`</` + tag + `>`)
	return true
}

// code writes a code block. One whose text does not stand in the page as it is, is left to components
// all the same.
func (w *htmlWriter) code(b *markdown.Block) bool {
	if len(b.Text) > shelfSize || strings.IndexFunc(b.Text, isHidden) >= 0 {
		return false
	}
	label := b.Lang
	if label == "" {
		label = w.page.T(locales.MessageCode)
	}
	w.raw(`<div class="code" role="group" aria-label="`)
	w.escape(label)
	w.raw(`"><div class="code__bar" data-label="`)
	w.escape(shorten(label, 40))
	w.raw(`"><button class="btn btn--ghost btn--sm btn--icon" type="button" title="`)
	w.escape(w.page.T(locales.CopyLabel))
	w.raw(`" aria-label="`)
	w.escape(w.page.T(locales.CopyLabel))
	w.raw(`"><svg class="i i--14" aria-hidden="true"><use href="#copy"></use></svg></button></div>`)
	w.raw(`<pre dir="ltr" tabindex="0" translate="no"><code>`)
	for _, shelf := range shelves(b.Text) {
		w.raw(`<span class="shelf">`)
		for _, chunk := range chunks(shelf) {
			w.raw(`<span>`)
			w.escape(chunk)
			w.raw(`</span>`)
		}
		w.raw(`</span>`)
	}
	w.raw(`</code></pre></div>`)
	return true
}

func (w *htmlWriter) table(b *markdown.Block) bool {
	rows := b.Children
	if len(rows) == 0 {
		return false
	}
	w.raw(`<div class="tbl" tabindex="0" role="region" aria-label="`)
	w.escape(w.page.T(locales.MessageTable))
	w.raw(`"><table><thead>`)
	w.row(rows[0], "th", ` scope="col"`)
	w.raw(`</thead>`)
	for start := 1; start < len(rows); start += groupSize {
		w.raw(`<tbody>`)
		for _, row := range rows[start:min(start+groupSize, len(rows))] {
			w.row(row, "td", "")
		}
		w.raw(`</tbody>`)
	}
	w.raw(`</table></div>`)
	return true
}

func (w *htmlWriter) row(row *markdown.Block, tag, scope string) {
	w.raw(`<tr>`)
	for _, cell := range row.Children {
		w.raw(`<` + tag + scope)
		if class := alignClass(cell.Align); class != "" {
			w.raw(` class="` + class + `"`)
		}
		w.raw(` dir="auto">`)
		w.inlines(cell.Inlines)
		w.raw(`</` + tag + `>`)
	}
	w.raw(`</tr>`)
}

func (w *htmlWriter) inlines(list []markdown.Inline) {
	for _, in := range list {
		w.inline(in)
	}
}

func (w *htmlWriter) inline(in markdown.Inline) {
	switch in.Kind {
	case markdown.CodeInline:
		w.raw(`<code dir="ltr" translate="no">`)
		w.escape(showControls(in.Text))
		w.raw(`</code>`)
	case markdown.Emphasis:
		w.span("em", in.Children)
	case markdown.Strong:
		w.span("strong", in.Children)
	case markdown.Strike:
		w.span("del", in.Children)
	case markdown.Link:
		w.link(in, func() { w.inlines(in.Children) })
	case markdown.Image:
		text := in.Text
		if text == "" {
			text = in.Href
		}
		w.link(in, func() { w.escape(text) })
	case markdown.SoftBreak:
		w.raw("\n")
	case markdown.HardBreak:
		w.raw(`<br>`)
	default:
		w.escape(showControls(in.Text))
	}
}

func (w *htmlWriter) span(tag string, children []markdown.Inline) {
	w.raw(`<` + tag + `>`)
	w.inlines(children)
	w.raw(`</` + tag + `>`)
}

// link writes a link as link makes it: in a tab of its own, and only where the address is one that
// the parser has found harmless.
func (w *htmlWriter) link(in markdown.Inline, content func()) {
	if in.Target == markdown.NoTarget {
		w.raw(`<span>`)
		content()
		w.raw(`</span>`)
		return
	}
	w.raw(`<a href="`)
	w.escape(in.Href)
	w.raw(`" target="_blank" rel="noopener noreferrer">`)
	content()
	w.raw(`</a>`)
}

// copyCode copies the code block whose button was pressed, if one was, and lets the button say so for
// a while. The buttons do nothing by themselves, so that they are the same in what was drawn in one
// piece and in what grew: the message around them listens.
func (p *Page) copyCode(ctx app.Context, e app.Event) {
	button := e.Get("target").Call("closest", ".code__bar > button")
	if !button.Truthy() {
		return
	}
	code := button.Call("closest", ".code").Call("querySelector", "code").Get("textContent").String()
	writeClipboard(code, func(ok bool) {
		ctx.Dispatch(func(ctx app.Context) {
			said, symbol := locales.CopyDone, "#check"
			if !ok {
				said, symbol = locales.CopyFailed, "#alert"
			}
			p.tell(p.T(said))
			markCopy(button, symbol, p.T(said))
			ctx.After(copiedFor, func(app.Context) { markCopy(button, "#copy", p.T(locales.CopyLabel)) })
		})
	})
}

func markCopy(button app.Value, symbol, label string) {
	button.Call("querySelector", "use").Call("setAttribute", "href", symbol)
	button.Call("setAttribute", "title", label)
	button.Call("setAttribute", "aria-label", label)
}
