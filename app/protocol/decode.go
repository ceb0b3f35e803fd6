package protocol

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

var errNotObject = errors.New("not a JSON object")

// object parses body as one JSON object.
func object(what string, body []byte) (gjson.Result, error) {
	data := string(body)
	if err := checkJSON(data); err != nil {
		return gjson.Result{}, fmt.Errorf("decode %s of %d bytes: %w", what, len(body), err)
	}
	root := gjson.Parse(data)
	if !root.IsObject() {
		return gjson.Result{}, fmt.Errorf("decode %s: %w", what, errNotObject)
	}
	return root, nil
}

// DecodeCapabilities reads capabilities; whatever is missing or malformed is false.
func DecodeCapabilities(body []byte) Capabilities {
	root, err := object("capabilities", body)
	if err != nil {
		return Capabilities{}
	}
	isTrue := func(key string) bool { return root.Get(key).Type == gjson.True }
	return Capabilities{
		RunCancel:  isTrue("run_cancel_v1"),
		JobCancel:  isTrue("job_cancel_v1"),
		EditLatest: isTrue("edit_latest_turn_v1"),
	}
}

// DecodeSessionPage reads one page of the session list. Rows without an id are dropped.
func DecodeSessionPage(body []byte) (SessionPage, error) {
	root, err := object("session list", body)
	if err != nil {
		return SessionPage{}, err
	}
	var page SessionPage
	each(root, "sessions", func(v gjson.Result) {
		if info := sessionInfo(v); info.SessionID != "" {
			page.Sessions = append(page.Sessions, info)
		}
	})
	if next := str(root, "next_cursor"); next != "" {
		page.NextCursor = &next
	}
	return page, nil
}

// DecodeSessionInfo reads one session record.
func DecodeSessionInfo(body []byte) (SessionInfo, error) {
	root, err := object("session", body)
	if err != nil {
		return SessionInfo{}, err
	}
	info := sessionInfo(root)
	if info.SessionID == "" {
		return info, errors.New("decode session: no session_id")
	}
	return info, nil
}

// DecodeSessionDetail reads a session with its turns.
func DecodeSessionDetail(body []byte) (SessionDetail, error) {
	root, err := object("session", body)
	if err != nil {
		return SessionDetail{}, err
	}
	detail := SessionDetail{Session: sessionInfo(root.Get("session"))}
	if detail.Session.SessionID == "" {
		return detail, errors.New("decode session: no session_id")
	}
	each(root, "turns", func(v gjson.Result) {
		if v.IsObject() {
			detail.Turns = append(detail.Turns, turn(v))
		}
	})
	if active := root.Get("active_run"); active.IsObject() {
		c, err := checkedControl(active)
		if err != nil {
			return detail, fmt.Errorf("decode session %s: active run: %w", detail.Session.SessionID, err)
		}
		detail.ActiveRun = &c
	}
	return detail, nil
}

// DecodeControl reads the authoritative state of a run.
func DecodeControl(body []byte) (Control, error) {
	root, err := object("control", body)
	if err != nil {
		return Control{}, err
	}
	c, err := checkedControl(root)
	if err != nil {
		return c, fmt.Errorf("decode control: %w", err)
	}
	return c, nil
}

// checkedControl refuses a record without a known status or run id: guessing here could open
// sending too early.
func checkedControl(v gjson.Result) (Control, error) {
	c := control(v)
	if c.RunID == "" {
		return c, errors.New("no run_id")
	}
	if !knownRunStatus(c.Status) {
		return c, fmt.Errorf("run %s has unknown status %q", c.RunID, c.Status)
	}
	return c, nil
}

// DecodeJobControl reads the authoritative state of a job.
func DecodeJobControl(body []byte) (JobControl, error) {
	root, err := object("job control", body)
	if err != nil {
		return JobControl{}, err
	}
	return JobControl{
		JobID:             str(root, "job_id"),
		Status:            str(root, "status"),
		ExecutionStopped:  root.Get("execution_stopped").Type == gjson.True,
		TerminalPersisted: root.Get("terminal_persisted").Type == gjson.True,
	}, nil
}

// DecodeSnapshot reads a snapshot. One without a known status is refused, and snapshot_complete
// must be the literal true: a partial snapshot is never shown.
func DecodeSnapshot(body []byte) (Snapshot, error) {
	root, err := object("snapshot", body)
	if err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{
		SessionID:        str(root, "session_id"),
		RunID:            str(root, "run_id"),
		Status:           str(root, "status"),
		Error:            runError(root.Get("error")),
		Complete:         root.Get("snapshot_complete").Type == gjson.True,
		Items:            items(root),
		PausedRequest:    optionalRequest(root.Get("paused_request")),
		ResponseLanguage: str(root, "response_language"),
		OutputFormat:     str(root, "output_format"),
	}
	if !knownRunStatus(s.Status) {
		return s, fmt.Errorf("decode snapshot of run %s: unknown status %q", s.RunID, s.Status)
	}
	return s, nil
}

