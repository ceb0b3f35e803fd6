package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"igraph-console/cmd/serve/graphs"
)

func TestEachRequestIsAnsweredRight(t *testing.T) {
	// The numbers are the literature's and gonum's for the karate club.
	for _, c := range []struct {
		english, chinese string
		tools            string
		says             []string // in both answers
	}{
		{"Describe the graph", "描述这个图", "describe_graph", []string{"34", "78", "0.139", "0.5706", "0.2557", "| 5 |"}},
		{"Show the degree distribution", "显示度分布", "degree_distribution", []string{"| 1 | 1 | 2.9% |", "| 2 | 11 | 32.4% |", "| 1 | 34 | 17 |"}},
		{"PageRank", "计算 PageRank", "pagerank", []string{"**34**", "| 1 | 34 | 0.1009 |", "| 2 | 1 | 0.097 |"}},
		{"Betweenness", "介数中心性", "betweenness", []string{"**1**", "| 1 | 1 | 0.4376 |", "| 2 | 34 | 0.3041 |"}},
		{"Who matters most?", "谁最重要？", "describe_graph pagerank betweenness", []string{"| 1 | 34 | 0.1009 |", "| 1 | 1 | 0.4376 |"}},
		{"Which communities are there?", "有哪些社区？", "communities", []string{"**4 ", "0.4188", "| 1 | 12 |"}},
		{"Shortest path from 17 to 26", "从 17 到 26 的最短路径", "shortest_path", []string{"17 → 6 → 1 → 32 → 26", "| 4 | 26 |"}},
		{"Neighbours of 12", "12 的邻居", "neighbours", []string{"**12**", "| 1 | 16 |"}},
		{"Train a link predictor for 5 epochs", "训练链接预测模型，5 轮", "train", []string{"AUC", "62"}},
	} {
		for language, text := range map[string]string{English: c.english, Chinese: c.chinese} {
			t.Run(text, func(t *testing.T) {
				r := ask(t, Turn{Text: text, Language: language, Graph: graphs.Karate(), Planning: "off"}, nil)
				if got := r.tools(); got != c.tools {
					t.Errorf("tools are %q, want %q", got, c.tools)
				}
				answer := r.answer()
				for _, part := range c.says {
					if !strings.Contains(answer, part) {
						t.Errorf("the answer does not say %q:\n%s", part, answer)
					}
				}
				if !strings.Contains(answer, "\n|---") {
					t.Errorf("the answer has no table:\n%s", answer)
				}
				checkLanguage(t, language, answer)
			})
		}
	}
}

// checkLanguage holds for texts in one language; labels here are numbers.
func checkLanguage(t *testing.T, language, text string) {
	t.Helper()
	chinese := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	if chinese != (language == Chinese) {
		t.Errorf("an answer in %s is\n%s", language, text)
	}
	if strings.Contains(text, "%!") {
		t.Errorf("a text is not formatted:\n%s", text)
	}
}

func TestEveryTextIsWordedInBothLanguages(t *testing.T) {
	for k, text := range texts {
		if text.en == "" || text.zh == "" || strings.Count(text.en, "%[") != strings.Count(text.zh, "%[") {
			t.Errorf("%s: %q and %q do not match", k, text.en, text.zh)
		}
	}
	for kind, tool := range tools {
		if _, ok := texts[key("title_"+tool)]; !ok {
			t.Errorf("task %d has no title", kind)
		}
	}
}

