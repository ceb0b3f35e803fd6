package sim_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// retry sends the last, unsent turn again, and checks that it is the very same request.
func (f *field) retry() {
	f.Helper()
	first := f.sent("chat")[0]
	f.client.Acts.Retry(sim.Session, f.last().Key)
	f.pass(0)
	again := f.sent("chat")[len(f.sent("chat"))-1]
	if !bytes.Equal(first.Body, again.Body) || first.Language != again.Language || first.Path != again.Path {
		f.Fatalf("sent %s in %s, then %s in %s", first.Body, first.Language, again.Body, again.Language)
	}
}

// B05: what is no stream is no answer; whether the message arrived is asked before anything else.
func TestAChatRequestAnsweredByAPage(t *testing.T) {
	for _, c := range []struct {
		name string
		fate sim.Fate
		code string
	}{
		{"a page of 200", sim.Fate{Status: 200}, protocol.CodeBadContentType},
		{"a gateway's 502", sim.Fate{Status: 502}, "HTTP_502"},
		{"JSON of 200", sim.Fate{Status: 200, Type: "application/json", Text: `{"error":"x"}`}, protocol.CodeBadContentType},
		{"an empty stream", sim.Fate{Empty: true}, protocol.CodeNetwork},
		{"a 503 without JSON", sim.Fate{Status: 503}, "HTTP_503"},
		{"a 504", sim.Fate{Status: 504, JSON: true}, "BUSY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newField(t)
			f.fates.Next["chat"] = []sim.Fate{c.fate}
			f.send("你好")
			f.wantSent("control", 1)
			if !strings.Contains(f.sent("control")[0].Path, "start_request_id=") {
				t.Fatalf("read %s", f.sent("control")[0].Path)
			}
			f.wantTurn(f.last(), "unsent", "")
			if f.last().SendErr.Code != c.code || f.last().Run.Len() != 0 {
				t.Fatalf("the reason is %v", f.last().SendErr)
			}
			f.wantBlocked(store.BlockNone)
			f.pass(time.Minute)
			f.wantSent("chat", 1)
			f.client.Acts.SetLanguage("zh")
			f.retry()
			f.emit(txt("甲"))
			f.wantTurn(f.last(), "running", "甲")
			if f.session().Turns() != 1 || f.server.Chats != 1 {
				t.Fatalf("%d turns, %d runs", f.session().Turns(), f.server.Chats)
			}
		})
	}
}

// What a server plainly refuses is unsent, and nothing needs to be asked.
func TestAChatRequestThatIsRefused(t *testing.T) {
	for _, status := range []int{400, 401, 403, 422, 429, 500} {
		f := newField(t)
		f.fates.Next["chat"] = []sim.Fate{{Status: status, RetryAfter: "5"}}
		f.send("你好")
		f.pass(time.Minute)
		f.wantTurn(f.last(), "unsent", "")
		if e := f.last().SendErr; e.Status != status {
			t.Fatalf("%d: the reason is %v", status, e)
		}
		f.wantSent("chat", 1)
		f.wantSent("control", 0)
	}
}

// B17: signed in again, a person resends the same request.
func TestACredentialThatExpired(t *testing.T) {
	f := newField(t)
	f.fates.Always["chat"] = sim.Fate{Status: 401}
	f.send("你好")
	f.wantTurn(f.last(), "unsent", "")
	f.retry()
	f.wantTurn(f.last(), "unsent", "")
	f.fates.Always = map[string]sim.Fate{}
	f.retry()
	f.emit(txt("甲"))
	f.finish("completed")
	f.wantTurn(f.last(), "completed", "甲")
	if f.session().Turns() != 1 || f.server.Chats != 1 {
		t.Fatalf("%d turns, %d runs", f.session().Turns(), f.server.Chats)
	}
}

