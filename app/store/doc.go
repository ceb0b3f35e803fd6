// Package store holds the one state of the console and the only ways to change it.
//
// A State is immutable. A transaction copies what it touches, and publishes the result once, or not
// at all if it fails. Whoever holds a State may read it for as long as they like; the cost of a
// transaction does not grow with the length of an answer or of the history, because growing values
// (text, series, item lists) share their storage between versions.
//
// The fold (events to state) lives here too. It works on a Run by itself, so that a run can be
// rebuilt aside and be published whole.
package store
