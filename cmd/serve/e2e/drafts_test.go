package e2e

import "testing"

func TestDraftsArePerSessionAndSurviveARefresh(t *testing.T) {
	w := newWorld(t)
	one, two := w.session(), w.session()
	w.script(script{Times: 2, Steps: []step{say("m", "ok")}})
	w.turns(one, "first")
	w.turns(two, "second")
	p := w.open("/")
	p.typeIn(box(), "a draft for a new chat")
	to := func(sid string) {
		t.Helper()
		p.click(hook("session", "session-id", sid))
		p.waitCount(hook("turn"), 1)
		p.wait("the address", `location.pathname === "/s/`+sid+`"`)
	}
	to(one)
	p.waitBox("")
	p.typeIn(box(), "第一个草稿\n两行")
	to(two)
	p.waitBox("")
	p.typeIn(box(), "draft two")
	p.reload()
	p.waitBox("draft two")
	to(one)
	p.waitBox("第一个草稿\n两行")
	p.click(hook("new-session"))
	p.waitBox("a draft for a new chat")
	to(two)
	p.waitBox("draft two")
	w.script(run(say("m2", "ok")))
	p.focus(box())
	p.press(keyEnter)
	p.waitCount(hook("turn"), 2)
	p.waitTurn("completed")
	p.waitBox("")
	p.reload()
	p.waitBox("")
}

func TestADraftSurvivesADeadServerAndAClosedTab(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.typeIn(box(), "typed before the crash")
	w.kill()
	p.typeIn(box(), ", and after")
	w.start()
	p.reload()
	p.waitBox("typed before the crash, and after")
	other := w.open("/")
	other.waitBox("typed before the crash, and after")
}

func TestTypingWhileARunGoesOnIsKept(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "one")), gate("g"), frame(delta("m", " two"), end("m"))))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	p.waitBlocked("running")
	p.typeIn(box(), "the next question")
	p.press(keyEnter)
	p.wantBox("the next question")
	w.openGate("g")
	p.waitTurn("completed")
	p.waitBlocked("")
	p.wantBox("the next question")
	p.wait("the keyboard to stay in the box", "document.activeElement === "+find(box()))
	if n := len(w.requests("chat")); n != 1 {
		p.fatal("%d messages were sent, want 1", n)
	}
}

func TestEditingTheLatestMessageKeepsTheDraft(t *testing.T) {
	w := newWorld(t)
	w.script(script{Times: 2, Steps: []step{say("m", "ok")}})
	p := w.open("/")
	p.ask("first wording")
	p.typeIn(box(), "a draft")
	p.click(hook("edit-turn"))
	p.waitBox("first wording")
	p.click(hook("edit-cancel"))
	p.waitBox("a draft")
	p.click(hook("edit-turn"))
	p.waitBox("first wording")
	p.typeIn(box(), ", improved")
	p.press(keyEnter)
	p.waitText(hook("user-message"), "first wording, improved")
	p.waitTurn("completed")
	p.wantCount(hook("turn"), 1)
	p.waitBox("a draft")
	chats := w.requests("chat")
	if len(chats) != 2 || chats[1].field("edit_turn_id") == "" {
		p.fatal("the edit was sent as %v", chats)
	}
}
