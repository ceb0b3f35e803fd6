//go:build !js

package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/sim"
	"igraph-console/streamwasm/wasmtest"
)

// TestACutAtEveryByte runs the client's network, watcher and store in a real browser against a
// server that breaks the first stream of session cut-N after N bytes, for every N.
func TestACutAtEveryByte(t *testing.T) {
	server := httptest.NewServer(cutting{})
	defer server.Close()
	output := wasmtest.Run(t, []string{"CUT_SERVER=" + server.URL, "CUT_BYTES=" + strconv.Itoa(len(stream("cut-0000", -1)))},
		"-timeout", "400s", "-v", "-run", "TestCuts", ".")
	if !strings.Contains(output, "--- PASS: TestCuts") {
		t.Fatalf("the browser did not run the test:\n%s", output)
	}
}

// deltas are what the run says, in 36 pieces; with its start, its end and two more that makes 40
// frames.
var deltas = strings.SplitAfter("价格|¥5 |👍🏽|完 |答案|是 4|2。|图有|三个|社区|，|👨‍👩‍👧|**粗|体**|\\n\\n|- 一|\\n- 二|naïve |résumé |\\u00e9|é|日本|語 |한국|어 |🇨🇳|🇯🇵|⚙️ |x=|1|;|“引|号”|……|末|尾", "|")

func frames(session string) []string {
	events := []string{
		`{"type":"run_started","turn_id":"t","start_request_id":"` + "s-" + session + `","response_language":"zh-CN","output_format":"chat"}`,
		`{"type":"message_start","message_id":"m","format":"markdown"}`,
	}
	for _, delta := range deltas {
		events = append(events, `{"type":"message_delta","message_id":"m","delta":"`+strings.TrimSuffix(delta, "|")+`"}`)
	}
	events = append(events, `{"type":"message_end","message_id":"m"}`, `{"type":"run_end","status":"completed"}`)
	for i, event := range events {
		events[i] = fmt.Sprintf(`{"protocol_version":2,"session_id":%q,"run_id":"r","event_index":%d,"events":[%s]}`, session, i, event)
	}
	return events
}

func stream(session string, after int) string {
	var b strings.Builder
	for _, frame := range frames(session)[after+1:] {
		b.WriteString("data: " + frame + "\n\n")
	}
	return b.String()
}

// cutting is the server. Everything about a session follows from its name.
type cutting struct{}

func (cutting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "*, content-type, x-igraph-stream-version, accept-language")
	parts := strings.Split(r.URL.Path, "/")
	switch {
	case r.Method == http.MethodOptions:
	case strings.HasSuffix(r.URL.Path, "/chat/stream"):
		cut, _ := strconv.Atoi(strings.TrimPrefix(parts[3], "cut-"))
		w.Header().Set("Content-Type", protocol.EventStream)
		fmt.Fprint(w, stream(parts[3], -1)[:cut])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case strings.HasSuffix(r.URL.Path, "/resume"):
		after, _ := strconv.Atoi(r.URL.Query().Get("last_event_index"))
		w.Header().Set("Content-Type", protocol.EventStream)
		fmt.Fprint(w, stream(parts[3], after))
	case strings.HasSuffix(r.URL.Path, "/snapshot"):
		answer(w, protocol.Snapshot{SessionID: parts[3], RunID: "r", Status: protocol.StatusCompleted, Complete: true, Items: items(parts[3])})
	default:
		answer(w, protocol.Control{
			SessionID: parts[3], TurnID: "t", RunID: "r", Status: protocol.StatusCompleted, LastEventIndex: int64(len(frames(parts[3])) - 1),
			ExecutionStopped: true, TerminalPersisted: true, CanSend: strings.HasSuffix(r.URL.RawQuery, "run_id=r"),
		})
	}
}

func items(session string) []protocol.Item {
	var ref sim.Reference
	for _, data := range frames(session) {
		frame, err := protocol.DecodeFrame(data)
		if err != nil {
			panic(err)
		}
		for _, ev := range frame.Events {
			ref.Take(ev)
		}
	}
	return ref.Items
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", protocol.JSONType)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}
