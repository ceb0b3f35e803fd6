package act

import (
	"igraph-console/app/store"
)

// What a person has typed is kept per session and per tab, so that two tabs do not overwrite each
// other. A copy lies where a tab opened later finds it.

// SaveDraft keeps the text of a session's message box.
func (a *Acts) SaveDraft(sid, text string) { a.SaveField("draft/"+sid, text) }

// Draft returns the kept text of a session's message box.
func (a *Acts) Draft(sid string) string { return a.Field("draft/" + sid) }

// SaveField keeps the text of any field by name: a comment, half-edited arguments.
func (a *Acts) SaveField(name, text string) {
	if text == "" {
		// An empty mark in this tab keeps the copy of another from coming back here.
		_ = a.Tab.Save(name, "")
		a.Local.Remove(name)
		return
	}
	_ = a.Tab.Save(name, text)
	_ = a.Local.Save(name, text)
}

// Field returns the kept text of a field.
func (a *Acts) Field(name string) string {
	if text, ok := a.Tab.Load(name); ok {
		return text
	}
	text, _ := a.Local.Load(name)
	return text
}

func filesName(sid string) string { return "files/" + sid }

// saveFiles keeps the uploaded attachments of a message box. Those still on their way cannot be
// kept: the file is the browser's.
func (a *Acts) saveFiles(sid string) {
	var ready []store.File
	for _, f := range a.Store.State().Composers[sid].Files {
		if f.State == store.FileReady {
			ready = append(ready, f)
		}
	}
	if len(ready) == 0 {
		a.Tab.Remove(filesName(sid))
		return
	}
	keep(a.Tab, filesName(sid), ready)
}

// RestoreFiles brings back the uploaded attachments of a message box after a refresh.
func (a *Acts) RestoreFiles(sid string) {
	files, ok := recall[[]store.File](a.Tab, filesName(sid))
	if !ok || len(a.Store.State().Composers[sid].Files) > 0 {
		return
	}
	a.changeFiles(sid, func([]store.File) []store.File { return files })
}

// moveFiles gives the attachments of one message box to another, those on their way included.
func (a *Acts) moveFiles(from, to string) {
	for _, u := range a.uploads {
		if u.sid == from {
			u.sid = to
		}
	}
	a.saveFiles(from)
	a.saveFiles(to)
}

// clearComposer empties what stands beside a message box after its message has been taken. The
// chosen format and modes stay; a draft set aside for an edit comes back.
func (a *Acts) clearComposer(sid string) {
	a.update(func(tx *store.Tx) {
		c := tx.Composers[sid]
		c.Files, c.Err = nil, nil
		if c.EditTurn != "" {
			c.EditTurn = ""
			c.Restore, c.Restored = a.Field("aside/"+sid), c.Restored+1
		}
		tx.SetComposer(sid, c)
	})
	a.SaveDraft(sid, "")
	a.Tab.Remove(filesName(sid))
	for id, u := range a.uploads {
		if u.sid == sid {
			delete(a.uploads, id)
		}
	}
	if aside := a.Field("aside/" + sid); aside != "" {
		a.SaveDraft(sid, aside)
		a.SaveField("aside/"+sid, "")
	}
}

// Edit puts the text of the latest turn into the message box; the draft there is set aside.
func (a *Acts) Edit(sid string, draft string) {
	state := a.Store.State()
	if !state.CanEdit(sid) {
		return
	}
	turn := state.Session(sid).Last
	a.SaveField("aside/"+sid, draft)
	a.setComposer(sid, func(c *store.Composer) {
		c.EditTurn = turn.Key
		c.Restore, c.Restored = turn.User.Text, c.Restored+1
	})
	a.SaveDraft(sid, turn.User.Text)
}

// CancelEdit leaves editing; the draft set aside comes back.
func (a *Acts) CancelEdit(sid string) {
	aside := a.Field("aside/" + sid)
	a.setComposer(sid, func(c *store.Composer) {
		c.EditTurn = ""
		c.Restore, c.Restored = aside, c.Restored+1
	})
	a.SaveDraft(sid, aside)
	a.SaveField("aside/"+sid, "")
}

// Choose sets the format and the modes of the next message; empty values stay as they are.
func (a *Acts) Choose(sid, format, reasoning, planning string) {
	a.setComposer(sid, func(c *store.Composer) {
		if format != "" {
			c.Format = format
		}
		if reasoning != "" {
			c.Mode = reasoning
		}
		if planning != "" {
			c.Planning = planning
		}
	})
}

func (a *Acts) setComposer(sid string, change func(*store.Composer)) {
	a.update(func(tx *store.Tx) {
		c := tx.Composers[sid]
		change(&c)
		tx.SetComposer(sid, c)
	})
}
