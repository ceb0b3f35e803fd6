package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
)

// B04: a stream that ends inside a frame is a lost connection, however it ends; the frame is not
// applied, and comes whole once.
func TestAFrameCutOffByTheEndOfTheStreamIsNotApplied(t *testing.T) {
	for name, end := range map[string]func(*sim.Run){"clean end": (*sim.Run).CloseStreams, "read error": (*sim.Run).Cut} {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			r := f.started(`{"type":"message_start","message_id":"a-1"}`, `{"type":"x"}`, `{"type":"x"}`, txt("甲"))
			r.Write(raw(r, "5", txt("乙")+","+ended("completed")) + "\n")
			end(r)
			f.pass(0)
			f.wantTurn(f.last(), "running", "甲")
			if f.last().Run.Cursor != 4 {
				t.Fatalf("the cursor is %d", f.last().Run.Cursor)
			}
			f.wantPhase(store.PhaseReconnecting)
			f.emit(txt("乙"), ended("completed"))
			r.Confirm(true, true, true)
			f.pass(2 * time.Second)
			if got := cursor(f.wantSent("resume", 1)[0]); got != "4" {
				t.Fatalf("resumed after %s", got)
			}
			f.wantTurn(f.last(), "completed", "甲乙")
			f.always("the text grows", func(s *store.State) bool {
				return strings.HasPrefix("甲乙", said(s))
			})
			f.wantSent("chat", 1)
		})
	}
}

// B07: what the client does not know changes nothing and breaks nothing; another version is not
// read at all, and what is shown stays.
func TestUnknownEventsAndFieldsAreSurvived(t *testing.T) {
	f := newField(t)
	r := f.started()
	f.server.Emit(r, sim.Frame{Gap: 2, Events: []string{txt("A"), `{"type":"brand_new","x":{"y":[1]}}`, txt("B")}})
	r.Write(`data: {"extra":{"z":1},"protocol_version":2,"session_id":"s-1","run_id":"r-1","event_index":4,"events":[{"type":"message_end","message_id":"a-1","extra":[7]}]}` + "\n\n")
	f.pass(0)
	f.wantTurn(f.last(), "running", "AB")
	if run := f.last().Run; run.Cursor != 4 || !run.At(0).Message.Complete || f.session().Conn.Err != nil {
		t.Fatalf("cursor %d, %+v", run.Cursor, f.session().Conn)
	}
	r.Write(`data: {"protocol_version":99,"session_id":"s-1","run_id":"r-1","event_index":5,"events":[` + txt("C") + `]}` + "\n\n")
	f.pass(time.Minute)
	f.wantPhase(store.PhaseFailed)
	f.wantTurn(f.last(), "running", "AB")
	if e := f.session().Conn.Err; e == nil || e.Code != protocol.CodeVersion {
		t.Fatalf("the reason is %v", e)
	}
	f.wantSent("resume", 0)
}

// B09: each run counts its own indexes.
func TestTheCursorOfOneRunHidesNothingOfTheNext(t *testing.T) {
	f := newField(t)
	f.started(txt("旧"))
	f.server.Emit(f.run(), sim.Frame{Gap: 38, Events: []string{`{"type":"x"}`}})
	f.finish("failed")
	f.send("再来")
	f.emit(txtOf("a-2", "新"))
	f.run().Cut()
	f.emit(txtOf("a-2", "答"))
	f.finish("completed")
	resume := f.wantSent("resume", 1)[0]
	if !strings.Contains(resume.Path, "/r-2/") || cursor(resume) != "1" {
		t.Fatalf("resumed by %s", resume.Path)
	}
	f.wantTurn(f.session().Turn(0), "failed", "旧")
	f.wantTurn(f.last(), "completed", "新答")
}

