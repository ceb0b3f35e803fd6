package backend

import "time"

// Clock tells the time and wakes up later; tests put in one that they turn by hand.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f on a goroutine of its own after d. stop prevents a call that has not
	// begun and reports whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the computer's clock.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc calls f after d.
func (SystemClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}

// sleep waits for d or until done is closed, whichever comes first.
func sleep(clock Clock, d time.Duration, done <-chan struct{}) {
	if d <= 0 {
		return
	}
	over := make(chan struct{})
	stop := clock.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
	case <-done:
	}
}
