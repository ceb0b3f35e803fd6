// Replay folds the log of a run, as the inspector exports it, and prints the state it leads to. So
// a person's report becomes a test.
//
//	go run ./app/replay [-notes] log.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"igraph-console/app/observe"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

func main() {
	notes := flag.Bool("notes", false, "print the steps of recovery as they come")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: replay [-notes] log.jsonl")
		os.Exit(2)
	}
	if err := replayFile(flag.Arg(0), *notes, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func replayFile(name string, notes bool, out io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	defer file.Close()
	return replay(file, notes, out)
}

// result is what is printed.
type result struct {
	RunID    string          `json:"run_id"`
	Status   string          `json:"status"`
	Cursor   int64           `json:"cursor"`
	Frames   int             `json:"frames"`
	Rejected []string        `json:"rejected,omitempty"`
	Items    []protocol.Item `json:"items"`
}

// maxLine bounds one line of a log, in bytes: an event may hold a large result.
const maxLine = 64 << 20

func replay(in io.Reader, notes bool, out io.Writer) error {
	run := store.NewRun("", "")
	res := result{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var entry observe.TraceEntry
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return fmt.Errorf("line %d is no log entry: %w", n, err)
		}
		switch entry.Kind {
		case observe.TraceRun:
			run, res = store.NewRun("", entry.Text), result{}
		case observe.TraceFrame:
			res.Frames++
			next, err := take(run, entry.Text)
			if err != nil {
				res.Rejected = append(res.Rejected, fmt.Sprintf("line %d: %v", n, err))
			}
			run = next
		case observe.TraceNote, observe.TraceStep:
			if notes {
				fmt.Fprintf(out, "%s %s\n", entry.At.Format("15:04:05.000"), entry.Text)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	if res.Frames == 0 {
		return errors.New("the log holds no frame: it was exported in a page that did not watch the run")
	}
	res.RunID, res.Status, res.Cursor, res.Items = run.ID, run.Status, run.Cursor, store.Wire(run)
	text, err := json.MarshalIndent(res, "", "  ")
	if err != nil {
		return fmt.Errorf("print the state: %w", err)
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}

var errOtherRun = errors.New("a frame of another run")

// take folds one frame as the console would have.
func take(run *store.Run, data string) (*store.Run, error) {
	frame, err := protocol.DecodeFrame(data)
	if err != nil {
		return run, err
	}
	if run.ID != "" && frame.RunID != run.ID {
		return run, errOtherRun
	}
	next, _, err := run.Apply(frame)
	return next, err
}
