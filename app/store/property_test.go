package store_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
)

// eventKinds are the kinds of event that a byte can stand for, with an id and a value.
const eventKinds = 19

// eventOf makes one event of three numbers, so that both a random source and a fuzzer can write
// scripts. Few ids, so that events meet.
func eventOf(kind, id, value byte) string {
	n := strconv.Itoa(int(id % 3))
	text := []string{"价格¥5 ", "👍🏽", "**粗体**", "\n| a |", "", "\x00\u2028"}[value%6]
	switch kind % eventKinds {
	case 0:
		return startOf("m"+n, []string{"markdown", "report", "json", "odd"}[value%4])
	case 1, 2, 3:
		return txtOf("m"+n, text)
	case 4:
		return fmt.Sprintf(`{"type":"reasoning_delta","message_id":"m%s","delta":%q}`, n, "因为")
	case 5:
		return fmt.Sprintf(`{"type":"message_end","message_id":"m%s"}`, n)
	case 6:
		return plan("p"+n, []string{"pending", "running", "done"}[value%3])
	case 7:
		return toolStart("c"+n, "train", `{"n":12345678901234567890}`)
	case 8, 9:
		return progress("c"+n, fmt.Sprintf(`{"epoch":%d,"metrics":{"l%d":0.5}}`, value, value%2))
	case 10:
		return progress("c"+n, `{"message":"m","metrics":{"l0":1}}`)
	case 11:
		return toolEnd("c"+n, strconv.Itoa(int(value)))
	case 12:
		return ask("q"+n, "add_edge", strconv.Itoa(int(value)))
	case 13:
		return asked("q"+n, []string{"approve", "reject", "modify", "expired", "cancelled"}[value%5])
	case 14:
		return fmt.Sprintf(`{"type":"skill_candidate","candidate_id":"k%s","name":"n","description":"d"}`, n)
	case 15:
		return fmt.Sprintf(`{"type":"skill_resolved","candidate_id":"k%s","decision":"approve"}`, n)
	case 16:
		return status([]string{"running", "paused", "cancelling"}[value%3])
	case 17:
		return `{"type":"brand_new","x":{"y":[1]}}`
	}
	if value%4 > 0 {
		return status("running") // most scripts should not end at once
	}
	return end([]string{"completed", "failed", "cancelled"}[id%3])
}

// drawFrames draws a sequence of frames with gaps, duplicates and frames without an index.
func drawFrames(t *rapid.T, most int) []protocol.Frame {
	next := int64(0)
	var frames []protocol.Frame
	for range rapid.IntRange(0, most).Draw(t, "frames") {
		var events []string
		for range rapid.IntRange(0, 3).Draw(t, "events") {
			events = append(events, eventOf(
				rapid.ByteRange(0, eventKinds-1).Draw(t, "kind"), rapid.ByteRange(0, 2).Draw(t, "id"), rapid.ByteRange(0, 11).Draw(t, "value")))
		}
		index := next
		switch rapid.IntRange(0, 9).Draw(t, "index") {
		case 0:
			index = -1
		case 1:
			index = max(0, next-2)
		case 2:
			index = next + 5
		}
		next = max(next, index+1)
		frames = append(frames, fr(index, events...))
	}
	return frames
}

// reference folds frames the plain way.
func reference(frames []protocol.Frame) (sim.Reference, int64) {
	ref := sim.Reference{Status: protocol.StatusRunning}
	cursor := int64(-1)
	for _, f := range frames {
		for _, ev := range f.Events {
			status, tells := ev.(protocol.RunStatus)
			switch {
			case f.HasIndex && f.Index > cursor:
				ref.Take(ev)
			case !f.HasIndex && tells:
				ref.Take(status)
			}
		}
		if f.HasIndex {
			cursor = max(cursor, f.Index)
		}
	}
	return ref, cursor
}

func TestTheFoldIsThatOfThePlainReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { agrees(t, drawFrames(t, 30)) })
}

type failer interface {
	Fatalf(format string, args ...any)
}

func agrees(t failer, frames []protocol.Frame) {
	r := store.NewRun("s-1", "r-1")
	for _, f := range frames {
		next, n, err := r.Apply(f)
		if err != nil || n != 1 {
			t.Fatalf("frame %d: applied %d, %v", f.Index, n, err)
		}
		r = next
	}
	ref, cursor := reference(frames)
	if r.Status != ref.Status || r.Cursor != cursor {
		t.Fatalf("the run is %s at %d, the reference %s at %d", r.Status, r.Cursor, ref.Status, cursor)
	}
	if got, want := sim.Print(store.Wire(r)), sim.Print(ref.Items); got != want {
		t.Fatalf("the run shows\n%s\nthe reference\n%s", got, want)
	}
	if at := r.Differs(ref.Items); at >= 0 {
		t.Fatalf("item %d is said to differ, though it prints the same", at)
	}
	pending := ""
	if list := ref.Pending(); len(list) > 0 && !r.Ended() {
		pending = list[0].RequestID
	}
	if r.Current() != pending {
		t.Fatalf("the current request is %q, not %q", r.Current(), pending)
	}
}