// B18: the answer to a message is lost. Control says what became of it; nothing is sent again by
// itself, and while nobody knows, nothing else is said.
func TestTheAnswerToAMessageIsLost(t *testing.T) {
	t.Run("it had arrived", func(t *testing.T) {
		f := newField(t)
		f.fates.Next["chat"] = []sim.Fate{{AnswerLost: true}}
		f.send("删除草稿")
		f.emit(txt("好"))
		f.wantTurn(f.last(), "running", "好")
		if resume := f.wantSent("resume", 1)[0]; cursor(resume) != "-1" {
			t.Fatalf("observed after %s", cursor(resume))
		}
		f.wantSent("chat", 1)
		if f.session().Turns() != 1 {
			t.Fatalf("%d turns", f.session().Turns())
		}
	})
	for name, trouble := range map[string]sim.Fate{"control is overloaded": {Status: 429, RetryAfter: "3"}, "control cannot be reached": {NeverThere: true}} {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			f.fates.Next["chat"] = []sim.Fate{{AnswerLost: true}}
			f.fates.Always["control"] = trouble
			f.send("删除草稿")
			f.pass(3 * time.Minute)
			f.wantTurn(f.last(), "checking", "")
			f.wantBlocked(store.BlockSubmitting)
			f.client.Acts.Retry(sim.Session, f.last().Key) // not known to have failed: no
			if f.client.Acts.Send(sim.Session, "删除草稿") {
				t.Fatal("a second message was taken while the first is being checked")
			}
			f.wantSent("chat", 1)
			if n := len(f.sent("control")); n < 10 || n > 80 {
				t.Fatalf("%d readings of control", n)
			}
			f.fates.Always = map[string]sim.Fate{}
			f.client.Acts.Nudge()
			f.pass(0)
			f.emit(txt("好"))
			f.wantTurn(f.last(), "running", "好")
			f.wantSent("chat", 1)
		})
	}
	t.Run("across a refresh", func(t *testing.T) {
		f := newField(t)
		f.fates.Next["chat"] = []sim.Fate{{NeverThere: true}}
		f.fates.Always["control"] = sim.Fate{NeverThere: true}
		f.send("删除草稿")
		f.refresh()
		f.wantTurn(f.last(), "checking", "")
		f.fates.Always = map[string]sim.Fate{}
		f.pass(10 * time.Second)
		f.wantTurn(f.last(), "unsent", "")
		f.wantSent("chat", 1)
		f.retry()
		f.wantTurn(f.last(), "running", "")
		f.wantSent("chat", 2)
		f.refresh()
		f.wantTurn(f.last(), "running", "")
		if f.session().Turns() != 1 || f.server.Chats != 1 {
			t.Fatalf("%d turns, %d runs", f.session().Turns(), f.server.Chats)
		}
	})
}

// B19: messages are told apart by id, not by wording.
func TestTheSameMessageTwiceIsTwoMessages(t *testing.T) {
	f := newField(t)
	f.send("继续")
	f.finish("completed")
	f.fates.Next["chat"] = []sim.Fate{{Back: 3 * time.Second}}
	f.send("继续")
	f.client.Watcher.Reload() // the session, with the second message, comes before the POST returns
	f.pass(time.Second)
	f.emit(txt("二"))
	f.pass(5 * time.Second)
	for range 2 {
		if f.session().Turns() != 2 || f.session().Turn(0).User.Text != "继续" || f.last().User.Text != "继续" {
			t.Fatalf("%d turns are shown", f.session().Turns())
		}
		f.wantTurn(f.last(), "running", "二")
		if n := f.run().Streams(); n != 1 {
			t.Fatalf("%d streams", n)
		}
		f.refresh()
	}
	f.wantSent("chat", 2)
}

// Another tab's run is in the way: the text comes back, and that run is shown.
func TestAnActiveRunGivesTheTextBack(t *testing.T) {
	f := newField(t)
	other := &field{T: t, clock: f.clock, server: f.server, fates: f.fates, local: f.local, tab: sim.Storage{}}
	other.ids = 1000
	other.open()
	other.send("先来")
	f.client.Acts.Attach(sim.Session, "a.csv", 3, "file")
	f.server.Custom = uploads(map[string]string{"file": "tok-1"})
	f.pass(0)
	f.client.Acts.SaveDraft(sim.Session, "后到")
	if !f.client.Acts.Send(sim.Session, "后到") {
		t.Fatal("not taken: this tab does not know of the run yet")
	}
	f.pass(0)
	composer := f.state().Composers[sim.Session]
	if composer.Restore != "后到" || composer.Restored != 1 || composer.Err.Code != protocol.CodeRunActive {
		t.Fatalf("given back: %+v", composer)
	}
	if len(composer.Files) != 1 || composer.Files[0].Token != "tok-1" || composer.Files[0].State != store.FileReady {
		t.Fatalf("files given back: %+v", composer.Files)
	}
	if f.client.Acts.Draft(sim.Session) != "后到" {
		t.Fatal("the text would not survive a refresh")
	}
	f.emit(txt("先"))
	if f.session().Turns() != 1 || f.last().User.Text != "先来" {
		t.Fatalf("%d turns, the last is %q", f.session().Turns(), f.last().User.Text)
	}
	f.wantTurn(f.last(), "running", "先")
	f.wantBlocked(store.BlockRunning)
	f.wantSent("chat", 1)
}

// A message taken back into the box is there after a refresh as well.
func TestADiscardedMessageIsKept(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{Status: 500}}
	f.send("写了很久")
	f.client.Acts.Discard(sim.Session, f.last().Key)
	if c := f.state().Composers[sim.Session]; c.Restore != "写了很久" || f.session().Turns() != 0 {
		t.Fatalf("%+v", c)
	}
	f.refresh()
	if got := f.client.Acts.Draft(sim.Session); got != "写了很久" {
		t.Fatalf("the draft is %q", got)
	}
}

