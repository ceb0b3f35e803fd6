package backend

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"igraph-console/app/protocol"
)

func delta(text string) string {
	return `[{"type":"message_delta","message_id":"m-1","delta":` + quote(text) + `}]`
}

func TestResumeSendsWhatFollowsTheCursorAndTellsTheLiveEdge(t *testing.T) {
	h := newHarness(t)
	next := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello, delta("1"), delta("2"))(ctx, stage); err != nil {
			return err
		}
		<-next
		return stage.Emit(nil, raw(goodbye))
	})
	chat := h.chat("x")
	for chat.last.index() != 3 {
		chat.next()
	}
	for after := int64(-1); after <= 3; after++ {
		w := h.resume(chat.run, after)
		for want := after + 1; want <= 3; want++ {
			if f, _ := w.next(); f.index() != want {
				t.Fatalf("after %d: index %d, want %d", after, f.index(), want)
			}
		}
		f, _ := w.next()
		if f.Index != nil || f.types() != "replay_complete" || f.Events[0]["last_event_index"] != 3.0 {
			t.Fatalf("after %d: at the edge %v", after, jsonOf(t, f))
		}
		w.leave()
	}
	live := h.resume(chat.run, 3)
	live.until("replay_complete")
	close(next)
	if f, _ := live.next(); f.index() != 4 || f.types() != "message_end" {
		t.Errorf("live: %v", jsonOf(t, f))
	}
	if f, _ := live.next(); f.index() != 5 || f.types() != "run_end" {
		t.Errorf("live: %v", jsonOf(t, f))
	}
	if f, ok := live.next(); ok {
		t.Errorf("after run_end: %v", jsonOf(t, f))
	}
}

func TestResumeOfAnEndedRunEndsWithRunEnd(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello, goodbye))
	run, list := h.ran("x")
	replay := h.resume(run, -1).rest()
	if len(replay) != len(list) || replay[len(replay)-1].types() != "run_end" {
		t.Errorf("the replay is %s", jsonOf(t, replay))
	}
	last := h.resume(run, int64(len(list)-1)).rest()
	if len(last) != 1 || last[0].types() != "replay_complete" {
		t.Errorf("from the last index: %s", jsonOf(t, last))
	}
}

func TestResumeRefusesBadCursorsAndForeignRuns(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	run, _ := h.ran("x")
	base := protocol.PathSession(h.session) + "/runs/" + run + "/resume"
	for _, cursor := range []string{"", "?last_event_index=x", "?last_event_index=-2", "?last_event_index=1.5"} {
		h.refused(400, "INVALID_CURSOR", "POST", base+cursor, "")
	}
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", base+"?last_event_index=99", "")
	h.refused(400, "STREAM_VERSION", "POST", base+"?last_event_index=-1", "", protocol.VersionHeader, "")
	h.refused(404, "RUN_NOT_FOUND", "POST", protocol.PathResume(h.session, newID(), -1), "")
	other := h.newSession()
	for _, path := range []string{protocol.PathResume(other, run, -1)} {
		h.refused(404, "RUN_NOT_FOUND", "POST", path, "")
	}
	for _, path := range []string{protocol.PathSnapshot(other, run), protocol.PathControl(other, run)} {
		h.refused(404, "RUN_NOT_FOUND", "GET", path, "")
	}
	h.refused(404, "SESSION_NOT_FOUND", "POST", protocol.PathResume(newID(), run, -1), "")
}

func TestSilenceIsFilledWithHeartbeats(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	for range 3 {
		h.clock.await(t, DefaultHeartbeat)
		h.clock.advance(DefaultHeartbeat)
		if text, _ := w.block(); text != ": hb\n" {
			t.Fatalf("got %q, want a comment", text)
		}
	}
}

