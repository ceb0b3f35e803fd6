package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"igraph-console/cmd/serve/graphs"
)

// asChat is the answer as a message: what was found, one section a task.
func (r *run) asChat() string {
	if len(r.tasks) == 0 {
		return r.helpText()
	}
	parts := r.opening()
	told := r.told()
	for _, f := range told {
		section := r.section(f)
		if len(told) > 1 {
			section = "### " + r.title(f.task) + "\n\n" + section
		}
		parts = append(parts, section)
	}
	parts = append(parts, r.comparison(told)...)
	return strings.Join(append(parts, r.closing()...), "\n\n") + "\n"
}

// asReport is longer: a summary first, then the sections, then the method.
func (r *run) asReport() string {
	if len(r.tasks) == 0 {
		return r.helpText()
	}
	name := r.say("title_answer")
	if r.g != nil {
		name = r.g.Name()
	} else if len(r.turn.Attachments) > 0 {
		name = r.turn.Attachments[len(r.turn.Attachments)-1].Name
	}
	parts := append([]string{"# " + r.say("report_title", escape(name))}, r.opening()...)
	told := r.told()
	if len(told) > 0 {
		parts = append(parts, "## "+r.say("report_summary"))
		var points []string
		for _, f := range told {
			points = append(points, "- "+r.headline(f))
		}
		parts = append(parts, strings.Join(points, "\n"))
	}
	for _, f := range told {
		parts = append(parts, "## "+r.title(f.task), r.section(f))
	}
	parts = append(parts, r.comparison(told)...)
	parts = append(parts, r.closing()...)
	parts = append(parts, "## "+r.say("report_method"), r.say("report_method_text"))
	return strings.Join(parts, "\n\n") + "\n"
}

// asJSON gives the results as data, indented for people.
func (r *run) asJSON() (string, error) {
	type item struct {
		Tool    string  `json:"tool"`
		Status  string  `json:"status"`
		Verdict Verdict `json:"decision,omitempty"`
		Comment string  `json:"comment,omitempty"`
		Result  any     `json:"result"`
		Error   string  `json:"error,omitempty"`
	}
	type about struct {
		Name     string         `json:"name"`
		Nodes    int            `json:"nodes"`
		Edges    int            `json:"edges"`
		Directed bool           `json:"directed"`
		Weights  graphs.Weights `json:"weights"`
	}
	answer := struct {
		Graph   *about `json:"graph"`
		Results []item `json:"results"`
		Message string `json:"message,omitempty"`
	}{Results: []item{}}
	if r.g != nil {
		answer.Graph = &about{r.g.Name(), r.g.NodeCount(), r.g.EdgeCount(), r.g.Directed(), r.g.Weights()}
	}
	for _, f := range r.findings {
		answer.Results = append(answer.Results, item{tools[f.task], string(toolEnd[f.outcome]), f.verdict, f.comment, f.result, f.problem})
	}
	if len(r.tasks) == 0 {
		answer.Message = r.say(r.lost())
	}
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return "", fmt.Errorf("agent: write results as JSON: %w", err)
	}
	return string(text) + "\n", nil
}

var toolEnd = map[outcome]ToolStatus{succeeded: ToolSucceeded, failed: ToolFailed, cancelled: ToolCancelled}

func (r *run) lost() key {
	if r.request.help {
		return "help"
	}
	return "unknown"
}

func (r *run) helpText() string {
	return r.say(r.lost()) + "\n\n" + r.say("help_table") + "\n\n" + r.say("help_files") + "\n"
}

// told are the findings that get a section: a load that went well is told by
// the opening.
func (r *run) told() []finding {
	var told []finding
	for _, f := range r.findings {
		if f.task != taskLoad || f.outcome != succeeded {
			told = append(told, f)
		}
	}
	return told
}

// opening says what graph the answer is about and what loading it found.
func (r *run) opening() []string {
	var parts []string
	if r.g != nil {
		direction := key("undirected")
		if r.g.Directed() {
			direction = "directed"
		}
		parts = append(parts, r.say("graph_line", escape(r.g.Name()), count(r.g.NodeCount()), count(r.g.EdgeCount()),
			r.say(direction), r.say(key("weights_"+string(r.g.Weights())))))
	}
	loads, described := 0, false
	for _, f := range r.findings {
		if f.task == taskLoad {
			loads++
		}
		described = described || f.task == taskDescribe
	}
	if loads > 0 && r.g != nil && len(r.turn.Attachments) == 0 && !r.request.karate {
		parts = append(parts, r.say("used_karate"))
	}
	if loads > 1 && r.g != nil {
		parts = append(parts, r.say("last_attachment"))
	}
	if r.g != nil && (loads > 0 || described) {
		parts = append(parts, r.notes()...)
	}
	return parts
}

func (r *run) notes() []string {
	notes := r.g.Notes()
	if len(notes) == 0 {
		return nil
	}
	lines := []string{r.say("loading_notes"), ""}
	for _, n := range notes {
		lines = append(lines, "- "+escape(n.In(r.turn.Language)))
	}
	return []string{strings.Join(lines, "\n")}
}

func (r *run) closing() []string {
	if r.g == nil && len(r.tasks) > len(r.findings) {
		return []string{r.say("not_done")}
	}
	return nil
}

