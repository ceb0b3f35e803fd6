package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// wantOneSend checks that all chat requests were the same one, and came to one turn.
func (p *page) wantOneSend() {
	p.t.Helper()
	p.w.wantOneAct("chat", "start_request_id")
	chats := p.w.requests("chat")
	for _, r := range chats[1:] {
		if r.Body != chats[0].Body || r.Headers["Accept-Language"] != chats[0].Headers["Accept-Language"] {
			p.fatal("a message was sent again as %s, first as %s", r.Body, chats[0].Body)
		}
	}
	p.wantCount(hook("turn"), 1)
	p.reload()
	p.waitCount(hook("turn"), 1)
	p.waitCount(hook("user-message"), 1)
	p.waitTurn("completed")
	p.wantCount(hook("message"), 1)
}

func TestAnAnswerThatIsNoStreamLeavesTheMessageUnsent(t *testing.T) {
	for _, c := range []struct{ name, fault, code, says string }{
		{"a web page", `{"on":"chat","status":200,"body":"<h1>Welcome</h1><script>alert(1)</script>"}`, "BAD_CONTENT_TYPE", "200"},
		{"a proxy's error", `{"on":"chat","status":502,"body":"<h1>Bad Gateway</h1>"}`, "HTTP_502", "502"},
		{"JSON with status 200", `{"on":"chat","status":200,"body":"{\"error\":\"x\"}"}`, "BAD_CONTENT_TYPE", "200"},
		{"an empty stream", `{"on":"chat","status":200,"content_type":"text/event-stream","body":""}`, "NETWORK", ""},
		{"no server", `{"on":"chat","refuse":true,"times":-1}`, "NETWORK", ""},
		{"signed out", `{"on":"chat","status":401,"code":"UNAUTHORIZED"}`, "UNAUTHORIZED", "401"},
		{"signed out, as a page", `{"on":"chat","status":401,"body":"<h1>Sign in</h1>"}`, "HTTP_401", "401"},
		{"too many requests", `{"on":"chat","status":429,"code":"BUSY","headers":{"Retry-After":"1"}}`, "BUSY", "429"},
		{"unavailable", `{"on":"chat","status":503,"code":"DOWN","headers":{"Retry-After":"1"}}`, "DOWN", "503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			p := w.open("/")
			w.fault("%s", c.fault)
			p.send("你好")
			p.waitTurn("unsent")
			p.waitText(lastTurn+" "+hook("error", "code", c.code), c.says)
			p.wantCount(hook("message"), 0)
			p.waitText(hook("user-message"), "你好")
			if text := p.text(lastTurn); strings.Contains(text, "Welcome") || strings.Contains(text, "Bad Gateway") || strings.Contains(text, "Sign in<") {
				p.fatal("the page that came is shown: %s", text)
			}
			w.clearFaults()
			w.script(run(say("m", "hello")))
			p.click(hook("language") + ` [data-value="zh"]`) // a retry keeps the language of the first sending
			p.waitAttr(hook("app"), "data-lang", "zh")
			p.click(lastTurn + " " + hook("retry"))
			p.waitTurn("completed")
			p.wantText(hook("message"), "hello")
			p.waitBlocked("")
			p.wantOneSend()
		})
	}
}

func TestAMessageWhoseAnswerIsLostIsNotSentAgain(t *testing.T) {
	w := newWorld(t)
	w.script(run(say("m", "hello")))
	p := w.open("/")
	w.fault(`{"on":"chat","lose":true,"times":-1}`)
	w.fault(`{"on":"control","gate":"control"}`)
	p.send("你好")
	p.waitTurn("checking")
	p.wantCount(hook("retry"), 0)
	w.openGate("control")
	p.waitTurn("completed")
	p.wantText(hook("message"), "hello")
	p.waitBlocked("")
	p.wantOneSend()
}

func TestAnUnsentMessageSurvivesARefresh(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.attached("g.csv", "a,b\nb,c\n")
	w.fault(`{"on":"chat","refuse":true,"times":-1}`)
	p.send("你好")
	p.waitTurn("unsent")
	p.reload()
	p.waitTurn("unsent")
	p.waitText(hook("user-message"), "你好")
	w.clearFaults()
	p.click(lastTurn + " " + hook("retry"))
	p.waitTurn("completed")
	p.waitBlocked("")
	p.wantOneSend()
	if n := len(w.requests("upload")); n != 1 {
		p.fatal("the file was uploaded %d times", n)
	}
}

func TestASessionThatIsBusyKeepsTheTextAndShowsTheRun(t *testing.T) {
	w := newWorld(t)
	sid := w.session()
	one, two := w.open("/s/"+sid), w.open("/s/"+sid)
	w.script(run(say("m", "from the other tab"), gate("end")))
	one.send("first")
	one.waitText(hook("message"), "from the other tab")
	two.send("second")
	two.waitText(hook("message"), "from the other tab")
	two.waitTurn("running")
	two.waitBox("second")
	two.waitFor(hook("error", "code", "RUN_ACTIVE"))
	two.wantCount(hook("turn"), 1)
	w.openGate("end")
	two.waitTurn("completed")
	two.waitBlocked("")
	w.script(run(say("n", "answered")))
	two.focus(box())
	two.press(keyEnter)
	two.waitCount(hook("turn"), 2)
	two.waitTurn("completed")
}

func TestTheSameTextSentTwiceIsTwoMessages(t *testing.T) {
	w := newWorld(t)
	w.script(script{Times: 1, Steps: []step{say("m", "one")}})
	w.script(script{Times: 1, Steps: []step{say("n", "two")}})
	p := w.open("/")
	p.ask("继续")
	p.ask("继续")
	for range 2 {
		if texts := p.texts(hook("user-message") + " .bubble"); len(texts) != 2 || texts[0] != "继续" || texts[1] != "继续" {
			p.fatal("the messages are %q", texts)
		}
		if got := fmt.Sprint(p.texts(hook("message"))); got != "[one two]" {
			p.fatal("the answers are %s", got)
		}
		p.reload()
		p.waitCount(hook("message"), 2)
	}
}

func TestAFileTakenAwayIsNoLongerUploaded(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	w.fault(`{"on":"upload","gate":"upload"}`)
	p.attach("g.csv", "a,b\nb,c\n")
	w.waitGate("upload", 1)
	p.waitBlocked("attachments")
	p.click(hook("attachment-remove"))
	p.waitBlocked("")
	w.until("the upload to be left", func() bool { return w.requests("upload")[0].Outcome == "left" })
}