func TestSeveralRequestsMakeAPlan(t *testing.T) {
	r := ask(t, Turn{Text: "which communities are there, and who matters most?", Graph: graphs.Karate()}, nil)
	if got, want := r.tools(), "describe_graph communities pagerank betweenness"; got != want {
		t.Errorf("tools are %q, want %q", got, want)
	}
	var titles []string
	for _, s := range r.plans[0] {
		titles = append(titles, s.Title)
		if s.Status != StepPending || s.ID == "" {
			t.Errorf("the plan begins with step %+v", s)
		}
	}
	if got, want := strings.Join(titles, ", "), "Describe the graph, Communities, PageRank, Betweenness, Write the answer"; got != want {
		t.Errorf("the plan is %q, want %q", got, want)
	}
	if got, want := r.lastPlan(), "done done done done done"; got != want {
		t.Errorf("the plan ends as %q, want %q", got, want)
	}
	for i := 1; i < len(r.plans); i++ {
		if changed := changedSteps(r.plans[i-1], r.plans[i]); changed != 1 {
			t.Errorf("plan %d changes %d steps at once", i, changed)
		}
	}
	if len(r.skills) != 1 {
		t.Errorf("skills offered: %v, want one", r.skills)
	}
}

func changedSteps(before, after []Step) int {
	n := 0
	for i := range before {
		if before[i] != after[i] {
			n++
		}
	}
	return n
}

func TestPlanningDecidesWhetherThereIsAPlan(t *testing.T) {
	for _, c := range []struct {
		planning, text string
		plan           bool
	}{
		{"auto", "PageRank", false},
		{"auto", "PageRank, communities", true},
		{"", "PageRank, communities", true},
		{"always", "PageRank", true},
		{"off", "PageRank, communities", false},
		{"always", "hello", false},
	} {
		r := ask(t, Turn{Text: c.text, Planning: c.planning, Graph: graphs.Karate()}, nil)
		if got := len(r.plans) > 0; got != c.plan {
			t.Errorf("planning %q of %q: plan %v, want %v", c.planning, c.text, got, c.plan)
		}
	}
}

func TestASkillNeedsThreeToolsThatSucceed(t *testing.T) {
	for text, want := range map[string]int{
		"PageRank":                               0,
		"PageRank, communities":                  1, // with the description
		"PageRank, communities, neighbours of x": 0,
	} {
		if r := ask(t, Turn{Text: text, Graph: graphs.Karate()}, nil); len(r.skills) != want {
			t.Errorf("%q offers the skills %v, want %d", text, r.skills, want)
		}
	}
}

func TestWithoutAGraphTheKarateClubIsTaken(t *testing.T) {
	r := ask(t, Turn{Text: "PageRank", Language: Chinese}, nil)
	if r.tools() != "load_graph pagerank" || r.lastSaved().NodeCount() != 34 {
		t.Errorf("tools are %q", r.tools())
	}
	if !strings.Contains(r.answer(), "内置的空手道俱乐部") {
		t.Errorf("the answer does not say which graph it is about:\n%s", r.answer())
	}
}

func TestAttachmentsAreLoadedFirst(t *testing.T) {
	r := ask(t, Turn{
		Text:        "shortest path from 甲 to 丙",
		Graph:       graphs.Karate(),
		Attachments: []Attachment{{"friends.csv", []byte("甲,乙\n乙,丙\n丙,丙\n甲,乙\n")}},
	}, nil)
	if r.tools() != "load_graph shortest_path" || r.lastSaved().Name() != "friends.csv" {
		t.Errorf("tools are %q", r.tools())
	}
	for _, part := range []string{"**friends.csv**", "甲 → 乙 → 丙", "self loops ignored: 1", "duplicate edges merged: 1"} {
		if !strings.Contains(r.answer(), part) {
			t.Errorf("the answer does not say %q:\n%s", part, r.answer())
		}
	}
}

func TestTheSampleGraphCanBeLoadedAgain(t *testing.T) {
	for _, text := range []string{"load the karate club", "加载空手道俱乐部"} {
		r := ask(t, Turn{Text: text, Graph: labelledGraph(t)}, nil)
		if r.tools() != "load_graph describe_graph" || r.lastSaved().NodeCount() != 34 {
			t.Errorf("%q: tools are %q", text, r.tools())
		}
	}
}

func TestOfSeveralAttachmentsTheLastIsTheGraph(t *testing.T) {
	r := ask(t, Turn{Text: "summary", Attachments: []Attachment{{"one.csv", []byte("a,b\n")}, {"two.csv", []byte("c,d\n")}}}, nil)
	if r.tools() != "load_graph load_graph describe_graph" || r.lastSaved().Name() != "two.csv" || !strings.Contains(r.answer(), "the last one") {
		t.Errorf("tools are %q, the answer is\n%s", r.tools(), r.answer())
	}
}