// Two unsent messages come back in their order.
func TestUnsentMessagesKeepTheirOrder(t *testing.T) {
	f := newField(t)
	f.fates.Always["chat"] = sim.Fate{Status: 500}
	want := []string{"一", "二", "三", "四", "五"}
	for _, message := range want {
		f.send(message)
		f.pass(time.Second)
	}
	f.refresh()
	f.pass(time.Second)
	for i, message := range want {
		if got := f.session().Turn(i).User.Text; got != message {
			t.Fatalf("turn %d is %q, want %q", i, got, message)
		}
	}
}

// A failed run is asked again as a new request; a failed send is not.
func TestAskingAgainIsANewRequest(t *testing.T) {
	f := newField(t)
	f.started(txt("甲"))
	f.finish("failed")
	f.client.Acts.SetLanguage("zh")
	f.client.Acts.AskAgain(sim.Session, f.last().Key)
	f.pass(0)
	chats := f.wantSent("chat", 2)
	first, again := decode[protocol.ChatRequest](f, chats[0]), decode[protocol.ChatRequest](f, chats[1])
	if first.StartRequestID == again.StartRequestID || first.Message != again.Message || chats[1].Language != protocol.LangZH {
		t.Fatalf("asked %+v, then %+v in %s", first, again, chats[1].Language)
	}
	if f.session().Turns() != 2 {
		t.Fatalf("%d turns", f.session().Turns())
	}
	f.client.Acts.AskAgain(sim.Session, f.session().Turn(0).Key) // a run is on
	f.wantSent("chat", 2)
}

func TestTheChatBodyIsAsAgreed(t *testing.T) {
	f := newField(t)
	f.client.Acts.Choose(sim.Session, protocol.FormatReport, "deep", "always")
	f.send("你好")
	req := f.sent("chat")[0]
	want := `{"message":"你好","start_request_id":"id-1","output_format":"report","reasoning_mode":"deep","planning_mode":"always","stream":true,"background":true}`
	if string(req.Body) != want || !req.Version || req.Language != protocol.LangEN || req.Method != "POST" {
		t.Fatalf("sent %+v\n%s", req, req.Body)
	}
	f.emit(txt("x"))
	f.run().Cut()
	f.client.Acts.SetLanguage("zh")
	f.pass(time.Second)
	if resume := f.wantSent("resume", 1)[0]; resume.Language != protocol.LangEN || !resume.Version {
		t.Fatalf("resumed in %q, the turn is in English", resume.Language)
	}
	if f.client.Acts.Send(sim.Session, "   \n") {
		t.Fatal("nothing was sent as a message")
	}
}

// B21: after a refresh, in the middle of a rebuild, Stop cancels the run.
func TestStopDuringARebuild(t *testing.T) {
	f := newField(t)
	r := f.started(txt("0"))
	for range 200 {
		f.server.Emit(r, sim.Frame{Events: []string{txt(".")}})
	}
	f.fates.Next["resume"] = []sim.Fate{{Back: 4 * time.Second}}
	f.refresh()
	f.wantPhase(store.PhaseRebuilding)
	f.client.Acts.Stop(sim.Session)
	f.client.Acts.Stop(sim.Session)
	f.pass(0)
	cancel := decode[protocol.CancelRequest](f, f.wantSent("cancel", 1)[0])
	if cancel.Target != (protocol.CancelTarget{RunID: r.ID}) || cancel.CancelRequestID == "" {
		t.Fatalf("cancelled %+v", cancel)
	}
	if got := f.last().Status(); got != "cancelling" {
		t.Fatalf("shows %s", got)
	}
	f.pass(5 * time.Second)
	if r.Streams() != 1 || f.client.Net.Most != 1 {
		t.Fatalf("%d streams", r.Streams())
	}
	f.server.End(r, "cancelled", "")
	r.Confirm(true, true, true)
	f.pass(5 * time.Second)
	f.wantTurn(f.last(), "cancelled", "0"+strings.Repeat(".", 200))
	f.wantBlocked(store.BlockNone)
	before := text(f.last())
	f.server.Emit(r, sim.Frame{Events: []string{txt("late")}})
	f.pass(time.Minute)
	if text(f.last()) != before {
		t.Fatal("the text changed after the end")
	}
	f.wantSent("cancel", 1)
}