func TestAFullBufferDropsTheOldestAndSaysSo(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.Buffer = 5 })
	var list []string
	for i := range 20 {
		list = append(list, delta(fmt.Sprint(i)))
	}
	h.script(hanging(list...))
	w := h.chat("x", "start_request_id", quote(newID()))
	run := w.run
	for run == "" || h.control(run)["last_event_index"] != 20.0 {
		if run == "" {
			w.next()
			run = w.run
		}
	}
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", protocol.PathResume(h.session, run, -1), "")
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", protocol.PathResume(h.session, run, 14), "")
	again := h.resume(run, 15)
	for want := int64(16); want <= 20; want++ {
		if f, _ := again.next(); f.index() != want {
			t.Fatalf("index %d, want %d", f.index(), want)
		}
	}
}

func TestEvictionLeavesThoseWhoAreUpToDateAlone(t *testing.T) {
	h := newHarness(t)
	next := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello)(ctx, stage); err != nil {
			return err
		}
		<-next
		return stage.Emit(nil, raw(goodbye))
	})
	start := newID()
	w := h.chat("x", "start_request_id", quote(start))
	w.until("message_delta")
	h.srv.Evict(w.run)
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", protocol.PathResume(h.session, w.run, 0), "")
	// The message was accepted, so its retry is no error: it is told to take snapshots.
	retry := h.chat("x", "start_request_id", quote(start)).rest()
	if len(retry) != 1 || retry[0].types() != "stream_recovery_required" || retry[0].RunID != w.run || retry[0].Index != nil {
		t.Errorf("the retry got %s", jsonOf(t, retry))
	}
	resumed := h.resume(w.run, 1)
	resumed.until("replay_complete")
	close(next)
	w.until("run_end")
	resumed.until("run_end")
}

func TestAnObserverLeftBehindIsToldInsteadOfMissingFrames(t *testing.T) {
	h := newHarness(t)
	log := newEventLog(4)
	for i := range int64(10) {
		log.append(i, []byte("x"))
	}
	if b := log.read(2); !b.lost {
		t.Errorf("position 2 of a log that begins at 6: %+v", b)
	}
	h.script(frames(hello, goodbye))
	run, _ := h.ran("x")
	r := h.srv.process().run(h.session, run)
	r.log.evict()
	w := httptest.NewRecorder()
	h.srv.observe(w, h.request("POST", "/", ""), r, 0, -1, true)
	if got := w.Body.String(); !containsAll(got, "stream_recovery_required", `"event_index":null`) {
		t.Errorf("got %q", got)
	}
}

func TestObservationEventsConcernThoseWhoWatchNow(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	if err := h.srv.RequireRecovery(w.run, "test"); err != nil {
		t.Fatal(err)
	}
	if f := w.until("stream_recovery_required"); f.Index != nil {
		t.Errorf("it has index %d", f.index())
	}
	again := h.resume(w.run, -1)
	for {
		f, _ := again.next()
		if f.types() == "stream_recovery_required" {
			t.Error("a replay repeats what was said to others")
		}
		if f.types() == "replay_complete" {
			break
		}
	}
}

func TestIndexesMaySkipButNotGoBack(t *testing.T) {
	h := newHarness(t)
	h.script(func(ctx context.Context, stage *Stage) error {
		seven, six := int64(7), int64(6)
		if err := stage.Emit(&seven, raw(hello)); err != nil {
			return err
		}
		if err := stage.Emit(&six, raw(hello)); err == nil {
			return fmt.Errorf("index 6 was taken after 7")
		}
		return stage.Emit(nil, raw(goodbye))
	})
	run, list := h.ran("x")
	if list[0].index() != 7 || list[1].index() != 8 || list[2].index() != 9 {
		t.Errorf("indexes %d, %d, %d", list[0].index(), list[1].index(), list[2].index())
	}
	w := h.resume(run, 3)
	if f, _ := w.next(); f.index() != 7 {
		t.Errorf("after 3 comes %d", f.index())
	}
	h.confirmedAs(run, "completed")
}

func TestStreamsMayEndAtAPause(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.EndAtPause = func(string) bool { return true } })
	h.script(hanging(hello, ask("q-1")))
	w := h.chat("x")
	list := w.rest()
	if got := list[len(list)-1].types(); got != "approval_required" {
		t.Fatalf("the stream ended with %s", got)
	}
	if c := h.control(w.run); c["status"] != "paused" {
		t.Errorf("control is %v", c)
	}
	again := h.resume(w.run, list[len(list)-1].index()).rest()
	if len(again) != 1 || again[0].types() != "replay_complete" {
		t.Errorf("resumed at a pause: %s", jsonOf(t, again))
	}
}