// B10: whatever is replayed, every character is there once.
func TestReplayDoublesNothing(t *testing.T) {
	six := []string{txt("一"), txt("二"), txt("三"), txt("四"), txt("五"), txt("六")}
	once := func(f *field, says string) {
		f.Helper()
		f.wantTurn(f.last(), "running", says)
		f.always("the text grows", func(s *store.State) bool {
			return strings.HasPrefix(says, said(s))
		})
	}
	t.Run("the server replays more than was asked for", func(t *testing.T) {
		f := newField(t)
		r := f.started(six...)
		f.fates.Always["resume"] = sim.Fate{Rewind: 3}
		r.Cut()
		f.emit(txt("七"))
		f.pass(time.Second)
		once(f, "一二三四五六七")
	})
	t.Run("three cuts in one run", func(t *testing.T) {
		f := newField(t)
		r := f.started(six...)
		for _, next := range []string{"七", "八", "九"} {
			r.Cut()
			f.emit(txt(next))
			f.pass(2 * time.Second)
		}
		once(f, "一二三四五六七八九")
		f.wantSent("resume", 3)
	})
	t.Run("leaving the session and coming back", func(t *testing.T) {
		f := newField(t)
		f.started(six...)
		f.client.Acts.Show("s-2")
		f.pass(time.Second)
		f.emit(txt("七"))
		f.client.Acts.Show(sim.Session)
		f.pass(time.Second)
		once(f, "一二三四五六七")
		if resume := f.wantSent("resume", 1)[0]; cursor(resume) != "6" {
			t.Fatalf("resumed after %s, what is shown ends at 6", cursor(resume))
		}
	})
}

// B12: what a refreshed page rebuilds is its own turn, and nobody else's.
func TestARebuiltAnswerIsNotWrittenIntoThePreviousOne(t *testing.T) {
	f := newField(t)
	f.started(txt("旧答"))
	f.finish("completed")
	f.send("第二问")
	f.emit(txtOf("a-2", "新"))
	f.refresh()
	f.emit(txtOf("a-2", "答"))
	if n := f.session().Turns(); n != 2 {
		t.Fatalf("%d turns are shown", n)
	}
	f.wantTurn(f.session().Turn(0), "completed", "旧答")
	f.wantTurn(f.last(), "running", "新答")
	if f.last().User.Text != "第二问" || f.session().Turn(0).User.Text != "你好" {
		t.Fatal("the messages changed places")
	}
}

// B13: the cursor stands for content that is there.
func TestTheCursorMovesWithItsContent(t *testing.T) {
	f := newField(t)
	r := f.started(txt("0"), txt("1"), txt("2"), txt("3"))
	at := func(want int64, says string) {
		t.Helper()
		if got := f.last().Run.Cursor; got != want || text(f.last()) != says {
			t.Fatalf("cursor %d, %q; want %d, %q\n%s", got, text(f.last()), want, says, f.log())
		}
	}
	at(4, "0123")
	r.Write(raw(r, "null", `{"type":"tool_progress","tool":"t","call_id":"c","progress":{"epoch":1}},`+txt("x")) + "\n\n")
	f.pass(0)
	at(4, "0123")
	r.Write(raw(r, "5", txt("4")+`,{"type":"message_delta","message_id":"a-1","delta":7},`+txt("6")) + "\n\n")
	f.pass(0)
	at(4, "0123")
	f.emit(txt("4"), txt("5"))
	f.pass(time.Second)
	at(5, "012345")
	r.Write(raw(r, "5", txt("4")+","+txt("5")) + "\n\n")
	f.pass(0)
	at(5, "012345")
	f.server.Emit(r, sim.Frame{Gap: 1, Events: []string{txt("7")}})
	f.pass(0)
	at(7, "0123457")
	if got := f.wantSent("resume", 1)[0]; cursor(got) != "4" {
		t.Fatalf("resumed after %s", cursor(got))
	}
}

// B13, B60: a frame that will never do does not end in an endless resume: twice, then the snapshot.
func TestAFrameThatNeverDecodesLeadsToTheSnapshot(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	broken := func() {
		r.Write(raw(r, "2", `{"type":"tool_end","call_id":"c","result":`+strings.Repeat("[", 10001)+strings.Repeat("]", 10001)+`}`) + "\n\n")
	}
	f.fates.Always["snapshot"] = sim.Fate{Incomplete: true}
	broken()
	f.pass(time.Second)
	f.wantPhase(store.PhaseLive)
	broken()
	f.pass(10 * time.Second)
	f.wantPhase(store.PhaseSnapshot)
	f.wantTurn(f.last(), "running", "A")
	f.wantSent("resume", 1)
	f.fates.Always["snapshot"] = sim.Fate{}
	f.emit(txt("B"))
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "running", "AB")
}

