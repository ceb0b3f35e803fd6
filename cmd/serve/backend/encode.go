package backend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"igraph-console/app/protocol"
)

// encodeFrame writes one SSE data frame, its terminating blank line included. A nil index is null.
func encodeFrame(sessionID, runID string, index *int64, events []json.RawMessage) ([]byte, error) {
	body, err := encodeJSON(struct {
		Version   int               `json:"protocol_version"`
		SessionID string            `json:"session_id"`
		RunID     string            `json:"run_id"`
		Index     *int64            `json:"event_index"`
		Events    []json.RawMessage `json:"events"`
	}{protocol.Version, sessionID, runID, index, events})
	if err != nil {
		return nil, fmt.Errorf("encode a frame of run %s: %w", runID, err)
	}
	frame := make([]byte, 0, len(body)+8)
	frame = append(frame, "data: "...)
	frame = append(frame, body...)
	return append(frame, "\n\n"...), nil
}

// encodeJSON writes v on one line and leaves <, > and & as they are: nothing here goes into HTML.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func encodeEvents(events []protocol.Event) ([]json.RawMessage, error) {
	list := make([]json.RawMessage, len(events))
	for i, ev := range events {
		data, err := encodeJSON(wireEvent(ev))
		if err != nil {
			return nil, fmt.Errorf("encode event %T: %w", ev, err)
		}
		list[i] = data
	}
	return list, nil
}

// wireEvent gives an event the names and the order it has on the wire.
func wireEvent(ev protocol.Event) any {
	switch ev := ev.(type) {
	case protocol.RunStarted:
		return struct {
			Type             string    `json:"type"`
			TurnID           string    `json:"turn_id"`
			StartRequestID   string    `json:"start_request_id,omitempty"`
			ResponseLanguage string    `json:"response_language"`
			OutputFormat     string    `json:"output_format"`
			StartedAt        time.Time `json:"started_at"`
		}{"run_started", ev.TurnID, ev.StartRequestID, ev.ResponseLanguage, ev.OutputFormat, ev.StartedAt}
	case protocol.MessageStart:
		return struct {
			Type      string `json:"type"`
			MessageID string `json:"message_id"`
			Format    string `json:"format"`
		}{"message_start", ev.MessageID, ev.Format}
	case protocol.MessageDelta:
		return wireDelta{"message_delta", ev.MessageID, ev.Delta}
	case protocol.ReasoningDelta:
		return wireDelta{"reasoning_delta", ev.MessageID, ev.Delta}
	case protocol.MessageEnd:
		return struct {
			Type      string `json:"type"`
			MessageID string `json:"message_id"`
		}{"message_end", ev.MessageID}
	case protocol.PlanUpdate:
		return struct {
			Type   string              `json:"type"`
			PlanID string              `json:"plan_id"`
			Steps  []protocol.PlanStep `json:"steps"`
		}{"plan_update", ev.Plan.PlanID, ev.Plan.Steps}
	case protocol.ToolStart:
		return struct {
			Type      string           `json:"type"`
			Tool      string           `json:"tool"`
			CallID    string           `json:"call_id"`
			Args      protocol.RawJSON `json:"args"`
			Job       bool             `json:"job"`
			StartedAt time.Time        `json:"started_at,omitzero"`
		}{"tool_start", ev.Tool, ev.CallID, ev.Args, ev.Job, ev.StartedAt}
	case protocol.ToolProgress:
		return struct {
			Type     string             `json:"type"`
			Tool     string             `json:"tool"`
			CallID   string             `json:"call_id"`
			Progress *protocol.Progress `json:"progress"`
		}{"tool_progress", ev.Tool, ev.CallID, ev.Progress}
	case protocol.ToolEnd:
		return wireToolEnd{"tool_end", ev.CallID, ev.Status, optional(ev.Result), optional(ev.Error), ev.EndedAt}
	case protocol.ApprovalRequired:
		return struct {
			Type    string                 `json:"type"`
			Request protocol.PausedRequest `json:"request"`
		}{"approval_required", ev.Request}
	case protocol.ApprovalResolved:
		return struct {
			Type          string          `json:"type"`
			RequestID     string          `json:"request_id"`
			Decision      string          `json:"decision"`
			Comment       string          `json:"comment,omitempty"`
			EffectiveArgs json.RawMessage `json:"effective_args,omitempty"`
		}{"approval_resolved", ev.RequestID, ev.Decision, ev.Comment, optional(ev.EffectiveArgs)}
	case protocol.SkillCandidate:
		return struct {
			Type        string `json:"type"`
			CandidateID string `json:"candidate_id"`
			Name        string `json:"name"`
			Description string `json:"description"`
			Body        string `json:"body,omitempty"`
		}{"skill_candidate", ev.Skill.CandidateID, ev.Skill.Name, ev.Skill.Description, ev.Skill.Body}
	case protocol.SkillResolved:
		return struct {
			Type        string `json:"type"`
			CandidateID string `json:"candidate_id"`
			Decision    string `json:"decision"`
		}{"skill_resolved", ev.CandidateID, ev.Decision}
	case protocol.RunStatus:
		return struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		}{"run_status", ev.Status}
	case protocol.RunEnd:
		return struct {
			Type    string             `json:"type"`
			Status  string             `json:"status"`
			Error   *protocol.RunError `json:"error,omitempty"`
			EndedAt time.Time          `json:"ended_at"`
		}{"run_end", ev.Status, ev.Error, ev.EndedAt}
	case protocol.ReplayComplete:
		return struct {
			Type      string `json:"type"`
			LastIndex int64  `json:"last_event_index"`
		}{"replay_complete", ev.LastEventIndex}
	case protocol.RecoveryRequired:
		return struct {
			Type   string `json:"type"`
			Reason string `json:"reason"`
		}{"stream_recovery_required", ev.Reason}
	}
	panic(fmt.Sprintf("no wire form for event %T", ev))
}

type wireDelta struct {
	Type      string `json:"type"`
	MessageID string `json:"message_id"`
	Delta     string `json:"delta"`
}

type wireToolEnd struct {
	Type    string          `json:"type"`
	CallID  string          `json:"call_id"`
	Status  string          `json:"status"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
	EndedAt time.Time       `json:"ended_at,omitzero"`
}

// optional leaves out a value that is absent.
func optional(raw protocol.RawJSON) json.RawMessage { return json.RawMessage(raw) }
