//go:build js && wasm

// Package browser gives the client what it needs of a browser: fetch as its network, timers as its
// clock, web storage, and word of the network's and the page's comings and goings.
package browser