// B15: a refresh in the middle of a run shows nothing in part, and knows how the run stands.
func TestRefreshInTheMiddleOfARun(t *testing.T) {
	five := []string{txt("一"), txt("二"), txt("三"), txt("四"), txt("五")}
	inOneStep := func(f *field, whole string) {
		f.Helper()
		f.always("no part of the text is shown", func(s *store.State) bool {
			return said(s) == "" || said(s) == whole
		})
	}
	t.Run("it goes on", func(t *testing.T) {
		f := newField(t)
		f.started(five...)
		f.states = nil
		f.fates.Always["resume"] = sim.Fate{Chunk: 40}
		f.refresh()
		f.wantTurn(f.last(), "running", "一二三四五")
		f.wantPhase(store.PhaseLive)
		f.wantBlocked(store.BlockRunning)
		if !f.state().CanStop(sim.Session) {
			t.Fatal("stop is not offered")
		}
		inOneStep(f, "一二三四五")
	})
	t.Run("it finishes while the page loads", func(t *testing.T) {
		f := newField(t)
		f.started(five...)
		f.states = nil
		f.fates.Next["session"] = []sim.Fate{{Back: 3 * time.Second}}
		f.refresh()
		f.finish("completed")
		f.pass(5 * time.Second)
		f.wantTurn(f.last(), "completed", "一二三四五")
		f.wantBlocked(store.BlockNone)
		f.wantPhase(store.PhaseIdle)
		inOneStep(f, "一二三四五")
	})
	t.Run("it has finished, but is not saved yet", func(t *testing.T) {
		f := newField(t)
		r := f.started(five...)
		f.server.End(r, "completed", "")
		r.Saved = nil
		f.states = nil
		f.fates.Always["snapshot"] = sim.Fate{Status: 404}
		f.refresh()
		f.pass(3 * time.Second)
		f.wantTurn(f.last(), "confirming", "一二三四五")
		r.Confirm(true, true, true)
		f.pass(10 * time.Second)
		f.wantTurn(f.last(), "completed", "一二三四五")
		f.wantBlocked(store.BlockNone)
		inOneStep(f, "一二三四五")
	})
	t.Run("it died without a last frame", func(t *testing.T) {
		f := newField(t)
		r := f.started(five...)
		r.Saved = r.Ref.Copy()
		r.Confirm(true, true, true)
		f.refresh()
		f.pass(5 * time.Second)
		f.wantTurn(f.last(), "failed", "一二三四五")
		if e := f.last().Run.Error; e == nil || e.Code != protocol.CodeInterrupted {
			t.Fatalf("the reason is %v", e)
		}
		f.wantBlocked(store.BlockNone)
		f.wantPhase(store.PhaseIdle)
	})
	t.Run("it dies while it is watched", func(t *testing.T) {
		f := newField(t)
		r := f.started(five...)
		r.Saved = r.Ref.Copy()
		r.Confirm(true, true, true)
		r.Lost = true
		r.Cut()
		f.pass(time.Minute)
		f.wantTurn(f.last(), "failed", "一二三四五")
		f.wantBlocked(store.BlockNone)
		f.wantPhase(store.PhaseIdle)
	})
}

