package streamwasm

import (
	"bytes"
	"math"
	"time"
)

// DefaultLimit is the limit, in bytes, that applies where the caller names none.
const DefaultLimit = 16 << 20

// keptBuffer is the largest buffer, in bytes, kept from one event for the next. One huge event must not hold its
// memory for as long as the stream lives.
const keptBuffer = 64 << 10

// byteOrderMark may open the stream once; it is not part of the first line.
const byteOrderMark = "\xef\xbb\xbf"

// Kind tells what a complete piece of the stream was.
type Kind uint8

const (
	// KindEvent is an event: a block with at least one data line, closed by a blank line.
	KindEvent Kind = iota
	// KindComment is a comment line. Servers send comments as heartbeats, so each one proves that the connection lives.
	KindComment
)

// Event is one event or one comment of a stream.
type Event struct {
	Kind Kind
	// Type is the event's type, "message" if the stream named none; empty for a comment.
	Type string
	// ID is the last event ID as of this event: it persists until the stream changes it. Empty for a comment.
	ID string
	// Data is the event's data, its lines joined by line feeds, or the comment's text after the colon and one space.
	// It is valid UTF-8. It points into a buffer that is used again, so it may be read only until the handler returns:
	// copy what must live longer.
	Data []byte
}

// Decoder turns the bytes of an event stream into events, in chunks cut anywhere. It does no input or output, keeps
// no more than one event, and hands out an event as soon as the blank line that ends it is complete. What follows the
// last line end of a stream is no line, and a block without its blank line is no event: at the end of a stream, just
// drop the decoder. Make one with [NewDecoder] for each connection. It is not for concurrent use.
type Decoder struct {
	limit int
	err   error // why the decoder refuses input; nil while it takes it

	markSeen int  // bytes of the byte order mark matched so far; -1 once the first line has begun
	skipLF   bool // the last byte was a CR that ended its line: a LF now is its second half, not another line

	line []byte // the unfinished line of earlier chunks

	hasData bool   // the open block has a data line, perhaps an empty one
	view    []byte // the only data line so far, where it arrived, as long as that memory is ours to read
	data    []byte // the data lines, joined, once view no longer serves
	size    int    // bytes of the values held for the open block

	eventType string // type of the open block
	lastType  string // former type: streams repeat their types, so the string is reused
	id        string // id of the open block, which counts only once its blank line came
	lastID    string

	retry    time.Duration
	retrySet bool
}

// NewDecoder makes a decoder for one stream. The limit is the most memory, in bytes, that one event may take: the
// values of its lines and the line being received. It is clamped to at least one; a limit of zero means [DefaultLimit].
func NewDecoder(limit int) *Decoder {
	if limit == 0 {
		limit = DefaultLimit
	}
	return &Decoder{limit: max(limit, 1)}
}

// LastEventID returns the last event ID. It changes only at a blank line, also one that completes no event.
func (d *Decoder) LastEventID() string { return d.lastID }

// Retry returns the reconnection time the stream asked for, and whether it asked. Times beyond the range of a
// [time.Duration] are cut to its maximum.
func (d *Decoder) Retry() (time.Duration, bool) { return d.retry, d.retrySet }

// Feed takes the next bytes of the stream and calls handle for each event and comment that they complete, in order.
// The chunk is read in place and not kept.
//
// A [*TooLargeError] says that an event exceeded the limit. An error from handle is returned as it is. After either
// the rest of the chunk is lost, so the decoder refuses all further input with that same error.
func (d *Decoder) Feed(chunk []byte, handle func(Event) error) error {
	if d.err != nil {
		return d.err
	}
	chunk, prefix := d.skipMark(chunk)
	if prefix != "" {
		d.err = d.feed([]byte(prefix), handle)
	}
	if d.err == nil {
		d.err = d.feed(chunk, handle)
	}
	return d.err
}

// skipMark removes the byte order mark. If what looked like one turns out not to be, the bytes withheld so far come
// back as prefix.
func (d *Decoder) skipMark(chunk []byte) (rest []byte, prefix string) {
	for d.markSeen >= 0 && len(chunk) > 0 {
		if chunk[0] != byteOrderMark[d.markSeen] {
			prefix = byteOrderMark[:d.markSeen]
			d.markSeen = -1
			return chunk, prefix
		}
		chunk = chunk[1:]
		d.markSeen++
		if d.markSeen == len(byteOrderMark) {
			d.markSeen = -1
		}
	}
	return chunk, ""
}

func (d *Decoder) feed(chunk []byte, handle func(Event) error) error {
	if d.skipLF && len(chunk) > 0 {
		d.skipLF = false
		if chunk[0] == '\n' {
			chunk = chunk[1:]
		}
	}
	ends := lineEnds{chunk: chunk, lf: -1, cr: -1}
	start := 0
	for {
		end := ends.next(start)
		if end == len(chunk) {
			break
		}
		if err := d.endLine(chunk[start:end], handle); err != nil {
			return err
		}
		start = end + 1
		if chunk[end] != '\r' {
			continue
		}
		// A line ended by CR is complete at once. Waiting to see whether a LF follows could hold back an event until
		// the next one comes.
		if start == len(chunk) {
			d.skipLF = true
		} else if chunk[start] == '\n' {
			start++
		}
	}
	return d.keepRest(chunk[start:])
}

