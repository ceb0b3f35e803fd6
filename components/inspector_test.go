package components

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"igraph-console/app/observe"
)

func logFrame(index int, types ...string) observe.TraceEntry {
	var events []string
	for _, name := range types {
		events = append(events, `{"type":"`+name+`","message_id":"m","delta":"x"}`)
	}
	return observe.TraceEntry{
		At:   testTime.Add(time.Duration(index) * time.Second),
		Kind: observe.TraceFrame,
		Text: `{"protocol_version":2,"session_id":"s","run_id":"r","event_index":` + itoa(index) + `,"events":[` + strings.Join(events, ",") + `]}`,
	}
}

func TestFrameIsDescribedByItsIndexAndEvents(t *testing.T) {
	got := describeFrame(logFrame(7, "message_delta", "message_delta", "brand_new").Text)
	if want := (frameWords{index: "7", types: "message_delta ×2, brand_new", unknown: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, odd := range []string{"", "{", "null", `{"events":{}}`, `{"events":[1,null,[]]}`} {
		describeFrame(odd) // whatever came must not take the page away
	}
}

func TestTallyGoesOnWithWhatIsNew(t *testing.T) {
	entries := []observe.TraceEntry{{At: testTime, Kind: observe.TraceRun, Text: "r"}, logFrame(1, "message_delta")}
	var sum tally
	sum.take(2, entries, 0)
	entries = append(entries, observe.TraceEntry{At: testTime, Kind: observe.TraceStep, Text: "cut"}, logFrame(5, "odd"))
	sum.take(4, entries, 0)
	if sum.frames != 2 || sum.notes != 1 || sum.unknown != 1 || sum.longest != 4*time.Second || !sum.first.Equal(testTime.Add(time.Second)) {
		t.Errorf("got %+v", sum)
	}
	// The oldest two go, one comes.
	sum.take(5, append(entries[2:], logFrame(6, "message_delta")), 2)
	if sum.frames != 3 || sum.notes != 1 {
		t.Errorf("after entries were dropped: %+v", sum)
	}
}

func TestTallyBeginsAnewWithAnotherRun(t *testing.T) {
	var sum tally
	sum.take(3, []observe.TraceEntry{{Kind: observe.TraceRun}, logFrame(0), logFrame(1)}, 0)
	// Beginning anew counts as one, and so does each of the four entries.
	sum.take(8, []observe.TraceEntry{{Kind: observe.TraceRun}, logFrame(0), logFrame(1), logFrame(2)}, 0)
	if sum.frames != 3 {
		t.Errorf("%d frames, want those of the new run", sum.frames)
	}
}

func TestExportIsOneJSONObjectALine(t *testing.T) {
	text := exportLog([]observe.TraceEntry{
		{At: testTime, Kind: observe.TraceNote, Text: "line\nbreak <b> \u2028"},
		logFrame(1, "message_delta"),
	})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %q", len(lines), text)
	}
	var first struct {
		At         time.Time
		Kind, Text string
	}
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if !first.At.Equal(testTime) || first.Kind != "note" || first.Text != "line\nbreak <b> \u2028" {
		t.Errorf("got %+v", first)
	}
}
