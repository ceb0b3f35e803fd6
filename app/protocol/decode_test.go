package protocol_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"igraph-console/app/protocol"
)

func TestCapabilitiesThatAreNotPlainlyTrueAreFalse(t *testing.T) {
	for body, want := range map[string]protocol.Capabilities{
		`{"run_cancel_v1":true,"job_cancel_v1":true,"edit_latest_turn_v1":true,"later_v9":true}`: {RunCancel: true, JobCancel: true, EditLatest: true},
		`{"run_cancel_v1":"true","job_cancel_v1":1,"edit_latest_turn_v1":null}`:                  {},
		`{"job_cancel_v1":true}`: {JobCancel: true},
		`{"run_cancel_v1":tru`:   {},
		`[true]`:                 {},
		``:                       {},
		`<html></html>`:          {},
	} {
		if got := protocol.DecodeCapabilities([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

const control = `{"session_id":"s-1","turn_id":"t-1","run_id":"r-1","start_request_id":"u-1","status":"paused",
	"error":null,"execution_stopped":true,"terminal_persisted":true,"can_send":true,"last_event_index":41,
	"paused_request":{"request_id":"q-1","args":{"n":1.0}},
	"last_decision":{"request_id":"q-0","decision":"reject","comment":"no","decided_at":"2026-01-05T02:00:00Z"},"response_language":"zh-CN"}`

func TestControl(t *testing.T) {
	c, err := protocol.DecodeControl([]byte(control))
	want := protocol.Control{
		SessionID: "s-1", TurnID: "t-1", RunID: "r-1", StartRequestID: "u-1", Status: "paused",
		ExecutionStopped: true, TerminalPersisted: true, CanSend: true, LastEventIndex: 41,
		PausedRequest:    &protocol.PausedRequest{RequestID: "q-1", Args: `{"n":1.0}`},
		LastDecision:     &protocol.LastDecision{RequestID: "q-0", Decision: "reject", Comment: "no", DecidedAt: second},
		ResponseLanguage: "zh-CN",
	}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Fatalf("decoded %+v, %v\nwant    %+v", c, err, want)
	}
	if !c.Confirmed() {
		t.Fatal("all three confirmations hold")
	}
}

// Sending opens on three plain trues and on nothing that merely looks like them.
func TestOnlyThreeTruesConfirm(t *testing.T) {
	for _, flag := range []string{"execution_stopped", "terminal_persisted", "can_send"} {
		for _, value := range []string{`false`, `null`, `"true"`, `1`, `{}`} {
			body := strings.Replace(control, `"`+flag+`":true`, `"`+flag+`":`+value, 1)
			c, err := protocol.DecodeControl([]byte(body))
			if err != nil || c.Confirmed() {
				t.Errorf("%s %s: confirmed %v, %v", flag, value, c.Confirmed(), err)
			}
		}
	}
}

func TestControlIsLenientWhereNothingIsDecidedByIt(t *testing.T) {
	c, err := protocol.DecodeControl([]byte(`{"run_id":"r-1","status":"running","session_id":7,"error":[],"last_event_index":"41","paused_request":"q","last_decision":[],"x":1}`))
	want := protocol.Control{RunID: "r-1", Status: "running", LastEventIndex: -1}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Fatalf("decoded %+v, %v", c, err)
	}
	c, err = protocol.DecodeControl([]byte(`{"run_id":"r-1","status":"running","paused_request":{"args":{}}}`))
	if err != nil || c.PausedRequest != nil {
		t.Fatalf("a request without an id is none: %+v, %v", c.PausedRequest, err)
	}
}

func TestControlThatCannotBeTrustedIsRefused(t *testing.T) {
	for _, body := range []string{
		``, `null`, `[]`, `<html>`, control + "x",
		`{"status":"running"}`,
		`{"run_id":7,"status":"running"}`,
		`{"run_id":"r-1"}`,
		`{"run_id":"r-1","status":"levitating"}`,
		`{"run_id":"r-1","status":null}`,
		`{"run_id":"r-1","status":"running","x":` + nested(10001) + `}`,
	} {
		if c, err := protocol.DecodeControl([]byte(body)); err == nil {
			t.Errorf("%.60s: decoded %+v", body, c)
		}
	}
}

func TestSnapshotsAreCompleteOnlyWhenTheySaySo(t *testing.T) {
	for _, c := range []struct {
		value    string
		complete bool
	}{{`true`, true}, {`false`, false}, {`null`, false}, {`"true"`, false}, {`1`, false}} {
		s, err := protocol.DecodeSnapshot([]byte(`{"run_id":"r-1","status":"running","snapshot_complete":` + c.value + `,"resume_cursor":7}`))
		if err != nil || s.Complete != c.complete || s.ResumeCursor != nil {
			t.Errorf("%s: %+v, %v", c.value, s, err)
		}
	}
	s, err := protocol.DecodeSnapshot([]byte(`{"run_id":"r-1","status":"running"}`))
	if err != nil || s.Complete {
		t.Errorf("without the member: %+v, %v", s, err)
	}
	for _, body := range []string{``, `[]`, `{"run_id":"r-1","snapshot_complete":true}`, `{"run_id":"r-1","status":"odd","snapshot_complete":true}`} {
		if s, err := protocol.DecodeSnapshot([]byte(body)); err == nil {
			t.Errorf("%q: decoded %+v", body, s)
		}
	}
}

func TestItemsAreDecodedLeniently(t *testing.T) {
	decode := func(items string) []protocol.Item {
		t.Helper()
		s, err := protocol.DecodeSnapshot([]byte(`{"run_id":"r-1","status":"running","snapshot_complete":true,"items":` + items + `}`))
		if err != nil {
			t.Fatal(err)
		}
		return s.Items
	}
	for _, c := range []struct {
		name, json string
		want       []protocol.Item
	}{
		{"no list", `null`, nil},
		{"an object", `{"type":"message"}`, nil},
		{"elements that are no items", `[1,null,"x",[]]`, nil},
		{"a message", `[{"type":"message","message_id":"a","format":"odd","text":"x","reasoning":7,"complete":"yes"}]`,
			[]protocol.Item{{Type: "message", Message: &protocol.Message{MessageID: "a", Format: "markdown", Text: "x"}}}},
		{"a plan", `[{"type":"plan","plan_id":"p","steps":[{"step_id":"s","status":"running"}]}]`,
			[]protocol.Item{{Type: "plan", Plan: &protocol.Plan{PlanID: "p", Steps: []protocol.PlanStep{{StepID: "s", Status: "running"}}}}}},
		{"a tool", `[{"type":"tool","call_id":"c","tool":null,"args":"ls","status":"levitating","progress":7,"series":{"loss":[[1,0.5],["x",1],[2],[2,0.25],7],"auc":"none"},"result":0}]`,
			[]protocol.Item{{Type: "tool", Tool: &protocol.Tool{
				CallID: "c", Args: `"ls"`, Status: "running", Result: `0`,
				Series: protocol.SeriesSet{{Name: "loss", Points: []protocol.Point{{1, 0.5}, {2, 0.25}}}, {Name: "auc"}},
			}}}},
		{"an approval", `[{"type":"approval","request":{"request_id":"q"},"status":"pending","comment":null}]`,
			[]protocol.Item{{Type: "approval", Approval: &protocol.Approval{Request: protocol.PausedRequest{RequestID: "q"}, Status: "pending"}}}},
		{"a skill", `[{"type":"skill_candidate","candidate_id":"k","status":"odd"}]`,
			[]protocol.Item{{Type: "skill_candidate", Skill: &protocol.Skill{CandidateID: "k", Status: "pending"}}}},
		{"a type nobody knows", `[{"type":"hologram","x":1.0}]`,
			[]protocol.Item{{Type: "hologram", Raw: `{"type":"hologram","x":1.0}`}}},
		{"a known type without an id", `[{"type":"message","text":"x"}]`,
			[]protocol.Item{{Type: "message", Raw: `{"type":"message","text":"x"}`}}},
	} {
		if got := decode(c.json); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: decoded %+v", c.name, got)
		}
	}
}

func TestSessionDetail(t *testing.T) {
	d, err := protocol.DecodeSessionDetail([]byte(`{"session":{"session_id":"s-1","title":"图","updated_at":"2026-01-05T02:00:00Z","status":"running"},
		"turns":[{"turn_id":"t-1","run_id":"r-1","start_request_id":"u-1","user":{"text":"你好","attachments":[{"file_token":"f","filename":"a\"b;c.txt"},{"file_token":"g"}]},
			"response_language":"zh-CN","output_format":"chat","status":"running","error":null,"items":[],"created_at":1767578400},null,7,"t"],
		"active_run":` + control + `}`))
	want := []protocol.Turn{{
		TurnID: "t-1", RunID: "r-1", StartRequestID: "u-1", ResponseLanguage: "zh-CN", OutputFormat: "chat", Status: "running", CreatedAt: second,
		User: protocol.UserMessage{Text: "你好", Attachments: []protocol.Attachment{{FileToken: "f", Filename: `a"b;c.txt`}, {FileToken: "g"}}},
	}}
	if err != nil || !reflect.DeepEqual(d.Turns, want) || d.ActiveRun == nil || d.ActiveRun.RunID != "r-1" || d.Session.Title != "图" {
		t.Fatalf("decoded %+v, %v", d, err)
	}
	for _, none := range []string{`null`, `7`, `[]`} {
		d, err := protocol.DecodeSessionDetail([]byte(`{"session":{"session_id":"s-1"},"turns":null,"active_run":` + none + `}`))
		if err != nil || d.ActiveRun != nil || d.Turns != nil {
			t.Errorf("active_run %s: decoded %+v, %v", none, d, err)
		}
	}
}

// A session says that a run is active, but not how it stands: to read that as "none" would open
// sending, to believe it would watch a run without a name.
func TestAnActiveRunThatCannotBeReadIsAnError(t *testing.T) {
	for _, active := range []string{`{}`, `{"run_id":"r-1"}`, `{"run_id":"r-1","status":"odd"}`, `{"status":"running"}`} {
		d, err := protocol.DecodeSessionDetail([]byte(`{"session":{"session_id":"s-1"},"turns":[],"active_run":` + active + `}`))
		if err == nil {
			t.Errorf("%s: decoded %+v", active, d)
		}
	}
}

func TestRecordsWithoutAnIDAreRefused(t *testing.T) {
	decoders := map[string]func([]byte) error{
		"session":        func(b []byte) error { _, err := protocol.DecodeSessionInfo(b); return err },
		"session detail": func(b []byte) error { _, err := protocol.DecodeSessionDetail(b); return err },
		"upload":         func(b []byte) error { _, err := protocol.DecodeUpload(b); return err },
		"skill":          func(b []byte) error { _, err := protocol.DecodeSkill(b); return err },
	}
	for name, decode := range decoders {
		for _, body := range []string{``, `{}`, `[]`, `{"session":{}}`, `{"session_id":7,"file_token":null,"candidate_id":[]}`} {
			if decode([]byte(body)) == nil {
				t.Errorf("%s: %q is taken", name, body)
			}
		}
	}
}

func TestListsDropRowsWithoutAnID(t *testing.T) {
	page, err := protocol.DecodeSessionPage([]byte(`{"sessions":[{"session_id":"s-1","title":"A"},{"title":"B"},null,{"session_id":"s-2","created_at":"odd"}],"next_cursor":""}`))
	if err != nil || len(page.Sessions) != 2 || page.Sessions[1].SessionID != "s-2" || page.NextCursor != nil {
		t.Errorf("decoded %+v, %v", page, err)
	}
	page, err = protocol.DecodeSessionPage([]byte(`{"sessions":{},"next_cursor":"c"}`))
	if err != nil || len(page.Sessions) != 0 || page.NextCursor == nil || *page.NextCursor != "c" {
		t.Errorf("decoded %+v, %v", page, err)
	}
	skills, err := protocol.DecodeSkills([]byte(`{"candidates":[{"candidate_id":"k"},{"name":"n"},7]}`))
	if err != nil || len(skills) != 1 || skills[0].Status != "pending" {
		t.Errorf("decoded %+v, %v", skills, err)
	}
	for _, body := range []string{``, `[]`, `{"sessions":[`} {
		if _, err := protocol.DecodeSessionPage([]byte(body)); err == nil {
			t.Errorf("%q is taken for a list of sessions", body)
		}
		if _, err := protocol.DecodeSkills([]byte(body)); err == nil {
			t.Errorf("%q is taken for a list of skills", body)
		}
	}
}

func TestJobControlAndUploads(t *testing.T) {
	j, err := protocol.DecodeJobControl([]byte(`{"job_id":"j-1","status":"cancelled","execution_stopped":true,"terminal_persisted":"true"}`))
	if err != nil || j != (protocol.JobControl{JobID: "j-1", Status: "cancelled", ExecutionStopped: true}) {
		t.Errorf("decoded %+v, %v", j, err)
	}
	if _, err := protocol.DecodeJobControl([]byte(`null`)); err == nil {
		t.Error("null is taken for the control of a job")
	}
	u, err := protocol.DecodeUpload([]byte(`{"file_token":"f-1","filename":"测试 文档(1).pdf","size":3}`))
	if err != nil || u != (protocol.Upload{FileToken: "f-1", Filename: "测试 文档(1).pdf", Size: 3}) {
		t.Errorf("decoded %+v, %v", u, err)
	}
	u, err = protocol.DecodeUpload([]byte(`{"file_token":"f-1","filename":null,"size":"3"}`))
	if err != nil || u.FileToken != "f-1" {
		t.Errorf("the token decides: %+v, %v", u, err)
	}
}

// What the server writes with the field tags is what the client reads by hand: the two halves of
// this package agree on every record.
func TestEveryRecordSurvivesEncodingAndDecoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		detail := protocol.SessionDetail{Session: drawInfo(t)}
		for range rapid.IntRange(0, 3).Draw(t, "turns") {
			detail.Turns = append(detail.Turns, drawTurn(t))
		}
		if rapid.Bool().Draw(t, "active") {
			c := drawControl(t)
			detail.ActiveRun = &c
		}
		survives(t, detail, protocol.DecodeSessionDetail)
		survives(t, drawControl(t), protocol.DecodeControl)
		survives(t, drawInfo(t), protocol.DecodeSessionInfo)
		survives(t, drawSkill(t), protocol.DecodeSkill)
		survives(t, protocol.Snapshot{
			SessionID: id(t), RunID: id(t), Status: drawStatus(t), Error: drawError(t), Complete: rapid.Bool().Draw(t, "complete"),
			Items: drawItems(t), PausedRequest: drawMaybeRequest(t), ResponseLanguage: word(t), OutputFormat: word(t),
		}, protocol.DecodeSnapshot)
		survives(t, protocol.JobControl{JobID: id(t), Status: word(t), ExecutionStopped: true}, protocol.DecodeJobControl)
		survives(t, protocol.Upload{FileToken: id(t), Filename: word(t), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size")}, protocol.DecodeUpload)
		page := protocol.SessionPage{Sessions: []protocol.SessionInfo{drawInfo(t)}}
		if next := word(t); next != "" {
			page.NextCursor = &next
		}
		survives(t, page, protocol.DecodeSessionPage)
	})
}

