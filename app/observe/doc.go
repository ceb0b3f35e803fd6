// Package observe watches runs. It decides when to connect, resume, rebuild, fall back to snapshots
// or wait, and drives the store; it never sends a question or a decision.
//
// A Watcher follows the one session on screen. At any moment it is in exactly one step: reading the
// session, reading a stream, waiting before the next try, polling a snapshot, polling control while
// a run is paused, or polling it until an end is confirmed. Starting a step ends the one before, so
// a late answer has nobody left to hear it: that is how stale polls and abandoned streams lose.
//
//	load ──► rebuild (shadow) ──caught up──► live ──run_end──► confirm ──► idle
//	            │  ▲                          │ ▲
//	          lost wait                     lost wait
//	            │  │                          │ │
//	            └──┴── 409, recovery required, two bad frames ──► snapshot (until the run ends)
//
// Frames are applied in the order they come, whole, and together with the cursor. Content on screen
// is only ever replaced by a rebuild that has caught up or by a complete snapshot.
package observe
