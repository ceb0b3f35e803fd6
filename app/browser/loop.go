//go:build js && wasm

package browser

import (
	"fmt"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"
)

// Loop runs callbacks one at a time: answers of the network, timers, and what a person does. A
// panic in one of them costs that callback, not the page.
type Loop struct {
	mu sync.Mutex
	// Broken is told of a panic, as a callback of its own.
	Broken func()
}

// Do runs f when no other callback runs.
func (l *Loop) Do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("iGraph Console: %v\n%s", p, debug.Stack()))
			if l.Broken != nil {
				l.After(l.Broken)
			}
		}
	}()
	f()
}

// After runs f as a callback of its own, once the present one is over.
func (l *Loop) After(f func()) { go l.Do(f) }

// Clock is the browser's clock. Timers fire late in a hidden tab and not at all during sleep, so
// whoever measures silence compares wall times.
type Clock struct{ Loop *Loop }

// Now implements wire.Clock.
func (c Clock) Now() time.Time { return time.Now().Round(0) }

// After implements wire.Clock.
func (c Clock) After(d time.Duration, f func()) (stop func()) {
	stopped := false
	timer := time.AfterFunc(d, func() {
		c.Loop.Do(func() {
			if !stopped {
				f()
			}
		})
	})
	return func() {
		stopped = true
		timer.Stop()
	}
}
