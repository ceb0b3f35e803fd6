package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Two groups in which everybody knows everybody, and one person between them: 9 nodes, 14 edges.
var (
	left  = []string{"甲", "乙", "丙", "丁"}
	right = []string{"子", "丑", "寅", "卯"}
)

const bridge = "桥"

func bridgeEdges() (edges [][2]string) {
	for _, group := range [][]string{left, right} {
		for i, a := range group {
			for _, b := range group[i+1:] {
				edges = append(edges, [2]string{a, b})
			}
		}
	}
	return append(edges, [2]string{left[0], bridge}, [2]string{bridge, right[0]})
}

// edgeLines is a header, if it is not empty, and an edge a line.
func edgeLines(header, between, lineEnd string) string {
	var b strings.Builder
	if header != "" {
		b.WriteString(header + lineEnd)
	}
	for _, e := range bridgeEdges() {
		b.WriteString(e[0] + between + e[1] + lineEnd)
	}
	return b.String()
}

func edgesAsJSON() string {
	var pairs []string
	for _, e := range bridgeEdges() {
		pairs = append(pairs, fmt.Sprintf("[%q,%q]", e[0], e[1]))
	}
	return "[" + strings.Join(pairs, ",\n") + "]"
}

func edgesAsGraphML() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">`)
	for _, e := range bridgeEdges() {
		fmt.Fprintf(&b, `<edge source="%s" target="%s"/>`, e[0], e[1])
	}
	b.WriteString(`</graph></graphml>`)
	return b.String()
}

func asUTF16(text string) string {
	var b bytes.Buffer
	for _, unit := range append([]uint16{0xFEFF}, utf16.Encode([]rune(text))...) {
		b.Write(binary.LittleEndian.AppendUint16(nil, unit))
	}
	return b.String()
}

// tables are the tables within an element: rows of cells.
func tables(p *page, selector string) [][][]string {
	p.t.Helper()
	return value[[][][]string](p, fmt.Sprintf(`__e2e.all(%s).map((table) =>
		[...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))`, quote(selector+" table")))
}

// tableWith is the first table with a text in its head.
func tableWith(p *page, selector, head string, nth int) [][]string {
	p.t.Helper()
	for _, table := range tables(p, selector) {
		if slices.Contains(table[0], head) {
			if nth == 0 {
				return table[1:]
			}
			nth--
		}
	}
	p.fatal("no such table with the column %q in %s", head, selector)
	return nil
}

// attached attaches files and waits until the server has them.
func (p *page) attached(namesAndContents ...string) {
	p.t.Helper()
	p.attach(namesAndContents...)
	p.waitCount(hook("attachment", "state", "ready"), len(namesAndContents)/2)
	p.waitBlocked("")
}

func TestAQuestionAboutAnAttachedGraphIsAnswered(t *testing.T) {
	for _, c := range []struct {
		name, languages, question, lang string
		members, node                   string // columns
	}{
		{"en", "en-US,en", "which communities are there, and who matters most?", "en-US", "Members", "Node"},
		{"zh", "zh-CN,zh", "有哪些社区，谁最重要？", "zh-CN", "成员", "节点"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			p := w.tab()
			p.systemLanguages(c.languages)
			p.probe("steps", `__e2e.all(':last-turn [data-testid="plan-step"]').map((el) => el.dataset.status)`)
			p.visit("/")
			p.waitAttr(hook("app"), "data-lang", c.name)
			p.attached("关系.csv", edgeLines("起点,终点", ",", "\n"))
			p.ask(c.question)

			p.waitAttr(lastTurn, "data-lang", c.lang)
			p.wantText(hook("user-message")+" .bubble", c.question)
			if files := p.text(hook("user-message")); !strings.Contains(files, "关系.csv") {
				p.fatal("the message does not show its file: %q", files)
			}
			wantOrdered(p, series[[]string](p, "steps"))
			tools := p.attrs(hook("tool", "status", "succeeded"), "data-tool")
			if want := []string{"load_graph", "communities", "pagerank", "betweenness"}; !slices.Equal(tools, want) {
				p.fatal("tools that succeeded are %q, want %q", tools, want)
			}
			groups := tableWith(p, hook("message"), c.members, 0)
			if len(groups) != 2 || !holdsAll(groups[0][2]+groups[1][2], append(left, right...)) ||
				!(holdsAll(groups[0][2], left) || holdsAll(groups[1][2], left)) {
				p.fatal("communities are %q, want the two groups", groups)
			}
			if between := tableWith(p, hook("message"), c.node, 1); between[0][1] != bridge {
				p.fatal("betweenness begins with %q, want %s", between[0], bridge)
			}
			toggle := hook("tool", "tool", "betweenness") + " " + hook("tool-toggle")
			p.click(toggle)
			p.waitText(hook("tool", "tool", "betweenness"), bridge)
			p.click(hook("tool", "tool", "load_graph") + " " + hook("tool-toggle"))
			p.waitText(hook("tool", "tool", "load_graph"), "关系.csv")
			p.steady()
		})
	}
}

func holdsAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// wantOrdered checks that plan steps only go forward, and all get done.
func wantOrdered(p *page, samples [][]string) {
	p.t.Helper()
	order := map[string]int{"pending": 0, "running": 1, "done": 2}
	before := []int{}
	for _, sample := range samples {
		for i, status := range sample {
			rank, known := order[status]
			if i < len(before) && (!known || rank < before[i]) {
				p.fatal("a step of the plan went back: %v", samples)
			}
			if i >= len(before) {
				before = append(before, rank)
			}
			before[i] = rank
		}
	}
	if len(before) < 3 || slices.Min(before) != order["done"] {
		p.fatal("not all steps of the plan are done: %v", samples)
	}
}

func TestPlanStepsTickOffOneByOne(t *testing.T) {
	w := newWorld(t)
	w.script(run(
		frame(plan("p", "Load", "running", "Rank", "pending")), gate("1"),
		frame(toolStart("c-1", "load_graph", event{"name": "g.csv"})), gate("2"),
		frame(toolEnd("c-1", "succeeded", event{"nodes": 3}), plan("p", "Load", "done", "Rank", "running")), gate("3"),
		frame(plan("p", "Load", "done", "Rank", "done")), say("m", "Done."),
	))
	p := w.open("/")
	p.send("load and rank")
	steps := func(statuses ...string) {
		t.Helper()
		for i, status := range statuses {
			p.waitAttr(hook("plan-step", "step-id", fmt.Sprintf("p-%d", i+1)), "data-status", status)
		}
	}
	steps("running", "pending")
	w.openGate("1")
	p.waitAttr(hook("tool", "call-id", "c-1"), "data-status", "running")
	w.openGate("2")
	p.waitAttr(hook("tool", "call-id", "c-1"), "data-status", "succeeded")
	steps("done", "running")
	w.openGate("3")
	steps("done", "done")
	p.waitTurn("completed")
	p.steady()
}

func TestGraphsComeInManyForms(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	for _, c := range []struct{ file, data, note string }{
		{"graph.tsv", edgeLines("source\ttarget", "\t", "\n"), ""},
		{"graph.graphml", edgesAsGraphML(), ""},
		{"graph.json", edgesAsJSON(), ""},
		{"windows.csv", edgeLines("source,target", ",", "\r\n"), ""},
		{"wide.csv", asUTF16(edgeLines("source,target", ",", "\r\n")), "UTF-16"},
		{"twice.csv", edgeLines("", ",", "\n") + "甲,乙\n", ""},
		{"loops.csv", edgeLines("", ",", "\n") + "甲,甲\n", "loop"},
	} {
		p.attached(c.file, c.data)
		p.ask("describe the graph")
		answer := p.text(lastTurn + " " + hook("message"))
		if !strings.Contains(answer, "9 nodes and 14 edges") || !strings.Contains(answer, c.note) {
			p.fatal("%s: the answer does not describe the graph (with %q): %s", c.file, c.note, answer)
		}
	}
}

func TestABadGraphFileIsExplained(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	for _, c := range []struct{ file, data, says string }{
		{"delimiter.csv", "alice/bob\nbob/carol\n", "separator"},
		{"column.csv", "source,target\nalice,bob\nbob,\n", "line 3"},
		{"cut.graphml", `<graphml><graph><node id="a"/><node id=`, ""},
		{"cut.json", `{"nodes":[{"id":1},`, "JSON"},
	} {
		p.attached(c.file, c.data)
		p.send("which communities are there?")
		p.wait("the run's end", fmt.Sprintf(`["completed", "failed"].includes(%s?.dataset.status) && %s.textContent.includes(%s)`,
			find(lastTurn), find(lastTurn), quote(c.file)))
		p.waitBlocked("")
		p.waitAttr(lastTurn+" "+hook("tool", "tool", "load_graph"), "data-status", "failed")
		if text := p.text(lastTurn + " " + hook("message")); !strings.Contains(text, c.says) || !strings.Contains(text, c.file) {
			p.fatal("%s is not explained by %q: %s", c.file, c.says, text)
		}
	}
	for _, c := range []struct{ file, data, code string }{
		{"empty.csv", "", "FILE_EMPTY"},
		{"noise.csv", "\x00\x01\x02\xff\xfe\x00noise\x00\x00", "FILE_TYPE"},
	} {
		p.attach(c.file, c.data)
		p.waitAttr(hook("attachment"), "data-state", "failed")
		p.waitBlocked("attachments")
		p.waitAttr(hook("attachment")+" "+hook("error"), "data-code", c.code)
		p.click(hook("attachment-remove"))
		p.waitBlocked("")
	}
	p.ask("describe the karate club")
}

