package components

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxShownDepth is how deep a JSON value may nest to be shown as a tree or a table. Deeper ones are
// shown as text.
const maxShownDepth = 200

// prettyJSON lays a JSON text out over lines, up to about maxBytes bytes or maxLines lines. Numbers,
// strings and the order of keys stay as they came. It reports whether that is all of it. It does not
// recurse, and it takes what is no JSON without complaint.
func prettyJSON(text string, maxBytes, maxLines int) (pretty string, whole bool) {
	w := jsonWriter{maxBytes: maxBytes, maxLines: maxLines}
	for i := 0; i < len(text); i++ {
		if w.full() {
			return cutVisible(w.String(), maxBytes), false
		}
		switch c := text[i]; c {
		case '"':
			end := stringEnd(text, i)
			if end-i > maxBytes {
				w.WriteString(text[i : i+maxBytes+1])
				return cutVisible(w.String(), maxBytes), false
			}
			w.WriteString(text[i:end])
			i = end - 1
		case '{', '[':
			w.WriteByte(c)
			if next := skipSpace(text, i+1); next < len(text) && (text[next] == '}' || text[next] == ']') {
				w.WriteByte(text[next])
				i = next
				continue
			}
			w.depth++
			w.line()
		case '}', ']':
			w.depth--
			w.line()
			w.WriteByte(c)
		case ',':
			w.WriteByte(c)
			w.line()
		case ':':
			w.WriteString(": ")
		case ' ', '\t', '\n', '\r':
		default:
			w.WriteByte(c)
		}
	}
	if w.full() {
		return cutVisible(w.String(), maxBytes), false
	}
	return w.String(), true
}

type jsonWriter struct {
	strings.Builder
	depth, lines       int
	maxBytes, maxLines int
}

// maxIndent keeps a deep value from being mostly spaces.
const maxIndent = 40

func (w *jsonWriter) line() {
	w.lines++
	w.WriteByte('\n')
	for range min(max(w.depth, 0), maxIndent) {
		w.WriteString("  ")
	}
}

func (w *jsonWriter) full() bool { return w.Len() > w.maxBytes || w.lines >= w.maxLines }

// stringEnd returns the offset behind the JSON string that starts at offset i.
func stringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}

// token is a piece of a JSON text. Class is the stylesheet's name of its kind: k for a key, s for a
// string, n for a number, w for a word; "" for what stands between.
type token struct{ class, text string }

// tokens splits a laid out JSON text.
func tokens(text string) []token {
	var list []token
	start := 0
	emit := func(class string, from, to int) {
		if from > start {
			list = append(list, token{"", text[start:from]})
		}
		list = append(list, token{class, text[from:to]})
		start = to
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := stringEnd(text, i)
			class := "s"
			if end < len(text) && text[end] == ':' {
				class = "k"
			}
			emit(class, i, end)
			i = end
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && strings.IndexByte("0123456789+-.eE", text[end]) >= 0 {
				end++
			}
			emit("n", i, end)
			i = end
		case c >= 'a' && c <= 'z':
			end := i + 1
			for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
				end++
			}
			emit("w", i, end)
			i = end
		default:
			i++
		}
	}
	if start < len(text) {
		list = append(list, token{"", text[start:]})
	}
	return list
}

// decodePrefix decodes a JSON string up to about n bytes of it, and reports whether that is all.
func decodePrefix(raw string, n int) (text string, whole bool) {
	if len(raw) <= n {
		return gjson.Parse(raw).String(), true
	}
	end := n
	for end > 1 && !utf8.RuneStart(raw[end]) {
		end--
	}
	// Not within an escape: the longest, a surrogate pair, takes 12 bytes.
	for back := max(1, end-12); back < end; back++ {
		if raw[back] == '\\' && !escaped(raw, back) && escapeEnd(raw, back) > end {
			end = back
		}
	}
	return gjson.Parse(raw[:end] + `"`).String(), false
}

// escaped reports whether the backslash at offset i is itself escaped.
func escaped(raw string, i int) bool {
	n := 0
	for i--; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// escapeEnd returns the offset behind the escape at offset i, a surrogate pair counting as one.
func escapeEnd(raw string, i int) int {
	if i+1 >= len(raw) || raw[i+1] != 'u' {
		return i + 2
	}
	end := i + 6
	if isHighSurrogate(raw, i) && strings.HasPrefix(raw[min(end, len(raw)):], `\u`) {
		end += 6
	}
	return end
}

func isHighSurrogate(raw string, i int) bool {
	return i+4 <= len(raw) && (raw[i+2] == 'd' || raw[i+2] == 'D') && strings.IndexByte("89abAB", raw[i+3]) >= 0
}

// encodeString writes a text as a JSON string, characters that HTML would mind included.
func encodeString(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// compact writes a JSON text in one line of at most n bytes.
func compact(raw string, n int) string {
	var b strings.Builder
	for i := 0; i < len(raw) && b.Len() <= n; i++ {
		switch c := raw[i]; c {
		case ' ', '\t', '\r', '\n':
		case '"':
			end := stringEnd(raw, i)
			b.WriteString(cutVisible(raw[i:end], n+1))
			i = end - 1
		case ',', ':':
			b.WriteByte(c)
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return shorten(b.String(), n)
}
