//go:build js && wasm

package main

import (
	"fmt"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"igraph-console/app/store"
)

// loop runs callbacks one at a time: answers of the network, timers, and what a person does. A
// panic in one of them costs that callback, not the page.
type loop struct {
	mu     sync.Mutex
	broken func() // called after a panic
}

func (l *loop) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("iGraph Console: %v\n%s", p, debug.Stack()))
			l.broken()
		}
	}()
	f()
}

// after runs f as a callback of its own, once the present one is over.
func (l *loop) after(f func()) { go l.do(f) }

// reloadAfterFault says that something broke inside the page. What is shown stays; state is read
// again by whatever the person does next.
func reloadAfterFault(s *store.Store) {
	_ = s.Update(func(tx *store.Tx) error {
		tx.Notice = &store.Notice{Key: store.NoticeFault, Bad: true}
		return nil
	})
}

// clock is the browser's clock. Timers fire late in a hidden tab and not at all during sleep, so
// whoever measures silence compares wall times.
type clock struct{ *loop }

func (c clock) Now() time.Time { return time.Now().Round(0) }

func (c clock) After(d time.Duration, f func()) (stop func()) {
	stopped := false
	timer := time.AfterFunc(d, func() {
		c.do(func() {
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
