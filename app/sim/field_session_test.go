package sim_test

import (
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// A message given up as unsent, which the network delivers after all, is shown once, as what it is.
func TestAMessageThatArrivesLate(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{There: time.Minute}}
	f.send("慢")
	f.pass(55 * time.Second)
	f.wantTurn(f.last(), "unsent", "")
	f.pass(30 * time.Second)
	f.emit(txt("到"))
	f.wantTurn(f.last(), "running", "到")
	f.client.Acts.Retry(sim.Session, f.last().Key)
	f.pass(time.Second)
	f.wantSent("chat", 1)
	if f.session().Turns() != 1 {
		t.Fatalf("%d turns", f.session().Turns())
	}
	f.refresh()
	if f.session().Turns() != 1 {
		t.Fatalf("after a refresh, %d turns", f.session().Turns())
	}
}

// An unsent message does not keep others from being sent, and is not sent into their run.
func TestAnUnsentMessageWaitsForTheRunBehindIt(t *testing.T) {
	f := newField(t)
	f.fates.Next["chat"] = []sim.Fate{{Status: 500}}
	f.send("一")
	unsent := f.last().Key
	f.send("二")
	f.client.Acts.Retry(sim.Session, unsent)
	f.pass(0)
	f.wantSent("chat", 2)
	f.finish("completed")
	f.client.Acts.Retry(sim.Session, unsent)
	f.pass(0)
	f.wantSent("chat", 3)
	if f.server.Chats != 2 {
		t.Fatalf("%d runs", f.server.Chats)
	}
}

// What happens to the session on screen in another tab comes to be shown here.
func TestAnotherTabsRunIsNoticed(t *testing.T) {
	f := newField(t)
	other := &field{T: t, clock: f.clock, server: f.server, fates: f.fates, local: f.local, tab: sim.Storage{}}
	other.ids = 1000
	other.open()
	other.send("dort")
	f.pass(12 * time.Second)
	f.emit(txt("A"))
	f.wantTurn(f.last(), "running", "A")
	f.wantBlocked(store.BlockRunning)
	f.wantSent("chat", 0)
}

// What the server cannot do is not offered, and not asked for.
func TestWhatIsNotOfferedIsNotDone(t *testing.T) {
	f := newField(t)
	f.server.Custom = func(req wire.Request) *wire.Response {
		if sim.Kind(req) == "capabilities" {
			return &wire.Response{Status: 200, ContentType: protocol.JSONType, Body: []byte(`{"run_cancel_v1":"yes","job_cancel_v1":null,"other":true}`)}
		}
		return nil
	}
	f.refresh()
	f.started(job("j-1"))
	if f.state().CanStop(sim.Session) {
		t.Fatal("stop is offered")
	}
	f.client.Acts.Stop(sim.Session)
	f.client.Acts.CancelJob(sim.Session, "j-1")
	f.finish("completed")
	f.client.Acts.Edit(sim.Session, "")
	f.pass(time.Second)
	f.wantSent("cancel", 0)
	f.wantSent("job cancel", 0)
	if f.state().Composers[sim.Session].EditTurn != "" {
		t.Fatal("a turn is edited")
	}
}