// B22: while a tool runs, Stop is stopping until the server has confirmed it, whatever comes.
func TestStopWhileAToolRuns(t *testing.T) {
	for name, last := range map[string]bool{"the stream brings the end": true, "only control knows of it": false} {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			r := f.started(`{"type":"tool_start","tool":"shell","call_id":"t-1","args":{"cmd":"sleep 600"}}`)
			f.client.Acts.Stop(sim.Session)
			asked := f.last().CancelAt
			stopping := func() {
				t.Helper()
				f.wantBlocked(store.BlockCancelling)
				if f.last().Status() != "cancelling" || f.last().CancelAt != asked {
					t.Fatalf("shows %s since %v", f.last().Status(), f.last().CancelAt)
				}
			}
			f.pass(3 * time.Second)
			f.client.Acts.Stop(sim.Session)
			f.pass(2 * time.Second)
			f.emit(txt("still here"), `{"type":"run_status","status":"running"}`)
			f.client.Acts.SaveDraft(sim.Session, "下一步")
			if f.client.Acts.Send(sim.Session, "下一步") {
				t.Fatal("a message was taken before the end")
			}
			f.pass(14 * time.Second)
			stopping()
			r.Confirm(true, false, false)
			f.pass(5 * time.Second)
			if last {
				f.server.End(r, "cancelled", "")
			} else {
				r.Ref.Status, r.Saved = "cancelled", r.Ref.Copy()
			}
			r.Confirm(true, true, true)
			f.pass(6 * time.Second)
			f.wantTurn(f.last(), "cancelled", "still here")
			f.wantBlocked(store.BlockNone)
			f.wantPhase(store.PhaseIdle)
			ids := map[string]bool{}
			for _, req := range f.sent("cancel") {
				ids[decode[protocol.CancelRequest](f, req).CancelRequestID] = true
			}
			if len(ids) != 1 {
				t.Fatalf("cancelled under %d ids", len(ids))
			}
			f.always("after Stop the run never looks running", func(s *store.State) bool {
				session := s.Session(sim.Session)
				return session == nil || session.Last == nil || session.Last.CancelAt.IsZero() || session.Last.Confirmed || s.Blocked(sim.Session) != store.BlockRunning
			})
			f.send("下一步")
		})
	}
}

// B22: a cancellation that is never confirmed says so, and goes on being asked about.
func TestACancellationThatIsNeverConfirmed(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	f.client.Acts.Stop(sim.Session)
	f.pass(30 * time.Second)
	if !f.last().Unconfirmed {
		t.Fatal("nothing says that the confirmation is late")
	}
	f.wantBlocked(store.BlockCancelling)
	f.server.End(r, "cancelled", "")
	f.pass(30 * time.Second)
	f.wantBlocked(store.BlockConfirming)
	n := len(f.sent("control"))
	f.pass(time.Minute)
	if more := len(f.sent("control")) - n; more < 10 || more > 40 {
		t.Fatalf("%d readings in a minute", more)
	}
	r.Confirm(true, true, true)
	f.client.Acts.CheckStop(sim.Session)
	f.pass(6 * time.Second)
	f.wantBlocked(store.BlockNone)
	if f.last().Unconfirmed {
		t.Fatal("confirmed, yet said not to be")
	}
}

// B24: Stop sends nothing but the wish to stop; the draft stays.
func TestStopSendsNoMessage(t *testing.T) {
	f := newField(t)
	f.client.Acts.SaveDraft(sim.Session, "下一个问题")
	f.started(txt("A"))
	f.client.Acts.SaveDraft(sim.Session, "下一个问题")
	f.client.Acts.Stop(sim.Session)
	f.client.Acts.Stop(sim.Session)
	f.pass(0)
	f.server.End(f.run(), "cancelled", "")
	f.client.Acts.Stop(sim.Session) // the run has ended under the finger
	f.run().Confirm(true, true, true)
	f.pass(5 * time.Second)
	f.client.Acts.Stop(sim.Session)
	f.pass(5 * time.Second)
	f.wantSent("chat", 1)
	f.wantSent("cancel", 1)
	if f.client.Acts.Draft(sim.Session) != "下一个问题" {
		t.Fatal("the draft is lost")
	}
}

// B25: Stop before the run is known: the wish is kept, and the run is cancelled as soon as it is.
func TestStopBeforeTheRunIsKnown(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{There: 5 * time.Second}}
	f.send("你好")
	f.pass(time.Second)
	f.client.Acts.Stop(sim.Session)
	f.pass(3900 * time.Millisecond)
	f.wantBlocked(store.BlockCancelling)
	f.pass(200 * time.Millisecond) // the stream opens
	r := f.run()
	if len(r.CancelIDs) != 1 {
		t.Fatalf("the run is known, and was asked to stop %d times", len(r.CancelIDs))
	}
	ids := map[string]bool{}
	for _, req := range f.sent("cancel") {
		body := decode[protocol.CancelRequest](f, req)
		ids[body.CancelRequestID] = true
		if (body.Target.RunID == "") == (body.Target.StartRequestID == "") {
			t.Fatalf("not exactly one target: %s", req.Body)
		}
	}
	if len(ids) != 1 {
		t.Fatalf("cancelled under %d ids", len(ids))
	}
	f.emit(txt("doch"))
	if got := f.last().Status(); got != "cancelling" {
		t.Fatalf("shows %s", got)
	}
	f.finish("cancelled")
	f.pass(5 * time.Second)
	f.wantBlocked(store.BlockNone)
	f.wantSent("chat", 1)
}

