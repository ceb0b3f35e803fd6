package components

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// redrawn draws the shell again for every new Rev, as a dispatch on the shell does in the browser.
type redrawn struct {
	app.Compo

	Shell *Shell
	Rev   uint64
}

func (r *redrawn) Render() app.UI { return r.Shell.Render() }

// BenchmarkFrame is one streamed frame, from its fold to the comparison of the whole page with what
// was drawn before (the browser's part left out). It must not grow with the history, nor with the
// answer.
func BenchmarkFrame(b *testing.B) {
	for _, c := range []struct {
		name          string
		turns, length int
	}{
		{"25 turns, 1 kB", 25, 1 << 10},
		{"25 turns, 64 kB", 25, 1 << 16},
		{"500 turns, 1 kB", 500, 1 << 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := longPage(b, c.turns, c.length)
			shell := &Shell{P: p}
			engine := app.NewTestEngine()
			draw := func() {
				p.freeze()
				if err := engine.Load(&redrawn{Shell: shell, Rev: p.State().Rev}); err != nil {
					b.Fatal(err)
				}
			}
			draw()
			delta := decoded(b, `{"type":"message_delta","message_id":"m","delta":"word "}`)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				stream(b, p, delta)
				draw()
			}
		})
	}
}

func decoded(t testing.TB, event string) protocol.Frame {
	frame, err := protocol.DecodeFrame(`{"protocol_version":2,"session_id":"s","run_id":"r-1","event_index":0,"events":[` + event + `]}`)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// stream folds one more frame with the same events into the newest turn.
func stream(t testing.TB, p *Page, frame protocol.Frame) {
	err := p.Store.Update(func(tx *store.Tx) error {
		turn := tx.LastTurn("s")
		frame.Index = turn.Run.Cursor + 1
		next, _, err := turn.Run.Apply(frame)
		turn.Run = next
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// longPage is a page with so many turns, the last of which is being answered at this length.
func longPage(t testing.TB, turns, length int) *Page {
	saved := savedTurn(t, protocol.StatusCompleted,
		`{"type":"message","message_id":"m","format":"markdown","text":"An answer.","complete":true}`)
	saved.Confirmed = true
	running := savedTurn(t, protocol.StatusRunning)
	running.Run = store.NewRun("s", "r-1")
	running.Key = "running"
	p := storyPage(t, "en", saved, func(tx *store.Tx) {
		for i := 2; i < turns; i++ {
			turn := *saved
			turn.Key = itoa(i)
			tx.AddTurn("s", &turn)
		}
		tx.AddTurn("s", running)
		for i := range 50 {
			tx.SetRow(listed(itoa(i), "idle"))
		}
		tx.Sessions.Loaded = true
	})
	line := decoded(t, `{"type":"message_delta","message_id":"m","delta":"Some words of a paragraph in an answer.\n\n"}`)
	for range length / 41 {
		stream(t, p, line)
	}
	return p
}
