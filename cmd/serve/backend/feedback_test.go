package backend

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
	"igraph-console/cmd/serve/graphs"
)

func decision(run, request, id, verdict string, fields ...string) string {
	return `{"run_id":"` + run + `","request_id":"` + request + `","decision_id":"` + id + `","decision":"` + verdict + `"` + strings.Join(fields, "") + `}`
}

// afterDecision is a script that asks, waits for the verdict, and ends with a message.
func afterDecision(asks ...string) Script {
	return func(ctx context.Context, stage *Stage) error {
		if err := frames(asks...)(ctx, stage); err != nil {
			return err
		}
		if err := stage.AwaitDecision(ctx, ""); err != nil {
			return err
		}
		return stage.Emit(nil, raw(hello))
	}
}

func (h *harness) decide(body string) *watch {
	h.t.Helper()
	return h.stream(protocol.PathFeedback(h.session), body)
}

func TestADecisionContinuesTheRunInItsIndexSequence(t *testing.T) {
	for verdict, args := range map[string]string{"approve": `{"n":12345678901234567890}`, "reject": "", "modify": `{"n":99999999999999999999,"b":null,"a":1.50}`} {
		t.Run(verdict, func(t *testing.T) {
			h := newHarness(t)
			h.script(afterDecision(ask("q-1")))
			w := h.chat("x")
			w.until("approval_required")
			c := h.control(w.run)
			if c["status"] != "paused" || c["paused_request"].(map[string]any)["request_id"] != "q-1" {
				t.Fatalf("control at the pause: %v", c)
			}
			var patch string
			if verdict == "modify" {
				patch = `,"patched_args":` + args
			}
			fb := h.decide(decision(w.run, "q-1", newID(), verdict, `,"comment":"好","tool_call_id":"c-q-1","tool_name":"rm"`, patch))
			first, _ := fb.next()
			if first.types() != "approval_resolved run_status" || first.index() != w.last.index()+1 {
				t.Errorf("the first frame is %s", jsonOf(t, first))
			}
			if first.Events[0]["decision"] != verdict || first.Events[0]["comment"] != "好" {
				t.Errorf("resolved as %v", first.Events[0])
			}
			fb.until("run_end")
			w.until("run_end")
			body := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body
			want := `"effective_args":null`
			if args != "" {
				want = `"effective_args":` + args
			}
			if !containsAll(body, want, `"status":"`+verdict+`"`) {
				t.Errorf("snapshot lacks %s: %s", want, body)
			}
			last := h.control(w.run)["last_decision"].(map[string]any)
			if last["request_id"] != "q-1" || last["decision"] != verdict || last["comment"] != "好" {
				t.Errorf("last decision %v", last)
			}
		})
	}
}

func TestFeedbackRefusesWhatDoesNotMatchTheCurrentRequest(t *testing.T) {
	h := newHarness(t)
	h.script(afterDecision(ask("q-1")))
	w := h.chat("x")
	w.until("approval_required")
	path := protocol.PathFeedback(h.session)
	id := newID()
	for name, c := range map[string]struct {
		status     int
		code, body string
	}{
		"no ids":                  {400, "BAD_REQUEST", `{"decision_id":"` + id + `","decision":"approve"}`},
		"decision id no UUID":     {400, "INVALID_ID", decision(w.run, "q-1", "1", "approve")},
		"unknown verdict":         {400, "INVALID_DECISION", decision(w.run, "q-1", id, "maybe")},
		"modify without args":     {400, "INVALID_DECISION", decision(w.run, "q-1", id, "modify")},
		"approve with args":       {400, "INVALID_DECISION", decision(w.run, "q-1", id, "approve", `,"patched_args":{}`)},
		"unknown run":             {404, "RUN_NOT_FOUND", decision(newID(), "q-1", id, "approve")},
		"another request":         {409, "REQUEST_MISMATCH", decision(w.run, "q-2", id, "approve")},
		"another call":            {409, "REQUEST_MISMATCH", decision(w.run, "q-1", id, "approve", `,"tool_call_id":"c-2"`)},
		"another tool":            {409, "REQUEST_MISMATCH", decision(w.run, "q-1", id, "approve", `,"tool_name":"ls"`)},
		"arguments are not JSON5": {400, "BAD_REQUEST", decision(w.run, "q-1", id, "modify", `,"patched_args":{"count":}`)},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.refused(c.status, c.code, "POST", path, c.body)
		})
	}
	h.t = t
	h.refused(400, "STREAM_VERSION", "POST", path, decision(w.run, "q-1", id, "approve"), protocol.VersionHeader, "")
	if c := h.control(w.run); c["status"] != "paused" {
		t.Fatalf("a refused decision changed the run: %v", c)
	}
	// null stands for absent.
	h.decide(decision(w.run, "q-1", id, "approve", `,"patched_args":null,"tool_name":null`)).until("run_end")
}