// The answer that the run is unknown comes when it no longer is.
func TestStopWhileTheRunBecomesKnown(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{There: time.Second}}
	f.fates.Next["cancel"] = []sim.Fate{{Back: 2 * time.Second}}
	f.send("你好")
	f.client.Acts.Stop(sim.Session)
	f.pass(3 * time.Second)
	if f.last().Cancel != store.CancelAsked || len(f.run().CancelIDs) != 1 {
		t.Fatalf("cancel is %q, asked %d times", f.last().Cancel, len(f.run().CancelIDs))
	}
}

// A run that the server no longer knows cannot be cancelled; nobody goes on asking about it.
func TestStopOfARunThatIsGone(t *testing.T) {
	f := newField(t)
	f.started(txt("A"))
	f.fates.Next["cancel"] = []sim.Fate{{AnswerLost: true}}
	f.run().Cut()
	f.server.Runs = nil
	f.client.Acts.Stop(sim.Session)
	f.pass(time.Minute)
	n := len(f.sent("control"))
	f.pass(time.Minute)
	f.wantSent("control", n)
	f.wantTurn(f.last(), "failed", "A")
	f.wantBlocked(store.BlockNone)
}

// The wish to stop ends with the message: one that never arrived has nothing to stop.
func TestStopOfAMessageThatNeverArrived(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{NeverThere: true, There: 3 * time.Second}}
	f.send("你好")
	f.client.Acts.Stop(sim.Session)
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "unsent", "")
	f.wantBlocked(store.BlockNone)
	n := len(f.sent("cancel"))
	f.pass(time.Minute)
	f.wantSent("cancel", n)
	f.retry()
	f.emit(txt("A"))
	f.wantTurn(f.last(), "running", "A")
}

// A cancellation that the server refuses can be tried again, as the same one.
func TestACancellationThatIsRefused(t *testing.T) {
	f := newField(t)
	f.started(txt("A"))
	f.fates.Next["cancel"] = []sim.Fate{{Status: 500}, {AnswerLost: true}}
	f.client.Acts.Stop(sim.Session)
	f.pass(0)
	if f.last().Cancel != store.CancelFailed || f.last().CancelErr.Status != 500 {
		t.Fatalf("%+v", f.last())
	}
	f.wantBlocked(store.BlockRunning)
	f.client.Acts.Stop(sim.Session)
	f.finish("cancelled")
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "cancelled", "A")
	sent := f.sent("cancel")
	a, b := decode[protocol.CancelRequest](f, sent[0]), decode[protocol.CancelRequest](f, sent[1])
	if a.CancelRequestID != b.CancelRequestID {
		t.Fatalf("one cancellation has the ids %s and %s", a.CancelRequestID, b.CancelRequestID)
	}
}

// Cancelling that loses the race against completion is no error.
func TestACancellationThatComesTooLate(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	r.Silence()
	f.server.End(r, "completed", "")
	r.Confirm(true, true, true)
	f.client.Acts.Stop(sim.Session)
	f.pass(5 * time.Second)
	f.wantTurn(f.last(), "completed", "A")
	if f.last().CancelErr != nil || f.last().Cancel != store.CancelNone {
		t.Fatalf("%+v", f.last())
	}
}

// Only control knew of the end, and the final snapshot is not to be had: the session is read.
func TestTheEndIsLearnedByCancellingAndTheRestFromTheSession(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	r.Silence()
	f.server.Emit(r, sim.Frame{Events: []string{txt("B")}})
	f.server.End(r, "cancelled", "")
	r.Confirm(true, true, true)
	f.fates.Always["snapshot"] = sim.Fate{Status: 500}
	f.client.Acts.Stop(sim.Session)
	f.pass(10 * time.Second)
	f.wantTurn(f.last(), "cancelled", "AB")
	f.wantPhase(store.PhaseIdle)
}

