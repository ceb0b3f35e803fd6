package act

import (
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// longAbsence is how long the page must not have been looked at for the way back to be marked. A
// refresh counts as an absence of any length.
const longAbsence = time.Minute

// seenRecord is where the reader was in a session when they last looked.
type seenRecord struct {
	Turn  string    `json:"turn"`  // key of the last turn
	Items int       `json:"items"` // of its run
	Open  []string  `json:"open"`  // tools that had not ended
	At    time.Time `json:"at"`
}

func seenName(sid string) string { return "seen/" + sid }

// MarkSeen keeps where the reader is in the session on screen. It is called when the page is left
// or hidden, and now and then while it is looked at.
func (a *Acts) MarkSeen() {
	state := a.Store.State()
	session := state.Session(state.Current)
	if session == nil || !session.Loaded || session.Last == nil || a.arriving[session.ID] {
		return
	}
	last := session.Last
	record := seenRecord{Turn: last.Key, Items: last.Run.Len(), At: a.Client.Clock.Now()}
	for i := range last.Run.Len() {
		if t := last.Run.At(i).Tool; t != nil && !t.Ended() {
			record.Open = append(record.Open, t.CallID)
		}
	}
	keep(a.Local, seenName(session.ID), record)
}

// Back is called when the page is looked at again after it was hidden.
func (a *Acts) Back() {
	state := a.Store.State()
	session := state.Session(state.Current)
	if session == nil {
		return
	}
	record, ok := recall[seenRecord](a.Local, seenName(session.ID))
	if ok && a.Client.Clock.Now().Sub(record.At) >= longAbsence {
		a.markAway(session, record)
	}
	a.MarkSeen()
}

// arrive marks the way back in a session that this page shows for the first time, once it is up to
// date: read, and rebuilt if a run goes on.
func (a *Acts) arrive(session *store.Session) {
	if !a.arriving[session.ID] {
		return
	}
	if active := session.Active(); active != nil && !active.Confirmed && active.Run.Cursor < 0 && !active.Run.Snapshot {
		return // the rebuild is still to come
	}
	delete(a.arriving, session.ID)
	if record, ok := recall[seenRecord](a.Local, seenName(session.ID)); ok {
		a.markAway(session, record)
	}
	a.MarkSeen()
}

func (a *Acts) markAway(session *store.Session, record seenRecord) {
	away := since(session, record)
	if away.Items == 0 && away.Jobs == 0 && away.Tools == 0 {
		return
	}
	a.update(func(tx *store.Tx) { tx.Session(session.ID).Away = &away })
}

// since counts what has come after the reader left.
func since(session *store.Session, record seenRecord) (away store.Away) {
	open := map[string]bool{}
	for _, id := range record.Open {
		open[id] = true
	}
	left := false // whether the turn the reader had left has been passed
	for i := range session.Turns() {
		t := session.Turn(i)
		from := 0
		switch {
		case t.Key == record.Turn:
			left = true
			from = record.Items
		case !left:
			continue
		}
		for j := range t.Run.Len() {
			it := t.Run.At(j)
			if j >= from {
				if away.Items == 0 {
					away.Turn = t.Key
					if j > 0 {
						away.FirstKey = it.Key
					}
				}
				away.Items++
			}
			count(&away, it, j >= from || it.Tool != nil && open[it.Tool.CallID])
		}
	}
	return away
}

func count(away *store.Away, it *store.Item, fresh bool) {
	switch {
	case it.Tool != nil && fresh && it.Tool.Ended():
		if it.Tool.Job {
			note(&away.Jobs, &away.JobID, it.Tool.CallID)
		} else {
			note(&away.Tools, &away.ToolID, it.Tool.CallID)
		}
	case it.Approval != nil && it.Approval.Status == protocol.StatusPending:
		note(&away.Approvals, &away.ApprovalID, it.Approval.Request.RequestID)
	}
}

func note(n *int, first *string, id string) {
	if *n == 0 {
		*first = id
	}
	*n++
}
