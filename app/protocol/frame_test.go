package protocol_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
)

// frameOf wraps events into frame 5 of run r-1 in session s-1.
func frameOf(events ...string) string {
	return `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":5,"events":[` + strings.Join(events, ",") + `]}`
}

func number(n float64) *float64 { return &n }

var second = time.Date(2026, 1, 5, 2, 0, 0, 0, time.UTC)

func TestEveryEventTypeIsDecoded(t *testing.T) {
	for _, c := range []struct {
		json string
		want protocol.Event
	}{
		{`{"type":"run_started","turn_id":"t-1","start_request_id":"u-1","response_language":"zh-CN","output_format":"chat","started_at":"2026-01-05T02:00:00Z"}`,
			protocol.RunStarted{TurnID: "t-1", StartRequestID: "u-1", ResponseLanguage: "zh-CN", OutputFormat: "chat", StartedAt: second}},
		{`{"type":"message_start","message_id":"a-1","format":"report"}`, protocol.MessageStart{MessageID: "a-1", Format: "report"}},
		{`{"type":"message_start","message_id":"a-1","format":"hologram"}`, protocol.MessageStart{MessageID: "a-1", Format: "markdown"}},
		{`{"type":"message_start","message_id":"a-1"}`, protocol.MessageStart{MessageID: "a-1", Format: "markdown"}},
		{`{"type":"message_delta","message_id":"a-1","delta":"价格¥5 👍🏽完"}`, protocol.MessageDelta{MessageID: "a-1", Delta: "价格¥5 👍🏽完"}},
		{`{"type":"message_delta","message_id":"a-1","delta":"\u4ef7\ud83d\udc4d\n\"\\"}`, protocol.MessageDelta{MessageID: "a-1", Delta: "价👍\n\"\\"}},
		{`{"type":"message_delta","message_id":"a-1","delta":""}`, protocol.MessageDelta{MessageID: "a-1"}},
		{`{"type":"reasoning_delta","message_id":"a-1","delta":"因为"}`, protocol.ReasoningDelta{MessageID: "a-1", Delta: "因为"}},
		{`{"type":"message_end","message_id":"a-1"}`, protocol.MessageEnd{MessageID: "a-1"}},
		{`{"type":"plan_update","plan_id":"p-1","steps":[{"step_id":"x","title":"读图","status":"done"},{"step_id":"y","status":"stuck"},7,null]}`,
			protocol.PlanUpdate{Plan: protocol.Plan{PlanID: "p-1", Steps: []protocol.PlanStep{
				{StepID: "x", Title: "读图", Status: "done"}, {StepID: "y", Status: "pending"},
			}}}},
		{`{"type":"tool_start","tool":"train","call_id":"c-1","args":{"n":1},"job":true}`,
			protocol.ToolStart{Tool: "train", CallID: "c-1", Args: `{"n":1}`, Job: true}},
		{`{"type":"tool_progress","tool":"train","call_id":"c-1","progress":{"epoch":2,"epochs":10,"fraction":0.2,"message":"m","metrics":{"loss":0.5,"auc":1}}}`,
			protocol.ToolProgress{Tool: "train", CallID: "c-1", Progress: &protocol.Progress{
				Epoch: number(2), Epochs: number(10), Fraction: number(0.2), Message: "m",
				Metrics: protocol.Metrics{{Name: "loss", Value: 0.5}, {Name: "auc", Value: 1}},
			}}},
		{`{"type":"tool_end","call_id":"c-1","status":"cancelled","result":null}`, protocol.ToolEnd{CallID: "c-1", Status: "cancelled"}},
		{`{"type":"tool_end","call_id":"c-1","result":[1.0]}`, protocol.ToolEnd{CallID: "c-1", Status: "succeeded", Result: `[1.0]`}},
		{`{"type":"tool_end","call_id":"c-1","status":7,"error":{"code":"X"}}`, protocol.ToolEnd{CallID: "c-1", Status: "failed", Error: `{"code":"X"}`}},
		{`{"type":"approval_required","request":{"request_id":"q-1","tool_call_id":"c-1","tool_name":"add_edge","args":{"a":1},"reason":"r","summary":"s","created_at":"2026-01-05T02:00:00Z"}}`,
			protocol.ApprovalRequired{Request: protocol.PausedRequest{
				RequestID: "q-1", ToolCallID: "c-1", ToolName: "add_edge", Args: `{"a":1}`, Reason: "r", Summary: "s", CreatedAt: second,
			}}},
		{`{"type":"approval_resolved","request_id":"q-1","decision":"modify","comment":"c","effective_args":{"a":2}}`,
			protocol.ApprovalResolved{RequestID: "q-1", Decision: "modify", Comment: "c", EffectiveArgs: `{"a":2}`}},
		{`{"type":"skill_candidate","candidate_id":"k-1","name":"n","description":"d","body":"b"}`,
			protocol.SkillCandidate{Skill: protocol.Skill{CandidateID: "k-1", Name: "n", Description: "d", Body: "b", Status: "pending"}}},
		{`{"type":"skill_resolved","candidate_id":"k-1","decision":"reject"}`, protocol.SkillResolved{CandidateID: "k-1", Decision: "reject"}},
		{`{"type":"run_status","status":"cancelling"}`, protocol.RunStatus{Status: "cancelling"}},
		{`{"type":"run_end","status":"failed","error":{"code":"BOOM","message":"m"},"ended_at":"2026-01-05T02:00:00Z"}`,
			protocol.RunEnd{Status: "failed", Error: &protocol.RunError{Code: "BOOM", Message: "m"}, EndedAt: second}},
		{`{"type":"replay_complete","last_event_index":41}`, protocol.ReplayComplete{LastEventIndex: 41}},
		{`{"type":"replay_complete"}`, protocol.ReplayComplete{LastEventIndex: -1}},
		{`{"type":"stream_recovery_required","reason":"buffer"}`, protocol.RecoveryRequired{Reason: "buffer"}},
		{`{"type":"brand_new","x":{"y":[1]}}`, protocol.Unknown{Type: "brand_new", Raw: `{"type":"brand_new","x":{"y":[1]}}`}},
		{`{"type":"run_status","status":"levitating"}`, protocol.Unknown{Type: "run_status", Raw: `{"type":"run_status","status":"levitating"}`}},
		{`{"type":"run_status","status":"completed"}`, protocol.Unknown{Type: "run_status", Raw: `{"type":"run_status","status":"completed"}`}},
	} {
		f, err := protocol.DecodeFrame(frameOf(c.json))
		if err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		want := protocol.Frame{SessionID: "s-1", RunID: "r-1", Index: 5, HasIndex: true, Events: []protocol.Event{c.want}}
		if !reflect.DeepEqual(f, want) {
			t.Errorf("%s\ndecoded %+v\nwant    %+v", c.json, f, want)
		}
	}
}

