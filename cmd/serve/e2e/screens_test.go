package e2e

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// tongue is the language in which a screen is shown.
type tongue struct{ zh bool }

func (l tongue) pick(en, zh string) string {
	if l.zh {
		return zh
	}
	return en
}

// screens are the main states of the page: each brings a tab into it.
var screens = []struct {
	name  string
	reach func(w *world, p *page, l tongue)
}{
	{"empty", func(w *world, p *page, l tongue) {}},
	{"streaming", func(w *world, p *page, l tongue) {
		w.script(working(l, gate("g")))
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		p.click(hook("tool", "call-id", "c-2") + " " + hook("tool-toggle"))
		p.waitAttached(hook("tool", "call-id", "c-2") + " details[open]")
	}},
	{"answer", func(w *world, p *page, l tongue) {
		p.attached(l.pick("friends.csv", "关系.csv"), edgeLines("source,target", ",", "\n"))
		p.ask(l.pick("Which communities are there, and who matters most?", "有哪些社区，谁最重要？"))
	}},
	{"training", func(w *world, p *page, l tongue) {
		w.script(training())
		p.send(l.pick("Train a link prediction model for 100 epochs.", "训练链接预测模型，100 轮。"))
		p.waitAttr(hook("tool", "call-id", "job-1"), "data-epoch", "38")
		p.waitText(hook("message"), "AUC")
	}},
	{"approval", func(w *world, p *page, l tongue) {
		w.script(run(mutation(l, "q-1"), decision()))
		p.send(l.pick("Merge the duplicate of Ann.", "合并安的重复节点。"))
		p.waitAttr(hook("approval"), "data-status", "pending")
	}},
	{"approval-editing", func(w *world, p *page, l tongue) {
		w.script(run(mutation(l, "q-1"), decision()))
		p.send(l.pick("Merge the duplicate of Ann.", "合并安的重复节点。"))
		p.click(hook("edit-args"))
		p.typeIn(hook("args-editor"), "}")
		p.waitFor(hook("approval", "status", "editing") + " " + hook("error"))
	}},
	{"approval-states", func(w *world, p *page, l tongue) {
		w.script(run(
			mutation(l, "q-1"), decision(), mutation(l, "q-2"), decision(),
			mutation(l, "q-3"), frame(event{"type": "approval_resolved", "request_id": "q-3", "decision": "expired"}),
			say("m", l.pick("One change was made, one was refused, one expired.", "一项改动已执行，一项被拒绝，一项已过期。")),
		))
		p.send(l.pick("Clean up the graph.", "清理这个图。"))
		p.typeIn(hook("approval", "request-id", "q-1")+" "+hook("approval-comment"), l.pick("Checked by hand.", "已人工核对。"))
		p.click(hook("approval", "request-id", "q-1") + " " + hook("approve"))
		p.waitAttr(hook("approval", "request-id", "q-1"), "data-status", "approved")
		p.click(hook("approval", "request-id", "q-2") + " " + hook("reject"))
		p.waitTurn("completed")
	}},
	{"failed", func(w *world, p *page, l tongue) {
		w.script(run(
			frame(plan("p", l.pick("Load the graph", "加载图"), "done", l.pick("Shortest path", "最短路径"), "failed", l.pick("Write the answer", "撰写回答"), "skipped")),
			frame(toolStart("c-1", "load_graph", event{"name": "roads.csv"}), toolEnd("c-1", "succeeded", event{"nodes": 1204, "edges": 3310})),
			frame(toolStart("c-2", "shortest_path", event{"from": "A", "to": "Z"}), toolFail("c-2", "NO_PATH", l.pick("A and Z are in different components", "A 与 Z 不在同一连通分量"))),
			frame(runFailed("TOOL_FAILED", l.pick("shortest_path gave no result", "shortest_path 没有给出结果"))),
		))
		p.send(l.pick("What is the shortest way from A to Z?", "从 A 到 Z 怎么走最近？"))
		p.waitTurn("failed")
		p.waitBlocked("")
	}},
	{"stopping", func(w *world, p *page, l tongue) {
		w.fault(`{"hold":"terminal_persisted"}`)
		s := working(l)
		s.KeepRunning = true
		w.script(s)
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		p.typeIn(box(), l.pick("Then do the same for 2023", "然后对 2023 年做同样的分析"))
		p.click(hook("stop"))
		p.waitBlocked("cancelling")
		w.waitGate("terminal_persisted", 1)
		p.wait("the first confirmation", `__e2e.find(':last-turn [data-status]') && document.querySelectorAll('[href="#check"]').length > 0`)
	}},
	{"stopped", func(w *world, p *page, l tongue) {
		s := working(l)
		s.KeepRunning = true
		w.script(s)
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		p.click(hook("stop"))
		p.waitTurn("cancelled")
		p.waitBlocked("")
	}},
	{"reconnecting", func(w *world, p *page, l tongue) {
		w.script(working(l, gate("g")))
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		w.kill()
		p.waitConnection("reconnecting")
		p.waitFor("main " + hook("error"))
	}},
	{"rebuilding", func(w *world, p *page, l tongue) {
		w.script(working(l, gate("g")))
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		w.fault(`{"on":"resume","gate":"resume","times":-1}`)
		p.reload()
		p.waitConnection("rebuilding")
	}},
	{"snapshot", func(w *world, p *page, l tongue) {
		w.fault(`{"hold":"snapshot"}`)
		w.script(working(l, gate("g")))
		p.send(l.pick("Load collaboration.csv, then tell me who matters most.", "加载 collaboration.csv，然后告诉我谁最重要。"))
		p.waitAttr(hook("tool", "call-id", "c-3"), "data-status", "running")
		w.fault(`{"recovery":"buffer"}`)
		p.waitConnection("snapshot")
	}},
	{"unsent", func(w *world, p *page, l tongue) {
		w.script(run(say("m", l.pick("Ready.", "就绪。"))))
		p.ask(l.pick("Load the karate club.", "加载空手道俱乐部。"))
		w.fault(`{"on":"chat","status":429,"code":"RATE_LIMITED","headers":{"Retry-After":"30"},"times":-1}`)
		p.send(l.pick("Which communities are there?", "有哪些社区？"))
		p.waitTurn("unsent")
	}},
	{"attachments", func(w *world, p *page, l tongue) {
		p.attached(l.pick("collaboration 2024.csv", "合作关系 2024.csv"), edgeLines("source,target", ",", "\n"))
		p.attach("photo.png", "\x89PNG\r\n\x1a\n\x00\x00")
		p.waitCount(hook("attachment", "state", "failed"), 1)
		w.fault(`{"on":"upload","gate":"upload"}`)
		p.attach("roads.graphml", edgesAsGraphML())
		p.waitCount(hook("attachment", "state", "uploading"), 1)
		p.typeIn(box(), l.pick("Compare these two graphs", "比较这两个图"))
	}},
	{"report", func(w *world, p *page, l tongue) {
		p.choose(hook("output-format"), "report")
		p.ask(l.pick("Describe the karate club, its communities and who matters most.", "描述空手道俱乐部、它的社区，以及谁最重要。"))
		p.evaluate("scroll to its beginning", find(hook("message"))+`.scrollIntoView()`, nil)
	}},
	{"json", func(w *world, p *page, l tongue) {
		p.choose(hook("output-format"), "json")
		p.ask(l.pick("Who matters most in the karate club?", "空手道俱乐部里谁最重要？"))
	}},
	{"skill", func(w *world, p *page, l tongue) {
		p.ask(l.pick("Load the karate club, and tell me who matters most.", "加载空手道俱乐部，谁最重要？"))
		p.waitFor(hook("skill-candidate"))
	}},
	{"inspector", func(w *world, p *page, l tongue) {
		w.script(run(frame(event{"type": "brand_new", "x": 1}), say("m", "ok")))
		p.ask(l.pick("Hello", "你好"))
		p.click(hook("inspector-toggle"))
		p.waitFor(hook("inspector"))
	}},
	{"reading", func(w *world, p *page, l tongue) {
		w.script(run(say("m1", paragraphs(40, l.pick("paragraph", "段落"))), gate("g"),
			frame(toolStart("t", "pagerank", event{}), toolEnd("t", "succeeded", event{"rounds": 41})), say("m2", l.pick("Done.", "完成。"))))
		p.send(l.pick("Tell me a lot.", "多说一些。"))
		p.waitText(hook("message"), "40")
		p.wheel(hook("conversation"), -300)
		p.waitFor(hook("jump-to-latest"))
		w.openGate("g")
		p.waitTurn("completed")
	}},
}

