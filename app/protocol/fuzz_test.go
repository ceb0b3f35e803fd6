package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"igraph-console/app/protocol"
)

// FuzzDecodeFrame: no input makes the decoder panic; what it accepts is JSON to others too, is
// understood the same way again, and holds values that can be sent on; what it refuses leaves no
// event behind.
func FuzzDecodeFrame(f *testing.F) {
	for _, seed := range []string{
		frameOf(),
		frameOf(`{"type":"message_delta","message_id":"a","delta":"价格¥5 👍🏽完"}`, `{"type":"brand_new","x":{"y":[1]}}`),
		frameOf(`{"type":"message_delta","message_id":"a","delta":"\ud83d\u0000"}`),
		frameOf(`{"type":"plan_update","plan_id":"p","steps":[{"step_id":"x","status":"done"}]}`),
		frameOf(`{"type":"tool_start","tool":"t","call_id":"c","args":{"":1,"a.b":12345678901234567890,"__proto__":3},"job":true}`),
		frameOf(`{"type":"tool_progress","call_id":"c","progress":{"epoch":2,"metrics":{"loss":0.5}}}`),
		frameOf(`{"type":"tool_end","call_id":"c","status":"failed","result":` + nested(200) + `}`),
		frameOf(`{"type":"approval_required","request":{"request_id":"q","args":"ls","preview":{"kind":"graph_mutation","add_edges":[["A","B"]]}}}`),
		frameOf(`{"type":"approval_resolved","request_id":"q","decision":"modify","effective_args":null}`),
		frameOf(`{"type":"skill_candidate","candidate_id":"k"}`, `{"type":"skill_resolved","candidate_id":"k","decision":"approve"}`),
		frameOf(`{"type":"run_started","started_at":"2026-01-05T02:00:00"}`, `{"type":"run_end","status":"failed","error":"x"}`),
		`{"protocol_version":2,"session_id":"s","run_id":"r","event_index":null,"events":[{"type":"replay_complete","last_event_index":7}]}`,
		`{"protocol_version":99,"events":7}`,
		`{"protocol_version":2,"event_index":9007199254740993,"events":null,"events":[]}`,
		frameOf(`{"type":"run_started","started_at":"2026-01-05T02:00:00+24:00"}`),
		frameOf(`{"type":"run_end","status":"failed","ended_at":"0000-01-01T00:00:00+23:59"}`),
		nested(50),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		frame, err := protocol.DecodeFrame(data)
		if err != nil {
			var refused *protocol.FrameError
			if !errors.As(err, &refused) || len(frame.Events) != 0 {
				t.Fatalf("refused with %v, leaving %+v", err, frame.Events)
			}
			return
		}
		if !json.Valid([]byte(data)) {
			t.Fatalf("accepted what is no JSON: %q", data)
		}
		if frame.HasIndex && frame.Index < 0 {
			t.Fatalf("accepted index %d", frame.Index)
		}
		if again, err := protocol.DecodeFrame(data); err != nil || !reflect.DeepEqual(frame, again) {
			t.Fatalf("decoded %+v, then %+v, %v", frame, again, err)
		}
		for _, ev := range frame.Events {
			canBeSentOn(t, ev)
		}
	})
}

// canBeSentOn fails for an event whose kept values could not be written again.
func canBeSentOn(t *testing.T, ev protocol.Event) {
	var kept []any
	switch ev := ev.(type) {
	case protocol.ToolStart:
		kept = []any{ev.Args}
	case protocol.ToolEnd:
		kept = []any{ev.Result, ev.Error}
	case protocol.ApprovalRequired:
		kept = []any{ev.Request}
	case protocol.ApprovalResolved:
		kept = []any{ev.EffectiveArgs}
	case protocol.ToolProgress:
		kept = []any{ev.Progress}
	case protocol.RunStarted:
		kept = []any{ev.StartedAt}
	case protocol.RunEnd:
		kept = []any{ev.EndedAt}
	case protocol.Unknown:
		kept = []any{ev.Raw}
	}
	for _, v := range kept {
		if _, err := json.Marshal(v); err != nil {
			t.Fatalf("%T cannot be written again: %v", ev, err)
		}
	}
}

// FuzzDecodeRecords: no body makes a decoder panic, and what is decoded can be written again.
func FuzzDecodeRecords(f *testing.F) {
	f.Add([]byte(control))
	f.Add([]byte(`{"run_id":"r","status":"running","snapshot_complete":true,"items":[{"type":"tool","call_id":"c","series":{"l":[[1,2]]}},{"type":"x"}]}`))
	f.Add([]byte(`{"session":{"session_id":"s"},"turns":[{"user":{"attachments":[{}]}}],"active_run":{}}`))
	f.Add([]byte(`{"error":{"code":"X"},"detail":"y"}`))
	f.Add([]byte(`<html>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		canBeWritten(t, body, protocol.DecodeControl)
		canBeWritten(t, body, protocol.DecodeSnapshot)
		canBeWritten(t, body, protocol.DecodeSessionDetail)
		canBeWritten(t, body, protocol.DecodeSessionPage)
		canBeWritten(t, body, protocol.DecodeSkills)
		if e := protocol.DecodeError(500, "", string(body), body, second); e.Code == "" || e.RetryAfter < 0 {
			t.Fatalf("an error without a code: %+v", e)
		}
	})
}

func canBeWritten[T any](t *testing.T, body []byte, decode func([]byte) (T, error)) {
	v, err := decode(body)
	if err != nil {
		return
	}
	if _, err := json.Marshal(v); err != nil {
		t.Fatalf("decoded %+v, which cannot be written: %v", v, err)
	}
}
