package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// notifyToggle turns the browser's notifications of waiting requests on and off. The browser is
// asked for its permission only when the person turns them on.
type notifyToggle struct {
	app.Compo

	P    *Page
	On   bool
	Lang string

	denied bool
}

func (n *notifyToggle) Render() app.UI {
	text := locales.NotifyOff
	if n.On {
		text = locales.NotifyOn
	}
	if n.denied {
		text = locales.NotifyDenied
	}
	return app.Button().Class("btn btn--ghost btn--sm").Type("button").Attr(hook("notify")).
		Aria("pressed", n.On).OnClick(n.onClick).
		Body(icon("bell"), app.Span().Text(n.P.T(text)))
}

func (n *notifyToggle) onClick(ctx app.Context, _ app.Event) {
	if n.On {
		n.set(false)
		return
	}
	notification := app.Window().Get("Notification")
	if !notification.Truthy() {
		n.denied = true
		return
	}
	notification.Call("requestPermission").Then(func(answer app.Value) {
		granted := answer.String() == "granted"
		ctx.Dispatch(func(app.Context) { n.denied = !granted })
		if granted {
			n.set(true)
		}
	})
}

func (n *notifyToggle) set(on bool) {
	n.denied = false
	go n.P.Do(func() { n.P.Acts.SetNotify(on) })
}

// notify tells of sessions in which a request has begun to wait, if the person is not looking.
func (p *Page) notify(before, now *store.State) {
	if !now.Notify || before == nil || !document().Get("hidden").Bool() {
		return
	}
	notification := app.Window().Get("Notification")
	if !notification.Truthy() || notification.Get("permission").String() != "granted" {
		return
	}
	for _, row := range newlyWaiting(before, now) {
		note := notification.New(p.T(locales.NotifyTitle), map[string]any{"body": row.Title, "tag": row.SessionID})
		var click app.Func
		click = app.FuncOf(func(app.Value, []app.Value) any {
			defer click.Release()
			app.Window().Call("focus")
			note.Call("close")
			go p.show(row.SessionID)
			return nil
		})
		note.Set("onclick", click)
	}
}

// newlyWaiting are the sessions that wait for a decision now and did not before.
func newlyWaiting(before, now *store.State) (rows []protocol.SessionInfo) {
	waited := map[string]bool{}
	for _, row := range before.Sessions.Rows {
		waited[row.SessionID] = rowStatus(before, row) == protocol.StatusPaused
	}
	for _, row := range now.Sessions.Rows {
		if rowStatus(now, row) == protocol.StatusPaused && !waited[row.SessionID] {
			rows = append(rows, row)
		}
	}
	return rows
}