// B16: a broken network is retried for as long as it takes, ever more slowly; what will not change
// is not.
func TestHowResumingIsRetried(t *testing.T) {
	watched := func(t *testing.T) (*field, *sim.Run) {
		f := newField(t)
		r := f.started(txt("一"))
		f.server.Emit(r, sim.Frame{Gap: 6, Events: []string{txt("二")}})
		f.pass(0)
		return f, r
	}
	t.Run("a network that fails for a minute", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["resume"], f.fates.Always["control"] = sim.Fate{NeverThere: true}, sim.Fate{NeverThere: true}
		r.Cut()
		var waits []time.Duration
		last, n := f.clock.Now(), len(f.all())
		for end := f.clock.Now().Add(time.Minute); f.clock.Step(end); {
			if watching := len(f.sent("resume")) + len(f.sent("control")); watching > n {
				waits = append(waits, f.clock.Now().Sub(last))
				last, n = f.clock.Now(), watching
			} else if n > watching {
				n = watching
			}
		}
		if len(waits) < 5 || len(waits) > 25 {
			t.Fatalf("%d tries in a minute: %v", len(waits), waits)
		}
		for _, d := range waits {
			if d > 10*time.Second {
				t.Fatalf("waited %v", waits)
			}
		}
		f.wantPhase(store.PhaseReconnecting)
		f.wantTurn(f.last(), "running", "一二")
		f.fates.Always = map[string]sim.Fate{}
		f.emit(txt("三"))
		f.pass(12 * time.Second)
		f.wantTurn(f.last(), "running", "一二三")
		f.wantPhase(store.PhaseLive)
		for _, req := range f.sent("resume") {
			if cursor(req) != "8" {
				t.Fatalf("resumed after %s", cursor(req))
			}
		}
	})
	t.Run("at once when the network is back", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["resume"], f.fates.Always["control"] = sim.Fate{NeverThere: true}, sim.Fate{NeverThere: true}
		r.Cut()
		f.pass(3 * time.Minute)
		f.fates.Always = map[string]sim.Fate{}
		f.client.Watcher.Nudge()
		f.pass(100 * time.Millisecond)
		f.wantPhase(store.PhaseLive)
	})
	t.Run("not signed in", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["resume"], f.fates.Always["control"] = sim.Fate{Status: 401, JSON: true}, sim.Fate{Status: 401, JSON: true}
		r.Cut()
		f.pass(5 * time.Minute)
		if n := len(f.sent("resume")); n > 2 {
			t.Fatalf("%d resumes", n)
		}
		f.wantPhase(store.PhaseFailed)
		if e := f.session().Conn.Err; e == nil || e.Status != 401 {
			t.Fatalf("the reason is %v", e)
		}
		f.wantTurn(f.last(), "running", "一二")
		f.fates.Always = map[string]sim.Fate{}
		f.client.Watcher.Reload()
		f.pass(time.Second)
		f.wantPhase(store.PhaseLive)
	})
	t.Run("the stream is gone, the run is not", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["resume"] = sim.Fate{Status: 404}
		r.Cut()
		f.emit(txt("三"))
		f.pass(5 * time.Minute)
		if n := len(f.sent("resume")); n > 2 {
			t.Fatalf("%d resumes", n)
		}
		f.wantTurn(f.last(), "running", "一二三")
		f.finish("completed")
		f.pass(10 * time.Second)
		f.wantTurn(f.last(), "completed", "一二三")
	})
	t.Run("the run is gone", func(t *testing.T) {
		f, r := watched(t)
		r.Cut()
		f.server.Runs = nil
		f.pass(time.Minute)
		f.wantTurn(f.last(), "failed", "一二")
		f.wantBlocked(store.BlockNone)
		f.wantPhase(store.PhaseIdle)
	})
	t.Run("the session names a run that nobody else knows", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["resume"] = sim.Fate{Status: 404}
		f.fates.Always["control"] = sim.Fate{Status: 404}
		f.fates.Always["snapshot"] = sim.Fate{Status: 404}
		n := len(f.all())
		r.Cut()
		f.pass(time.Minute)
		if n = len(f.all()) - n; n > 90 {
			t.Fatalf("%d requests in a minute", n)
		}
		f.wantTurn(f.last(), "running", "一二")
	})
	t.Run("the end is known, the run is not", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Always["control"] = sim.Fate{Status: 404}
		f.fates.Always["snapshot"] = sim.Fate{Status: 404}
		n := len(f.all())
		f.server.End(r, "completed", "")
		f.pass(time.Minute)
		if n = len(f.all()) - n; n > 90 {
			t.Fatalf("%d requests in a minute", n)
		}
		f.wantTurn(f.last(), "confirming", "一二")
	})
	t.Run("Retry-After is honoured", func(t *testing.T) {
		f, r := watched(t)
		f.fates.Next["resume"] = []sim.Fate{{Status: 503, RetryAfter: "5"}}
		r.Cut()
		f.pass(600 * time.Millisecond)
		f.wantSent("resume", 1)
		f.pass(4500 * time.Millisecond)
		f.wantSent("resume", 1)
		f.pass(time.Second)
		f.wantSent("resume", 2)
		f.wantPhase(store.PhaseLive)
	})
}