// lineEnds finds line ends in a chunk. It remembers where the next LF and the next CR are, because looking for both
// anew at every line would scan a chunk that uses only one of them once per line.
type lineEnds struct {
	chunk  []byte
	lf, cr int
}

// next returns the index of the first line end at or after start, or the chunk's length.
func (e *lineEnds) next(start int) int {
	if e.lf < start {
		e.lf = indexFrom(e.chunk, start, '\n')
	}
	if e.cr < start {
		e.cr = indexFrom(e.chunk, start, '\r')
	}
	return min(e.lf, e.cr)
}

func indexFrom(chunk []byte, start int, c byte) int {
	i := bytes.IndexByte(chunk[start:], c)
	if i < 0 {
		return len(chunk)
	}
	return start + i
}

// keepRest stores what the next chunk needs of this one.
func (d *Decoder) keepRest(rest []byte) error {
	if d.view != nil {
		d.data = append(d.data, d.view...)
		d.view = nil
	}
	if err := d.checkSize(len(d.line) + len(rest)); err != nil {
		return err
	}
	d.line = append(d.line, rest...)
	return nil
}

// endLine takes the rest of a line whose end has arrived.
func (d *Decoder) endLine(rest []byte, handle func(Event) error) error {
	if err := d.checkSize(len(d.line) + len(rest)); err != nil {
		return err
	}
	if len(d.line) == 0 {
		return d.takeLine(rest, handle)
	}
	line := append(d.line, rest...)
	// The memory may still serve as view. It is not written before keepRest, which copies the view first.
	d.line = reuse(line)
	return d.takeLine(line, handle)
}

// checkSize fails if the open block and a line of n bytes exceed the limit. It sees the same sizes however the
// stream is cut: a line too long in part is too long as a whole.
func (d *Decoder) checkSize(n int) error {
	if n > d.limit-d.size {
		return &TooLargeError{What: "event", Limit: d.limit}
	}
	return nil
}

// takeLine acts on a complete line, given without its end.
func (d *Decoder) takeLine(line []byte, handle func(Event) error) error {
	if len(line) == 0 {
		return d.endBlock(handle)
	}
	name, value, _ := bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	if line[0] == ':' {
		return handle(Event{Kind: KindComment, Data: validUTF8(value)})
	}
	switch string(name) {
	case "data":
		return d.addData(validUTF8(value))
	case "event":
		return d.setType(validUTF8(value))
	case "id":
		return d.setID(validUTF8(value))
	case "retry":
		d.setRetry(value)
	}
	return nil
}

func (d *Decoder) addData(value []byte) error {
	if err := d.hold(len(value) + 1); err != nil {
		return err
	}
	if !d.hasData {
		d.hasData = true
		d.view = value
		return nil
	}
	if d.view != nil {
		d.data = append(d.data, d.view...)
		d.view = nil
	}
	d.data = append(d.data, '\n')
	d.data = append(d.data, value...)
	return nil
}

func (d *Decoder) setType(value []byte) error {
	if err := d.hold(len(value)); err != nil {
		return err
	}
	if string(value) != d.lastType {
		d.lastType = string(value)
	}
	d.eventType = d.lastType
	return nil
}

func (d *Decoder) setID(value []byte) error {
	if bytes.IndexByte(value, 0) >= 0 {
		return nil // such an id could not be sent back in a header
	}
	if err := d.hold(len(value)); err != nil {
		return err
	}
	d.id = string(value)
	return nil
}

// hold counts n more bytes for the open block. Values can be longer than they arrived, by replacement characters.
func (d *Decoder) hold(n int) error {
	if err := d.checkSize(n); err != nil {
		return err
	}
	d.size += n
	return nil
}

// setRetry takes a number of milliseconds; anything but ASCII digits leaves the former time.
func (d *Decoder) setRetry(value []byte) {
	const most = math.MaxInt64 / int64(time.Millisecond)
	ms := int64(0)
	for _, c := range value {
		if c < '0' || c > '9' {
			return
		}
		ms = min(ms*10+int64(c-'0'), most)
	}
	if len(value) == 0 {
		return
	}
	d.retry, d.retrySet = time.Duration(ms)*time.Millisecond, true
}

// endBlock dispatches the open block, if it has data, and starts the next.
func (d *Decoder) endBlock(handle func(Event) error) error {
	event := Event{Kind: KindEvent, Type: d.eventType, ID: d.id, Data: d.data}
	if d.view != nil {
		event.Data = d.view
	}
	if event.Type == "" {
		event.Type = "message"
	}
	dispatch := d.hasData

	d.lastID = d.id
	d.eventType = ""
	d.hasData = false
	d.view = nil
	d.data = reuse(d.data)
	d.size = 0
	if !dispatch {
		return nil
	}
	return handle(event)
}

// reuse empties a buffer for the next event, or gives up one that grew beyond what is worth keeping.
func reuse(buffer []byte) []byte {
	if cap(buffer) > keptBuffer {
		return nil
	}
	return buffer[:0]
}
