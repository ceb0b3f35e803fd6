package sim

import (
	"container/heap"
	"time"
)

// Clock is virtual time. Run fires what is due, in order; nothing fires by itself.
type Clock struct {
	now   time.Time
	queue timers
	seq   int
	still int // timers fired since time last moved
}

// NewClock returns a clock that stands at a fixed moment.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 1, 5, 2, 0, 0, 0, time.UTC)} }

type timer struct {
	at   time.Time
	seq  int
	f    func()
	live bool
}

type timers []*timer

func (q timers) Len() int { return len(q) }
func (q timers) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].seq < q[j].seq
	}
	return q[i].at.Before(q[j].at)
}
func (q timers) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *timers) Push(x any)   { *q = append(*q, x.(*timer)) }
func (q *timers) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	*q = (*q)[:last]
	return t
}

// hotLoop is how many timers may fire in one instant.
const hotLoop = 100_000

// Now implements wire.Clock.
func (c *Clock) Now() time.Time { return c.now }

// After implements wire.Clock.
func (c *Clock) After(d time.Duration, f func()) (stop func()) {
	c.seq++
	t := &timer{at: c.now.Add(max(d, 0)), seq: c.seq, f: f, live: true}
	heap.Push(&c.queue, t)
	return func() { t.live = false }
}

// Step fires the next timer and reports whether there was one due by the deadline.
func (c *Clock) Step(deadline time.Time) bool {
	for len(c.queue) > 0 && !c.queue[0].at.After(deadline) {
		t := heap.Pop(&c.queue).(*timer)
		if !t.live {
			continue
		}
		t.live = false
		if t.at.After(c.now) {
			c.now, c.still = t.at, 0
		}
		if c.still++; c.still > hotLoop {
			panic("a hot loop: time stands still while requests go round")
		}
		t.f()
		return true
	}
	return false
}

// Run lets time pass, firing everything that falls due.
func (c *Clock) Run(d time.Duration) {
	deadline := c.now.Add(d)
	for c.Step(deadline) {
	}
	c.now = deadline
}

// Sleep lets time pass while nothing of this machine runs: timers that fell due fire afterwards, at
// once, as after a laptop wakes up.
func (c *Clock) Sleep(d time.Duration) { c.now = c.now.Add(d) }