func TestASnapshotIsCompleteWhenEveryMessageIsWhole(t *testing.T) {
	h := newHarness(t)
	next := make(chan bool)
	steps := []struct {
		events   string
		complete bool
		status   string
	}{
		{`[{"type":"tool_start","tool":"t","call_id":"c-1","args":{},"job":true}]`, true, "running"},
		{`[{"type":"tool_progress","tool":"t","call_id":"c-1","progress":{"epoch":1,"epochs":2,"metrics":{"loss":0.5}}}]`, true, "running"},
		{hello, false, "running"},
		{ask("q-1"), true, "paused"},
		{`[{"type":"approval_resolved","request_id":"q-1","decision":"reject"},{"type":"run_status","status":"running"}]`, false, "running"},
		{goodbye, true, "running"},
	}
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := stage.Start(); err != nil {
			return err
		}
		for _, st := range steps {
			<-next
			if err := stage.Emit(nil, raw(st.events)); err != nil {
				return err
			}
		}
		<-next
		return nil
	})
	w := h.chat("x")
	w.next()
	if s := h.snapshot(w.run); s["snapshot_complete"] != true || len(s["items"].([]any)) != 0 || s["resume_cursor"] != nil {
		t.Errorf("at the start: %v", s)
	}
	for _, st := range steps {
		next <- true
		w.next()
		s := h.snapshot(w.run)
		if s["snapshot_complete"] != st.complete || s["status"] != st.status || s["run_id"] != w.run {
			t.Errorf("after %s: complete %v, status %v", st.events, s["snapshot_complete"], s["status"])
		}
		if (s["paused_request"] != nil) != (st.status == "paused") {
			t.Errorf("after %s: paused request %v", st.events, s["paused_request"])
		}
	}
	next <- true
	w.until("run_end")
	s := h.snapshot(w.run)
	if s["snapshot_complete"] != true || s["status"] != "completed" {
		t.Errorf("at the end: %v", s)
	}
	want := `[{"args":{},"call_id":"c-1","ended_at":"2026-03-01T08:00:00Z","error":null,"job":true,"progress":{"epoch":1,"epochs":2,"metrics":{"loss":0.5}},"result":null,"series":{"loss":[[1,0.5]]},"status":"cancelled","tool":"t","type":"tool"},` +
		`{"complete":true,"format":"markdown","message_id":"m-1","reasoning":"","text":"你好 👋🏽 <b>&","type":"message"},` +
		`{"comment":"","effective_args":null,"request":{"args":{"n":12345678901234567890},"created_at":"2026-03-01T08:00:00Z","request_id":"q-1","tool_call_id":"c-q-1","tool_name":"rm"},"status":"reject","type":"approval"}]`
	// The test itself reads the long number as a float.
	want = strings.Replace(want, "12345678901234567890", "12345678901234567000", 1)
	if got := jsonOf(t, s["items"]); got != want {
		t.Errorf("items\n%s\nwant\n%s", got, want)
	}
	if raw := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body; !containsAll(raw, "12345678901234567890") {
		t.Errorf("a long number was rounded: %s", raw)
	}
	// What was saved says the same as what is in memory.
	live := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body
	h.reopen()
	if saved := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body; saved != live {
		t.Errorf("saved snapshot\n%s\nlive\n%s", saved, live)
	}
}

func TestAHeldSnapshotIsIncomplete(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.HoldSnapshot = func(string, string) bool { return true } })
	h.script(frames(hello))
	run, _ := h.ran("x")
	if s := h.snapshot(run); s["snapshot_complete"] != false {
		t.Errorf("snapshot %v", s)
	}
}