// working is a run in the middle of its plan; then steps go on.
func working(l tongue, then ...step) script {
	load, rank, groups, write := l.pick("Load the graph", "加载图"), l.pick("PageRank", "PageRank 排名"), l.pick("Communities", "社区划分"), l.pick("Write the answer", "撰写回答")
	return run(append([]step{
		frame(plan("p", load, "running", rank, "pending", groups, "pending", write, "pending"),
			toolStart("c-1", "load_graph", event{"name": "collaboration.csv", "bytes": 48210})),
		frame(toolEnd("c-1", "succeeded", event{"nodes": 4821, "edges": 19137, "directed": false}),
			plan("p", load, "done", rank, "running", groups, "pending", write, "pending"),
			toolStart("c-2", "pagerank", event{"damping": 0.85, "weighted": true})),
		frame(toolEnd("c-2", "succeeded", event{"rounds": 41, "scores": []event{{"node": "Ann", "score": 0.0713}, {"node": "Bo", "score": 0.0528}, {"node": "陈", "score": 0.0412}}}),
			plan("p", load, "done", rank, "done", groups, "running", write, "pending"),
			start("m"), reason("m", l.pick("The graph is connected, so PageRank needs no correction.", "图是连通的，PageRank 不需要修正。")),
			delta("m", l.pick("**Ann** leads by a clear margin; the communities are next. So far:\n\n| Node | Score |\n|---|---:|\n| Ann | 0.0713 |\n| Bo | 0.0528 |\n",
				"**Ann** 明显领先；接下来是社区。目前：\n\n| 节点 | 得分 |\n|---|---:|\n| Ann | 0.0713 |\n| Bo | 0.0528 |\n"))),
		frame(toolStart("c-3", "communities", event{"method": "louvain"})),
	}, then...)...)
}