// section tells one finding in full.
func (r *run) section(f finding) string {
	if f.verdict != "" {
		return r.changeSection(f)
	}
	if f.outcome != succeeded {
		return f.text
	}
	lines := append([]string{r.headline(f)}, r.details(f)...)
	return strings.Join(lines, "\n\n")
}

// headline tells one finding in a line.
func (r *run) headline(f finding) string {
	if f.verdict != "" {
		return r.changeLine(f)
	}
	if f.outcome != succeeded {
		return f.text
	}
	switch v := f.result.(type) {
	case graphs.Summary:
		return r.say("summary_line", decimal(v.Density), decimal(v.MeanDegree), decimal(v.Clustering), count(v.Components))
	case graphs.Degrees:
		if len(v.Ranking) == 0 {
			return r.say("empty_graph")
		}
		return r.say("degrees_line", count(v.Min), count(v.Max), decimal(v.Mean), decimal(v.Median), escape(v.Ranking[0].Node))
	case graphs.Ranking:
		return r.say("pagerank_line", escape(v.Scores[0].Node), decimal(v.Scores[0].Score), r.runnersUp(v.Scores))
	case graphs.Betweenness:
		if v.Scores[0].Score == 0 {
			return r.say("betweenness_none")
		}
		return r.say("betweenness_line", escape(v.Scores[0].Node), decimal(v.Scores[0].Score), r.runnersUp(v.Scores))
	case communityResult:
		method := r.say(key("method_" + v.Method))
		if v.Count == 1 {
			return r.say("communities_one", decimal(v.Modularity), method)
		}
		return r.say("communities_line", count(v.Count), decimal(v.Modularity), method, count(v.Communities.Communities[0].Size))
	case graphs.Path:
		return r.pathLine(v)
	case graphs.Neighbours:
		if len(v.Neighbours) == 0 {
			return r.say("neighbours_none", escape(v.Node))
		}
		return r.say("neighbours_line", escape(v.Node), count(v.Degree), r.listed(neighbourNames(v), v.Degree, 12))
	case graphs.Training:
		return r.say("train_line", decimal(v.AUC), count(v.TestEdges), count(v.BestEpoch), count(v.Epochs))
	}
	return ""
}

// runnersUp names the two nodes behind the first.
func (r *run) runnersUp(scores []graphs.Score) string {
	var next []string
	for _, s := range scores[min(1, len(scores)):min(3, len(scores))] {
		next = append(next, escape(s.Node))
	}
	if len(next) == 0 {
		return ""
	}
	return r.say("followed_by", strings.Join(next, r.say("separator_list")))
}

func (r *run) pathLine(p graphs.Path) string {
	switch {
	case !p.Found:
		return r.say("path_none", escape(p.From), escape(p.To))
	case p.Hops == 0:
		return r.say("path_same", escape(p.From))
	}
	shown := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		shown[i] = escape(n)
	}
	if len(shown) > 12 {
		shown = append(append(shown[:6:6], "…"), shown[len(shown)-5:]...)
	}
	return r.say("path_line", escape(p.From), escape(p.To), count(p.Hops), strings.Join(shown, " → "))
}

// details are the tables and remarks below a headline.
func (r *run) details(f finding) []string {
	switch v := f.result.(type) {
	case graphs.Summary:
		return []string{r.summaryTable(v)}
	case graphs.Degrees:
		return []string{r.degreeTable(v), r.scoreTable(v.Ranking, "column_degree", whole)}
	case graphs.Ranking:
		return []string{r.scoreTable(v.Scores, "column_score", decimal)}
	case graphs.Betweenness:
		parts := []string{r.scoreTable(v.Scores, "column_score", decimal)}
		if !v.Exact {
			parts = append(parts, r.say("betweenness_sampled", count(v.Sources), count(r.g.NodeCount())))
		}
		return parts
	case communityResult:
		return []string{r.communityTable(v)}
	case graphs.Path:
		return r.pathDetails(v)
	case graphs.Neighbours:
		return r.neighbourTable(v)
	case graphs.Training:
		return r.trainingDetails(v)
	}
	return nil
}

// changeLine tells in a line what became of a change.
func (r *run) changeLine(f finding) string {
	if f.outcome == failed {
		return f.text
	}
	verdict := map[Verdict]key{Approved: "changed", Modified: "changed_modified", Rejected: "rejected"}[f.verdict]
	if verdict == "" {
		verdict = "expired"
	}
	return r.say(verdict, escape(f.summary))
}

func (r *run) changeSection(f finding) string {
	parts := []string{r.changeLine(f)}
	if f.comment != "" {
		parts = append(parts, r.say("comment", escape(f.comment)))
	}
	if p, ok := f.result.(graphs.Preview); ok && f.outcome == succeeded {
		parts = append(parts, table(
			[]string{r.say("column_measure"), r.say("column_before"), r.say("column_after")},
			[][]string{
				{r.say("nodes"), count(p.NodesBefore), count(p.NodesAfter)},
				{r.say("edges"), count(p.EdgesBefore), count(p.EdgesAfter)},
			}))
	}
	return strings.Join(parts, "\n\n")
}
