package observe

import (
	"strings"
	"testing"
	"time"
)

func TestReconnectingStartsAtHalfASecondAndDoublesToTen(t *testing.T) {
	want := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second}
	for i, d := range want {
		if got := reconnectDelay(i+1, 0); got != d {
			t.Errorf("try %d waits %v, want %v", i+1, got, d)
		}
		if got := reconnectDelay(i+1, 0.999); got < d || got > 10*time.Second || got > d+d/4 {
			t.Errorf("try %d, with jitter, waits %v", i+1, got)
		}
	}
	if got := reconnectDelay(1<<30, 0.5); got != 10*time.Second {
		t.Errorf("after days it waits %v", got)
	}
}

func TestPollsStartAtASecondAndGrowToFive(t *testing.T) {
	for i, d := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second} {
		if got := pollDelay(i + 1); got != d {
			t.Errorf("poll %d waits %v, want %v", i+1, got, d)
		}
	}
	if pollDelay(0) != time.Second {
		t.Error("a poll counted from nought waits another time")
	}
}

func TestTheLogOfARunIsBounded(t *testing.T) {
	var log Trace
	megabyte := strings.Repeat("x", 1<<20)
	for range 40 {
		log.add(time.Time{}, TraceFrame, megabyte)
	}
	log.add(time.Time{}, TraceNote, "last")
	entries, dropped := log.Entries()
	if len(entries)+dropped != 41 || len(entries) > 33 || entries[len(entries)-1].Text != "last" {
		t.Fatalf("%d entries are kept, %d dropped", len(entries), dropped)
	}
	rev := log.Rev()
	log.add(time.Time{}, TraceFrame, strings.Repeat("x", 40<<20))
	if entries, _ := log.Entries(); len(entries) != 1 || log.Rev() == rev {
		t.Fatal("one huge frame must still be in the log, alone")
	}
	log.reset()
	if entries, dropped := log.Entries(); len(entries) != 0 || dropped != 0 || log.Rev() == rev {
		t.Fatal("a new run's log begins empty")
	}
}