// training is a job at its 38th epoch of 100.
func training() script {
	began := jobStart("job-1", "train", event{"task": "link_prediction", "epochs": 100, "dimensions": 16})
	began["started_at"] = time.Now().Add(-6 * time.Minute).UTC().Format(time.RFC3339)
	steps := []step{frame(began)}
	for epoch := range 39 {
		x := float64(epoch)
		wobble := 0.01 * math.Sin(x*1.7)
		steps = append(steps, frame(toolProgress("job-1", "train", event{
			"epoch": epoch, "epochs": 100, "metrics": event{
				"loss": 0.3 + 0.4*math.Exp(-x/9), "val_loss": 0.4 + 0.3*math.Exp(-x/8) + wobble, "auc": 0.89 - 0.3*math.Exp(-x/7) + wobble/2,
			}})))
	}
	return run(append(steps, frame(start("m"), delta("m", "AUC: `0.88`")), gate("g"))...)
}

func mutation(l tongue, id string) step {
	return frame(ask(id, "merge_nodes", event{"keep": "Ann", "merge": []string{"Anne", "A. Berg"}}, event{
		"summary": l.pick("Merge 2 nodes into Ann", "把 2 个节点并入 Ann"),
		"reason":  l.pick("They share all their neighbours, and their names differ by spelling only.", "它们的邻居完全相同，名字只是写法不同。"),
		"preview": event{
			"kind": "graph_mutation", "add_nodes": []string{}, "remove_nodes": []string{"Anne", "A. Berg"},
			"add_edges":    []event{{"source": "Ann", "target": "Bo"}},
			"remove_edges": []event{{"source": "Anne", "target": "Bo"}, {"source": "A. Berg", "target": "Cy"}, {"source": "Anne", "target": "Cy"}},
			"before":       event{"nodes": 34, "edges": 78}, "after": event{"nodes": 32, "edges": 76}, "irreversible": true,
		},
	}))
}