// B26: a job and its run are cancelled apart.
func TestAJobAndItsRunAreCancelledApart(t *testing.T) {
	f := newField(t)
	cancelled := map[string]bool{}
	f.server.Custom = func(req wire.Request) *wire.Response {
		id := strings.Split(req.Path, "/")
		switch sim.Kind(req) {
		case "job cancel":
			cancelled[id[5]] = true
			return sim.OK(map[string]bool{"accepted": true})
		case "job control":
			c := protocol.JobControl{JobID: id[5], Status: "running"}
			if cancelled[id[5]] {
				c = protocol.JobControl{JobID: id[5], Status: "cancelled", ExecutionStopped: true, TerminalPersisted: true}
			}
			return sim.OK(c)
		}
		return nil
	}
	f.started(job("j-1"), job("j-2"))
	f.finish("completed")
	f.fates.Next["job cancel"] = []sim.Fate{{Status: 503, JSON: true}}
	f.client.Acts.CancelJob(sim.Session, "j-1")
	f.pass(0)
	if j := f.state().Job(sim.Session, "j-1"); j.State != store.ActOpen || j.Err == nil {
		t.Fatalf("%+v", j)
	}
	f.client.Acts.CancelJob(sim.Session, "j-1")
	f.client.Acts.CancelJob(sim.Session, "j-1")
	f.pass(5 * time.Second)
	if j := f.state().Job(sim.Session, "j-1"); !j.Done || j.Status != "cancelled" {
		t.Fatalf("%+v", j)
	}
	sent := f.wantSent("job cancel", 2)
	if !bytes.Equal(sent[0].Body, sent[1].Body) || sent[1].Path != protocol.PathCancelJob(sim.Session, "j-1") {
		t.Fatalf("sent %s %s, then %s", sent[0].Path, sent[0].Body, sent[1].Body)
	}
	f.started(job("j-3"))
	f.client.Acts.Stop(sim.Session)
	f.finish("cancelled")
	f.client.Acts.CancelJob(sim.Session, "j-3")
	f.pass(5 * time.Second)
	f.wantSent("cancel", 1)
	if j := f.state().Job(sim.Session, "j-2"); j.State != "" || cancelled["j-2"] || !cancelled["j-3"] {
		t.Fatalf("jobs %+v, cancelled %v", f.state().Jobs, cancelled)
	}
}

func TestTheOutcomeOfCancellingAJobIsLookedUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		arrived bool
		state   store.ActState
		done    bool
	}{{"it arrived", true, store.ActAccepted, true}, {"it did not", false, store.ActOpen, false}} {
		t.Run(c.name, func(t *testing.T) {
			f := newField(t)
			f.server.Custom = func(req wire.Request) *wire.Response {
				if sim.Kind(req) != "job control" {
					return nil
				}
				if c.arrived {
					return sim.OK(protocol.JobControl{JobID: "j-1", Status: "cancelled", ExecutionStopped: true, TerminalPersisted: true})
				}
				return sim.OK(protocol.JobControl{JobID: "j-1", Status: "running"})
			}
			f.started(job("j-1"))
			f.fates.Next["job cancel"] = []sim.Fate{{Status: 502}}
			f.client.Acts.CancelJob(sim.Session, "j-1")
			f.pass(5 * time.Second)
			if j := f.state().Job(sim.Session, "j-1"); j.State != c.state || j.Done != c.done {
				t.Fatalf("%+v", j)
			}
			f.wantSent("job cancel", 1)
		})
	}
}

// uploads answers uploads of these files with tokens.
func uploads(tokens map[string]string) func(wire.Request) *wire.Response {
	return func(req wire.Request) *wire.Response {
		if sim.Kind(req) != "upload" {
			return nil
		}
		return sim.OK(protocol.Upload{FileToken: tokens[req.File.(string)], Filename: "garbled", Size: 1})
	}
}

// B64, B66: nothing goes out while a file is on its way or has failed; one failed file is uploaded
// again alone; a message sent again uses the same tokens.
func TestUploads(t *testing.T) {
	f := newField(t)
	f.server.Custom = uploads(map[string]string{"one": "tok-1", "two": "tok-2", "three": "tok-3"})
	name := "测试 文档(1).pdf"
	f.fates.Next["upload"] = []sim.Fate{{}, {NeverThere: true, There: time.Second}, {Back: time.Minute}}
	f.client.Acts.Attach(sim.Session, name, 3, "one")
	f.client.Acts.Attach(sim.Session, name, 5, "two")
	f.pass(0)
	files := func() []store.File { return f.state().Composers[sim.Session].Files }
	if f.client.Acts.Send(sim.Session, "看附件") {
		t.Fatal("sent while a file is on its way")
	}
	f.pass(2 * time.Second)
	if l := files(); len(l) != 2 || l[0].State != store.FileReady || l[1].State != store.FileFailed || l[1].Err.Code != protocol.CodeNetwork || l[1].Name != name {
		t.Fatalf("%+v", l)
	}
	if f.client.Acts.Send(sim.Session, "看附件") {
		t.Fatal("sent without the file that failed")
	}
	f.client.Acts.Attach(sim.Session, "three", 1, "three")
	f.client.Acts.RemoveFile(sim.Session, files()[2].ID) // while it uploads
	f.client.Acts.RetryUpload(files()[1].ID)
	f.client.Acts.RetryUpload(files()[1].ID)
	f.client.Acts.RetryUpload(files()[0].ID)
	f.pass(time.Second)
	if sent := f.wantSent("upload", 4); sent[3].File != "two" {
		t.Fatalf("uploaded %v again", sent[3].File)
	}
	f.fates.Next["chat"] = []sim.Fate{{Status: 500}}
	f.send("看附件")
	if len(files()) != 0 {
		t.Fatalf("files stay in the box: %+v", files())
	}
	f.retry()
	body := decode[protocol.ChatRequest](f, f.sent("chat")[1])
	want := []protocol.Attachment{{FileToken: "tok-1", Filename: name}, {FileToken: "tok-2", Filename: name}}
	if len(body.Attachments) != 2 || body.Attachments[0] != want[0] || body.Attachments[1] != want[1] {
		t.Fatalf("sent with %+v", body.Attachments)
	}
	f.pass(2 * time.Minute)
	f.wantSent("upload", 4)
	if len(files()) != 0 {
		t.Fatalf("a removed file came back: %+v", files())
	}
}

