package act

import (
	"encoding/json"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// decisionRecord is what is stored before a decision leaves. It lies where all tabs see it, since
// one request takes one decision, in however many tabs.
type decisionRecord struct {
	Session    string           `json:"session"`
	Run        string           `json:"run"`
	DecisionID string           `json:"decision_id"`
	Decision   string           `json:"decision"`
	Comment    string           `json:"comment"`
	Patched    protocol.RawJSON `json:"patched,omitempty"`
	Open       bool             `json:"open"` // known not to have been taken
	Tab        string           `json:"tab"`  // which sent it
	At         time.Time        `json:"at"`
}

func decisionName(runID, requestID string) string { return "decision/" + runID + "/" + requestID }

// same reports whether this is the same decision: then it keeps its id.
func (r decisionRecord) same(decision, comment string, patched protocol.RawJSON) bool {
	return r.Decision == decision && r.Comment == comment && r.Patched == patched
}

// deciding is one decision on its way.
type deciding struct {
	*Acts
	requestID string
	record    decisionRecord
	cancel    func()
	polls     int
}

func (d *deciding) name() string { return decisionName(d.record.Run, d.requestID) }

// Decide submits a decision on the current request of a session's run. patched is the whole edited
// value and goes only with modify; what is no JSON is not taken. A request takes one decision: while one is on its way, from this
// tab or another, deciding again does nothing but show that one.
func (a *Acts) Decide(sid, requestID, decision, comment string, patched protocol.RawJSON) bool {
	if decision != protocol.Modify {
		patched = ""
	} else if !json.Valid([]byte(patched)) {
		return false
	}
	turn := a.activeTurn(sid)
	if turn == nil || turn.Run.Current() != requestID {
		return false
	}
	request, pending := turn.Run.Request(requestID)
	if !pending || !mayDecide(a.Store.State().Decision(turn.Run.ID, requestID).State) {
		return false
	}
	record, known := recall[decisionRecord](a.Local, decisionName(turn.Run.ID, requestID))
	if known && !record.Open && record.DecisionID != "" {
		a.verifyStored(requestID, record) // another tab is deciding, or was when it closed
		return false
	}
	if !known || !record.same(decision, comment, patched) {
		record = decisionRecord{DecisionID: a.NewID(), Decision: decision, Comment: comment, Patched: patched}
	}
	record.Session, record.Run, record.Open = sid, turn.Run.ID, false
	record.Tab, record.At = a.tab(), a.Client.Clock.Now()
	keep(a.Local, decisionName(turn.Run.ID, requestID), record)
	d := &deciding{Acts: a, requestID: requestID, record: record}
	d.set(store.ActSubmitting, nil, "")
	d.post(request, turn.Lang)
	return true
}

func mayDecide(s store.ActState) bool { return s == "" || s == store.ActOpen }

func (a *Acts) activeTurn(sid string) *store.Turn {
	if session := a.Store.State().Session(sid); session != nil {
		return session.Active()
	}
	return nil
}

func (d *deciding) post(request protocol.PausedRequest, language string) {
	body := protocol.FeedbackRequest{
		RunID:      d.record.Run,
		RequestID:  d.requestID,
		DecisionID: d.record.DecisionID,
		Decision:   d.record.Decision,
		ToolCallID: request.ToolCallID,
		ToolName:   request.ToolName,
		Comment:    d.record.Comment,
	}
	if d.record.Decision == protocol.Modify {
		body.PatchedArgs = d.record.Patched
	}
	started := d.Client.Clock.Now()
	cancel := d.Client.Net.Stream(wire.Request{
		Method:   "POST",
		Path:     protocol.PathFeedback(d.record.Session),
		Version:  true,
		Language: language,
		Body:     encode(body),
	}, d)
	unguard := d.Client.Clock.After(answerBy, func() {
		cancel()
		d.verify(&protocol.Error{Code: protocol.CodeNetwork, Message: "no answer since " + started.Format("15:04:05")})
	})
	d.cancel = func() { unguard(); cancel() }
}

// Opened is acceptance. What follows is read from the run's own stream, in order, not from this
// one: one long stream a tab, and no frame can come before its turn.
func (d *deciding) Opened() {
	d.cancel()
	d.set(store.ActAccepted, nil, "")
	d.Watcher.Moved(d.record.Session)
}

// Read is not called: the stream is given up once it has opened.
func (d *deciding) Read([]string) {}

// Refused: the decision was not taken, or nobody knows.
func (d *deciding) Refused(r wire.Response) {
	e := d.Client.Fail(r)
	d.cancel()
	switch {
	case e.Unknown(), e.Status == 404, e.Status == 409, e.Status == 410:
		d.verify(e)
	default:
		d.open(e)
	}
}

// Closed before the answer leaves open what became of the decision.
func (d *deciding) Closed(err error) {
	d.cancel()
	e := &protocol.Error{Code: protocol.CodeNetwork}
	if err != nil {
		e.Message = err.Error()
	}
	d.verify(e)
}

// verify reads control before anything else is done, and shows what is true.
func (d *deciding) verify(cause *protocol.Error) {
	d.set(store.ActChecking, cause, "")
	d.Client.Control(d.record.Session, d.record.Run, func(c protocol.Control, e *protocol.Error) {
		switch {
		case e == nil:
			d.Watcher.Learn(d.record.Session, c)
			d.concluded(c, cause)
		case e.Status == 404 || e.Status == 410:
			d.set(store.ActConflict, e, "")
			d.Local.Remove(d.name())
			d.Watcher.Reload()
		default:
			d.set(store.ActUnsure, e, "")
			d.polls++
			d.Client.Clock.After(max(e.RetryAfter, pollDelay(d.polls)), func() { d.checkAgain(cause) })
		}
	})
}

func (d *deciding) checkAgain(cause *protocol.Error) {
	switch d.Store.State().Decision(d.record.Run, d.requestID).State {
	case store.ActUnsure, store.ActChecking:
		d.verify(cause)
	}
}

// onItsWay reports whether another tab has sent this decision and may still get its answer: that
// the request is still pending proves nothing then, and deciding again could contradict it.
func (d *deciding) onItsWay() bool {
	sent, known := recall[decisionRecord](d.Local, d.name())
	return known && !sent.Open && sent.DecisionID == d.record.DecisionID && sent.Tab != "" && sent.Tab != d.tab() &&
		d.Client.Clock.Now().Sub(sent.At) <= answerBy
}

// tab tells this tab from others. It survives a refresh, which ends what the tab was sending.
func (a *Acts) tab() string {
	id, known := recall[string](a.Tab, "tab")
	if !known {
		id = a.NewID()
		keep(a.Tab, "tab", id)
	}
	return id
}

func (d *deciding) concluded(c protocol.Control, cause *protocol.Error) {
	last := c.LastDecision
	switch {
	case c.PausedRequest != nil && c.PausedRequest.RequestID == d.requestID:
		if d.onItsWay() {
			d.set(store.ActChecking, nil, "")
			d.polls++
			d.Client.Clock.After(pollDelay(d.polls), func() { d.checkAgain(cause) })
			return
		}
		d.open(cause)
	case last != nil && last.RequestID == d.requestID:
		d.Local.Remove(d.name())
		if d.took(last, cause) {
			d.set(store.ActAccepted, nil, last.Decision)
		} else {
			d.set(store.ActConflict, cause, last.Decision)
		}
		d.Watcher.Moved(d.record.Session)
	default:
		d.Local.Remove(d.name())
		d.set(store.ActConflict, cause, "")
		d.Watcher.Moved(d.record.Session)
	}
}

// took reports whether the decision that control names is the one submitted here.
func (d *deciding) took(last *protocol.LastDecision, cause *protocol.Error) bool {
	return cause != nil && cause.Unknown() && last.Decision == d.record.Decision && last.Comment == d.record.Comment
}

// open gives the buttons back: the request still waits. The same decision will keep its id.
func (d *deciding) open(cause *protocol.Error) {
	d.record.Open = true
	keep(d.Local, d.name(), d.record)
	d.set(store.ActOpen, cause, "")
}

func (d *deciding) set(state store.ActState, e *protocol.Error, truth string) {
	d.update(func(tx *store.Tx) {
		tx.SetDecision(d.record.Run, d.requestID, store.Decision{
			State: state, Decision: d.record.Decision, DecisionID: d.record.DecisionID,
			Comment: d.record.Comment, Patched: d.record.Patched, Err: e, Truth: truth,
		})
	})
}

// CheckDecision reads again what became of a decision that could not be confirmed.
func (a *Acts) CheckDecision(runID, requestID string) {
	record, ok := recall[decisionRecord](a.Local, decisionName(runID, requestID))
	if ok && a.Store.State().Decision(runID, requestID).State == store.ActUnsure {
		a.verifyStored(requestID, record)
	}
}

func (a *Acts) verifyStored(requestID string, record decisionRecord) {
	d := &deciding{Acts: a, requestID: requestID, record: record}
	d.verify(&protocol.Error{Code: protocol.CodeNetwork})
}

// recoverDecision takes up a decision that was on its way before a refresh.
func (a *Acts) recoverDecision(sid string) {
	turn := a.activeTurn(sid)
	if turn == nil {
		return
	}
	current := turn.Run.Current()
	if current == "" || a.Store.State().Decision(turn.Run.ID, current).State != "" {
		return
	}
	record, ok := recall[decisionRecord](a.Local, decisionName(turn.Run.ID, current))
	if ok && !record.Open {
		a.verifyStored(current, record)
	}
}

// DecideSkill decides a skill candidate, through its own endpoint. It does not concern the run.
func (a *Acts) DecideSkill(sid, candidateID, decision, comment string) {
	if !mayDecide(a.Store.State().Skills[candidateID].State) {
		return
	}
	name := "skill/" + candidateID
	record, known := recall[decisionRecord](a.Local, name)
	if !known || !record.same(decision, comment, "") {
		record = decisionRecord{Session: sid, DecisionID: a.NewID(), Decision: decision, Comment: comment}
	}
	keep(a.Local, name, record)
	set := func(state store.ActState, e *protocol.Error, truth string) {
		a.update(func(tx *store.Tx) {
			tx.SetSkill(candidateID, store.Decision{
				State: state, Decision: decision, DecisionID: record.DecisionID, Comment: comment, Err: e, Truth: truth,
			})
		})
	}
	set(store.ActSubmitting, nil, "")
	body := protocol.SkillDecisionRequest{Decision: decision, DecisionID: record.DecisionID, Comment: comment}
	req := wire.Request{Method: "POST", Path: protocol.PathSkillDecision(candidateID), Body: encode(body)}
	wire.Call(a.Client, req, protocol.DecodeSkill, func(s protocol.Skill, e *protocol.Error) {
		switch {
		case e == nil:
			a.Local.Remove(name)
			set(store.ActAccepted, nil, s.Status)
		case e.Unknown() || e.Status == 404 || e.Status == 409 || e.Status == 410:
			a.verifySkill(sid, candidateID, e, set)
		default:
			set(store.ActOpen, e, "")
		}
	})
}

// verifySkill shows what is true of a candidate whose decision was not simply taken.
func (a *Acts) verifySkill(sid, candidateID string, cause *protocol.Error, set func(store.ActState, *protocol.Error, string)) {
	if s, err := protocol.DecodeSkill([]byte(cause.Body)); err == nil && s.Status != protocol.StatusPending {
		set(store.ActConflict, cause, s.Status)
		return
	}
	set(store.ActChecking, cause, "")
	req := wire.Request{Method: "GET", Path: protocol.PathSkills(sid)}
	wire.Call(a.Client, req, protocol.DecodeSkills, func(list []protocol.Skill, e *protocol.Error) {
		if e != nil {
			set(store.ActOpen, e, "")
			return
		}
		for _, s := range list {
			if s.CandidateID != candidateID {
				continue
			}
			if s.Status == protocol.StatusPending {
				set(store.ActOpen, cause, "")
			} else {
				set(store.ActAccepted, nil, s.Status)
			}
			return
		}
		set(store.ActConflict, cause, "")
	})
}