func TestSessionsSurviveARestartAndAReload(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.attached("关系.csv", edgeLines("source,target", ",", "\n"))
	p.ask("describe the graph")
	p.ask("neighbours of 桥")
	if answer := p.text(lastTurn + " " + hook("message")); !holdsAll(answer, []string{left[0], right[0]}) {
		p.fatal("the second question is not answered from the attached graph: %s", answer)
	}
	first := p.sessionID()

	p.click(hook("new-session"))
	p.waitCount(hook("turn"), 0)
	p.ask("load the karate club, and who matters most?")
	second := p.sessionID()
	if answer := p.text(hook("message")); !strings.Contains(answer, "34 nodes and 78 edges") {
		p.fatal("the built-in graph is not the karate club: %s", answer)
	}
	answers := map[string][]string{second: p.texts(hook("message"))}
	p.click(hook("session", "session-id", first))
	p.waitCount(hook("turn"), 2)
	answers[first] = p.texts(hook("message"))

	w.kill()
	w.start()
	p.reload()
	for _, sid := range []string{first, second} {
		p.click(hook("session", "session-id", sid))
		p.wait("the address of "+sid, `location.pathname === "/s/`+sid+`"`)
		p.waitText(lastTurn+" "+hook("message"), answers[sid][len(answers[sid])-1])
		if got := p.texts(hook("message")); !slices.Equal(got, answers[sid]) {
			p.fatal("after the restart session %s says %q, want %q", sid, got, answers[sid])
		}
		p.waitTurn("completed")
		p.waitBlocked("")
	}
	p.reload()
	if got := p.sessionID(); got != second {
		p.fatal("a reload went from session %s to %s", second, got)
	}
	p.waitText(hook("message"), answers[second][0])

	other := w.open("/s/" + first)
	other.waitText(lastTurn+" "+hook("message"), answers[first][1])
	p.ask("describe the graph")
}

func TestARequestThatIsNotUnderstoodGetsHelp(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	p.ask("write me a poem")
	if rows := tables(p, hook("message")); len(rows) == 0 {
		p.fatal("there is no table of what can be asked: %s", p.text(hook("message")))
	}
}

func TestAHugeMessageIsKept(t *testing.T) {
	w := newWorld(t)
	p := w.open("/")
	text := "describe the karate club " + strings.Repeat("很长的话", 1<<20/len("很长的话"))
	p.send(text)
	p.waitTurn("unsent")
	p.waitAttr(lastTurn+" "+hook("error"), "data-code", "MESSAGE_TOO_LARGE")
	p.click(lastTurn + " " + hook("discard"))
	p.wait("the text to come back", find(hook("composer"))+".value.length === "+fmt.Sprint(len([]rune(text))))
	p.waitBlocked("")
}

func TestAnAddressThatLeadsNowhereSaysSo(t *testing.T) {
	w := newWorld(t)
	p := w.open("/s/00000000-0000-4000-8000-000000000000")
	p.waitFor(hook("error"))
	p.click(hook("new-session"))
	p.ask("describe the karate club")
}

func TestAnUnreachableBackendLosesNothing(t *testing.T) {
	p := newProxy(t, "http://127.0.0.1:1").open("/")
	p.waitAttr(hook("session-list")+" "+hook("error"), "data-code", "BACKEND_UNREACHABLE")
	p.waitText(hook("session-list")+" "+hook("error"), "502")
	p.send("who matters most?")
	p.wait("the message, unsent or back in the box", fmt.Sprintf(
		`%s?.dataset.status === "unsent" || %s.value === "who matters most?" && %s.dataset.blocked === ""`,
		find(lastTurn), find(hook("composer")), find(hook("composer"))))
	p.waitFor("main " + hook("error"))
	p.reload()
	p.wait("the message after a reload", `document.body.textContent.includes("who matters most?") || `+
		find(hook("composer"))+`.value === "who matters most?"`)
}
