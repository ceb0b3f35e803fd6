package act

import (
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// cancelRecord is what is stored before a cancellation leaves.
type cancelRecord struct {
	CancelID string `json:"cancel_request_id"`
}

// cancelling is the cancellation of one run, from the wish to its confirmation.
type cancelling struct {
	*Acts
	sid, key string
	body     protocol.CancelRequest
	end      func() // ends the present request or wait
	wake     func() // while the server does not know the run: asks again at once
	tries    int
	asked    time.Time
}

// Stop asks for the session's run to be cancelled. Asking again while that is under way changes
// nothing. A run whose id is not known yet is named by its start request.
func (a *Acts) Stop(sid string) {
	turn := a.activeTurn(sid)
	if turn == nil || !a.Store.State().CanStop(sid) || turn.Cancel == store.CancelAsked {
		return
	}
	name := "cancel/" + turn.Key
	record, known := recall[cancelRecord](a.Tab, name)
	if !known || record.CancelID == "" {
		record = cancelRecord{CancelID: a.NewID()}
		keep(a.Tab, name, record)
	}
	c := &cancelling{Acts: a, sid: sid, key: turn.Key, asked: a.Client.Clock.Now()}
	c.body.CancelRequestID = record.CancelID
	if turn.Run.ID != "" {
		c.body.Target.RunID = turn.Run.ID
	} else {
		c.body.Target.StartRequestID = turn.StartRequestID
	}
	if a.cancels == nil {
		a.cancels = map[string]*cancelling{}
	}
	a.cancels[c.key] = c
	c.set(func(t *store.Turn) { t.Cancel, t.CancelAt, t.CancelErr = store.CancelAsked, c.asked, nil })
	c.post()
}

// endCancel ends the waiting for a cancellation that has become pointless.
func (a *Acts) endCancel(key string) {
	a.dropCancel(key)
	a.Tab.Remove("cancel/" + key)
}

// dropCancel ends the waiting and keeps the id: asking again is the same cancellation.
func (a *Acts) dropCancel(key string) {
	if c := a.cancels[key]; c != nil {
		c.end()
	}
	delete(a.cancels, key)
}

// cancelKnown lets a cancellation that has waited for its run to be known name it, at once.
func (a *Acts) cancelKnown(key, rid string) {
	c := a.cancels[key]
	if c == nil {
		return
	}
	c.body.Target = protocol.CancelTarget{RunID: rid}
	if c.wake != nil {
		c.end()
		c.wake()
	}
}

func (c *cancelling) set(change func(*store.Turn)) {
	c.update(func(tx *store.Tx) {
		if t := tx.Turn(c.sid, c.key); t != nil {
			change(t)
		}
	})
}

func (c *cancelling) post() {
	c.wake = nil
	byStart := c.body.Target.StartRequestID != ""
	c.end = c.Client.Do(wire.Request{
		Method: "POST", Path: protocol.PathCancelRun(c.sid), Body: encode(c.body),
	}, func(r wire.Response, err error) {
		if err == nil && (r.Status == 200 || r.Status == 202) && protocol.IsJSON(r.ContentType) {
			c.poll()
			return
		}
		e := protocol.NetworkError(errOr(err))
		if err == nil {
			e = c.Client.Fail(r)
		}
		c.refused(e, byStart)
	})
}

// refused goes on after a cancellation that was not simply taken. Before the run is known, the wish
// is kept and repeated under the same id until the start is known to have failed. An unknown
// outcome is looked up first.
func (c *cancelling) refused(e *protocol.Error, byStart bool) {
	c.tries++
	d := max(e.RetryAfter, pollDelay(c.tries))
	switch {
	case e.Code == protocol.CodeRunNotFound && byStart && c.body.Target.RunID != "":
		c.post() // it has become known meanwhile
	case e.Code == protocol.CodeRunNotFound && byStart:
		c.end = c.Client.Clock.After(d, c.post)
		c.wake = c.post
	case e.Unknown():
		c.end = c.Client.Clock.After(d, c.poll)
	case e.Status == 429 || e.Status == 503:
		c.end = c.Client.Clock.After(d, c.post)
	default:
		c.fail(e)
	}
}

// fail gives the wish up: the run goes on, or nobody knows it. The person may ask again.
func (c *cancelling) fail(e *protocol.Error) {
	c.dropCancel(c.key)
	c.set(func(t *store.Turn) { t.Cancel, t.CancelErr = store.CancelFailed, e })
	c.Watcher.Nudge()
}

// poll reads control until the end is confirmed. If the server does not even know of the wish, it
// is told again, under the same id.
func (c *cancelling) poll() {
	read := func(done func(protocol.Control, *protocol.Error)) func() {
		if c.body.Target.RunID != "" {
			return c.Client.Control(c.sid, c.body.Target.RunID, done)
		}
		return c.Client.ControlByStart(c.sid, c.body.Target.StartRequestID, done)
	}
	c.end = read(func(control protocol.Control, e *protocol.Error) {
		c.tries++
		d := pollDelay(c.tries)
		if e != nil {
			if c.body.Target.RunID != "" && (e.Status == 404 || e.Status == 410) {
				c.fail(e)
				return
			}
			d = max(d, e.RetryAfter)
		}
		if e == nil {
			if c.found(control) {
				return
			}
			if control.Confirmed() {
				c.endCancel(c.key)
				c.Watcher.Settle(c.sid, control)
				return
			}
			c.Watcher.Learn(c.sid, control)
		}
		if c.Client.Clock.Now().Sub(c.asked) > patience {
			c.set(func(t *store.Turn) { t.Unconfirmed = true })
		}
		again := c.poll
		if e == nil && !protocol.Terminal(control.Status) && control.Status != protocol.StatusCancelling && !control.ExecutionStopped {
			again = c.post
		}
		c.end = c.Client.Clock.After(d, again)
	})
}

// found hands a run that control has found to the watcher, where the message's own answer has not
// told of it yet. It reports whether nothing is left to wait for.
func (c *cancelling) found(control protocol.Control) bool {
	s := c.sends[c.key]
	if s == nil {
		return false
	}
	s.stop()
	if s.accepted(control.RunID) {
		c.Watcher.Resume(c.sid, c.key, control)
	}
	if control.Confirmed() {
		c.endCancel(c.key)
	}
	return control.Confirmed()
}

// CheckStop reads control at once: the way out when confirmation does not come.
func (a *Acts) CheckStop(sid string) {
	a.Watcher.Nudge()
}

func errOr(err error) error {
	if err == nil {
		return errNoAnswer
	}
	return err
}

func jobName(sid, callID string) string { return "job/" + sid + "/" + callID }

// CancelJob asks for one job to be cancelled. Its run and its siblings go on.
func (a *Acts) CancelJob(sid, callID string) {
	state := a.Store.State()
	if !state.Caps.JobCancel {
		return
	}
	if s := state.Job(sid, callID).State; s != "" && s != store.ActOpen {
		return
	}
	name := jobName(sid, callID)
	record, known := recall[cancelRecord](a.Tab, name)
	if !known || record.CancelID == "" {
		record = cancelRecord{CancelID: a.NewID()}
		keep(a.Tab, name, record)
	}
	j := &jobCancelling{Acts: a, sid: sid, callID: callID, cancelID: record.CancelID, asked: a.Client.Clock.Now()}
	j.set(store.JobCancel{State: store.ActSubmitting})
	j.post()
}

// jobCancelling is the cancellation of one job, from the wish to its confirmation.
type jobCancelling struct {
	*Acts
	sid, callID, cancelID string
	asked                 time.Time
	tries                 int
}

func (j *jobCancelling) set(state store.JobCancel) {
	j.update(func(tx *store.Tx) { tx.SetJob(j.sid, j.callID, state) })
}

func (j *jobCancelling) post() {
	req := wire.Request{
		Method: "POST", Path: protocol.PathCancelJob(j.sid, j.callID),
		Body: encode(protocol.JobCancelRequest{CancelRequestID: j.cancelID}),
	}
	j.Client.Do(req, func(r wire.Response, err error) {
		if err == nil && r.Status >= 200 && r.Status < 300 && protocol.IsJSON(r.ContentType) {
			j.set(store.JobCancel{State: store.ActAccepted})
			j.poll()
			return
		}
		e := protocol.NetworkError(errOr(err))
		if err == nil {
			e = j.Client.Fail(r)
		}
		if e.Unknown() || e.Status == 409 {
			j.set(store.JobCancel{State: store.ActChecking, Err: e})
			j.poll()
			return
		}
		j.set(store.JobCancel{State: store.ActOpen, Err: e})
	})
}

// poll reads the job's own control until it has stopped and that is saved.
func (j *jobCancelling) poll() {
	req := wire.Request{Method: "GET", Path: protocol.PathJobControl(j.sid, j.callID)}
	wire.Call(j.Client, req, protocol.DecodeJobControl, func(c protocol.JobControl, e *protocol.Error) {
		j.tries++
		state := j.Store.State().Job(j.sid, j.callID)
		if e == nil && c.ExecutionStopped && c.TerminalPersisted {
			j.Tab.Remove(jobName(j.sid, j.callID))
			j.set(store.JobCancel{State: store.ActAccepted, Done: true, Status: c.Status})
			return
		}
		if e != nil && (e.Status == 404 || e.Status == 410) {
			j.set(store.JobCancel{State: store.ActOpen, Err: e})
			return
		}
		if e == nil && state.State == store.ActChecking && c.Status == protocol.StatusRunning {
			j.set(store.JobCancel{State: store.ActOpen, Err: state.Err}) // it never arrived
			return
		}
		state.Err = e
		state.Unconfirmed = j.Client.Clock.Now().Sub(j.asked) > patience
		j.set(state)
		j.Client.Clock.After(pollDelay(j.tries), j.poll)
	})
}
