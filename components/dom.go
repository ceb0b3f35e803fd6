package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

func document() app.Value { return app.Window().Get("document") }

func byID(id string) app.Value { return app.Window().GetElementByID(id) }

// byHook finds the first element of a hook, within root.
func byHook(root app.Value, name string) app.Value {
	return root.Call("querySelector", `[data-testid="`+name+`"]`)
}

// focusOn moves the keyboard to an element, if it is there.
func focusOn(el app.Value) {
	if el.Truthy() {
		el.Call("focus")
	}
}

// listen adds a listener and returns the function that takes it away again. go-app's own events are
// no match for passive listeners and for targets outside the component.
func listen(target app.Value, event string, passive bool, f func(e app.Value)) (stop func()) {
	fn := app.FuncOf(func(_ app.Value, args []app.Value) any {
		f(args[0])
		return nil
	})
	target.Call("addEventListener", event, fn, map[string]any{"passive": passive})
	return func() {
		target.Call("removeEventListener", event, fn)
		fn.Release()
	}
}

// number reads a property, in pixels.
func number(el app.Value, name string) float64 { return el.Get(name).Float() }

// topOf is where an element begins, from the top of the window.
func topOf(el app.Value) float64 { return number(el.Call("getBoundingClientRect"), "top") }
