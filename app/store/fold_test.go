package store_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/app/store"
)

// TestFoldRules states each rule of the fold by a run's frames and what it then shows.
func TestFoldRules(t *testing.T) {
	for _, c := range []struct {
		rule   string
		frames []protocol.Frame
		status string
		cursor int64
		items  string // as wire items, one a line
	}{
		{"a delta for a message never started creates it", []protocol.Frame{fr(0, txt("甲"))}, "running", 0,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"甲","reasoning":"","complete":false}`},
		{"a start after deltas gives the format and keeps the text", []protocol.Frame{fr(0, txt("{}")), fr(1, start("json"))}, "running", 1,
			`{"type":"message","message_id":"a-1","format":"json","text":"{}","reasoning":"","complete":false}`},
		{"a second start is ignored", []protocol.Frame{fr(0, start("report"), txt("x")), fr(1, start("json"))}, "running", 1,
			`{"type":"message","message_id":"a-1","format":"report","text":"x","reasoning":"","complete":false}`},
		{"a delta after the end appends and leaves it complete", []protocol.Frame{fr(0, txt("甲"), messageEnd), fr(1, txt("乙"), think("因"))}, "running", 1,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"甲乙","reasoning":"因","complete":true}`},
		{"an end for a message never started creates it complete", []protocol.Frame{fr(0, messageEnd)}, "running", 0,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"","reasoning":"","complete":true}`},
		{"items stand in the order of first appearance", []protocol.Frame{fr(0, txtOf("b", "1"), plan("p", "pending"), txtOf("a", "2")), fr(1, plan("p", "done"), txtOf("b", "3"))}, "running", 1,
			`{"type":"message","message_id":"b","format":"markdown","text":"13","reasoning":"","complete":false}
			 {"type":"plan","plan_id":"p","steps":[{"step_id":"0","title":"t","status":"done"}]}
			 {"type":"message","message_id":"a","format":"markdown","text":"2","reasoning":"","complete":false}`},
		{"the same id under two types is two items", []protocol.Frame{fr(0, txtOf("x", "1"), toolStart("x", "ls", "null"))}, "running", 0,
			`{"type":"message","message_id":"x","format":"markdown","text":"1","reasoning":"","complete":false}
			 {"type":"tool","tool":"ls","call_id":"x","args":null,"job":false,"status":"running","progress":null,"series":{},"result":null,"error":null}`},
		{"a plan update replaces the plan whole", []protocol.Frame{fr(0, plan("p", "done", "running")), fr(1, plan("p", "skipped"))}, "running", 1,
			`{"type":"plan","plan_id":"p","steps":[{"step_id":"0","title":"t","status":"skipped"}]}`},
		{"progress for a tool never started creates it, its start fills it in", []protocol.Frame{fr(0, progress("c", `{"message":"m"}`)), fr(1, toolStart("c", "train2", `{"n":1}`))}, "running", 1,
			`{"type":"tool","tool":"train2","call_id":"c","args":{"n":1},"job":false,"status":"running","progress":{"message":"m"},"series":{},"result":null,"error":null}`},
		{"progress after the end does not reopen a tool", []protocol.Frame{fr(0, toolStart("c", "t", "1"), toolEnd("c", "2")), fr(1, progress("c", `{"epoch":3,"metrics":{"l":1}}`))}, "running", 1,
			`{"type":"tool","tool":"t","call_id":"c","args":1,"job":false,"status":"succeeded","progress":null,"series":{},"result":2,"error":null}`},
		{"a second end of a tool is ignored", []protocol.Frame{fr(0, toolEnd("c", "1")), fr(1, toolEnd("c", "2"))}, "running", 1,
			`{"type":"tool","tool":"","call_id":"c","args":null,"job":false,"status":"succeeded","progress":null,"series":{},"result":1,"error":null}`},
		{"a second start of a tool is ignored, after its end too", []protocol.Frame{fr(0, toolStart("c", "t", "1"), toolEnd("c", "2")), fr(1, toolStart("c", "u", "3"))}, "running", 1,
			`{"type":"tool","tool":"t","call_id":"c","args":1,"job":false,"status":"succeeded","progress":null,"series":{},"result":2,"error":null}`},
		{"metrics append to their series, at the epoch", []protocol.Frame{fr(0, progress("c", `{"epoch":5,"metrics":{"loss":0.5,"auc":0.7}}`)), fr(1, progress("c", `{"epoch":10,"metrics":{"loss":0.25}}`))}, "running", 1,
			`{"type":"tool","tool":"train","call_id":"c","args":null,"job":false,"status":"running","progress":{"epoch":10,"metrics":{"loss":0.25}},"series":{"loss":[[5,0.5],[10,0.25]],"auc":[[5,0.7]]},"result":null,"error":null}`},
		{"without an epoch, metrics append in order of arrival", []protocol.Frame{fr(0, progress("c", `{"metrics":{"loss":3}}`)), fr(1, progress("c", `{"message":"m"}`)), fr(2, progress("c", `{"metrics":{"loss":2,"auc":1}}`))}, "running", 2,
			`{"type":"tool","tool":"train","call_id":"c","args":null,"job":false,"status":"running","progress":{"metrics":{"loss":2,"auc":1}},"series":{"loss":[[1,3],[2,2]],"auc":[[1,1]]},"result":null,"error":null}`},
		{"progress without a value keeps the newest", []protocol.Frame{fr(0, progress("c", `{"message":"m"}`)), fr(1, progress("c", `null`))}, "running", 1,
			`{"type":"tool","tool":"train","call_id":"c","args":null,"job":false,"status":"running","progress":{"message":"m"},"series":{},"result":null,"error":null}`},
		{"a request pauses the run", []protocol.Frame{fr(0, ask("q-1", "rm", `"a"`))}, "paused", 0,
			`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":"a"},"status":"pending","comment":"","effective_args":null}`},
		{"the last decision lets the run go on", []protocol.Frame{fr(0, ask("q-1", "rm", `1`), ask("q-2", "rm", `2`)), fr(1, asked("q-1", "reject")), fr(2, asked("q-2", "expired"))}, "running", 2,
			`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":1},"status":"reject","comment":"","effective_args":null}
			 {"type":"approval","request":{"request_id":"q-2","tool_name":"rm","args":2},"status":"expired","comment":"","effective_args":null}`},
		{"a request raised again after its decision stays decided", []protocol.Frame{fr(0, ask("q-1", "rm", `1`)), fr(1, asked("q-1", "approve")), fr(2, ask("q-1", "rm", `1`))}, "running", 2,
			`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":1},"status":"approve","comment":"","effective_args":null}`},
		{"a decision does not undo cancelling", []protocol.Frame{fr(0, ask("q-1", "rm", `1`)), fr(1, status("cancelling")), fr(2, asked("q-1", "cancelled"))}, "cancelling", 2,
			`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":1},"status":"cancelled","comment":"","effective_args":null}`},
		{"a skill is offered and decided", []protocol.Frame{fr(0, `{"type":"skill_candidate","candidate_id":"k","name":"n","description":"d"}`), fr(1, `{"type":"skill_resolved","candidate_id":"k","decision":"approve"}`)}, "running", 1,
			`{"type":"skill_candidate","candidate_id":"k","name":"n","description":"d","status":"approve"}`},
		{"a skill offered again stays decided", []protocol.Frame{fr(0, `{"type":"skill_candidate","candidate_id":"k","name":"n","description":"d"}`, `{"type":"skill_resolved","candidate_id":"k","decision":"reject"}`), fr(1, `{"type":"skill_candidate","candidate_id":"k","name":"other"}`)}, "running", 1,
			`{"type":"skill_candidate","candidate_id":"k","name":"n","description":"d","status":"reject"}`},
		{"an unknown event changes nothing but the cursor", []protocol.Frame{fr(0, txt("A"), `{"type":"brand_new","x":{"y":[1]}}`, txt("B")), fr(4, `{"type":"brand_new"}`)}, "running", 4,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"AB","reasoning":"","complete":false}`},
		{"an empty frame moves the cursor", []protocol.Frame{fr(3)}, "running", 3, ``},
		{"indexes may skip", []protocol.Frame{fr(0, txt("1")), fr(7, txt("2"))}, "running", 7,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"12","reasoning":"","complete":false}`},
		{"a duplicate is dropped whole, status and all", []protocol.Frame{fr(4, txt("1")), fr(4, txt("2"), status("paused"), end("failed")), fr(3, txt("0")), fr(5, txt("2"))}, "running", 5,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"12","reasoning":"","complete":false}`},
		{"a frame without an index brings no content and moves no cursor", []protocol.Frame{fr(4, txt("1")), fr(-1, txt("2"), progress("c", `{"epoch":1}`), ask("q", "rm", "1"), end("failed"))}, "running", 4,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"1","reasoning":"","complete":false}`},
		{"a frame without an index may tell the status", []protocol.Frame{fr(4), fr(-1, status("cancelling"))}, "cancelling", 4, ``},
		{"a late status does not revive an ended run", []protocol.Frame{fr(0, end("cancelled")), fr(1, status("running")), fr(-1, status("paused"))}, "cancelled", 1, ``},
		{"a second end is ignored", []protocol.Frame{fr(0, end("completed")), fr(1, end("failed"))}, "completed", 1, ``},
		{"text after the end is still shown", []protocol.Frame{fr(0, end("completed")), fr(1, txt("late"))}, "completed", 1,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"late","reasoning":"","complete":false}`},
		{"a request after the end does not pause", []protocol.Frame{fr(0, end("completed")), fr(1, ask("q-1", "rm", "1"))}, "completed", 1,
			`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":1},"status":"pending","comment":"","effective_args":null}`},
		{"the whole of a frame is applied, its end as well", []protocol.Frame{fr(5, txt("乙"), end("completed"))}, "completed", 5,
			`{"type":"message","message_id":"a-1","format":"markdown","text":"乙","reasoning":"","complete":false}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := folded(t, c.frames...)
			if r.Status != c.status || r.Cursor != c.cursor {
				t.Errorf("%s at %d, want %s at %d", r.Status, r.Cursor, c.status, c.cursor)
			}
			var want strings.Builder
			for line := range strings.Lines(c.items) {
				want.WriteString(strings.TrimSpace(line) + "\n")
			}
			if got := sim.Print(store.Wire(r)); got != strings.TrimPrefix(want.String(), "\n") {
				t.Errorf("shows\n%swant\n%s", got, want.String())
			}
		})
	}
}

func TestTheRunSaysWhoItIs(t *testing.T) {
	started := `{"type":"run_started","turn_id":"t-1","start_request_id":"u-1","response_language":"zh-CN","output_format":"report","started_at":"2026-01-05T02:00:00Z"}`
	again := strings.NewReplacer("t-1", "t-2", "zh-CN", "en-US").Replace(started)
	r := folded(t, fr(0, started), fr(1, again))
	if r.TurnID != "t-1" || r.Lang != "zh-CN" || r.Format != "report" || r.StartedAt.IsZero() {
		t.Fatalf("%+v", r)
	}
	undated := `{"type":"run_started","turn_id":"t-1"}`
	r = folded(t, fr(0, undated), fr(1, strings.Replace(undated, "t-1", "t-2", 1)))
	if r.TurnID != "t-1" {
		t.Fatalf("a second start without a time replaced the first: %s", r.TurnID)
	}
}

func TestARunEndKeepsItsReason(t *testing.T) {
	r := folded(t, fr(0, `{"type":"run_end","status":"failed","error":{"code":"BOOM","message":"m"},"ended_at":"2026-01-05T02:00:00Z"}`))
	if !r.Ended() || *r.Error != (protocol.RunError{Code: "BOOM", Message: "m"}) || r.EndedAt.IsZero() {
		t.Fatalf("%+v", r)
	}
}

// Only the oldest undecided request can be decided; what the server names as current wins.
func TestTheCurrentRequest(t *testing.T) {
	two := []protocol.Frame{fr(0, ask("q-1", "rm", "1"), ask("q-2", "rm", "2"))}
	r := folded(t, two...)
	if r.Current() != "q-1" || !reflect.DeepEqual(r.Pending, []string{"q-1", "q-2"}) {
		t.Fatalf("current %s of %v", r.Current(), r.Pending)
	}
	r = apply(t, r, fr(1, asked("q-1", "approve")))
	if r.Current() != "q-2" || r.Status != protocol.StatusPaused {
		t.Fatalf("current %s, %s", r.Current(), r.Status)
	}
	r = apply(t, r, fr(2, asked("q-2", "approve")))
	if r.Current() != "" || r.Status != protocol.StatusRunning {
		t.Fatalf("current %s, %s", r.Current(), r.Status)
	}
	r = apply(t, r, fr(3, ask("q-3", "rm", "1")))
	if r.Current() != "q-3" || r.Status != protocol.StatusPaused {
		t.Fatalf("a second pause: current %s, %s", r.Current(), r.Status)
	}
	r = apply(t, r, fr(4, end("cancelled")))
	if r.Current() != "" {
		t.Fatalf("an ended run has current %s", r.Current())
	}
}

func TestADecidedRequestIsNoLongerPending(t *testing.T) {
	r := folded(t, fr(0, ask("q-1", "rm", `{"p":1}`)))
	if q, ok := r.Request("q-1"); !ok || q.Args != `{"p":1}` {
		t.Fatalf("%+v, %v", q, ok)
	}
	r = apply(t, r, fr(1, asked("q-1", "reject")))
	if q, ok := r.Request("q-1"); ok {
		t.Fatalf("decided, yet pending: %+v", q)
	}
	if _, ok := r.Request("q-9"); ok {
		t.Fatal("an unknown request is pending")
	}
}

// The frame whose fold fails is not applied in any part; those before it are; nothing after it is.
func TestAFoldThatPanicsCostsOneFrame(t *testing.T) {
	base := folded(t, fr(3, txt("三")), fr(4, txt("四")))
	before := shown(base)
	for k := range 4 {
		frames := []protocol.Frame{fr(5, txt("五")), fr(6, txt("六")), fr(7, toolStart("c", "t", "1"))}
		frames = append(frames[:k:k], append([]protocol.Frame{bombAt(int64(5+k), txt("broken"), ask("q", "rm", "1"))}, frames[k:]...)...)
		for i := k; i < len(frames); i++ {
			frames[i].Index = int64(5 + i)
		}
		r, n, err := base.Apply(frames...)
		if err == nil || n != k {
			t.Fatalf("bomb at %d: applied %d, %v", k, n, err)
		}
		if got, want := shown(r), shown(apply(t, base, frames[:k]...)); got != want {
			t.Fatalf("bomb at %d: shows\n%s\nwant\n%s", k, got, want)
		}
		again := apply(t, r, fr(int64(5+k), txt("五")))
		if strings.Count(shown(again), "broken") != 0 || again.Cursor != int64(5+k) {
			t.Fatalf("bomb at %d: delivered again, it shows\n%s", k, shown(again))
		}
	}
	if shown(base) != before {
		t.Fatalf("a failed fold changed the version before it:\n%s", shown(base))
	}
}

func TestNothingToApplyIsTheSameRun(t *testing.T) {
	r := folded(t, fr(0, txt("1")))
	if next, n, err := r.Apply(); next != r || n != 0 || err != nil {
		t.Fatalf("%v %d %v", next, n, err)
	}
	if next := apply(t, r, fr(0, txt("2"))); next.Rev != r.Rev {
		t.Fatal("a duplicate makes the run look new, so all of it would render again")
	}
}

// Revisions are how components know what to render again.
func TestOnlyWhatChangedGetsANewRevision(t *testing.T) {
	r := folded(t, fr(0, txtOf("a", "1"), txtOf("b", "2")))
	next := apply(t, r, fr(1, txtOf("b", "3")))
	if next.At(0).Rev != r.At(0).Rev || next.At(1).Rev == r.At(1).Rev || next.Rev == r.Rev {
		t.Fatalf("revisions %d %d, then %d %d", r.At(0).Rev, r.At(1).Rev, next.At(0).Rev, next.At(1).Rev)
	}
}

func TestPagesHoldAllItemsInOrder(t *testing.T) {
	r := store.NewRun("s-1", "r-1")
	for i := range 100 {
		r = apply(t, r, fr(int64(i), plan(strconv.Itoa(i), "done")))
	}
	var keys []string
	revs := map[uint64]bool{}
	for i := range r.Pages() {
		items, rev := r.Page(i)
		revs[rev] = true
		for _, it := range items {
			keys = append(keys, it.Key.ID)
		}
	}
	if len(keys) != 100 || r.Len() != 100 || keys[37] != r.At(37).Key.ID || keys[99] != "99" {
		t.Fatalf("%d items in %d pages: %v", len(keys), r.Pages(), keys)
	}
	next := apply(t, r, fr(100, plan("0", "failed")))
	for i := 1; i < r.Pages(); i++ {
		_, before := r.Page(i)
		if _, after := next.Page(i); after != before {
			t.Fatalf("page %d looks new, though only page 0 changed", i)
		}
	}
}

func TestArgumentsStayAsTheyCame(t *testing.T) {
	raw := `{"z":1.0,"a":12345678901234567890,"":1,"__proto__":3}`
	r := folded(t, fr(0, toolStart("c", "t", raw), toolEnd("c", raw), ask("q", "t", raw)))
	tool := r.At(0).Tool
	if string(tool.Args) != raw || string(tool.Result) != raw || string(r.At(1).Approval.Request.Args) != raw {
		t.Fatalf("%s\n%s\n%s", tool.Args, tool.Result, r.At(1).Approval.Request.Args)
	}
	if !json.Valid([]byte(sim.Print(store.Wire(r)[:1]))) {
		t.Fatal("the item is no JSON")
	}
}
