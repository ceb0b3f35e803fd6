package e2e

import (
	"slices"
	"strings"
	"testing"
)

// chips are the names of the files that go with the next message.
func (p *page) chips() (names []string) {
	p.t.Helper()
	return value[[]string](p, `__e2e.all('[data-testid="attachment"]').map((el) => el.querySelector("[title]").title)`)
}

func TestAttachmentsGoWithOneMessageOnly(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.attached("g.csv", "a,b\nb,c\n")
	p.ask("describe the graph")
	p.wantCount(hook("attachment"), 0)
	p.click(hook("new-session"))
	p.waitCount(hook("turn"), 0)
	p.wantCount(hook("attachment"), 0)
	p.reload()
	p.wantCount(hook("attachment"), 0)
}

func TestAFileAttachedWhileTheSessionIsMadeIsNotLost(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	w.fault(`{"on":"session_create","gate":"create"}`)
	w.fault(`{"on":"upload","gate":"upload"}`)
	p.send("describe the graph")
	w.waitGate("create", 1)
	p.attach("g.csv", "a,b\nb,c\n")
	w.waitGate("upload", 1)
	w.openGate("create")
	p.sessionID()
	p.waitBlocked("attachments")
	p.wait("the text to stay", find(hook("composer"))+`.value === "describe the graph"`)
	w.openGate("upload")
	p.waitBlocked("")
	p.focus(hook("composer"))
	p.press(keyEnter)
	p.waitTurn("completed")
	p.waitText(hook("message"), "g.csv")
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("%d messages were sent, want 1", n)
	}
}

func TestFilesOfEqualAndForeignNamesStayApart(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "ok")))
	p := w.open("/")
	names := []string{"测试 文档(1).csv", "测试 文档(1).csv", "naïve résumé.txt", "👨‍👩‍👧.csv", "a\"b;c.txt"}
	for i, name := range names {
		p.attach(name, strings.Repeat("x", i+3))
		p.waitCount(hook("attachment", "state", "ready"), i+1)
	}
	if got := p.chips(); !slices.Equal(got, names) {
		p.fatal("the chips are named %q, want %q", got, names)
	}
	uploads := w.requests("upload")
	p.click(hook("attachment") + ":nth-child(2) " + hook("attachment-remove"))
	p.waitCount(hook("attachment"), 4)
	p.reload()
	p.waitCount(hook("attachment", "state", "ready"), 4)
	p.ask("read these")
	sent := w.requests("chat")[0].Body
	if strings.Count(sent, "file_token") != 4 || len(uploads) != 5 {
		p.fatal("the message carries %s after %d uploads", sent, len(uploads))
	}
	at := 0
	for _, name := range slices.Delete(slices.Clone(names), 1, 2) {
		quoted := quote(name)
		found := strings.Index(sent[at:], quoted)
		if found < 0 {
			p.fatal("%s is not in its place in %s", quoted, sent)
		}
		at += found
	}
	p.waitCount(hook("user-message")+" li", 4)
}

func TestAFailedUploadHoldsTheMessageBack(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.attached("good.csv", "a,b\n")
	w.fault(`{"on":"upload","refuse":true,"times":-1}`)
	p.attach("bad.csv", "b,c\n")
	p.waitCount(hook("attachment", "state", "failed"), 1)
	p.typeIn(hook("composer"), "describe the graph")
	p.waitBlocked("attachments")
	p.press(keyEnter)
	p.waitFor(hook("attachment", "state", "failed") + " " + hook("error"))
	if n := len(w.requests("session_create")); n != 0 {
		p.fatal("a message went out without its file")
	}
	w.clearFaults()
	before := len(w.requests("upload"))
	p.click(hook("attachment", "state", "failed") + " " + hook("attachment-retry"))
	p.waitCount(hook("attachment", "state", "ready"), 2)
	p.focus(hook("composer"))
	p.press(keyEnter)
	p.waitTurn("completed")
	if n := len(w.requests("upload")) - before; n != 1 {
		p.fatal("%d files were uploaded again, want only the one that failed", n)
	}
}
