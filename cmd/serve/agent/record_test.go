package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"igraph-console/cmd/serve/graphs"
)

// toolCall is one call as it was told.
type toolCall struct {
	id, name string
	args     string
	job      bool
	status   ToolStatus
	result   string
	problem  string
	epochs   int
}

// message is one message as it was told.
type message struct {
	format, text, reasoning string
	pieces                  []string
	ended                   bool
}

// recorder is an Out that keeps what it is told, checks the order of it, and
// decides approvals with a function.
type recorder struct {
	t        *testing.T
	ctx      context.Context
	plans    [][]Step
	order    []string // ids of messages in order
	messages map[string]*message
	calls    []*toolCall
	asked    []Approval
	saved    []*graphs.Graph
	skills   []string
	decide   func(Approval) (Decision, error)
	// hook is called with the name of every method before anything else; its
	// error is the method's.
	hook    func(method string) error
	stopJob func(epoch int) bool
	cancel  context.CancelFunc // of the running job
}

func newRecorder(t *testing.T) *recorder {
	return &recorder{t: t, ctx: context.Background(), messages: map[string]*message{}}
}

func (r *recorder) told(method string) error {
	if r.hook == nil {
		return nil
	}
	return r.hook(method)
}

func (r *recorder) Plan(steps []Step) error {
	r.plans = append(r.plans, steps)
	return r.told("Plan")
}

func (r *recorder) Message(id, format string) error {
	if r.messages[id] != nil {
		r.t.Errorf("message %s starts twice", id)
	}
	r.messages[id] = &message{format: format}
	r.order = append(r.order, id)
	return r.told("Message")
}

func (r *recorder) open(id string) *message {
	m := r.messages[id]
	if m == nil || m.ended {
		r.t.Fatalf("message %s is not open", id)
	}
	return m
}

func (r *recorder) Reasoning(id, delta string) error {
	r.open(id).reasoning += delta
	return r.told("Reasoning")
}

func (r *recorder) Delta(id, delta string) error {
	m := r.open(id)
	if !utf8.ValidString(delta) || delta == "" {
		r.t.Errorf("delta %q is empty or ends inside a character", delta)
	}
	m.text += delta
	m.pieces = append(m.pieces, delta)
	return r.told("Delta")
}

func (r *recorder) EndMessage(id string) error {
	r.open(id).ended = true
	return r.told("EndMessage")
}

func (r *recorder) ToolStart(id, tool string, args any, job bool) (context.Context, error) {
	data, err := json.Marshal(args)
	if err != nil {
		r.t.Errorf("arguments of %s: %v", tool, err)
	}
	r.calls = append(r.calls, &toolCall{id: id, name: tool, args: string(data), job: job})
	ctx, cancel := context.WithCancel(r.ctx)
	r.cancel = cancel
	return ctx, r.told("ToolStart")
}

func (r *recorder) call(id string) *toolCall {
	for _, c := range r.calls {
		if c.id == id && c.status == "" {
			return c
		}
	}
	r.t.Fatalf("tool call %s is not running", id)
	return nil
}

func (r *recorder) ToolProgress(id string, p Progress) error {
	c := r.call(id)
	c.epochs = p.Epoch
	if p.Epoch < 1 || p.Epochs < p.Epoch || p.Fraction <= 0 || p.Fraction > 1 || len(p.Metrics) != 3 {
		r.t.Errorf("progress is %+v", p)
	}
	if r.stopJob != nil && r.stopJob(p.Epoch) {
		r.cancel()
	}
	return r.told("ToolProgress")
}

func (r *recorder) ToolEnd(id string, status ToolStatus, result any, problem string) error {
	c := r.call(id)
	data, err := json.Marshal(result)
	if err != nil {
		r.t.Errorf("result of %s: %v", c.name, err)
	}
	c.status, c.result, c.problem = status, string(data), problem
	if (status == ToolSucceeded) != (problem == "") {
		r.t.Errorf("%s ended as %s with %q", c.name, status, problem)
	}
	return r.told("ToolEnd")
}

func (r *recorder) Approve(req Approval) (Decision, error) {
	r.asked = append(r.asked, req)
	if err := r.told("Approve"); err != nil {
		return Decision{}, err
	}
	if r.decide == nil {
		r.t.Fatalf("nobody expected to be asked: %+v", req)
	}
	return r.decide(req)
}

func (r *recorder) SaveGraph(g *graphs.Graph) error {
	r.saved = append(r.saved, g)
	return r.told("SaveGraph")
}

func (r *recorder) Skill(id, name, description, body string) error {
	if id == "" || name == "" || description == "" || body == "" {
		r.t.Errorf("skill %q %q %q %q has gaps", id, name, description, body)
	}
	r.skills = append(r.skills, name)
	return r.told("Skill")
}

// answer is the text of the last message.
func (r *recorder) answer() string {
	if len(r.order) == 0 {
		r.t.Fatal("there is no message")
	}
	m := r.messages[r.order[len(r.order)-1]]
	if !m.ended {
		r.t.Error("the last message is not ended")
	}
	return m.text
}

// tools lists the calls with their ends.
func (r *recorder) tools() string {
	var all []string
	for _, c := range r.calls {
		entry := c.name
		if c.status != ToolSucceeded {
			entry += ":" + string(c.status)
		}
		all = append(all, entry)
	}
	return strings.Join(all, " ")
}

// lastPlan lists the states of the last plan.
func (r *recorder) lastPlan() string {
	if len(r.plans) == 0 {
		return ""
	}
	var all []string
	for _, s := range r.plans[len(r.plans)-1] {
		all = append(all, string(s.Status))
	}
	return strings.Join(all, " ")
}

func (r *recorder) lastSaved() *graphs.Graph {
	if len(r.saved) == 0 {
		r.t.Fatal("no graph was stored")
	}
	return r.saved[len(r.saved)-1]
}

// testAgent counts its ids, so that runs can be compared.
func testAgent() *Agent {
	n := 0
	return &Agent{NewID: func() string { n++; return fmt.Sprint("id-", n) }}
}

// ask runs a turn that must be answered.
func ask(t *testing.T, turn Turn, decide func(Approval) (Decision, error)) *recorder {
	t.Helper()
	r := newRecorder(t)
	r.decide = decide
	if err := testAgent().Run(r.ctx, turn, r); err != nil {
		t.Fatalf("%q: %v", turn.Text, err)
	}
	return r
}

func deciding(d Decision) func(Approval) (Decision, error) {
	return func(Approval) (Decision, error) { return d, nil }
}
