package backend

import (
	"context"
	"strings"
	"sync"
	"testing"

	"igraph-console/app/protocol"
)

const hello = `[{"type":"message_start","message_id":"m-1","format":"markdown"},{"type":"message_delta","message_id":"m-1","delta":"你好 👋🏽 <b>&"}]`

const goodbye = `[{"type":"message_end","message_id":"m-1"}]`

func TestARunSendsStartContentAndEndInOneIndexSequence(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello, goodbye))
	start := newID()
	run, list := h.ran("你好", "start_request_id", quote(start))
	var types []string
	for i, f := range list {
		if f.Version != 2 || f.SessionID != h.session || f.RunID != run || f.index() != int64(i) {
			t.Errorf("frame %d has the head %+v", i, f)
		}
		types = append(types, f.types())
	}
	want := "run_started|message_start message_delta|message_end|run_end"
	if got := strings.Join(types, "|"); got != want {
		t.Errorf("frames %s, want %s", got, want)
	}
	if list[0].Events[0]["start_request_id"] != start {
		t.Errorf("run_started is %v", list[0].Events[0])
	}
	if got := list[1].Events[1]["delta"]; got != "你好 👋🏽 <b>&" {
		t.Errorf("the delta is %q", got)
	}
	h.confirmedAs(run, "completed")
}

func TestRunEndIsFollowedByConfirmationAtOnce(t *testing.T) {
	h := newHarness(t)
	for range 50 {
		h.script(frames(hello))
		run, _ := h.ran("x")
		c := h.control(run)
		if c["execution_stopped"] != true || c["terminal_persisted"] != true || c["can_send"] != true {
			t.Fatalf("control after run_end: %v", c)
		}
	}
}

func TestChatRefusesWhatIsNotAValidRequest(t *testing.T) {
	h := newHarness(t)
	path := protocol.PathChat(h.session)
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
		header []string
	}{
		"no message":           {`{}`, 400, "MESSAGE_REQUIRED", nil},
		"blank message":        {`{"message":" \n"}`, 400, "MESSAGE_REQUIRED", nil},
		"message of 1 MiB + 1": {h.chatBody(strings.Repeat("a", 1<<20+1)), 413, "MESSAGE_TOO_LARGE", nil},
		"body beyond all":      {h.chatBody(strings.Repeat("a", 9<<20)), 413, "MESSAGE_TOO_LARGE", nil},
		"no JSON":              {`{"message":`, 400, "BAD_REQUEST", nil},
		"wrong type":           {`{"message":1}`, 400, "BAD_REQUEST", nil},
		"another content type": {`{"message":"x"}`, 415, "CONTENT_TYPE", []string{"Content-Type", "text/plain"}},
		"no stream version":    {`{"message":"x"}`, 400, "STREAM_VERSION", []string{protocol.VersionHeader, ""}},
		"other stream version": {`{"message":"x"}`, 400, "STREAM_VERSION", []string{protocol.VersionHeader, "1"}},
		"start id no UUID":     {`{"message":"x","start_request_id":"1"}`, 400, "INVALID_ID", nil},
		"edit id no UUID":      {`{"message":"x","edit_turn_id":"1"}`, 400, "INVALID_ID", nil},
		"output format":        {`{"message":"x","output_format":"pdf"}`, 400, "INVALID_OUTPUT_FORMAT", nil},
		"reasoning mode":       {`{"message":"x","reasoning_mode":"wild"}`, 400, "INVALID_MODE", nil},
		"planning mode":        {`{"message":"x","planning_mode":"wild"}`, 400, "INVALID_MODE", nil},
		"unknown file":         {`{"message":"x","attachments":[{"file_token":"../../etc/passwd"}]}`, 400, "FILE_NOT_FOUND", nil},
		"edit of no turn":      {`{"message":"x","edit_turn_id":"` + newID() + `"}`, 409, "NOT_LATEST_TURN", nil},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.refused(c.status, c.code, "POST", path, c.body, c.header...)
		})
	}
	h.t = t
	h.refused(404, "SESSION_NOT_FOUND", "POST", protocol.PathChat(newID()), `{"message":"x"}`)
	if turns := h.detail()["turns"].([]any); len(turns) != 0 {
		t.Errorf("refused requests left turns: %v", turns)
	}
}

func TestTheLongestMessageIsTaken(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	run, _ := h.ran(strings.Repeat("\u0001", 1<<20))
	h.confirmedAs(run, "completed")
}

func TestOptionalFieldsMayBeNull(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	run, _ := h.ran("x", "start_request_id", "null", "attachments", "null", "output_format", "null", "edit_turn_id", "null")
	h.confirmedAs(run, "completed")
}

func TestTheSameStartRequestGivesTheSameRunFromItsBeginning(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello, goodbye))
	start := newID()
	run, first := h.ran("x", "start_request_id", quote(start))
	again, second := h.ran("another text", "start_request_id", quote(start))
	if again != run || len(second) != len(first) {
		t.Fatalf("the repetition gave run %s with %d frames, want %s with %d", again, len(second), run, len(first))
	}
	for i := range first {
		if jsonOf(t, first[i]) != jsonOf(t, second[i]) {
			t.Errorf("frame %d differs: %s and %s", i, jsonOf(t, first[i]), jsonOf(t, second[i]))
		}
	}
	if turns := h.detail()["turns"].([]any); len(turns) != 1 {
		t.Errorf("%d turns, want one", len(turns))
	}
}

