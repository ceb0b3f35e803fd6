// Package sim is a world in which the client can be tested natively: a server, a network, a clock
// and storage, all simulated, in virtual time. Nothing in it waits and nothing runs at the same
// time as anything else, so a schedule of faults is a plain list of choices: it can be drawn at
// random, repeated exactly, and shrunk to the shortest that still fails.
//
// The server keeps its own fold of its log (reference.go), written differently from the client's on
// purpose: it is what the client's content is compared with.
package sim
