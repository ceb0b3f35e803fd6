package backend

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
	"igraph-console/cmd/serve/backend/db"
	"igraph-console/cmd/serve/graphs"
)

func TestSessionsAreListedNewestFirstInPages(t *testing.T) {
	h := newHarness(t)
	want := []string{h.session}
	for i := range 6 {
		if i%2 == 0 { // some at the same moment
			h.clock.advance(time.Second)
		}
		want = append(want, h.newSession())
	}
	seen := map[string]bool{}
	last := "9999"
	cursor := ""
	pages := 0
	for {
		r := h.want(200, "GET", protocol.PathSessionList(cursor, "", 3), "")
		pages++
		for _, s := range r.obj["sessions"].([]any) {
			info := s.(map[string]any)
			id, at := info["session_id"].(string), info["updated_at"].(string)
			if seen[id] || at > last {
				t.Errorf("session %s at %s is repeated or out of order", id, at)
			}
			seen[id], last = true, at
		}
		next, more := r.obj["next_cursor"].(string)
		if !more {
			break
		}
		cursor = next
	}
	if len(seen) != len(want) || pages != 3 {
		t.Errorf("%d sessions in %d pages, want %d in 3", len(seen), pages, len(want))
	}
	h.refused(400, "INVALID_CURSOR", "GET", protocol.PathSessionList("x!", "", 0), "")
	h.refused(400, "BAD_REQUEST", "GET", protocol.PathSessions+"?limit=0", "")
}

func TestASessionMovesToTheTopWhenItIsUsed(t *testing.T) {
	h := newHarness(t)
	h.clock.advance(time.Second)
	h.newSession()
	h.clock.advance(time.Second)
	h.script(frames(hello))
	h.ran("x")
	list := h.want(200, "GET", protocol.PathSessions, "").obj["sessions"].([]any)
	if list[0].(map[string]any)["session_id"] != h.session {
		t.Errorf("list %v", list)
	}
}

func TestSessionsAreFoundByTitleWhateverTheCase(t *testing.T) {
	h := newHarness(t)
	for _, title := range []string{"Straße 100%", "图分析 ÄÖ", "other"} {
		h.want(200, "POST", protocol.PathSessions, `{"title":`+quote(title)+`}`)
	}
	for q, want := range map[string]int{"STRASSE": 0, "straße": 1, "100%": 1, "äö": 1, "图": 1, "zzz": 0, "": 4} {
		r := h.want(200, "GET", protocol.PathSessionList("", q, 0), "")
		if got := len(r.obj["sessions"].([]any)); got != want {
			t.Errorf("%q finds %d, want %d", q, got, want)
		}
	}
}

func TestTitlesAreGivenChangedOrTakenFromTheFirstMessage(t *testing.T) {
	h := newHarness(t)
	h.script(frames(hello))
	h.ran("空手道 network")
	if got := h.detail()["session"].(map[string]any)["title"]; got != "空手道 network" {
		t.Errorf("title %q", got)
	}
	h.script(frames(hello))
	h.ran("second")
	path := protocol.PathSession(h.session)
	if r := h.want(200, "PATCH", path, `{"title":" 新 "}`); r.obj["title"] != "新" {
		t.Errorf("renamed to %v", r.obj["title"])
	}
	h.refused(400, "INVALID_TITLE", "PATCH", path, `{"title":"  "}`)
	h.refused(400, "INVALID_TITLE", "PATCH", path, `{"title":"`+strings.Repeat("长", 201)+`"}`)
	h.refused(404, "SESSION_NOT_FOUND", "PATCH", protocol.PathSession(newID()), `{"title":"x"}`)
	named := h.want(200, "POST", protocol.PathSessions, `{"title":"mine"}`).obj["session_id"].(string)
	h.script(frames(hello))
	h.stream(protocol.PathChat(named), h.chatBody("x")).rest()
	if got := h.want(200, "GET", protocol.PathSession(named), "").obj["session"].(map[string]any)["title"]; got != "mine" {
		t.Errorf("a given title became %q", got)
	}
}

