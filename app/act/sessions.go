package act

import (
	"reflect"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// listEvery is how often the session list is read again, so that what waits elsewhere shows.
const listEvery = 10 * pollFirst

// lister keeps the session list fresh.
type lister struct {
	acts   *Acts
	cancel func()
	wait   func()
}

// Open reads what the page begins with: capabilities and the session list.
func (a *Acts) Open() {
	a.readCapabilities()
	a.list.acts = a
	a.list.read()
}

// readCapabilities asks what is offered; whatever cannot be read is not offered.
func (a *Acts) readCapabilities() {
	decode := func(body []byte) (protocol.Capabilities, error) { return protocol.DecodeCapabilities(body), nil }
	req := wire.Request{Method: "GET", Path: protocol.PathCapabilities}
	wire.Call(a.Client, req, decode, func(caps protocol.Capabilities, e *protocol.Error) {
		if e == nil {
			a.update(func(tx *store.Tx) { tx.Caps = caps })
			return
		}
		if e.Status == 0 || e.Status >= 500 || e.Status == 429 {
			a.Client.Clock.After(max(e.RetryAfter, pollMax), a.readCapabilities)
		}
	})
}

func (l *lister) read() {
	if l.wait != nil {
		l.wait()
	}
	query := l.acts.Store.State().Sessions.Query
	req := wire.Request{Method: "GET", Path: protocol.PathSessionList("", query, 0)}
	l.cancel = wire.Call(l.acts.Client, req, protocol.DecodeSessionPage, func(page protocol.SessionPage, e *protocol.Error) {
		l.cancel = nil
		before := l.acts.Store.State().Sessions
		after := refresh(before, page, e)
		if !reflect.DeepEqual(before, after) {
			l.acts.update(func(tx *store.Tx) { tx.Sessions = after })
		}
		l.acts.catchUp(page)
		l.wait = l.acts.Client.Clock.After(listEvery, l.read)
	})
}

// refresh brings the list up to a newly read first page. Pages read before stay behind it.
func refresh(list store.SessionList, page protocol.SessionPage, e *protocol.Error) store.SessionList {
	list.Err = e
	if e != nil {
		return list
	}
	first := !list.Loaded
	list.Loaded = true
	rows := append([]protocol.SessionInfo(nil), page.Sessions...)
	if page.NextCursor == nil || first {
		list.Rows, list.Next = rows, cursor(page)
		return list
	}
	known := map[string]bool{}
	for _, row := range rows {
		known[row.SessionID] = true
	}
	for _, row := range list.Rows {
		if !known[row.SessionID] {
			rows = append(rows, row)
		}
	}
	if len(rows) == len(page.Sessions) {
		list.Next = cursor(page)
	}
	list.Rows = rows
	return list
}

// catchUp reads the session on screen again if the list shows that something has happened in it
// which this tab does not know: another tab has sent, or a message thought lost has arrived.
func (a *Acts) catchUp(page protocol.SessionPage) {
	state := a.Store.State()
	session := state.Session(state.Current)
	if session == nil || !session.Loaded || session.Conn.Phase != store.PhaseIdle {
		return
	}
	if active := session.Active(); active != nil && active.Unfinished() {
		return
	}
	for _, row := range page.Sessions {
		if row.SessionID != session.ID {
			continue
		}
		if row.Status == protocol.StatusRunning || row.Status == protocol.StatusPaused || row.UpdatedAt.After(session.Updated) {
			a.Watcher.Reload()
		}
	}
}

func cursor(page protocol.SessionPage) string {
	if page.NextCursor == nil {
		return ""
	}
	return *page.NextCursor
}

func (l *lister) nudge() {
	if l.acts != nil && l.cancel == nil {
		l.read()
	}
}

// again reads anew even if a reading is on its way, which may be older than what is known here.
func (l *lister) again() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.nudge()
}

// RefreshSessions reads the session list at once.
func (a *Acts) RefreshSessions() { a.list.nudge() }

// MoreSessions reads the next page of the list.
func (a *Acts) MoreSessions() {
	list := a.Store.State().Sessions
	if list.Next == "" {
		return
	}
	req := wire.Request{Method: "GET", Path: protocol.PathSessionList(list.Next, list.Query, 0)}
	wire.Call(a.Client, req, protocol.DecodeSessionPage, func(page protocol.SessionPage, e *protocol.Error) {
		a.update(func(tx *store.Tx) {
			tx.Sessions.Err = e
			if e != nil || tx.Sessions.Next != list.Next {
				return
			}
			tx.Sessions.Rows = append(append([]protocol.SessionInfo(nil), tx.Sessions.Rows...), page.Sessions...)
			tx.Sessions.Next = cursor(page)
		})
	})
}

