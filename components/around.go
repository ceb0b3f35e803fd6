package components

import "igraph-console/app/store"

// around is what turns depend on besides themselves. Two equal ones mean that a turn which has not
// changed need not be rendered again.
type around struct {
	Acts    uint64 // newest revision of what a person has decided or asked to stop
	JobStop bool   // the server can stop a job
	Live    bool   // the page hears from the server
	CanEdit bool   // the latest turn may be edited
	CanAsk  bool   // a turn's text may be sent once more
}

// around is what the turns of a session depend on in the state being rendered. It is worked out
// once a frame.
func (p *Page) around(sid string) around {
	if p.near.state == p.state && p.near.sid == sid {
		return p.near.around
	}
	state := p.state
	var a around
	for _, d := range state.Decisions {
		a.Acts = max(a.Acts, d.Rev)
	}
	for _, d := range state.Skills {
		a.Acts = max(a.Acts, d.Rev)
	}
	for _, j := range state.Jobs {
		a.Acts = max(a.Acts, j.Rev)
	}
	a.JobStop = state.Caps.JobCancel
	a.CanEdit = state.CanEdit(sid)
	block := state.Blocked(sid)
	a.CanAsk = block == store.BlockNone || block == store.BlockAttachments
	if session := state.Session(sid); session != nil {
		a.Live = hears(session.Conn.Phase)
	}
	p.near = nearby{state, sid, a}
	return a
}

// hears reports whether what is shown in this phase keeps up with the server. A run that waits is
// watched without a stream, and one in snapshot mode by polling.
func hears(phase store.Phase) bool {
	return phase == store.PhaseLive || phase == store.PhasePaused || phase == store.PhaseSnapshot
}

// nearby remembers what around worked out.
type nearby struct {
	state  *store.State
	sid    string
	around around
}