func TestSessionStatusFollowsItsRun(t *testing.T) {
	h := newHarness(t)
	status := func() any { return h.detail()["session"].(map[string]any)["status"] }
	if status() != "idle" {
		t.Errorf("a new session is %v", status())
	}
	next := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := stage.Start(); err != nil {
			return err
		}
		<-next
		return afterDecision(ask("q-1"))(ctx, stage)
	})
	w := h.chat("x")
	w.next()
	if status() != "running" {
		t.Errorf("a running session is %v", status())
	}
	close(next)
	w.until("approval_required")
	if status() != "paused" {
		t.Errorf("a paused session is %v", status())
	}
	h.decide(decision(w.run, "q-1", newID(), "reject")).until("run_end")
	if status() != "idle" {
		t.Errorf("after the end the session is %v", status())
	}
}

func TestDeletingASessionCancelsItsRunAndForgetsEverything(t *testing.T) {
	h := newHarness(t)
	token := h.uploaded("a.csv", "a,b\n1,2\n")
	kept := h.uploaded("b.csv", "a,b\n1,2\n")
	attach := func(tokens ...string) string {
		var list []map[string]string
		for _, token := range tokens {
			list = append(list, map[string]string{"file_token": token})
		}
		return jsonOf(t, list)
	}
	other := h.newSession()
	h.script(frames(hello))
	h.stream(protocol.PathChat(other), h.chatBody("y", "attachments", attach(kept))).rest()
	h.script(hanging(hello))
	w := h.chat("x", "attachments", attach(token, kept))
	w.until("message_delta")
	if r := h.want(204, "DELETE", protocol.PathSession(h.session), ""); r.body != "" {
		t.Errorf("answer %q", r.body)
	}
	if end := w.until("run_end"); end.Events[0]["status"] != "cancelled" {
		t.Errorf("the run ended as %v", end.Events[0])
	}
	h.refused(404, "SESSION_NOT_FOUND", "GET", protocol.PathSession(h.session), "")
	h.refused(404, "SESSION_NOT_FOUND", "GET", protocol.PathControl(h.session, w.run), "")
	h.refused(404, "SESSION_NOT_FOUND", "DELETE", protocol.PathSession(h.session), "")
	if h.srv.process().run(h.session, w.run) != nil {
		t.Error("the run is still in memory")
	}
	if _, err := h.srv.db.Content(token); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("its file is still there: %v", err)
	}
	if _, err := h.srv.db.Content(kept); err != nil {
		t.Errorf("a file that another session uses is gone: %v", err)
	}
}

func TestASessionWhoseRunDoesNotStopIsNotDeleted(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.Heartbeat = time.Hour }) // no other timer of deleteWait
	stop := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := stage.Start(); err != nil {
			return err
		}
		<-stop
		return context.Cause(ctx)
	})
	w := h.chat("x")
	w.next()
	refused := make(chan reply)
	go func() { refused <- h.call("DELETE", protocol.PathSession(h.session), "") }()
	h.clock.await(t, deleteWait)
	h.clock.advance(deleteWait)
	if r := <-refused; r.status != 409 || r.code() != "RUN_ACTIVE" {
		t.Errorf("answer %d %s", r.status, r.body)
	}
	close(stop)
	h.confirmedAs(w.run, "cancelled")
	h.want(204, "DELETE", protocol.PathSession(h.session), "")
}

func TestAnActiveRunStandsLastWithWhatIsSavedSoFar(t *testing.T) {
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
	h.clock.await(t, saveEvery)
	h.clock.advance(saveEvery)
	d := h.detail()
	if a := d["active_run"].(map[string]any); a["run_id"] != w.run || a["last_event_index"] != 1.0 {
		t.Errorf("active run %v", a)
	}
	turn := d["turns"].([]any)[0].(map[string]any)
	if m := turn["items"].([]any)[0].(map[string]any); m["text"] != "你好 👋🏽 <b>&" || m["complete"] != false || turn["status"] != "running" {
		t.Errorf("turn %v", turn)
	}
	close(next)
	w.until("run_end")
	turn = h.detail()["turns"].([]any)[0].(map[string]any)
	if m := turn["items"].([]any)[0].(map[string]any); m["complete"] != true || turn["status"] != "completed" {
		t.Errorf("turn %v", turn)
	}
}

