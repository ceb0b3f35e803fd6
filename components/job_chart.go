package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

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
