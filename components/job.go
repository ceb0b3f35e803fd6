package components

import (
	"cmp"
	"slices"
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
func (v *jobView) act() store.JobCancel { return v.P.State().Jobs[v.Item.Tool.CallID] }

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

func (v *jobView) stop(app.Context, app.Event) {
	started := v.Item.Tool.StartedAt
	if age, known := elapsed(started, v.P.now()); known && age <= confirmAfter {
		v.cancel()
		return
	}
	v.asking = true
	v.P.afterDrawing(func() { v.focus("stop-job-keep") })
}

// confirm asks before much work is thrown away. The safe choice comes first and has the focus.
func (v *jobView) confirm(t *store.Tool) app.UI {
	if !v.asking || t.Ended() {
		return nil
	}
	duration := "–"
	if age, known := elapsed(t.StartedAt, v.P.now()); known {
		duration = v.P.formatTimer(age)
	}
	return app.Div().Class("job__ask").Attr("role", "alertdialog").Aria("label", v.P.T(locales.JobStopTitle)).
		OnKeyDown(v.escape).
		Body(
			app.P().Body(
				app.B().Text(v.P.T(locales.JobStopTitle)),
				app.Text(" "+v.P.T(locales.JobStopText, locales.A("Duration", duration))),
			),
			app.Div().Class("btns").Body(
				app.Button().Type("button").Class("btn btn--sm").Attr(hook("stop-job-keep")).OnClick(v.keep).
					Text(v.P.T(locales.JobKeep)),
				app.Button().Type("button").Class("btn btn--sm btn--danger").Attr(hook("stop-job-confirm")).OnClick(v.confirmed).
					OnKeyDown(ignoreRepeat).Text(v.P.T(locales.JobStop)),
			),
		)
}

func (v *jobView) escape(ctx app.Context, e app.Event) {
	if e.Get("key").String() != "Escape" {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
	v.asking = false
}

func (v *jobView) keep(app.Context, app.Event) {
	v.asking = false
	v.P.afterDrawing(func() { v.focus("stop-job") })
}

// focus moves the keyboard to a button of this card.
func (v *jobView) focus(name string) {
	if card := v.JSValue(); card.Truthy() {
		focusOn(byHook(card, name))
	}
}

func (v *jobView) confirmed(app.Context, app.Event) { v.cancel() }

func (v *jobView) cancel() {
	v.asking = false
	v.P.Do(func() { v.P.Acts.CancelJob(v.SID, v.Item.Tool.CallID) })
}

// trouble says why stopping did not work, or that nobody has confirmed it yet.
func (v *jobView) trouble(act store.JobCancel, status string) app.UI {
	switch {
	case v.Item.Tool.Ended():
		return nil
	case act.State == store.ActOpen && act.Err != nil:
		return app.Div().Class("job__note").Body(errorLine(v.P, act.Err))
	case act.Unconfirmed && status == protocol.StatusCancelling:
		return app.Div().Class("job__note").Body(
			app.P().Text(v.P.T(locales.TurnUnconfirmed)),
			&checkAgain{P: v.P, SID: v.SID, Lang: v.Lang},
		)
	}
	return nil
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

// stats are the figures one looks at first: times, the newest loss and the best score.
func (v *jobView) stats(t *store.Tool, at jobProgress, status string, groups []metricGroup) app.UI {
	cells := []app.UI{
		stat(v.P.T(locales.JobElapsed), v.elapsed(t, status)),
		stat(v.P.T(locales.JobLeft), v.left(t, at, status)),
	}
	for _, m := range headlines(groups) {
		label := v.P.metricLabel(m.group, m.line)
		var note app.UI
		value := formatMetric(m.point[1])
		if m.best {
			label = v.P.T(locales.JobBestOf, locales.A("Metric", v.P.metricName(m.group.base)))
			note = app.Elem("small").Text(v.P.T(locales.JobAtEpoch, locales.A("Epoch", formatEpoch(m.point[0]))))
		}
		cells = append(cells, stat(label, app.Span().Body(app.Text(value+" "), note)))
	}
	return app.Dl().Class("stats").Body(cells...)
}

func stat(label string, value app.UI) app.UI {
	return app.Div().Body(app.Dt().Text(label), app.Dd().Body(value))
}

func (v *jobView) elapsed(t *store.Tool, status string) app.UI {
	if time := toolTime(v.P, t, status, v.At, v.Lang); time != nil {
		return time
	}
	return app.Text("–")
}

// left guesses the time left from the part that is done. Too early, it would only mislead.
func (v *jobView) left(t *store.Tool, at jobProgress, status string) app.UI {
	age, known := elapsed(t.StartedAt, v.P.now())
	if status != protocol.StatusRunning || !known || !v.At.IsZero() || at.fraction < 0.02 || at.fraction >= 1 {
		return app.Text("–")
	}
	return app.Text(v.P.formatEstimate(time.Duration(float64(age) * (1 - at.fraction) / at.fraction)))
}

// headline is one figure of a job: the newest value of a line, or its best.
type headline struct {
	group metricGroup
	line  metricLine
	point protocol.Point
	best  bool
}

// headlines picks at most two figures: the newest of what should fall, and the best of what should
// rise; on held-out data where there is any.
func headlines(groups []metricGroup) []headline {
	var list []headline
	for _, dir := range []int{-1, 1, 0} {
		for _, g := range groups {
			if direction(g.base) != dir || len(list) == 2 || dir == -1 && len(list) == 1 {
				continue
			}
			line := g.lines[len(g.lines)-1]
			h := headline{g, line, line.points[len(line.points)-1], false}
			if p, known := best(line.points, dir); known && dir == 1 {
				h.point, h.best = p, true
			}
			list = append(list, h)
		}
	}
	return list
}

// metricName is how people call a quantity.
func (p *Page) metricName(base string) string {
	switch base {
	case "loss":
		return p.T(locales.MetricLoss)
	case "auc", "roc_auc":
		return "AUC"
	case "acc", "accuracy":
		return p.T(locales.MetricAccuracy)
	}
	return shorten(base, 40)
}

func (p *Page) metricPart(part string) string {
	switch part {
	case "train":
		return p.T(locales.MetricTrain)
	case "validation":
		return p.T(locales.MetricValidation)
	case "test":
		return p.T(locales.MetricTest)
	}
	return ""
}

func (p *Page) metricLabel(g metricGroup, line metricLine) string {
	if part := p.metricPart(line.part); part != "" {
		return p.T(locales.MetricOn, locales.A("Metric", p.metricName(g.base)), locales.A("Part", part))
	}
	return p.metricName(g.base)
}

// maxCharts is how many quantities are drawn; the table has them all.
const maxCharts = 6

func (v *jobView) measured(groups []metricGroup, at jobProgress) app.UI {
	if len(groups) == 0 {
		return nil
	}
	if v.asTable {
		return v.table(groups)
	}
	var figures []app.UI
	for _, g := range groups[:min(len(groups), maxCharts)] {
		figures = append(figures, v.figure(g, at))
	}
	return app.Div().Class("charts").Body(figures...)
}

func (v *jobView) figure(g metricGroup, at jobProgress) app.UI {
	caption := []app.UI{app.B().Text(v.P.metricName(g.base))}
	said := v.P.metricName(g.base)
	for i, line := range g.lines {
		value := formatMetric(line.points[len(line.points)-1][1])
		class := "key"
		if i > 0 {
			class = "key key--2"
		}
		text := value
		if part := v.P.metricPart(line.part); part != "" {
			text = part + " " + value
		} else if len(g.lines) > 1 {
			text = shorten(line.name, 40) + " " + value
		}
		said += v.P.T(locales.AppSep) + text
		caption = append(caption, app.Span().Class(class).Text(text))
	}
	return app.Elem("figure").Class("chart").Body(
		app.Elem("figcaption").Body(caption...),
		v.drawing(g, at, v.P.T(locales.JobChartOf, locales.A("Values", said))),
	)
}

func (v *jobView) drawing(g metricGroup, at jobProgress, label string) app.UI {
	c := drawChart(g, at.last)
	var parts []app.UI
	for i, t := range c.yTicks {
		class := "g"
		if i == 0 {
			class = "ax"
		}
		y := c.y.at(t)
		parts = append(parts,
			svg("path").Class(class).Attr("d", "M"+coordinate(plotLeft)+" "+coordinate(y)+"H"+coordinate(plotRight)),
			axisLabel(27, y+4, "end", c.yLabels[i]))
	}
	for i, t := range c.xTicks {
		anchor := "middle"
		switch {
		case i == 0:
			anchor = "start"
		case i == len(c.xTicks)-1:
			anchor = "end"
		}
		parts = append(parts, axisLabel(c.x.at(t), 145, anchor, c.xLabels[i]))
	}
	if c.area != "" {
		parts = append(parts, svg("path").Class("area").Attr("d", c.area))
	}
	for i := len(g.lines) - 1; i >= 0; i-- {
		line := g.lines[i]
		last := line.points[len(line.points)-1]
		n := strconv.Itoa(min(i, 1) + 1)
		parts = append(parts,
			svg("path").Class("l"+n).Attr("d", c.paths[i]),
			svg("circle").Class("p"+n).Attr("cx", coordinate(c.x.at(last[0]))).Attr("cy", coordinate(c.y.at(last[1]))).Attr("r", "3"))
	}
	parts = append(parts, v.bestMark(g, c)...)
	return svg("svg").Attr("viewBox", "0 0 340 150").Attr("role", "img").Aria("label", label).Body(parts...)
}

// bestMark points out the best value of a quantity that should rise.
func (v *jobView) bestMark(g metricGroup, c chart) []app.UI {
	if !marksBest(g) {
		return nil
	}
	p, known := best(g.lines[0].points, 1)
	if !known {
		return nil
	}
	x, y := c.x.at(p[0]), c.y.at(p[1])
	text := v.P.T(locales.JobBest, locales.A("Value", formatMetric(p[1])), locales.A("Epoch", formatEpoch(p[0])))
	anchor, at := "start", x+8
	if x > chartWidth/2 {
		anchor, at = "end", x-8
	}
	return []app.UI{
		svg("circle").Class("best").Attr("cx", coordinate(x)).Attr("cy", coordinate(y)).Attr("r", "3.5"),
		svg("text").Class("lab").Attr("x", coordinate(at)).Attr("y", coordinate(max(y-9, plotTop+4))).
			Attr("text-anchor", anchor).Text(text),
	}
}

func axisLabel(x, y float64, anchor, text string) app.UI {
	return svg("text").Attr("x", coordinate(x)).Attr("y", coordinate(y)).Attr("text-anchor", anchor).Text(text)
}

// table shows the newest values first.
func (v *jobView) table(groups []metricGroup) app.UI {
	t := metricTable(groups)
	header := []app.UI{app.Th().Scope("col").Class("r").Text(v.P.T(locales.JobEpochColumn))}
	for _, g := range groups {
		for _, line := range g.lines {
			header = append(header, app.Th().Scope("col").Class("r").Text(shorten(line.name, 40)))
		}
	}
	limit := max(v.rows, tableRows)
	var rows []app.UI
	for i := len(t) - 1; i >= 0 && len(rows) < limit; i-- {
		cells := []app.UI{app.Th().Scope("row").Class("r").Text(formatEpoch(t[i].x))}
		for _, value := range t[i].values {
			cells = append(cells, app.Td().Class("r").Text(value))
		}
		rows = append(rows, app.Tr().Body(cells...))
	}
	return app.Div().Class("job__table").Body(
		app.Div().Class("tbl").TabIndex(0).Attr("role", "region").Aria("label", v.P.T(locales.JobTable)).Body(
			app.Table().Body(app.THead().Body(app.Tr().Body(header...)), app.TBody().Body(rows...))),
		app.Div().Class("kv__more").Hidden(len(t) <= limit).Body(
			app.Button().Type("button").Class("link").OnClick(v.moreRows).Text(v.P.T(locales.ToolShowMore))),
	)
}

func (v *jobView) moreRows(app.Context, app.Event) { v.rows = max(v.rows, tableRows) * growth }

// metricRow is the values of all lines at one epoch; "" where a line has none.
type metricRow struct {
	x      float64
	values []string
}

// metricTable joins the lines of all groups by epoch.
func metricTable(groups []metricGroup) []metricRow {
	columns := 0
	for _, g := range groups {
		columns += len(g.lines)
	}
	var rows []metricRow
	place := map[float64]int{}
	column := 0
	for _, g := range groups {
		for _, line := range g.lines {
			for _, p := range line.points {
				i, known := place[p[0]]
				if !known {
					i = len(rows)
					place[p[0]] = i
					rows = append(rows, metricRow{p[0], make([]string, columns)})
				}
				rows[i].values[column] = strconv.FormatFloat(p[1], 'g', 6, 64)
			}
			column++
		}
	}
	slices.SortStableFunc(rows, func(a, b metricRow) int { return cmp.Compare(a.x, b.x) })
	return rows
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
