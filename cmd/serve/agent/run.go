package agent

import (
	"context"
	"strings"
	"unicode/utf8"

	"igraph-console/cmd/serve/graphs"
)

// run is one turn being answered.
type run struct {
	speaker
	ctx      context.Context
	turn     Turn
	out      Out
	newID    func() string
	g        *graphs.Graph
	request  request
	tasks    []task
	plan     []Step // empty if no plan is shown; the last step is the answer
	findings []finding
}

// skillFrom is how many tool calls make a run worth repeating.
const skillFrom = 3

func (r *run) answer() error {
	r.request = understand(r.turn.Text)
	r.tasks = r.arrange()
	if err := r.think(); err != nil {
		return err
	}
	if len(r.tasks) == 0 {
		return r.write()
	}
	if err := r.showPlan(); err != nil {
		return err
	}
	for i, t := range r.tasks {
		if err := r.step(i, t); err != nil {
			return err
		}
	}
	if err := r.mark(len(r.tasks), StepRunning); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	if err := r.mark(len(r.tasks), StepDone); err != nil {
		return err
	}
	return r.offerSkill()
}

// arrange completes what was asked by what it needs: a graph to work on, and
// for several analyses a description to read them against.
func (r *run) arrange() []task {
	asked := r.request.tasks
	var loads []task
	for i := range r.turn.Attachments {
		loads = append(loads, task{kind: taskLoad, file: &r.turn.Attachments[i]})
	}
	if len(loads) == 0 && (r.request.karate || r.g == nil && len(asked) > 0) {
		loads = append(loads, task{kind: taskLoad})
	}
	analyses := 0
	described := false
	for _, t := range asked {
		if !t.kind.mutates() {
			analyses++
		}
		described = described || t.kind == taskDescribe
	}
	if !described && (len(loads) > 0 && len(asked) == 0 || len(loads) == 0 && analyses >= 2) {
		loads = append(loads, task{kind: taskDescribe})
	}
	return append(loads, asked...)
}

// step performs one task, unless there is no graph to perform it on.
func (r *run) step(i int, t task) error {
	if r.g == nil && t.kind != taskLoad {
		return r.mark(i, StepSkipped)
	}
	if err := r.mark(i, StepRunning); err != nil {
		return err
	}
	f, err := r.perform(t)
	if err != nil {
		return err
	}
	r.findings = append(r.findings, f)
	if t.kind == taskLoad && f.outcome != succeeded {
		// The file was meant, so the graph from before must not answer for it.
		r.g = nil
	}
	return r.mark(i, stepEnd[f.outcome])
}

var stepEnd = map[outcome]StepStatus{succeeded: StepDone, failed: StepFailed, cancelled: StepSkipped}

// showPlan gives the plan if the turn wants one: always, never, or where there
// is more than one step to the answer.
func (r *run) showPlan() error {
	if r.turn.Planning == "off" || r.turn.Planning != "always" && len(r.tasks) < 2 {
		return nil
	}
	for _, t := range r.tasks {
		r.plan = append(r.plan, Step{r.newID(), r.title(t.kind), StepPending})
	}
	r.plan = append(r.plan, Step{r.newID(), r.say("title_answer"), StepPending})
	return r.tellPlan()
}

func (r *run) mark(i int, status StepStatus) error {
	if len(r.plan) == 0 {
		return nil
	}
	r.plan[i].Status = status
	return r.tellPlan()
}

// tellPlan hands out a copy, as Out may keep it.
func (r *run) tellPlan() error { return r.out.Plan(append([]Step(nil), r.plan...)) }

// think gives the reasoning of a deep turn, in a message of its own that comes
// before the work, so that the answer can follow it. A JSON turn has only one
// message, which takes its reasoning when it is written.
func (r *run) think() error {
	if r.turn.Reasoning != "deep" || r.turn.Format == "json" {
		return nil
	}
	id := r.newID()
	if err := r.out.Message(id, FormatMarkdown); err != nil {
		return err
	}
	if err := r.reason(id); err != nil {
		return err
	}
	if len(r.tasks) > 0 {
		if err := r.stream(id, r.say("think_working", r.taskTitles())); err != nil {
			return err
		}
	}
	return r.out.EndMessage(id)
}

