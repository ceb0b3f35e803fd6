package sim_test

import (
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// paused is a run that waits for a decision on q-1.
func paused(t *testing.T) (*field, *sim.Run) {
	f := newField(t)
	r := f.started(txt("A"), ask("q-1", "send_mail", `{"to":"a@example.com"}`))
	f.wantApproval("q-1", "pending")
	f.wantBlocked(store.BlockApproval)
	return f, r
}

func (f *field) decision(requestID string) store.Decision {
	f.Helper()
	return f.state().Decision(f.last().Run.ID, requestID)
}

func (f *field) feedback(i int) protocol.FeedbackRequest {
	f.Helper()
	list := f.sent("feedback")
	if i >= len(list) {
		f.Fatalf("%d decisions were sent", len(list))
	}
	return decode[protocol.FeedbackRequest](f, list[i])
}

// B27: however often and whatever is clicked, one decision goes out, and the buttons are off from
// the first click on.
func TestOneDecisionIsSubmittedOnce(t *testing.T) {
	f, r := paused(t)
	decide := func(decision string) bool { return f.client.Acts.Decide(sim.Session, "q-1", decision, "", "") }
	if !decide(protocol.Approve) {
		t.Fatal("not taken")
	}
	if got := approval(f.state(), "q-1"); got != "submitting" {
		t.Fatalf("after the click it shows %s", got)
	}
	if decide(protocol.Approve) || decide(protocol.Reject) {
		t.Fatal("decided twice in one tick")
	}
	f.pass(0)
	for range 20 {
		decide(protocol.Approve)
		f.pass(50 * time.Millisecond)
	}
	f.wantSent("feedback", 1)
	want := protocol.FeedbackRequest{RunID: r.ID, RequestID: "q-1", DecisionID: f.feedback(0).DecisionID, Decision: "approve", ToolCallID: "c-q-1", ToolName: "send_mail"}
	if got := f.feedback(0); got != want || got.DecisionID == "" {
		t.Fatalf("sent %+v", got)
	}
	f.wantApproval("q-1", "approved")
	f.wantTurn(f.last(), "running", "A")
	f.emit(txt("B"))
	f.wantTurn(f.last(), "running", "AB")
	f.wantSent("chat", 1)
}

// Two tabs: one request takes one decision.
func TestTwoTabsMakeOneDecision(t *testing.T) {
	f, _ := paused(t)
	other := &field{T: t, clock: f.clock, server: f.server, fates: f.fates, local: f.local, tab: sim.Storage{}}
	other.ids = 1000
	other.open()
	f.fates.Next["feedback"] = []sim.Fate{{There: time.Second, Back: time.Second}}
	f.decide("q-1", protocol.Approve)
	other.decide("q-1", protocol.Reject)
	f.pass(20 * time.Second)
	if n := len(f.sent("feedback")) + len(other.sent("feedback")); n != 1 {
		t.Fatalf("%d decisions were sent", n)
	}
	f.wantApproval("q-1", "approved")
	other.wantApproval("q-1", "approved")
}

// B28: after a refresh a decided request is never clickable, not for an instant, and the undecided
// one is.
func TestRefreshWithDecidedAndPendingRequests(t *testing.T) {
	f, _ := paused(t)
	f.decide("q-1", protocol.Approve)
	f.emit(ask("q-2", "rm", `1`))
	f.decide("q-2", protocol.Reject)
	f.emit(ask("q-3", "rm", `2`))
	f.run().Saved = f.run().Ref.Copy()
	for name, fate := range map[string]sim.Fate{"replayed at once": {}, "replayed byte by byte": {Chunk: 1}} {
		t.Run(name, func(t *testing.T) {
			f.T = t
			f.states = nil
			f.fates.Always["resume"] = fate
			f.refresh()
			f.wantApproval("q-1", "approved")
			f.wantApproval("q-2", "rejected")
			f.wantApproval("q-3", "pending")
			f.wantBlocked(store.BlockApproval)
			f.wantPhase(store.PhasePaused)
			f.always("q-1 and q-2 have no buttons", func(s *store.State) bool {
				one, two := approval(s, "q-1"), approval(s, "q-2")
				return (one == "" || one == "approved") && (two == "" || two == "rejected")
			})
		})
	}
}

// B29: the answer to a decision is lost. Control is read before anything is sent again.
func TestTheAnswerToADecisionIsLost(t *testing.T) {
	t.Run("it was recorded", func(t *testing.T) {
		f, _ := paused(t)
		f.fates.Next["feedback"] = []sim.Fate{{AnswerLost: true}}
		f.fates.Next["control"] = []sim.Fate{{Back: 2 * time.Second}}
		f.decide("q-1", protocol.Approve)
		f.pass(10 * time.Second)
		f.wantApproval("q-1", "approved")
		f.wantSent("feedback", 1)
		if got := f.last().Status(); got != "running" {
			t.Fatalf("the run is %s", got)
		}
	})
	t.Run("it was not", func(t *testing.T) {
		f, _ := paused(t)
		f.fates.Next["feedback"] = []sim.Fate{{NeverThere: true}, {NeverThere: true}}
		f.fates.Next["control"] = []sim.Fate{{Back: time.Second}}
		f.decide("q-1", protocol.Approve)
		f.wantApproval("q-1", "checking")
		f.wantBlocked(store.BlockDeciding)
		if f.decide("q-1", protocol.Approve) {
			t.Fatal("sent again before control was read")
		}
		f.pass(2 * time.Second)
		f.wantApproval("q-1", "pending")
		f.wantSent("feedback", 1)
		f.pass(time.Minute)
		f.wantSent("feedback", 1)
		f.decide("q-1", protocol.Approve)
		f.pass(time.Second)
		f.decide("q-1", protocol.Reject)
		f.pass(time.Second)
		f.wantSent("feedback", 3)
		a, b, c := f.feedback(0), f.feedback(1), f.feedback(2)
		if a != b {
			t.Fatalf("the same decision went out as %+v, then %+v", a, b)
		}
		if c.DecisionID == a.DecisionID || c.Decision != "reject" {
			t.Fatalf("another decision went out as %+v", c)
		}
		f.wantApproval("q-1", "rejected")
	})
	t.Run("nobody can tell", func(t *testing.T) {
		f, _ := paused(t)
		f.fates.Next["feedback"] = []sim.Fate{{NeverThere: true}}
		f.fates.Always["control"] = sim.Fate{NeverThere: true}
		f.decide("q-1", protocol.Approve)
		f.pass(time.Minute)
		f.wantApproval("q-1", "checking")
		if d := f.decision("q-1"); d.State != store.ActUnsure && d.State != store.ActChecking || d.Err == nil {
			t.Fatalf("%+v", d)
		}
		f.wantSent("feedback", 1)
		f.fates.Always = map[string]sim.Fate{}
		f.client.Acts.CheckDecision(f.last().Run.ID, "q-1")
		f.pass(time.Second)
		f.wantApproval("q-1", "pending")
		f.wantSent("feedback", 1)
	})
	t.Run("across a refresh", func(t *testing.T) {
		f, _ := paused(t)
		f.fates.Next["feedback"] = []sim.Fate{{NeverThere: true, There: time.Minute}}
		f.decide("q-1", protocol.Approve)
		first := f.feedback(0)
		f.refresh()
		f.wantApproval("q-1", "pending")
		f.wantSent("feedback", 1)
		f.decide("q-1", protocol.Approve)
		if again := f.feedback(1); again != first {
			t.Fatalf("the same decision went out as %+v, then %+v", first, again)
		}
		f.wantApproval("q-1", "approved")
	})
	t.Run("no answer at all", func(t *testing.T) {
		f, _ := paused(t)
		f.fates.Next["feedback"] = []sim.Fate{{Hangs: true}}
		f.decide("q-1", protocol.Approve)
		f.pass(time.Minute)
		f.wantApproval("q-1", "pending")
		f.wantSent("feedback", 1)
	})
}

// A decision that came too late, or to a request that is not there: what is true is shown, and a
// request that still waits is not hidden.
func TestARefusedDecision(t *testing.T) {
	t.Run("decided elsewhere", func(t *testing.T) {
		f, r := paused(t)
		r.Silence()
		f.server.DecideElsewhere(protocol.Reject)
		f.decide("q-1", protocol.Approve)
		f.wantApproval("q-1", "rejected")
		if d := f.decision("q-1"); d.State != store.ActConflict || d.Truth != "reject" {
			t.Fatalf("%+v", d)
		}
		f.wantSent("feedback", 1)
	})
	for name, fate := range map[string]sim.Fate{
		"stale": {Status: 409, Type: protocol.JSONType, Text: `{"code":"REQUEST_STALE"}`}, "mismatch": {Status: 409, Type: protocol.JSONType, Text: `{"code":"REQUEST_MISMATCH"}`},
		"gone, it is said": {Status: 410}, "overloaded": {Status: 429, RetryAfter: "5"}, "a page": {Status: 200}, "not signed in": {Status: 401},
	} {
		t.Run(name+", and yet it still waits", func(t *testing.T) {
			f, _ := paused(t)
			f.fates.Next["feedback"] = []sim.Fate{fate}
			f.decide("q-1", protocol.Approve)
			f.pass(10 * time.Second)
			f.wantApproval("q-1", "pending")
			if d := f.decision("q-1"); d.State != store.ActOpen || d.Err == nil {
				t.Fatalf("%+v", d)
			}
			f.wantSent("feedback", 1)
			f.decide("q-1", protocol.Approve)
			f.wantApproval("q-1", "approved")
			if f.feedback(0) != f.feedback(1) {
				t.Fatal("the same decision has two ids")
			}
		})
	}
	t.Run("the run is gone", func(t *testing.T) {
		f, r := paused(t)
		r.Cut()
		f.server.Runs = nil
		f.decide("q-1", protocol.Approve)
		f.pass(10 * time.Second)
		f.wantApproval("q-1", "cancelled")
		f.wantBlocked(store.BlockNone)
	})
}

// B31: a request blocks its own session, and no other.
func TestARequestBlocksItsOwnSessionOnly(t *testing.T) {
	f, _ := paused(t)
	f.client.Acts.Show("s-2")
	f.pass(time.Second)
	if !f.client.Acts.Send("s-2", "hi") {
		t.Fatalf("s-2 is blocked by %q", f.state().Blocked("s-2"))
	}
	f.pass(time.Second)
	f.client.Acts.Show(sim.Session)
	f.pass(time.Second)
	f.client.Acts.SaveDraft(sim.Session, "hi")
	if f.client.Acts.Send(sim.Session, "hi") {
		t.Fatal("sent past a request that waits")
	}
	f.wantBlocked(store.BlockApproval)
	if f.client.Acts.Draft(sim.Session) != "hi" {
		t.Fatal("the text is lost")
	}
	f.wantSent("chat", 2)
}

// B32: the card stays while the connection flaps, and goes only when the server says so.
func TestTheCardStaysWhileTheConnectionFlaps(t *testing.T) {
	stays := func(f *field) {
		f.Helper()
		f.wantApproval("q-1", "pending")
		shown := false
		f.always("the card, once shown, stays", func(s *store.State) bool {
			is := approval(s, "q-1") == "pending"
			shown = shown || is
			return is || !shown
		})
		if got := f.last().Status(); got != "paused" {
			f.Fatalf("the run shows as %s", got)
		}
	}
	for name, flap := range map[string]func(*sim.Run){"the stream ends after the pause": (*sim.Run).CloseStreams, "the stream is cut": (*sim.Run).Cut} {
		t.Run(name, func(t *testing.T) {
			f, r := paused(t)
			flap(r)
			n := len(f.sent("control"))
			f.pass(time.Minute)
			stays(f)
			f.wantPhase(store.PhasePaused)
			f.wantSent("resume", 0)
			if polls := len(f.sent("control")) - n; polls < 10 || polls > 13 {
				t.Fatalf("%d readings of control in a minute", polls)
			}
			f.server.DecideElsewhere(protocol.Reject)
			f.pass(6 * time.Second)
			f.wantApproval("q-1", "rejected")
			f.emit(txt("B"))
			f.wantTurn(f.last(), "running", "AB")
			f.wantSent("resume", 1)
		})
	}
	t.Run("a snapshot takes its place", func(t *testing.T) {
		f, r := paused(t)
		r.Write(raw(r, "null", `{"type":"stream_recovery_required"}`) + "\n\n")
		f.pass(20 * time.Second)
		stays(f)
		f.wantPhase(store.PhaseSnapshot)
	})
	t.Run("control is out of reach", func(t *testing.T) {
		f, r := paused(t)
		r.CloseStreams()
		f.fates.Always["control"] = sim.Fate{NeverThere: true}
		f.fates.Always["resume"] = sim.Fate{NeverThere: true}
		f.pass(3 * time.Minute)
		stays(f)
		f.fates.Always = map[string]sim.Fate{}
		f.pass(10 * time.Second)
		f.wantPhase(store.PhasePaused)
	})
	t.Run("the page comes up: control is read at once", func(t *testing.T) {
		f, r := paused(t)
		r.CloseStreams()
		f.pass(time.Second)
		f.server.DecideElsewhere(protocol.Approve)
		f.client.Watcher.Nudge()
		f.pass(0)
		f.wantApproval("q-1", "approved")
	})
}

// B33: several requests: the oldest is decided first, each with its own decision, and sending stays
// blocked until all are.
func TestSeveralRequestsAtOnce(t *testing.T) {
	f := newField(t)
	f.started()
	f.emit(ask("q-1", "rm", `{"p":"a.txt"}`), ask("q-2", "rm", `{"p":"b.txt"}`))
	f.wantApproval("q-1", "pending")
	f.wantApproval("q-2", "waiting")
	if f.decide("q-2", protocol.Approve) || f.decide("q-9", protocol.Approve) {
		t.Fatal("decided out of turn")
	}
	f.wantSent("feedback", 0)
	f.decide("q-1", protocol.Reject)
	f.wantApproval("q-1", "rejected")
	f.wantApproval("q-2", "pending")
	f.wantBlocked(store.BlockApproval)
	f.decide("q-2", protocol.Approve)
	f.wantApproval("q-2", "approved")
	f.wantBlocked(store.BlockRunning)
	a, b := f.feedback(0), f.feedback(1)
	if a.RequestID != "q-1" || b.RequestID != "q-2" || a.DecisionID == b.DecisionID || a.ToolCallID != "c-q-1" || b.ToolCallID != "c-q-2" {
		t.Fatalf("sent %+v, then %+v", a, b)
	}
	f.wantSent("feedback", 2)
}

// B34: a second request of the same run, with the same arguments, is a request of its own.
func TestASecondRequestInTheSameRun(t *testing.T) {
	f, _ := paused(t)
	f.decide("q-1", protocol.Approve)
	f.emit(ask("q-2", "send_mail", `{"to":"a@example.com"}`))
	f.wantApproval("q-1", "approved")
	f.wantApproval("q-2", "pending")
	f.decide("q-2", protocol.Approve)
	if b := f.feedback(1); b.RequestID != "q-2" || b.DecisionID == f.feedback(0).DecisionID || b.RunID != f.feedback(0).RunID {
		t.Fatalf("sent %+v", b)
	}
	var seen []string
	for _, s := range f.states {
		if session := s.Session(sim.Session); session != nil && session.Last != nil {
			if status := session.Last.Run.Status; len(seen) == 0 || seen[len(seen)-1] != status {
				seen = append(seen, status)
			}
		}
	}
	if len(seen) != 5 || seen[1] != "paused" || seen[2] != "running" || seen[3] != "paused" || seen[4] != "running" {
		t.Fatalf("the run went %v", seen)
	}
}

// B35: an edited value goes out whole, as it was written; what is no value does not go out.
func TestModifiedArguments(t *testing.T) {
	for _, c := range []struct {
		name, patched string
		taken         bool
	}{
		{"a number changed", `{"to":"a@example.com","count":4,"note":null,"tags":["x"],"ok":false,"id":12345678901234567890,"x":1.0}`, true},
		{"a plain string", `"ls -l"`, true},
		{"null", `null`, true},
		{"half a value", `{"count":}`, false},
		{"two values", `1 2`, false},
		{"nothing", ``, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, _ := paused(t)
			taken := f.client.Acts.Decide(sim.Session, "q-1", protocol.Modify, "why", protocol.RawJSON(c.patched))
			f.pass(0)
			if taken != c.taken {
				t.Fatalf("taken: %v", taken)
			}
			if !c.taken {
				f.wantSent("feedback", 0)
				f.wantApproval("q-1", "pending")
				if !f.decide("q-1", protocol.Reject) {
					t.Fatal("the request cannot be decided any more")
				}
				return
			}
			if got := f.feedback(0); string(got.PatchedArgs) != c.patched || got.Comment != "why" || got.Decision != "modify" {
				t.Fatalf("sent %+v", got)
			}
			f.wantApproval("q-1", "modified")
		})
	}
	f, _ := paused(t)
	f.client.Acts.Decide(sim.Session, "q-1", protocol.Approve, "", `{"to":"b@example.com"}`)
	f.pass(0)
	if got := f.feedback(0); got.PatchedArgs != "" {
		t.Fatalf("an approval went out with %s", got.PatchedArgs)
	}
}