func TestAnAttachmentAloneIsDescribed(t *testing.T) {
	r := ask(t, Turn{Attachments: []Attachment{{"a.csv", []byte("a,b\n")}}}, nil)
	if got, want := r.tools(), "load_graph describe_graph"; got != want {
		t.Errorf("tools are %q, want %q", got, want)
	}
}

func TestAnAttachmentCanBeReadAsDirected(t *testing.T) {
	file := []Attachment{{"a.csv", []byte("a,b\nb,a\n")}}
	if r := ask(t, Turn{Text: "PageRank of this directed graph", Attachments: file}, nil); !r.lastSaved().Directed() {
		t.Error("a directed graph was read as undirected")
	}
	if r := ask(t, Turn{Text: "PageRank of this undirected graph", Attachments: file}, nil); r.lastSaved().Directed() {
		t.Error("an undirected graph was read as directed")
	}
}

func TestABadAttachmentStopsTheWorkNotTheRun(t *testing.T) {
	for language, want := range map[string]string{English: "no column separator", Chinese: "找不到列分隔符"} {
		r := ask(t, Turn{
			Text:        "PageRank",
			Language:    language,
			Graph:       graphs.Karate(),
			Attachments: []Attachment{{"bad.csv", []byte("a\nb\n")}},
		}, nil)
		if got := r.tools(); got != "load_graph:failed" {
			t.Errorf("tools are %q", got)
		}
		if got := r.lastPlan(); got != "failed skipped done" {
			t.Errorf("the plan ends as %q", got)
		}
		if !strings.Contains(r.answer(), want) || len(r.saved) != 0 {
			t.Errorf("the answer does not say %q:\n%s", want, r.answer())
		}
	}
}

func TestUnknownRequestsAreAnsweredWithExamples(t *testing.T) {
	for _, text := range []string{"", "   ", "blah blah", "今天天气怎么样", "😀", "help", strings.Repeat("x", 1<<20)} {
		for language, example := range map[string]string{English: "Who matters most?", Chinese: "谁最重要？"} {
			r := ask(t, Turn{Text: text, Language: language}, nil)
			if !strings.Contains(r.answer(), example) || len(r.calls) != 0 || len(r.saved) != 0 {
				t.Errorf("%.20q is answered with\n%s", text, r.answer())
			}
			checkLanguage(t, language, r.answer())
		}
	}
}

func TestUnknownNodesAreAnsweredWithNearOnes(t *testing.T) {
	g := labelledGraph(t)
	for text, want := range map[string]string{
		"neighbours of Alise Smith":   "Did you mean **Alice Smith**?",
		"path from Bobb to 5":         "Did you mean **Bob**?",
		"remove node Alise Smith":     "Did you mean **Alice Smith**?",
		"remove the edge from 5 to Z": `the graph has no node "Z"`,
		"remove the edge from 5 to 1": `no edge between "5" and "1"`,
		"neighbours":                  "does not say whose neighbours",
		"shortest path":               "does not say which two nodes",
		"add an edge":                 "does not say what to change",
	} {
		r := ask(t, Turn{Text: text, Graph: g}, nil)
		if !strings.Contains(r.answer(), want) {
			t.Errorf("%q is answered with\n%s, want %q", text, r.answer(), want)
		}
		if len(r.calls) != 1 || r.calls[0].status != ToolFailed {
			t.Errorf("%q has the tools %q", text, r.tools())
		}
	}
}

func TestLabelsStandForThemselvesInMarkdown(t *testing.T) {
	r := ask(t, Turn{Text: "neighbours of b", Attachments: []Attachment{{"x_y_.csv", []byte("\"a|*c*<img>\",b\n")}}}, nil)
	if want := `| a\|\*c\*\<img\> |`; !strings.Contains(r.answer(), want) {
		t.Errorf("the answer does not have %q:\n%s", want, r.answer())
	}
}