// The snapshot ladder: what is shown stays until a complete snapshot replaces it; then the run stays
// with snapshots, and no raw frame of it is applied, whatever comes.
func TestTheSnapshotLadder(t *testing.T) {
	ways := map[string]func(*field, *sim.Run){
		"the replay is gone": func(f *field, r *sim.Run) {
			r.Silence()
			f.emit(`{"type":"x"}`)
			r.From = r.Next
			f.client.Watcher.Reload()
		},
		"the server requires it": func(f *field, r *sim.Run) {
			r.Write(raw(r, "null", `{"type":"stream_recovery_required","reason":"buffer"}`) + "\n\n" + raw(r, "9", txt("raw")) + "\n\n")
		},
	}
	for name, lose := range ways {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			r := f.started(txt("A"))
			r.Silence()
			f.emit(txt("B")) // missed
			f.fates.Always["snapshot"] = sim.Fate{Incomplete: true}
			f.client.Watcher.Reload()
			f.pass(0)
			r.Silence()
			f.emit(txt("C")) // missed
			f.client.Watcher.Reload()
			f.pass(0)
			lose(f, r)
			f.pass(20 * time.Second)
			f.wantPhase(store.PhaseSnapshot)
			shown := text(f.last())
			if !strings.HasPrefix("ABC", shown) || strings.Contains(shown, "raw") {
				t.Fatalf("shows %q", shown)
			}
			polls := len(f.sent("snapshot"))
			if polls < 3 || polls > 12 {
				t.Fatalf("%d polls in 20 s", polls)
			}
			resumes := len(f.sent("resume"))
			f.fates.Next["snapshot"] = []sim.Fate{{Status: 500}, {NeverThere: true}, {Status: 404}, {Status: 429, RetryAfter: "8"}}
			f.pass(time.Minute)
			f.wantPhase(store.PhaseSnapshot)
			f.fates.Always["snapshot"] = sim.Fate{}
			f.pass(6 * time.Second)
			f.wantTurn(f.last(), "running", "ABC")
			f.emit(txt("D"), ask("q-1", "rm", `1`))
			f.pass(6 * time.Second)
			f.wantTurn(f.last(), "paused", "ABCD")
			if !f.decide("q-1", protocol.Approve) {
				t.Fatal("the request cannot be decided")
			}
			f.emit(txt("E"))
			f.pass(6 * time.Second)
			f.wantTurn(f.last(), "running", "ABCDE")
			f.wantApproval("q-1", "approved")
			if n := len(f.sent("resume")); n != resumes {
				t.Fatalf("%d raw streams were opened in snapshot mode", n-resumes)
			}
			f.finish("completed")
			f.pass(6 * time.Second)
			f.wantTurn(f.last(), "completed", "ABCDE")
			f.wantBlocked(store.BlockNone)
			f.wantPhase(store.PhaseIdle)
		})
	}
}

// Only one poll is ever out, and a late answer to one that was given up changes nothing.
func TestALateSnapshotOverwritesNothing(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	f.fates.Next["snapshot"] = []sim.Fate{{Back: 30 * time.Second}}
	r.Write(raw(r, "null", `{"type":"stream_recovery_required"}`) + "\n\n")
	f.pass(time.Second)
	f.client.Watcher.Nudge()
	f.pass(time.Second)
	f.wantSent("snapshot", 1)
	f.emit(txt("B"))
	f.client.Watcher.Reload() // a person asks: read the state again
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "running", "AB")
	f.pass(time.Minute)
	f.always("what was shown stays", func(s *store.State) bool {
		return strings.HasPrefix("AB", said(s))
	})
	f.wantTurn(f.last(), "running", "AB")
}

// B40: silence is measured by the wall clock, so that time spent asleep counts.
func TestAConnectionThatDiedInTheNightIsNoticedOnWaking(t *testing.T) {
	for name, wake := range map[string]func(*field){
		"by the timer":          func(f *field) { f.pass(5 * time.Second) },
		"by the page coming up": func(f *field) { f.client.Watcher.Nudge(); f.pass(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			r := f.started()
			f.server.Emit(r, sim.Frame{Gap: 9, Events: []string{txt("夜")}})
			f.pass(0)
			r.Silence()
			f.server.Emit(r, sim.Frame{Gap: 9, Events: []string{txt("晨"), ended("completed")}})
			r.Confirm(true, true, true)
			f.clock.Sleep(10 * time.Minute)
			wake(f)
			f.pass(time.Second)
			if got := cursor(f.wantSent("resume", 1)[0]); got != "10" {
				t.Fatalf("resumed after %s", got)
			}
			f.wantTurn(f.last(), "completed", "夜晨")
			f.wantBlocked(store.BlockNone)
			f.wantPhase(store.PhaseIdle)
		})
	}
}