// DecodeUpload reads the answer to an upload. Success is judged by the token, not by the name.
func DecodeUpload(body []byte) (Upload, error) {
	root, err := object("upload", body)
	if err != nil {
		return Upload{}, err
	}
	u := Upload{FileToken: str(root, "file_token"), Filename: str(root, "filename"), Size: root.Get("size").Int()}
	if u.FileToken == "" {
		return u, errors.New("decode upload: no file_token")
	}
	return u, nil
}

// DecodeSkill reads one skill candidate.
func DecodeSkill(body []byte) (Skill, error) {
	root, err := object("skill candidate", body)
	if err != nil {
		return Skill{}, err
	}
	s := skill(root)
	if s.CandidateID == "" {
		return s, errors.New("decode skill candidate: no candidate_id")
	}
	return s, nil
}

// DecodeSkills reads a list of skill candidates.
func DecodeSkills(body []byte) ([]Skill, error) {
	root, err := object("skill candidates", body)
	if err != nil {
		return nil, err
	}
	var list []Skill
	each(root, "candidates", func(v gjson.Result) {
		if s := skill(v); s.CandidateID != "" {
			list = append(list, s)
		}
	})
	return list, nil
}

func knownRunStatus(s string) bool {
	return Terminal(s) || s == StatusRunning || s == StatusPaused || s == StatusCancelling
}

func sessionInfo(v gjson.Result) SessionInfo {
	return SessionInfo{
		SessionID: str(v, "session_id"),
		Title:     str(v, "title"),
		CreatedAt: timeOf(v.Get("created_at")),
		UpdatedAt: timeOf(v.Get("updated_at")),
		Status:    str(v, "status"),
	}
}

func turn(v gjson.Result) Turn {
	t := Turn{
		TurnID:           str(v, "turn_id"),
		RunID:            str(v, "run_id"),
		StartRequestID:   str(v, "start_request_id"),
		ResponseLanguage: str(v, "response_language"),
		OutputFormat:     str(v, "output_format"),
		Status:           str(v, "status"),
		Error:            runError(v.Get("error")),
		Items:            items(v),
		CreatedAt:        timeOf(v.Get("created_at")),
	}
	user := v.Get("user")
	t.User.Text = str(user, "text")
	each(user, "attachments", func(a gjson.Result) {
		t.User.Attachments = append(t.User.Attachments, Attachment{FileToken: str(a, "file_token"), Filename: str(a, "filename")})
	})
	return t
}

func control(v gjson.Result) Control {
	c := Control{
		SessionID:         str(v, "session_id"),
		TurnID:            str(v, "turn_id"),
		RunID:             str(v, "run_id"),
		StartRequestID:    str(v, "start_request_id"),
		Status:            str(v, "status"),
		Error:             runError(v.Get("error")),
		ExecutionStopped:  v.Get("execution_stopped").Type == gjson.True,
		TerminalPersisted: v.Get("terminal_persisted").Type == gjson.True,
		CanSend:           v.Get("can_send").Type == gjson.True,
		LastEventIndex:    -1,
		PausedRequest:     optionalRequest(v.Get("paused_request")),
		ResponseLanguage:  str(v, "response_language"),
	}
	if n, ok := integer(v.Get("last_event_index")); ok {
		c.LastEventIndex = n
	}
	if d := v.Get("last_decision"); d.IsObject() {
		c.LastDecision = &LastDecision{
			RequestID: str(d, "request_id"),
			Decision:  str(d, "decision"),
			Comment:   str(d, "comment"),
			DecidedAt: timeOf(d.Get("decided_at")),
		}
	}
	return c
}

func runError(v gjson.Result) *RunError {
	if v.Type == gjson.String && v.Str != "" {
		return &RunError{Message: v.Str}
	}
	if !v.IsObject() {
		return nil
	}
	return &RunError{Code: str(v, "code"), Message: str(v, "message")}
}

func items(v gjson.Result) []Item {
	var list []Item
	each(v, "items", func(it gjson.Result) {
		if it.IsObject() {
			list = append(list, item(it))
		}
	})
	return list
}

