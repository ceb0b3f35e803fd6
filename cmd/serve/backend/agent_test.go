package backend

import (
	"strings"
	"testing"

	"igraph-console/app/protocol"
)

// asked sends a message in Chinese to the real agent and gives the answer's text.
func (h *harness) asked(message string, fields ...string) (w *watch, text string) {
	h.t.Helper()
	w = h.stream(protocol.PathChat(h.session), h.chatBody(message, fields...), "Accept-Language", "zh-CN")
	for {
		f, ok := w.next()
		if !ok {
			h.confirmedAs(w.run, "completed")
			return w, text
		}
		for _, ev := range f.Events {
			switch ev["type"] {
			case "message_delta":
				text += ev["delta"].(string)
			case "approval_required":
				return w, text
			}
		}
	}
}

func TestAnApprovedChangeIsSavedAndSeenByLaterTurns(t *testing.T) {
	h := newHarness(t)
	w, _ := h.asked("删除节点 34")
	request := h.control(w.run)["paused_request"].(map[string]any)
	if removed := jsonOf(t, request["preview"].(map[string]any)["remove_nodes"]); removed != `["34"]` {
		t.Fatalf("it would remove %s", removed)
	}
	fb := h.decide(decision(w.run, request["request_id"].(string), newID(), "approve"))
	fb.until("run_end")
	h.confirmedAs(w.run, "completed")
	h.reopen()
	if _, text := h.asked("图概要"); !strings.Contains(text, "33") || !strings.Contains(text, "61") {
		t.Errorf("the answer does not speak of 33 nodes and 61 edges: %s", text)
	}
}

func TestABadGraphFileIsExplainedInTheAnswerWithItsLine(t *testing.T) {
	h := newHarness(t)
	token := h.uploaded("坏.csv", "source,target\n甲,乙\n丙\n")
	w, text := h.asked("分析这个图", "attachments", `[{"file_token":`+quote(token)+`}]`)
	if !strings.Contains(text, "第 3 行") {
		t.Errorf("the answer does not name the line: %s", text)
	}
	if body := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body; !containsAll(body, `"status":"failed"`, "第 3 行") {
		t.Errorf("no failed tool: %s", body)
	}
}

func TestTheSnapshotOfARealRunEqualsWhatWasSaved(t *testing.T) {
	h := newHarness(t)
	for _, message := range []string{"计算 PageRank，然后找社区", "训练链接预测模型", "画一只猫"} {
		w, _ := h.asked(message, "reasoning_mode", `"deep"`, "output_format", `"report"`)
		live := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body
		h.reopen()
		if saved := h.call("GET", protocol.PathSnapshot(h.session, w.run), "").body; saved != live {
			t.Errorf("%s: saved\n%.2000s\nlive\n%.2000s", message, saved, live)
		}
	}
}
