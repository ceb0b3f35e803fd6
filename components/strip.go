package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// strip is the line above the message box. It always says why sending is off, and what a person can
// do about it.
type strip struct {
	app.Compo

	P           *Page
	Lang        string
	SID         string
	Blocked     store.Block
	Online      bool
	Step, Steps int
	Epoch       string
	Epochs      string
	Uploading   bool // of the attachments, one is still on its way
	Missing     bool // the session could not be read
	CanStop     bool
	Asked       bool // stopping was asked for
	Stopped     bool
	Persisted   bool
	Unconfirmed bool
	CancelErr   *protocol.Error
	SendErr     *protocol.Error // the last message could not even start
	Editing     bool
	Request     string // the one to decide
}

func newStrip(p *Page, session *store.Session) *strip {
	state := p.State()
	composer := state.Composers[state.Current]
	s := &strip{
		P: p, Lang: state.Lang, SID: state.Current, Blocked: state.Blocked(state.Current), Online: state.Online,
		CanStop: state.CanStop(state.Current), SendErr: composer.Err, Editing: composer.EditTurn != "",
	}
	for _, f := range composer.Files {
		s.Uploading = s.Uploading || f.State == store.FileUploading
	}
	if session == nil {
		return s
	}
	s.Missing = !session.Loaded && session.LoadErr != nil
	if turn := session.Active(); turn != nil && turn.Unfinished() {
		at := progressOf(turn.Run)
		s.Step, s.Steps, s.Epoch, s.Epochs = at.step, at.steps, at.epoch, at.epochs
		s.Asked = turn.Cancel == store.CancelAsked
		s.Stopped, s.Persisted, s.Unconfirmed = turn.Stopped, turn.Persisted, turn.Unconfirmed
		s.Request = turn.Run.Current()
		if turn.Cancel == store.CancelFailed {
			s.CancelErr = turn.CancelErr
		}
	}
	return s
}

// onStop acts at once. It is no place for Send: a click that begins here and ends after the run did
// must not send.
func (s *strip) onStop(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	if !s.Asked {
		s.P.Do(func() { s.P.Acts.Stop(s.SID) })
	}
}

func (s *strip) onCheck(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	s.P.Do(func() { s.P.Acts.CheckStop(s.SID) })
}

func (s *strip) onRequest(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	s.P.goToRequest(s.Request)
}

func (s *strip) onCancelEdit(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	s.P.Do(func() { s.P.Acts.CancelEdit(s.SID) })
}

// shown reports whether the strip has anything to say.
func (s *strip) shown() bool {
	return s.Blocked != store.BlockNone || s.Editing || s.SendErr != nil || s.CancelErr != nil || !s.Online
}

// Render draws the strip. Every button has a place of its own.
func (s *strip) Render() app.UI {
	p := s.P
	return app.Div().Class("composer__strip").Class(s.class()).ID("why").Hidden(!s.shown()).Body(
		app.Span().Class("strip__i").Body(s.icon()),
		app.Div().Class("strip__t num").Body(
			s.words(),
			app.Div().Body(s.steps()),
			app.Div().Body(s.failure()),
		),
		app.Button().Class("btn btn--sm").Type("button").Hidden(s.Request == "" || s.Blocked != store.BlockApproval).
			OnClick(s.onRequest).Body(icon("up", "i--14"), app.Span().Text(p.T(locales.ComposerGoToRequest))),
		app.Button().Class("btn btn--sm").Type("button").Hidden(!s.Unconfirmed).OnClick(s.onCheck).
			Body(icon("retry", "i--14"), app.Span().Text(p.T(locales.ComposerReadAgain))),
		app.Button().Class("btn btn--sm").Type("button").Attr(hook("edit-cancel")).
			Hidden(!s.Editing).Disabled(!s.Editing).OnClick(s.onCancelEdit).Text(p.T(locales.AppCancel)),
		app.Div().Class("strip__stop").Body(s.stop()),
	)
}

// stop is the button that stops the run; its place is empty when that is not offered. Once pressed
// it stays until the end is confirmed.
func (s *strip) stop() app.UI {
	if !s.CanStop && !s.Asked {
		return app.Span()
	}
	text := locales.ComposerStop
	if s.Asked {
		text = locales.ComposerStopping
	}
	return app.Button().Class("btn btn--sm btn--stop").Type("button").Attr(hook("stop")).
		Aria("disabled", s.Asked).OnClick(s.onStop).
		Body(icon("stop", "i--14"), app.Span().Text(s.P.T(text)))
}

func (s *strip) class() string {
	switch {
	case s.Blocked == store.BlockApproval:
		return "composer__strip--wait"
	case s.Blocked == store.BlockNone && (s.SendErr != nil || s.CancelErr != nil):
		return "composer__strip--bad"
	}
	return ""
}

