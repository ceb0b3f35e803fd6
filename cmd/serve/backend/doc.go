// Package backend is the embedded reference backend: the whole API of the console's protocol over
// the rule-based agent, with sessions, turns and saved items in SQLite.
//
// A run goes on with nobody watching. Its events stand in a bounded buffer in memory, from which
// any number of observers read at their own speed; its items are saved as it goes. A restart loses
// the buffers and keeps what was saved: a run that was going on then ends as failed with the code
// INTERRUPTED.
//
// # When a snapshot is complete
//
// A snapshot always shows the run as it is now. It is complete when every message in it is whole:
// while the run is paused, after its end, and between messages (during planning and tools, whose
// running state and progress are whole facts). While a message grows the snapshot is incomplete, so
// that half an answer is never taken for the answer. An older phase is never served in place of the
// present one: it could take away what an observer has already shown.
//
// # Order of an end
//
// The terminal state is saved first, then run_end is sent, then execution_stopped,
// terminal_persisted and can_send become true, in this order and normally at once. If saving fails
// it is tried again until it succeeds, and until then the run has not ended.
package backend
