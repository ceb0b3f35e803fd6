package agent

import (
	"math"
	"strconv"
	"strings"

	"igraph-console/cmd/serve/graphs"
)

// How many rows tables show.
const (
	chatRows   = 10
	reportRows = 20
)

func (r *run) rows() int {
	if r.turn.Format == "report" {
		return reportRows
	}
	return chatRows
}

// table writes a Markdown table. Cells are Markdown already. Columns of numbers are aligned at their
// last digit.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	for i := range head {
		b.WriteString("|---")
		if numeric(rows, i) {
			b.WriteString(":")
		}
	}
	b.WriteString("|\n")
	for _, row := range rows {
		line(row)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func numeric(rows [][]string, column int) bool {
	for _, row := range rows {
		cell := strings.TrimSuffix(strings.ReplaceAll(row[column], ",", ""), "%")
		if _, err := strconv.ParseFloat(cell, 64); err != nil {
			return false
		}
	}
	return len(rows) > 0
}

// markdown are the marks that mean something inside a line of Markdown. Those
// that do so only at its start are left alone: no label is put there.
const markdown = "\\`*_[]<>|~&"

// escape makes text from a graph or a person stand for itself in Markdown, in
// a table cell too.
func escape(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c == '\n' || c == '\r' || c == '\t' {
			c = ' '
		}
		if strings.ContainsRune(markdown, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// count writes a whole number with separators for thousands.
func count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

func whole(x float64) string { return count(int(x)) }

// decimal writes a measure with four significant digits, and at most four
// decimals where it is not tiny.
func decimal(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.Abs(x) < 0.001:
		return strconv.FormatFloat(x, 'g', 3, 64)
	case math.Abs(x) >= 1000:
		return count(int(math.Round(x)))
	case math.Abs(x) >= 10:
		return trimZeros(strconv.FormatFloat(x, 'f', 2, 64))
	}
	return trimZeros(strconv.FormatFloat(x, 'f', 4, 64))
}

func trimZeros(s string) string { return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") }

func percent(x float64) string { return trimZeros(strconv.FormatFloat(100*x, 'f', 1, 64)) + "%" }

// listed joins labels, at most a few, and says how many more there are.
func (r *run) listed(labels []string, total, most int) string {
	shown := make([]string, 0, most+1)
	for _, l := range labels[:min(most, len(labels))] {
		shown = append(shown, escape(l))
	}
	if total > len(shown) {
		shown = append(shown, r.say("and_more", count(total-len(shown))))
	}
	return strings.Join(shown, r.say("separator_list"))
}

func (r *run) summaryTable(s graphs.Summary) string {
	diameter := r.say("diameter_unknown")
	if s.Diameter != nil {
		diameter = count(*s.Diameter)
	}
	return table([]string{r.say("column_measure"), r.say("column_value")}, [][]string{
		{r.say("nodes"), count(s.Nodes)},
		{r.say("edges"), count(s.Edges)},
		{r.say("density"), decimal(s.Density)},
		{r.say("components"), count(s.Components)},
		{r.say("largest_component"), count(s.Largest)},
		{r.say("isolated"), count(s.Isolated)},
		{r.say("mean_degree"), decimal(s.MeanDegree)},
		{r.say("max_degree"), count(s.MaxDegree)},
		{r.say("clustering"), decimal(s.Clustering)},
		{r.say("transitivity"), decimal(s.Transitivity)},
		{r.say("diameter"), diameter},
	})
}

func (r *run) degreeTable(d graphs.Degrees) string {
	const most = 15
	var rows [][]string
	for _, c := range d.Distribution[:min(most, len(d.Distribution))] {
		rows = append(rows, []string{count(c.Degree), count(c.Nodes), percent(c.Share)})
	}
	if more := len(d.Distribution) - most; more > 0 {
		rows = append(rows, []string{r.say("and_more", count(more)), "", ""})
	}
	return table([]string{r.say("column_degree"), r.say("column_nodes"), r.say("column_share")}, rows)
}

func (r *run) scoreTable(scores []graphs.Score, column key, format func(float64) string) string {
	var rows [][]string
	for i, s := range scores[:min(r.rows(), len(scores))] {
		rows = append(rows, []string{count(i + 1), escape(s.Node), format(s.Score)})
	}
	return table([]string{r.say("column_rank"), r.say("column_node"), r.say(column)}, rows)
}

func (r *run) communityTable(c communityResult) string {
	var rows [][]string
	for _, m := range c.Communities.Communities[:min(r.rows(), len(c.Communities.Communities))] {
		rows = append(rows, []string{count(m.ID), count(m.Size), r.listed(inNaturalOrder(m.Nodes), m.Size, 12)})
	}
	if more := c.Count - len(rows); more > 0 {
		rows = append(rows, []string{r.say("and_more", count(more)), "", ""})
	}
	return table([]string{r.say("column_rank"), r.say("column_size"), r.say("column_members")}, rows)
}

func (r *run) pathDetails(p graphs.Path) []string {
	if !p.Found || p.Hops == 0 {
		return nil
	}
	const most = 50
	var rows [][]string
	for i, n := range p.Nodes[:min(most, len(p.Nodes))] {
		rows = append(rows, []string{count(i), escape(n)})
	}
	if more := len(p.Nodes) - most; more > 0 {
		rows = append(rows, []string{r.say("and_more", count(more)), ""})
	}
	parts := []string{table([]string{r.say("column_step"), r.say("column_node")}, rows)}
	if p.ByCost {
		parts = append(parts, r.say("path_cost", decimal(p.Cost)))
	}
	return parts
}

func neighbourNames(n graphs.Neighbours) []string {
	labels := make([]string, len(n.Neighbours))
	for i, each := range n.Neighbours {
		labels[i] = each.Node
	}
	return labels
}

func (r *run) neighbourTable(n graphs.Neighbours) []string {
	if len(n.Neighbours) == 0 {
		return nil
	}
	head := []string{r.say("column_node"), r.say("column_degree")}
	weighted, directed := r.g.Weighted(), r.g.Directed()
	if weighted {
		head = append(head, r.say("column_weight"))
	}
	if directed {
		head = append(head, r.say("column_direction"))
	}
	var rows [][]string
	for _, each := range n.Neighbours[:min(2*r.rows(), len(n.Neighbours))] {
		row := []string{escape(each.Node), count(each.Degree)}
		if weighted {
			row = append(row, decimal(each.Weight))
		}
		if directed {
			row = append(row, r.say(key("direction_"+each.Direction)))
		}
		rows = append(rows, row)
	}
	parts := []string{table(head, rows)}
	if n.Degree > len(rows) {
		parts = append(parts, r.say("first_of", count(len(rows)), count(n.Degree)))
	}
	return parts
}

// guessing is the AUC below which predictions are called weak.
const guessing = 0.6

func (r *run) trainingDetails(t graphs.Training) []string {
	parts := []string{table([]string{r.say("column_measure"), r.say("column_value")}, [][]string{
		{r.say("train_auc"), decimal(t.AUC)},
		{r.say("train_loss"), decimal(t.Loss)},
		{r.say("train_val_loss"), decimal(t.ValLoss)},
		{r.say("train_edges"), count(t.TrainEdges)},
		{r.say("train_dim"), count(t.Options.Dim)},
	})}
	if t.AUC < guessing {
		parts = append(parts, r.say("train_weak"))
	}
	if len(t.Predictions) == 0 {
		return parts
	}
	var rows [][]string
	for _, p := range t.Predictions {
		rows = append(rows, []string{escape(p.From), escape(p.To), decimal(p.Score)})
	}
	return append(parts, r.say("train_predicted"),
		table([]string{r.say("column_from"), r.say("column_to"), r.say("column_score")}, rows))
}