// Heartbeats keep a stream; without a byte for 45 s it is broken, and so is a request that gets no
// answer at all.
func TestTheWatchdog(t *testing.T) {
	t.Run("heartbeats are life", func(t *testing.T) {
		f := newField(t)
		r := f.started(txt("A"))
		f.pass(10 * time.Minute)
		f.wantSent("resume", 0)
		f.wantPhase(store.PhaseLive)
		if r.Streams() != 1 {
			t.Fatalf("%d streams", r.Streams())
		}
	})
	t.Run("silence is not", func(t *testing.T) {
		f := newField(t)
		r := f.started(txt("A"))
		r.Silence()
		f.pass(44 * time.Second)
		f.wantSent("resume", 0)
		f.pass(8 * time.Second)
		f.wantSent("resume", 1)
		f.wantPhase(store.PhaseLive)
	})
	t.Run("a resume without an answer", func(t *testing.T) {
		f := newField(t)
		r := f.started(txt("A"))
		f.fates.Next["resume"] = []sim.Fate{{Hangs: true}}
		r.Cut()
		f.emit(txt("B"))
		f.pass(2 * time.Minute)
		f.wantTurn(f.last(), "running", "AB")
		f.wantPhase(store.PhaseLive)
	})
	for _, kind := range []string{"session", "control", "snapshot"} {
		t.Run("a read without an answer: "+kind, func(t *testing.T) {
			f := newField(t)
			r := f.started(txt("A"))
			f.fates.Next[kind] = []sim.Fate{{Hangs: true}}
			switch kind {
			case "session":
				f.client.Watcher.Reload()
			case "control":
				f.server.End(r, "completed", "")
			case "snapshot":
				r.Write(raw(r, "null", `{"type":"stream_recovery_required"}`) + "\n\n")
			}
			f.pass(time.Second)
			f.finish("completed")
			f.pass(3 * time.Minute)
			f.wantTurn(f.last(), "completed", "A")
			f.wantBlocked(store.BlockNone)
		})
	}
	t.Run("a chat request without an answer", func(t *testing.T) {
		f := newField(t)
		f.fates.Next["chat"] = []sim.Fate{{Hangs: true}}
		f.send("你好")
		f.pass(time.Minute)
		f.wantTurn(f.last(), "unsent", "")
		f.wantSent("chat", 1)
	})
	t.Run("after the end, silence means nothing", func(t *testing.T) {
		f := newField(t)
		r := f.started(txt("A"))
		r.Silence()
		f.pass(30 * time.Second)
		f.fates.Always["snapshot"] = sim.Fate{Back: time.Minute}
		f.server.End(r, "cancelled", "")
		r.Confirm(true, true, true)
		f.client.Acts.Stop(sim.Session)
		f.pass(20 * time.Second)
		f.client.Watcher.Nudge()
		f.pass(time.Second)
		f.wantTurn(f.last(), "cancelled", "A")
		f.wantPhase(store.PhaseIdle)
	})
}

// A frame of another session or run is not ours: it is not applied, and our own run goes on, calmly.
func TestFramesOfAnotherRunAreNotApplied(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	stranger := strings.Replace(raw(r, "2", txt("no")), `"r-1"`, `"r-9"`, 1) + "\n\n" + raw(r, "3", txt("after")) + "\n\n"
	for range 5 {
		r.Write(stranger)
		f.pass(20 * time.Second)
	}
	f.wantTurn(f.last(), "running", "A")
	if n := len(f.sent("resume")); n < 5 || n > 6 {
		t.Fatalf("%d resumes", n)
	}
	if len(f.sent("control")) < 5 {
		t.Fatal("control of the own run was not read")
	}
	f.emit(txt("B"))
	f.wantTurn(f.last(), "running", "AB")
}

