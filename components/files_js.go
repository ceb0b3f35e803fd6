//go:build js && wasm

package components

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// filesOf reads a FileList.
func filesOf(list app.Value) (files []pickedFile) {
	for i := range list.Length() {
		f := list.Index(i)
		files = append(files, pickedFile{
			name: f.Get("name").String(), size: int64(f.Get("size").Float()), handle: raw(f),
		})
	}
	return files
}

// raw is the browser's own value, which the network takes. go-app keeps it to itself, but what it
// hands to a callback is what it was given.
func raw(v app.Value) (value js.Value) {
	catch := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = args[0]
		return nil
	})
	defer catch.Release()
	app.ValueOf(catch.Value).Invoke(v)
	return value
}