func TestReportsAreLongerAndHaveHeadings(t *testing.T) {
	turn := Turn{Text: "communities and PageRank", Graph: graphs.Karate()}
	chat := ask(t, turn, nil)
	turn.Format = "report"
	report := ask(t, turn, nil)
	m := report.messages[report.order[0]]
	if m.format != FormatReport || len(m.text) <= len(chat.answer()) {
		t.Errorf("the report is %s of %d bytes, the chat has %d", m.format, len(m.text), len(chat.answer()))
	}
	for _, heading := range []string{"# Report on Zachary", "## Summary", "## Communities", "## PageRank", "## Method and limits"} {
		if !strings.Contains(m.text, heading) {
			t.Errorf("the report has no %q", heading)
		}
	}
}

func TestJSONAnswersAreOneValidMessage(t *testing.T) {
	for _, text := range []string{"communities and PageRank", "neighbours of nobody", "train 3 epochs", "hello"} {
		r := ask(t, Turn{Text: text, Format: "json", Reasoning: "deep", Graph: graphs.Karate()}, nil)
		if len(r.order) != 1 || r.messages[r.order[0]].format != FormatJSON || r.messages[r.order[0]].reasoning == "" {
			t.Errorf("%q has the messages %v", text, r.order)
		}
		var answer struct {
			Graph   struct{ Nodes int }
			Results []struct {
				Tool, Status, Error string
				Result              json.RawMessage
			}
			Message string
		}
		if err := json.Unmarshal([]byte(r.answer()), &answer); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if answer.Graph.Nodes != 34 || len(answer.Results) != len(r.calls) || (len(r.calls) == 0) != (answer.Message != "") {
			t.Errorf("%q is answered with %+v", text, answer)
		}
		for i, result := range answer.Results {
			if result.Tool != r.calls[i].name || result.Status != string(r.calls[i].status) || result.Error != r.calls[i].problem {
				t.Errorf("result %d is %+v, the call was %+v", i, result, r.calls[i])
			}
		}
	}
}

func TestDeepReasoningComesBeforeTheWork(t *testing.T) {
	for language, want := range map[string]string{English: "The request asks for: PageRank", Chinese: "请求的内容：PageRank"} {
		r := newRecorder(t)
		r.hook = func(method string) error {
			if method == "ToolStart" && r.messages["id-1"].reasoning == "" {
				t.Error("a tool starts before the reasoning")
			}
			return nil
		}
		if err := testAgent().Run(r.ctx, Turn{Text: "PageRank", Language: language, Reasoning: "deep", Graph: graphs.Karate()}, r); err != nil {
			t.Fatal(err)
		}
		first := r.messages[r.order[0]]
		if !strings.Contains(first.reasoning, want) || first.text == "" {
			t.Errorf("the first message is %+v", first)
		}
	}
	if r := ask(t, Turn{Text: "PageRank", Reasoning: "fast", Graph: graphs.Karate()}, nil); len(r.order) != 1 || r.messages[r.order[0]].reasoning != "" {
		t.Error("a fast turn has reasoning")
	}
}

func TestAnswersStreamInSmallPieces(t *testing.T) {
	for _, language := range []string{English, Chinese} {
		r := ask(t, Turn{Text: "PageRank", Language: language, Graph: graphs.Karate()}, nil)
		m := r.messages[r.order[0]]
		if len(m.pieces) < 20 {
			t.Errorf("%s: %d pieces make up %d bytes", language, len(m.pieces), len(m.text))
		}
	}
}