// SearchSessions shows the sessions whose title matches; empty shows all.
func (a *Acts) SearchSessions(query string) {
	if a.Store.State().Sessions.Query == query {
		return
	}
	a.update(func(tx *store.Tx) { tx.Sessions = store.SessionList{Query: query} })
	a.list.again()
}

// Rename gives a session a title.
func (a *Acts) Rename(sid, title string) {
	req := wire.Request{Method: "PATCH", Path: protocol.PathSession(sid), Body: encode(protocol.TitleRequest{Title: title})}
	wire.Call(a.Client, req, protocol.DecodeSessionInfo, func(info protocol.SessionInfo, e *protocol.Error) {
		a.update(func(tx *store.Tx) {
			if e != nil {
				tx.Notice = &store.Notice{Key: store.NoticeRename, Err: e, Bad: true}
				return
			}
			tx.SetRow(info)
			if tx.State.Session(sid) != nil {
				tx.Session(sid).Title = info.Title
			}
		})
	})
}

// Delete removes a session for good.
func (a *Acts) Delete(sid string) {
	a.Client.Do(wire.Request{Method: "DELETE", Path: protocol.PathSession(sid)}, func(r wire.Response, err error) {
		var e *protocol.Error
		if err != nil {
			e = protocol.NetworkError(err)
		} else if r.Status >= 300 && r.Status != 404 {
			e = a.Client.Fail(r)
		}
		if e != nil {
			a.update(func(tx *store.Tx) { tx.Notice = &store.Notice{Key: store.NoticeDelete, Err: e, Bad: true} })
			return
		}
		current := a.Store.State().Current == sid
		if current {
			a.Navigate("")
		}
		a.update(func(tx *store.Tx) { forget(tx, sid) })
		for _, name := range []string{"draft/" + sid, "aside/" + sid} {
			a.Local.Remove(name)
			a.Tab.Remove(name)
		}
	})
}

func forget(tx *store.Tx, sid string) {
	var rows []protocol.SessionInfo
	for _, row := range tx.Sessions.Rows {
		if row.SessionID != sid {
			rows = append(rows, row)
		}
	}
	tx.Sessions.Rows = rows
	tx.CloseSession(sid)
}

// SetLanguage switches the interface: en or zh. What has been sent keeps its language.
func (a *Acts) SetLanguage(lang string) {
	_ = a.Local.Save("lang", lang)
	a.update(func(tx *store.Tx) { tx.Lang = lang })
}

// SetTheme switches the theme: light, dark or system.
func (a *Acts) SetTheme(theme string) {
	_ = a.Local.Save("theme", theme)
	a.update(func(tx *store.Tx) { tx.Theme = theme })
}

// SetNotify turns the browser's notifications of waiting requests on or off.
func (a *Acts) SetNotify(on bool) {
	if on {
		_ = a.Local.Save("notify", "on")
	} else {
		a.Local.Remove("notify")
	}
	a.update(func(tx *store.Tx) { tx.Notify = on })
}

// Dismiss takes the notice away.
func (a *Acts) Dismiss() { a.update(func(tx *store.Tx) { tx.Notice = nil }) }

// Show makes a session the one on screen and watches it; "" is the new chat.
func (a *Acts) Show(sid string) {
	state := a.Store.State()
	if state.Current != sid {
		a.MarkSeen()
		left := state.Session(state.Current)
		a.update(func(tx *store.Tx) {
			if left != nil {
				listLeft(tx, left)
				if left.Away != nil {
					tx.Session(left.ID).Away = nil
				}
			}
			tx.Current = sid
		})
		if left != nil && a.list.cancel != nil {
			a.list.again()
		}
	}
	if state.Session(sid) == nil && sid != "" {
		if a.arriving == nil {
			a.arriving = map[string]bool{}
		}
		a.arriving[sid] = true
	}
	a.RestoreFiles(sid)
	a.Watcher.Watch(sid)
}

// listLeft puts what is known of a session that is being left into its row: from here on only the
// list tells what becomes of it.
func listLeft(tx *store.Tx, left *store.Session) {
	turn := left.Active()
	if !left.Loaded || turn == nil {
		return
	}
	for _, row := range tx.Sessions.Rows {
		if row.SessionID == left.ID {
			row.Status = turn.Listed()
			tx.SetRow(row)
			return
		}
	}
}