// furnish fills the session list.
func (w *world) furnish(l tongue) {
	w.t.Helper()
	for _, title := range []string{
		l.pick("Motif counts in email-eu", "邮件网络中的模体"), l.pick("PageRank against betweenness", "PageRank 与介数的比较"), "供应链网络的关键节点",
	} {
		w.call("POST", "/api/sessions", event{"title": title}, nil)
	}
	waiting := w.session()
	w.script(script{Session: waiting, Steps: []step{mutation(l, "q-0"), decision()}, Start: &beginning{
		SessionID: waiting, Message: l.pick("Merge duplicate accounts", "合并重复账户"), StartRequestID: uuid.NewString(), Language: l.pick("en-US", "zh-CN"),
	}})
}

// TestMainStatesAreReadable reaches every main state of the page, looks at the contrast of its texts
// in both themes, and takes pictures into the directory that SCREENS names.
func TestMainStatesAreReadable(t *testing.T) {
	languages := []tongue{{false}, {true}}
	if os.Getenv("SCREENS") == "" {
		languages = languages[1:]
	}
	for _, s := range screens {
		for _, l := range languages {
			t.Run(s.name+l.pick("-en", "-zh"), func(t *testing.T) {
				w := newWorld(t)
				w.furnish(l)
				p := w.tab()
				p.systemLanguages(l.pick("en-US", "zh-CN"))
				p.systemTheme("light")
				p.visit("/")
				s.reach(w, p, l)
				p.pictures(s.name + l.pick("-en", "-zh"))
			})
		}
	}
}

// pictures looks at the page in both themes.
func (p *page) pictures(name string) {
	p.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		p.systemTheme(theme)
		p.waitAttr(hook("app"), "data-theme", theme)
		p.rest()
		p.picture(name + "-" + theme)
		p.readable(theme)
	}
}

// rest waits until whatever fades in or out has done so.
func (p *page) rest() {
	p.t.Helper()
	p.evaluate("the page to come to rest", `Promise.all(document.getAnimations()
		.filter((a) => a.effect.getComputedTiming().endTime !== Infinity)
		.map((a) => a.finished.catch(() => {}))).then(() => {})`, nil)
}

func TestThePageFitsAPhone(t *testing.T) {
	for _, l := range []tongue{{false}, {true}} {
		t.Run(l.pick("en", "zh"), func(t *testing.T) {
			w := newWorld(t)
			w.furnish(l)
			p := w.tab()
			p.size(390, 844)
			p.systemLanguages(l.pick("en-US", "zh-CN"))
			p.visit("/")
			check := func(state string) {
				t.Helper()
				p.rest()
				p.picture("phone-" + state + "-" + l.pick("en", "zh"))
				if wide := value[[]string](p, `[...document.querySelectorAll("main *")].filter((el) => el.getClientRects().length &&
					el.getBoundingClientRect().right > innerWidth + 1 && !el.closest(".tbl, pre, svg, [hidden], .vh"))
					.map((el) => el.outerHTML.slice(0, 100))`); len(wide) > 0 {
					p.fatal("%s: wider than the phone:\n%s", state, strings.Join(wide[:min(5, len(wide))], "\n"))
				}
				if width := value[int](p, "document.scrollingElement.scrollWidth"); width > 390 {
					p.fatal("%s: the page is %d pixels wide", state, width)
				}
			}
			check("empty")
			p.ask(l.pick("Load the karate club, and who matters most?", "加载空手道俱乐部，谁最重要？"))
			check("answer")
			w.script(training())
			p.send(l.pick("Train a model.", "训练模型。"))
			p.waitAttr(hook("tool", "call-id", "job-1"), "data-epoch", "38")
			check("training")
			w.openGate("g")
			p.waitTurn("completed")
			p.waitBlocked("")
			w.script(run(mutation(l, "q-1"), decision()))
			p.send(l.pick("Merge.", "合并。"))
			p.waitAttr(hook("approval"), "data-status", "pending")
			p.evaluate("go to the card", find(hook("approval"))+".scrollIntoView()", nil)
			check("approval")
			p.click(hook("reject"))
			p.waitTurn("completed")
		})
	}
}
