//go:build !js

package streamwasm_test

import (
	"fmt"

	"igraph-console/streamwasm"
)

func ExampleDecoder() {
	decoder := streamwasm.NewDecoder(1 << 20)
	// A network cuts where it likes, here within a character.
	for _, chunk := range []string{"event: greeting\nda", "ta: 你\xe5", "\xa5\xbd\n\n: heart", "beat\n\n"} {
		err := decoder.Feed([]byte(chunk), func(event streamwasm.Event) error {
			switch event.Kind {
			case streamwasm.KindComment:
				fmt.Printf("comment %s\n", event.Data)
			default:
				fmt.Printf("event %s: %s\n", event.Type, event.Data)
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// event greeting: 你好
	// comment heartbeat
}

func ExampleTooLargeError() {
	decoder := streamwasm.NewDecoder(16)
	err := decoder.Feed([]byte("data: more than sixteen bytes"), func(streamwasm.Event) error { return nil })
	fmt.Println(err)
	// Output: event exceeds the limit of 16 bytes
}