func TestUploadedFilesSurviveARefresh(t *testing.T) {
	f := newField(t)
	f.server.Custom = uploads(map[string]string{"one": "tok-1"})
	f.client.Acts.Attach(sim.Session, "a.csv", 3, "one")
	f.pass(0)
	f.refresh()
	if l := f.state().Composers[sim.Session].Files; len(l) != 1 || l[0].Token != "tok-1" {
		t.Fatalf("%+v", l)
	}
	f.client.Acts.RemoveFile(sim.Session, f.state().Composers[sim.Session].Files[0].ID)
	f.refresh()
	if l := f.state().Composers[sim.Session].Files; len(l) != 0 {
		t.Fatalf("%+v", l)
	}
}

// Two tabs do not write over each other's draft; a tab opened later finds the newest.
func TestDraftsOfTwoTabs(t *testing.T) {
	f := newField(t)
	other := &field{T: t, clock: f.clock, server: f.server, fates: f.fates, local: f.local, tab: sim.Storage{}}
	other.open()
	f.client.Acts.SaveDraft(sim.Session, "甲")
	other.client.Acts.SaveDraft(sim.Session, "乙")
	f.refresh()
	other.refresh()
	if a, b := f.client.Acts.Draft(sim.Session), other.client.Acts.Draft(sim.Session); a != "甲" || b != "乙" {
		t.Fatalf("drafts %q and %q", a, b)
	}
	third := &field{T: t, clock: f.clock, server: f.server, fates: f.fates, local: f.local, tab: sim.Storage{}}
	third.open()
	if got := third.client.Acts.Draft(sim.Session); got != "乙" {
		t.Fatalf("a third tab finds %q", got)
	}
	f.client.Acts.SaveDraft(sim.Session, "")
	if got := f.client.Acts.Draft(sim.Session); got != "" {
		t.Fatalf("an emptied box shows %q", got)
	}
	if got := other.client.Acts.Draft(sim.Session); got != "乙" {
		t.Fatalf("emptying one box emptied another: %q", got)
	}
}

// A first message makes its session first; nothing of it is lost if that fails.
func TestTheFirstMessageOfANewSession(t *testing.T) {
	f := newField(t)
	f.client.Acts.Show("")
	f.client.Acts.SaveDraft("", "第一句")
	f.fates.Next["sessions"] = []sim.Fate{{Status: 500}}
	f.client.Acts.Send("", "第一句")
	f.pass(0)
	if c := f.state().Composers[""]; c.Creating || c.Err == nil || f.client.Acts.Draft("") != "第一句" {
		t.Fatalf("%+v, draft %q", c, f.client.Acts.Draft(""))
	}
	f.server.Custom = func(req wire.Request) *wire.Response {
		if req.Method == "POST" && req.Path == protocol.PathSessions {
			return sim.OK(protocol.SessionInfo{SessionID: "s-2", Title: "new"})
		}
		return nil
	}
	f.client.Acts.Send("", "第一句")
	if f.client.Acts.Send("", "第一句") || f.state().Blocked("") != store.BlockSubmitting {
		t.Fatal("a double click makes two sessions")
	}
	f.pass(0)
	if f.state().Current != "s-2" || len(f.other.Runs) != 1 || f.other.Runs[0].Text != "第一句" || f.client.Acts.Draft("") != "" {
		t.Fatalf("session %q, %d runs, draft %q", f.state().Current, len(f.other.Runs), f.client.Acts.Draft(""))
	}
	f.wantSent("chat", 1)
	f.other.Emit(f.other.Runs[0], sim.Frame{Events: []string{txt("好")}})
	f.pass(0)
	if got := text(f.state().Session("s-2").Last); got != "好" {
		t.Fatalf("says %q", got)
	}
}

// The page's address changes a moment after the session is there; the stream may be faster.
func TestTheFirstAnswerIsWatchedBeforeTheAddressHasChanged(t *testing.T) {
	f := newField(t)
	f.client.Acts.Show("")
	f.client.Acts.Navigate = func(sid string) { f.clock.After(time.Second, func() { f.client.Acts.Show(sid) }) }
	f.server.Custom = func(req wire.Request) *wire.Response {
		if req.Method == "POST" && req.Path == protocol.PathSessions {
			return sim.OK(protocol.SessionInfo{SessionID: "s-2", Title: "new"})
		}
		return nil
	}
	f.client.Acts.Send("", "第一句")
	f.pass(0)
	f.other.Emit(f.other.Runs[0], sim.Frame{Events: []string{txt("好")}})
	f.pass(2 * time.Second)
	f.wantSent("chat", 1)
	f.wantSent("resume", 0)
	if got := text(f.state().Session("s-2").Last); got != "好" {
		t.Fatalf("says %q", got)
	}
}

