package protocol

// ChatRequest is the body of a chat request. StartRequestID is new for a new request and kept when
// that same request is retried. Stream and Background are compatibility fields, always true.
type ChatRequest struct {
	Message        string       `json:"message"`
	StartRequestID string       `json:"start_request_id"`
	Attachments    []Attachment `json:"attachments,omitempty"`
	OutputFormat   string       `json:"output_format,omitempty"`
	ReasoningMode  string       `json:"reasoning_mode,omitempty"`
	PlanningMode   string       `json:"planning_mode,omitempty"`
	Stream         bool         `json:"stream"`
	Background     bool         `json:"background"`
	EditTurnID     string       `json:"edit_turn_id,omitempty"`
}

// FeedbackRequest decides a paused request. PatchedArgs goes only with modify and is the whole
// edited value.
type FeedbackRequest struct {
	RunID       string  `json:"run_id"`
	RequestID   string  `json:"request_id"`
	DecisionID  string  `json:"decision_id"`
	Decision    string  `json:"decision"`
	ToolCallID  string  `json:"tool_call_id,omitempty"`
	ToolName    string  `json:"tool_name,omitempty"`
	Comment     string  `json:"comment,omitempty"`
	PatchedArgs RawJSON `json:"patched_args,omitempty"`
}

// CancelRequest asks for a run to be cancelled. Exactly one field of Target is set.
type CancelRequest struct {
	Target          CancelTarget `json:"target"`
	CancelRequestID string       `json:"cancel_request_id"`
}

// CancelTarget names a run by its id or, while that is unknown, by its start request.
type CancelTarget struct {
	RunID          string `json:"run_id,omitempty"`
	StartRequestID string `json:"start_request_id,omitempty"`
}

// JobCancelRequest asks for one job to be cancelled.
type JobCancelRequest struct {
	CancelRequestID string `json:"cancel_request_id"`
}

// SkillDecisionRequest decides a skill candidate.
type SkillDecisionRequest struct {
	Decision   string `json:"decision"`
	DecisionID string `json:"decision_id"`
	Comment    string `json:"comment,omitempty"`
}

// TitleRequest creates or renames a session.
type TitleRequest struct {
	Title string `json:"title,omitempty"`
}

// Modes offered for reasoning and planning. The values are configuration: a deployment that offers
// others changes these two lists. The first value of each is the default.
var (
	ReasoningModes = []string{"fast", "deep"}
	PlanningModes  = []string{"auto", "always", "off"}
	OutputFormats  = []string{FormatChat, FormatReport, FormatJSON}
)