// The session list: pages, search, titles, and what becomes of a deleted session.
func TestTheSessionList(t *testing.T) {
	f := newField(t)
	next := "page 2"
	f.server.Custom = func(req wire.Request) *wire.Response {
		row := func(ids ...string) (rows []protocol.SessionInfo) {
			for _, id := range ids {
				rows = append(rows, protocol.SessionInfo{SessionID: id, Title: id})
			}
			return rows
		}
		switch req.Method + " " + req.Path {
		case "GET /api/sessions":
			return sim.OK(protocol.SessionPage{Sessions: row("s-1", "s-2"), NextCursor: &next})
		case "GET /api/sessions?cursor=page%202":
			return sim.OK(protocol.SessionPage{Sessions: row("s-3")})
		case "GET /api/sessions?q=%E5%9B%BE":
			return sim.OK(protocol.SessionPage{Sessions: row("s-9")})
		case "PATCH /api/sessions/s-2":
			return sim.OK(protocol.SessionInfo{SessionID: "s-2", Title: "图"})
		case "DELETE /api/sessions/s-1":
			return &wire.Response{Status: 204}
		}
		return nil
	}
	rows := func() string {
		var list []string
		for _, row := range f.state().Sessions.Rows {
			list = append(list, row.SessionID+"="+row.Title)
		}
		return strings.Join(list, " ")
	}
	want := func(list string) {
		t.Helper()
		if got := rows(); got != list {
			t.Fatalf("the list is %s, want %s", got, list)
		}
	}
	f.pass(10 * time.Second)
	want("s-1=s-1 s-2=s-2")
	f.client.Acts.MoreSessions()
	f.pass(20 * time.Second)
	want("s-1=s-1 s-2=s-2 s-3=s-3")
	f.client.Acts.SearchSessions("图")
	f.pass(0)
	want("s-9=s-9")
	f.client.Acts.SearchSessions("")
	f.pass(0)
	f.client.Acts.Rename("s-2", "图")
	f.pass(0)
	want("s-1=s-1 s-2=图")
	f.client.Acts.SaveDraft(sim.Session, "draft")
	f.fates.Next["session"] = []sim.Fate{{Status: 500}}
	f.client.Acts.Delete(sim.Session)
	f.pass(0)
	if n := f.state().Notice; n == nil || !n.Bad || f.state().Current != sim.Session {
		t.Fatalf("%+v", n)
	}
	f.client.Acts.Dismiss()
	f.client.Acts.Delete(sim.Session)
	f.pass(0)
	if f.state().Current != "" || f.session() != nil || f.state().Notice != nil || f.client.Acts.Draft(sim.Session) != "" {
		t.Fatalf("on screen %q, %+v", f.state().Current, f.session())
	}
	want("s-2=图")
	f.fates.Always["sessions"] = sim.Fate{Hangs: true}
	f.pass(10 * time.Second)
	f.fates.Always = map[string]sim.Fate{}
	n := len(f.sent("sessions"))
	f.pass(3 * time.Minute)
	if len(f.sent("sessions")) == n {
		t.Fatal("a list that never came is never read again")
	}
}

// A session that is not there says so and is not asked for again and again.
func TestASessionThatIsNotThere(t *testing.T) {
	for _, status := range []int{404, 410, 403} {
		f := newField(t)
		f.fates.Always["session"] = sim.Fate{Status: status}
		f.refresh()
		f.pass(time.Minute)
		f.wantPhase(store.PhaseFailed)
		if e := f.session().LoadErr; e == nil || e.Status != status {
			t.Fatalf("%d: %v", status, e)
		}
		if n := len(f.sent("session")); n > 3 {
			t.Fatalf("%d: read %d times", status, n)
		}
		f.wantBlocked(store.BlockLoading)
		f.fates.Always = map[string]sim.Fate{}
		f.client.Watcher.Reload()
		f.pass(0)
		f.wantBlocked(store.BlockNone)
		if f.session().LoadErr != nil {
			t.Fatal("read, yet said not to be there")
		}
	}
}

// A server restart ends what was running; what was saved is shown.
func TestARestartOfTheServer(t *testing.T) {
	f := newField(t)
	r := f.started(txt("A"), ask("q-1", "rm", `1`))
	r.Saved = r.Ref.Copy()
	f.server.Down = true
	r.Cut()
	f.pass(30 * time.Second)
	f.wantApproval("q-1", "pending")
	f.server.Restart()
	f.server.Down = false
	f.pass(30 * time.Second)
	f.wantTurn(f.last(), "failed", "A")
	f.wantApproval("q-1", "cancelled")
	if e := f.last().Run.Error; e == nil || e.Code != protocol.CodeInterrupted {
		t.Fatalf("the reason is %v", e)
	}
	f.wantBlocked(store.BlockNone)
	f.wantPhase(store.PhaseIdle)
	f.wantSent("chat", 1)
	f.wantSent("feedback", 0)
}

// A mistake of the fold, or of a server whose stream and records differ, is healed at the end.
func TestAContentThatDiffersFromTheFinalSnapshotIsHealed(t *testing.T) {
	f := newField(t)
	r := f.started(txt("wrong"))
	r.Ref.Items[0].Message.Text = "right"
	f.finish("completed")
	f.wantTurn(f.last(), "completed", "right")
	if f.state().Healed != 1 {
		t.Fatalf("healed %d", f.state().Healed)
	}
	f.send("next")
	f.emit(txtOf("a-2", "same"))
	f.finish("completed")
	if f.state().Healed != 1 {
		t.Fatal("what agrees was healed")
	}
}
