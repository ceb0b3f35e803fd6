package store

import (
	"fmt"

	"igraph-console/app/protocol"
)

// Apply folds whole frames, in order, and returns the new run and how many frames it took in.
// Frames at or below the cursor are duplicates and are dropped whole; frames without an index only
// tell a state and move nothing. If a frame cannot be folded, those before it are in the result and
// the error says which one it was.
//
// Frames that arrive together are folded together, because copying once per batch instead of once
// per frame makes a rebuild several times cheaper; each is still applied whole or not at all.
func (r *Run) Apply(frames ...protocol.Frame) (next *Run, applied int, err error) {
	if len(frames) == 0 {
		return r, 0, nil
	}
	next, err = r.applyAll(frames)
	if err == nil {
		return next, len(frames), nil
	}
	if len(frames) == 1 {
		return r, 0, err
	}
	next = r
	for i, frame := range frames {
		after, err := next.applyAll(frames[i : i+1])
		if err != nil {
			return next, i, fmt.Errorf("fold frame %d of run %s: %w", frame.Index, r.ID, err)
		}
		next = after
	}
	return next, len(frames), nil
}

// applyAll folds all frames into one new version. A panic in the fold costs the version, not the
// page: the receiver stays as it was.
func (r *Run) applyAll(frames []protocol.Frame) (next *Run, err error) {
	defer func() {
		if p := recover(); p != nil {
			next, err = r, fmt.Errorf("the fold panicked: %v", p)
		}
	}()
	copied := *r
	f := fold{run: &copied, rev: NextRev()}
	for _, frame := range frames {
		f.frame(frame)
	}
	if f.changed {
		copied.Rev = f.rev
	}
	return &copied, nil
}

// fold is one new version of a run in the making.
type fold struct {
	run     *Run
	rev     uint64
	changed bool
}

func (f *fold) frame(frame protocol.Frame) {
	if !frame.HasIndex {
		f.observation(frame.Events)
		return
	}
	if frame.Index <= f.run.Cursor {
		return
	}
	for _, ev := range frame.Events {
		f.event(ev)
	}
	f.run.Cursor = frame.Index
	f.changed = true
}

// observation takes from a frame without index only what states the run's condition. Content in it
// would be there again, or be missing, in a replay: the published state would then depend on luck.
func (f *fold) observation(events []protocol.Event) {
	for _, ev := range events {
		if status, ok := ev.(protocol.RunStatus); ok {
			f.status(status.Status)
			f.changed = true
		}
	}
}

func (f *fold) event(ev protocol.Event) {
	switch ev := ev.(type) {
	case protocol.MessageDelta:
		m := f.message(ev.MessageID)
		m.text = m.text.append(ev.Delta)
	case protocol.ReasoningDelta:
		m := f.message(ev.MessageID)
		m.reasoning = m.reasoning.append(ev.Delta)
	case protocol.MessageStart:
		f.messageStart(ev)
	case protocol.MessageEnd:
		f.message(ev.MessageID).Complete = true
	case protocol.PlanUpdate:
		it := f.item(ItemKey{protocol.ItemPlan, ev.Plan.PlanID}, nil)
		plan := ev.Plan
		it.Plan = &plan
	case protocol.ToolStart:
		f.toolStart(ev)
	case protocol.ToolProgress:
		f.toolProgress(ev)
	case protocol.ToolEnd:
		f.toolEnd(ev)
	case protocol.ApprovalRequired:
		f.approvalRequired(ev.Request)
	case protocol.ApprovalResolved:
		f.approvalResolved(ev)
	case protocol.SkillCandidate:
		f.item(ItemKey{protocol.ItemSkill, ev.Skill.CandidateID}, func(it *Item) {
			skill := ev.Skill
			it.Skill = &skill
		})
	case protocol.SkillResolved:
		f.skillResolved(ev)
	case protocol.RunStarted:
		f.runStarted(ev)
	case protocol.RunStatus:
		f.status(ev.Status)
	case protocol.RunEnd:
		f.runEnd(ev)
	case protocol.ReplayComplete, protocol.RecoveryRequired, protocol.Unknown:
		// The observer's business, or nobody's.
	default:
		panic(fmt.Sprintf("no rule for event %T", ev))
	}
}

// item returns the item to change, creating it where it was never seen.
func (f *fold) item(key ItemKey, create func(*Item)) *Item {
	if i, ok := f.run.items.find(key); ok {
		return f.run.items.own(f.rev, i)
	}
	it := &Item{Key: key, Rev: f.rev}
	if create != nil {
		create(it)
	}
	f.run.items.put(f.rev, it)
	return it
}

func (f *fold) message(id string) *Message {
	return f.item(ItemKey{protocol.ItemMessage, id}, func(it *Item) {
		it.Message = &Message{ID: id, Format: protocol.FormatMarkdown}
	}).Message
}

func (f *fold) messageStart(ev protocol.MessageStart) {
	m := f.message(ev.MessageID)
	if m.started {
		return
	}
	m.started = true
	m.Format = ev.Format
}

