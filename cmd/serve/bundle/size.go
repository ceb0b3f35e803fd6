package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
)

// size is the length of a file of the bundle in bytes, plain and as brotli.
type size struct {
	name    string
	raw, br int
}

// report prints the sizes; beside them, with a baseline, what changed against
// that file. With update the baseline is written anew.
func report(w io.Writer, sizes []size, baseline string, update bool) error {
	if update {
		if err := os.WriteFile(baseline, formatSizes(sizes), 0o644); err != nil {
			return fmt.Errorf("write the size baseline: %w", err)
		}
	}
	var before map[string]size
	if baseline != "" {
		data, err := os.ReadFile(baseline)
		if err != nil {
			return fmt.Errorf("read the size baseline: %w", err)
		}
		if before, err = parseSizes(data); err != nil {
			return fmt.Errorf("read the size baseline %s: %w", baseline, err)
		}
	}

	brotli := func(n int) string {
		if n == 0 {
			return "-" // left out
		}
		return strconv.Itoa(n)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "bytes\tbrotli\t\t  file")
	total := size{name: "total"}
	for _, s := range sizes {
		total.raw += s.raw
		total.br += s.br
		fmt.Fprintf(table, "%d\t%s\t%s\t  %s\n", s.raw, brotli(s.br), change(s, before), s.name)
	}
	fmt.Fprintf(table, "%d\t%d\t\t  %s\n", total.raw, total.br, total.name)
	return table.Flush()
}

// change says how the compressed file compares with the baseline, which is what
// a person waits for.
func change(s size, before map[string]size) string {
	old, known := before[s.name]
	switch {
	case before == nil || s.br == old.br:
		return ""
	case !known:
		return "new"
	default:
		return fmt.Sprintf("%+d", s.br-old.br)
	}
}

func formatSizes(sizes []size) []byte {
	var text bytes.Buffer
	for _, s := range sizes {
		fmt.Fprintf(&text, "%s %d %d\n", s.name, s.raw, s.br)
	}
	return text.Bytes()
}

func parseSizes(text []byte) (map[string]size, error) {
	sizes := map[string]size{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var s size
		if _, err := fmt.Sscan(lines.Text(), &s.name, &s.raw, &s.br); err != nil {
			return nil, fmt.Errorf("line %q: %w", lines.Text(), err)
		}
		sizes[s.name] = s
	}
	return sizes, lines.Err()
}
