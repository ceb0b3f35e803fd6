//go:build js && wasm

package webapi

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall/js"
)

var errClosed = errors.New("exchange closed")

var liveFuncs atomic.Int64

// LiveFuncs returns how many js.Funcs of this package are not released. Tests assert that it returns to zero.
func LiveFuncs() int { return int(liveFuncs.Load()) }

// settlement is how a promise ended.
type settlement struct {
	value    js.Value
	rejected bool
}

// awaiter waits for promises, one at a time. Its pair of functions serves all of them: making a new pair for each
// costs about as much as everything else in a read.
type awaiter struct {
	resolve, reject js.Func
	settled         chan settlement // of capacity one, so that settle never blocks

	mu       sync.Mutex
	pending  bool // a promise holds the functions
	released bool
}

func newAwaiter() *awaiter {
	a := &awaiter{settled: make(chan settlement, 1)}
	a.resolve = js.FuncOf(func(_ js.Value, args []js.Value) any { return a.settle(args, false) })
	a.reject = js.FuncOf(func(_ js.Value, args []js.Value) any { return a.settle(args, true) })
	liveFuncs.Add(2)
	return a
}

// await waits until the promise that start returns has settled, or until the context ends. After the latter the
// promise may still be pending, so the awaiter must be released next.
func (a *awaiter) await(ctx context.Context, start func() js.Value) (js.Value, error) {
	if !a.hold() {
		return js.Undefined(), errClosed
	}
	err := try(func() {
		// Promise.resolve passes real promises through. Of anything else it makes one, which settles once and later.
		promise := js.Global().Get("Promise").Call("resolve", start())
		call(promise, "then", a.resolve, a.reject)
	})
	if err != nil {
		a.mu.Lock()
		a.pending = false
		a.mu.Unlock()
		return js.Undefined(), err
	}
	select {
	case s := <-a.settled:
		if s.rejected {
			return js.Undefined(), newError(s.value)
		}
		return s.value, nil
	case <-ctx.Done():
		return js.Undefined(), context.Cause(ctx)
	}
}

// hold marks the functions as in use by a promise. It fails if they were released.
func (a *awaiter) hold() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = !a.released
	return a.pending
}

// settle is called by JavaScript.
func (a *awaiter) settle(args []js.Value, rejected bool) any {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = false
	if a.released {
		a.free()
		return nil
	}
	s := settlement{rejected: rejected}
	if len(args) > 0 {
		s.value = args[0]
	}
	a.settled <- s
	return nil
}

// release gives the functions back: now, or once the pending promise has called one of them.
func (a *awaiter) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.released {
		return
	}
	a.released = true
	if !a.pending {
		a.free()
	}
}

func (a *awaiter) free() {
	a.resolve.Release()
	a.reject.Release()
	liveFuncs.Add(-2)
}