// FuzzFold writes a script with the fuzzer's bytes: four to an event, the first saying how it
// begins, or goes on in, a frame.
func FuzzFold(f *testing.F) {
	f.Add([]byte{4, 1, 0, 0, 5, 1, 0, 1, 0, 18, 0, 0})                           // text, more text, the end
	f.Add([]byte{4, 1, 0, 0, 4, 1, 0, 0, 4, 1, 0, 0})                            // a duplicate
	f.Add([]byte{0, 12, 0, 0, 0, 12, 1, 0, 5, 13, 0, 1, 5, 13, 1, 0})            // two requests, decided in order
	f.Add([]byte{0, 13, 0, 0, 1, 12, 0, 0, 1, 18, 0, 0, 1, 16, 0, 0})            // decided before raised; late status
	f.Add([]byte{0, 8, 0, 9, 1, 7, 0, 0, 1, 11, 0, 0, 1, 8, 0, 3, 1, 7, 0, 0})   // progress before and after
	f.Add([]byte{3, 1, 0, 0, 3, 16, 0, 2, 0, 1, 0, 0, 2, 1, 1, 0, 2, 5, 1, 0})   // frames without an index, gaps
	f.Add([]byte{0, 15, 0, 0, 1, 14, 0, 0, 1, 17, 0, 0, 1, 6, 0, 0, 1, 0, 0, 2}) // skills, unknown, plan, start
	f.Fuzz(func(t *testing.T, script []byte) {
		var frames []protocol.Frame
		next := int64(0)
		for ; len(script) >= 4 && len(frames) < 200; script = script[4:] {
			event := eventOf(script[1], script[2], script[3])
			index := next
			switch script[0] % 6 {
			case 0: // goes on in the frame before
				if n := len(frames); n > 0 {
					last := &frames[n-1]
					last.Events = append(last.Events, fr(0, event).Events...)
					continue
				}
			case 1, 5:
			case 2:
				index = next + int64(script[3])
			case 3:
				index = -1
			case 4:
				index = max(0, next-1)
			}
			next = max(next, index+1)
			frames = append(frames, fr(index, event))
		}
		agrees(t, frames)
	})
}

// However frames are grouped on arrival, the same is shown.
func TestFramesAppliedTogetherShowTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := drawFrames(t, 30)
		one, many := store.NewRun("s-1", "r-1"), store.NewRun("s-1", "r-1")
		for _, f := range frames {
			one, _, _ = one.Apply(f)
		}
		for rest := frames; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "batch")
			many, _, _ = many.Apply(rest[:n]...)
			rest = rest[n:]
		}
		if shown(one) != shown(many) {
			t.Fatalf("frame by frame it shows\n%s\nin batches\n%s", shown(one), shown(many))
		}
	})
}

// A fold that panics in some frame of a batch applies exactly the frames before it, whatever they
// are, and leaves the version before it as it was.
func TestAFoldThatPanicsAppliesExactlyTheFramesBeforeIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, _, _ := store.NewRun("s-1", "r-1").Apply(drawFrames(t, 8)...)
		batch := drawFrames(t, 8)
		for i := range batch {
			batch[i].Index += base.Cursor + 1
		}
		k := rapid.IntRange(0, len(batch)).Draw(t, "bomb")
		bombed := append(append([]protocol.Frame(nil), batch[:k]...), bombAt(1<<40, txt("broken"), ask("q", "rm", "1"), end("failed")))
		bombed = append(bombed, batch[k:]...)
		before := shown(base)
		r, n, err := base.Apply(bombed...)
		if err == nil || n != k {
			t.Fatalf("applied %d, %v; want %d and an error", n, err, k)
		}
		want, _, _ := base.Apply(batch[:k]...)
		if shown(r) != shown(want) || shown(base) != before {
			t.Fatalf("shows\n%s\nwant\n%s\nbase\n%s\nwas\n%s", shown(r), shown(want), shown(base), before)
		}
		all, _, err := r.Apply(batch[k:]...)
		want, _, _ = base.Apply(batch...)
		if err != nil || shown(all) != shown(want) {
			t.Fatalf("going on, it shows\n%s\nwant\n%s\n%v", shown(all), shown(want), err)
		}
	})
}

