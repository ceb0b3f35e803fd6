//go:build js && wasm

package webapi

import (
	"errors"
	"strings"
	"syscall/js"
)

// Error is what JavaScript threw, or rejected a promise with.
type Error struct {
	// Name is the name of the error's class, such as "TypeError" or "AbortError"; empty if it has none.
	Name string
	// Message is the error's message, or the thrown value as text if it is no error object.
	Message string
}

func (e *Error) Error() string {
	if e.Name == "" {
		return e.Message
	}
	return e.Name + ": " + e.Message
}

// newError describes any JavaScript value: errors, but also undefined, strings, big integers or objects that throw
// when they are looked at.
func newError(v js.Value) *Error {
	e := &Error{Name: property(v, "name"), Message: property(v, "message")}
	if e.Name == "" && e.Message == "" {
		e.Message = text(v)
	}
	return e
}

// property returns a string property of v, or "" if v has no such string.
func property(v js.Value, name string) (value string) {
	defer ignorePanic()
	if p := get(v, name); p.Type() == js.TypeString {
		value = p.String()
	}
	return value
}

// text converts v as JavaScript's String does.
func text(v js.Value) (s string) {
	s = "a value that has no text"
	defer ignorePanic()
	return js.Global().Get("String").Invoke(v).String()
}

// ignorePanic is for code that only describes an error, where nothing may go wrong again.
func ignorePanic() { _ = recover() }

// get returns a property of a value that may be anything. An exception becomes a panic that try turns into an error,
// while one in v.Get would end the program.
func get(v js.Value, name string) js.Value {
	return js.Global().Get("Reflect").Call("get", v, name)
}

// call calls a method of a value that may be anything; as to exceptions see get.
func call(v js.Value, name string, args ...any) js.Value {
	return js.Global().Get("Reflect").Call("apply", get(v, name), v, js.ValueOf(args))
}

// try runs code that touches JavaScript and returns what that threw as an error. Other panics go on.
func try(do func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			err = newError(r.Value)
		case *js.ValueError:
			err = r
		case string:
			// For a method that does not exist and the like syscall/js panics with a plain string.
			if !strings.HasPrefix(r, "syscall/js: ") && r != "bad type flag" {
				panic(r)
			}
			err = errors.New(r)
		default:
			panic(r)
		}
	}()
	do()
	return nil
}
