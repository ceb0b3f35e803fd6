package components

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/tidwall/gjson"

	"igraph-console/app/observe"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// The log is drawn in pages of entries, the newest few at first.
const (
	logPage  = 50
	logFirst = 4
)

// inspector shows engineers what came over the wire in the run on screen, and what was made of it.
type inspector struct {
	app.Compo

	P    *Page
	Lang string
	Open bool
	Rev  uint64 // of the log
	Run  *store.Run
	Conn store.Connection

	more int // pages beyond the newest few
	sum  tally
}

func newInspector(p *Page, session *store.Session) app.UI {
	i := &inspector{P: p, Lang: p.State().Lang, Open: p.desk.inspector}
	if !i.Open {
		return i
	}
	i.Rev = p.Acts.Watcher.Trace.Rev()
	if session != nil {
		i.Conn = session.Conn
		if turn := session.Active(); turn != nil {
			i.Run = turn.Run
		}
	}
	return i
}

// OnUpdate stays with the newest entries while they are in view.
func (i *inspector) OnUpdate(ctx app.Context) {
	box := byID("log")
	following := !box.Truthy() || number(box, "scrollHeight")-number(box, "clientHeight")-number(box, "scrollTop") < nearEnd
	ctx.Defer(func(app.Context) {
		if box := byID("log"); following && box.Truthy() {
			box.Set("scrollTop", number(box, "scrollHeight"))
		}
	})
}

func (i *inspector) onClose(app.Context, app.Event) { i.P.desk.inspector = false }

func (i *inspector) onMore(app.Context, app.Event) { i.more += logFirst }

// onExport saves the log as a file, one entry a line, so that the run can be folded again elsewhere.
func (i *inspector) onExport(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	entries, _ := i.P.Acts.Watcher.Trace.Entries()
	name := "igraph-run.jsonl"
	if i.Run != nil && i.Run.ID != "" {
		name = "igraph-run-" + i.Run.ID + ".jsonl"
	}
	saveFile(name, "application/jsonl", exportLog(entries))
}

// empty reports whether there is nothing to export: this page has not watched the run.
func (i *inspector) empty() bool {
	entries, _ := i.P.Acts.Watcher.Trace.Entries()
	return len(entries) == 0
}

// exportLog writes a log as JSON Lines.
func exportLog(entries []observe.TraceEntry) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, e := range entries {
		_ = encoder.Encode(e) // a strings.Builder takes everything
	}
	return b.String()
}

// Render draws the panel; nothing of it while it is closed.
func (i *inspector) Render() app.UI {
	p := i.P
	panel := app.Aside().Class("panel").ID("inspector").Hidden(!i.Open).Aria("label", p.T(locales.InspectorTitle))
	if !i.Open {
		return panel
	}
	return panel.Attr(hook("inspector")).Body(
		app.Header().Class("panel__head").Body(
			app.H2().Text(p.T(locales.InspectorTitle)),
			app.Button().Class("btn btn--ghost btn--icon").Type("button").Aria("label", p.T(locales.AppClose)).
				OnClick(i.onClose).Body(icon("x")),
		),
		app.Div().Class("panel__facts").Body(i.facts()),
		app.Div().Class("panel__body").ID("log").TabIndex(0).Body(i.log()),
		app.Footer().Class("panel__foot").Body(app.Div().Class("btns").Body(
			app.Button().Class("btn btn--sm").Type("button").OnClick(i.onExport).Disabled(i.empty()).
				Body(icon("download", "i--14"), app.Span().Text(p.T(locales.InspectorExport))),
		)),
	)
}

// facts sum the run up.
func (i *inspector) facts() app.UI {
	p := i.P
	entries, dropped := p.Acts.Watcher.Trace.Entries()
	i.sum.take(i.Rev, entries, dropped)
	sum := i.sum
	var rows []app.UI
	add := func(name locales.Key, value string) {
		if value != "" {
			rows = append(rows, app.Dt().Text(p.T(name)), app.Dd().Class("num mono").Text(value))
		}
	}
	if i.Run != nil {
		add(locales.InspectorRun, i.Run.ID)
		add(locales.InspectorStatus, i.Run.Status)
		add(locales.InspectorCursor, itoa(int(i.Run.Cursor)))
		if i.Run.Snapshot {
			add(locales.InspectorMode, "snapshot")
		}
	}
	add(locales.InspectorPhase, string(i.Conn.Phase))
	add(locales.InspectorFrames, formatCount(int64(sum.frames)))
	add(locales.InspectorUnknown, formatCount(int64(sum.unknown)))
	add(locales.InspectorSteps, formatCount(int64(sum.notes)))
	if sum.frames > 0 {
		add(locales.InspectorFirst, p.formatDuration(sum.first.Sub(sum.begin)))
		add(locales.InspectorLongest, p.formatDuration(sum.longest))
	}
	add(locales.InspectorHealed, formatCount(int64(p.State().Healed)))
	if dropped > 0 {
		add(locales.InspectorDropped, formatCount(int64(dropped)))
	}
	return app.Dl().Class("facts").Body(rows...)
}