func TestLateEventsAreTakenAsTheProtocolSays(t *testing.T) {
	h := newHarness(t)
	h.script(frames(
		`[{"type":"message_delta","message_id":"m-9","delta":"never started"}]`,
		hello, goodbye, delta(" late"),
		`[{"type":"message_start","message_id":"m-1","format":"json"}]`,
		`[{"type":"tool_progress","tool":"t","call_id":"c-1","progress":{"message":"x","metrics":{"b":1,"a":2}}}]`,
		`[{"type":"tool_start","tool":"t","call_id":"c-1","args":[1]}]`,
		`[{"type":"tool_progress","tool":"t","call_id":"c-1","progress":{"metrics":{"a":3}}}]`,
		`[{"type":"tool_end","call_id":"c-1","status":"succeeded","result":0}]`,
		`[{"type":"tool_progress","tool":"t","call_id":"c-1","progress":{"metrics":{"a":9}}}]`,
		`[{"type":"tool_end","call_id":"c-1","status":"failed"}]`,
		`[{"type":"brand_new","x":1},{"type":"message_delta","message_id":"m-1","delta":5}]`,
	))
	run, list := h.ran("x")
	if got := list[12].types(); got != "brand_new message_delta" {
		t.Errorf("unknown events are not passed on: %s", got)
	}
	items := h.snapshot(run)["items"].([]any)
	if m := items[1].(map[string]any); m["text"] != "你好 👋🏽 <b>& late" || m["format"] != "markdown" || m["complete"] != true {
		t.Errorf("message %v", m)
	}
	tool := items[2].(map[string]any)
	if tool["status"] != "succeeded" || tool["result"] != 0.0 || jsonOf(t, tool["args"]) != "[1]" {
		t.Errorf("tool %v", tool)
	}
	if body := h.call("GET", protocol.PathSnapshot(h.session, run), "").body; !containsAll(body, `"series":{"b":[[1,1]],"a":[[1,2],[2,3]]}`) {
		t.Errorf("series: %s", body)
	}
}

func TestAClientThatLeavesEndsItsStreamOnly(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	w.leave()
	other := h.resume(w.run, -1)
	other.until("replay_complete")
	if c := h.control(w.run); c["status"] != "running" {
		t.Errorf("leaving changed the run: %v", c)
	}
}

func TestStopEndsRunsAsInterruptedAndTellsThoseWhoWatch(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello, `[{"type":"tool_start","tool":"t","call_id":"c-1","args":{}}]`, ask("q-1")))
	w := h.stream(protocol.PathChat(h.session), h.chatBody("x"), "Accept-Language", "zh-CN")
	w.until("approval_required")
	h.srv.Stop()
	closing := w.until("approval_resolved")
	if got := closing.types(); got != "approval_resolved tool_end" || closing.Events[0]["decision"] != "cancelled" {
		t.Errorf("open items were settled by %s", jsonOf(t, closing))
	}
	end := w.until("run_end").Events[0]
	if end["status"] != "failed" || end["error"].(map[string]any)["code"] != "INTERRUPTED" {
		t.Errorf("the run ended as %v", end)
	}
	r := h.refused(503, "SHUTTING_DOWN", "POST", protocol.PathChat(h.session), h.chatBody("y"))
	if r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	h.reopen()
	if c := h.control(w.run); c["error"].(map[string]any)["code"] != "INTERRUPTED" || c["can_send"] != true {
		t.Errorf("control after the restart: %v", c)
	}
}

func TestStreamHeadersKeepProxiesFromBuffering(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	w := h.chat("x")
	for name, want := range map[string]string{"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"} {
		if got := w.res.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	w.rest()
}

func TestUnknownEndpointsAndMethodsAreJSONErrors(t *testing.T) {
	h := newHarness(t)
	h.refused(404, "NOT_FOUND", "GET", "/api/nothing", "")
	h.refused(404, "NOT_FOUND", "PUT", protocol.PathSessions, `{}`)
	if r := h.want(200, "GET", protocol.PathCapabilities, ""); r.body != `{"run_cancel_v1":true,"job_cancel_v1":true,"edit_latest_turn_v1":true}` {
		t.Errorf("capabilities %s", r.body)
	}
	if r := h.call("GET", protocol.PathCapabilities, ""); r.header.Get("Cache-Control") != "no-store" {
		t.Error("an answer may be cached")
	}
}