func survives[T any](t *rapid.T, sent T, decode func([]byte) (T, error)) {
	body, err := json.Marshal(sent)
	if err != nil {
		t.Fatalf("encode %+v: %v", sent, err)
	}
	got, err := decode(body)
	if err != nil {
		t.Fatalf("decode %s: %v", body, err)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatalf("encode again: %v", err)
	}
	if string(again) != string(body) {
		t.Fatalf("sent     %s\nreceived %s", body, again)
	}
}

func word(t *rapid.T) string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "图", "a\"b\\c", "\x00\u2028", "<b>&", "👨‍👩‍👧"}), rapid.String()).Draw(t, "word")
}

func id(t *rapid.T) string { return rapid.StringN(1, 12, -1).Draw(t, "id") }

func drawTime(t *rapid.T) time.Time {
	return time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "time"), rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds")).UTC()
}

func drawRaw(t *rapid.T) protocol.RawJSON {
	return rapid.SampledFrom([]protocol.RawJSON{"", `0`, `""`, `[]`, `"ls"`, `{"z":1.0,"a":12345678901234567890}`, `{"":1,"a.b":2}`, `"\ud83d"`}).Draw(t, "json")
}

func drawStatus(t *rapid.T) string {
	return rapid.SampledFrom([]string{"running", "paused", "cancelling", "completed", "failed", "cancelled"}).Draw(t, "status")
}

