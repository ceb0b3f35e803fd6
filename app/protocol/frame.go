package protocol

import (
	"fmt"
	"time"

	"github.com/tidwall/gjson"
)

// Frame is one data frame of a stream: all events derived from one original event. They are applied
// together, then the cursor moves to Index, in one transaction. Without HasIndex the frame tells of
// the observation itself and never moves the cursor.
type Frame struct {
	SessionID string
	RunID     string
	Index     int64
	HasIndex  bool
	Events    []Event
}

// FrameError is a frame that must not be applied. Code is PROTOCOL_VERSION or BAD_FRAME.
type FrameError struct {
	Code   string
	Reason string
}

func (e *FrameError) Error() string { return e.Code + ": " + e.Reason }

func badFrame(format string, args ...any) *FrameError {
	return &FrameError{Code: CodeBadFrame, Reason: fmt.Sprintf(format, args...)}
}

// Event is one UI event of a frame; one of the types below.
type Event interface{ event() }

// The events. Times may be zero; unknown values of closed fields are normalised on decoding.
type (
	// RunStarted opens a run.
	RunStarted struct {
		TurnID, StartRequestID, ResponseLanguage, OutputFormat string
		StartedAt                                              time.Time
	}
	// MessageStart opens a message.
	MessageStart struct{ MessageID, Format string }
	// MessageDelta appends to a message's text.
	MessageDelta struct{ MessageID, Delta string }
	// ReasoningDelta appends to a message's reasoning.
	ReasoningDelta struct{ MessageID, Delta string }
	// MessageEnd completes a message.
	MessageEnd struct{ MessageID string }
	// PlanUpdate replaces a plan.
	PlanUpdate struct{ Plan Plan }
	// ToolStart opens a tool call.
	ToolStart struct {
		Tool, CallID string
		Args         RawJSON
		Job          bool
		StartedAt    time.Time
	}
	// ToolProgress is the newest word of a running tool.
	ToolProgress struct {
		Tool, CallID string
		Progress     *Progress
	}
	// ToolEnd finishes a tool call.
	ToolEnd struct {
		CallID, Status string
		Result, Error  RawJSON
		EndedAt        time.Time
	}
	// ApprovalRequired pauses the run for a decision.
	ApprovalRequired struct{ Request PausedRequest }
	// ApprovalResolved tells how a request was decided.
	ApprovalResolved struct {
		RequestID, Decision, Comment string
		EffectiveArgs                RawJSON
	}
	// SkillCandidate offers a skill.
	SkillCandidate struct{ Skill Skill }
	// SkillResolved tells how a candidate was decided.
	SkillResolved struct{ CandidateID, Decision string }
	// RunStatus is running, paused or cancelling.
	RunStatus struct{ Status string }
	// RunEnd is terminal for the observer.
	RunEnd struct {
		Status  string
		Error   *RunError
		EndedAt time.Time
	}
	// ReplayComplete: the replay has reached the live edge.
	ReplayComplete struct{ LastEventIndex int64 }
	// RecoveryRequired: switch to snapshot mode.
	RecoveryRequired struct{ Reason string }
	// Unknown is an event of a type this client does not know. It changes nothing.
	Unknown struct {
		Type string
		Raw  RawJSON
	}
)

func (RunStarted) event()       {}
func (MessageStart) event()     {}
func (MessageDelta) event()     {}
func (ReasoningDelta) event()   {}
func (MessageEnd) event()       {}
func (PlanUpdate) event()       {}
func (ToolStart) event()        {}
func (ToolProgress) event()     {}
func (ToolEnd) event()          {}
func (ApprovalRequired) event() {}
func (ApprovalResolved) event() {}
func (SkillCandidate) event()   {}
func (SkillResolved) event()    {}
func (RunStatus) event()        {}
func (RunEnd) event()           {}
func (ReplayComplete) event()   {}
func (RecoveryRequired) event() {}
func (Unknown) event()          {}

