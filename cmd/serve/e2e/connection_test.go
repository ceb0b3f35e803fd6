package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
)

func TestAStreamThatIsSilentTooLongIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "one")), frame(delta("m", " two"), end("m")), gate("end")))
	p := w.tab()
	p.ownTime()
	p.visit("/")
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"stall","gate":"never"}]}`)
	p.send("go")
	p.waitText(hook("message"), "one")
	p.sleep(40)
	p.evaluate("the page to be looked at", `document.dispatchEvent(new Event("visibilitychange"))`, nil)
	p.waitConnection("live")
	if n := len(w.requests("resume")); n != 0 {
		p.fatal("after 40 seconds of silence the stream was given up")
	}
	p.sleep(6)
	p.evaluate("the page to be looked at", `document.dispatchEvent(new Event("visibilitychange"))`, nil)
	p.waitText(hook("message"), "one two")
	if resumed := w.requests("resume"); len(resumed) != 1 || !strings.Contains(resumed[0].Query, "last_event_index=1") {
		p.fatal("the run was resumed by %v", resumed)
	}
	w.until("the silent stream to be left", func() bool { return w.requests("chat")[0].Outcome == "left" })
	w.openGate("end")
	p.wantWhole("one two")
}

func TestBeingHiddenAndShownDisturbsNothing(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "one")), gate("hidden"), frame(delta("m", " two")), gate("end"), frame(end("m"))))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	set := func(state string) {
		t.Helper()
		p.evaluate(state, fmt.Sprintf(`Object.defineProperty(document, "visibilityState", {value: %[1]q, configurable: true}),
			Object.defineProperty(document, "hidden", {value: %[1]q === "hidden", configurable: true}),
			document.dispatchEvent(new Event("visibilitychange"))`, state), nil)
	}
	for range 3 {
		set("hidden")
		w.openGate("hidden")
		p.waitText(hook("message"), "one two")
		set("visible")
	}
	p.waitConnection("live")
	if n := len(w.requests("resume")) + len(w.requests("chat")); n != 1 {
		p.fatal("%d streams were asked for, want 1", n)
	}
	if got := w.requests("chat")[0].Outcome; got != "open" {
		p.fatal("a healthy stream is %s", got)
	}
	w.openGate("end")
	p.wantWhole("one two")
}

func TestComingBackGoesOnAtOnce(t *testing.T) {
	for _, c := range []struct{ name, event string }{
		{"online", `window.dispatchEvent(new Event("online"))`},
		{"looked at", `document.dispatchEvent(new Event("visibilitychange"))`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			p, _ := w.broken()
			w.fault(`{"on":"resume","status":503,"code":"DOWN","headers":{"Retry-After":"3600"}}`)
			w.openGate("more")
			p.waitFor(hook("error", "code", "DOWN"))
			p.waitConnection("reconnecting")
			p.evaluate(c.name, c.event, nil)
			p.waitText(hook("message"), "one two")
			w.openGate("end")
			p.wantWhole("one two three")
		})
	}
}

func TestTryingAgainByHandGoesOnAtOnce(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	w.fault(`{"on":"resume","status":503,"code":"DOWN","headers":{"Retry-After":"3600"}}`)
	w.openGate("more")
	p.waitText(".banner", "(Status 503)")
	p.click(".banner:not([hidden]) .link")
	p.waitText(hook("message"), "one two")
	w.openGate("end")
	p.wantWhole("one two three")
}

func TestRetryAfterIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	w.fault(`{"on":"resume","status":503,"code":"DOWN","headers":{"Retry-After":"2"}}`)
	w.openGate("more")
	p.waitText(hook("message"), "one two")
	resumed := w.requests("resume")
	if len(resumed) != 2 || resumed[1].At.Sub(resumed[0].At) < 2*time.Second {
		p.fatal("the run was resumed by %v, want two requests two seconds apart", resumed)
	}
	w.openGate("end")
	p.wantWhole("one two three")
}

func TestBeingOfflineIsSaid(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	offline := func(is bool) {
		t.Helper()
		p.do("set the network", network.OverrideNetworkState(is, 0, -1, -1))
	}
	p.waitText(hook("connection"), "Connected")
	offline(true)
	p.waitText(hook("connection"), "Offline")
	p.typeIn(box(), "a draft")
	p.waitText("#why", "Your draft is kept.")
	offline(false)
	p.waitText(hook("connection"), "Connected")
	p.waitBox("a draft")
}

func TestARunThatCannotBeResumedIsTakenFromElsewhere(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
	}{{404, "NOT_FOUND"}, {410, "GONE"}, {401, "UNAUTHORIZED"}, {403, "FORBIDDEN"}} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			w := newWorld(t)
			p, _ := w.broken()
			w.fault(`{"on":"resume","status":%d,"code":%q,"times":-1}`, c.status, c.code)
			w.openGate("more")
			p.waitText(hook("message"), "one two")
			w.openGate("end")
			p.wantWhole("one two three")
			if n := len(w.requests("resume")); n > 2 {
				p.fatal("a run that cannot be resumed was asked for %d times", n)
			}
		})
	}
}

func TestBeingSignedOutIsSaidAndEndsTheAsking(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	for _, on := range []string{"resume", "control", "snapshot", "session"} {
		w.fault(`{"on":%q,"status":401,"code":"UNAUTHORIZED","times":-1}`, on)
	}
	w.openGate("more")
	p.waitConnection("failed")
	p.waitText(hook("error", "code", "UNAUTHORIZED"), "401")
	p.wantText(hook("message"), "one")
	if n := len(w.requests("resume")); n > 2 {
		p.fatal("the run was asked for %d times", n)
	}
	w.clearFaults()
	p.click(".banner:not([hidden]) .link")
	p.wantWhole("one two three")
}

func TestFramesThatCannotBeAppliedAreAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		do, state string
		resumes   int
	}{
		{"corrupt", "live", 1},
		{"half", "live", 1},
		{"duplicate", "live", 0},
		{"run", "live", 1},
		{"session", "live", 1},
	} {
		t.Run(c.do, func(t *testing.T) {
			w := newWorld(t)
			w.script(run(frame(start("m"), delta("m", "one")), frame(delta("m", " two")), frame(delta("m", " three"), end("m")), gate("end")))
			p := w.open("/")
			w.fault(`{"on":"chat","edits":[{"frame":3,"do":%q}]}`, c.do)
			p.send("go")
			p.waitText(hook("message"), "one two three")
			p.waitConnection(c.state)
			if n := len(w.requests("resume")); n != c.resumes {
				p.fatal("the run was resumed %d times, want %d", n, c.resumes)
			}
			w.openGate("end")
			p.wantWhole("one two three")
		})
	}
}

func TestAFrameThatNeverDecodesLeadsToSnapshots(t *testing.T) {
	w := newWorld(t)
	p, _ := w.broken()
	w.fault(`{"on":"resume","edits":[{"frame":1,"do":"corrupt"}],"times":-1}`)
	w.openGate("more")
	p.waitConnection("snapshot")
	p.waitText(hook("message"), "one two")
	w.openGate("end")
	p.wantWhole("one two three")
	if n := len(w.requests("resume")); n > 2 {
		p.fatal("a frame that cannot be applied was asked for %d times", n)
	}
}

func TestAnotherProtocolVersionStopsWatching(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "one")), gate("more"), frame(delta("m", " two"), end("m")), gate("end")))
	p := w.open("/")
	w.fault(`{"on":"chat","edits":[{"frame":3,"do":"version"}]}`)
	p.send("go")
	p.waitText(hook("message"), "one")
	w.openGate("more")
	p.waitConnection("failed")
	p.waitFor(hook("error", "code", "PROTOCOL_VERSION"))
	p.wantText(hook("message"), "one")
	if n := len(w.requests("resume")); n != 0 {
		p.fatal("the run was resumed %d times", n)
	}
	p.click(".banner:not([hidden]) .link")
	p.ready()
	p.waitText(hook("message"), "one two")
	w.openGate("end")
	p.wantWhole("one two")
}

func TestWhatCameWhileAwayIsMarked(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "seen"), gate("away"), say("n", "not seen"), gate("end")))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "seen")
	address := p.path()
	p.evaluate("leave", `location.href = "about:blank"`, nil)
	p.wait("an empty page", `location.href === "about:blank"`)
	w.openGate("away")
	p.visit(address)
	p.waitText(hook("message", "message-id", "n"), "not seen")
	p.waitFor(hook("away"))
	if order := value[string](p, fmt.Sprintf(`__e2e.all(%s).map((el) => el.dataset.messageId ?? "away").join(" ")`,
		quote(hook("message")+","+hook("away")))); order != "m away n" {
		p.fatal("the mark stands in %q", order)
	}
	w.openGate("end")
	p.waitTurn("completed")
}

func TestTheInspectorsLogFoldsToWhatIsShown(t *testing.T) {
	w := newWorld(t)
	w.script(run(append(taleFrames("m"), gate("end"))...))
	p := w.tab()
	p.before(`URL.createObjectURL = ((make) => (blob) => { window.__saved = blob; return make.call(URL, blob); })(URL.createObjectURL);
		addEventListener("click", (e) => { if (e.target.closest?.("a[download]")) e.preventDefault(); }, true);`)
	p.visit("/")
	w.fault(`{"on":"chat","edits":[{"frame":9,"do":"cut"}]}`)
	p.send("tell")
	p.waitText(hook("message"), tale[len(tale)-1])
	w.openGate("end")
	p.waitTurn("completed")
	p.waitBlocked("")
	p.click(hook("inspector-toggle"))
	p.waitFor(hook("inspector"))
	p.waitText(hook("inspector"), "message_delta")
	p.waitText(hook("inspector"), "#40")
	p.click(hook("inspector") + " footer button")
	p.wait("the log to be saved", "window.__saved")
	file := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(file, []byte(value[string](p, "__saved.text()")), 0o644); err != nil {
		t.Fatal(err)
	}
	replay := exec.Command("go", "run", "./app/replay", file)
	replay.Dir = "../../.."
	out, err := replay.Output()
	if err != nil {
		t.Fatalf("replay the log: %v", err)
	}
	var folded struct {
		Status string
		Items  []struct {
			Type, Text string
			ID         string `json:"message_id"`
		}
	}
	if err := json.Unmarshal(out, &folded); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(folded.Items) != 1 || folded.Items[0].Text != strings.Join(tale, "") || folded.Status != "completed" {
		p.fatal("the log folds to %s", out)
	}
	if !slices.Equal([]string{folded.Items[0].Text}, p.texts(hook("message"))) {
		p.fatal("the page shows %q", p.texts(hook("message")))
	}
}
