package backend

import (
	"slices"
	"strings"

	"igraph-console/app/protocol"
)

// record is the server's own account of a run's items: what its events add up to. Snapshots and
// saved turns are read from it.
type record struct {
	items []*recordItem
	index map[itemKey]*recordItem
}

type itemKey struct{ typ, id string }

// recordItem is one item. started tells a proper start from an item that a late event made. rev
// counts its changes, and savedRev is the last one that the database has.
type recordItem struct {
	key      itemKey
	pos      int
	started  bool
	rev      int
	savedRev int

	message   protocol.Message
	text      strings.Builder
	reasoning strings.Builder
	plan      protocol.Plan
	tool      protocol.Tool
	approval  protocol.Approval
	skill     protocol.Skill
}

func newRecord() *record { return &record{index: map[itemKey]*recordItem{}} }

// touch returns the item to change, making it where it is new.
func (rec *record) touch(typ, id string) *recordItem {
	key := itemKey{typ, id}
	it := rec.index[key]
	if it == nil {
		it = &recordItem{key: key, pos: len(rec.items)}
		it.message = protocol.Message{MessageID: id, Format: protocol.FormatMarkdown}
		it.tool = protocol.Tool{CallID: id, Status: protocol.StatusRunning}
		it.approval = protocol.Approval{Request: protocol.PausedRequest{RequestID: id}, Status: protocol.StatusPending}
		it.skill = protocol.Skill{CandidateID: id, Status: protocol.StatusPending}
		rec.items = append(rec.items, it)
		rec.index[key] = it
	}
	it.rev++
	return it
}

// saved reports whether the database has the item's newest state.
func (it *recordItem) saved() bool { return it.rev == it.savedRev }

// apply accounts for one event. Events that concern the run and not an item change nothing here.
func (rec *record) apply(ev protocol.Event) {
	switch ev := ev.(type) {
	case protocol.MessageStart:
		if it := rec.touch(protocol.ItemMessage, ev.MessageID); !it.started {
			it.started = true
			it.message.Format = ev.Format
		}
	case protocol.MessageDelta:
		rec.touch(protocol.ItemMessage, ev.MessageID).text.WriteString(ev.Delta)
	case protocol.ReasoningDelta:
		rec.touch(protocol.ItemMessage, ev.MessageID).reasoning.WriteString(ev.Delta)
	case protocol.MessageEnd:
		rec.touch(protocol.ItemMessage, ev.MessageID).message.Complete = true
	case protocol.PlanUpdate:
		rec.touch(protocol.ItemPlan, ev.Plan.PlanID).plan = ev.Plan
	case protocol.ToolStart:
		rec.toolStart(ev)
	case protocol.ToolProgress:
		rec.toolProgress(ev)
	case protocol.ToolEnd:
		rec.toolEnd(ev)
	case protocol.ApprovalRequired:
		if it := rec.touch(protocol.ItemApproval, ev.Request.RequestID); !it.started {
			it.started = true
			it.approval.Request = ev.Request
		}
	case protocol.ApprovalResolved:
		a := &rec.touch(protocol.ItemApproval, ev.RequestID).approval
		a.Status, a.Comment, a.EffectiveArgs = ev.Decision, ev.Comment, ev.EffectiveArgs
	case protocol.SkillCandidate:
		if it := rec.touch(protocol.ItemSkill, ev.Skill.CandidateID); !it.started {
			it.started = true
			status := it.skill.Status
			it.skill = ev.Skill
			it.skill.Status = status
		}
	case protocol.SkillResolved:
		rec.touch(protocol.ItemSkill, ev.CandidateID).skill.Status = ev.Decision
	}
}

func (rec *record) toolStart(ev protocol.ToolStart) {
	it := rec.touch(protocol.ItemTool, ev.CallID)
	if it.started {
		return
	}
	it.started = true
	t := &it.tool
	t.Tool, t.Args, t.Job, t.StartedAt = ev.Tool, ev.Args, ev.Job, ev.StartedAt
}

// toolProgress keeps the newest progress and its metrics' history. x is the epoch, or else the
// number of the point, from 1. A tool that has ended stays as it ended.
func (rec *record) toolProgress(ev protocol.ToolProgress) {
	t := &rec.touch(protocol.ItemTool, ev.CallID).tool
	if toolEnded(t.Status) || ev.Progress == nil {
		return
	}
	if t.Tool == "" {
		t.Tool = ev.Tool
	}
	t.Progress = ev.Progress
	for _, m := range ev.Progress.Metrics {
		i := slices.IndexFunc(t.Series, func(s protocol.Series) bool { return s.Name == m.Name })
		if i < 0 {
			i = len(t.Series)
			t.Series = append(t.Series, protocol.Series{Name: m.Name})
		}
		s := &t.Series[i]
		x := float64(len(s.Points) + 1)
		if ev.Progress.Epoch != nil {
			x = *ev.Progress.Epoch
		}
		s.Points = append(s.Points, protocol.Point{x, m.Value})
	}
}

func (rec *record) toolEnd(ev protocol.ToolEnd) {
	t := &rec.touch(protocol.ItemTool, ev.CallID).tool
	if toolEnded(t.Status) {
		return
	}
	t.Status, t.Result, t.Error, t.EndedAt = ev.Status, ev.Result, ev.Error, ev.EndedAt
}

func toolEnded(status string) bool {
	return status != protocol.StatusRunning && status != protocol.StatusCancelling
}

// tool returns the state of a tool call, nil if there is none.
func (rec *record) tool(callID string) *recordItem {
	return rec.index[itemKey{protocol.ItemTool, callID}]
}

// openTools lists the calls that have not ended.
func (rec *record) openTools() []*recordItem {
	var open []*recordItem
	for _, it := range rec.items {
		if it.key.typ == protocol.ItemTool && !toolEnded(it.tool.Status) {
			open = append(open, it)
		}
	}
	return open
}

// growing reports whether some message has begun and not ended.
func (rec *record) growing() bool {
	for _, it := range rec.items {
		if it.key.typ == protocol.ItemMessage && !it.message.Complete {
			return true
		}
	}
	return false
}

// all returns the items as they are now.
func (rec *record) all() []protocol.Item {
	list := make([]protocol.Item, len(rec.items))
	for i, it := range rec.items {
		list[i] = it.item()
	}
	return list
}

// item copies the item, so that it can be encoded while the run goes on.
func (it *recordItem) item() protocol.Item {
	out := protocol.Item{Type: it.key.typ}
	switch it.key.typ {
	case protocol.ItemMessage:
		m := it.message
		m.Text, m.Reasoning = it.text.String(), it.reasoning.String()
		out.Message = &m
	case protocol.ItemPlan:
		p := it.plan
		out.Plan = &p
	case protocol.ItemTool:
		t := it.tool
		t.Series = slices.Clone(t.Series)
		out.Tool = &t
	case protocol.ItemApproval:
		a := it.approval
		out.Approval = &a
	case protocol.ItemSkill:
		s := it.skill
		out.Skill = &s
	}
	return out
}