// DecodeFrame reads and validates one data frame. Only what decides where an event goes is
// validated: its type, its item's id, and that a delta is a string. The error is a *FrameError; a
// frame that fails is never applied in part.
func DecodeFrame(data string) (Frame, error) {
	if err := checkJSON(data); err != nil {
		return Frame{}, badFrame("%v (%d bytes)", err, len(data))
	}
	root := gjson.Parse(data)
	if !root.IsObject() {
		return Frame{}, badFrame("not a JSON object")
	}
	var f Frame
	var version, index, events gjson.Result
	root.ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "protocol_version":
			version = v
		case "session_id":
			f.SessionID = text(v)
		case "run_id":
			f.RunID = text(v)
		case "event_index":
			index = v
		case "events":
			events = v
		}
		return true
	})
	if version.Type != gjson.Number || version.Num != Version {
		return f, &FrameError{Code: CodeVersion, Reason: fmt.Sprintf("frame says version %.40q, this console knows %d", version.Raw, Version)}
	}
	if index.Exists() && index.Type != gjson.Null {
		n, ok := integer(index)
		if !ok || n < 0 {
			return f, badFrame("event_index is %.40q", index.Raw)
		}
		f.Index, f.HasIndex = n, true
	}
	if !events.Exists() || events.Type == gjson.Null {
		return f, nil
	}
	if !events.IsArray() {
		return f, badFrame("events is no array")
	}
	var err error
	events.ForEach(func(_, v gjson.Result) bool {
		var ev Event
		if ev, err = decodeEvent(v); err != nil {
			return false
		}
		f.Events = append(f.Events, ev)
		return true
	})
	if err != nil {
		f.Events = nil
		return f, err
	}
	return f, nil
}

func decodeEvent(v gjson.Result) (Event, error) {
	if !v.IsObject() {
		return nil, badFrame("an event is no object")
	}
	typ, id, delta := glance(v)
	if typ.Type != gjson.String || typ.Str == "" {
		return nil, badFrame("an event has no type")
	}
	switch typ.Str {
	case "message_delta":
		err := needDelta(typ, id, delta)
		return MessageDelta{id.Str, delta.Str}, err
	case "reasoning_delta":
		err := needDelta(typ, id, delta)
		return ReasoningDelta{id.Str, delta.Str}, err
	case "run_started":
		return RunStarted{
			TurnID:           str(v, "turn_id"),
			StartRequestID:   str(v, "start_request_id"),
			ResponseLanguage: str(v, "response_language"),
			OutputFormat:     str(v, "output_format"),
			StartedAt:        timeOf(v.Get("started_at")),
		}, nil
	case "message_start":
		id, err := need(v, "message_id")
		return MessageStart{id, messageFormat(str(v, "format"))}, err
	case "message_end":
		id, err := need(v, "message_id")
		return MessageEnd{id}, err
	case "plan_update":
		id, err := need(v, "plan_id")
		return PlanUpdate{Plan{PlanID: id, Steps: steps(v)}}, err
	case "tool_start":
		id, err := need(v, "call_id")
		return ToolStart{
			Tool: str(v, "tool"), CallID: id, Args: raw(v.Get("args")),
			Job: v.Get("job").Type == gjson.True, StartedAt: timeOf(v.Get("started_at")),
		}, err
	case "tool_progress":
		id, err := need(v, "call_id")
		return ToolProgress{Tool: str(v, "tool"), CallID: id, Progress: progress(v.Get("progress"))}, err
	case "tool_end":
		return toolEnd(v)
	case "approval_required":
		return approvalRequired(v)
	case "approval_resolved":
		return approvalResolved(v)
	case "skill_candidate":
		s := skill(v)
		s.Status = StatusPending
		if s.CandidateID == "" {
			return nil, badFrame("skill_candidate has no candidate_id")
		}
		return SkillCandidate{s}, nil
	case "skill_resolved":
		return skillResolved(v)
	case "run_status":
		status := str(v, "status")
		if Terminal(status) || !knownRunStatus(status) {
			return Unknown{Type: typ.Str, Raw: RawJSON(v.Raw)}, nil
		}
		return RunStatus{status}, nil
	case "run_end":
		return runEnd(v)
	case "replay_complete":
		last, ok := integer(v.Get("last_event_index"))
		if !ok {
			last = -1
		}
		return ReplayComplete{last}, nil
	case "stream_recovery_required":
		return RecoveryRequired{str(v, "reason")}, nil
	}
	return Unknown{Type: typ.Str, Raw: RawJSON(v.Raw)}, nil
}

