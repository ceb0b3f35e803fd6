package agent

import (
	"context"

	"github.com/google/uuid"

	"igraph-console/cmd/serve/graphs"
)

// Languages of a turn. Anything else counts as English.
const (
	English = graphs.English
	Chinese = graphs.Chinese
)

// Attachment is a file sent with a turn.
type Attachment struct {
	Name string
	Data []byte
}

// Turn is one request of a person, with what the session holds.
type Turn struct {
	Text        string
	Language    string // English or Chinese
	Format      string // "chat", "report" or "json"; empty is chat
	Reasoning   string // "fast" or "deep"; empty is fast
	Planning    string // "auto", "always" or "off"; empty is auto
	Attachments []Attachment
	Graph       *graphs.Graph // the session's current graph; nil before the first
}

// Agent answers turns. It holds no state of a session and may serve any number
// of runs at once.
type Agent struct {
	// NewID makes the ids of messages, steps, calls and candidates; nil makes
	// random UUIDs.
	NewID func() string
}

// Run answers one turn through out. It returns nil once the turn is answered,
// which includes answers that say what went wrong with a file, a name or a
// decision; the context's error when the run was cancelled; and out's own error
// when out refused to go on.
func (a *Agent) Run(ctx context.Context, turn Turn, out Out) error {
	r := run{
		speaker: speak(turn.Language),
		ctx:     ctx,
		turn:    turn,
		out:     guard{ctx, out},
		newID:   a.NewID,
		g:       turn.Graph,
	}
	if r.newID == nil {
		r.newID = uuid.NewString
	}
	return r.answer()
}