func TestTheSameDecisionAgainIsAcceptedAgainAndAnotherIsNot(t *testing.T) {
	h := newHarness(t)
	h.script(afterDecision(ask("q-1")))
	w := h.chat("x")
	w.until("approval_required")
	id := newID()
	body := decision(w.run, "q-1", id, "approve")
	first := h.decide(body).rest()
	second := h.decide(body).rest()
	if jsonOf(t, first) != jsonOf(t, second) {
		t.Errorf("the repetition shows %s, want %s", jsonOf(t, second), jsonOf(t, first))
	}
	path := protocol.PathFeedback(h.session)
	for _, other := range []string{decision(w.run, "q-1", newID(), "approve"), decision(w.run, "q-1", newID(), "reject"), decision(w.run, "q-1", id, "reject")} {
		r := h.refused(409, "ALREADY_DECIDED", "POST", path, other)
		last := r.obj["control"].(map[string]any)["last_decision"].(map[string]any)
		if last["request_id"] != "q-1" || last["decision"] != "approve" {
			t.Errorf("the refusal tells %v", last)
		}
	}
	h.refused(410, "REQUEST_GONE", "POST", path, decision(w.run, "q-9", newID(), "approve"))
	h.reopen()
	h.refused(409, "ALREADY_DECIDED", "POST", path, decision(w.run, "q-1", newID(), "approve"))
	h.refused(410, "REQUEST_GONE", "POST", path, decision(w.run, "q-9", newID(), "approve"))
	if again := h.decide(body).rest(); len(again) != 1 || again[0].types() != "stream_recovery_required" {
		t.Errorf("after a restart the same decision gives %s", jsonOf(t, again))
	}
}

func TestManyDecisionsAtOnceGiveOneVerdict(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(ask("q-1")))
	w := h.chat("x")
	w.until("approval_required")
	var group sync.WaitGroup
	statuses := make(chan int, 10)
	for i := range 10 {
		verdict := []string{"approve", "reject"}[i%2]
		group.Go(func() {
			res, err := h.web.Client().Do(h.request("POST", protocol.PathFeedback(h.session), decision(w.run, "q-1", newID(), verdict)))
			if err != nil {
				t.Error(err)
				return
			}
			statuses <- res.StatusCode
			res.Body.Close()
		})
	}
	group.Wait()
	close(statuses)
	count := map[int]int{}
	for s := range statuses {
		count[s]++
	}
	if count[200] != 1 || count[409] != 9 {
		t.Errorf("answers %v, want one 200 and nine 409", count)
	}
	resolved := 0
	again := h.resume(w.run, -1)
	for {
		f, _ := again.next()
		resolved += strings.Count(f.types(), "approval_resolved")
		if f.types() == "replay_complete" {
			break
		}
	}
	if resolved != 1 {
		t.Errorf("%d resolutions, want one", resolved)
	}
}

