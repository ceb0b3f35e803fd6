package components

import (
	"fmt"
	"strings"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// filter narrows the session list.
type filter string

const (
	filterAll     filter = ""
	filterWaiting filter = "waiting"
	filterRunning filter = "running"
)

// rowStatus is what the list shows of a session, in the words of the list. The session on screen is
// watched, so its newest turn knows sooner than the list. Any other is not: its turn stays as it was
// on leaving, and the list knows what became of it.
func rowStatus(s *store.State, row protocol.SessionInfo) string {
	turn := openTurn(s, row.SessionID)
	switch {
	case turn == nil:
		return row.Status
	case row.SessionID == s.Current, turn.Send != store.SendAccepted:
		return turn.Listed()
	case turn.Unfinished(), row.Status == protocol.StatusRunning, row.Status == protocol.StatusPaused:
		return row.Status
	}
	return turn.Listed()
}

// openTurn is the newest turn of a session, if the session has been read in this page.
func openTurn(s *store.State, sid string) *store.Turn {
	session := s.Session(sid)
	if session == nil || !session.Loaded {
		return nil
	}
	return session.Active()
}

func (f filter) admits(status string) bool {
	switch f {
	case filterWaiting:
		return status == protocol.StatusPaused
	case filterRunning:
		return status == protocol.StatusRunning
	}
	return true
}

// statusLine is what a session does right now; "" if there is nothing to say.
func (p *Page) statusLine(sid, status string) string {
	turn := openTurn(p.State(), sid)
	switch status {
	case protocol.StatusPaused:
		return p.T(locales.SessionsWaiting)
	case protocol.StatusFailed:
		return p.T(locales.SessionsFailed)
	case protocol.StatusRunning:
		if turn == nil || sid != p.State().Current {
			return p.T(locales.SessionsRunning)
		}
		return p.runningLine(turn)
	}
	if turn != nil && turn.Status() == protocol.StatusCancelled {
		return p.T(locales.SessionsStopped)
	}
	return ""
}

func (p *Page) runningLine(turn *store.Turn) string {
	if turn.Cancel == store.CancelAsked {
		return p.T(locales.ComposerStopping)
	}
	at := progressOf(turn.Run)
	if at.steps == 0 {
		return p.T(locales.SessionsRunning)
	}
	return p.T(locales.SessionsRunningStep, locales.A("Step", itoa(at.step)), locales.A("Total", itoa(at.steps)))
}

// livePart tells one version of what the opened sessions show in the list from another.
func livePart(s *store.State) string {
	var b strings.Builder
	for _, session := range s.Opened() {
		turn := openTurn(s, session.ID)
		if turn == nil {
			continue
		}
		status := turn.Status()
		fmt.Fprintf(&b, "%s %s %s", session.ID, session.Title, status)
		if status == protocol.StatusRunning {
			at := progressOf(turn.Run)
			fmt.Fprintf(&b, " %d/%d", at.step, at.steps)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// age is the part of the list that a session belongs to.
type age int

const (
	ageToday age = iota
	ageYesterday
	ageWeek
	ageOlder
	ages
)

func ageOf(t, now time.Time, zone *time.Location) age {
	days := daysBetween(t.In(zone), now.In(zone))
	switch {
	case days <= 0:
		return ageToday
	case days == 1:
		return ageYesterday
	case days <= 7:
		return ageWeek
	}
	return ageOlder
}

// daysBetween counts midnights. Noon keeps clear of the hours that summer time adds and takes.
func daysBetween(t, now time.Time) int {
	noon := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	return int(noon(now).Sub(noon(t)) / (24 * time.Hour))
}

// when is how the list writes the time of a session's last activity.
func (p *Page) when(t, now time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	past := now.Sub(t)
	t = t.In(zone)
	switch a := ageOf(t, now, zone); {
	case past < time.Minute:
		return p.T(locales.SessionsNow)
	case past < time.Hour:
		return p.T(locales.TimeMinutes, locales.A("Minutes", itoa(int(past/time.Minute))))
	case a <= ageYesterday:
		return t.Format("15:04")
	}
	return p.formatDay(t, t.Year() != now.In(zone).Year())
}

// title is what a session is called.
func (p *Page) title(sid string) string {
	if sid == "" {
		return p.T(locales.SessionsNew)
	}
	for _, row := range p.State().Sessions.Rows {
		if row.SessionID == sid {
			return p.rowTitle(row)
		}
	}
	return p.rowTitle(protocol.SessionInfo{SessionID: sid})
}

// rowTitle is what a session of the list is called: as the list or the server says, else its first
// message.
func (p *Page) rowTitle(row protocol.SessionInfo) string {
	if row.Title != "" {
		return row.Title
	}
	session := p.State().Session(row.SessionID)
	switch {
	case session == nil:
		return p.T(locales.SessionsUntitled)
	case session.Title != "":
		return session.Title
	case session.Turns() > 0 && strings.TrimSpace(session.Turn(0).User.Text) != "":
		return shorten(session.Turn(0).User.Text, 80)
	}
	return p.T(locales.SessionsUntitled)
}

// waitingCount is in how many sessions a decision is waited for.
func waitingCount(s *store.State) int {
	n := 0
	for _, row := range s.Sessions.Rows {
		if rowStatus(s, row) == protocol.StatusPaused {
			n++
		}
	}
	return n
}

// documentTitle names the session in the browser's tab, and how many decisions are waited for.
func (p *Page) documentTitle() string {
	title := p.title(p.State().Current) + " · " + p.T(locales.AppName)
	if n := waitingCount(p.State()); n > 0 {
		return "(" + itoa(n) + ") " + title
	}
	return title
}

// noteEnds marks sessions whose run ended while another session was on screen.
func (d *desk) noteEnds(before, now *store.State) {
	live := livePart(now)
	if live == d.live && sameSlice(before.Sessions.Rows, now.Sessions.Rows) {
		d.read(now.Current)
		return
	}
	d.live = live
	was := map[string]string{}
	for _, row := range before.Sessions.Rows {
		was[row.SessionID] = rowStatus(before, row)
	}
	for _, row := range now.Sessions.Rows {
		ended := was[row.SessionID] == protocol.StatusRunning && rowStatus(now, row) != protocol.StatusRunning
		if ended && row.SessionID != now.Current {
			d.setUnread(row.SessionID)
		}
	}
	d.read(now.Current)
}

func (d *desk) setUnread(sid string) {
	if d.unread == nil {
		d.unread = map[string]bool{}
	}
	d.unread[sid] = true
	d.unreadRev++
}

func (d *desk) read(sid string) {
	if d.unread[sid] {
		delete(d.unread, sid)
		d.unreadRev++
	}
}
