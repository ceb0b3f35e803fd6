package components

// desk is how the page is laid out at the moment: what is open, and what is being worked on. Nothing
// of it is of record: a refresh begins anew. It is changed by the components' own handlers, which
// run on the same goroutine as rendering.
type desk struct {
	lost      bool   // the address leads nowhere
	drawer    bool   // the sidebar lies open, on a small screen
	folded    bool   // the sidebar is put away, on a large one
	prefs     bool   // language and theme lie open, on a small screen
	inspector bool   // the log of the run is shown
	filter    filter // of the session list
	menu      string // session whose menu is open
	renaming  string // session whose title is being edited, in its row
	retitling bool   // the title in the header is being edited
	dialog    dialogKind
	subject   string          // session the dialog is about
	unread    map[string]bool // sessions that ended while another was on screen
	unreadRev int             // changes with unread
	live      string          // of the list, when noteEnds last looked
	skills    skillCount
	reader    *scroller // where the conversation is being read; nil if none is on screen
}

// redraw asks for a frame after the desk has changed outside a go-app event handler.
func (p *Page) redraw() {
	if p.shell != nil {
		p.shell.ask()
	}
}
