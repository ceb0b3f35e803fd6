package e2e

import (
	"encoding/json"
)

// A script is what a run sends in the agent's place.
type script struct {
	Session      string     `json:"session,omitempty"`
	Times        int        `json:"times,omitempty"`
	IgnoreCancel bool       `json:"ignore_cancel,omitempty"`
	KeepRunning  bool       `json:"keep_running,omitempty"`
	Steps        []step     `json:"steps"`
	Start        *beginning `json:"start,omitempty"`
}

// beginning starts the run at once, with nobody watching.
type beginning struct {
	SessionID      string `json:"session_id"`
	Message        string `json:"message"`
	StartRequestID string `json:"start_request_id"`
	Language       string `json:"language"`
}

// step waits, and then sends one frame.
type step struct {
	Delay    int     `json:"delay_ms,omitempty"`
	Gate     string  `json:"gate,omitempty"`
	Await    string  `json:"await,omitempty"`
	Index    *int64  `json:"index,omitempty"`
	Announce bool    `json:"announce,omitempty"`
	Events   []event `json:"events,omitempty"`
}

type event map[string]any

// run is a script of these steps. It ends as completed, unless a step says otherwise.
func run(steps ...step) script { return script{Steps: steps} }

// script gives the next run its content.
func (w *world) script(s script) {
	w.t.Helper()
	w.call("POST", "/api/__faults/script", s, nil)
}

func frame(events ...event) step { return step{Events: events} }

// gate waits until w.openGate.
func gate(name string) step { return step{Gate: name} }

// decision waits until no request is pending.
func decision() step { return step{Await: "decision"} }

func start(id string) event {
	return event{"type": "message_start", "message_id": id, "format": "markdown"}
}

func startAs(id, format string) event {
	return event{"type": "message_start", "message_id": id, "format": format}
}

func delta(id, text string) event {
	return event{"type": "message_delta", "message_id": id, "delta": text}
}

func reason(id, text string) event {
	return event{"type": "reasoning_delta", "message_id": id, "delta": text}
}

func end(id string) event { return event{"type": "message_end", "message_id": id} }

// say is a whole message in one frame.
func say(id, text string) step { return frame(start(id), delta(id, text), end(id)) }

// plan takes titles and statuses in turn.
func plan(id string, titlesAndStatuses ...string) event {
	steps := []event{}
	for i := 0; i < len(titlesAndStatuses); i += 2 {
		steps = append(steps, event{
			"step_id": id + "-" + string(rune('1'+i/2)), "title": titlesAndStatuses[i], "status": titlesAndStatuses[i+1],
		})
	}
	return event{"type": "plan_update", "plan_id": id, "steps": steps}
}

func toolStart(id, tool string, args any) event {
	return event{"type": "tool_start", "call_id": id, "tool": tool, "args": args}
}

func jobStart(id, tool string, args any) event {
	ev := toolStart(id, tool, args)
	ev["job"] = true
	return ev
}

func toolProgress(id, tool string, progress event) event {
	return event{"type": "tool_progress", "call_id": id, "tool": tool, "progress": progress}
}

func toolEnd(id, status string, result any) event {
	return event{"type": "tool_end", "call_id": id, "status": status, "result": result}
}

func toolFail(id, code, message string) event {
	return event{"type": "tool_end", "call_id": id, "status": "failed", "error": event{"code": code, "message": message}}
}

// ask pauses the run until the request is decided. fields go into the request.
func ask(id, tool string, args any, fields event) event {
	request := event{
		"request_id": id, "tool_call_id": "call-" + id, "tool_name": tool, "args": args, "created_at": "2026-03-01T08:00:00Z",
	}
	for name, value := range fields {
		request[name] = value
	}
	return event{"type": "approval_required", "request": request}
}

func skill(id, name, description, body string) event {
	return event{"type": "skill_candidate", "candidate_id": id, "name": name, "description": description, "body": body}
}

func runFailed(code, message string) event {
	return event{"type": "run_end", "status": "failed", "error": event{"code": code, "message": message}}
}

// raw is JSON that goes out as it is written.
func raw(text string) json.RawMessage { return json.RawMessage(text) }
