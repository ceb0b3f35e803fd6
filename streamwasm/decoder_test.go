package streamwasm_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"igraph-console/streamwasm"
)

// corpusCase is one case of testdata/sse-cases.json; see the README beside it.
type corpusCase struct {
	Name   string       `json:"name"`
	Why    string       `json:"why"`
	Chunks []corpusPart `json:"chunks_b64"`
	Events []struct {
		Type      string       `json:"type"`
		Data      string       `json:"data"`
		DataParts []corpusPart `json:"data_parts_b64"`
		ID        string       `json:"id"`
		Times     int          `json:"times"`
	} `json:"events"`
	Comments    int    `json:"comments"`
	RetryMS     *int64 `json:"retry_ms"`
	LastEventID string `json:"last_event_id"`
}

// corpusPart is a run of bytes, written as base64 or as base64 to be repeated.
type corpusPart []byte

func (p *corpusPart) UnmarshalJSON(text []byte) error {
	var plain []byte
	if json.Unmarshal(text, &plain) == nil {
		*p = plain
		return nil
	}
	var repeated struct {
		Repeat string `json:"repeat"`
		Times  int    `json:"times"`
	}
	if err := json.Unmarshal(text, &repeated); err != nil {
		return fmt.Errorf("part %s: %w", text, err)
	}
	unit, err := base64.StdEncoding.DecodeString(repeated.Repeat)
	*p = bytes.Repeat(unit, repeated.Times)
	return err
}

// seen is an event as the tests keep it, with its data copied.
type seen struct{ Type, Data, ID string }

// outcome is all that a decoder showed of a stream.
type outcome struct {
	Events      []seen
	Comments    []string
	Retry       time.Duration
	RetrySet    bool
	LastEventID string
	Err         error
}

// decode feeds the chunks to a new decoder. Each chunk lies in memory that is overwritten right after.
func decode(limit int, chunks [][]byte) outcome {
	var got outcome
	d := streamwasm.NewDecoder(limit)
	for _, chunk := range chunks {
		scratch := bytes.Clone(chunk)
		err := d.Feed(scratch, func(e streamwasm.Event) error {
			if e.Kind == streamwasm.KindComment {
				got.Comments = append(got.Comments, string(e.Data))
				return nil
			}
			got.Events = append(got.Events, seen{e.Type, string(e.Data), e.ID})
			return nil
		})
		for i := range scratch {
			scratch[i] = '!'
		}
		if got.Err == nil {
			got.Err = err
		}
	}
	got.Retry, got.RetrySet = d.Retry()
	got.LastEventID = d.LastEventID()
	return got
}

func bytewise(stream []byte) [][]byte {
	chunks := make([][]byte, len(stream))
	for i := range stream {
		chunks[i] = stream[i : i+1]
	}
	return chunks
}

