package backend

import (
	"sync"
	"testing"
	"time"
)

// handClock is a clock that the test turns.
type handClock struct {
	mu     sync.Mutex
	change *sync.Cond
	now    time.Time
	timers map[*handTimer]bool
}

type handTimer struct {
	at time.Time
	f  func()
}

func newHandClock() *handClock {
	c := &handClock{now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), timers: map[*handTimer]bool{}}
	c.change = sync.NewCond(&c.mu)
	return c
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	timer := &handTimer{at: c.now.Add(d), f: f}
	c.timers[timer] = true
	c.change.Broadcast()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		was := c.timers[timer]
		delete(c.timers, timer)
		return was
	}
}

// advance turns the clock and runs what is due by then.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*handTimer
	for timer := range c.timers {
		if !timer.at.After(c.now) {
			due = append(due, timer)
			delete(c.timers, timer)
		}
	}
	c.mu.Unlock()
	for _, timer := range due {
		timer.f()
	}
}

// await waits until something waits for exactly d from now.
func (c *handClock) await(t *testing.T, d time.Duration) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for timer := range c.timers {
			if timer.at.Equal(c.now.Add(d)) {
				return
			}
		}
		c.change.Wait()
	}
}
