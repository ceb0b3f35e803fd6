package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// outcome stands at the end of a turn: why it did not get to the server, how its ending goes, or how
// it ended. A turn that is simply running, or done, has none.
type outcome struct {
	app.Compo

	P       *Page
	SID     string
	Turn    *store.Turn
	CanAsk  bool
	CanEdit bool
	Lang    string
}

// copyText is what helps whoever is asked about a failure.
func (v *outcome) copyText() string {
	t := v.Turn
	text := "session " + v.SID + "\nturn " + t.TurnID + "\nrun " + t.Run.ID
	if e := t.Run.Error; e != nil {
		text += "\n" + e.Code + ": " + e.Message
	}
	return text
}

func (v *outcome) Render() app.UI {
	return guarded(v.P, func() app.UI {
		return app.Div().Class("outcome").Body(v.content())
	})
}

func (v *outcome) content() app.UI {
	switch v.Turn.Status() {
	case string(store.SendUnsent):
		return v.unsent()
	case string(store.SendChecking):
		return v.checking()
	case protocol.StatusCancelling, string(store.SendSubmitting):
		if v.Turn.Cancel == store.CancelNone && v.Turn.Send == store.SendSubmitting {
			return nil
		}
		return v.stopping()
	case store.TurnConfirming:
		return v.confirming()
	case protocol.StatusFailed:
		return v.failed()
	case protocol.StatusCancelled:
		return v.cancelled()
	}
	if v.Turn.Cancel == store.CancelFailed && v.Turn.CancelErr != nil && !v.Turn.Run.Ended() {
		return app.Section().Class("end end--bad").Body(
			heading("bad", "i--bad", v.P.T(locales.TurnStopFailed)), errorLine(v.P, v.Turn.CancelErr))
	}
	return nil
}

func heading(symbol, class, text string, parts ...app.UI) app.UI {
	return app.P().Class("end__h").Body(append([]app.UI{icon(symbol, class), app.Span().Text(text)}, parts...)...)
}

func spinning(text string) app.UI {
	return app.P().Class("end__h").Body(icon("spin", "i--run", "i--spin"), app.Span().Text(text))
}

// unsent: the message never arrived. Sending it again is the same request; putting it back makes it
// a draft.
func (v *outcome) unsent() app.UI {
	var reason app.UI
	if v.Turn.SendErr != nil {
		reason = errorLine(v.P, v.Turn.SendErr)
	}
	return app.Section().Class("end end--bad").Body(
		heading("bad", "i--bad", v.P.T(locales.TurnUnsent)),
		app.Div().Body(reason),
		app.Div().Class("btns").Body(
			app.Button().Type("button").Class("btn btn--sm btn--primary").Attr(hook("retry")).Disabled(!v.CanAsk).
				OnClick(v.retry).OnKeyDown(ignoreRepeat).Body(icon("retry", "i--14"), app.Text(v.P.T(locales.TurnRetry))),
			app.Button().Type("button").Class("btn btn--sm").Attr(hook("discard")).
				OnClick(v.discard).Body(icon("pen", "i--14"), app.Text(v.P.T(locales.TurnDiscard))),
		),
	)
}

func (v *outcome) retry(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.Retry(v.SID, v.Turn.Key) })
}

func (v *outcome) discard(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.Discard(v.SID, v.Turn.Key) })
}

// checking: nobody knows yet whether the message arrived, and it is not sent again to find out.
func (v *outcome) checking() app.UI {
	if v.Turn.Cancel == store.CancelAsked {
		return v.stopping()
	}
	var reason app.UI
	if v.Turn.SendErr != nil {
		reason = errorLine(v.P, v.Turn.SendErr)
	}
	return app.Section().Class("end").Body(spinning(v.P.T(locales.TurnChecking)), app.Div().Body(reason))
}

// stopping shows what the server has confirmed so far, item by item.
func (v *outcome) stopping() app.UI {
	t := v.Turn
	return app.Section().Class("end").Body(
		spinning(v.P.T(locales.TurnCancelling)),
		app.Ul().Class("checks").Body(
			v.confirmation(t.Stopped, locales.TurnExecutionStopped, locales.TurnStoppingExecution),
			v.confirmation(t.Persisted, locales.TurnResultsSaved, locales.TurnSavingResults),
		),
		app.Div().Body(v.unconfirmed()),
	)
}

