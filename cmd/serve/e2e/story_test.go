package e2e

import "testing"

func TestAnAnswerStreamsAndStays(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(start("a"), delta("a", "Hello")), gate("g"),
		frame(delta("a", " again"), end("a")),
	))
	p := w.open("/")
	p.send("hi")
	p.waitText(lastTurn+hook("message"), "Hello")
	w.openGate("g")
	p.waitTurn("completed")
	p.wantText(hook("message"), "Hello again")
	p.steady()
	p.reload()
	p.wantText(hook("message"), "Hello again")
	p.steady()
}
