package sim

import (
	"strings"

	"igraph-console/app/protocol"
)

// Reference folds a run's events the plain way: every event rewrites a list of wire items. It
// shares nothing with the client's fold.
type Reference struct {
	Items  []protocol.Item
	Status string
	Error  *protocol.RunError

	started map[string]bool
}

// start reports whether this is the first start of an id. What came before it may have created the
// item already.
func (r *Reference) start(kind, id string) bool {
	if r.started == nil {
		r.started = map[string]bool{}
	}
	again := r.started[kind+id]
	r.started[kind+id] = true
	return !again
}

func (r *Reference) find(kind, id string) *protocol.Item {
	for i := range r.Items {
		if r.Items[i].Type == kind && r.Items[i].ID() == id {
			return &r.Items[i]
		}
	}
	return nil
}

func (r *Reference) at(kind, id string, create func() protocol.Item) *protocol.Item {
	if it := r.find(kind, id); it != nil {
		return it
	}
	it := create()
	it.Type = kind
	r.Items = append(r.Items, it)
	return &r.Items[len(r.Items)-1]
}

func (r *Reference) message(id string) *protocol.Message {
	return r.at(protocol.ItemMessage, id, func() protocol.Item {
		return protocol.Item{Message: &protocol.Message{MessageID: id, Format: protocol.FormatMarkdown}}
	}).Message
}

func (r *Reference) tool(id string) *protocol.Tool {
	return r.at(protocol.ItemTool, id, func() protocol.Item {
		return protocol.Item{Tool: &protocol.Tool{CallID: id, Status: protocol.StatusRunning}}
	}).Tool
}

// Take applies one event.
func (r *Reference) Take(ev protocol.Event) {
	switch ev := ev.(type) {
	case protocol.MessageStart:
		if m := r.message(ev.MessageID); r.start(protocol.ItemMessage, ev.MessageID) {
			m.Format = ev.Format
		}
	case protocol.MessageDelta:
		r.message(ev.MessageID).Text += ev.Delta
	case protocol.ReasoningDelta:
		r.message(ev.MessageID).Reasoning += ev.Delta
	case protocol.MessageEnd:
		r.message(ev.MessageID).Complete = true
	case protocol.PlanUpdate:
		plan := ev.Plan
		r.at(protocol.ItemPlan, plan.PlanID, func() protocol.Item { return protocol.Item{} }).Plan = &plan
	case protocol.ToolStart:
		if t := r.tool(ev.CallID); r.start(protocol.ItemTool, ev.CallID) {
			t.Tool, t.Args, t.Job = ev.Tool, ev.Args, ev.Job
		}
	case protocol.ToolProgress:
		r.progress(ev)
	case protocol.ToolEnd:
		if t := r.tool(ev.CallID); t.Status == protocol.StatusRunning {
			t.Status, t.Result, t.Error = ev.Status, ev.Result, ev.Error
		}
	case protocol.ApprovalRequired:
		if r.find(protocol.ItemApproval, ev.Request.RequestID) != nil {
			return
		}
		r.approval(ev.Request).Status = protocol.StatusPending
		r.turnTo(protocol.StatusPaused)
	case protocol.ApprovalResolved:
		a := r.approval(protocol.PausedRequest{RequestID: ev.RequestID})
		a.Status, a.Comment, a.EffectiveArgs = ev.Decision, ev.Comment, ev.EffectiveArgs
		if len(r.Pending()) == 0 && r.Status == protocol.StatusPaused {
			r.turnTo(protocol.StatusRunning)
		}
	case protocol.SkillCandidate:
		skill := ev.Skill
		r.at(protocol.ItemSkill, skill.CandidateID, func() protocol.Item { return protocol.Item{Skill: &skill} })
	case protocol.SkillResolved:
		r.at(protocol.ItemSkill, ev.CandidateID, func() protocol.Item {
			return protocol.Item{Skill: &protocol.Skill{CandidateID: ev.CandidateID}}
		}).Skill.Status = ev.Decision
	case protocol.RunStatus:
		r.turnTo(ev.Status)
	case protocol.RunEnd:
		if !protocol.Terminal(r.Status) {
			r.Status, r.Error = ev.Status, ev.Error
		}
	}
}

func (r *Reference) approval(request protocol.PausedRequest) *protocol.Approval {
	return r.at(protocol.ItemApproval, request.RequestID, func() protocol.Item {
		return protocol.Item{Approval: &protocol.Approval{Request: request}}
	}).Approval
}

// turnTo changes the status of a run that has not ended.
func (r *Reference) turnTo(status string) {
	if !protocol.Terminal(r.Status) {
		r.Status = status
	}
}

func (r *Reference) progress(ev protocol.ToolProgress) {
	t := r.tool(ev.CallID)
	if t.Tool == "" {
		t.Tool = ev.Tool
	}
	if t.Status != protocol.StatusRunning || ev.Progress == nil {
		return
	}
	t.Progress = ev.Progress
	for _, m := range ev.Progress.Metrics {
		var series *protocol.Series
		for i := range t.Series {
			if t.Series[i].Name == m.Name {
				series = &t.Series[i]
			}
		}
		if series == nil {
			t.Series = append(t.Series, protocol.Series{Name: m.Name})
			series = &t.Series[len(t.Series)-1]
		}
		x := float64(len(series.Points) + 1)
		if ev.Progress.Epoch != nil {
			x = *ev.Progress.Epoch
		}
		series.Points = append(series.Points, protocol.Point{x, m.Value})
	}
}

// Pending returns the undecided requests, oldest first.
func (r *Reference) Pending() (list []*protocol.PausedRequest) {
	for i := range r.Items {
		if a := r.Items[i].Approval; a != nil && a.Status == protocol.StatusPending {
			list = append(list, &a.Request)
		}
	}
	return list
}

// Copy returns an independent copy of the items.
func (r *Reference) Copy() []protocol.Item {
	items := make([]protocol.Item, len(r.Items))
	for i, it := range r.Items {
		items[i] = it
		switch {
		case it.Message != nil:
			v := *it.Message
			items[i].Message = &v
		case it.Plan != nil:
			v := *it.Plan
			items[i].Plan = &v
		case it.Tool != nil:
			v := *it.Tool
			v.Series = nil
			for _, s := range it.Tool.Series {
				v.Series = append(v.Series, protocol.Series{Name: s.Name, Points: append([]protocol.Point(nil), s.Points...)})
			}
			items[i].Tool = &v
		case it.Approval != nil:
			v := *it.Approval
			items[i].Approval = &v
		case it.Skill != nil:
			v := *it.Skill
			items[i].Skill = &v
		}
	}
	return items
}

// Print writes items so that two lists are equal exactly if their prints are.
func Print(items []protocol.Item) string {
	var b strings.Builder
	for _, it := range items {
		text, err := it.MarshalJSON()
		if err != nil {
			b.WriteString(err.Error())
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}
