package graphs

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Options tell what a file itself may leave open.
type Options struct {
	// Directed reads an edge list as directed. Files that say so themselves
	// (GraphML, JSON with "directed", a Type column) need no option.
	Directed bool
}

// Load reads a graph from the bytes of a file. The name chooses the format by
// its extension; without a telling one the content does. The error is always
// an *Error. Findings that do not stop the reading are the graph's Notes.
func Load(name string, data []byte, opts Options) (*Graph, error) {
	if len(data) > MaxBytes {
		return nil, refuse(CodeTooLarge, 0, len(data), MaxBytes)
	}
	c := newCollector(baseName(name))
	c.directed = opts.Directed
	text, err := decodeText(c, data)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, refuse(CodeEmptyFile, 0)
	}
	switch detectFormat(name, text) {
	case formatJSON:
		err = loadJSON(c, text)
	case formatGraphML:
		err = loadGraphML(c, text)
	default:
		err = loadTable(c, text, extension(name))
	}
	if err != nil {
		return nil, err
	}
	return c.graph()
}

type format int

const (
	formatTable format = iota
	formatJSON
	formatGraphML
)

func detectFormat(name, text string) format {
	text = strings.TrimSpace(text)
	ext := extension(name)
	if strings.HasPrefix(text, "<?xml") || strings.HasPrefix(text, "<graphml") {
		return formatGraphML
	}
	switch ext {
	case ".graphml", ".xml":
		return formatGraphML
	case ".json":
		return formatJSON
	case ".csv", ".tsv":
		return formatTable
	}
	if text[0] == '{' || text[0] == '[' {
		return formatJSON
	}
	return formatTable
}

func extension(name string) string { return strings.ToLower(path.Ext(baseName(name))) }

// baseName drops any directories, of either kind of system.
func baseName(name string) string {
	return path.Base(strings.ReplaceAll(name, `\`, "/"))
}

// decodeText turns the bytes into valid UTF-8 with \n line ends, or refuses.
func decodeText(c *collector, data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return decodeUTF16(c, data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return decodeUTF16(c, data[2:], binary.BigEndian)
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if looksBinary(data) {
		return "", refuse(CodeBinary, 0)
	}
	if !utf8.Valid(data) {
		return "", refuse(CodeBadEncoding, 0)
	}
	return unixLines(string(data)), nil
}

func decodeUTF16(c *collector, data []byte, order binary.ByteOrder) (string, error) {
	if len(data)%2 != 0 {
		return "", refuse(CodeBadEncoding, 0)
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	text := string(utf16.Decode(units))
	if looksBinary([]byte(text)) {
		return "", refuse(CodeBinary, 0)
	}
	if strings.ContainsRune(text, utf8.RuneError) {
		return "", refuse(CodeBadEncoding, 0)
	}
	c.note(remark(NoteUTF16))
	return unixLines(text), nil
}

// looksBinary judges by control bytes, which no text format here uses. A file
// in another text encoding has none, so it gets the message about encodings.
func looksBinary(data []byte) bool {
	head := data[:min(len(data), 64<<10)]
	controls := 0
	for _, b := range head {
		if b == 0 {
			return true
		}
		if b < 0x20 && b != '\n' && b != '\r' && b != '\t' && b != '\f' {
			controls++
		}
	}
	return controls*100 > len(head)
}

func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
