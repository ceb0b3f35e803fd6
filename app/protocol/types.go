package protocol

import "time"

// Version is the stream protocol version sent in VersionHeader and expected in every frame.
const Version = 2

// Languages of a turn, as sent in Accept-Language and recorded as response_language.
const (
	LangEN = "en-US"
	LangZH = "zh-CN"
)

// Output formats of a turn, also the formats of a message apart from FormatChat, which yields
// FormatMarkdown messages.
const (
	FormatChat     = "chat"
	FormatReport   = "report"
	FormatJSON     = "json"
	FormatMarkdown = "markdown"
)

// Status values of sessions, runs, tools, plan steps, approvals and skill candidates.
const (
	StatusIdle       = "idle"
	StatusRunning    = "running"
	StatusPaused     = "paused"
	StatusCancelling = "cancelling"
	StatusCompleted  = "completed"
	StatusFailed     = "failed"
	StatusCancelled  = "cancelled"
	StatusSucceeded  = "succeeded"
	StatusPending    = "pending"
	StatusDone       = "done"
	StatusSkipped    = "skipped"
	StatusExpired    = "expired"
)

// Decisions on a paused request or a skill candidate.
const (
	Approve = "approve"
	Reject  = "reject"
	Modify  = "modify"
)

// Terminal reports whether a run with this status has ended.
func Terminal(status string) bool {
	return status == StatusCompleted || status == StatusFailed || status == StatusCancelled
}

// Capabilities say what a deployment offers. Missing or malformed means false.
type Capabilities struct {
	RunCancel  bool `json:"run_cancel_v1"`
	JobCancel  bool `json:"job_cancel_v1"`
	EditLatest bool `json:"edit_latest_turn_v1"`
}