func readCorpus(t testing.TB) []corpusCase {
	t.Helper()
	text, err := os.ReadFile("testdata/sse-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (c corpusCase) chunks() [][]byte {
	var chunks [][]byte
	for _, part := range c.Chunks {
		chunks = append(chunks, part)
	}
	return chunks
}

func (c corpusCase) events() []seen {
	var events []seen
	for _, e := range c.Events {
		data := e.Data
		for _, part := range e.DataParts {
			data += string(part)
		}
		for range max(e.Times, 1) {
			events = append(events, seen{e.Type, data, e.ID})
		}
	}
	return events
}

func TestDecoderMeetsTheCorpusHoweverTheStreamIsCut(t *testing.T) {
	cases := readCorpus(t)
	if len(cases) != 103 {
		t.Fatalf("corpus has %d cases, want 103", len(cases))
	}
	for _, c := range cases {
		stream := bytes.Join(c.chunks(), nil)
		for cut, chunks := range map[string][][]byte{
			"whole": {stream}, "chunked": c.chunks(), "bytewise": bytewise(stream),
		} {
			t.Run(c.Name+"/"+cut, func(t *testing.T) {
				c.check(t, decode(4<<20, chunks))
			})
		}
	}
}

func (c corpusCase) check(t *testing.T, got outcome) {
	t.Helper()
	if got.Err != nil {
		t.Fatalf("%s: error %v", c.Why, got.Err)
	}
	if want := c.events(); !reflect.DeepEqual(got.Events, want) {
		t.Errorf("%s: %d events %.300q, want %d %.300q", c.Why, len(got.Events), got.Events, len(want), want)
	}
	if len(got.Comments) != c.Comments {
		t.Errorf("%s: %d comments, want %d", c.Why, len(got.Comments), c.Comments)
	}
	if got.LastEventID != c.LastEventID {
		t.Errorf("%s: last event id %q, want %q", c.Why, got.LastEventID, c.LastEventID)
	}
	if got.RetrySet != (c.RetryMS != nil) {
		t.Errorf("%s: retry set %v, want %v", c.Why, got.RetrySet, c.RetryMS)
	}
	if c.RetryMS != nil && got.Retry.Milliseconds() != *c.RetryMS {
		t.Errorf("%s: retry %v, want %d ms", c.Why, got.Retry, *c.RetryMS)
	}
}

func TestDecoderDispatchesAsSoonAsTheBlankLineIsComplete(t *testing.T) {
	for _, stream := range []string{"data: a\n\n", "data: a\r\r", "data: a\r\n\r", "data: a\n\r", "data: a\r\n\n"} {
		d := streamwasm.NewDecoder(0)
		events := 0
		count := func(streamwasm.Event) error { events++; return nil }
		for i := range len(stream) {
			if events != 0 {
				t.Errorf("%q: dispatched after %d bytes", stream, i)
			}
			if err := d.Feed([]byte(stream[i:i+1]), count); err != nil {
				t.Fatal(err)
			}
		}
		if events != 1 {
			t.Errorf("%q: %d events once complete, want 1", stream, events)
		}
		// The second half of a CR LF is not another line: it neither dispatches nor opens a block.
		if err := d.Feed([]byte("\n"), count); err != nil || events != 1 {
			t.Errorf("%q then LF: %d events, error %v", stream, events, err)
		}
	}
}

func TestDecoderHandsOutCommentsWithTheirTextInOrder(t *testing.T) {
	got := decode(0, [][]byte{[]byte(":\n: heart beat\n:x\n:  two \xff\n")})
	want := []string{"", "heart beat", "x", " two \ufffd"}
	if !reflect.DeepEqual(got.Comments, want) {
		t.Errorf("comments %q, want %q", got.Comments, want)
	}

	var order []string
	err := streamwasm.NewDecoder(0).Feed([]byte(": 1\ndata: 2\n\n: 3\n"), func(e streamwasm.Event) error {
		order = append(order, string(e.Data))
		return nil
	})
	if err != nil || strings.Join(order, "") != "123" {
		t.Errorf("order %q, error %v", order, err)
	}
}

func TestDecoderKeepsTextWholeForEverySplit(t *testing.T) {
	const text = "价格¥5 👍🏽完 naïve 日本 👩‍💻"
	stream := []byte("event: 消息\r\nid: 一\r\ndata: " + text + "\r\ndata: " + text + "\r\n\r\n")
	want := []seen{{"消息", text + "\n" + text, "一"}}
	for i := range stream {
		for j := i; j <= len(stream); j++ {
			got := decode(0, [][]byte{stream[:i], stream[i:j], stream[j:]})
			if got.Err != nil || !reflect.DeepEqual(got.Events, want) {
				t.Fatalf("cut at %d and %d: %q, error %v", i, j, got.Events, got.Err)
			}
		}
	}
}

func TestDecoderRefusesEventsBeyondTheLimit(t *testing.T) {
	const limit = 100
	long := strings.Repeat("x", limit)
	for name, stream := range map[string]string{
		"one line":                 "data: " + long + "\n\n",
		"unfinished line":          "data: " + long,
		"many lines":               strings.Repeat("data: 0123456789\n", 10) + "\n",
		"many empty lines":         strings.Repeat("data\n", limit+1),
		"type and data":            "event: " + long[:60] + "\ndata: " + long[:60] + "\n\n",
		"id and data":              "id: " + long[:60] + "\ndata: " + long[:60] + "\n\n",
		"replacement characters":   "data: " + strings.Repeat("\xff", 50) + "\n\n",
		"unknown field":            "foo: " + long + "\n",
		"comment":                  ": " + long + "\n",
		"comment in an open block": "data: " + long[:60] + "\n: " + long[:60] + "\n\n",
	} {
		stream = "data: before\n\n" + stream + "\n\ndata: after\n\n"
		for cut, chunks := range map[string][][]byte{"whole": {[]byte(stream)}, "bytewise": bytewise([]byte(stream))} {
			got := decode(limit, chunks)
			var tooLarge *streamwasm.TooLargeError
			if !errors.As(got.Err, &tooLarge) || tooLarge.Limit != limit {
				t.Errorf("%s, %s: error %v, want a TooLargeError of limit %d", name, cut, got.Err, limit)
			}
			if want := []seen{{"message", "before", ""}}; !reflect.DeepEqual(got.Events, want) {
				t.Errorf("%s, %s: events %q, want %q", name, cut, got.Events, want)
			}
		}
	}
}

func TestDecoderCountsTheLimitForEachEventAnew(t *testing.T) {
	event := "event: t\nid: 1\ndata: " + strings.Repeat("x", 60) + "\ndata: y\n\n"
	got := decode(100, bytewise([]byte(strings.Repeat(event, 1000))))
	if got.Err != nil || len(got.Events) != 1000 {
		t.Errorf("%d events, error %v, want 1000 and none", len(got.Events), got.Err)
	}
}

func TestDecoderNamesTheLimitInItsError(t *testing.T) {
	got := decode(10, [][]byte{[]byte("data: 0123456789")})
	if got.Err == nil || got.Err.Error() != "event exceeds the limit of 10 bytes" {
		t.Errorf("error %v", got.Err)
	}
}

func TestDecoderStopsAtTheHandlersErrorForGood(t *testing.T) {
	stop := errors.New("stop")
	d := streamwasm.NewDecoder(0)
	calls := 0
	handle := func(streamwasm.Event) error { calls++; return stop }
	for range 3 {
		if err := d.Feed([]byte("data: a\n\ndata: b\n\n"), handle); err != stop {
			t.Errorf("error %v, want the handler's own", err)
		}
	}
	if calls != 1 {
		t.Errorf("handler called %d times, want once", calls)
	}
}

func TestDecoderCutsRetryToTheLongestDuration(t *testing.T) {
	got := decode(0, [][]byte{[]byte("retry: " + strings.Repeat("9", 400) + "\n")})
	if most := time.Duration(math.MaxInt64).Truncate(time.Millisecond); !got.RetrySet || got.Retry != most {
		t.Errorf("retry %v, %v, want %v", got.Retry, got.RetrySet, most)
	}
}

func TestDecoderReadsPlainFramesWithoutAllocating(t *testing.T) {
	d := streamwasm.NewDecoder(0)
	chunk := []byte(strings.Repeat("event: run\ndata: {\"text\":\"价格\"}\n\n: heartbeat\n\n", 50))
	handle := func(streamwasm.Event) error { return nil }
	feed := func() {
		if err := d.Feed(chunk, handle); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(20, feed); n != 0 {
		t.Errorf("%v allocations for 50 events, want none", n)
	}
}
