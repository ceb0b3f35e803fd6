package store

import "igraph-console/app/protocol"

// Block is why sending is off. The zero value: it is not.
type Block string

// The reasons, as the composer shows them.
const (
	BlockNone        Block = ""
	BlockLoading     Block = "loading"
	BlockSubmitting  Block = "submitting"
	BlockRunning     Block = "running"
	BlockApproval    Block = "approval"
	BlockDeciding    Block = "deciding"
	BlockCancelling  Block = "cancelling"
	BlockConfirming  Block = "confirming"
	BlockAttachments Block = "attachments"
)

// Status of a turn that is none of its run's.
const (
	TurnConfirming = "confirming"
	TurnEnded      = "ended" // of a tool: its run ended without a result for it
)

// Status is what the turn shows: where its sending stands, then where its run does. An end is shown
// as such once it is confirmed.
func (t *Turn) Status() string {
	if t.Send != SendAccepted {
		return string(t.Send)
	}
	if t.Run.Ended() {
		if !t.Confirmed {
			return TurnConfirming
		}
		return t.Run.Status
	}
	if t.Cancel == CancelAsked {
		return protocol.StatusCancelling
	}
	return t.Run.Status
}

// Listed is the turn's status in the words of the session list.
func (t *Turn) Listed() string {
	switch status := t.Status(); status {
	case protocol.StatusPaused, protocol.StatusFailed:
		return status
	case protocol.StatusCompleted, protocol.StatusCancelled, string(SendUnsent):
		return protocol.StatusIdle
	}
	return protocol.StatusRunning
}

// Unfinished reports whether the turn's run may still be going on, or its end is not confirmed.
func (t *Turn) Unfinished() bool {
	return t.Send == SendSubmitting || t.Send == SendChecking || t.Send == SendAccepted && !t.Confirmed
}

// Blocked says why a message cannot be sent in a session now.
func (s *State) Blocked(sessionID string) Block {
	session := s.Session(sessionID)
	if sessionID != "" && (session == nil || !session.Loaded) {
		return BlockLoading
	}
	if session != nil {
		if active := session.Active(); active != nil {
			if b := s.blockedByTurn(active); b != BlockNone {
				return b
			}
		}
	}
	composer := s.Composers[sessionID]
	if composer.Creating {
		return BlockSubmitting
	}
	for _, f := range composer.Files {
		if f.State != FileReady {
			return BlockAttachments
		}
	}
	return BlockNone
}

func (s *State) blockedByTurn(t *Turn) Block {
	switch t.Status() {
	case string(SendSubmitting), string(SendChecking):
		if t.Cancel == CancelAsked {
			return BlockCancelling
		}
		return BlockSubmitting
	case protocol.StatusRunning:
		return BlockRunning
	case protocol.StatusCancelling:
		return BlockCancelling
	case TurnConfirming:
		return BlockConfirming
	case protocol.StatusPaused:
		if s.deciding(t.Run) {
			return BlockDeciding
		}
		return BlockApproval
	}
	return BlockNone
}

// Decision is where a person's act on a request of a run stands.
func (s *State) Decision(runID, requestID string) Decision {
	return s.Decisions[ActKey{runID, requestID}]
}

// Job is where the cancellation of a job of a session stands.
func (s *State) Job(sessionID, callID string) JobCancel { return s.Jobs[ActKey{sessionID, callID}] }

// deciding reports whether a decision on the current request is on its way.
func (s *State) deciding(r *Run) bool {
	switch s.Decision(r.ID, r.Current()).State {
	case ActSubmitting, ActChecking, ActAccepted:
		return true
	}
	return false
}

// CanStop reports whether stopping the session's run may be offered.
func (s *State) CanStop(sessionID string) bool {
	session := s.Session(sessionID)
	if !s.Caps.RunCancel || session == nil {
		return false
	}
	t := session.Active()
	return t != nil && t.Unfinished() && !t.Run.Ended()
}

// CanEdit reports whether the latest turn may be edited: where the server can, and once its end is
// confirmed.
func (s *State) CanEdit(sessionID string) bool {
	session := s.Session(sessionID)
	return s.Caps.EditLatest && session != nil && session.Last != nil &&
		session.Last.Send == SendAccepted && session.Last.Confirmed && session.Last.TurnID != ""
}

// ToolStatus is what a tool shows in its run: one still running when its run has ended shows as
// ended without a result.
func ToolStatus(r *Run, t *Tool) string {
	if !t.Ended() && r.Ended() {
		return TurnEnded
	}
	return t.Status
}

// Approval states that are no decision.
const (
	ApprovalPending    = "pending"
	ApprovalWaiting    = "waiting"
	ApprovalSubmitting = "submitting"
	ApprovalChecking   = "checking"
	ApprovalConflict   = "conflict"
)

// ApprovalStatus is what a request shows: how it was decided, or, while it is open, where the
// person's own act stands. Only the current request can be decided; the others wait their turn.
func (s *State) ApprovalStatus(r *Run, requestID, itemStatus string) string {
	if settled := settledAs(itemStatus); settled != "" {
		return settled
	}
	if r.Ended() {
		return StatusCancelledRequest
	}
	switch act := s.Decision(r.ID, requestID); act.State {
	case ActSubmitting:
		return ApprovalSubmitting
	case ActAccepted:
		if act.Truth != "" {
			return settledAs(act.Truth)
		}
		return settledAs(act.Decision)
	case ActChecking, ActUnsure:
		return ApprovalChecking
	case ActConflict:
		return ApprovalConflict
	}
	if r.Current() != requestID {
		return ApprovalWaiting
	}
	return ApprovalPending
}

// StatusCancelledRequest is how a request shows whose run ended before it was decided.
const StatusCancelledRequest = "cancelled"

func settledAs(status string) string {
	switch status {
	case protocol.Approve:
		return "approved"
	case protocol.Reject:
		return "rejected"
	case protocol.Modify:
		return "modified"
	case protocol.StatusExpired, protocol.StatusCancelled:
		return status
	}
	return ""
}
