// Package agent is the reference backend's agent. It understands plain
// requests about graphs in English and Chinese by rules: word lists and
// patterns, no language model. What it does not recognise it says, with a list
// of what can be asked.
//
// It knows nothing of HTTP, storage or the wire. A backend hands it a Turn and
// receives everything it does, in order, through an Out.
package agent