func (r *run) taskTitles() string {
	var titles []string
	for _, t := range r.tasks {
		titles = append(titles, r.title(t.kind))
	}
	return strings.Join(titles, r.say("separator_list"))
}

func (r *run) reason(messageID string) error {
	for _, piece := range pieces(r.reasoning()) {
		if err := r.out.Reasoning(messageID, piece); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) reasoning() string {
	if len(r.tasks) == 0 {
		return r.say("think_lost")
	}
	changes := false
	for _, t := range r.tasks {
		changes = changes || t.kind.mutates()
	}
	lines := []string{r.say("think_asked", r.taskTitles())}
	switch {
	case len(r.turn.Attachments) > 0:
		lines = append(lines, r.say("think_files", count(len(r.turn.Attachments))))
	case r.g == nil:
		lines = append(lines, r.say("think_none"))
	default:
		lines = append(lines, r.say("think_graph", r.g.Name(), count(r.g.NodeCount()), count(r.g.EdgeCount())))
	}
	if changes {
		lines = append(lines, r.say("think_change"))
	}
	return strings.Join(append(lines, r.say("think_order")), "\n")
}

// write streams the answer in the format of the turn.
func (r *run) write() error {
	format, text, err := r.text()
	if err != nil {
		return err
	}
	id := r.newID()
	if err := r.out.Message(id, format); err != nil {
		return err
	}
	if format == FormatJSON && r.turn.Reasoning == "deep" {
		if err := r.reason(id); err != nil {
			return err
		}
	}
	if err := r.stream(id, text); err != nil {
		return err
	}
	return r.out.EndMessage(id)
}

// stream appends a text to a message in small pieces.
func (r *run) stream(messageID, text string) error {
	for _, piece := range pieces(text) {
		if err := r.out.Delta(messageID, piece); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) text() (format, text string, err error) {
	switch r.turn.Format {
	case "json":
		text, err = r.asJSON()
		return FormatJSON, text, err
	case "report":
		return FormatReport, r.asReport(), nil
	}
	return FormatMarkdown, r.asChat(), nil
}

// Sizes of the pieces an answer is streamed in.
const (
	wideRun = 4  // Chinese characters
	longRun = 24 // any visible characters
)

// pieces cuts a text into words with the blanks behind them, and text without
// blanks into a few characters, never inside a visible character.
func pieces(text string) []string {
	var found []string
	var piece strings.Builder
	size, wide := 0, 0
	blank := false
	flush := func() {
		if piece.Len() > 0 {
			found = append(found, piece.String())
		}
		piece.Reset()
		size, wide = 0, 0
	}
	for _, c := range clusters(text) {
		space := c == " " || c == "\n"
		if blank && !space || wide == wideRun || size == longRun {
			flush()
		}
		piece.WriteString(c)
		size++
		if r, _ := utf8.DecodeRuneInString(c); r >= 0x2E80 {
			wide++
		}
		blank = space
	}
	flush()
	return found
}

// offerSkill proposes to keep a sequence of at least three analyses that all
// succeeded. A change belongs to one graph, so a run with one is not offered.
func (r *run) offerSkill() error {
	var titles, subjects []string
	for _, f := range r.findings {
		if f.outcome != succeeded || f.task.mutates() {
			return nil
		}
		titles = append(titles, r.title(f.task))
		if f.task != taskLoad && f.task != taskDescribe {
			subjects = append(subjects, r.title(f.task))
		}
	}
	if len(titles) < skillFrom || subjects == nil {
		return nil // loading and describing alone are what every run does
	}
	var body strings.Builder
	body.WriteString(r.say("skill_body") + "\n\n")
	for i, title := range titles {
		body.WriteString(count(i+1) + ". " + title + " (`" + tools[r.findings[i].task] + "`)\n")
	}
	body.WriteString("\n" + r.say("skill_request", escape(Title(r.turn.Text))) + "\n")
	name := r.say("skill_name", strings.Join(subjects, r.say("separator_list")))
	return r.out.Skill(r.newID(), Title(name), r.say("skill_description", len(titles)), body.String())
}
