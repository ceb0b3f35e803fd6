package store

// Opened returns the sessions that have been opened in this page, in no order that means anything.
// The slice belongs to the state: it must not be changed.
func (s *State) Opened() []*Session { return s.open }