// SessionInfo is one row of the session list. Status is idle, running, paused or failed.
type SessionInfo struct {
	SessionID string    `json:"session_id"`
	Title     string    `json:"title"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Status    string    `json:"status"`
}

// SessionPage is one page of the session list. An empty NextCursor means the list ends here.
type SessionPage struct {
	Sessions   []SessionInfo `json:"sessions"`
	NextCursor *string       `json:"next_cursor"`
}

// SessionDetail is a session with its turns. ActiveRun is set until the run's end is confirmed; its
// turn then stands last, with the items saved so far.
type SessionDetail struct {
	Session   SessionInfo `json:"session"`
	Turns     []Turn      `json:"turns"`
	ActiveRun *Control    `json:"active_run"`
}

// Turn is a user message with its run.
type Turn struct {
	TurnID           string      `json:"turn_id"`
	RunID            string      `json:"run_id"`
	StartRequestID   string      `json:"start_request_id"`
	User             UserMessage `json:"user"`
	ResponseLanguage string      `json:"response_language"`
	OutputFormat     string      `json:"output_format"`
	Status           string      `json:"status"`
	Error            *RunError   `json:"error"`
	Items            []Item      `json:"items"`
	CreatedAt        time.Time   `json:"created_at"`
}

// UserMessage is what the person sent.
type UserMessage struct {
	Text        string       `json:"text"`
	Attachments []Attachment `json:"attachments"`
}

// Attachment refers to an uploaded file.
type Attachment struct {
	FileToken string `json:"file_token"`
	Filename  string `json:"filename,omitempty"`
}

// RunError says why a run, or a request, failed.
type RunError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Upload is the answer to a file upload. Size is in bytes.
type Upload struct {
	FileToken string `json:"file_token"`
	Filename  string `json:"filename"`
	Size      int64  `json:"size"`
}

// Control is the authoritative state of a run. The three confirmations (ExecutionStopped,
// TerminalPersisted, CanSend) must all hold before sending opens again. LastEventIndex is -1 while
// the run has no event.
type Control struct {
	SessionID         string         `json:"session_id"`
	TurnID            string         `json:"turn_id"`
	RunID             string         `json:"run_id"`
	StartRequestID    string         `json:"start_request_id"`
	Status            string         `json:"status"`
	Error             *RunError      `json:"error"`
	ExecutionStopped  bool           `json:"execution_stopped"`
	TerminalPersisted bool           `json:"terminal_persisted"`
	CanSend           bool           `json:"can_send"`
	LastEventIndex    int64          `json:"last_event_index"`
	PausedRequest     *PausedRequest `json:"paused_request"`
	LastDecision      *LastDecision  `json:"last_decision"`
	ResponseLanguage  string         `json:"response_language"`
}

// Confirmed reports whether the run's end is confirmed and the server permits sending.
func (c Control) Confirmed() bool {
	return c.ExecutionStopped && c.TerminalPersisted && c.CanSend
}

// LastDecision tells how the most recently decided request of a run was decided. Decision may also
// be expired or cancelled.
type LastDecision struct {
	RequestID string    `json:"request_id"`
	Decision  string    `json:"decision"`
	Comment   string    `json:"comment"`
	DecidedAt time.Time `json:"decided_at"`
}

// JobControl is the authoritative state of one job.
type JobControl struct {
	JobID             string `json:"job_id"`
	Status            string `json:"status"`
	ExecutionStopped  bool   `json:"execution_stopped"`
	TerminalPersisted bool   `json:"terminal_persisted"`
}

// Snapshot is the whole visible state of a run. Only a complete one may be shown. It never carries
// a cursor: raw deltas cannot be joined to it.
type Snapshot struct {
	SessionID        string         `json:"session_id"`
	RunID            string         `json:"run_id"`
	Status           string         `json:"status"`
	Error            *RunError      `json:"error"`
	Complete         bool           `json:"snapshot_complete"`
	ResumeCursor     *int64         `json:"resume_cursor"`
	Items            []Item         `json:"items"`
	PausedRequest    *PausedRequest `json:"paused_request"`
	ResponseLanguage string         `json:"response_language"`
	OutputFormat     string         `json:"output_format"`
}

// PausedRequest is a tool call that waits for a person's decision. Zero times are absent.
type PausedRequest struct {
	RequestID  string    `json:"request_id"`
	ToolCallID string    `json:"tool_call_id,omitempty"`
	ToolName   string    `json:"tool_name,omitempty"`
	Args       RawJSON   `json:"args"`
	Reason     string    `json:"reason,omitempty"`
	Summary    string    `json:"summary,omitempty"`
	Preview    *Preview  `json:"preview,omitempty"`
	CreatedAt  time.Time `json:"created_at,omitzero"`
	ExpiresAt  time.Time `json:"expires_at,omitzero"`
}

// PreviewGraphMutation is the one kind of preview there is so far.
const PreviewGraphMutation = "graph_mutation"

// Preview tells what a graph mutation would change. Counts are optional (zero value: not told).
// Irreversible is set only where the server says that the change cannot be undone.
type Preview struct {
	Kind         string       `json:"kind"`
	AddNodes     []string     `json:"add_nodes"`
	RemoveNodes  []string     `json:"remove_nodes"`
	AddEdges     []Edge       `json:"add_edges"`
	RemoveEdges  []Edge       `json:"remove_edges"`
	Before       *GraphCounts `json:"before,omitempty"`
	After        *GraphCounts `json:"after,omitempty"`
	Irreversible bool         `json:"irreversible,omitempty"`
}

// Edge joins two nodes, named by their labels. Weight 0 means unweighted.
type Edge struct {
	Source string  `json:"source"`
	Target string  `json:"target"`
	Weight float64 `json:"weight,omitempty"`
}

// GraphCounts is the size of a graph.
type GraphCounts struct {
	Nodes int64 `json:"nodes"`
	Edges int64 `json:"edges"`
}

// PlanStep is one line of a plan. Status is pending, running, done, failed or skipped.
type PlanStep struct {
	StepID string `json:"step_id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// Progress is the newest word of a running tool. Negative or absent numbers are nil.
type Progress struct {
	Epoch    *float64 `json:"epoch,omitempty"`
	Epochs   *float64 `json:"epochs,omitempty"`
	Fraction *float64 `json:"fraction,omitempty"`
	Message  string   `json:"message,omitempty"`
	Metrics  Metrics  `json:"metrics,omitempty"`
}

// Metrics are named numbers in the order the server wrote them.
type Metrics []Metric

// Metric is one named number.
type Metric struct {
	Name  string
	Value float64
}

// Point is one value of a metric's series; X is the epoch or the order of arrival.
type Point [2]float64

// Series is the history of one metric.
type Series struct {
	Name   string
	Points []Point
}

// Skill is a candidate skill, decided through an endpoint of its own.
type Skill struct {
	CandidateID string `json:"candidate_id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Body        string `json:"body,omitempty"`
	Status      string `json:"status"`
}
