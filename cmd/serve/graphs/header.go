package graphs

import (
	"slices"
	"strconv"
	"strings"
)

// Column names that edge lists use, lower case.
var (
	fromNames   = []string{"source", "from", "src", "start", "u", "node1", "node_1", "source_id", "from_id", "head", "源", "起点", "源节点", "起始", "来源", "节点1"}
	toNames     = []string{"target", "to", "dst", "dest", "destination", "end", "v", "node2", "node_2", "target_id", "to_id", "tail", "目标", "终点", "目标节点", "终止", "去向", "节点2"}
	weightNames = []string{"weight", "w", "value", "cost", "权重", "权", "值", "数值"}
	kindNames   = []string{"type", "类型"}
)

// detectColumns finds the columns by the names of a header if there is one,
// else takes the first two and, if it holds numbers, the third as the weight.
func detectColumns(sample []record) (cols columns, header bool, err error) {
	first := sample[0]
	cols = columns{
		from:   columnNamed(first.fields, fromNames),
		to:     columnNamed(first.fields, toNames),
		weight: columnNamed(first.fields, weightNames),
		kind:   columnNamed(first.fields, kindNames),
	}
	if cols.from >= 0 && cols.to >= 0 {
		return cols, true, nil
	}
	// Half a header: one end is named and the rest are names, not data.
	if (cols.from >= 0 || cols.to >= 0) && cols.weight >= 0 {
		return columns{}, false, refuse(CodeMissingHeader, first.line, short(strings.Join(first.fields, ", ")))
	}
	header = looksLikeHeader(sample)
	body := sample
	if header {
		body = sample[1:]
	}
	cols = columns{from: 0, to: 1, weight: -1, kind: -1}
	if mostlyNumbers(body, 2) {
		cols.weight = 2
	}
	return cols, header, nil
}

func columnNamed(fields, names []string) int {
	return slices.IndexFunc(fields, func(f string) bool {
		return slices.Contains(names, strings.ToLower(f))
	})
}

// looksLikeHeader recognises names that are not in the lists by what stands
// below them: numbers, where the first line has none.
func looksLikeHeader(sample []record) bool {
	body := sample[1:]
	if len(body) == 0 {
		return false
	}
	first := sample[0]
	if isNumber(first.field(0)) || isNumber(first.field(1)) {
		return false
	}
	if first.field(2) != "" && !isNumber(first.field(2)) && mostlyNumbers(body, 2) {
		return true
	}
	for _, rec := range body {
		if !isNumber(rec.field(0)) || !isNumber(rec.field(1)) {
			return false
		}
	}
	return true
}

// mostlyNumbers holds if more than half of the records have a number there; the
// others then are faults to be reported, not text.
func mostlyNumbers(sample []record, column int) bool {
	n := 0
	for _, rec := range sample {
		if isNumber(rec.field(column)) {
			n++
		}
	}
	return n*2 > len(sample)
}

func isNumber(field string) bool {
	if strings.HasPrefix(field, "{") {
		_, ok := parseWeight(field, true)
		return ok
	}
	_, err := strconv.ParseFloat(strings.Replace(field, ",", ".", 1), 64)
	return err == nil
}