func toolEnd(v gjson.Result) (Event, error) {
	id, err := need(v, "call_id")
	end := ToolEnd{
		CallID: id, Status: str(v, "status"),
		Result: raw(v.Get("result")), Error: raw(v.Get("error")), EndedAt: timeOf(v.Get("ended_at")),
	}
	switch end.Status {
	case StatusSucceeded, StatusFailed, StatusCancelled:
	default:
		end.Status = StatusSucceeded
		if end.Error != "" {
			end.Status = StatusFailed
		}
	}
	return end, err
}

func approvalRequired(v gjson.Result) (Event, error) {
	request := pausedRequest(v.Get("request"))
	if request.RequestID == "" {
		return nil, badFrame("approval_required has no request_id")
	}
	return ApprovalRequired{request}, nil
}

// approvalResolved refuses an unknown decision: showing a request as settled one way or the other
// must never be a guess.
func approvalResolved(v gjson.Result) (Event, error) {
	id, err := need(v, "request_id")
	if err != nil {
		return nil, err
	}
	decision := str(v, "decision")
	switch decision {
	case Approve, Reject, Modify, StatusExpired, StatusCancelled:
	default:
		return nil, badFrame("approval_resolved has decision %.40q", decision)
	}
	return ApprovalResolved{RequestID: id, Decision: decision, Comment: str(v, "comment"), EffectiveArgs: raw(v.Get("effective_args"))}, nil
}

func skillResolved(v gjson.Result) (Event, error) {
	id, err := need(v, "candidate_id")
	if err != nil {
		return nil, err
	}
	decision := str(v, "decision")
	if decision != Approve && decision != Reject {
		return nil, badFrame("skill_resolved has decision %.40q", decision)
	}
	return SkillResolved{id, decision}, nil
}

func runEnd(v gjson.Result) (Event, error) {
	end := RunEnd{Status: str(v, "status"), Error: runError(v.Get("error")), EndedAt: timeOf(v.Get("ended_at"))}
	if !Terminal(end.Status) {
		return nil, badFrame("run_end has status %.40q", end.Status)
	}
	return end, nil
}

// glance reads in one pass what the most frequent events consist of. Looking for one member at a
// time would read each of them three times over.
func glance(v gjson.Result) (typ, messageID, delta gjson.Result) {
	v.ForEach(func(k, member gjson.Result) bool {
		switch {
		case k.Str == "type" && !typ.Exists():
			typ = member
		case k.Str == "message_id" && !messageID.Exists():
			messageID = member
		case k.Str == "delta" && !delta.Exists():
			delta = member
		}
		return true
	})
	return typ, messageID, delta
}

func needDelta(typ, id, delta gjson.Result) error {
	if id.Type != gjson.String || id.Str == "" {
		return badFrame("%s has no message_id", typ.Str)
	}
	if delta.Type != gjson.String {
		return badFrame("the delta of message %.40q is no string", id.Str)
	}
	return nil
}

// need reads the id that says which item an event belongs to.
func need(v gjson.Result, key string) (string, error) {
	id := str(v, key)
	if id == "" {
		return "", badFrame("%s has no %s", str(v, "type"), key)
	}
	return id, nil
}

func text(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	return v.Str
}
