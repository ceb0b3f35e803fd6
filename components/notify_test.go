package components

import (
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

func listing(statuses ...string) *store.State {
	s := &store.State{}
	for i, status := range statuses {
		s.Sessions.Rows = append(s.Sessions.Rows, protocol.SessionInfo{SessionID: string(rune('a' + i)), Status: status})
	}
	return s
}

func TestOnlySessionsThatBeganToWaitAreToldOf(t *testing.T) {
	before := listing(protocol.StatusPaused, protocol.StatusRunning, protocol.StatusIdle)
	now := listing(protocol.StatusPaused, protocol.StatusPaused, protocol.StatusIdle, protocol.StatusPaused)
	rows := newlyWaiting(before, now)
	if len(rows) != 2 || rows[0].SessionID != "b" || rows[1].SessionID != "d" {
		t.Errorf("told of %v", rows)
	}
	if rows := newlyWaiting(now, now); len(rows) != 0 {
		t.Errorf("told again of %v", rows)
	}
}
