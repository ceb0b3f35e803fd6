package observe

import (
	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// mergeDetail brings a session up to what the server has of it, in one transaction. What this page
// already shows of a run that it has folded itself is kept: the server's saved items of an
// unfinished run may be older. What the person has sent and the server does not know stays too.
func mergeDetail(tx *store.Tx, sid string, d protocol.SessionDetail) {
	session := tx.Session(sid)
	var turns []*store.Turn
	seen := map[string]bool{}
	for _, saved := range d.Turns {
		local := localTurn(session, saved)
		turn := mergeTurn(sid, local, saved, d.ActiveRun)
		turns = append(turns, turn)
		seen[turn.Key] = true
	}
	for i := range session.Turns() {
		local := session.Turn(i)
		if seen[local.Key] {
			continue
		}
		if local.Send != store.SendAccepted {
			turns = append(turns, local)
		} else if i == session.Turns()-1 && d.ActiveRun == nil && !local.Confirmed {
			turns = append(turns, lost(local))
		}
	}
	tx.SetTurns(sid, turns)
	session.Loaded, session.LoadErr = true, nil
	session.Title, session.Updated = d.Session.Title, d.Session.UpdatedAt
	tx.SetRow(d.Session)
}

func localTurn(s *store.Session, saved protocol.Turn) *store.Turn {
	for i := s.Turns() - 1; i >= 0; i-- {
		t := s.Turn(i)
		if saved.StartRequestID != "" && t.StartRequestID == saved.StartRequestID ||
			saved.TurnID != "" && t.TurnID == saved.TurnID {
			return t
		}
	}
	return nil
}

// mergeTurn makes the turn to show of what is saved and what is here.
func mergeTurn(sid string, local *store.Turn, saved protocol.Turn, active *protocol.Control) *store.Turn {
	isActive := active != nil && active.RunID == saved.RunID
	if local != nil && unchanged(local, saved, isActive) {
		return local
	}
	turn := &store.Turn{Key: saved.StartRequestID}
	if turn.Key == "" {
		turn.Key = saved.TurnID
	}
	if local != nil {
		*turn = *local
	}
	turn.Rev = store.NextRev()
	turn.TurnID, turn.StartRequestID = saved.TurnID, saved.StartRequestID
	turn.User = saved.User
	turn.Lang, turn.Format, turn.CreatedAt = saved.ResponseLanguage, saved.OutputFormat, saved.CreatedAt
	turn.Send, turn.SendErr = store.SendAccepted, nil
	turn.Run = mergeRun(sid, local, saved, isActive)
	if isActive {
		turn.Confirmed, turn.Stopped, turn.Persisted = false, active.ExecutionStopped, active.TerminalPersisted
		if !turn.Run.Ended() && turn.Run.Cursor < 0 {
			turn.Run = turn.Run.WithStatus(active.Status, active.Error)
		}
		return turn
	}
	turn.Confirmed, turn.Stopped, turn.Persisted = true, true, true
	turn.Cancel, turn.Unconfirmed = store.CancelNone, false
	if !turn.Run.Ended() {
		turn.Run = interrupted(turn.Run)
	}
	return turn
}

// unchanged reports whether nothing of a settled turn needs to be touched, which keeps a long
// history from rendering again.
func unchanged(local *store.Turn, saved protocol.Turn, isActive bool) bool {
	return !isActive && local.Confirmed && local.Send == store.SendAccepted && local.TurnID == saved.TurnID &&
		local.Run.ID == saved.RunID && local.Run.Status == saved.Status && local.Run.Differs(saved.Items) < 0
}

func mergeRun(sid string, local *store.Turn, saved protocol.Turn, isActive bool) *store.Run {
	if local == nil || local.Run.ID != saved.RunID {
		return store.Saved(sid, saved)
	}
	folded := local.Run.Cursor >= 0 || local.Run.Snapshot
	if isActive && folded {
		return local.Run
	}
	if isActive && local.Run.Len() > len(saved.Items) {
		return local.Run
	}
	return local.Run.Resaved(saved)
}

// interrupted marks a run that the server no longer runs and of which no end is recorded.
func interrupted(r *store.Run) *store.Run {
	e := r.Error
	if e == nil {
		e = &protocol.RunError{Code: protocol.CodeInterrupted}
	}
	return r.WithStatus(protocol.StatusFailed, e)
}

// lost marks a turn that was accepted and that the server no longer knows.
func lost(t *store.Turn) *store.Turn {
	gone := *t
	gone.Rev = store.NextRev()
	gone.Confirmed, gone.Stopped, gone.Persisted = true, true, true
	gone.Cancel, gone.Unconfirmed = store.CancelNone, false
	if !gone.Run.Ended() {
		gone.Run = gone.Run.WithStatus(protocol.StatusFailed, &protocol.RunError{Code: protocol.CodeRunNotFound})
	}
	return &gone
}