func (v *outcome) confirmation(done bool, was, doing locales.Key) app.UI {
	if done {
		return app.Li().Body(icon("check", "i--ok"), app.Span().Text(v.P.T(was)))
	}
	return app.Li().Body(icon("spin", "i--run", "i--spin"), app.Span().Text(v.P.T(doing)))
}

// confirming: the run has ended, but only the server's word makes that final.
func (v *outcome) confirming() app.UI {
	title := locales.TurnConfirming
	if v.Turn.Cancel == store.CancelAsked || v.Turn.Run.Status == protocol.StatusCancelled {
		title = locales.TurnCancelling
	}
	if v.Turn.Run.Status == protocol.StatusFailed {
		title = locales.TurnConfirmingFailed
	}
	stopped, stopping := locales.TurnExecutionEnded, locales.TurnEndingExecution
	if title == locales.TurnCancelling {
		stopped, stopping = locales.TurnExecutionStopped, locales.TurnStoppingExecution
	}
	return app.Section().Class("end").Body(
		spinning(v.P.T(title)),
		app.Ul().Class("checks").Body(
			v.confirmation(v.Turn.Stopped, stopped, stopping),
			v.confirmation(v.Turn.Persisted, locales.TurnResultsSaved, locales.TurnSavingResults),
		),
		app.Div().Body(v.unconfirmed()),
	)
}

func (v *outcome) unconfirmed() app.UI {
	if !v.Turn.Unconfirmed {
		return nil
	}
	return app.Div().Class("stack").Body(
		app.P().Text(v.P.T(locales.TurnUnconfirmed)),
		&checkAgain{P: v.P, SID: v.SID, Lang: v.Lang},
	)
}

// checkAgain reads the server's state at once: the way out where a confirmation does not come.
type checkAgain struct {
	app.Compo

	P    *Page
	SID  string
	Lang string
}

func (c *checkAgain) Render() app.UI {
	return app.Button().Type("button").Class("btn btn--sm").Attr(hook("check-again")).OnClick(c.press).
		Body(icon("retry", "i--14"), app.Text(c.P.T(locales.TurnCheckAgain)))
}

func (c *checkAgain) press(app.Context, app.Event) {
	c.P.Do(func() { c.P.Acts.CheckStop(c.SID) })
}

func (v *outcome) failed() app.UI {
	run := v.Turn.Run
	title, code, message := v.P.T(locales.TurnFailed), "FAILED", ""
	if run.Error != nil {
		if run.Error.Code != "" {
			code = run.Error.Code
		}
		message = run.Error.Message
	}
	if code == protocol.CodeInterrupted {
		title = v.P.T(locales.TurnInterrupted)
	}
	return app.Section().Class("end end--bad").Attr(hook("error")).Attr("data-code", code).Body(
		heading("bad", "i--bad", title, v.endedAt()),
		app.P().Dir("auto").Hidden(message == "").Text(showControls(message)),
		app.P().Class("muted mono").Text(code),
		v.again(true),
	)
}

func (v *outcome) cancelled() app.UI {
	return app.Section().Class("end").Body(
		heading("stopped", "i--idle", v.P.T(locales.TurnStopped), v.endedAt()),
		app.P().Text(v.P.T(locales.TurnStoppedNote)),
		v.again(false),
	)
}

func (v *outcome) endedAt() app.UI {
	return app.Span().Class("meta num").Text(v.P.at(v.Turn.Run.EndedAt))
}

// again are the ways on from a run that did not come to its end.
func (v *outcome) again(withDetails bool) app.UI {
	buttons := []app.UI{
		app.Button().Type("button").Class("btn btn--sm btn--primary").Attr(hook("ask-again")).Disabled(!v.CanAsk).
			OnClick(v.ask).OnKeyDown(ignoreRepeat).Body(icon("retry", "i--14"), app.Text(v.P.T(locales.TurnAskAgain))),
		app.Button().Type("button").Class("btn btn--sm").Hidden(!v.CanEdit).OnClick(v.edit).
			Body(icon("pen", "i--14"), app.Text(v.P.T(locales.TurnEdit))),
	}
	if withDetails {
		buttons = append(buttons, &copyButton{P: v.P, Of: v, Text: locales.TurnCopyError, Lang: v.Lang})
	}
	return app.Div().Class("btns").Body(buttons...)
}

func (v *outcome) ask(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.AskAgain(v.SID, v.Turn.Key) })
}

func (v *outcome) edit(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.Edit(v.SID, v.P.Acts.Draft(v.SID)) })
}
