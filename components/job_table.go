package components

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

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
