package components

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// jobView is a long computation on the server: how far it is, what it measures, and a way to stop
// it alone. Act is the revision of the person's wish to stop it, MayStop whether the server can.
type jobView struct {
	app.Compo

	P       *Page
	SID     string
	Item    *store.Item
	Status  string
	Act     uint64
	MayStop bool
	At      time.Time
	Lang    string

	open    bool
	asking  bool // whether to stop
	asTable bool
	rows    int
}

// confirmAfter is the age from which stopping a job is asked about once more: that much work is not
// thrown away by a slip.
const confirmAfter = time.Minute

// tableRows is how many epochs the table shows at first: the newest.
const tableRows = 50

func (v *jobView) CompoID() string { return itemID(v.Item) }

func (v *jobView) Render() app.UI {
	return guarded(v.P, v.card)
}

// act is where the wish to stop the job stands.
func (v *jobView) act() store.JobCancel { return v.P.State().Job(v.SID, v.Item.Tool.CallID) }

// jobStatus is what a job shows. Until the tool itself has ended, the server's confirmation and the
// person's wish say more than the run's events.
func jobStatus(status string, act store.JobCancel) string {
	if status != protocol.StatusRunning && status != protocol.StatusCancelling {
		return status
	}
	switch {
	case act.Done && protocol.Terminal(act.Status):
		if act.Status == protocol.StatusCompleted {
			return protocol.StatusSucceeded
		}
		return act.Status
	case act.Done && act.Status == protocol.StatusSucceeded:
		return act.Status
	case act.Done:
		return protocol.StatusCancelled
	case act.State == store.ActSubmitting, act.State == store.ActChecking, act.State == store.ActAccepted,
		act.State == store.ActUnsure:
		return protocol.StatusCancelling
	}
	return status
}

func (v *jobView) card() app.UI {
	t := v.Item.Tool
	act := v.act()
	status := jobStatus(v.Status, act)
	at := epochsOf(t.Progress)
	groups := groupMetrics(t.Series())
	return app.Section().Class("card job").Attr(hook("tool")).
		Attr("data-call-id", t.CallID).
		Attr("data-tool", t.Tool).
		Attr("data-status", status).
		Attr("data-job", "true").
		Attr("data-epoch", at.epoch).
		Attr("data-epochs", at.epochs).
		Aria("label", v.P.T(locales.JobTitle)).
		Body(
			v.head(t, status),
			app.Div().Body(v.confirm(t)),
			app.Div().Body(v.trouble(act, status)),
			v.bar(t, at, status),
			v.stats(t, at, status, groups),
			app.Div().Body(v.measured(groups, at)),
			v.foot(status, groups),
			app.Div().Class("tool__body").Hidden(!v.open).Body(toolDetails(v.P, t, v.open, v.Lang)...),
		)
}

// epochsOf reads how far a job says it is. Numbers that are not known are "".
type jobProgress struct {
	epoch, epochs string
	last          float64 // epochs as a number; 0 if unknown
	fraction      float64 // 0 to 1; negative if unknown
}

func epochsOf(p *protocol.Progress) jobProgress {
	at := jobProgress{fraction: -1}
	if p == nil {
		return at
	}
	if p.Epoch != nil {
		at.epoch = formatEpoch(*p.Epoch)
	}
	if p.Epochs != nil && *p.Epochs > 0 {
		at.epochs, at.last = formatEpoch(*p.Epochs), *p.Epochs
	}
	switch {
	case p.Fraction != nil:
		at.fraction = min(max(*p.Fraction, 0), 1)
	case p.Epoch != nil && at.last > 0:
		at.fraction = min(max(*p.Epoch/at.last, 0), 1)
	}
	return at
}