// Optional members that are null or of the wrong type count as absent; the event still counts.
func TestOptionalMembersOfTheWrongTypeCountAsAbsent(t *testing.T) {
	for _, c := range []struct {
		json string
		want protocol.Event
	}{
		{`{"type":"run_started","turn_id":7,"start_request_id":null,"response_language":[],"output_format":{},"started_at":true}`, protocol.RunStarted{}},
		{`{"type":"message_start","message_id":"a","format":["report"]}`, protocol.MessageStart{MessageID: "a", Format: "markdown"}},
		{`{"type":"plan_update","plan_id":"p","steps":"all"}`, protocol.PlanUpdate{Plan: protocol.Plan{PlanID: "p"}}},
		{`{"type":"plan_update","plan_id":"p","steps":{"step_id":"x"}}`, protocol.PlanUpdate{Plan: protocol.Plan{PlanID: "p"}}},
		{`{"type":"tool_start","tool":null,"call_id":"c","args":null,"job":"yes"}`, protocol.ToolStart{CallID: "c"}},
		{`{"type":"tool_progress","tool":1,"call_id":"c","progress":"half"}`, protocol.ToolProgress{CallID: "c"}},
		{`{"type":"tool_progress","call_id":"c","progress":null}`, protocol.ToolProgress{CallID: "c"}},
		{`{"type":"tool_progress","call_id":"c","progress":{"epoch":"2","epochs":null,"fraction":[],"message":3,"metrics":{"loss":"low","auc":null,"n":1e999}}}`,
			protocol.ToolProgress{CallID: "c", Progress: &protocol.Progress{}}},
		{`{"type":"tool_progress","call_id":"c","progress":{"metrics":[1,2]}}`, protocol.ToolProgress{CallID: "c", Progress: &protocol.Progress{}}},
		{`{"type":"approval_required","request":{"request_id":"q","tool_call_id":1,"tool_name":[],"args":null,"reason":{},"summary":0,"preview":"p","created_at":{},"expires_at":"soon"}}`,
			protocol.ApprovalRequired{Request: protocol.PausedRequest{RequestID: "q"}}},
		{`{"type":"approval_resolved","request_id":"q","decision":"approve","comment":5,"effective_args":null}`, protocol.ApprovalResolved{RequestID: "q", Decision: "approve"}},
		{`{"type":"skill_candidate","candidate_id":"k","name":1,"description":null,"body":[],"status":"approve"}`,
			protocol.SkillCandidate{Skill: protocol.Skill{CandidateID: "k", Status: "pending"}}},
		{`{"type":"run_end","status":"failed","error":7,"ended_at":null}`, protocol.RunEnd{Status: "failed"}},
		{`{"type":"run_end","status":"failed","error":"it broke"}`, protocol.RunEnd{Status: "failed", Error: &protocol.RunError{Message: "it broke"}}},
		{`{"type":"stream_recovery_required","reason":7}`, protocol.RecoveryRequired{}},
		{`{"type":"replay_complete","last_event_index":"41"}`, protocol.ReplayComplete{LastEventIndex: -1}},
	} {
		f, err := protocol.DecodeFrame(frameOf(c.json))
		if err != nil || len(f.Events) != 1 || !reflect.DeepEqual(f.Events[0], c.want) {
			t.Errorf("%s\ndecoded %+v, %v\nwant    %+v", c.json, f.Events, err, c.want)
		}
	}
}

