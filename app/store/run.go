package store

import (
	"sync/atomic"
	"time"

	"igraph-console/app/protocol"
)

var revisions atomic.Uint64

// NextRev returns a number that no version has carried before.
func NextRev() uint64 { return revisions.Add(1) }

// Run is what is visible of one run, and the cursor up to which it is. It is immutable: Apply and
// Restore return a new one.
type Run struct {
	SessionID string
	ID        string
	TurnID    string
	Status    string // running, paused, cancelling, completed, failed or cancelled
	Error     *protocol.RunError
	Cursor    int64 // index of the last frame that was applied whole; -1 before the first
	Snapshot  bool  // restored from a snapshot: no raw frame of this run is applied any more
	Lang      string
	Format    string
	StartedAt time.Time
	EndedAt   time.Time
	Pending   []string                // undecided requests, oldest first
	Waiting   *protocol.PausedRequest // the current request as the server names it, if it did
	Rev       uint64

	started bool // run_started has come
	items   itemList
}

// NewRun returns a run of which nothing has been applied yet.
func NewRun(sessionID, runID string) *Run {
	return &Run{SessionID: sessionID, ID: runID, Status: protocol.StatusRunning, Cursor: -1, Rev: NextRev()}
}

// Ended reports whether the run has ended for the observer.
func (r *Run) Ended() bool { return protocol.Terminal(r.Status) }

// Len is the number of items.
func (r *Run) Len() int { return r.items.n }

// At returns item i.
func (r *Run) At(i int) *Item { return r.items.at(i) }

// Pages is the number of pages the items are grouped in, for components that render by page.
func (r *Run) Pages() int { return len(r.items.pages) }

// Page returns the items of page i and its revision.
func (r *Run) Page(i int) ([]*Item, uint64) { return r.items.pages[i].items, r.items.pages[i].rev }

// Item returns the item with this key, or nil.
func (r *Run) Item(key ItemKey) *Item {
	for i := r.Len() - 1; i >= 0; i-- {
		if it := r.At(i); it.Key == key {
			return it
		}
	}
	return nil
}

// Current names the request that can be decided now; empty if there is none. What the server names
// wins over the items.
func (r *Run) Current() string {
	if r.Ended() {
		return ""
	}
	if r.Waiting != nil {
		return r.Waiting.RequestID
	}
	if len(r.Pending) > 0 {
		return r.Pending[0]
	}
	return ""
}

// Request returns a pending request by id: as the server named it last, else from its item.
func (r *Run) Request(id string) (protocol.PausedRequest, bool) {
	if r.Waiting != nil && r.Waiting.RequestID == id {
		return *r.Waiting, true
	}
	if it := r.Item(ItemKey{protocol.ItemApproval, id}); it != nil && it.Approval.Status == protocol.StatusPending {
		return it.Approval.Request, true
	}
	return protocol.PausedRequest{}, false
}
