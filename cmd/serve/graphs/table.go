package graphs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// sampleLines is how many lines decide on separator and header.
const sampleLines = 100

// blanks stands for any run of white space as the separator.
const blanks = ' '

// separators in order of preference where several fit equally well.
var separators = []rune{'\t', ',', ';', '|', '，', '；', blanks}

// columns tells where an edge's parts are in a record; -1 is nowhere.
type columns struct {
	from, to, weight, kind int
	comma                  bool // a comma is the decimal point
}

// loadTable reads an edge list: one edge a line, columns by separator.
func loadTable(c *collector, text, ext string) error {
	text = blankComments(text)
	sep, err := detectSeparator(text, ext)
	if err != nil {
		return err
	}
	if sep == blanks {
		text = tabulate(text)
	}
	r := newRecords(text, sep)
	sample, err := r.sample()
	if err != nil {
		return err
	}
	cols, header, err := detectColumns(sample)
	if err != nil {
		return err
	}
	cols.comma = sep != ',' && sep != '，'
	if header {
		c.note(remark(NoteHeader, strings.Join(sample[0].fields, ", ")))
	}
	return readEdges(c, newRecords(text, sep), cols, header)
}

func readEdges(c *collector, r *records, cols columns, header bool) error {
	extra := false
	for first := true; ; first = false {
		rec, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if first && header {
			continue
		}
		if err := readEdge(c, rec, cols); err != nil {
			return err
		}
		extra = extra || !header && len(rec.fields) > 2 && len(rec.fields) > cols.weight+1
	}
	if extra {
		c.note(remark(NoteExtraColumns))
	}
	return nil
}

func readEdge(c *collector, rec record, cols columns) error {
	from, to := rec.field(cols.from), rec.field(cols.to)
	if from == "" || to == "" {
		return refuse(CodeMissingColumn, rec.line, short(strings.Join(rec.fields, " ")))
	}
	if c.listed == 0 && strings.EqualFold(rec.field(cols.kind), "directed") {
		c.directed = true
	}
	w := 0.0
	if field := rec.field(cols.weight); field != "" && field != "{}" {
		var ok bool
		if w, ok = parseWeight(field, cols.comma); !ok || !validWeight(w) {
			return refuse(CodeBadWeight, rec.line, short(field))
		}
	}
	return c.edge(from, to, w, rec.line)
}

// parseWeight reads a number, with a decimal comma where the comma is free,
// and the attribute dictionary that edge lists may carry as a third column.
func parseWeight(field string, comma bool) (float64, bool) {
	if inner, ok := strings.CutPrefix(field, "{"); ok {
		inner = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
		if inner == "" {
			return 0, true
		}
		key, value, _ := strings.Cut(inner, ":")
		if strings.Trim(key, `'" `) != "weight" {
			return 0, false
		}
		field = strings.TrimSpace(value)
	}
	if comma {
		field = strings.Replace(field, ",", ".", 1)
	}
	w, err := strconv.ParseFloat(field, 64)
	return w, err == nil
}

// blankComments empties comment lines and keeps their line ends, so that line
// numbers stay those of the file.
func blankComments(text string) string {
	if !strings.ContainsAny(text, "#%") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		if isComment(line) {
			b.WriteByte('\n')
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "%")
}

// tabulate replaces each run of white space outside quotes and braces by one
// tab.
func tabulate(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		quoted, depth, gap := false, 0, false
		for _, r := range strings.TrimSpace(line) {
			switch {
			case r == '"':
				quoted = !quoted
			case !quoted && r == '{':
				depth++
			case !quoted && r == '}':
				depth--
			}
			if !quoted && depth == 0 && unicode.IsSpace(r) {
				gap = true
				continue
			}
			if gap {
				b.WriteByte('\t')
				gap = false
			}
			b.WriteRune(r)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// detectSeparator takes the separator that gives most lines the same number of
// columns, at least two.
func detectSeparator(text, ext string) (rune, error) {
	lines := firstLines(text)
	if len(lines) == 0 {
		return 0, refuse(CodeNoEdges, 0)
	}
	best, bestScore := rune(0), 0
	for _, sep := range separators {
		score := separatorScore(lines, sep)
		if score > bestScore || score == bestScore && ext == ".csv" && sep == ',' {
			best, bestScore = sep, score
		}
	}
	if bestScore*2 < len(lines) {
		return 0, refuse(CodeWrongDelimiter, lineNumber(text, lines[0]), short(strings.TrimSpace(lines[0])))
	}
	return best, nil
}

func firstLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines = append(lines, strings.TrimRight(line, "\n"))
		if len(lines) == sampleLines {
			break
		}
	}
	return lines
}

// lineNumber is that of the first line with this content.
func lineNumber(text, line string) int {
	n := 0
	for l := range strings.Lines(text) {
		n++
		if strings.TrimRight(l, "\n") == line {
			return n
		}
	}
	return 0
}

// separatorScore counts the lines that have the usual number of columns. White
// space also separates the words of prose, so there columns beyond the second
// must be numbers, save in a header.
func separatorScore(lines []string, sep rune) int {
	widths := map[int]int{}
	for i, line := range lines {
		fields := splitLine(line, sep)
		if sep == blanks && i > 0 && !numericTail(fields) {
			return 0
		}
		widths[len(fields)]++
	}
	score := 0
	for width, n := range widths {
		if width >= 2 {
			score = max(score, n)
		}
	}
	return score
}

func numericTail(fields []string) bool {
	for _, f := range fields[min(2, len(fields)):] {
		if _, ok := parseWeight(f, false); !ok {
			return false
		}
	}
	return true
}

// splitLine splits one line for judging it; reading proper is encoding/csv's.
func splitLine(line string, sep rune) []string {
	if sep == blanks {
		line, sep = strings.TrimRight(tabulate(line), "\n"), '\t'
	}
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == sep && !quoted
	})
}

// record is one line of a table.
type record struct {
	fields []string
	line   int
}

func (r record) field(i int) string {
	if i < 0 || i >= len(r.fields) {
		return ""
	}
	return r.fields[i]
}

// records reads the records of a table, without those that are empty.
type records struct{ csv *csv.Reader }

func newRecords(text string, sep rune) *records {
	if sep == blanks {
		sep = '\t'
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = sep
	r.FieldsPerRecord = -1
	// A tab is white space too; trimming it would lose empty columns.
	r.TrimLeadingSpace = sep != '\t'
	return &records{r}
}

// next gives the next record with at least one field filled in, trimmed. The
// error is io.EOF or an *Error.
func (r *records) next() (record, error) {
	for {
		fields, err := r.csv.Read()
		if err == io.EOF {
			return record{}, io.EOF
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return record{}, refuse(CodeBadQuotes, bad.Line).because(err)
		}
		if err != nil {
			return record{}, refuse(CodeBadQuotes, 0).because(fmt.Errorf("read table: %w", err))
		}
		line, _ := r.csv.FieldPos(0)
		for i, f := range fields {
			fields[i] = strings.TrimSpace(f)
		}
		if slices.ContainsFunc(fields, func(f string) bool { return f != "" }) {
			return record{fields, line}, nil
		}
	}
}

func (r *records) sample() ([]record, error) {
	var sample []record
	for len(sample) < sampleLines {
		rec, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		sample = append(sample, rec)
	}
	if len(sample) == 0 {
		return nil, refuse(CodeNoEdges, 0)
	}
	return sample, nil
}
