// Package db keeps what must survive a restart in one SQLite file: sessions, turns with the items
// of their runs, decisions, graphs, skill candidates and the register of uploaded files.
//
// It stores and reads; what a run may do, and when something is written, is decided by the backend.
// Every method is safe for concurrent use.
package db
