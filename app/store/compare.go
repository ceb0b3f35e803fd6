package store

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"

	"igraph-console/app/protocol"
)

// Differs compares what has been folded with the items of a snapshot of the same moment, and
// returns the index of the first item that differs, or -1. Times are not compared: frames need not
// carry them.
func (r *Run) Differs(wire []protocol.Item) int {
	for i, w := range wire {
		if i >= r.Len() {
			return i
		}
		old, it := r.At(i), fromWire(w, 0)
		if it.Key.ID == "" {
			it.Key.ID = old.Key.ID
		}
		if old.Key != it.Key || !sameContent(old, it) {
			return i
		}
	}
	if r.Len() > len(wire) {
		return len(wire)
	}
	return -1
}

func sameContent(a, b *Item) bool {
	switch {
	case a.Message != nil && b.Message != nil:
		return sameMessage(a.Message, b.Message)
	case a.Tool != nil && b.Tool != nil:
		return sameTool(a.Tool, b.Tool)
	case a.Plan != nil && b.Plan != nil:
		return reflect.DeepEqual(a.Plan, b.Plan)
	case a.Approval != nil && b.Approval != nil:
		return sameApproval(a.Approval, b.Approval)
	case a.Skill != nil && b.Skill != nil:
		return *a.Skill == *b.Skill
	}
	return sameJSON(a.Raw, b.Raw)
}

func sameMessage(a, b *Message) bool {
	return a.Format == b.Format && a.Complete == b.Complete && a.Text() == b.Text() && a.Reasoning() == b.Reasoning()
}

func sameTool(a, b *Tool) bool {
	return a.Tool == b.Tool && a.Job == b.Job && a.Status == b.Status &&
		sameJSON(a.Args, b.Args) && sameJSON(a.Result, b.Result) && sameJSON(a.Error, b.Error) &&
		sameProgress(a.Progress, b.Progress) && sameSeries(a.Series(), b.Series())
}

func sameProgress(a, b *protocol.Progress) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameNumber(a.Epoch, b.Epoch) && sameNumber(a.Epochs, b.Epochs) && sameNumber(a.Fraction, b.Fraction) &&
		a.Message == b.Message && sameMetrics(a.Metrics, b.Metrics)
}

func sameNumber(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return near(*a, *b)
}

// near forgives the last digit, which a server may lose on the way through its records.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

func sameMetrics(a, b protocol.Metrics) bool {
	if len(a) != len(b) {
		return false
	}
	byName := make(map[string]float64, len(a))
	for _, m := range a {
		byName[m.Name] = m.Value
	}
	for _, m := range b {
		if v, ok := byName[m.Name]; !ok || !near(v, m.Value) {
			return false
		}
	}
	return true
}

func sameSeries(a, b []protocol.Series) bool {
	if len(a) != len(b) {
		return false
	}
	byName := make(map[string][]protocol.Point, len(a))
	for _, s := range a {
		byName[s.Name] = s.Points
	}
	for _, s := range b {
		points, ok := byName[s.Name]
		if !ok || len(points) != len(s.Points) {
			return false
		}
		for i := range points {
			if !near(points[i][0], s.Points[i][0]) || !near(points[i][1], s.Points[i][1]) {
				return false
			}
		}
	}
	return true
}

func sameApproval(a, b *protocol.Approval) bool {
	return a.Request.RequestID == b.Request.RequestID && a.Request.ToolCallID == b.Request.ToolCallID &&
		a.Request.ToolName == b.Request.ToolName && a.Request.Reason == b.Request.Reason &&
		a.Request.Summary == b.Request.Summary && reflect.DeepEqual(a.Request.Preview, b.Request.Preview) &&
		sameJSON(a.Request.Args, b.Request.Args) && a.Status == b.Status && a.Comment == b.Comment &&
		sameJSON(a.EffectiveArgs, b.EffectiveArgs)
}

// sameJSON compares values as they are written, white space aside.
func sameJSON(a, b protocol.RawJSON) bool {
	if a == b {
		return true
	}
	var ca, cb bytes.Buffer
	if json.Compact(&ca, []byte(a)) != nil || json.Compact(&cb, []byte(b)) != nil {
		return false
	}
	return bytes.Equal(ca.Bytes(), cb.Bytes())
}

// Wire returns the run's items as they would stand in a snapshot.
func Wire(r *Run) []protocol.Item {
	items := make([]protocol.Item, 0, r.Len())
	for i := range r.Len() {
		it := r.At(i)
		w := protocol.Item{Type: it.Key.Type, Plan: it.Plan, Approval: it.Approval, Skill: it.Skill, Raw: it.Raw}
		if m := it.Message; m != nil {
			w.Message = &protocol.Message{MessageID: m.ID, Format: m.Format, Text: m.Text(), Reasoning: m.Reasoning(), Complete: m.Complete}
		}
		if t := it.Tool; t != nil {
			w.Tool = &protocol.Tool{
				Tool: t.Tool, CallID: t.CallID, Args: t.Args, Job: t.Job, Status: t.Status, Progress: t.Progress, Series: t.Series(),
				Result: t.Result, Error: t.Error, StartedAt: t.StartedAt, EndedAt: t.EndedAt,
			}
		}
		items = append(items, w)
	}
	return items
}
