//go:build js && wasm

package browser

import (
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"igraph-console/app/act"
	"igraph-console/app/store"
)

// prefix marks what is ours among what other pages of the same origin keep.
const prefix = "igraph."

// Storage is the web storage of this name: localStorage or sessionStorage. A browser may forbid it, or it may be full: then
// nothing is kept, and the caller is told.
type Storage string

// with calls f on the storage; whatever JavaScript throws becomes an error.
func (s Storage) with(f func(js.Value)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be used: %v", string(s), p)
		}
	}()
	area := js.Global().Get(string(s))
	if !area.Truthy() {
		return errors.New(string(s) + " is not there")
	}
	f(area)
	return nil
}

// Load implements wire.Storage.
func (s Storage) Load(name string) (value string, ok bool) {
	_ = s.with(func(area js.Value) {
		if v := area.Call("getItem", prefix+name); v.Type() == js.TypeString {
			value, ok = v.String(), true
		}
	})
	return value, ok
}

// Save implements wire.Storage.
func (s Storage) Save(name, value string) error {
	return s.with(func(area js.Value) { area.Call("setItem", prefix+name, value) })
}

// Remove implements wire.Storage.
func (s Storage) Remove(name string) {
	_ = s.with(func(area js.Value) { area.Call("removeItem", prefix+name) })
}

// Names implements wire.Storage.
func (s Storage) Names(under string) (names []string) {
	_ = s.with(func(area js.Value) {
		for i := range area.Get("length").Int() {
			if name, ok := strings.CutPrefix(area.Call("key", i).String(), prefix); ok && strings.HasPrefix(name, under) {
				names = append(names, name)
			}
		}
	})
	return names
}

// Languages are those the person reads, best first.
func Languages() (list []string) {
	tags := js.Global().Get("navigator").Get("languages")
	if !tags.Truthy() {
		return nil
	}
	for i := range tags.Length() {
		list = append(list, tags.Index(i).String())
	}
	return list
}

// Navigate goes to an address within the console. go-app follows popstate.
func Navigate(path string) {
	window := js.Global()
	if window.Get("location").Get("pathname").String() == path {
		return
	}
	window.Get("history").Call("pushState", js.Null(), "", path)
	window.Call("dispatchEvent", window.Get("PopStateEvent").New("popstate"))
}

// Watch goes on at once with whatever waits when the network is back or the page is looked at.
func Watch(l *Loop, s *store.Store, acts *act.Acts) {
	online := func(is bool) func() {
		return func() {
			_ = s.Update(func(tx *store.Tx) error {
				tx.Online = is
				return nil
			})
			if is {
				goOn(acts)
			}
		}
	}
	window, document := js.Global(), js.Global().Get("document")
	on(l, window, "online", online(true))
	on(l, window, "offline", online(false))
	on(l, window, "focus", func() { goOn(acts) })
	on(l, window, "pageshow", func() { goOn(acts) })
	on(l, window, "pagehide", acts.MarkSeen)
	on(l, document, "visibilitychange", func() {
		if document.Get("visibilityState").String() == "visible" {
			goOn(acts)
			acts.Back()
			return
		}
		acts.MarkSeen()
	})
	markSeen(l, acts)
}

// markSeen notes now and then where the reader is, for a page that ends without a word.
func markSeen(l *Loop, acts *act.Acts) {
	const every = 5 * time.Second
	Clock{l}.After(every, func() {
		if js.Global().Get("document").Get("visibilityState").String() == "visible" {
			acts.MarkSeen()
		}
		markSeen(l, acts)
	})
}

func goOn(acts *act.Acts) {
	acts.Watcher.Nudge()
	acts.Nudge()
}

// on listens for as long as the page lives. The listener only starts a goroutine: a callback must
// not wait, and the loop may be busy.
func on(l *Loop, target js.Value, event string, f func()) {
	target.Call("addEventListener", event, js.FuncOf(func(js.Value, []js.Value) any {
		l.After(f)
		return nil
	}))
}