func TestChangesWaitForApproval(t *testing.T) {
	for _, c := range []struct {
		english, chinese, tool, args, preview string
		holds                                 func(*graphs.Graph) bool
	}{
		{"add node 35", "添加节点 35", "add_node", `{"node":"35"}`, "34→35 78→78",
			func(g *graphs.Graph) bool { return g.HasNode("35") }},
		{"remove node 12", "删除节点 12", "remove_node", `{"node":"12"}`, "34→33 78→77",
			func(g *graphs.Graph) bool { return !g.HasNode("12") }},
		{"add an edge between 5 and 20 with weight 2", "在 5 和 20 之间添加一条边，权重为 2", "add_edge", `{"source":"5","target":"20","weight":2}`, "34→34 78→79",
			func(g *graphs.Graph) bool { return g.HasEdge("20", "5") }},
		{"remove the edge between 34 and 33", "删除 34 和 33 之间的边", "remove_edge", `{"source":"34","target":"33"}`, "34→34 78→77",
			func(g *graphs.Graph) bool { return !g.HasEdge("33", "34") }},
	} {
		for language, text := range map[string]string{English: c.english, Chinese: c.chinese} {
			r := newRecorder(t)
			r.decide = func(req Approval) (Decision, error) {
				if len(r.calls) != 0 || len(r.saved) != 0 {
					t.Errorf("%q: something was done before the decision", text)
				}
				return Decision{Verdict: Approved}, nil
			}
			if err := testAgent().Run(r.ctx, Turn{Text: text, Language: language, Graph: graphs.Karate()}, r); err != nil {
				t.Fatal(err)
			}
			req := r.asked[0]
			p := req.Preview
			if got := fmt.Sprintf("%d→%d %d→%d", p.NodesBefore, p.NodesAfter, p.EdgesBefore, p.EdgesAfter); got != c.preview {
				t.Errorf("%q: preview is %s, want %s", text, got, c.preview)
			}
			if len(r.calls) != 1 || r.calls[0].args != c.args || r.calls[0].id != req.CallID || r.tools() != c.tool || req.Tool != c.tool {
				t.Errorf("%q: calls are %q with %+v", text, r.tools(), r.calls[0])
			}
			if req.Reason == "" || req.Summary == "" || !c.holds(r.lastSaved()) {
				t.Errorf("%q: the change was not made as asked: %+v", text, req)
			}
			if !strings.Contains(r.answer(), "\n|---") {
				t.Errorf("%q is answered with\n%s", text, r.answer())
			}
			checkLanguage(t, language, r.answer()+req.Reason+req.Summary)
		}
	}
	if !graphs.Karate().HasNode("12") {
		t.Error("the built-in graph itself was changed")
	}
}

func TestRefusedChangesLeaveTheGraphAlone(t *testing.T) {
	for _, c := range []struct {
		decision Decision
		language string
		says     []string
	}{
		{Decision{Verdict: Rejected, Comment: "keep *him*"}, English, []string{"You rejected this", "stays as it is", `keep \*him\*`}},
		{Decision{Verdict: Rejected, Comment: "先别动"}, Chinese, []string{"你拒绝了", "图保持不变", "先别动"}},
		{Decision{Verdict: Expired}, English, []string{"expired", "stays as it is"}},
		{Decision{Verdict: Expired}, Chinese, []string{"已过期", "图保持不变"}},
	} {
		r := ask(t, Turn{Text: "remove node 12", Language: c.language, Graph: graphs.Karate()}, deciding(c.decision))
		if len(r.calls) != 0 || len(r.saved) != 0 {
			t.Errorf("%s: something was done: %q", c.decision.Verdict, r.tools())
		}
		for _, part := range c.says {
			if !strings.Contains(r.answer(), part) {
				t.Errorf("the answer does not say %q:\n%s", part, r.answer())
			}
		}
	}
}

