package markdown

import (
	"bytes"
	"strings"
)

// undecided returns how many bytes at the end of an arriving source say nothing
// yet: its last line if that is made of marks only or starts a code fence, or
// else the marks at its end.
func undecided(source []byte) int {
	line := string(source[bytes.LastIndexByte(source, '\n')+1:])
	if onlyMarks(line) || opensFence(line) {
		return len(line)
	}
	return len(line) - len(strings.TrimRight(line, "*_`~[\\"))
}

// onlyMarks reports whether line holds nothing but marks, such as the first
// characters of a list item, a fence or a row of a table.
func onlyMarks(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	digits := strings.TrimLeft(line, "0123456789")
	const longestNumber = 9 // digits a list item may have
	if n := len(line) - len(digits); n > 0 && n <= longestNumber {
		line = strings.TrimPrefix(strings.TrimPrefix(digits, "."), ")")
	}
	return strings.Trim(line, " \t#*-+=_`~|:>[]") == ""
}

// opensFence reports whether line starts a code fence and is not yet known to
// be text: only a backtick after the first run can make it that.
func opensFence(line string) bool {
	line = strings.TrimLeft(line, " \t>*+-.)0123456789")
	info := strings.TrimLeft(line, "`")
	if len(line)-len(info) >= 3 {
		return strings.IndexByte(info, '`') < 0
	}
	return strings.HasPrefix(line, "~~~")
}

// closeOpenSpans changes the last of the blocks, which must be new, so that the
// half-arrived spans at the end of source look as they will when complete.
func closeOpenSpans(blocks []*Block, source string) {
	if len(blocks) == 0 {
		return
	}
	leaf := blocks[len(blocks)-1]
	for len(leaf.Children) > 0 {
		leaf = leaf.Children[len(leaf.Children)-1]
	}
	arriving, isComplete := strings.CutSuffix(source, "\n")
	if isComplete && leaf.Kind != Paragraph {
		return
	}
	if lastLine := arriving[strings.LastIndexByte(arriving, '\n')+1:]; isBlank(lastLine) {
		return
	}
	leaf.Inlines = closeSpan(leaf.Inlines)
}

// closeSpan closes the first open "**", "~~" or "`" of inlines at their end.
func closeSpan(inlines []Inline) []Inline {
	for i, in := range inlines {
		if in.Kind != TextInline {
			continue
		}
		at, mark := openMark(in.Text)
		if mark == "" {
			continue
		}
		out := appendText(inlines[:i:i], in.Text[:at])
		inside := appendAll(appendText(nil, in.Text[at+len(mark):]), inlines[i+1:])
		switch mark {
		case "**":
			return append(out, Inline{Kind: Strong, Children: closeSpan(inside)})
		case "~~":
			return append(out, Inline{Kind: Strike, Children: closeSpan(inside)})
		default:
			return append(out, Inline{Kind: CodeInline, Text: inlineText(inside)})
		}
	}
	return finishLink(inlines)
}

// openMark finds the first run of backticks or pair of other marks in text that
// may open a span.
func openMark(text string) (at int, mark string) {
	for at := 0; at < len(text); at++ {
		rest := text[at:]
		switch {
		case rest[0] == '`':
			return at, rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		case strings.HasPrefix(rest, "**") || strings.HasPrefix(rest, "~~"):
			isOperator := at > 0 && isAlphanumeric(text[at-1])
			if !isOperator && (len(rest) == 2 || strings.IndexByte(" \t*~", rest[2]) < 0) {
				return at, rest[:2]
			}
			at++
		}
	}
	return 0, ""
}

// finishLink shows a link whose address is still arriving as its text.
func finishLink(inlines []Inline) []Inline {
	n := len(inlines)
	if n > 1 && inlines[n-1].Kind == Link && strings.HasSuffix(inlines[n-2].Text, "](") {
		n-- // the address was taken as a bare one
	}
	if n == 0 || inlines[n-1].Kind != TextInline {
		return inlines
	}
	before, address, isLink := cutLast(inlines[n-1].Text, "](")
	if !isLink || strings.ContainsAny(address, ") ") {
		return inlines
	}
	before, label, isLink := cutLast(before, "[")
	if !isLink {
		return inlines
	}
	return appendText(inlines[:n-1:n-1], before+label)
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}
