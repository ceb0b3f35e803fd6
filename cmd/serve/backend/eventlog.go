package backend

import (
	"sort"
	"sync"
)

// maxBuffered bounds the bytes of a run's buffered frames: a few huge results must not fill the
// memory that limit allows for many small events.
const maxBuffered = 32 << 20

// eventLog is the buffer of a run's frames. It holds at most limit of them and drops the oldest.
// Readers keep their own position, a count of all frames since the start of the run, so that a
// reader left behind by eviction finds out instead of silently missing frames: gaps in event
// indexes are legal and would not show it.
type eventLog struct {
	limit int

	mu      sync.Mutex
	frames  []loggedFrame
	bytes   int   // of all frames
	first   int   // position of frames[0]
	evicted int64 // highest event index dropped; -1 for none
	last    int64 // highest event index; -1 for none
	ended   bool
	wake    chan struct{} // closed at the next change; nil while nobody waits
}

// loggedFrame is one frame as it goes over the wire. A frame without an event index has the one
// before it here, and live false means that it also stands in replays.
type loggedFrame struct {
	index int64
	live  bool
	data  []byte
}

func newEventLog(limit int) *eventLog {
	return &eventLog{limit: limit, evicted: -1, last: -1}
}

// append adds the frame of an event.
func (l *eventLog) append(index int64, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = index
	l.add(loggedFrame{index: index, data: data})
}

// announce adds a frame without an event index. It concerns those who watch now; replays skip it.
func (l *eventLog) announce(data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(loggedFrame{index: l.last, live: true, data: data})
}

func (l *eventLog) add(f loggedFrame) {
	l.frames = append(l.frames, f)
	l.bytes += len(f.data)
	for len(l.frames) > l.limit || l.bytes > maxBuffered && len(l.frames) > 1 {
		l.drop(1)
	}
	l.notify()
}

// drop removes the n oldest frames.
func (l *eventLog) drop(n int) {
	if n == 0 {
		return
	}
	l.evicted = l.frames[n-1].index
	for _, f := range l.frames[:n] {
		l.bytes -= len(f.data)
	}
	clear(l.frames[:n]) // the backing array lives on; their bytes need not
	l.frames = l.frames[n:]
	l.first += n
}

// evict drops all frames there are.
func (l *eventLog) evict() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(len(l.frames))
}

// end says that no frame will follow.
func (l *eventLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.notify()
}

func (l *eventLog) notify() {
	if l.wake != nil {
		close(l.wake)
		l.wake = nil
	}
}

// edge is the position after the newest frame.
func (l *eventLog) edge() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first + len(l.frames)
}

// after is the position of the first frame behind an event index. It is not ok if that part of the
// buffer is gone, or if the index lies in the future of this run.
func (l *eventLog) after(index int64) (pos int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if index < l.evicted || index > l.last {
		return 0, false
	}
	i := sort.Search(len(l.frames), func(i int) bool { return l.frames[i].index > index })
	return l.first + i, true
}

// batch is what a reader finds at its position.
type batch struct {
	frames []loggedFrame
	next   int             // position behind the frames
	lost   bool            // the position was evicted
	ended  bool            // nothing follows the frames
	wake   <-chan struct{} // closed at the next change
}

// maxBatch bounds how many frames a reader takes at once, so that a long replay reaches the network
// in pieces.
const maxBatch = 256

// read returns the frames from a position on.
func (l *eventLog) read(pos int) batch {
	l.mu.Lock()
	defer l.mu.Unlock()
	if pos < l.first {
		return batch{lost: true}
	}
	frames := l.frames[pos-l.first:]
	all := len(frames) <= maxBatch
	if !all {
		frames = frames[:maxBatch]
	}
	b := batch{frames: append([]loggedFrame(nil), frames...), next: pos + len(frames), ended: l.ended && all}
	if l.wake == nil {
		l.wake = make(chan struct{})
	}
	b.wake = l.wake
	return b
}
