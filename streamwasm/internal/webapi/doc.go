// Package webapi wraps the parts of the browser's fetch interface that streamwasm needs in plain Go types. It alone
// touches JavaScript values, and it holds three rules about them:
//
//   - Whatever JavaScript throws or rejects with becomes a Go error. The properties of such values are read through
//     Reflect.get, because an exception in a getter read by js.Value.Get passes Go by and ends the program.
//   - Promises are awaited one at a time over one pair of functions for each exchange, and the pair is released when
//     the exchange has ended and nothing can call it any more.
//   - No callback from JavaScript blocks. The page would stand still, and Go with it.
//
// Except for this comment the package exists for js/wasm only.
package webapi
