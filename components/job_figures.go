package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

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