func TestTheSameStartRequestManyTimesAtOnceGivesOneRun(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello, goodbye))
	body := h.chatBody("x", "start_request_id", quote(newID()))
	runs := make(chan string, 20)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			w := h.stream(protocol.PathChat(h.session), body)
			w.until("run_end")
			runs <- w.run
		})
	}
	group.Wait()
	close(runs)
	first := <-runs
	for run := range runs {
		if run != first {
			t.Errorf("two runs: %s and %s", first, run)
		}
	}
	if turns := h.detail()["turns"].([]any); len(turns) != 1 {
		t.Errorf("%d turns, want one", len(turns))
	}
}

func TestDifferentRequestsAtOnceGiveOneRunAndRunActive(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	var group sync.WaitGroup
	statuses := make(chan int, 10)
	for range 10 {
		group.Go(func() {
			res, err := h.web.Client().Do(h.request("POST", protocol.PathChat(h.session), h.chatBody("x", "start_request_id", quote(newID()))))
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
	for status := range statuses {
		count[status]++
	}
	if count[200] != 1 || count[409] != 9 {
		t.Errorf("answers %v, want one 200 and nine 409", count)
	}
}

func TestRunActiveNamesTheActiveRun(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	r := h.refused(409, "RUN_ACTIVE", "POST", protocol.PathChat(h.session), h.chatBody("y"))
	if c := r.obj["control"].(map[string]any); c["run_id"] != w.run || c["can_send"] != false {
		t.Errorf("control is %v", c)
	}
	other := h.newSession()
	h.script(frames(hello))
	h.stream(protocol.PathChat(other), h.chatBody("z")).until("run_end")
}

func TestLanguageIsThatOfTheSendingAndStaysWithTheTurn(t *testing.T) {
	h := newHarness(t)
	for header, want := range map[string]string{"zh-CN": "zh-CN", "zh": "zh-CN", "en-US": "en-US", "fr": "en-US", "": "en-US"} {
		h.script(frames(hello))
		w := h.stream(protocol.PathChat(h.session), h.chatBody("x"), "Accept-Language", header)
		f, _ := w.next()
		if got := f.Events[0]["response_language"]; got != want {
			t.Errorf("Accept-Language %q gives %v, want %s", header, got, want)
		}
		w.rest()
		if got := h.control(w.run)["response_language"]; got != want {
			t.Errorf("control says %v, want %s", got, want)
		}
	}
}

func TestARunGoesOnWithNobodyWatching(t *testing.T) {
	h := newHarness(t)
	next := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello)(ctx, stage); err != nil {
			return err
		}
		<-next
		return stage.Emit(nil, raw(goodbye))
	})
	w := h.chat("x")
	w.until("message_delta")
	w.leave()
	close(next)
	h.confirmedAs(w.run, "completed")
	items := h.snapshot(w.run)["items"].([]any)
	if m := items[0].(map[string]any); m["complete"] != true {
		t.Errorf("the message is %v", m)
	}
}

func TestAPanicCostsTheRunAndNotTheServer(t *testing.T) {
	h := newHarness(t)
	h.script(func(context.Context, *Stage) error { panic("at the disco") })
	run, list := h.ran("x")
	end := list[len(list)-1].Events[0]
	if end["status"] != "failed" || end["error"].(map[string]any)["code"] != "INTERNAL" {
		t.Errorf("the run ended as %v", end)
	}
	h.confirmedAs(run, "failed")
	if got := h.detail()["session"].(map[string]any)["status"]; got != "failed" {
		t.Errorf("the session is %v, want failed", got)
	}
	h.script(frames(hello))
	h.ran("y")
	if got := h.detail()["session"].(map[string]any)["status"]; got != "idle" {
		t.Errorf("the session is %v after a run that completed, want idle", got)
	}
}

func TestOnlyTheLatestTurnCanBeEditedAndThenItIsReplaced(t *testing.T) {
	h := newHarness(t)
	var ids []string
	for _, text := range []string{"one", "two"} {
		h.script(frames(hello))
		_, list := h.ran(text)
		ids = append(ids, list[0].Events[0]["turn_id"].(string))
	}
	h.refused(409, "NOT_LATEST_TURN", "POST", protocol.PathChat(h.session), h.chatBody("x", "edit_turn_id", quote(ids[0])))
	h.script(hanging(hello))
	start := newID()
	w := h.chat("two, better", "edit_turn_id", quote(ids[1]), "start_request_id", quote(start))
	w.until("message_delta")
	turns := h.detail()["turns"].([]any)
	if len(turns) != 2 {
		t.Fatalf("%d turns, want two", len(turns))
	}
	if text := turns[1].(map[string]any)["user"].(map[string]any)["text"]; text != "two, better" {
		t.Errorf("the latest turn says %v", text)
	}
	// The retry of an edit that has happened is not an edit of a turn that is gone.
	again := h.chat("two, better", "edit_turn_id", quote(ids[1]), "start_request_id", quote(start))
	again.until("message_delta")
	if again.run != w.run {
		t.Errorf("the retry started run %s", again.run)
	}
	h.refused(409, "RUN_ACTIVE", "POST", protocol.PathChat(h.session), h.chatBody("x", "edit_turn_id", quote(ids[1])))
}
