package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const frame = `{\"protocol_version\":2,\"session_id\":\"s\",\"run_id\":\"r-1\",\"event_index\":%s,\"events\":[{\"type\":\"message_delta\",\"message_id\":\"m\",\"delta\":\"%s\"}]}`

func line(kind, text string) string {
	return `{"at":"2026-01-05T02:00:00Z","kind":"` + kind + `","text":"` + text + `"}`
}

func frameLine(index, delta string) string {
	return line("frame", strings.Replace(strings.Replace(frame, "%s", index, 1), "%s", delta, 1))
}

func TestReplayFoldsALogAsTheConsoleDid(t *testing.T) {
	log := strings.Join([]string{
		line("run", "r-1"), frameLine("0", "价"), line("note", "stream lost"), frameLine("0", "价"), frameLine("3", "格"),
		line("frame", "broken"), "",
	}, "\n")
	var out strings.Builder
	if err := replay(strings.NewReader(log), false, &out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		RunID    string `json:"run_id"`
		Cursor   int64
		Frames   int
		Rejected []string
		Items    []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.RunID != "r-1" || got.Cursor != 3 || got.Frames != 4 || len(got.Rejected) != 1 || len(got.Items) != 1 || got.Items[0].Text != "价格" {
		t.Errorf("got %+v", got)
	}
}

func TestReplayNamesTheLineThatIsNoEntry(t *testing.T) {
	err := replay(strings.NewReader(line("run", "r")+"\nnonsense\n"), false, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}