// Whoever holds a state may read it for as long as they like: no later transaction changes it, not
// one that goes on from it, not one that goes on from an older one, not one that fails.
func TestAStateNeverChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := store.New()
		type held struct {
			state *store.State
			print string
		}
		var all []held
		hold := func() { all = append(all, held{s.State(), print(s.State())}) }
		hold()
		index := int64(0)
		for range rapid.IntRange(1, 25).Draw(t, "transactions") {
			fails := rapid.IntRange(0, 4).Draw(t, "fails") == 0
			change := drawChange(t, s.State(), &index)
			_ = s.Update(func(tx *store.Tx) error {
				change(tx)
				if fails {
					return errors.New("refused")
				}
				return nil
			})
			hold()
		}
		for i, h := range all {
			if got := print(h.state); got != h.print {
				t.Fatalf("state %d of %d changed from\n%s\nto\n%s", i, len(all), h.print, got)
			}
		}
	})
}

// drawChange draws what one transaction does.
func drawChange(t *rapid.T, now *store.State, index *int64) func(*store.Tx) {
	sid := rapid.SampledFrom([]string{"s-1", "s-2"}).Draw(t, "session")
	key := rapid.SampledFrom([]string{"k-0", "k-1", "k-2"}).Draw(t, "turn")
	*index++
	frame := fr(*index, eventOf(
		rapid.ByteRange(0, eventKinds-1).Draw(t, "kind"), rapid.ByteRange(0, 2).Draw(t, "id"), rapid.ByteRange(0, 11).Draw(t, "value")))
	snapshot := protocol.Snapshot{Status: "running", Complete: true, Items: []protocol.Item{
		{Type: "message", Message: &protocol.Message{MessageID: "m0", Format: "markdown", Text: strconv.Itoa(int(*index))}},
	}}
	onTurn := func(change func(*store.Turn)) func(*store.Tx) {
		return func(tx *store.Tx) {
			if turn := tx.Turn(sid, key); turn != nil {
				change(turn)
			}
		}
	}
	switch rapid.IntRange(0, 12).Draw(t, "change") {
	case 0, 1:
		return func(tx *store.Tx) {
			if tx.Session(sid).TurnByKey(key) == nil {
				tx.AddTurn(sid, &store.Turn{Key: key, Run: store.NewRun(sid, "r-"+key)})
			}
		}
	case 2, 3, 4, 5:
		return onTurn(func(turn *store.Turn) { turn.Run, _, _ = turn.Run.Apply(frame, frame) })
	case 6:
		return onTurn(func(turn *store.Turn) { turn.Run = turn.Run.Restore(snapshot) })
	case 7:
		return onTurn(func(turn *store.Turn) { turn.Send, turn.Confirmed = store.SendUnsent, true })
	case 8:
		return func(tx *store.Tx) { tx.DropTurn(sid, key) }
	case 9:
		return func(tx *store.Tx) { tx.CloseSession(sid); tx.Session(sid).Title = key }
	case 10:
		return func(tx *store.Tx) {
			tx.SetDecision("r-"+key, key, store.Decision{State: store.ActSubmitting})
			tx.SetJob(sid, key, store.JobCancel{Done: true})
			tx.SetSkill(key, store.Decision{State: store.ActOpen})
			tx.SetComposer(sid, store.Composer{Restore: key})
		}
	case 11:
		return func(tx *store.Tx) { tx.SetRow(protocol.SessionInfo{SessionID: sid, Title: key}) }
	}
	return func(tx *store.Tx) {
		// Goes on from an older version of the run, as after a transaction that failed.
		if old := now.Session(sid); old != nil && old.Last != nil {
			if turn := tx.Turn(sid, old.Last.Key); turn != nil {
				turn.Run, _, _ = old.Last.Run.Apply(frame)
			}
		}
	}
}

// print writes all that a state holds.
func print(s *store.State) string {
	text := fmt.Sprintln(s.Rev, s.Sessions, s.Decisions, s.Jobs, s.Skills, s.Composers)
	for _, session := range s.Opened() {
		text += fmt.Sprintln(session.ID, session.Rev, session.Title, session.Turns())
		for i := range session.Turns() {
			turn := session.Turn(i)
			text += fmt.Sprintln(turn.Key, turn.Rev, turn.Status(), turn.Confirmed) + shown(turn.Run)
		}
	}
	return text
}