func TestOfSeveralRequestsTheOldestIsCurrent(t *testing.T) {
	h := newHarness(t)
	two := strings.TrimSuffix(ask("q-1"), "]") + "," + strings.TrimPrefix(ask("q-2"), "[")
	h.script(afterDecision(two))
	w := h.chat("x")
	w.until("approval_required")
	path := protocol.PathFeedback(h.session)
	h.refused(409, "REQUEST_MISMATCH", "POST", path, decision(w.run, "q-2", newID(), "approve"))
	fb := h.decide(decision(w.run, "q-1", newID(), "reject"))
	if f, _ := fb.next(); f.types() != "approval_resolved" {
		t.Errorf("after the first of two: %s", f.types())
	}
	fb.leave()
	c := h.control(w.run)
	if c["status"] != "paused" || c["paused_request"].(map[string]any)["request_id"] != "q-2" {
		t.Errorf("control: %v", c)
	}
	if s := h.snapshot(w.run); s["paused_request"].(map[string]any)["request_id"] != "q-2" {
		t.Errorf("snapshot: %v", s["paused_request"])
	}
	h.decide(decision(w.run, "q-2", newID(), "approve")).until("run_end")
	h.confirmedAs(w.run, "completed")
}

func TestARequestThatNobodyDecidesExpiresAndTheRunGoesOn(t *testing.T) {
	h := newHarness(t)
	h.script(afterDecision(ask("q-1", `,"expires_at":"2026-03-01T08:05:00Z"`)))
	w := h.chat("x")
	w.until("approval_required")
	h.clock.await(t, 5*time.Minute)
	h.clock.advance(5*time.Minute - 1)
	if c := h.control(w.run); c["status"] != "paused" {
		t.Fatalf("too early: %v", c)
	}
	h.clock.advance(1)
	if f := w.until("approval_resolved"); f.types() != "approval_resolved run_status" || f.Events[0]["decision"] != "expired" {
		t.Errorf("got %s", jsonOf(t, f))
	}
	w.until("run_end")
	h.confirmedAs(w.run, "completed")
	h.refused(409, "REQUEST_STALE", "POST", protocol.PathFeedback(h.session), decision(w.run, "q-1", newID(), "approve"))
	if last := h.control(w.run)["last_decision"].(map[string]any); last["decision"] != "expired" {
		t.Errorf("last decision %v", last)
	}
}

func TestADecidedRequestDoesNotExpire(t *testing.T) {
	h := newHarness(t)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := afterDecision(ask("q-1", `,"expires_at":"2026-03-01T08:05:00Z"`))(ctx, stage); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	w := h.chat("x")
	w.until("approval_required")
	fb := h.decide(decision(w.run, "q-1", newID(), "approve"))
	fb.until("message_delta")
	h.clock.advance(time.Hour)
	if last := h.control(w.run)["last_decision"].(map[string]any); last["decision"] != "approve" {
		t.Errorf("last decision %v", last)
	}
}

// approving is an agent that asks once and reports the decision.
func approving(got chan<- agent.Decision) func(context.Context, agent.Turn, agent.Out) error {
	return func(_ context.Context, _ agent.Turn, out agent.Out) error {
		d, err := out.Approve(agent.Approval{
			CallID: "c-1", Tool: "add_node", Args: map[string]any{"node": "新<&>"}, Reason: "why", Summary: "what",
			Preview: graphs.Preview{AddNodes: []string{"新<&>"}, RemoveNodes: []string{}, NodesBefore: 34, NodesAfter: 35, EdgesBefore: 78, EdgesAfter: 78},
		})
		if err != nil {
			return err
		}
		got <- d
		return nil
	}
}

func TestTheAgentLearnsTheDecisionWithItsEffectiveArguments(t *testing.T) {
	for _, c := range []struct{ verdict, patch, args string }{
		{"approve", "", `{"node":"新<&>"}`}, {"reject", "", ""}, {"modify", `,"patched_args":{"node":"b"}`, `{"node":"b"}`},
	} {
		t.Run(c.verdict, func(t *testing.T) {
			h := newHarness(t, func(cfg *Config) { cfg.ApprovalTimeout = time.Minute })
			got := make(chan agent.Decision, 1)
			h.answer(approving(got))
			w := h.chat("x")
			req := w.until("approval_required").Events[0]["request"].(map[string]any)
			if req["expires_at"] != "2026-03-01T08:01:00Z" || req["tool_call_id"] != "c-1" || req["tool_name"] != "add_node" {
				t.Errorf("request %v", req)
			}
			preview := req["preview"].(map[string]any)
			if preview["kind"] != "graph_mutation" || jsonOf(t, preview["add_nodes"]) != `["新<&>"]` || jsonOf(t, preview["after"]) != `{"edges":78,"nodes":35}` {
				t.Errorf("preview %v", preview)
			}
			h.decide(decision(w.run, req["request_id"].(string), newID(), c.verdict, c.patch)).until("run_end")
			d := <-got
			if string(d.Verdict) != c.verdict || string(d.Args) != c.args {
				t.Errorf("the agent got %+v", d)
			}
		})
	}
}