// B38, B71: a session switched to and fro fifty times leaves one stream, no frame of one session in
// another, and nothing running.
func TestSwitchingSessionsQuickly(t *testing.T) {
	f := newField(t)
	r1 := f.started(txt("一"))
	f.client.Acts.Show("s-2")
	f.pass(0)
	f.client.Acts.Send("s-2", "another")
	f.pass(0)
	r2 := f.other.Runs[0]
	f.other.Emit(r2, sim.Frame{Events: []string{txt("two")}})
	f.fates.Always["resume"] = sim.Fate{There: 70 * time.Millisecond, Back: 70 * time.Millisecond}
	f.fates.Always["session"] = sim.Fate{There: 20 * time.Millisecond, Back: 20 * time.Millisecond}
	for i := range 50 {
		f.client.Acts.Show([]string{sim.Session, "s-2"}[i%2])
		f.pass(time.Duration(i) * 6 * time.Millisecond)
		f.server.Emit(r1, sim.Frame{Events: []string{txt("1")}})
		f.other.Emit(r2, sim.Frame{Events: []string{txt("2")}})
	}
	f.pass(5 * time.Second)
	if r1.Streams() != 0 || r2.Streams() != 1 || f.client.Net.Most > 1 {
		t.Fatalf("%d and %d streams are open, %d were\n%s", r1.Streams(), r2.Streams(), f.client.Net.Most, f.log())
	}
	f.client.Acts.Show(sim.Session)
	f.pass(5 * time.Second)
	f.wantTurn(f.last(), "running", "一"+strings.Repeat("1", 50))
	if got := text(f.state().Session("s-2").Last); got != "two"+strings.Repeat("2", 50) {
		t.Fatalf("s-2 says %q", got)
	}
	if n := len(f.sent("chat")); n != 2 {
		t.Fatalf("%d chat requests", n)
	}
	f.wantSent("cancel", 0)
}

// B41, B43: what happens while the page is hidden is there when it is shown; hiding and showing
// neither aborts a healthy stream nor sends anything again.
func TestHidingAndShowingThePage(t *testing.T) {
	f := newField(t)
	r := f.started(txt("0"))
	for range 3 {
		f.pass(2 * time.Second)
		f.client.Watcher.Nudge()
		f.client.Acts.Nudge()
		f.pass(2 * time.Second)
	}
	if f.wantSent("chat", 1); r.Streams() != 1 {
		t.Fatalf("%d streams", r.Streams())
	}
	f.wantSent("resume", 0)
	want := "0"
	for i := range 500 {
		f.emit(txt(fmt.Sprint(i % 10)))
		want += fmt.Sprint(i % 10)
		f.pass(20 * time.Millisecond)
	}
	f.finish("completed")
	f.wantTurn(f.last(), "completed", want)
	if f.last().Run.Cursor != 502 {
		t.Fatalf("cursor %d", f.last().Run.Cursor)
	}
}

// A session whose active run has no turn is read again, calmly, and never looks settled.
func TestAnActiveRunWithoutATurnIsReadAgain(t *testing.T) {
	f := newField(t)
	f.started(txt("A"))
	body := `{"session":{"session_id":"s-1"},"turns":[],"active_run":{"run_id":"r-1","status":"running"}}`
	f.fates.Next["session"] = []sim.Fate{{Status: 200, Type: protocol.JSONType, Text: body}}
	f.refresh()
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "running", "A")
	f.wantPhase(store.PhaseLive)
}

// A green light while the server cannot be asked would be untrue.
func TestAnEndThatCannotBeConfirmedIsNotShownAsConnected(t *testing.T) {
	f := newField(t)
	f.started(txt("甲"))
	f.fates.Always["control"] = sim.Fate{NeverThere: true}
	f.server.End(f.server.Runs[0], protocol.StatusCompleted, "")
	f.pass(3 * time.Second)
	if c := f.session().Conn; c.Phase != store.PhaseReconnecting || c.Err == nil || f.last().Status() != store.TurnConfirming {
		t.Fatalf("%+v, the turn is %s", c, f.last().Status())
	}
	delete(f.fates.Always, "control")
	f.pass(10 * time.Second)
	if c := f.session().Conn; c.Phase != store.PhaseIdle {
		t.Fatalf("%+v", c)
	}
}