func (s *strip) icon() app.UI {
	switch s.Blocked {
	case store.BlockNone:
		switch {
		case s.SendErr != nil || s.CancelErr != nil:
			return icon("alert")
		case s.Editing:
			return icon("pen")
		}
		return icon("off", "i--idle")
	case store.BlockApproval:
		return icon("wait", "i--wait")
	case store.BlockAttachments:
		if !s.Uploading {
			return icon("alert", "i--bad")
		}
	case store.BlockLoading:
		if s.Missing {
			return icon("alert", "i--idle")
		}
	}
	if !s.Online {
		return icon("off", "i--idle")
	}
	return icon("spin", "i--run", "i--spin")
}

// words say what is going on, the main thing first and the rest where there is room.
func (s *strip) words() app.UI {
	main, rest := s.text()
	return app.P().Body(app.B().Text(main), app.Span().Class("hide-s").Text(rest))
}

func (s *strip) text() (main, rest string) {
	p := s.P
	switch s.Blocked {
	case store.BlockLoading:
		if s.Missing {
			return p.T(locales.ComposerBlockedMissing), ""
		}
	case store.BlockRunning:
		return s.running(), p.T(locales.AppStop) + p.T(locales.ComposerBlockedRunning)
	case store.BlockApproval:
		return p.T(locales.ComposerBlockedApproval), " " + p.T(locales.ComposerBlockedApprovalHint)
	case store.BlockNone:
		switch {
		case s.SendErr != nil:
			return p.T(locales.TurnUnsent), ""
		case s.Editing:
			return p.T(locales.TurnEdit), " " + p.T(locales.ComposerEditNote)
		case s.Online:
			return "", ""
		}
		return p.T(locales.ComposerOffline), ""
	}
	return p.blockedText(s.Blocked, s.Uploading), ""
}

// blockedText says in one sentence why sending is off.
func (p *Page) blockedText(b store.Block, uploading bool) string {
	switch b {
	case store.BlockLoading:
		return p.T(locales.ComposerBlockedLoading)
	case store.BlockSubmitting:
		return p.T(locales.ComposerBlockedSubmitting)
	case store.BlockRunning:
		return p.T(locales.ComposerBlockedRunning)
	case store.BlockApproval:
		return p.T(locales.ComposerBlockedApproval)
	case store.BlockDeciding:
		return p.T(locales.ComposerBlockedDeciding)
	case store.BlockCancelling:
		return p.T(locales.ComposerBlockedCancelling)
	case store.BlockConfirming:
		return p.T(locales.ComposerBlockedConfirming)
	case store.BlockAttachments:
		if uploading {
			return p.T(locales.ComposerBlockedUploading)
		}
		return p.T(locales.ComposerBlockedUploadFailed)
	}
	return ""
}

// running says how far the run has come.
func (s *strip) running() string {
	p := s.P
	step, epoch := "", ""
	if s.Steps > 0 {
		step = p.T(locales.ComposerStep, locales.A("Step", itoa(s.Step)), locales.A("Total", itoa(s.Steps)))
	}
	if s.Epoch != "" {
		epoch = p.T(locales.JobEpoch, locales.A("Epoch", s.Epoch), locales.A("Total", s.Epochs))
	}
	switch {
	case step != "" && epoch != "":
		return step + p.T(locales.AppSep) + epoch
	case step != "":
		return step
	case epoch != "":
		return epoch
	}
	return p.T(locales.SessionsRunning)
}

// steps are the three things that make a stop complete. They show while stopping, and while an end
// waits for confirmation.
func (s *strip) steps() app.UI {
	if s.Blocked != store.BlockCancelling && s.Blocked != store.BlockConfirming {
		return app.Span()
	}
	first, execution := app.UI(app.Li()), locales.TurnExecutionEnded
	if s.Asked {
		first, execution = s.check(locales.ComposerAsked, true), locales.TurnExecutionStopped
	}
	return app.Ul().Class("strip__steps").Body(
		first,
		s.check(execution, s.Stopped),
		s.check(locales.TurnResultsSaved, s.Persisted),
	)
}

func (s *strip) check(text locales.Key, done bool) app.UI {
	if done {
		return app.Li().Body(icon("check", "i--14", "i--ok"), app.Span().Text(s.P.T(text)))
	}
	return app.Li().Class("muted").Body(icon("todo", "i--14"), app.Span().Text(s.P.T(text)))
}

func (s *strip) failure() app.UI {
	switch {
	case s.SendErr != nil:
		return s.errorText(s.SendErr, "")
	case s.CancelErr != nil:
		return s.errorText(s.CancelErr, s.P.T(locales.ComposerStopFailed)+" ")
	case s.Unconfirmed:
		return app.P().Text(s.P.T(locales.ComposerUnconfirmed))
	}
	return app.Span()
}

// errorText is an error without a symbol: the strip has one.
func (s *strip) errorText(e *protocol.Error, before string) app.UI {
	return app.P().Attr(hook("error")).Attr("data-code", e.Code).Text(before + s.P.errorText(e))
}
