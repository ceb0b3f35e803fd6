package store

import (
	"strconv"

	"igraph-console/app/protocol"
)

// Restore returns the run with its items replaced by a complete snapshot. From then on the run is
// in snapshot mode: its cursor means nothing any more.
func (r *Run) Restore(s protocol.Snapshot) *Run {
	next := r.withItems(s.Items)
	next.Snapshot = true
	next.Status, next.Error = s.Status, s.Error
	next.Waiting = s.PausedRequest
	if s.ResponseLanguage != "" {
		next.Lang = s.ResponseLanguage
	}
	if s.OutputFormat != "" {
		next.Format = s.OutputFormat
	}
	return next
}

// Heal returns the run with its items replaced by those of its final snapshot, without changing how
// it is observed: it has ended, nothing more will be applied.
func (r *Run) Heal(items []protocol.Item) *Run { return r.withItems(items) }

// Saved returns a run that shows what a saved turn holds. Its cursor is -1: the items came from the
// server's records, not from frames.
func Saved(sessionID string, t protocol.Turn) *Run {
	r := NewRun(sessionID, t.RunID).withItems(t.Items)
	r.TurnID = t.TurnID
	r.Error = t.Error
	r.Lang, r.Format = t.ResponseLanguage, t.OutputFormat
	if t.Status != "" {
		r.Status = t.Status
	}
	return r
}

// withItems replaces the items, keeping the revision of those that are the same, so that nothing
// renders again that did not change.
func (r *Run) withItems(wire []protocol.Item) *Run {
	next := *r
	next.Rev = NextRev()
	next.items = itemList{}
	next.Pending = nil
	for _, w := range wire {
		it := fromWire(w, next.Rev)
		if it.Key.ID == "" {
			it.Key.ID = "#" + strconv.Itoa(next.items.n)
		}
		if _, twice := next.items.find(it.Key); twice {
			continue
		}
		if old := r.sameItem(next.items.n, it); old != nil {
			it = old
		}
		next.items.put(next.Rev, it)
		if it.Approval != nil && it.Approval.Status == protocol.StatusPending {
			next.Pending = append(next.Pending, it.Approval.Request.RequestID)
		}
	}
	return &next
}

func (r *Run) sameItem(i int, it *Item) *Item {
	if i >= r.Len() {
		return nil
	}
	if old := r.At(i); old.Key == it.Key && sameContent(old, it) {
		return old
	}
	return nil
}

func fromWire(w protocol.Item, rev uint64) *Item {
	it := &Item{Key: ItemKey{w.Type, w.ID()}, Rev: rev, Plan: w.Plan, Approval: w.Approval, Skill: w.Skill, Raw: w.Raw}
	if w.Message != nil {
		m := w.Message
		it.Message = &Message{
			ID: m.MessageID, Format: m.Format, Complete: m.Complete,
			started: true, text: newText(m.Text), reasoning: newText(m.Reasoning),
		}
	}
	if w.Tool != nil {
		it.Tool = toolFromWire(w.Tool)
	}
	return it
}

func toolFromWire(w *protocol.Tool) *Tool {
	t := &Tool{
		Tool: w.Tool, CallID: w.CallID, Args: w.Args, Job: w.Job, Status: w.Status, Progress: w.Progress,
		Result: w.Result, Error: w.Error, StartedAt: w.StartedAt, EndedAt: w.EndedAt, started: true,
	}
	for _, s := range w.Series {
		t.series = append(t.series, metric{name: s.Name, points: newList(s.Points)})
	}
	return t
}

// Resaved returns the run brought up to what the server has saved of it.
func (r *Run) Resaved(t protocol.Turn) *Run {
	next := r.withItems(t.Items)
	next.TurnID, next.Error = t.TurnID, t.Error
	if t.Status != "" {
		next.Status = t.Status
	}
	next.Waiting = nil
	return next
}

// Rebuilt returns the shadow as the run's next version, keeping what is the same.
func (r *Run) Rebuilt(shadow *Run) *Run {
	next := *shadow
	next.Rev = NextRev()
	next.items = itemList{}
	for i := range shadow.Len() {
		it := shadow.At(i)
		if old := r.sameItem(i, it); old != nil {
			kept := *it
			kept.Rev = old.Rev
			it = &kept
		}
		next.items.put(next.Rev, it)
	}
	next.Waiting = r.Waiting
	if next.Ended() || next.Status == protocol.StatusRunning {
		next.Waiting = nil
	}
	if next.Lang == "" {
		next.Lang = r.Lang
	}
	if next.Format == "" {
		next.Format = r.Format
	}
	return &next
}

// InSnapshotMode returns the run as one that only snapshots change from now on.
func (r *Run) InSnapshotMode() *Run {
	next := *r
	next.Snapshot = true
	next.Rev = NextRev()
	return &next
}

// WithStatus returns the run with this status.
func (r *Run) WithStatus(status string, e *protocol.RunError) *Run {
	if r.Status == status && (e == nil || r.Error != nil && *r.Error == *e) {
		return r
	}
	next := *r
	next.Status = status
	if e != nil {
		next.Error = e
	}
	next.Rev = NextRev()
	return &next
}

// Reconcile returns the run with what control says about its requests. A reading older than the
// last frame is not listened to.
func (r *Run) Reconcile(c protocol.Control) *Run {
	if r.Ended() || !r.Snapshot && c.LastEventIndex < r.Cursor {
		return r
	}
	next := *r
	f := fold{run: &next, rev: NextRev()}
	if d := c.LastDecision; d != nil {
		f.decided(d)
	}
	next.Waiting = c.PausedRequest
	switch {
	case next.Waiting != nil:
		next.Status = protocol.StatusPaused
	case c.Status != protocol.StatusPaused:
		f.unpause(c.Status)
	}
	next.Rev = f.rev
	return &next
}

// unpause takes every request off those that wait: control knows of none, and it knows more than
// the frames so far. How each was decided comes with its frame.
func (f *fold) unpause(status string) {
	f.run.Pending = nil
	if f.run.Status == protocol.StatusPaused && !protocol.Terminal(status) {
		f.run.Status = status
	}
}

// decided takes a decision that control tells of before its frame has come.
func (f *fold) decided(d *protocol.LastDecision) {
	i, ok := f.run.items.find(ItemKey{protocol.ItemApproval, d.RequestID})
	if !ok || f.run.items.at(i).Approval.Status != protocol.StatusPending {
		return
	}
	a := f.run.items.own(f.rev, i).Approval
	a.Status, a.Comment = d.Decision, d.Comment
	f.settle(d.RequestID)
}