func TestModifiedArgumentsAreTheOnesThatCount(t *testing.T) {
	for _, c := range []struct {
		rule, text, args string
		holds            func(*graphs.Graph) bool
	}{
		{"another node", "remove node 12", `{"node":"17"}`, func(g *graphs.Graph) bool { return g.HasNode("12") && !g.HasNode("17") }},
		{"a number for a label", "remove node 12", `{"node":17}`, func(g *graphs.Graph) bool { return !g.HasNode("17") }},
		{"another weight", "add an edge between 5 and 20", `{"source":"5","target":"20","weight":2.5}`, func(g *graphs.Graph) bool { return g.Weighted() && g.HasEdge("5", "20") }},
		{"approved with stored arguments", "remove node 12", `{"node":"12"}`, func(g *graphs.Graph) bool { return !g.HasNode("12") }},
	} {
		d := Decision{Verdict: Modified, Args: json.RawMessage(c.args)}
		if strings.HasPrefix(c.rule, "approved") {
			d.Verdict = Approved
		}
		r := ask(t, Turn{Text: c.text, Graph: graphs.Karate()}, deciding(d))
		if !c.holds(r.lastSaved()) || r.calls[0].status != ToolSucceeded {
			t.Errorf("%s: the change was not made: %+v", c.rule, r.calls[0])
		}
		if modified := strings.Contains(r.answer(), "with your changes"); modified != (d.Verdict == Modified) {
			t.Errorf("%s is answered with\n%s", c.rule, r.answer())
		}
	}
}

func TestModifiedArgumentsAreCheckedAgain(t *testing.T) {
	for args, want := range map[string]string{
		`{"node":"999"}`:           "no node",
		`{"node":""}`:              "no node",
		`{"node":null}`:            "no node",
		`{"node":["12"]}`:          "cannot be used",
		`{"node":"12","also":"x"}`: "cannot be used",
		`[1]`:                      "cannot be used",
		`{"node":`:                 "cannot be used",
		``:                         "cannot be used",
	} {
		r := ask(t, Turn{Text: "remove node 12", Graph: graphs.Karate()}, deciding(Decision{Verdict: Modified, Args: json.RawMessage(args)}))
		if len(r.saved) != 0 || r.tools() != "remove_node:failed" {
			t.Errorf("%s: tools are %q", args, r.tools())
		}
		if !strings.Contains(r.answer(), want) {
			t.Errorf("%s is answered with\n%s", args, r.answer())
		}
	}
}

func TestChangesBuildOnEachOther(t *testing.T) {
	r := ask(t, Turn{Text: "add node Zoe, then add an edge between Zoe and 1, then neighbours of Zoe", Graph: graphs.Karate()}, deciding(Decision{Verdict: Approved}))
	if got, want := r.tools(), "add_node add_edge neighbours"; got != want {
		t.Fatalf("tools are %q, want %q", got, want)
	}
	if len(r.asked[1].Preview.AddNodes) != 0 || r.lastSaved().EdgeCount() != 79 {
		t.Errorf("the second change does not see the first: %+v", r.asked[1].Preview)
	}
	if len(r.skills) != 0 {
		t.Error("a run with changes was offered as a skill")
	}
}

func TestACancelledJobLeavesTheRunGoing(t *testing.T) {
	r := newRecorder(t)
	r.stopJob = func(epoch int) bool { return epoch == 3 }
	turn := Turn{Text: "train for 10 epochs, then PageRank", Graph: graphs.Karate()}
	if err := testAgent().Run(r.ctx, turn, r); err != nil {
		t.Fatal(err)
	}
	if got, want := r.tools(), "describe_graph train:cancelled pagerank"; got != want {
		t.Errorf("tools are %q, want %q", got, want)
	}
	if job := r.calls[1]; !job.job || job.epochs != 3 {
		t.Errorf("the job is %+v", job)
	}
	if got, want := r.lastPlan(), "done skipped done done"; got != want {
		t.Errorf("the plan ends as %q, want %q", got, want)
	}
	if !strings.Contains(r.answer(), "stopped after epoch 3 of 10") || !strings.Contains(r.answer(), "| 1 | 34 | 0.1009 |") {
		t.Errorf("the answer is\n%s", r.answer())
	}
}

// methods of Out in which a run may be cancelled or refused.
var methods = []string{"Plan", "Reasoning", "Message", "Delta", "EndMessage", "ToolStart", "ToolProgress", "ToolEnd", "Approve", "SaveGraph", "Skill"}

const everything = "describe the graph, degree distribution, PageRank, betweenness, communities, path from 1 to 34, neighbours of 3, train 2 epochs"

