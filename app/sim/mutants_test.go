package sim_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are mistakes that products of this kind have made. Each is a small change to the client;
// TestConvergence must fail with any one of them. `make mutants` shows that it does.
var mutants = []struct {
	name, file, old, new string
}{
	{"the frame at the cursor is applied again", "store/fold.go", "frame.Index <= f.run.Cursor", "frame.Index < f.run.Cursor"},
	{"duplicates are applied", "store/fold.go", "frame.Index <= f.run.Cursor", "frame.Index < 0"},
	{"content of frames without index is applied", "store/fold.go", "		f.observation(frame.Events)\n", "		for _, ev := range frame.Events {\n			f.event(ev)\n		}\n"},
	{"a frame's content is published without its cursor", "store/fold.go", "	f.run.Cursor = frame.Index\n", "	if frame.Index%3 != 0 {\n		f.run.Cursor = frame.Index\n	}\n"},
	{"the cursor is published without its frame's last event", "store/fold.go", "	for _, ev := range frame.Events {\n		f.event(ev)\n	}\n	f.run.Cursor", "	for i, ev := range frame.Events {\n		if i < 2 {\n			f.event(ev)\n		}\n	}\n	f.run.Cursor"},
	{"resume skips the frame after the cursor", "observe/stream.go", "Resume(w.sid, w.rid, r.Cursor, ", "Resume(w.sid, w.rid, r.Cursor+1, "},
	{"the replay is appended to what was saved", "observe/load.go", "		w.shadow = store.NewRun(w.sid, w.rid)\n", ""},
	{"a rebuild is published before it has caught up", "observe/stream.go", "if !complete && !shadow.Ended() && shadow.Cursor < s.target {", "if shadow.Cursor < 0 {"},
	{"a rebuild is appended to what is shown", "store/restore.go", "	next.items = itemList{}\n	for i := range shadow.Len() {", "	next.items = r.items\n	for i := range shadow.Len() {"},
	{"raw frames are applied after a snapshot", "observe/snapshot.go", "		w.polls = 1\n	}\n	w.pollLater()", "		w.polls = 1\n	}\n	w.next(func() func() {\n		return w.Client.Resume(w.sid, w.rid, after.Cursor, w.language(), &stream{watch: w})\n	})"},
	{"a restored run leaves snapshot mode", "store/restore.go", "	next.Snapshot = true\n	next.Status, next.Error", "	next.Snapshot = false\n	next.Status, next.Error"},
	{"a partial snapshot is shown", "observe/snapshot.go", "case s.RunID != w.rid || !s.Complete:", "case s.RunID != w.rid:"},
	{"a step goes on after the next has begun", "observe/watcher.go", "	w.stop()\n	w.step = begin()", "	w.step = begin()"},
	{"leaving does not disconnect", "observe/watcher.go", "	w.now.stop()\n	w.now.setConn(store.Connection{Phase: store.PhaseIdle})\n	w.now = nil", "	w.now = nil"},
	{"a new run begins at the last run's cursor", "act/send.go", "		turn.Run.Lang, turn.Run.Format = turn.Lang, turn.Format\n", "		turn.Run.Lang, turn.Run.Format = turn.Lang, turn.Format\n		for _, past := range tx.Session(sid).Past {\n			turn.Run.Cursor = past.Run.Cursor\n		}\n"},
	{"frames of another run are applied", "observe/stream.go", "case f.SessionID != s.sid || f.RunID != s.rid:", "case f.SessionID != s.sid:"},
	{"a broken stream is a dead end", "observe/stream.go", "	w.attempt++\n	w.reconnect(reconnectDelay(w.attempt, w.Random()), nil)", "	w.fail(nil)"},
	{"a clean end counts as the end of the run", "observe/stream.go", "	if err == nil {\n		err = errors.New(\"the stream ended\")\n	}\n", "	if err == nil {\n		w.end()\n		return\n	}\n"},
	{"silence is not noticed", "observe/stream.go", "w.time().Sub(w.lastByte) <= silence", "w.time().Sub(w.lastByte) >= 0"},
	{"a pause without a stream is not watched", "observe/control.go", "	w.wait(pausedPoll, w.askWhilePaused)", "	w.stop()"},
	{"an end counts before it is confirmed", "observe/confirm.go", "		if c.Confirmed() {\n			w.finish(c)", "		if c.ExecutionStopped {\n			w.finish(c)"},
	{"the first complete snapshot is the last", "observe/snapshot.go", "		w.polls = 1\n	}\n	w.pollLater()", "		w.polls = 1\n	}"},
	{"coming back forgets what was folded", "observe/merge.go", "	if isActive && folded {\n		return local.Run\n	}\n	if isActive && local.Run.Len() > len(saved.Items) {\n		return local.Run\n	}\n", "	_ = folded\n"},
	{"a message is posted again by itself", "act/send.go", "	s.setSend(store.SendChecking, s.cause)\n	s.check()", "	s.setSend(store.SendChecking, s.cause)\n	s.post()"},
	{"a refresh sends the message again", "act/send.go", "		a.update(func(tx *store.Tx) { tx.AddTurn(sid, s.turn(store.SendChecking)) })\n		s.check()", "		a.update(func(tx *store.Tx) { tx.AddTurn(sid, s.turn(store.SendChecking)) })\n		s.post()"},
	{"a decision is posted again by itself", "act/decide.go", "	d.set(store.ActOpen, cause, \"\")\n", "	d.post(protocol.PausedRequest{}, \"\")\n"},
}

// TestMutantsApply keeps the list true to the code: each change still has its one place.
func TestMutantsApply(t *testing.T) {
	for _, m := range mutants {
		source, err := os.ReadFile(filepath.Join("..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), m.old); n != 1 {
			t.Errorf("%s: found %d times in %s", m.name, n, m.file)
		}
	}
}

var runMutants = flag.Bool("mutants", false, "show that TestConvergence fails with each seeded mistake")

// TestMutantsAreCaught runs TestConvergence against each mutant.
func TestMutantsAreCaught(t *testing.T) {
	if !*runMutants {
		return // minutes of compiling; `make mutants`
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			overlay := mutate(t, m.file, m.old, m.new)
			cmd := exec.Command("go", "test", "-overlay", overlay, "-run", "^TestConvergence$", ".",
				"-rapid.checks=20000", "-rapid.shrinktime=1ms", "-rapid.nofailfile")
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatal("the mistake was not noticed")
			}
			if strings.Contains(string(out), "[build failed]") {
				t.Fatalf("the mutant does not compile:\n%s", out)
			}
		})
	}
}

// mutate writes a changed copy of a file and the overlay that puts it in place.
func mutate(t *testing.T, file, old, new string) (overlay string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}