func TestARestartKeepsWhatWasSavedAndEndsTheRunAsInterrupted(t *testing.T) {
	h := newHarness(t)
	job := `[{"type":"tool_start","tool":"train","call_id":"j-1","args":{},"job":true},{"type":"tool_start","tool":"t","call_id":"c-1","args":{}}]`
	h.script(hanging(job, hello, ask("q-1")))
	start := newID()
	w := h.stream(protocol.PathChat(h.session), h.chatBody("x", "start_request_id", quote(start)), "Accept-Language", "zh-CN")
	w.until("approval_required")
	h.clock.await(t, saveEvery)
	h.clock.advance(saveEvery)
	if err := h.srv.Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.in.ReadByte(); err == nil {
		t.Error("a dead process ended its stream politely")
	}
	c := h.confirmedAs(w.run, "failed")
	failure := c["error"].(map[string]any)
	if failure["code"] != "INTERRUPTED" || !strings.Contains(failure["message"].(string), "重启") {
		t.Errorf("error %v", failure)
	}
	if c["last_event_index"] != 3.0 || c["paused_request"] != nil || c["last_decision"].(map[string]any)["decision"] != "cancelled" {
		t.Errorf("control %v", c)
	}
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", protocol.PathResume(h.session, w.run, 1), "")
	h.refused(409, "REQUEST_STALE", "POST", protocol.PathFeedback(h.session), decision(w.run, "q-1", newID(), "approve"))
	s := h.snapshot(w.run)
	if s["snapshot_complete"] != true || s["status"] != "failed" {
		t.Errorf("snapshot %v", s)
	}
	var statuses []string
	for _, it := range s["items"].([]any) {
		item := it.(map[string]any)
		statuses = append(statuses, fmt.Sprint(item["type"], " ", item["status"], item["complete"]))
	}
	if got := strings.Join(statuses, ", "); got != "tool failed<nil>, tool failed<nil>, message <nil> false, approval cancelled<nil>" {
		t.Errorf("items %s", got)
	}
	if got := h.control(w.run)["start_request_id"]; got != start {
		t.Errorf("start request %v", got)
	}
	if d := h.detail(); d["active_run"] != nil || d["session"].(map[string]any)["status"] != "failed" {
		t.Errorf("detail %v", d)
	}
	// The retry of the message still finds its run, and the session can go on.
	retry := h.chat("x", "start_request_id", quote(start)).rest()
	if len(retry) != 1 || retry[0].types() != "stream_recovery_required" || retry[0].RunID != w.run {
		t.Errorf("retry %s", jsonOf(t, retry))
	}
	h.script(frames(hello))
	h.ran("y")
}

