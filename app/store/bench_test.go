package store_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// frame400 is a frame of 400 bytes at an index.
func frame400(index int) string {
	build := func(text string) string {
		return `{"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":` + strconv.Itoa(index) +
			`,"events":[{"type":"message_delta","message_id":"7f0c2d1e-9a57-4f0b-8a53-1f2c3d4e5f60","delta":"` + text + `"}]}`
	}
	return build(strings.Repeat("x", 400-len(build(""))))
}

// long is a run of n frames. Each brings text; every tenth, an item of its own.
func long(b *testing.B, n int) *store.Run {
	frames := make([]protocol.Frame, n)
	for i := range frames {
		frames[i] = fr(int64(i), txt("word "))
		if i%10 == 9 {
			frames[i] = fr(int64(i), toolStart("c-"+strconv.Itoa(i), "t", `{"n":1}`))
		}
	}
	return apply(b, store.NewRun("s-1", "r-1"), frames...)
}

// BenchmarkFrame is one frame in one transaction, at the end of a run of so many frames: the cost
// must not grow with the run.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{1, 1000, 20000} {
		b.Run(fmt.Sprintf("after-%d", n), func(b *testing.B) {
			s := store.New()
			update(b, s, func(tx *store.Tx) {
				tx.Session("s-1").Loaded = true
				tx.AddTurn("s-1", &store.Turn{Key: "k", Run: long(b, n)})
			})
			s.Subscribe(func() {})
			frame := fr(0, txt("word "))
			b.ReportAllocs()
			for i := int64(n); b.Loop(); i++ {
				frame.Index = i
				_ = s.Update(func(tx *store.Tx) error {
					turn := tx.Turn("s-1", "k")
					turn.Run, _, _ = turn.Run.Apply(frame)
					return nil
				})
			}
		})
	}
}

// BenchmarkDecodeAndFold is what one frame of 400 bytes costs before anything is drawn.
func BenchmarkDecodeAndFold(b *testing.B) {
	data := make([]string, 20000)
	for i := range data {
		data[i] = frame400(i)
	}
	b.SetBytes(400)
	b.ReportAllocs()
	r := store.NewRun("s-1", "r-1")
	for i := 0; b.Loop(); i++ {
		if i%len(data) == 0 {
			r = store.NewRun("s-1", "r-1")
		}
		frame, err := protocol.DecodeFrame(data[i%len(data)])
		if err != nil {
			b.Fatal(err)
		}
		r, _, _ = r.Apply(frame)
	}
}

// BenchmarkRebuild decodes and folds a run of 20,000 frames, as after a refresh, in batches of the
// size in which a browser delivers them.
func BenchmarkRebuild(b *testing.B) {
	data := make([]string, 20000)
	for i := range data {
		data[i] = frame400(i)
	}
	b.SetBytes(int64(400 * len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := store.NewRun("s-1", "r-1")
		for rest := data; len(rest) > 0; {
			n := min(160, len(rest))
			frames := make([]protocol.Frame, n)
			for i := range frames {
				frames[i], _ = protocol.DecodeFrame(rest[i])
			}
			r, _, _ = r.Apply(frames...)
			rest = rest[n:]
		}
		if r.Cursor != int64(len(data)-1) {
			b.Fatal(r.Cursor)
		}
	}
}

// BenchmarkSnapshot replaces a run of 2,000 items by a snapshot in which one item is new.
func BenchmarkSnapshot(b *testing.B) {
	r := long(b, 20000)
	items := append(store.Wire(r), messageItem("new", "x"))
	b.ReportAllocs()
	for b.Loop() {
		if next := r.Restore(protocol.Snapshot{Status: "running", Items: items}); next.Len() != len(items) {
			b.Fatal(next.Len())
		}
	}
}