func drawError(t *rapid.T) *protocol.RunError {
	if rapid.Bool().Draw(t, "no error") {
		return nil
	}
	return &protocol.RunError{Code: word(t), Message: word(t)}
}

func drawInfo(t *rapid.T) protocol.SessionInfo {
	return protocol.SessionInfo{SessionID: id(t), Title: word(t), CreatedAt: drawTime(t), UpdatedAt: drawTime(t), Status: word(t)}
}

func drawSkill(t *rapid.T) protocol.Skill {
	return protocol.Skill{CandidateID: id(t), Name: word(t), Description: word(t), Body: word(t), Status: rapid.SampledFrom([]string{"pending", "approve", "reject"}).Draw(t, "skill")}
}

func drawRequest(t *rapid.T) protocol.PausedRequest {
	r := protocol.PausedRequest{RequestID: id(t), ToolCallID: word(t), ToolName: word(t), Args: drawRaw(t), Reason: word(t), Summary: word(t), CreatedAt: drawTime(t)}
	if rapid.Bool().Draw(t, "preview") {
		r.Preview = &protocol.Preview{
			Kind: protocol.PreviewGraphMutation, AddNodes: []string{word(t)},
			RemoveEdges: []protocol.Edge{{Source: word(t), Target: word(t), Weight: rapid.Float64Range(0, 9).Draw(t, "weight")}},
			Before:      &protocol.GraphCounts{Nodes: 34, Edges: 78}, Irreversible: rapid.Bool().Draw(t, "irreversible"),
		}
	}
	return r
}

