// Package streamwasm reads server-sent events over fetch, for Go in the browser.
package streamwasm