func (v *jobView) head(t *store.Tool, status string) app.UI {
	var about []app.UI
	about = append(about, app.Span().Class("mono").Text(toolName(v.P, t)))
	if args := v.P.summarize(string(t.Args)); args != "" {
		about = append(about, app.Text(" · "+args))
	}
	return app.Div().Class("job__head").Body(
		statusIcon(v.P, status),
		app.Div().Class("grow").Body(
			app.H3().Text(v.P.T(locales.JobTitle)),
			app.P().Class("num").Dir("auto").Body(about...),
		),
		app.Div().Body(v.control(status)),
	)
}

// control is the button that stops the job, or what came of it.
func (v *jobView) control(status string) app.UI {
	switch status {
	case protocol.StatusRunning:
		if !v.MayStop {
			return nil
		}
		return app.Button().Type("button").Class("btn btn--sm btn--stop").Attr(hook("stop-job")).
			OnClick(v.stop).OnKeyDown(ignoreRepeat).
			Body(icon("stop", "i--14"), app.Span().Text(v.P.T(locales.JobStop)))
	case protocol.StatusCancelling:
		return app.Span().Class("tag").Body(icon("spin", "i--14", "i--spin"), app.Text(v.P.T(locales.JobStopping)))
	case protocol.StatusSucceeded:
		return app.Span().Class("tag tag--ok").Text(v.P.T(locales.ToolSucceeded))
	case protocol.StatusFailed:
		return app.Span().Class("tag tag--bad").Text(v.P.T(locales.ToolFailed))
	case protocol.StatusCancelled:
		return app.Span().Class("tag").Text(v.P.T(locales.ToolCancelled))
	}
	return app.Span().Class("tag").Text(v.P.T(locales.ToolEnded))
}

func (v *jobView) bar(t *store.Tool, at jobProgress, status string) app.UI {
	label := ""
	switch {
	case at.epoch != "" && at.epochs != "":
		label = v.P.T(locales.JobEpoch, locales.A("Epoch", at.epoch), locales.A("Total", at.epochs))
	case at.epoch != "":
		label = v.P.T(locales.JobEpochAlone, locales.A("Epoch", at.epoch))
	}
	message := ""
	if t.Progress != nil {
		message = shorten(t.Progress.Message, 160)
	}
	class := "bar"
	switch status {
	case protocol.StatusCancelling, protocol.StatusCancelled, store.TurnEnded:
		class = "bar bar--stop"
	case protocol.StatusFailed:
		class = "bar bar--bad"
	}
	bar := app.Progress().Class(class).Max(1).Aria("label", v.P.T(locales.JobProgress))
	percent := ""
	if at.fraction >= 0 {
		bar = bar.Attr("value", strconv.FormatFloat(at.fraction, 'f', 4, 64))
		percent = strconv.Itoa(int(at.fraction*100)) + "%"
	}
	return app.Div().Class("job__prog").Body(
		app.P().Class("num").Body(
			app.Span().Body(app.B().Text(label), app.Span().Dir("auto").Text(gap(label, message))),
			app.Span().Text(percent),
		),
		bar,
	)
}

// gap puts a space before a text that follows another.
func gap(before, text string) string {
	if before == "" || text == "" {
		return text
	}
	return " " + text
}

func (v *jobView) foot(status string, groups []metricGroup) app.UI {
	note := ""
	if status == protocol.StatusRunning || status == protocol.StatusCancelling {
		note = v.P.T(locales.JobNote)
	}
	toggle := locales.JobTable
	if v.asTable {
		toggle = locales.JobChart
	}
	return app.Div().Class("job__foot").Body(
		app.Span().Text(note),
		app.Button().Type("button").Class("link").Hidden(len(groups) == 0).OnClick(v.switchTable).Text(v.P.T(toggle)),
		app.Button().Type("button").Class("link").Attr(hook("tool-toggle")).Aria("expanded", v.open).OnClick(v.toggle).
			Text(v.P.T(locales.JobDetails)),
	)
}

func (v *jobView) switchTable(app.Context, app.Event) { v.asTable = !v.asTable }
func (v *jobView) toggle(app.Context, app.Event)      { v.open = !v.open }
