package components

import (
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/tidwall/gjson"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// How much of a value is shown at first. Each press of "show more" shows several times as much.
const (
	shownBytes = 20_000
	shownLines = 200
	shownRows  = 100
	shownCells = 12  // columns of a table
	cellBytes  = 300 // of one cell
	growth     = 5
)

// valueView shows a JSON value that nobody knows anything about: as a table where it is one, as text
// where it is a string, and as JSON. However large it is, only a part stands in the page; copying
// copies all of it.
type valueView struct {
	app.Compo

	P     *Page
	Title locales.Key
	Raw   string
	// Bare leaves out the table: for values that are shown for the record.
	Bare bool
	// Quiet leaves out the bar with the title.
	Quiet bool
	Lang  string

	steps int
	rows  int
}

// copyText is the whole value: a string as its text, anything else as its JSON.
func (v *valueView) copyText() string { return fullText(v.Raw) }

func fullText(raw string) string {
	if strings.HasPrefix(raw, `"`) {
		return gjson.Parse(raw).String()
	}
	if protocol.Depth(raw) > maxShownDepth {
		return raw
	}
	pretty, _ := prettyJSON(raw, math.MaxInt, math.MaxInt)
	return pretty
}

func (v *valueView) Render() app.UI {
	return guarded(v.P, func() app.UI {
		return app.Div().Class("kv").Body(
			app.Div().Class("kv__h").Hidden(v.Quiet).Body(
				app.Span().Text(v.P.T(v.Title)),
				&copyButton{P: v.P, Of: v, Text: locales.CopyLabel, Lang: v.Lang},
			),
			app.Div().Class("kv__t").Body(v.table()),
			v.text(),
		)
	})
}

// text shows the value as text: in full if it is short, else a part of it and its true size.
func (v *valueView) text() app.UI {
	bytes, lines := shownBytes, shownLines
	for range v.steps {
		bytes, lines = bytes*growth, lines*growth
	}
	part, whole := boundedText(v.Raw, bytes, lines)
	body := longText(part)
	if v.steps == 0 && !strings.HasPrefix(v.Raw, `"`) {
		body = highlight(part)
	}
	return app.Div().Body(
		app.Pre().TabIndex(0).Dir("ltr").Attr("translate", "no").Body(body...),
		app.Div().Class("kv__more").Hidden(whole).Body(
			app.Span().Class("num").Text(v.P.T(locales.ToolPart,
				locales.A("Shown", formatSize(int64(len(part)))), locales.A("Size", formatSize(int64(len(v.Raw)))))),
			app.Button().Type("button").Class("link").OnClick(v.more).Text(v.P.T(locales.ToolShowMore)),
		),
	)
}

func (v *valueView) more(app.Context, app.Event) { v.steps++ }

// boundedText is the beginning of a value as text.
func boundedText(raw string, maxBytes, maxLines int) (part string, whole bool) {
	if !strings.HasPrefix(raw, `"`) {
		if protocol.Depth(raw) > maxShownDepth {
			part = cutVisible(raw, maxBytes)
			return part, len(part) == len(raw)
		}
		return prettyJSON(raw, maxBytes, maxLines)
	}
	text, whole := decodePrefix(raw, maxBytes)
	cut := cutLines(text, maxLines)
	return cut, whole && len(cut) == len(text)
}

// cutLines returns the first n lines of s.
func cutLines(s string, n int) string {
	end := 0
	for range n {
		i := strings.IndexByte(s[end:], '\n')
		if i < 0 {
			return s
		}
		end += i + 1
	}
	return s[:end]
}

func highlight(text string) []app.UI {
	if protocol.Depth(text) > maxShownDepth {
		return longText(text) // it is not laid out over lines, which bound the number of pieces
	}
	var spans []app.UI
	for _, t := range tokens(text) {
		if t.class == "" {
			spans = append(spans, app.Text(t.text))
			continue
		}
		spans = append(spans, app.Span().Class(t.class).Text(showControls(t.text)))
	}
	return spans
}

// table shows what is naturally one: an object of a few members, or a list of like objects.
func (v *valueView) table() app.UI {
	if v.Bare {
		return nil
	}
	t := tableOf(v.Raw, max(v.rows, shownRows))
	if len(t.rows) == 0 {
		return nil
	}
	var rows []app.UI
	if len(t.columns) > 0 {
		var cells []app.UI
		for _, c := range t.columns {
			cells = append(cells, app.Th().Scope("col").Text(c))
		}
		rows = append(rows, app.THead().Body(app.Tr().Body(cells...)))
	}
	var body []app.UI
	for _, row := range t.rows {
		body = append(body, valueRow(row, len(t.columns) == 0))
	}
	rows = append(rows, app.TBody().Body(body...))
	return app.Div().Body(
		app.Div().Class("tbl").TabIndex(0).Attr("role", "region").Aria("label", v.P.T(v.Title)).Body(app.Table().Body(rows...)),
		app.Div().Class("kv__more").Hidden(t.total <= len(t.rows)).Body(
			app.Span().Class("num").Text(v.P.T(locales.ToolRows,
				locales.A("Shown", formatCount(int64(len(t.rows)))), locales.A("Total", formatCount(int64(t.total))))),
			app.Button().Type("button").Class("link").OnClick(v.moreRows).Text(v.P.T(locales.ToolShowMore)),
		),
	)
}

func (v *valueView) moreRows(app.Context, app.Event) { v.rows = max(v.rows, shownRows) * growth }

func valueRow(row []cell, named bool) app.UI {
	var cells []app.UI
	for i, c := range row {
		if named && i == 0 {
			cells = append(cells, app.Th().Scope("row").Class("mono").Text(c.text))
			continue
		}
		td := app.Td().Dir("auto").Text(c.text)
		if c.number {
			td = td.Class("num")
		}
		if len(c.text) > 40 {
			td = td.Class("wrap")
		}
		cells = append(cells, td)
	}
	return app.Tr().Body(cells...)
}

// valueTable is a value as a table. Without columns each row is a name and a value.
type valueTable struct {
	columns []string
	rows    [][]cell
	total   int
}

type cell struct {
	text   string
	number bool
}

// tableOf reads the table in a value, up to limit rows. Values that are none give none.
func tableOf(raw string, limit int) valueTable {
	if protocol.Depth(raw) > maxShownDepth {
		return valueTable{}
	}
	value := gjson.Parse(raw)
	switch {
	case value.IsObject():
		return memberTable(value, limit)
	case value.IsArray():
		return recordTable(value, limit)
	}
	return valueTable{}
}

func memberTable(value gjson.Result, limit int) valueTable {
	var t valueTable
	value.ForEach(func(key, member gjson.Result) bool {
		if t.total++; t.total <= limit {
			t.rows = append(t.rows, []cell{{text: shorten(key.String(), cellBytes)}, cellOf(member)})
		}
		return true
	})
	return t
}

// recordTable reads a list of objects: one row each, with the columns of the first ones.
func recordTable(value gjson.Result, limit int) valueTable {
	var t valueTable
	place := map[string]int{}
	var records []gjson.Result
	like := true
	value.ForEach(func(_, record gjson.Result) bool {
		if !record.IsObject() {
			like = false
			return false
		}
		if t.total++; t.total > limit {
			return true
		}
		records = append(records, record)
		record.ForEach(func(key, _ gjson.Result) bool {
			if _, known := place[key.String()]; !known && len(place) < shownCells {
				place[key.String()] = len(place)
				t.columns = append(t.columns, shorten(key.String(), cellBytes))
			}
			return true
		})
		return true
	})
	if !like || len(t.columns) == 0 {
		return valueTable{}
	}
	for _, record := range records {
		row := make([]cell, len(t.columns))
		record.ForEach(func(key, member gjson.Result) bool {
			if i, shown := place[key.String()]; shown {
				row[i] = cellOf(member)
			}
			return true
		})
		t.rows = append(t.rows, row)
	}
	return t
}

func cellOf(v gjson.Result) cell {
	switch v.Type {
	case gjson.String:
		return cell{text: shortString(v.Raw, cellBytes)}
	case gjson.Number:
		return cell{text: shorten(v.Raw, cellBytes), number: true}
	}
	return cell{text: compact(v.Raw, cellBytes)}
}

// summaryBytes is how large a value may be to be looked into for the line of a closed card.
const summaryBytes = 64_000

// summarize says in a line what a value is: what it says of itself, or its first scalars, or its
// size.
func (p *Page) summarize(raw string) string {
	const line, members = 160, 3
	if raw == "" || raw == "null" {
		return ""
	}
	if len(raw) > summaryBytes || protocol.Depth(raw) > maxShownDepth {
		return formatSize(int64(len(raw)))
	}
	value := gjson.Parse(raw)
	switch {
	case value.IsArray():
		_, count := shapeOfValue(value)
		return p.entries('[', count)
	case value.Type == gjson.String:
		return shorten(value.String(), line)
	case !value.IsObject():
		return shorten(raw, line)
	}
	for _, key := range []string{"summary", "message"} {
		if said := value.Get(key); said.Type == gjson.String && said.Str != "" {
			return shorten(said.Str, line)
		}
	}
	var parts []string
	value.ForEach(func(key, member gjson.Result) bool {
		if !member.IsObject() && !member.IsArray() {
			parts = append(parts, shorten(key.String(), 40)+" "+cellOf(member).text)
		}
		return len(parts) < members
	})
	if len(parts) == 0 {
		kind, count := shapeOfValue(value)
		return p.entries(kind, count)
	}
	return shorten(strings.Join(parts, p.T(locales.AppSep)), line)
}

// faultText says in a line why a tool failed.
func (p *Page) faultText(raw string) string {
	value := gjson.Parse(raw)
	if value.IsObject() && len(raw) <= summaryBytes {
		text, code := value.Get("message").String(), value.Get("code").String()
		switch {
		case text != "" && code != "":
			return shorten(text+" ("+code+")", 240)
		case text != "":
			return shorten(text, 240)
		}
	}
	return p.summarize(raw)
}