func TestTheAgentLearnsOfExpiry(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.ApprovalTimeout = time.Minute })
	got := make(chan agent.Decision, 1)
	h.answer(approving(got))
	w := h.chat("x")
	w.until("approval_required")
	h.clock.await(t, time.Minute)
	h.clock.advance(time.Minute)
	w.until("run_end")
	if d := <-got; d.Verdict != agent.Expired {
		t.Errorf("the agent got %+v", d)
	}
}

func TestSkillCandidatesAreDecidedOnceByTheirOwnEndpoint(t *testing.T) {
	h := newHarness(t)
	next := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		one := `[{"type":"skill_candidate","candidate_id":"s-1","name":"n","description":"d","body":"b"}]`
		two := strings.ReplaceAll(one, "s-1", "s-2")
		if err := frames(one, two)(ctx, stage); err != nil {
			return err
		}
		<-next
		return nil
	})
	w := h.chat("x")
	w.until("skill_candidate")
	w.until("skill_candidate")
	list := h.want(200, "GET", protocol.PathSkills(h.session), "").obj["candidates"].([]any)
	if len(list) != 2 || jsonOf(t, list[0]) != `{"body":"b","candidate_id":"s-1","description":"d","name":"n","status":"pending"}` {
		t.Errorf("candidates %v", list)
	}
	id := newID()
	path := protocol.PathSkillDecision("s-1")
	approve := `{"decision":"approve","decision_id":"` + id + `"}`
	h.refused(400, "INVALID_DECISION", "POST", path, `{"decision":"modify","decision_id":"`+id+`"}`)
	h.refused(400, "INVALID_ID", "POST", path, `{"decision":"approve","decision_id":"x"}`)
	h.refused(404, "SKILL_NOT_FOUND", "POST", protocol.PathSkillDecision("s-9"), approve)
	for range 2 {
		if r := h.want(200, "POST", path, approve); r.obj["status"] != "approve" || r.obj["candidate_id"] != "s-1" {
			t.Errorf("answer %s", r.body)
		}
	}
	if f := w.until("skill_resolved"); f.Events[0]["candidate_id"] != "s-1" || f.Events[0]["decision"] != "approve" {
		t.Errorf("stream tells %v", f.Events)
	}
	r := h.refused(409, "ALREADY_DECIDED", "POST", path, `{"decision":"reject","decision_id":"`+newID()+`"}`)
	if r.obj["status"] != "approve" || r.obj["candidate_id"] != "s-1" {
		t.Errorf("refusal %s", r.body)
	}
	close(next)
	w.until("run_end")
	h.confirmedAs(w.run, "completed")
	// After the run, in memory and then from what was saved.
	h.want(200, "POST", protocol.PathSkillDecision("s-2"), `{"decision":"reject","decision_id":"`+newID()+`"}`)
	for range 2 {
		var statuses []string
		for _, it := range h.detail()["turns"].([]any)[0].(map[string]any)["items"].([]any) {
			statuses = append(statuses, it.(map[string]any)["status"].(string))
		}
		if got := strings.Join(statuses, " "); got != "approve reject" {
			t.Errorf("items say %s", got)
		}
		h.reopen()
	}
}

func TestASkillOfAnEarlierProcessCanStillBeDecided(t *testing.T) {
	h := newHarness(t)
	h.script(frames(`[{"type":"skill_candidate","candidate_id":"s-1","name":"n","description":"d"}]`))
	run, _ := h.ran("x")
	h.confirmedAs(run, "completed")
	h.reopen()
	h.want(200, "POST", protocol.PathSkillDecision("s-1"), `{"decision":"approve","decision_id":"`+newID()+`"}`)
	items := h.snapshot(run)["items"].([]any)
	if jsonOf(t, items[0].(map[string]any)["status"]) != `"approve"` {
		t.Errorf("item %v", items[0])
	}
}
