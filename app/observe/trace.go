package observe

import (
	"time"
)

// Kinds of trace entries. A frame's Text is its JSON as it came; a note's says what was learned, a
// step's what was done to recover.
const (
	TraceFrame = "frame"
	TraceNote  = "note"
	TraceStep  = "step"
	TraceRun   = "run"
)

// TraceEntry is one line of a run's log, and of the file that the inspector exports.
type TraceEntry struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"`
	Text string    `json:"text"`
}

// traceBytes bounds the log of a run. Beyond it the oldest entries go, and Dropped counts them.
const traceBytes = 32 << 20

// Trace is the log of the run being watched: every frame as it came and every step of recovery, so
// that what a person saw can be folded again elsewhere.
type Trace struct {
	entries []TraceEntry
	bytes   int
	dropped int
	rev     uint64
}

// Entries returns the log, oldest first, and how many entries were dropped before it.
func (t *Trace) Entries() (entries []TraceEntry, dropped int) { return t.entries, t.dropped }

// Rev changes with every entry.
func (t *Trace) Rev() uint64 { return t.rev }

func (t *Trace) reset() { *t = Trace{rev: t.rev + 1} }

func (t *Trace) add(at time.Time, kind, text string) {
	t.entries = append(t.entries, TraceEntry{At: at, Kind: kind, Text: text})
	t.bytes += len(text)
	t.rev++
	for t.bytes > traceBytes && len(t.entries) > 1 {
		t.bytes -= len(t.entries[0].Text)
		t.entries = t.entries[1:]
		t.dropped++
	}
}
