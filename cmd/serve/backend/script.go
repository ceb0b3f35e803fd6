package backend

import (
	"context"
	"encoding/json"
	"fmt"

	"igraph-console/app/protocol"
)

// Script performs a run in the agent's place: it sends exactly the events it wants. It returns when
// the run is over; without a run_end of its own the run then ends as the error says.
type Script func(ctx context.Context, stage *Stage) error

// Stage is what a Script plays on.
type Stage struct {
	run *run
	end *ending
}

// perform plays a script.
func (s Script) perform(r *run) func(context.Context) (*ending, error) {
	return func(ctx context.Context) (*ending, error) {
		stage := &Stage{run: r}
		err := s(ctx, stage)
		return stage.end, err
	}
}

// RunID is the id of the run.
func (st *Stage) RunID() string { return st.run.id }

// TurnID is the id of the turn.
func (st *Stage) TurnID() string { return st.run.turnID }

// Start sends the run_started event that every run begins with.
func (st *Stage) Start() error { return st.run.sendStarted() }

// Emit sends one frame of events, as they are written. index nil takes the next index. A frame with
// run_end ends the run: the script has to return after it.
func (st *Stage) Emit(index *int64, events []json.RawMessage) error {
	for _, ev := range decodeEvents(events) {
		end, is := ev.(protocol.RunEnd)
		if !is {
			continue
		}
		st.end = &ending{status: end.Status, err: end.Error, events: events}
		if index != nil {
			st.end.index = *index
		}
		return nil
	}
	return st.run.emitRaw(index, events)
}

// Announce sends events without an index.
func (st *Stage) Announce(events []json.RawMessage) error { return st.run.announce(events) }

// Ended reports whether a run_end was given.
func (st *Stage) Ended() bool { return st.end != nil }

// AwaitDecision waits until a request is settled; without an id until none waits any more.
func (st *Stage) AwaitDecision(ctx context.Context, requestID string) error {
	if requestID != "" {
		_, err := st.run.awaitDecision(ctx, requestID)
		return err
	}
	for {
		current := st.run.control().PausedRequest
		if current == nil {
			return ctx.Err()
		}
		if _, err := st.run.awaitDecision(ctx, current.RequestID); err != nil {
			return fmt.Errorf("wait for a decision: %w", err)
		}
	}
}

// Process is a context that ends with the process, and not when the run is cancelled.
func (st *Stage) Process() context.Context { return st.run.proc.ctx }