// turnsOfEveryMethod reach all the methods between them.
func turnsOfEveryMethod() []Turn {
	return []Turn{
		{Text: everything, Reasoning: "deep"},
		{Text: everything, Graph: graphs.Karate(), Format: "json", Reasoning: "deep"},
		{Text: "remove node 12, then PageRank", Graph: graphs.Karate()},
	}
}

func TestACancelledRunStopsInTheMiddleOfAnyStep(t *testing.T) {
	for _, turn := range turnsOfEveryMethod() {
		for _, method := range methods {
			for nth := 1; ; nth++ {
				r := newRecorder(t)
				r.decide = deciding(Decision{Verdict: Approved})
				ctx, cancel := context.WithCancel(context.Background())
				r.ctx = ctx
				left, after := nth, 0
				r.hook = func(m string) error {
					if left == 0 && m != "ToolEnd" {
						after++
					}
					if m == method && left > 0 {
						if left--; left == 0 {
							cancel()
						}
					}
					return nil
				}
				err := testAgent().Run(ctx, turn, r)
				cancel()
				if left > 0 {
					break // there is no nth call
				}
				if after > 0 {
					t.Errorf("cancelled in %s %d, the agent told %d more things", method, nth, after)
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled in %s %d, the error is %v", method, nth, err)
				}
				if nth == 4 && method == "Delta" || nth == 12 {
					break // a long answer has more of the same
				}
			}
		}
	}
}

func TestAStoredChangeIsToldEvenWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := newRecorder(t)
	r.ctx = ctx
	r.decide = deciding(Decision{Verdict: Approved})
	r.hook = func(method string) error {
		if method == "SaveGraph" {
			cancel()
		}
		return nil
	}
	err := testAgent().Run(ctx, Turn{Text: "remove node 12", Graph: graphs.Karate()}, r)
	if !errors.Is(err, context.Canceled) || r.tools() != "remove_node" || len(r.order) != 0 {
		t.Errorf("the error is %v, the tools %q", err, r.tools())
	}
}

func TestARefusalOfOutEndsTheRun(t *testing.T) {
	refusal := errors.New("no more")
	for _, turn := range turnsOfEveryMethod() {
		for _, method := range methods {
			r := newRecorder(t)
			r.decide = deciding(Decision{Verdict: Approved})
			refused, after := false, 0
			r.hook = func(m string) error {
				if refused {
					after++
				}
				if m == method && !refused {
					refused = true
					return refusal
				}
				return nil
			}
			err := testAgent().Run(r.ctx, turn, r)
			if !refused {
				continue
			}
			if !errors.Is(err, refusal) || after != 0 {
				t.Errorf("refused in %s: the error is %v, and %d more things were told", method, err, after)
			}
		}
	}
}

func TestTheSameTurnGivesTheSameRun(t *testing.T) {
	for _, turn := range turnsOfEveryMethod() {
		var first string
		for range 3 {
			r := ask(t, turn, deciding(Decision{Verdict: Approved}))
			if first == "" {
				first = r.answer()
			}
			if r.answer() != first {
				t.Errorf("%q is answered differently each time", turn.Text)
			}
		}
	}
}

func TestAnEmptiedGraphIsAnswered(t *testing.T) {
	g, _, err := labelledGraph(t).Apply(graphs.Mutation{RemoveNodes: labelledGraph(t).Nodes()})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"describe the graph", everything, "who matters most", "remove node 1"} {
		r := ask(t, Turn{Text: text, Graph: g}, nil)
		if r.answer() == "" {
			t.Errorf("%q is not answered", text)
		}
	}
	r := ask(t, Turn{Text: "add an edge between a and b", Graph: g}, deciding(Decision{Verdict: Approved}))
	if r.lastSaved().EdgeCount() != 1 {
		t.Error("an emptied graph cannot be filled again")
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := count(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 0.5: "0.5", 0.123456: "0.1235", 0.0000123: "1.23e-05", 12.345: "12.35", 12345.6: "12,346"} {
		if got := decimal(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}