// All identities come from the request as the server names it now.
func TestTheIdentitiesAreThoseOfTheCurrentRequest(t *testing.T) {
	f, r := paused(t)
	r.CloseStreams()
	f.pass(time.Second)
	f.fates.Next["control"] = []sim.Fate{{Status: 200, Type: protocol.JSONType, Text: `{"run_id":"r-1","status":"paused","last_event_index":2,
		"paused_request":{"request_id":"q-1","tool_call_id":"c-new","tool_name":"send_mail_v2","args":{"to":"b@example.com"}}}`}}
	f.client.Watcher.Nudge()
	f.pass(0)
	f.decide("q-1", protocol.Approve)
	if got := f.feedback(0); got.ToolCallID != "c-new" || got.ToolName != "send_mail_v2" {
		t.Fatalf("sent %+v", got)
	}
}

// A skill candidate is decided through its own endpoint; the run is none of its business.
func TestSkillDecisions(t *testing.T) {
	offered := func(t *testing.T, answer func(wire.Request) *wire.Response) *field {
		f := newField(t)
		f.server.Custom = answer
		f.started(`{"type":"skill_candidate","candidate_id":"k-1","name":"n","description":"d"}`)
		f.finish("completed")
		return f
	}
	decide := func(f *field, decision string) {
		f.client.Acts.DecideSkill(sim.Session, "k-1", decision, "c")
		f.client.Acts.DecideSkill(sim.Session, "k-1", decision, "c")
		f.pass(time.Second)
	}
	skill := func(status string) *wire.Response {
		return sim.OK(protocol.Skill{CandidateID: "k-1", Name: "n", Status: status})
	}
	list := func(status string) *wire.Response {
		return sim.OK(map[string]any{"candidates": []protocol.Skill{{CandidateID: "k-0", Status: "reject"}, {CandidateID: "k-1", Status: status}}})
	}
	t.Run("taken", func(t *testing.T) {
		f := offered(t, func(req wire.Request) *wire.Response {
			if sim.Kind(req) == "skill decision" {
				return skill("approve")
			}
			return nil
		})
		decide(f, protocol.Approve)
		body := decode[protocol.SkillDecisionRequest](f, f.wantSent("skill decision", 1)[0])
		if body.Decision != "approve" || body.DecisionID == "" || body.Comment != "c" {
			t.Fatalf("%+v", body)
		}
		if d := f.state().Skills["k-1"]; d.State != store.ActAccepted || d.Truth != "approve" {
			t.Fatalf("%+v", d)
		}
		f.wantSent("feedback", 0)
		f.wantBlocked(store.BlockNone)
	})
	t.Run("decided elsewhere", func(t *testing.T) {
		f := offered(t, func(req wire.Request) *wire.Response {
			if sim.Kind(req) == "skill decision" {
				return &wire.Response{Status: 409, ContentType: protocol.JSONType, Body: []byte(`{"code":"ALREADY_DECIDED","candidate_id":"k-1","status":"reject"}`)}
			}
			return nil
		})
		decide(f, protocol.Approve)
		if d := f.state().Skills["k-1"]; d.State != store.ActConflict || d.Truth != "reject" {
			t.Fatalf("%+v", d)
		}
	})
	for _, c := range []struct {
		name, status string
		state        store.ActState
	}{{"the answer is lost, it was recorded", "approve", store.ActAccepted}, {"the answer is lost, it was not", "pending", store.ActOpen}} {
		t.Run(c.name, func(t *testing.T) {
			status := c.status
			f := offered(t, func(req wire.Request) *wire.Response {
				switch sim.Kind(req) {
				case "skills":
					return list(status)
				case "skill decision":
					return skill("approve")
				}
				return nil
			})
			f.fates.Next["skill decision"] = []sim.Fate{{Status: 502}}
			decide(f, protocol.Approve)
			if d := f.state().Skills["k-1"]; d.State != c.state {
				t.Fatalf("%+v", d)
			}
			f.wantSent("skill decision", 1)
			f.wantSent("skills", 1)
			if c.state == store.ActOpen {
				decide(f, protocol.Approve)
				sent := f.wantSent("skill decision", 2)
				if string(sent[0].Body) != string(sent[1].Body) {
					t.Fatalf("the same decision went out as %s, then %s", sent[0].Body, sent[1].Body)
				}
			}
		})
	}
}

// The id of a request is its own only within its run: what became of another run's request says
// nothing about this one.
func TestADecisionOnARequestOfTheSameIDInAnotherRunIsItsOwn(t *testing.T) {
	for name, between := range map[string]func(*field){
		"in the same page": func(*field) {},
		"after a refresh":  func(f *field) { f.refresh() },
	} {
		t.Run(name, func(t *testing.T) {
			f, first := paused(t)
			f.decide("q-1", protocol.Approve)
			f.pass(time.Second)
			f.wantApproval("q-1", "approved")
			f.finish("completed")
			between(f)
			second := f.started(ask("q-1", "send_mail", `{"to":"b@example.com"}`))
			f.wantApproval("q-1", "pending")
			f.wantBlocked(store.BlockApproval)
			if !f.decide("q-1", protocol.Reject) {
				t.Fatal("not taken")
			}
			f.pass(time.Second)
			f.wantApproval("q-1", "rejected")
			f.wantSent("feedback", 2)
			a, b := f.feedback(0), f.feedback(1)
			if a.RunID != first.ID || b.RunID != second.ID || a.DecisionID == b.DecisionID {
				t.Fatalf("sent %+v, then %+v", a, b)
			}
		})
	}
}
