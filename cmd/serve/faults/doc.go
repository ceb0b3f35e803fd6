// Package faults makes the embedded backend misbehave on command, so that a client can be tried
// against every failure it has to survive. It sits in front of the API and exists only where the
// server was started with -faults. All bodies are JSON.
//
// # Faults
//
// POST /api/__faults takes one of the following; GET shows what is set, which gates there are and
// how many wait at each; DELETE takes everything back and opens all gates.
//
// A rule acts on requests:
//
//	{"on":"chat",            endpoint (see below), or "*" for all
//	 "session":"…","run":"…" only of this session or run (as the path or query names it)
//	 "skip":1,"times":2,     lets one matching request by, then acts on two; times -1 is for ever,
//	                         and without it the rule acts once
//	 "delay_ms":500,         waits first
//	 "gate":"g",             waits until the gate is opened
//	 "refuse":true,          breaks the connection; the backend never sees the request
//	 "lose":true,            lets the backend act, then breaks the connection before any header
//	 "status":429,"code":"…","body":"<html>…","content_type":"text/html","headers":{"Retry-After":"1"},
//	                         answers in the backend's place; with a code the body is the error's JSON
//	 "cut_bytes":100,        breaks an answer after so many bytes of its body
//	 "chunk":1,              sends an answer in pieces of so many bytes, each flushed
//	 "edits":[…]}            changes frames of a stream
//
// An edit is {"frame":2,"do":"…"}; frames are counted from 1 in every answer, 0 is each frame:
//
//	cut        breaks the connection before the frame; with "clean":true ends the answer properly
//	half       the same after half of the frame
//	stall      sends nothing any more, no heartbeats either, until "gate" is opened or the client leaves
//	drop       leaves the frame out
//	duplicate  sends it twice
//	swap       sends it after the next one
//	corrupt    breaks its JSON
//	run        gives it another run's id
//	session    gives it another session's id
//	version    gives it protocol version 99
//	before     sends "text" as it is before it
//	replace    sends "text" as it is in its place
//	announce   sends a frame without an index before it, with the events in the array "text"
//
// A hold keeps something from happening until its gate is opened, or for "delay_ms". The gate is
// named like the hold unless "gate" says otherwise; "session" and "run" choose whom it concerns:
//
//	{"hold":"run_end"}             the end of a run, with all that follows
//	{"hold":"execution_stopped"}   the confirmations of an end, in this order
//	{"hold":"terminal_persisted"}
//	{"hold":"can_send"}
//	{"hold":"job"}                 the end of a cancelled job of a scripted run
//	{"hold":"snapshot"}            snapshots are incomplete (no delay_ms)
//	{"hold":"open_stream"}         streams end at a pause instead of staying open (no delay_ms)
//
// Commands act at once:
//
//	{"open":"g"}                        opens a gate for good
//	{"evict":true,"run":"…"}            empties a run's buffer, or every one's
//	{"recovery":"reason","run":"…"}     sends stream_recovery_required to those who watch
//	{"restart":true}                    does what the end of the process does to everything in memory
//
// # Scripts
//
// POST /api/__faults/script gives the next run its exact content in place of the agent's:
//
//	{"session":"…",          only in this session
//	 "times":1,              so many runs; -1 is every one
//	 "bare":true,            without the run_started event that otherwise comes first
//	 "ignore_cancel":true,   goes on in spite of a cancellation
//	 "keep_running":true,    after the last step goes on until cancelled
//	 "steps":[{
//	   "delay_ms":10,"gate":"g",           waits first
//	   "await":"decision",                 waits until no request is pending; or a request's id
//	   "index":7,                          takes this event index instead of the next
//	   "announce":true,                    has no index, and is seen by those who watch now
//	   "events":[{…}]}],                   one frame
//	 "start":{"session_id":"…","message":"…","start_request_id":"…","language":"zh-CN"}}
//
// With start the run begins at once with nobody watching. A script without run_end ends as
// completed, and tools that it left open are then closed; with a run_end of its own they stay as they
// are. Jobs of a script are settled as cancelled when their cancellation is asked for.
//
// # Log
//
// GET /api/__faults/log lists the requests that arrived, oldest first ("?on=feedback" those of one
// endpoint); DELETE empties it. A request's outcome is open, done, refused, lost, cut or left (the
// client went away).
//
// The endpoints are named capabilities, sessions, session_create, session, session_rename,
// session_delete, chat, feedback, resume, snapshot, control, cancel, job_cancel, job_control, skills,
// skill_decision, upload and other.
package faults
