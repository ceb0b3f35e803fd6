package components

import "strings"

// draftBox knows whose text stands in the message box, and what the box must show when that
// changes. It touches no element, so that its rules can be tested by themselves.
type draftBox struct {
	shows    bool
	sid      string // session whose draft the box shows
	edit     string // turn being edited in it
	restored map[string]int
	sent     string // what was last sent, perhaps to begin a session
	unsaved  bool   // the text is not the kept draft any more
	began    bool   // the box has just moved from the new chat to the session it made
	stops    []func()
}

// view is what is on screen now: the session, the turn being edited, and how often the store has
// given text back to the box.
type view struct {
	sid, edit string
	restored  int
	restore   string
}

// follow returns the text that the box must show. text is what it shows so far; first is the
// message that began the session, if it has just begun.
func (b *draftBox) follow(v view, text, first string, draft func(sid string) string) string {
	if b.restored == nil {
		b.restored = map[string]int{}
	}
	changed := !b.shows || v.sid != b.sid
	if changed {
		b.began = b.shows && b.sid == "" && first != "" && first == b.sent
		next := draft(v.sid)
		if b.began {
			// What was typed while the session was being made belongs to its next message.
			if more := leftOver(first, text); more != "" {
				next, b.unsaved = above(more, next), true
			}
		}
		text = next
	}
	if v.restored != b.restored[v.sid] {
		switch {
		case v.edit != b.edit && !changed:
			text = v.restore // entering or leaving an edit: what was there has been set aside
		case text != v.restore:
			text, b.unsaved = above(v.restore, text), true
		}
	}
	b.shows, b.sid, b.edit = true, v.sid, v.edit
	b.restored[v.sid] = v.restored
	return text
}

// leftOver is what a person typed on after sending.
func leftOver(sent, text string) string {
	return strings.TrimSpace(strings.TrimPrefix(text, sent))
}

// above puts one text before another.
func above(text, rest string) string {
	if strings.TrimSpace(rest) == "" {
		return text
	}
	if strings.TrimSpace(text) == "" {
		return rest
	}
	return text + "\n\n" + rest
}