func drawMaybeRequest(t *rapid.T) *protocol.PausedRequest {
	if rapid.Bool().Draw(t, "no request") {
		return nil
	}
	r := drawRequest(t)
	return &r
}

func drawControl(t *rapid.T) protocol.Control {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	c := protocol.Control{
		SessionID: id(t), TurnID: id(t), RunID: id(t), StartRequestID: id(t), Status: drawStatus(t), Error: drawError(t),
		ExecutionStopped: flag("stopped"), TerminalPersisted: flag("persisted"), CanSend: flag("can send"),
		LastEventIndex: rapid.Int64Min(-1).Draw(t, "last index"), PausedRequest: drawMaybeRequest(t), ResponseLanguage: word(t),
	}
	if flag("decided") {
		c.LastDecision = &protocol.LastDecision{RequestID: id(t), Decision: word(t), Comment: word(t), DecidedAt: drawTime(t)}
	}
	return c
}

func drawTurn(t *rapid.T) protocol.Turn {
	turn := protocol.Turn{
		TurnID: id(t), RunID: id(t), StartRequestID: id(t), User: protocol.UserMessage{Text: word(t)}, ResponseLanguage: word(t),
		OutputFormat: word(t), Status: drawStatus(t), Error: drawError(t), Items: drawItems(t), CreatedAt: drawTime(t),
	}
	for range rapid.IntRange(0, 2).Draw(t, "attachments") {
		turn.User.Attachments = append(turn.User.Attachments, protocol.Attachment{FileToken: id(t), Filename: word(t)})
	}
	return turn
}