func item(v gjson.Result) Item {
	it := Item{Type: str(v, "type")}
	switch it.Type {
	case ItemMessage:
		it.Message = &Message{
			MessageID: str(v, "message_id"),
			Format:    messageFormat(str(v, "format")),
			Text:      str(v, "text"),
			Reasoning: str(v, "reasoning"),
			Complete:  v.Get("complete").Type == gjson.True,
		}
	case ItemPlan:
		it.Plan = &Plan{PlanID: str(v, "plan_id"), Steps: steps(v)}
	case ItemTool:
		it.Tool = &Tool{
			Tool:      str(v, "tool"),
			CallID:    str(v, "call_id"),
			Args:      raw(v.Get("args")),
			Job:       v.Get("job").Type == gjson.True,
			Status:    str(v, "status"),
			Progress:  progress(v.Get("progress")),
			Series:    series(v.Get("series")),
			Result:    raw(v.Get("result")),
			Error:     raw(v.Get("error")),
			StartedAt: timeOf(v.Get("started_at")),
			EndedAt:   timeOf(v.Get("ended_at")),
		}
		if !knownToolStatus(it.Tool.Status) {
			it.Tool.Status = StatusRunning
		}
	case ItemApproval:
		it.Approval = &Approval{
			Request:       pausedRequest(v.Get("request")),
			Status:        str(v, "status"),
			Comment:       str(v, "comment"),
			EffectiveArgs: raw(v.Get("effective_args")),
		}
	case ItemSkill:
		s := skill(v)
		it.Skill = &s
	}
	if it.ID() == "" {
		return Item{Type: it.Type, Raw: RawJSON(v.Raw)}
	}
	return it
}

func knownToolStatus(s string) bool {
	switch s {
	case StatusRunning, StatusCancelling, StatusSucceeded, StatusFailed, StatusCancelled:
		return true
	}
	return false
}

func messageFormat(s string) string {
	if s == FormatReport || s == FormatJSON {
		return s
	}
	return FormatMarkdown
}

func steps(v gjson.Result) []PlanStep {
	var list []PlanStep
	each(v, "steps", func(s gjson.Result) {
		if !s.IsObject() {
			return
		}
		step := PlanStep{StepID: str(s, "step_id"), Title: str(s, "title"), Status: str(s, "status")}
		switch step.Status {
		case StatusRunning, StatusDone, StatusFailed, StatusSkipped:
		default:
			step.Status = StatusPending
		}
		list = append(list, step)
	})
	return list
}

func progress(v gjson.Result) *Progress {
	if !v.IsObject() {
		return nil
	}
	p := &Progress{
		Epoch:    number(v.Get("epoch")),
		Epochs:   number(v.Get("epochs")),
		Fraction: number(v.Get("fraction")),
		Message:  str(v, "message"),
	}
	metrics := v.Get("metrics")
	if metrics.IsObject() {
		metrics.ForEach(func(k, m gjson.Result) bool {
			if n := number(m); n != nil {
				p.Metrics = append(p.Metrics, Metric{Name: k.String(), Value: *n})
			}
			return true
		})
	}
	return p
}

func series(v gjson.Result) SeriesSet {
	if !v.IsObject() {
		return nil
	}
	var set SeriesSet
	v.ForEach(func(k, pts gjson.Result) bool {
		s := Series{Name: k.String()}
		pts.ForEach(func(_, p gjson.Result) bool {
			pair := p.Array()
			if len(pair) == 2 && pair[0].Type == gjson.Number && pair[1].Type == gjson.Number {
				s.Points = append(s.Points, Point{pair[0].Num, pair[1].Num})
			}
			return true
		})
		set = append(set, s)
		return true
	})
	return set
}

func optionalRequest(v gjson.Result) *PausedRequest {
	r := pausedRequest(v)
	if r.RequestID == "" {
		return nil
	}
	return &r
}

func pausedRequest(v gjson.Result) PausedRequest {
	return PausedRequest{
		RequestID:  str(v, "request_id"),
		ToolCallID: str(v, "tool_call_id"),
		ToolName:   str(v, "tool_name"),
		Args:       raw(v.Get("args")),
		Reason:     str(v, "reason"),
		Summary:    str(v, "summary"),
		Preview:    preview(v.Get("preview")),
		CreatedAt:  timeOf(v.Get("created_at")),
		ExpiresAt:  timeOf(v.Get("expires_at")),
	}
}

func preview(v gjson.Result) *Preview {
	if !v.IsObject() {
		return nil
	}
	return &Preview{
		Kind:         str(v, "kind"),
		AddNodes:     nodes(v, "add_nodes"),
		RemoveNodes:  nodes(v, "remove_nodes"),
		AddEdges:     edges(v, "add_edges"),
		RemoveEdges:  edges(v, "remove_edges"),
		Before:       counts(v.Get("before")),
		After:        counts(v.Get("after")),
		Irreversible: v.Get("irreversible").Type == gjson.True,
	}
}

