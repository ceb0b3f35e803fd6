package backend

import (
	"bytes"
	"testing"
)

func TestABufferIsBoundedInBytesAsWell(t *testing.T) {
	l := newEventLog(1000)
	for i := range int64(10) {
		l.append(i, make([]byte, 8<<20))
	}
	if l.bytes > maxBuffered || len(l.frames) != 4 {
		t.Errorf("%d frames of %d bytes are kept", len(l.frames), l.bytes)
	}
	if _, ok := l.after(4); ok {
		t.Error("a dropped frame can still be asked for")
	}
	if _, ok := l.after(5); !ok {
		t.Error("a kept frame cannot be asked for")
	}
	l.append(10, make([]byte, maxBuffered+1))
	if len(l.frames) != 1 {
		t.Errorf("%d frames beside one that is larger than the bound", len(l.frames)-1)
	}
}

func TestALongReplayIsReadInPieces(t *testing.T) {
	l := newEventLog(10_000)
	for i := range int64(1000) {
		l.append(i, []byte("x"))
	}
	l.end()
	read, pos := 0, 0
	for {
		b := l.read(pos)
		if len(b.frames) > maxBatch {
			t.Fatalf("%d frames at once", len(b.frames))
		}
		read += len(b.frames)
		pos = b.next
		if b.ended {
			break
		}
	}
	if read != 1000 {
		t.Errorf("%d frames, want 1000", read)
	}
}

// BenchmarkAppend holds the cost of buffering a frame constant while the oldest are dropped.
func BenchmarkAppend(b *testing.B) {
	l := newEventLog(DefaultBuffer)
	frame := bytes.Repeat([]byte("x"), 300)
	for i := int64(0); b.Loop(); i++ {
		l.append(i, frame)
	}
}