func TestASessionThatIsNotMadeInTime(t *testing.T) {
	f := newField(t)
	f.client.Acts.Show("")
	f.client.Acts.SaveDraft("", "第一句")
	f.fates.Next["sessions"] = []sim.Fate{{Hangs: true}}
	f.client.Acts.Send("", "第一句")
	f.pass(3 * time.Minute)
	if c := f.state().Composers[""]; c.Creating || c.Err == nil || f.client.Acts.Draft("") != "第一句" {
		t.Fatalf("%+v, draft %q", c, f.client.Acts.Draft(""))
	}
}

// Editing the latest turn replaces it, once the server has taken the edit; the draft that stood in
// the box comes back.
func TestEditingTheLatestTurn(t *testing.T) {
	f := newField(t)
	f.started(txt("甲"))
	f.client.Acts.Edit(sim.Session, "draft") // not while it runs
	if f.state().Composers[sim.Session].EditTurn != "" {
		t.Fatal("a running turn is edited")
	}
	f.finish("completed")
	f.client.Acts.Edit(sim.Session, "an unsent draft")
	c := f.state().Composers[sim.Session]
	if c.EditTurn != f.last().Key || c.Restore != "你好" || f.client.Acts.Draft(sim.Session) != "你好" {
		t.Fatalf("%+v", c)
	}
	f.client.Acts.CancelEdit(sim.Session)
	if c := f.state().Composers[sim.Session]; c.EditTurn != "" || c.Restore != "an unsent draft" || f.client.Acts.Draft(sim.Session) != "an unsent draft" {
		t.Fatalf("%+v", c)
	}
	f.client.Acts.Edit(sim.Session, "an unsent draft")
	f.fates.Next["chat"] = []sim.Fate{{Status: 500}}
	f.send("你们好")
	if f.session().Turns() != 2 || f.session().Turn(0).User.Text != "你好" {
		t.Fatal("the edited turn is gone before the server took the edit")
	}
	f.client.Acts.Retry(sim.Session, f.last().Key)
	f.pass(0)
	body := decode[protocol.ChatRequest](f, f.sent("chat")[2])
	if body.EditTurnID != "t-1" || body.Message != "你们好" {
		t.Fatalf("%+v", body)
	}
	if f.session().Turns() != 1 || f.last().User.Text != "你们好" {
		t.Fatalf("%d turns", f.session().Turns())
	}
	if got := f.client.Acts.Draft(sim.Session); got != "an unsent draft" {
		t.Fatalf("the draft is %q", got)
	}
}

// Reads wait as long as the server asks for, and then go on by themselves.
func TestReadsHonourRetryAfter(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"))
	f.fates.Next["snapshot"] = []sim.Fate{{Status: 429, RetryAfter: "9"}}
	r.Write(raw(r, "null", `{"type":"stream_recovery_required"}`) + "\n\n")
	f.pass(8 * time.Second)
	f.wantSent("snapshot", 1)
	f.pass(2 * time.Second)
	f.wantSent("snapshot", 2)
	f.fates.Next["control"] = []sim.Fate{{Status: 503, JSON: true, RetryAfter: "9"}}
	n := len(f.sent("control"))
	f.server.End(r, "completed", "")
	r.Confirm(true, true, true)
	f.pass(6 * time.Second) // the next poll tells of the end
	f.wantSent("control", n+1)
	f.wantBlocked(store.BlockConfirming)
	f.pass(10 * time.Second)
	f.wantBlocked(store.BlockNone)
	f.fates.Next["session"] = []sim.Fate{{Status: 429, RetryAfter: "9"}}
	n = len(f.sent("session"))
	f.client.Watcher.Reload()
	f.pass(8 * time.Second)
	f.wantSent("session", n+1)
	f.pass(2 * time.Second)
	f.wantSent("session", n+2)
}

// What is stored before a request leaves is enough to send the very same one.
func TestAMessageIsStoredBeforeItLeaves(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{Hangs: true}}
	f.send("你好")
	var stored struct {
		Body json.RawMessage `json:"body"`
	}
	value, ok := f.tab.Load("send/s-1/id-1")
	if !ok || json.Unmarshal([]byte(value), &stored) != nil || !bytes.Equal(stored.Body, f.sent("chat")[0].Body) {
		t.Fatalf("stored %s\nsent %s", stored.Body, f.sent("chat")[0].Body)
	}
}