// tally is what a log amounts to. It takes only what has come since it looked last.
type tally struct {
	rev, seen     uint64 // of the log: its revision, and entries taken, dropped ones included
	frames, notes int
	unknown       int // events of a type this page does not know
	begin, first  time.Time
	last          time.Time
	longest       time.Duration // between two frames
}

// take goes on with a log. Every entry raises the revision by one, and so does beginning anew:
// where the two do not fit, the log is another one.
func (t *tally) take(rev uint64, entries []observe.TraceEntry, dropped int) {
	total := uint64(dropped + len(entries))
	if total < t.seen || rev-t.rev != total-t.seen {
		*t = tally{seen: uint64(dropped)}
	}
	for _, e := range entries[max(int(t.seen)-dropped, 0):] {
		t.add(e)
	}
	t.rev, t.seen = rev, total
}

func (t *tally) add(e observe.TraceEntry) {
	if t.begin.IsZero() {
		t.begin = e.At
	}
	switch e.Kind {
	case observe.TraceStep:
		t.notes++
	case observe.TraceFrame:
		if t.frames == 0 {
			t.first = e.At
		} else {
			t.longest = max(t.longest, e.At.Sub(t.last))
		}
		t.frames++
		t.last = e.At
		t.unknown += describeFrame(e.Text).unknown
	}
}

// frameWords is a frame in short.
type frameWords struct {
	index   string
	types   string
	unknown int
}

func describeFrame(text string) frameWords {
	frame := gjson.Parse(text)
	words := frameWords{index: frame.Get("event_index").Raw}
	var types []string
	counts := map[string]int{}
	frame.Get("events").ForEach(func(_, event gjson.Result) bool {
		name := event.Get("type").String()
		if counts[name]++; counts[name] == 1 {
			types = append(types, name)
		}
		return true
	})
	// One that cannot be decoded was not applied; a note says so.
	if decoded, err := protocol.DecodeFrame(text); err == nil {
		for _, event := range decoded.Events {
			if _, odd := event.(protocol.Unknown); odd {
				words.unknown++
			}
		}
	}
	for n, name := range types {
		if counts[name] > 1 {
			types[n] += " ×" + itoa(counts[name])
		}
	}
	words.types = strings.Join(types, ", ")
	return words
}

func (i *inspector) log() app.UI {
	entries, dropped := i.P.Acts.Watcher.Trace.Entries()
	last := (dropped + len(entries) + logPage - 1) / logPage
	first := max(last-logFirst-i.more, dropped/logPage, 0)
	list := []app.UI{app.Div().Class("none").Hidden(first <= dropped/logPage).Body(
		app.Button().Class("btn btn--sm").Type("button").Text(i.P.T(locales.InspectorMore)).OnClick(i.onMore),
	)}
	for n := first; n < last; n++ {
		page := &logPart{P: i.P, Number: n, Lang: i.Lang}
		if n == last-1 || n == last-2 { // a page that is full does not change any more
			page.Rev = i.Rev
		}
		list = append(list, page)
	}
	return app.Div().Class("log").Body(list...)
}

// logPart is a page of the log. Its entries are counted from the run's first, dropped ones included.
type logPart struct {
	app.Compo

	P      *Page
	Number int
	Rev    uint64
	Lang   string
}

// CompoID keeps opened entries open as pages go by.
func (l *logPart) CompoID() string { return itoa(l.Number) }

func (l *logPart) Render() app.UI {
	entries, dropped := l.P.Acts.Watcher.Trace.Entries()
	first, end := l.Number*logPage-dropped, (l.Number+1)*logPage-dropped
	var rows []app.UI
	for n := max(first, 0); n < min(end, len(entries)); n++ {
		rows = append(rows, &logEntry{Entry: entries[n], P: l.P})
	}
	return app.Ol().Class("log__part").Body(rows...)
}

// logEntry is one line, which opens to show all of it.
type logEntry struct {
	app.Compo

	P     *Page
	Entry observe.TraceEntry

	open bool
}

func (e *logEntry) onToggle(app.Context, app.Event) { e.open = !e.open }

func (e *logEntry) Render() app.UI {
	kind, text, class := e.words()
	return app.Li().Body(
		app.Button().Class("log__line").Class(class).Type("button").Aria("expanded", e.open).OnClick(e.onToggle).Body(
			app.Span().Class("num").Text(e.Entry.At.In(time.Local).Format("15:04:05.000")),
			app.Span().Class("log__kind").Text(kind),
			app.Span().Class("ellip").Text(text),
		),
		app.Div().Body(e.whole()),
	)
}

func (e *logEntry) words() (kind, text, class string) {
	if e.Entry.Kind != observe.TraceFrame {
		return "", shorten(e.Entry.Text, 160), "log__line--note"
	}
	words := describeFrame(e.Entry.Text)
	if words.unknown > 0 {
		class = "log__line--odd"
	}
	return "#" + words.index, words.types, class
}

func (e *logEntry) whole() app.UI {
	if !e.open {
		return app.Span()
	}
	return app.Pre().Class("code").TabIndex(0).Body(longText(showControls(e.Entry.Text))...)
}
