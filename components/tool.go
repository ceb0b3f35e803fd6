package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// toolView is a tool call. Closed, it is a line; what it was given and what it gave stand in the
// page only while it is open. Status is what it shows in its run. At freezes its running time.
type toolView struct {
	app.Compo

	P      *Page
	Item   *store.Item
	Status string
	At     time.Time
	Lang   string

	open bool
}

func (v *toolView) CompoID() string { return itemID(v.Item) }

func (v *toolView) Render() app.UI {
	return guarded(v.P, func() app.UI {
		t := v.Item.Tool
		return app.Div().Class("tools").Attr(hook("tool")).
			Attr("data-call-id", t.CallID).
			Attr("data-tool", t.Tool).
			Attr("data-status", v.Status).
			Body(app.Details().Class("tool").Attr("open", v.open).Body(
				app.Summary().Attr(hook("tool-toggle")).OnClick(v.toggle).Body(
					statusIcon(v.P, v.Status),
					app.Span().Class("tool__name").Text(toolName(v.P, t)),
					app.Span().Class("tool__sum ellip").Dir("auto").Text(v.P.toolLine(t, v.Status)),
					app.Span().Class("tool__time num").Body(toolTime(v.P, t, v.Status, v.At, v.Lang)),
					icon("chev", "i--14", "chev"),
				),
				app.Div().Class("tool__body").Body(toolDetails(v.P, t, v.open, v.Lang)...),
			))
	})
}

func (v *toolView) toggle(_ app.Context, e app.Event) {
	e.PreventDefault()
	v.open = !v.open
}

// itemID keeps what is open in an item with that item, also when the run has been rebuilt.
func itemID(it *store.Item) string { return it.Key.Type + "/" + it.Key.ID }

func toolName(p *Page, t *store.Tool) string {
	if t.Tool == "" {
		return p.T(locales.ToolUnnamed)
	}
	return shorten(t.Tool, 120)
}

// toolDetails are what a tool was given and what came of it.
func toolDetails(p *Page, t *store.Tool, open bool, lang string) []app.UI {
	if !open {
		return nil
	}
	var details []app.UI
	for _, part := range []struct {
		title locales.Key
		raw   protocol.RawJSON
	}{{locales.ToolArguments, t.Args}, {locales.ToolError, t.Error}, {locales.ToolResult, t.Result}} {
		shown := app.Div()
		if part.raw != "" && part.raw != "null" {
			shown = shown.Body(&valueView{P: p, Title: part.title, Raw: string(part.raw), Lang: lang})
		}
		details = append(details, shown)
	}
	return details
}

// toolLine says in a line how far a tool is, or what came of it.
func (p *Page) toolLine(t *store.Tool, status string) string {
	switch {
	case status == store.TurnEnded:
		return p.T(locales.ToolEnded)
	case status == protocol.StatusCancelling:
		return p.T(locales.ToolCancelling)
	case status == protocol.StatusCancelled:
		return p.T(locales.ToolCancelled)
	case t.Error != "" && t.Error != "null":
		return p.faultText(string(t.Error))
	case t.Ended():
		return p.summarize(string(t.Result))
	case t.Progress != nil && t.Progress.Message != "":
		return shorten(t.Progress.Message, 240)
	}
	return p.summarize(string(t.Args))
}

// toolTime is how long a tool took, or has been running.
func toolTime(p *Page, t *store.Tool, status string, at time.Time, lang string) app.UI {
	if t.Ended() {
		if took, known := elapsed(t.StartedAt, t.EndedAt); known {
			return app.Span().Text(p.formatDuration(took))
		}
		return nil
	}
	if status == store.TurnEnded || t.StartedAt.IsZero() {
		return nil
	}
	return &runningTime{P: p, Kind: timeElapsed, From: t.StartedAt, At: at, Lang: lang}
}

// statusIcon shows a status by shape and colour, and in words to who does not see it.
func statusIcon(p *Page, status string) app.UI {
	symbol, class, label := "todo", "i--idle", locales.ToolRunning
	switch status {
	case protocol.StatusRunning:
		return namedIcon(p.T(locales.ToolRunning), "spin", "i--run", "i--spin")
	case protocol.StatusCancelling:
		return namedIcon(p.T(locales.ToolCancelling), "spin", "i--idle", "i--spin")
	case protocol.StatusSucceeded:
		symbol, class, label = "ok", "i--ok", locales.ToolSucceeded
	case protocol.StatusFailed:
		symbol, class, label = "bad", "i--bad", locales.ToolFailed
	case protocol.StatusCancelled:
		symbol, class, label = "stopped", "i--idle", locales.ToolCancelled
	case store.TurnEnded:
		symbol, class, label = "skip", "i--idle", locales.ToolEnded
	}
	return namedIcon(p.T(label), symbol, class)
}

// namedIcon is an icon that says something by itself.
func namedIcon(label, name string, classes ...string) app.UI {
	return svg("svg").Class("i").Class(classes...).Attr("role", "img").Aria("label", label).
		Body(svg("use").Attr("href", "#"+name))
}
