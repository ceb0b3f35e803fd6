package agent

import (
	"context"
	"encoding/json"

	"igraph-console/cmd/serve/graphs"
)

// Out receives what the agent does, in order and from one goroutine. Every
// method may block, which is how a backend sets the pace, and returns an error
// when the run must stop; the agent then returns that error at once. Once the
// run's context has ended nothing more is told, except the end of a tool call
// that was done by then; messages, steps and other calls may be left open, as
// the backend knows best how the run ended.
type Out interface {
	// Plan gives the whole plan each time.
	Plan(steps []Step) error
	// Reasoning appends to the reasoning of a message that was started.
	Reasoning(messageID, delta string) error
	// Message starts a message; format is FormatMarkdown, FormatReport or
	// FormatJSON.
	Message(messageID, format string) error
	// Delta appends to the text of a message. It never ends inside a character.
	Delta(messageID, delta string) error
	// EndMessage completes a message.
	EndMessage(messageID string) error
	// ToolStart begins a tool call; args can be marshalled to JSON. A job can be
	// cancelled alone: the returned context ends when that happens or when the
	// run's context ends.
	ToolStart(callID, tool string, args any, job bool) (context.Context, error)
	// ToolProgress reports on a tool that is running.
	ToolProgress(callID string, p Progress) error
	// ToolEnd finishes a tool call: a result that can be marshalled to JSON with
	// ToolSucceeded, a message for people with ToolFailed and ToolCancelled.
	ToolEnd(callID string, status ToolStatus, result any, errMsg string) error
	// Approve pauses the run until a person decides or the request expires.
	// A tool call that needs approval starts only after it, so the callID is
	// that of a call to come.
	Approve(req Approval) (Decision, error)
	// SaveGraph makes g the session's graph. It returns once g is stored.
	SaveGraph(g *graphs.Graph) error
	// Skill offers a skill candidate.
	Skill(id, name, description, body string) error
}

// Formats of a message.
const (
	FormatMarkdown = "markdown"
	FormatReport   = "report"
	FormatJSON     = "json"
)

// StepStatus is the state of a step of a plan.
type StepStatus string

// States of a step.
const (
	StepPending StepStatus = "pending"
	StepRunning StepStatus = "running"
	StepDone    StepStatus = "done"
	StepFailed  StepStatus = "failed"
	StepSkipped StepStatus = "skipped"
)

// Step is one line of a plan.
type Step struct {
	ID     string
	Title  string
	Status StepStatus
}

// ToolStatus says how a tool call ended.
type ToolStatus string

// Ends of a tool call.
const (
	ToolSucceeded ToolStatus = "succeeded"
	ToolFailed    ToolStatus = "failed"
	ToolCancelled ToolStatus = "cancelled"
)

// Progress is the newest state of a running tool. Fields that do not apply are
// zero.
type Progress struct {
	Epoch    int // from 1
	Epochs   int
	Fraction float64 // 0 to 1
	Message  string
	Metrics  map[string]float64
}

// Approval asks a person to allow one tool call.
type Approval struct {
	CallID  string
	Tool    string
	Args    any // marshals to the JSON object a person may edit
	Reason  string
	Summary string
	Preview graphs.Preview
}

// Verdict is how an approval was settled.
type Verdict string

// Verdicts.
const (
	Approved Verdict = "approve"
	Rejected Verdict = "reject"
	Modified Verdict = "modify"
	Expired  Verdict = "expired"
)

// Decision settles an Approval. Args are the effective arguments: the ones
// asked about, or with Modified the ones the person put in their place. Empty
// Args stand for the ones asked about.
type Decision struct {
	Verdict Verdict
	Comment string
	Args    json.RawMessage
}
