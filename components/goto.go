package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// newChat shows the new chat, with the keyboard in the message box.
func (p *Page) newChat() {
	p.desk.drawer = false
	p.show("")
	focusOn(messageBox())
}

// show goes to a session.
func (p *Page) show(sid string) {
	p.Do(func() { p.Acts.Navigate(sid) })
}

// goToSearch moves the keyboard to the search of the session list, opening the list if need be.
func (p *Page) goToSearch() {
	p.desk.folded = false
	if app.Window().Call("matchMedia", "(max-width: 760px)").Get("matches").Bool() {
		p.desk.drawer = true
	}
	p.afterDrawing(func() { focusOn(byID("session-search")) })
}

// afterDrawing runs f once what has just changed is in the page.
func (p *Page) afterDrawing(f func()) {
	p.shell.ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { f() }) })
}

// goToLatest shows the newest content.
func (p *Page) goToLatest() {
	if p.desk.reader != nil {
		p.desk.reader.toLatest()
	}
}

// goToTurn moves the keyboard by one turn.
func (p *Page) goToTurn(by int) {
	turns := document().Call("querySelectorAll", `[data-testid="turn"]`)
	if turns.Length() == 0 || p.desk.reader == nil {
		return
	}
	at := p.turnAtTop(turns)
	if by < 0 && topOf(turns.Index(at))-topOf(p.desk.reader.box) < -8 {
		at++ // its beginning is out of view: that is where to go first
	}
	at = min(max(at+by, 0), turns.Length()-1)
	p.focusInView(turns.Index(at))
}

// turnAtTop is the turn that has the keyboard, else the last that begins at or above the top of the
// view.
func (p *Page) turnAtTop(turns app.Value) int {
	focus, edge, at := document().Get("activeElement"), topOf(p.desk.reader.box), 0
	for i := range turns.Length() {
		turn := turns.Index(i)
		if turn.Equal(focus) {
			return i
		}
		if topOf(turn) <= edge+24 {
			at = i
		}
	}
	return at
}

// focusInView moves the keyboard to an element of the conversation and shows its beginning. Moving
// there is a wish to read there.
func (p *Page) focusInView(el app.Value) {
	if !el.Truthy() {
		return
	}
	if p.desk.reader != nil {
		p.desk.reader.stay()
	}
	if el.Call("getAttribute", "tabindex").IsNull() {
		el.Call("setAttribute", "tabindex", "-1")
	}
	el.Call("focus", map[string]any{"preventScroll": true})
	el.Call("scrollIntoView", map[string]any{"block": "start"})
}

// goToRequest shows a request and moves the keyboard to its heading: the buttons come after what
// they decide about.
func (p *Page) goToRequest(requestID string) {
	card := p.card("approval", "data-request-id", requestID)
	if !card.Truthy() {
		return
	}
	if heading := card.Call("querySelector", "h3"); heading.Truthy() {
		card.Call("scrollIntoView", map[string]any{"block": "start"})
		p.focusInView(heading)
		return
	}
	p.focusInView(card)
}

func (p *Page) card(name, attribute, id string) app.Value {
	quoted := app.Window().Get("CSS").Call("escape", id).String()
	return document().Call("querySelector", `[data-testid="`+name+`"][`+attribute+`="`+quoted+`"]`)
}

// nextRequest goes to the request that waits here, else to the next session in which one waits.
func (p *Page) nextRequest() {
	state := p.State()
	if turn := openTurn(state, state.Current); turn != nil && turn.Run.Current() != "" {
		p.goToRequest(turn.Run.Current())
		return
	}
	for _, row := range state.Sessions.Rows {
		if row.SessionID != state.Current && rowStatus(state, row) == protocol.StatusPaused {
			p.show(row.SessionID)
			return
		}
	}
}

// goToSkill shows a skill candidate that waits for a decision, in the session on screen or in this
// one.
func (p *Page) goToSkill(sid string) {
	here := document().Call("querySelector", `[data-testid="skill-candidate"][data-status="pending"]`)
	if here.Truthy() {
		p.focusInView(here)
		return
	}
	if sid != "" {
		p.show(sid)
	}
}

// askToStop asks whether to stop the run.
func (p *Page) askToStop() {
	state := p.State()
	turn := openTurn(state, state.Current)
	if turn == nil || turn.Cancel == store.CancelAsked || !state.CanStop(state.Current) {
		return
	}
	p.desk.dialog, p.desk.subject = dialogStop, state.Current
}
