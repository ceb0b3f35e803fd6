package markdown

import "strings"

// fence is a top-level fenced code block that may still be open. Its lines are
// not parsed but appended, so that a long one costs no more per update than a
// short one.
type fence struct {
	mark   byte
	length int
	lang   string
	code   strings.Builder
	// pos is the offset of the first byte that is neither in code nor a mark.
	pos         int
	atLineStart bool
}

// openFence returns the code block that starts with the line at offset start of
// text, or nil if there is none or the line is not complete. Indented fences
// are left to the parser, which takes their indentation off each line.
func openFence(text string, start int) *fence {
	line, _, isComplete := strings.Cut(text[start:], "\n")
	if !isComplete || line == "" || line[0] != '`' && line[0] != '~' {
		return nil
	}
	info := strings.TrimLeft(line, line[:1])
	length := len(line) - len(info)
	if length < 3 || line[0] == '`' && strings.Contains(info, "`") {
		return nil
	}
	lang, _, _ := strings.Cut(strings.Trim(info, " \t"), " ")
	return &fence{
		mark: line[0], length: length, lang: unescape(lang),
		pos: start + len(line) + 1, atLineStart: true,
	}
}

// feed takes what has arrived of text and reports whether the block has ended.
// The start of a line that may turn out to be the closing fence is left.
func (f *fence) feed(text string) (closed bool) {
	for f.pos < len(text) {
		line := text[f.pos:]
		end := strings.IndexByte(line, '\n') + 1
		if end > 0 {
			line = line[:end]
		}
		if f.atLineStart {
			run, isMarks := f.closingRun(line)
			if end > 0 && isMarks && run >= f.length {
				f.pos += end
				return true
			}
			if end == 0 && isMarks {
				return false
			}
		}
		f.code.WriteString(line)
		f.pos += len(line)
		f.atLineStart = end > 0
	}
	return false
}

// closingRun returns the number of fence marks in line, and whether it holds
// nothing else but up to three spaces before and any after them.
func (f *fence) closingRun(line string) (run int, isMarks bool) {
	marks := strings.TrimLeft(line, " ")
	if len(line)-len(marks) > 3 {
		return 0, false
	}
	rest := strings.TrimLeft(marks, string(f.mark))
	return len(marks) - len(rest), isBlank(strings.TrimSuffix(rest, "\n"))
}

// block returns the code block so far.
func (f *fence) block() *Block {
	return &Block{Kind: CodeBlock, Lang: f.lang, Text: strings.TrimSuffix(f.code.String(), "\n")}
}

// complete returns the code block of a text that ends here.
func (f *fence) complete(text string) *Block {
	b := f.block()
	rest := text[f.pos:]
	if run, isMarks := f.closingRun(rest); rest == "" || isMarks && run >= f.length {
		return b
	}
	b.Text = f.code.String() + rest
	return b
}