func drawItems(t *rapid.T) (items []protocol.Item) {
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		items = append(items, drawItem(t))
	}
	return items
}

func drawItem(t *rapid.T) protocol.Item {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return protocol.Item{Type: protocol.ItemMessage, Message: &protocol.Message{
			MessageID: id(t), Format: rapid.SampledFrom([]string{"markdown", "report", "json"}).Draw(t, "format"),
			Text: word(t), Reasoning: word(t), Complete: rapid.Bool().Draw(t, "complete"),
		}}
	case 1:
		return protocol.Item{Type: protocol.ItemPlan, Plan: &protocol.Plan{PlanID: id(t), Steps: []protocol.PlanStep{
			{StepID: word(t), Title: word(t), Status: rapid.SampledFrom([]string{"pending", "running", "done", "failed", "skipped"}).Draw(t, "step")},
		}}}
	case 2:
		return protocol.Item{Type: protocol.ItemTool, Tool: drawTool(t)}
	case 3:
		return protocol.Item{Type: protocol.ItemApproval, Approval: &protocol.Approval{
			Request: drawRequest(t), Status: rapid.SampledFrom([]string{"pending", "approve", "modify", "expired"}).Draw(t, "approval"),
			Comment: word(t), EffectiveArgs: drawRaw(t),
		}}
	case 4:
		s := drawSkill(t)
		return protocol.Item{Type: protocol.ItemSkill, Skill: &s}
	}
	return protocol.Item{Type: "hologram", Raw: `{"type":"hologram","x":1.0}`}
}