func (f *fold) tool(id string) *Tool {
	return f.item(ItemKey{protocol.ItemTool, id}, func(it *Item) {
		it.Tool = &Tool{CallID: id, Status: protocol.StatusRunning}
	}).Tool
}

func (f *fold) toolStart(ev protocol.ToolStart) {
	t := f.tool(ev.CallID)
	if t.started {
		return
	}
	t.started = true
	t.Tool, t.Args, t.Job = ev.Tool, ev.Args, ev.Job
	t.StartedAt = ev.StartedAt
}

// toolProgress keeps the newest progress. A tool that has ended stays as it ended.
func (f *fold) toolProgress(ev protocol.ToolProgress) {
	t := f.tool(ev.CallID)
	if t.Tool == "" {
		t.Tool = ev.Tool
	}
	if t.Ended() || ev.Progress == nil {
		return
	}
	t.Progress = ev.Progress
	t.series = appendMetrics(t.series, ev.Progress)
}

// appendMetrics adds one point to the series of each metric: x is the epoch, or else the point's
// number, counted from 1 as epochs are.
func appendMetrics(series []metric, p *protocol.Progress) []metric {
	if len(p.Metrics) == 0 {
		return series
	}
	next := append([]metric(nil), series...)
	for _, m := range p.Metrics {
		i := indexOfMetric(next, m.Name)
		if i < 0 {
			next = append(next, metric{name: m.Name})
			i = len(next) - 1
		}
		x := float64(next[i].points.n + 1)
		if p.Epoch != nil {
			x = *p.Epoch
		}
		next[i].points = next[i].points.append(protocol.Point{x, m.Value})
	}
	return next
}

func indexOfMetric(series []metric, name string) int {
	for i, m := range series {
		if m.name == name {
			return i
		}
	}
	return -1
}

// toolEnd finishes a tool once; a later end of the same call changes nothing.
func (f *fold) toolEnd(ev protocol.ToolEnd) {
	t := f.tool(ev.CallID)
	if t.Ended() {
		return
	}
	t.Status, t.Result, t.Error, t.EndedAt = ev.Status, ev.Result, ev.Error, ev.EndedAt
}

func (f *fold) approvalRequired(request protocol.PausedRequest) {
	key := ItemKey{protocol.ItemApproval, request.RequestID}
	if _, ok := f.run.items.find(key); ok {
		return
	}
	f.item(key, func(it *Item) {
		it.Approval = &protocol.Approval{Request: request, Status: protocol.StatusPending}
	})
	f.run.Pending = append(f.run.Pending[:len(f.run.Pending):len(f.run.Pending)], request.RequestID)
	f.status(protocol.StatusPaused)
}

func (f *fold) approvalResolved(ev protocol.ApprovalResolved) {
	it := f.item(ItemKey{protocol.ItemApproval, ev.RequestID}, func(it *Item) {
		it.Approval = &protocol.Approval{Request: protocol.PausedRequest{RequestID: ev.RequestID}}
	})
	a := it.Approval
	a.Status, a.Comment, a.EffectiveArgs = ev.Decision, ev.Comment, ev.EffectiveArgs
	f.settle(ev.RequestID)
}

// settle takes a request off those that wait; the run goes on with the last of them.
func (f *fold) settle(requestID string) {
	if f.run.Waiting != nil && f.run.Waiting.RequestID == requestID {
		f.run.Waiting = nil
	}
	var rest []string
	for _, id := range f.run.Pending {
		if id != requestID {
			rest = append(rest, id)
		}
	}
	f.run.Pending = rest
	if len(rest) == 0 && f.run.Status == protocol.StatusPaused {
		f.run.Status = protocol.StatusRunning
	}
}

func (f *fold) skillResolved(ev protocol.SkillResolved) {
	it := f.item(ItemKey{protocol.ItemSkill, ev.CandidateID}, func(it *Item) {
		it.Skill = &protocol.Skill{CandidateID: ev.CandidateID}
	})
	it.Skill.Status = ev.Decision
}

func (f *fold) runStarted(ev protocol.RunStarted) {
	r := f.run
	if r.started {
		return
	}
	r.started = true
	r.TurnID, r.StartedAt = ev.TurnID, ev.StartedAt
	if ev.ResponseLanguage != "" {
		r.Lang = ev.ResponseLanguage
	}
	if ev.OutputFormat != "" {
		r.Format = ev.OutputFormat
	}
}

// status takes a condition that is not an end; an ended run is not revived by a late one.
func (f *fold) status(status string) {
	if f.run.Ended() {
		return
	}
	f.run.Status = status
	if status == protocol.StatusRunning {
		f.run.Waiting = nil
	}
}

func (f *fold) runEnd(ev protocol.RunEnd) {
	if f.run.Ended() {
		return
	}
	f.run.Status, f.run.Error, f.run.EndedAt = ev.Status, ev.Error, ev.EndedAt
	f.run.Waiting = nil
}