func TestAKilledProcessLosesAtMostTheTextOfHalfASecond(t *testing.T) {
	h := newHarness(t)
	more := make(chan bool)
	h.script(func(ctx context.Context, stage *Stage) error {
		if err := frames(hello)(ctx, stage); err != nil {
			return err
		}
		<-more
		if err := stage.Emit(nil, raw(delta(" unsaved"))); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	w := h.chat("x")
	w.until("message_delta")
	h.clock.await(t, saveEvery)
	h.clock.advance(saveEvery)
	more <- true
	w.until("message_delta")
	if err := h.srv.Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	if m := h.snapshot(w.run)["items"].([]any)[0].(map[string]any); m["text"] != "你好 👋🏽 <b>&" {
		t.Errorf("saved text %q", m["text"])
	}
}

// form is the body of an upload.
func form(field, name, content string) (body, contentType string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", `form-data; name="`+field+`"; filename="`+strings.ReplaceAll(name, `"`, "%22")+`"`)
	part, err := w.CreatePart(header)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String(), w.FormDataContentType()
}

func (h *harness) uploaded(name, content string) string {
	h.t.Helper()
	body, contentType := form("file", name, content)
	return h.want(200, "POST", protocol.PathFiles, body, "Content-Type", contentType).obj["file_token"].(string)
}

func TestUploadsKeepTheirNames(t *testing.T) {
	h := newHarness(t)
	var attachments []map[string]string
	names := []string{"测试 文档(1).pdf", "测试 文档(1).pdf", "naïve résumé.txt", "👨‍👩‍👧.png", `a"b;c.txt`, "../../etc/passwd", `C:\x.csv`}
	for _, name := range names {
		body, contentType := form("file", name, "a,b\n1,2")
		r := h.want(200, "POST", protocol.PathFiles, body, "Content-Type", contentType)
		if r.obj["filename"] != name || r.obj["size"] != 7.0 {
			t.Errorf("%q is answered by %s", name, r.body)
		}
		attachments = append(attachments, map[string]string{"file_token": r.obj["file_token"].(string), "filename": "another"})
	}
	var got []agent.Attachment
	h.answer(func(_ context.Context, turn agent.Turn, _ agent.Out) error { got = turn.Attachments; return nil })
	h.ran("x", "attachments", jsonOf(t, attachments))
	user := h.detail()["turns"].([]any)[0].(map[string]any)["user"].(map[string]any)
	for i, a := range user["attachments"].([]any) {
		if a.(map[string]any)["filename"] != names[i] || a.(map[string]any)["file_token"] != attachments[i]["file_token"] {
			t.Errorf("attachment %d is %v", i, a)
		}
		if got[i].Name != names[i] || string(got[i].Data) != "a,b\n1,2" {
			t.Errorf("the agent got %q with %q", got[i].Name, got[i].Data)
		}
	}
}

func TestUploadsThatCannotBeGraphsAreRefused(t *testing.T) {
	h := newHarness(t)
	for name, c := range map[string]struct {
		field, file, content string
		status               int
		code                 string
	}{
		"empty":         {"file", "a.csv", "", 422, "FILE_EMPTY"},
		"too large":     {"file", "a.csv", strings.Repeat("a", graphs.MaxBytes+1), 413, "FILE_TOO_LARGE"},
		"far too large": {"file", "a.csv", strings.Repeat("a", graphs.MaxBytes+3<<20), 413, "FILE_TOO_LARGE"},
		"image":         {"file", "a.csv", "\x89PNG\r\n\x1a\n", 415, "FILE_TYPE"},
		"zero bytes":    {"file", "a.csv", "a,b\x00", 415, "FILE_TYPE"},
		"other field":   {"document", "a.csv", "a,b", 400, "FILE_REQUIRED"},
		"no name":       {"file", "", "a,b", 400, "FILE_REQUIRED"},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			body, contentType := form(c.field, c.file, c.content)
			h.refused(c.status, c.code, "POST", protocol.PathFiles, body, "Content-Type", contentType)
		})
	}
	h.t = t
	h.refused(400, "FILE_REQUIRED", "POST", protocol.PathFiles, `{}`)
	body, contentType := form("file", "a.csv", "a,b\n1,2\n")
	h.refused(400, "BAD_REQUEST", "POST", protocol.PathFiles, body[:len(body)-60], "Content-Type", contentType)
	h.uploaded("utf16.csv", "\xff\xfea\x00,\x00b\x00")
	h.uploaded("gbk.csv", "\xbd\xda\xb5\xe3,b\n")
	h.uploaded("largest.csv", strings.Repeat("a", graphs.MaxBytes))
	if left, err := filepath.Glob(filepath.Join(h.cfg.Dir, "uploads", "*")); err != nil || len(left) != 3 {
		t.Errorf("%d files are stored, want 3: %v", len(left), err)
	}
}

