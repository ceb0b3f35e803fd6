package components

import (
	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// skillCount counts the skill candidates that wait for a decision in the opened sessions. It looks
// through finished turns only when they have changed, and through the newest turn every time.
type skillCount struct {
	past map[string]pastSkills // by session id
}

type pastSkills struct {
	turns   []*store.Turn
	pending []string // candidate ids
}

// of counts the candidates of a state, and names a session that has one.
func (c *skillCount) of(s *store.State) (n int, sid string) {
	for _, session := range s.Opened() {
		ids := c.pastOf(session)
		if session.Last != nil {
			ids = append(ids[:len(ids):len(ids)], offered(session.Last)...)
		}
		for _, id := range ids {
			if state := s.Skills[id].State; state == "" || state == store.ActOpen {
				n, sid = n+1, session.ID
			}
		}
	}
	return n, sid
}

func (c *skillCount) pastOf(s *store.Session) []string {
	known := c.past[s.ID]
	if sameSlice(known.turns, s.Past) {
		return known.pending
	}
	known = pastSkills{turns: s.Past}
	for _, turn := range s.Past {
		known.pending = append(known.pending, offered(turn)...)
	}
	if c.past == nil {
		c.past = map[string]pastSkills{}
	}
	c.past[s.ID] = known
	return known.pending
}

// sameSlice reports whether two slices are one and the same. A slice of a state never changes.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func offered(t *store.Turn) (ids []string) {
	for i := range t.Run.Len() {
		if skill := t.Run.At(i).Skill; skill != nil && skill.Status == protocol.StatusPending {
			ids = append(ids, skill.CandidateID)
		}
	}
	return ids
}
