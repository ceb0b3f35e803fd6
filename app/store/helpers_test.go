package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
)

// fr is a data frame of run r-1 in session s-1; a negative index stands for none.
func fr(index int64, events ...string) protocol.Frame {
	at := "null"
	if index >= 0 {
		at = fmt.Sprint(index)
	}
	f, err := protocol.DecodeFrame(`{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":` + at + `,"events":[` + strings.Join(events, ",") + `]}`)
	if err != nil {
		panic(err)
	}
	return f
}

func txt(delta string) string { return txtOf("a-1", delta) }
func think(delta string) string {
	return strings.Replace(txt(delta), "message_delta", "reasoning_delta", 1)
}
func status(s string) string     { return fmt.Sprintf(`{"type":"run_status","status":%q}`, s) }
func end(s string) string        { return fmt.Sprintf(`{"type":"run_end","status":%q}`, s) }
func start(format string) string { return startOf("a-1", format) }
func txtOf(id, delta string) string {
	quoted, _ := json.Marshal(delta)
	return fmt.Sprintf(`{"type":"message_delta","message_id":%q,"delta":%s}`, id, quoted)
}
func startOf(id, format string) string {
	return fmt.Sprintf(`{"type":"message_start","message_id":%q,"format":%q}`, id, format)
}
func toolStart(id, name, args string) string {
	return fmt.Sprintf(`{"type":"tool_start","tool":%q,"call_id":%q,"args":%s}`, name, id, args)
}
func toolEnd(id, result string) string {
	return fmt.Sprintf(`{"type":"tool_end","call_id":%q,"status":"succeeded","result":%s}`, id, result)
}
func progress(id, value string) string {
	return fmt.Sprintf(`{"type":"tool_progress","tool":"train","call_id":%q,"progress":%s}`, id, value)
}
func ask(id, name, args string) string {
	return fmt.Sprintf(`{"type":"approval_required","request":{"request_id":%q,"tool_name":%q,"args":%s}}`, id, name, args)
}
func asked(id, verdict string) string {
	return fmt.Sprintf(`{"type":"approval_resolved","request_id":%q,"decision":%q}`, id, verdict)
}
func plan(id string, statuses ...string) string {
	var steps []string
	for i, s := range statuses {
		steps = append(steps, fmt.Sprintf(`{"step_id":"%d","title":"t","status":%q}`, i, s))
	}
	return fmt.Sprintf(`{"type":"plan_update","plan_id":%q,"steps":[%s]}`, id, strings.Join(steps, ","))
}

const messageEnd = `{"type":"message_end","message_id":"a-1"}`

// apply folds frames into a run, which must take them all.
func apply(t testing.TB, r *store.Run, frames ...protocol.Frame) *store.Run {
	t.Helper()
	next, n, err := r.Apply(frames...)
	if err != nil || n != len(frames) {
		t.Fatalf("applied %d of %d frames: %v", n, len(frames), err)
	}
	return next
}

// folded is a new run with these frames applied.
func folded(t testing.TB, frames ...protocol.Frame) *store.Run {
	t.Helper()
	return apply(t, store.NewRun("s-1", "r-1"), frames...)
}

// shown prints all that a run shows, so that two runs show the same exactly if their prints are
// equal.
func shown(r *store.Run) string {
	return fmt.Sprintf("%s %v %d pending %v current %q\n%s", r.Status, r.Error, r.Cursor, r.Pending, r.Current(), sim.Print(store.Wire(r)))
}

// bomb is an event that the fold has no rule for, which makes it panic.
type bomb struct{ protocol.Unknown }

func bombAt(index int64, before ...string) protocol.Frame {
	f := fr(index, before...)
	f.Events = append(f.Events, bomb{})
	return f
}