func TestTheSessionsGraphIsThatOfTheLastTurnThatMadeOne(t *testing.T) {
	h := newHarness(t)
	load := func(csv string) *graphs.Graph {
		g, err := graphs.Load("g.csv", []byte(csv), graphs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var seen *graphs.Graph
	save := func(g *graphs.Graph) func(context.Context, agent.Turn, agent.Out) error {
		return func(_ context.Context, turn agent.Turn, out agent.Out) error {
			seen = turn.Graph
			if g == nil {
				return nil
			}
			return out.SaveGraph(g)
		}
	}
	nodes := func() int {
		if seen == nil {
			return 0
		}
		return seen.NodeCount()
	}
	h.answer(save(load("a,b\n1,2\n")))
	if h.ran("x"); nodes() != 0 {
		t.Errorf("the first turn has a graph of %d nodes", nodes())
	}
	h.answer(save(load("a,b\n1,2\n2,3\n3,4\n")))
	_, list := h.ran("y")
	edited := list[0].Events[0]["turn_id"].(string)
	if nodes() != 2 {
		t.Errorf("the second turn has a graph of %d nodes", nodes())
	}
	h.reopen()
	h.answer(save(nil))
	h.ran("y, better", "edit_turn_id", quote(edited))
	if nodes() != 2 {
		t.Errorf("the graph of a replaced turn stayed: %d nodes", nodes())
	}
	if h.ran("z"); nodes() != 2 {
		t.Errorf("then the graph has %d nodes", nodes())
	}
	other := h.newSession()
	h.stream(protocol.PathChat(other), h.chatBody("x")).rest()
	if nodes() != 0 {
		t.Errorf("another session has the graph")
	}
}

func TestOldRunsAreForgottenButNotLost(t *testing.T) {
	h := newHarness(t, func(cfg *Config) { cfg.KeepEnded = 2 })
	var runs []string
	for range 4 {
		h.script(frames(hello, goodbye))
		run, _ := h.ran("x")
		h.confirmedAs(run, "completed")
		runs = append(runs, run)
	}
	h.refused(409, "REPLAY_UNAVAILABLE", "POST", protocol.PathResume(h.session, runs[0], -1), "")
	h.resume(runs[3], -1).until("run_end")
	if s := h.snapshot(runs[0]); s["snapshot_complete"] != true || len(s["items"].([]any)) != 1 {
		t.Errorf("snapshot %v", s)
	}
}

func TestControlNeedsOneNameOfTheRun(t *testing.T) {
	h := newHarness(t)
	base := protocol.PathSession(h.session) + "/runs/control"
	h.refused(400, "BAD_REQUEST", "GET", base, "")
	h.refused(400, "BAD_REQUEST", "GET", base+"?run_id=a&start_request_id=b", "")
	h.refused(404, "RUN_NOT_FOUND", "GET", base+"?start_request_id="+newID(), "")
	h.script(frames(hello))
	start := newID()
	run, _ := h.ran("x", "start_request_id", quote(start))
	for range 2 {
		if c := h.want(200, "GET", protocol.PathControlByStart(h.session, start), "").obj; c["run_id"] != run || c["start_request_id"] != start {
			t.Errorf("control %v", c)
		}
		h.reopen()
	}
}

func TestAnEndThatCannotBeSavedIsSavedLater(t *testing.T) {
	h := newHarness(t)
	h.script(hanging(hello))
	w := h.chat("x")
	w.until("message_delta")
	ctx := context.Background()
	run := h.srv.process().run(h.session, w.run)
	turn, err := h.srv.db.TurnByRun(ctx, h.session, w.run)
	if err != nil {
		t.Fatal(err)
	}
	run.saveNow() // so that no save is due any more
	if err := h.srv.db.DeleteSession(ctx, h.session); err != nil {
		t.Fatal(err)
	}
	run.cancelNow()
	h.clock.await(t, time.Second)
	if c := run.control(); c.TerminalPersisted || c.CanSend || protocol.Terminal(c.Status) {
		t.Errorf("control while the end cannot be saved: %+v", c)
	}
	err = h.srv.db.CreateSession(ctx, db.Session{ID: h.session})
	if err == nil {
		err = h.srv.db.StartTurn(ctx, turn, "", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	h.clock.advance(time.Second)
	w.until("run_end")
	h.confirmedAs(w.run, "cancelled")
}

func unwrapAll(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		err = inner.Unwrap()
	}
}
