package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"igraph-console/app/protocol"
)

// edit changes one frame of a stream; doc.go explains what it can do.
type edit struct {
	Frame int    `json:"frame"`
	Do    string `json:"do"`
	Text  string `json:"text,omitempty"`
	Gate  string `json:"gate,omitempty"`
	Clean bool   `json:"clean,omitempty"`
}

var editNames = []string{
	"cut", "half", "stall", "drop", "duplicate", "swap", "corrupt", "run", "session", "version", "before", "replace", "announce",
}

func (e edit) check() error {
	if !slices.Contains(editNames, e.Do) {
		return fmt.Errorf("there is no edit %q", e.Do)
	}
	return nil
}

var errBroken = errors.New("the connection is broken by a fault")

// writer sends an answer with the faults of its rules. The backend writes every frame of a stream
// with one call, which is what makes frames countable here.
type writer struct {
	http.ResponseWriter
	faults *Faults
	ctx    context.Context
	cancel context.CancelFunc

	edits    []edit
	chunk    int
	cutBytes int // 0: none
	cutGate  string
	lose     bool

	status int
	frames int
	sent   int
	late   []byte // a frame that goes out after the next
	cut    bool
	clean  bool
}

func (w *writer) add(ru rule) {
	w.edits = append(w.edits, ru.Edits...)
	w.lose = w.lose || ru.Lose
	if ru.Chunk > 0 {
		w.chunk = ru.Chunk
	}
	if ru.CutBytes > 0 {
		w.cutBytes, w.cutGate = ru.CutBytes, ru.CutGate
	}
}

// Unwrap lets streams set deadlines.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the header, unless the answer is to be lost: then the act stands and the rest
// of the answer is not waited for.
func (w *writer) WriteHeader(status int) {
	w.status = status
	if w.lose {
		w.cancel()
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// FlushError is what a stream flushes through.
func (w *writer) FlushError() error {
	if w.lose || w.cut {
		return errBroken
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Write sends a whole frame, a comment, or any other body.
func (w *writer) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.lose || w.cut {
		return 0, errBroken
	}
	if !bytes.HasPrefix(data, []byte("data:")) {
		return len(data), w.send(data)
	}
	w.frames++
	frame := data
	for _, e := range w.edits {
		if e.Frame != 0 && e.Frame != w.frames {
			continue
		}
		var err error
		if frame, err = w.apply(e, frame); err != nil {
			return 0, err
		}
		if frame == nil {
			break
		}
	}
	late := w.late
	if frame != nil {
		w.late = nil
	} else {
		late = nil
	}
	if err := w.send(frame); err != nil {
		return 0, err
	}
	return len(data), w.send(late)
}

// apply makes of a frame what goes out in its place; nil is nothing.
func (w *writer) apply(e edit, frame []byte) ([]byte, error) {
	switch e.Do {
	case "cut":
		return nil, w.breakOff(e.Clean)
	case "half":
		if err := w.send(frame[:len(frame)/2]); err != nil {
			return nil, err
		}
		return nil, w.breakOff(e.Clean)
	case "stall":
		// Streams write their heartbeats from the same goroutine, so these stop as well.
		return frame, w.faults.wait(w.ctx, 0, gateOr(e.Gate, "stall"))
	case "drop":
		return nil, nil
	case "duplicate":
		return append(bytes.Clone(frame), frame...), nil
	case "swap":
		w.late = bytes.Clone(frame)
		return nil, nil
	case "corrupt":
		return append(bytes.Clone(frame[:len(frame)*2/3]), "\n\n"...), nil
	case "run":
		return member(frame, "run_id", `"00000000-0000-4000-8000-00000000abcd"`), nil
	case "session":
		return member(frame, "session_id", `"00000000-0000-4000-8000-00000000abcd"`), nil
	case "version":
		return member(frame, "protocol_version", "99"), nil
	case "before":
		return append([]byte(e.Text), frame...), nil
	case "replace":
		return []byte(e.Text), nil
	case "announce":
		head, _, _ := bytes.Cut(member(frame, "event_index", "null"), []byte(`"events":`))
		return append(append(head, `"events":`+e.Text+"}\n\n"...), frame...), nil
	}
	return nil, e.check()
}

func gateOr(name, otherwise string) string {
	if name != "" {
		return name
	}
	return otherwise
}

// members finds the scalar members that stand before the events of a frame.
var members = map[string]*regexp.Regexp{
	"protocol_version": regexp.MustCompile(`"protocol_version":[^,]*`),
	"session_id":       regexp.MustCompile(`"session_id":[^,]*`),
	"run_id":           regexp.MustCompile(`"run_id":[^,]*`),
	"event_index":      regexp.MustCompile(`"event_index":[^,]*`),
}

// member replaces the first occurrence, which is the frame's own.
func member(frame []byte, name, value string) []byte {
	at := members[name].FindIndex(frame)
	if at == nil {
		return frame
	}
	return slices.Concat(frame[:at[0]], []byte(`"`+name+`":`+value), frame[at[1]:])
}

func (w *writer) breakOff(clean bool) error {
	w.cut, w.clean = true, clean
	w.cancel()
	return errBroken
}

// send writes bytes in the pieces asked for, up to where the answer breaks off.
func (w *writer) send(data []byte) error {
	if w.cutBytes > 0 && w.sent+len(data) >= w.cutBytes {
		if err := w.pieces(data[:w.cutBytes-w.sent]); err != nil {
			return err
		}
		if err := w.faults.wait(w.ctx, 0, w.cutGate); err != nil {
			return err
		}
		return w.breakOff(false)
	}
	return w.pieces(data)
}

func (w *writer) pieces(data []byte) error {
	w.sent += len(data)
	if w.chunk == 0 || len(data) == 0 {
		return w.piece(data)
	}
	for piece := range slices.Chunk(data, w.chunk) {
		if err := w.piece(piece); err != nil {
			return err
		}
	}
	return nil
}

// piece writes and, where a fault depends on what has reached the client, flushes.
func (w *writer) piece(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if _, err := w.ResponseWriter.Write(data); err != nil {
		return err
	}
	if w.cutBytes > 0 || w.chunk > 0 || w.Header().Get("Content-Type") == protocol.EventStream {
		return http.NewResponseController(w.ResponseWriter).Flush()
	}
	return nil
}

// finish sends a frame that waited for a next one that never came.
func (w *writer) finish() {
	if w.late != nil && !w.cut && !w.lose {
		_ = w.send(w.late) // the answer is over either way
	}
}