func drawTool(t *rapid.T) *protocol.Tool {
	value := func() float64 { return rapid.Float64Range(-1e9, 1e9).Draw(t, "value") }
	tool := &protocol.Tool{
		Tool: word(t), CallID: id(t), Args: drawRaw(t), Job: rapid.Bool().Draw(t, "job"),
		Status: rapid.SampledFrom([]string{"running", "cancelling", "succeeded", "failed", "cancelled"}).Draw(t, "tool status"),
		Result: drawRaw(t), Error: drawRaw(t), StartedAt: drawTime(t),
	}
	if rapid.Bool().Draw(t, "progress") {
		epoch := value()
		tool.Progress = &protocol.Progress{Epoch: &epoch, Message: word(t), Metrics: protocol.Metrics{{Name: word(t), Value: value()}}}
		tool.Series = protocol.SeriesSet{{Name: word(t), Points: []protocol.Point{{1, value()}, {2, value()}}}}
	}
	return tool
}

// A value that is not JSON must not reach the wire inside a record that is.
func TestRawValuesAreCheckedBeforeTheyAreSent(t *testing.T) {
	if b, err := json.Marshal(protocol.FeedbackRequest{PatchedArgs: `{"count":}`}); err == nil {
		t.Fatalf("sent %s", b)
	}
	b, err := json.Marshal(protocol.FeedbackRequest{RunID: "r-1", RequestID: "q-1", DecisionID: "d-1", Decision: "approve"})
	if want := `{"run_id":"r-1","request_id":"q-1","decision_id":"d-1","decision":"approve"}`; err != nil || string(b) != want {
		t.Fatalf("sent %s, %v\nwant %s", b, err, want)
	}
}

func TestBodiesAreWrittenAsAgreed(t *testing.T) {
	for _, c := range []struct {
		body any
		want string
	}{
		{protocol.ChatRequest{Message: "你好", StartRequestID: "u-1", Stream: true, Background: true},
			`{"message":"你好","start_request_id":"u-1","stream":true,"background":true}`},
		{protocol.CancelRequest{Target: protocol.CancelTarget{RunID: "r-1"}, CancelRequestID: "c-1"},
			`{"target":{"run_id":"r-1"},"cancel_request_id":"c-1"}`},
		{protocol.CancelRequest{Target: protocol.CancelTarget{StartRequestID: "u-1"}, CancelRequestID: "c-1"},
			`{"target":{"start_request_id":"u-1"},"cancel_request_id":"c-1"}`},
		{protocol.SkillDecisionRequest{Decision: "approve", DecisionID: "d-1"}, `{"decision":"approve","decision_id":"d-1"}`},
		{protocol.TitleRequest{}, `{}`},
	} {
		if b, err := json.Marshal(c.body); err != nil || string(b) != c.want {
			t.Errorf("sent %s, %v\nwant %s", b, err, c.want)
		}
	}
}
