//go:build js && wasm

// Command client stands in for the console: it renders like go-app does, by
// replacing the first child of the body, and can be told to die.
package main

import (
	"os"
	"syscall/js"
)

func main() {
	document := js.Global().Get("document")
	view := document.Call("createElement", "main")
	view.Set("id", "view")
	view.Set("textContent", "prefix="+os.Getenv("GOAPP_ROOT_PREFIX")+" api="+os.Getenv("IGRAPH_API_BASE"))

	exit := make(chan struct{})
	js.Global().Set("exitProgram", js.FuncOf(func(js.Value, []js.Value) any {
		close(exit)
		return nil
	}))
	js.Global().Set("panicInProgram", js.FuncOf(func(js.Value, []js.Value) any {
		panic("a broken item")
	}))
	document.Get("body").Get("firstElementChild").Call("replaceWith", view)
	<-exit
}