func TestFramesThatAreRefused(t *testing.T) {
	bad := map[string]string{
		"no JSON":                          `event: ping`,
		"empty":                            ``,
		"half a frame":                     frameOf(`{"type":"message_end","message_id":"a"}`)[:60],
		"something after the frame":        frameOf() + `{}`,
		"an array":                         `[]`,
		"a string":                         `"frame"`,
		"null":                             `null`,
		"events is an object":              `{"protocol_version":2,"event_index":5,"events":{}}`,
		"events is a string":               `{"protocol_version":2,"event_index":5,"events":"none"}`,
		"events is false":                  `{"protocol_version":2,"event_index":5,"events":false}`,
		"negative index":                   `{"protocol_version":2,"event_index":-1,"events":[]}`,
		"fractional index":                 `{"protocol_version":2,"event_index":1.5,"events":[]}`,
		"index as text":                    `{"protocol_version":2,"event_index":"5","events":[]}`,
		"index beyond all numbers":         `{"protocol_version":2,"event_index":1e400,"events":[]}`,
		"index beyond 64 bits":             `{"protocol_version":2,"event_index":18446744073709551616,"events":[]}`,
		"raw NUL in a string":              frameOf("{\"type\":\"message_delta\",\"message_id\":\"a\",\"delta\":\"x\x00y\"}"),
		"an event is null":                 frameOf(`null`),
		"an event is a string":             frameOf(`"message_end"`),
		"no type":                          frameOf(`{"message_id":"a"}`),
		"type is a number":                 frameOf(`{"type":7}`),
		"type is empty":                    frameOf(`{"type":""}`),
		"delta is a number":                frameOf(`{"type":"message_delta","message_id":"a","delta":7}`),
		"delta is null":                    frameOf(`{"type":"message_delta","message_id":"a","delta":null}`),
		"delta is missing":                 frameOf(`{"type":"reasoning_delta","message_id":"a"}`),
		"delta is an array":                frameOf(`{"type":"reasoning_delta","message_id":"a","delta":["x"]}`),
		"message_delta has no id":          frameOf(`{"type":"message_delta","delta":"x"}`),
		"message_start has no id":          frameOf(`{"type":"message_start","message_id":null}`),
		"message_end has an empty id":      frameOf(`{"type":"message_end","message_id":""}`),
		"plan_update has no id":            frameOf(`{"type":"plan_update","steps":[]}`),
		"tool_start has no id":             frameOf(`{"type":"tool_start","tool":"t"}`),
		"tool_progress has an id number":   frameOf(`{"type":"tool_progress","call_id":7}`),
		"tool_end has no id":               frameOf(`{"type":"tool_end","status":"succeeded"}`),
		"approval_required has no request": frameOf(`{"type":"approval_required"}`),
		"approval_required has no id":      frameOf(`{"type":"approval_required","request":{"args":{}}}`),
		"approval_resolved has no id":      frameOf(`{"type":"approval_resolved","decision":"approve"}`),
		"approval_resolved as nobody knows": frameOf(
			`{"type":"approval_resolved","request_id":"q","decision":"perhaps"}`),
		"skill_candidate has no id":          frameOf(`{"type":"skill_candidate","name":"n"}`),
		"skill_resolved has no id":           frameOf(`{"type":"skill_resolved","decision":"approve"}`),
		"skill_resolved as nobody knows":     frameOf(`{"type":"skill_resolved","candidate_id":"k","decision":"modify"}`),
		"run_end without a status":           frameOf(`{"type":"run_end"}`),
		"run_end with a status of no end":    frameOf(`{"type":"run_end","status":"running"}`),
		"a good event before a bad one":      frameOf(`{"type":"message_delta","message_id":"a","delta":"1"}`, `{"type":"message_delta","message_id":"a"}`),
		"an unknown type that is an array":   frameOf(`["brand_new"]`),
		"deeper than JSON is read elsewhere": frameOf(`{"type":"tool_end","call_id":"c","result":` + nested(10001) + `}`),
	}
	for name, data := range bad {
		t.Run(name, func(t *testing.T) {
			f, err := protocol.DecodeFrame(data)
			var refused *protocol.FrameError
			if !errors.As(err, &refused) || refused.Code != protocol.CodeBadFrame || refused.Reason == "" {
				t.Fatalf("decoded %+v, %v; want BAD_FRAME with a reason", f, err)
			}
			if len(f.Events) != 0 {
				t.Fatalf("a refused frame leaves events behind: %+v", f.Events)
			}
		})
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestAFrameOfAnotherVersionIsRefusedAsSuch(t *testing.T) {
	for _, version := range []string{`99`, `1`, `"2"`, `null`, `2.5`, `{}`} {
		_, err := protocol.DecodeFrame(`{"protocol_version":` + version + `,"session_id":"s-1","run_id":"r-1","event_index":0,"events":7}`)
		var refused *protocol.FrameError
		if !errors.As(err, &refused) || refused.Code != protocol.CodeVersion {
			t.Errorf("version %s: %v, want PROTOCOL_VERSION", version, err)
		}
	}
}

func TestIndexesAreKeptExactly(t *testing.T) {
	for _, c := range []struct {
		json     string
		index    int64
		hasIndex bool
	}{
		{`0`, 0, true},
		{`1e3`, 1000, true},
		{`4.0`, 4, true},
		{`9007199254740992`, 9007199254740992, true},
		{`9007199254740993`, 9007199254740993, true},
		{`9223372036854775807`, 9223372036854775807, true},
		{`null`, 0, false},
	} {
		f, err := protocol.DecodeFrame(`{"protocol_version":2,"event_index":` + c.json + `,"events":[]}`)
		if err != nil || f.Index != c.index || f.HasIndex != c.hasIndex {
			t.Errorf("index %s: decoded %d, %v, %v", c.json, f.Index, f.HasIndex, err)
		}
	}
}

func TestEmptyFramesAreFrames(t *testing.T) {
	for name, data := range map[string]string{
		"events is null":   `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":5,"events":null}`,
		"events is absent": `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":5}`,
		"events is empty":  `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":5,"events":[]}`,
		"unknown members":  `{"x":{"y":[1]},"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":5,"events":[],"z":null}`,
	} {
		f, err := protocol.DecodeFrame(data)
		if err != nil || len(f.Events) != 0 || f.Index != 5 || !f.HasIndex || f.SessionID != "s-1" || f.RunID != "r-1" {
			t.Errorf("%s: decoded %+v, %v", name, f, err)
		}
	}
}

func TestUnknownMembersOfKnownEventsAreIgnored(t *testing.T) {
	f, err := protocol.DecodeFrame(frameOf(`{"type":"message_delta","seq":{"delta":"no"},"message_id":"a","delta":"B","extra":[1]}`))
	if err != nil || f.Events[0] != (protocol.MessageDelta{MessageID: "a", Delta: "B"}) {
		t.Fatalf("decoded %+v, %v", f, err)
	}
}

// Arguments and results are shown, edited and sent back: they must not be touched.
func TestArgumentsAndResultsAreKeptByteForByte(t *testing.T) {
	for _, raw := range []string{
		`{"z":1.0,"a":12345678901234567890,"b":1e400,"c":0.10000000000000000001,"d":-0}`,
		`{ "spaces" : [ 1 , 2 ] }`,
		`{"":1,"a.b":2,"__proto__":3,"a":1,"a":2}`,
		`"ls"`, `true`, `false`, `0`, `""`, `[]`, `{"content":{"a":1}}`,
		`"\ud83d lone, \u0000 nul, \u001b[31m, \r"`,
		`"` + strings.Repeat(">", 2000) + `"`,
		nested(5000),
	} {
		f, err := protocol.DecodeFrame(frameOf(
			`{"type":"message_delta","message_id":"a","delta":"before"}`,
			`{"type":"tool_start","call_id":"c","args":`+raw+`}`,
			`{"type":"tool_end","call_id":"c","result":`+raw+`,"error":`+raw+`}`,
			`{"type":"approval_required","request":{"request_id":"q","args":`+raw+`}}`,
			`{"type":"approval_resolved","request_id":"q","decision":"approve","effective_args":`+raw+`}`,
			`{"type":"message_delta","message_id":"a","delta":"after"}`,
		))
		if err != nil || len(f.Events) != 6 {
			t.Errorf("%.60s: %v", raw, err)
			continue
		}
		end := f.Events[2].(protocol.ToolEnd)
		for _, got := range []protocol.RawJSON{
			f.Events[1].(protocol.ToolStart).Args, end.Result, end.Error,
			f.Events[3].(protocol.ApprovalRequired).Request.Args, f.Events[4].(protocol.ApprovalResolved).EffectiveArgs,
		} {
			if string(got) != raw {
				t.Errorf("%.60s became %.60s", raw, got)
			}
		}
	}
}

// A lone surrogate cannot be shown; it becomes a replacement character, and nothing around it is lost.
func TestALoneSurrogateCostsOneCharacter(t *testing.T) {
	f, err := protocol.DecodeFrame(frameOf(`{"type":"message_delta","message_id":"a","delta":"x\ud83dy\u0000z"}`))
	if err != nil || f.Events[0] != (protocol.MessageDelta{MessageID: "a", Delta: "x\ufffdy\x00z"}) {
		t.Fatalf("decoded %+q, %v", f.Events, err)
	}
}

func TestDuplicateKeysDecideOneWay(t *testing.T) {
	data := `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":4,"event_index":5,"events":null,"events":[{"type":"message_end","message_id":"a","message_id":"b"}]}`
	f, err := protocol.DecodeFrame(data)
	if err != nil || f.Index != 5 || len(f.Events) != 1 {
		t.Fatalf("decoded %+v, %v", f, err)
	}
	again, _ := protocol.DecodeFrame(data)
	if !reflect.DeepEqual(f, again) {
		t.Fatalf("decoded %+v, then %+v", f, again)
	}
}

func TestDepthIsLimitedWithoutReadingStringsAsNesting(t *testing.T) {
	brackets := strings.Repeat(`[{`, 20000)
	f, err := protocol.DecodeFrame(frameOf(`{"type":"message_delta","message_id":"a","delta":"` + brackets + `\"[["}`))
	if err != nil || f.Events[0].(protocol.MessageDelta).Delta != brackets+`"[[` {
		t.Fatalf("brackets inside a string were counted: %v", err)
	}
}

func TestPreviewsOfGraphMutationsTakeTheShapesServersWrite(t *testing.T) {
	f, err := protocol.DecodeFrame(frameOf(`{"type":"approval_required","request":{"request_id":"q","preview":{
		"kind":"graph_mutation","add_nodes":["A",7,{"id":"B"},{"label":"C"},null],"remove_nodes":"none",
		"add_edges":[{"source":"A","target":"B","weight":2},["A","B"],{"from":1,"to":2},"odd",["A"]],
		"before":{"nodes":34,"edges":78},"after":{"nodes":"35"},"irreversible":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &protocol.Preview{
		Kind: protocol.PreviewGraphMutation, AddNodes: []string{"A", "7", "B", "C", ""},
		AddEdges: []protocol.Edge{{Source: "A", Target: "B", Weight: 2}, {Source: "A", Target: "B"}, {Source: "1", Target: "2"}, {}, {}},
		Before:   &protocol.GraphCounts{Nodes: 34, Edges: 78}, Irreversible: true,
	}
	if got := f.Events[0].(protocol.ApprovalRequired).Request.Preview; !reflect.DeepEqual(got, want) {
		t.Fatalf("decoded %+v\nwant    %+v", got, want)
	}
}

// Whatever a server means by a time, the same instant is understood; what is no time is none.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		json string
		want time.Time
	}{
		{`"2026-01-05T02:00:00Z"`, second},
		{`"2026-01-05T10:00:00+08:00"`, second},
		{`1767578400`, second},
		{`1767578400000`, second},
		{`"2026-01-05T02:00:00"`, second},
		{`"2026-01-05 02:00:00"`, second},
		{`"2026-01-05T02:00:00.25Z"`, second.Add(250 * time.Millisecond)},
		{`"2026-01-05T02:00:00.25"`, second.Add(250 * time.Millisecond)},
		{`null`, time.Time{}},
		{`""`, time.Time{}},
		{`0`, time.Time{}},
		{`-1`, time.Time{}},
		{`1e300`, time.Time{}},
		{`"1767578400"`, time.Time{}},
		{`"yesterday"`, time.Time{}},
		{`"2026-13-45T99:00:00Z"`, time.Time{}},
		{`{}`, time.Time{}},
		{`true`, time.Time{}},
	} {
		f, err := protocol.DecodeFrame(frameOf(`{"type":"run_started","started_at":` + c.json + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Events[0].(protocol.RunStarted).StartedAt; !got.Equal(c.want) || got.IsZero() != c.want.IsZero() {
			t.Errorf("%s is read as %v, want %v", c.json, got, c.want)
		}
	}
	f, err := protocol.DecodeFrame(frameOf(`{"type":"run_started"}`))
	if err != nil || !f.Events[0].(protocol.RunStarted).StartedAt.IsZero() {
		t.Errorf("a missing time is read as %v, %v", f.Events, err)
	}
}

func TestAFrameErrorSaysWhatIsWrong(t *testing.T) {
	_, err := protocol.DecodeFrame(frameOf(`{"type":"message_delta","message_id":"a-1","delta":7}`))
	if want := "BAD_FRAME: the delta of message \"a-1\" is no string"; err == nil || err.Error() != want {
		t.Fatalf("says %v, want %s", err, want)
	}
}

// BenchmarkDecodeFrame decodes an ordinary frame of 400 bytes.
func BenchmarkDecodeFrame(b *testing.B) {
	data := frame400()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := protocol.DecodeFrame(data); err != nil {
			b.Fatal(err)
		}
	}
}

func frame400() string {
	build := func(text string) string {
		return frameOf(`{"type":"message_delta","message_id":"7f0c2d1e-9a57-4f0b-8a53-1f2c3d4e5f60","delta":"` + text + `"}`)
	}
	return build(strings.Repeat("x", 400-len(build(""))))
}

func ExampleDecodeFrame() {
	f, err := protocol.DecodeFrame(`{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":12,"events":[{"type":"message_delta","message_id":"a-1","delta":"hi"}]}`)
	fmt.Println(f.Index, f.Events, err)
	// Output: 12 [{a-1 hi}] <nil>
}
