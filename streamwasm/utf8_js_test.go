//go:build js && wasm

package streamwasm_test

import (
	"bytes"
	"syscall/js"
	"testing"

	"igraph-console/streamwasm"
)

// The browser's own decoder is the judge for all sequences of four bytes at which the rules of UTF-8 turn.
func TestDecoderReplacesInvalidTextAsTheBrowserDoes(t *testing.T) {
	turns := []byte("A\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff")
	for _, first := range turns {
		var stream, got bytes.Buffer
		for _, second := range turns {
			for _, third := range turns {
				for _, fourth := range turns {
					stream.WriteString("data: ")
					stream.Write([]byte{first, second, third, fourth, '\n', '\n'})
				}
			}
		}
		err := streamwasm.NewDecoder(0).Feed(stream.Bytes(), func(e streamwasm.Event) error {
			got.WriteString("data: ")
			got.Write(e.Data)
			got.WriteString("\n\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		array := js.Global().Get("Uint8Array").New(stream.Len())
		js.CopyBytesToJS(array, stream.Bytes())
		if want := js.Global().Get("TextDecoder").New().Call("decode", array).String(); got.String() != want {
			t.Errorf("sequences that begin with %#x differ from the browser's text", first)
		}
	}
}