// nodes accepts labels, numbers and records with an id.
func nodes(v gjson.Result, key string) []string {
	var list []string
	each(v, key, func(n gjson.Result) { list = append(list, nodeLabel(n)) })
	return list
}

func nodeLabel(n gjson.Result) string {
	if !n.IsObject() {
		return n.String()
	}
	for _, key := range []string{"id", "node_id", "label", "name"} {
		if f := n.Get(key); f.Exists() {
			return f.String()
		}
	}
	return n.Raw
}

// edges accepts records with source and target (or from and to) and pairs.
func edges(v gjson.Result, key string) []Edge {
	var list []Edge
	each(v, key, func(e gjson.Result) {
		edge := Edge{}
		if e.IsArray() {
			pair := e.Array()
			if len(pair) >= 2 {
				edge.Source, edge.Target = nodeLabel(pair[0]), nodeLabel(pair[1])
			}
		} else {
			edge.Source = firstLabel(e, "source", "from", "src")
			edge.Target = firstLabel(e, "target", "to", "dst")
			if w := number(e.Get("weight")); w != nil {
				edge.Weight = *w
			}
		}
		list = append(list, edge)
	})
	return list
}

func firstLabel(v gjson.Result, keys ...string) string {
	for _, key := range keys {
		if f := v.Get(key); f.Exists() {
			return nodeLabel(f)
		}
	}
	return ""
}

func counts(v gjson.Result) *GraphCounts {
	if !v.IsObject() {
		return nil
	}
	n, okNodes := integer(v.Get("nodes"))
	e, okEdges := integer(v.Get("edges"))
	if !okNodes || !okEdges {
		return nil
	}
	return &GraphCounts{Nodes: n, Edges: e}
}

func skill(v gjson.Result) Skill {
	s := Skill{
		CandidateID: str(v, "candidate_id"),
		Name:        str(v, "name"),
		Description: str(v, "description"),
		Body:        str(v, "body"),
		Status:      str(v, "status"),
	}
	if s.Status != Approve && s.Status != Reject {
		s.Status = StatusPending
	}
	return s
}

// each calls f for every element of an array member; a member of another type is empty.
func each(v gjson.Result, key string, f func(gjson.Result)) {
	list := v.Get(key)
	if !list.IsArray() {
		return
	}
	list.ForEach(func(_, el gjson.Result) bool {
		f(el)
		return true
	})
}

// str reads a string member; any other type counts as absent.
func str(v gjson.Result, key string) string {
	if r := v.Get(key); r.Type == gjson.String {
		return r.Str
	}
	return ""
}

// raw keeps a value byte for byte. Absent and null are both absent.
func raw(v gjson.Result) RawJSON {
	if !v.Exists() || v.Type == gjson.Null {
		return ""
	}
	return RawJSON(v.Raw)
}

func number(v gjson.Result) *float64 {
	if v.Type != gjson.Number || math.IsInf(v.Num, 0) || math.IsNaN(v.Num) {
		return nil
	}
	n := v.Num
	return &n
}

// integer reads a whole number exactly: two indexes that a float could not tell apart are not the
// same. One written as a fraction or a power is taken within the range in which floats are exact.
func integer(v gjson.Result) (int64, bool) {
	if v.Type != gjson.Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Raw, 10, 64); err == nil {
		return n, true
	}
	if v.Num != math.Trunc(v.Num) || math.Abs(v.Num) > 1<<53 {
		return 0, false
	}
	return int64(v.Num), true
}

// timeOf reads RFC 3339, a time without a zone (taken as UTC: the server's clock is the only one
// all readers share) or a Unix time in seconds or milliseconds. Anything else is the zero time,
// which is shown as no time at all.
func timeOf(v gjson.Result) time.Time {
	if v.Type == gjson.Number {
		return unixTime(v.Num)
	}
	if v.Type != gjson.String {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, v.Str); err == nil {
			return writable(t.UTC())
		}
	}
	return time.Time{}
}

// writable drops a time that RFC 3339 has no way to write.
func writable(t time.Time) time.Time {
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

func unixTime(n float64) time.Time {
	const year2286 = 1e10 // larger numbers are milliseconds
	if !(n > 0 && n < 1e14) {
		return time.Time{}
	}
	if n >= year2286 {
		return time.UnixMilli(int64(n)).UTC()
	}
	return time.Unix(int64(n), 0).UTC()
}
