package e2e

import (
	"strings"
	"testing"
)

func TestSwitchingTheLanguageAffectsTheNextMessageOnly(t *testing.T) {
	w := newWorld(t)
	w.script(script{Times: 2, Steps: []step{say("m", "same words")}})
	p := w.open("/")
	p.waitAttr(hook("app"), "data-lang", "en")
	p.ask("first")
	english := p.text(hook("send")) + p.attr(box(), "placeholder")
	p.click(hook("language") + ` [data-value="zh"]`)
	p.waitAttr(hook("app"), "data-lang", "zh")
	p.wait("the page to be Chinese", `document.documentElement.lang === "zh-CN"`)
	if chinese := p.text(hook("send")) + p.attr(box(), "placeholder"); chinese == english {
		p.fatal("the page still says %q", chinese)
	}
	p.waitAttr(lastTurn, "data-lang", "en-US")
	p.wantText(hook("message"), "same words")
	p.ask("第二")
	p.waitAttr(lastTurn, "data-lang", "zh-CN")
	chats := w.requests("chat")
	if chats[0].Headers["Accept-Language"] != "en-US" || chats[1].Headers["Accept-Language"] != "zh-CN" {
		p.fatal("the languages sent are %v and %v", chats[0].Headers, chats[1].Headers)
	}
	p.reload()
	p.waitAttr(hook("app"), "data-lang", "zh")
	if langs := p.attrs(hook("turn"), "data-lang"); strings.Join(langs, " ") != "en-US zh-CN" {
		p.fatal("the turns' languages are %v", langs)
	}
}

func TestTheThemeIsRightFromTheFirstFrame(t *testing.T) {
	w := newWorld(t)
	p := w.tab()
	p.systemTheme("dark")
	p.probe("background", `document.body && getComputedStyle(document.body).backgroundColor`)
	p.visit("/")
	p.waitAttr(hook("app"), "data-theme", "dark")
	dark := value[string](p, `getComputedStyle(document.body).backgroundColor`)
	wantOnly := func(color string) {
		t.Helper()
		for _, seen := range series[any](p, "background") {
			if seen != nil && seen != color {
				p.fatal("the page was %v before it was %v", seen, color)
			}
		}
	}
	wantOnly(dark)

	p.systemTheme("light")
	p.waitAttr(hook("app"), "data-theme", "light")
	light := value[string](p, `getComputedStyle(document.body).backgroundColor`)
	if light == dark {
		p.fatal("light and dark have the same background %v", light)
	}
	p.click(hook("theme") + ` [data-value="dark"]`)
	p.waitAttr(hook("app"), "data-theme", "dark")
	p.reload()
	p.waitAttr(hook("app"), "data-theme", "dark")
	wantOnly(dark)
	p.click(hook("theme") + ` [data-value="system"]`)
	p.waitAttr(hook("app"), "data-theme", "light")
}

func TestSwitchingDisturbsNoRunAndNoDraft(t *testing.T) {
	w := newWorld(t)
	w.script(run(frame(start("m"), delta("m", "one")), gate("g"), frame(delta("m", " two"), end("m"))))
	p := w.open("/")
	p.send("go")
	p.waitText(hook("message"), "one")
	p.typeIn(box(), "草稿")
	for range 3 {
		p.click(hook("language") + ` [data-value="zh"]`)
		p.waitAttr(hook("app"), "data-lang", "zh")
		p.click(hook("theme") + ` [data-value="dark"]`)
		p.waitAttr(hook("app"), "data-theme", "dark")
		p.click(hook("language") + ` [data-value="en"]`)
		p.waitAttr(hook("app"), "data-lang", "en")
		p.click(hook("theme") + ` [data-value="light"]`)
		p.waitAttr(hook("app"), "data-theme", "light")
	}
	p.wantBox("草稿")
	w.openGate("g")
	p.waitTurn("completed")
	p.wantText(hook("message"), "one two")
	if n := len(w.requests("resume")); n != 0 {
		p.fatal("the run was resumed %d times", n)
	}
	p.steady()
}

// A browser that is told to keep nothing throws as soon as its storage is named.
func TestTheConsoleWorksWhereStorageIsForbidden(t *testing.T) {
	w := newWorld(t)
	w.script(script{Steps: []step{say("m", "an answer")}})
	p := w.tab()
	p.before(`for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
		configurable: true,
		get() { throw new DOMException("forbidden", "SecurityError"); },
	})`)
	p.visit("/")
	p.ask("works")
	p.waitTurn("completed")
	p.wantText(hook("message"), "an answer")
}
