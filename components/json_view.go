package components

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/tidwall/gjson"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// json shows an answer that is JSON, as a tree or as it came. While it is not whole there is no
// tree.
func (v *messageView) json(m *store.Message) app.UI {
	text := m.Text()
	shape := shapeOf(text)
	if !v.still(m) {
		shape = jsonShape{}
	}
	tree := shape.valid && !v.raw
	var content app.UI
	if tree {
		content = &jsonTree{P: v.P, Raw: text, Lang: v.Lang}
	} else {
		content = app.Pre().Class("out__raw").TabIndex(0).Dir("ltr").Attr("translate", "no").Body(
			app.Code().Body(longText(text)...))
	}
	return app.Section().Class("card out").Aria("label", v.P.T(locales.ComposerFormatJson)).Body(
		app.Div().Class("out__bar").Body(
			icon("json"),
			app.B().Text(v.P.T(locales.ComposerFormatJson)),
			app.Span().Class("meta num").Text(v.jsonFacts(m, shape)),
			app.Span().Class("grow"),
			app.Div().Class("seg").Attr("role", "radiogroup").Aria("label", v.P.T(locales.JsonView)).Hidden(!shape.valid).Body(
				app.Button().Type("button").Attr("role", "radio").Aria("checked", tree).OnClick(v.showTree).Text(v.P.T(locales.JsonTree)),
				app.Button().Type("button").Attr("role", "radio").Aria("checked", !tree).OnClick(v.showRaw).Text(v.P.T(locales.JsonRaw)),
			),
			&copyButton{P: v.P, Of: v, Text: locales.CopyLabel, Lang: v.Lang},
			&saveButton{P: v.P, Of: v, Name: "answer.json", Type: "application/json", Lang: v.Lang},
		),
		v.hooked(app.Div(), m).Body(content),
	)
}

func (v *messageView) showTree(app.Context, app.Event) { v.raw = false }
func (v *messageView) showRaw(app.Context, app.Event)  { v.raw = true }

func (v *messageView) jsonFacts(m *store.Message, shape jsonShape) string {
	size := formatSize(int64(len(m.Text())))
	switch {
	case !v.still(m):
		return v.P.T(locales.MessageIncomplete) + v.P.T(locales.AppSep) + size
	case !shape.valid:
		return v.P.T(locales.JsonInvalid) + v.P.T(locales.AppSep) + size
	}
	return v.P.entries(shape.kind, shape.count) + v.P.T(locales.AppSep) + size
}

// jsonShape is what a JSON text is, as far as it can be shown as a tree.
type jsonShape struct {
	valid bool
	kind  byte // '{', '[' or 0 for a scalar
	count int
}

func shapeOf(text string) jsonShape {
	if protocol.Depth(text) > maxShownDepth || !gjson.Valid(text) {
		return jsonShape{}
	}
	kind, count := shapeOfValue(gjson.Parse(text))
	return jsonShape{valid: true, kind: kind, count: count}
}

func shapeOfValue(v gjson.Result) (kind byte, count int) {
	switch {
	case v.IsObject():
		kind = '{'
	case v.IsArray():
		kind = '['
	default:
		return 0, 0
	}
	v.ForEach(func(_, _ gjson.Result) bool {
		count++
		return true
	})
	return kind, count
}

// entries says what a container holds.
func (p *Page) entries(kind byte, count int) string {
	switch kind {
	case '{':
		return p.N(locales.JsonKeys, count, locales.A("Count", formatCount(int64(count))))
	case '[':
		return p.N(locales.JsonItems, count, locales.A("Count", formatCount(int64(count))))
	}
	return p.T(locales.JsonScalar)
}

// jsonTree shows a valid JSON text as a tree. Whoever uses it has checked its depth.
type jsonTree struct {
	app.Compo

	P    *Page
	Raw  string
	Lang string

	mode     int // counts presses of expand and collapse
	expand   bool
	budget   int // containers that expanding may still open
	selected string
	wanted   string // what is looked for
}

// expandBudget is how many containers one press opens: enough to see, not enough to freeze the page.
const expandBudget = 400

func (t *jsonTree) copyText() string { return t.selected }

// Render keeps words of its own out of the text content: that is the answer's.
func (t *jsonTree) Render() app.UI {
	return guarded(t.P, func() app.UI {
		find := t.P.T(locales.JsonFind)
		return app.Div().Body(
			app.Div().Class("tree__tools").Body(
				app.Div().Class("search").Body(icon("search"), app.Input().Class("input").Type("search").
					Placeholder(find).Aria("label", find).OnInput(t.look)),
				t.tool(locales.JsonExpand, t.expandAll),
				t.tool(locales.JsonCollapse, t.collapseAll),
			),
			app.Div().Class("tree").Dir("ltr").Attr("translate", "no").Body(t.shown()),
			app.Div().Class("tree__path").Hidden(t.selected == "").Body(
				app.Span().Class("mono grow ellip").Attr("data-label", t.selected),
				&copyButton{P: t.P, Of: t, Text: locales.JsonCopyPath, Bare: true, Lang: t.Lang},
			),
		)
	})
}

func (t *jsonTree) tool(text locales.Key, press app.EventHandler) app.UI {
	label := t.P.T(text)
	return app.Button().Type("button").Class("btn btn--ghost btn--sm").OnClick(press).
		Attr("data-label", label).Aria("label", label)
}

func (t *jsonTree) shown() app.UI {
	if t.wanted == "" {
		return &jsonNode{P: t.P, Tree: t, Raw: t.Raw, Root: true, Mode: t.mode, Selected: t.selected, Lang: t.Lang}
	}
	var rows []app.UI
	for _, m := range findJSON(t.Raw, t.wanted, foundLimit) {
		rows = append(rows, &jsonNode{
			P: t.P, Tree: t, Name: m.path, Raw: m.raw, Path: m.path, Depth: openDepth, Mode: t.mode, Selected: t.selected, Lang: t.Lang,
		})
	}
	if len(rows) == 0 {
		rows = append(rows, app.Li().Body(app.Div().Attr("data-label", t.P.T(locales.JsonNone))))
	}
	return app.Ul().Class("tree__found").Body(rows...)
}

func (t *jsonTree) look(ctx app.Context, _ app.Event) {
	t.wanted = strings.TrimSpace(ctx.JSSrc().Get("value").String())
}

func (t *jsonTree) expandAll(app.Context, app.Event) {
	t.mode, t.expand, t.budget = t.mode+1, true, expandBudget
}

func (t *jsonTree) collapseAll(app.Context, app.Event) { t.mode, t.expand = t.mode+1, false }

// jsonNode is one value of a tree. What is below it is read when it is opened.
type jsonNode struct {
	app.Compo

	P        *Page
	Tree     *jsonTree // never changes
	Name     string
	Raw      string
	Path     string
	Depth    int
	Root     bool
	Mode     int
	Selected string
	Lang     string

	mode  int // the mode that open was decided in
	open  bool
	known bool
	limit int
}

// Containers near the root, and small, are open from the start.
const (
	openDepth = 2
	openCount = 20
	// treePage is how many children are shown at first, and more each time one asks.
	treePage = 50
	// treeString is how much of a long string a tree shows, in bytes.
	treeString = 400
)

func (n *jsonNode) Render() app.UI {
	return guarded(n.P, func() app.UI {
		value := gjson.Parse(n.Raw)
		kind, count := shapeOfValue(value)
		if kind == 0 || count == 0 {
			return n.leaf(value, kind)
		}
		n.decide(count)
		return n.container(value, kind, count)
	})
}

// decide settles whether a container is open, until a person opens or closes it.
func (n *jsonNode) decide(count int) {
	if n.known && n.mode == n.Mode {
		return
	}
	n.known, n.mode = true, n.Mode
	switch {
	case n.Mode == 0:
		n.open = n.Root || n.Depth < openDepth && count <= openCount
	case n.Tree.expand && n.Tree.budget > 0:
		n.Tree.budget--
		n.open = true
	default:
		n.open = n.Root
	}
}

func (n *jsonNode) name() app.UI {
	if n.Root {
		return app.Span()
	}
	return app.Span().Class("key_").Text(showControls(n.Name) + ":")
}

func (n *jsonNode) leaf(value gjson.Result, kind byte) app.UI {
	class, text := scalarText(value, treeString)
	switch kind {
	case '{':
		text = "{}"
	case '[':
		text = "[]"
	}
	row := app.Div().OnClick(n.choose)
	if n.Path != "" && n.Path == n.Selected {
		row = row.Class("is-sel")
	}
	item := app.Li().Body(row.Body(n.name(), app.Span().Class(class).Text(text)))
	if n.Root {
		return app.Ul().Body(item)
	}
	return item
}

// scalarText writes a scalar as it came, with its class in the stylesheet.
func scalarText(value gjson.Result, limit int) (class, text string) {
	switch value.Type {
	case gjson.String:
		return "s", `"` + shortString(value.Raw, limit) + `"`
	case gjson.Number:
		return "n", shorten(value.Raw, limit)
	}
	return "w", shorten(value.Raw, limit)
}

func shortString(raw string, limit int) string {
	text, whole := decodePrefix(raw, limit)
	text = showControls(text)
	if !whole {
		text += "…"
	}
	return text
}

func (n *jsonNode) container(value gjson.Result, kind byte, count int) app.UI {
	var children []app.UI
	if n.open {
		children = n.children(value, kind, count)
	}
	if n.Root {
		return app.Ul().Body(children...)
	}
	return app.Li().Body(app.Details().Attr("open", n.open).Body(
		app.Summary().OnClick(n.toggle).Body(
			icon("chev", "chev"), n.name(), app.Span().Class("c").Text(n.P.entries(kind, count))),
		app.Ul().Body(children...),
	))
}

func (n *jsonNode) children(value gjson.Result, kind byte, count int) []app.UI {
	limit := max(n.limit, treePage)
	var list []app.UI
	index := 0
	value.ForEach(func(key, child gjson.Result) bool {
		name, path := strconv.Itoa(index), n.Path+"["+strconv.Itoa(index)+"]"
		if kind == '{' {
			name = key.String()
			path = memberPath(n.Path, name)
		}
		list = append(list, &jsonNode{
			P: n.P, Tree: n.Tree, Name: shorten(name, treeString), Raw: child.Raw, Path: path,
			Depth: n.Depth + 1, Mode: n.Mode, Selected: n.Selected, Lang: n.Lang,
		})
		index++
		return index < limit
	})
	if count > limit {
		list = append(list, app.Li().Body(app.Div().Body(
			app.Button().Type("button").Class("link").OnClick(n.more).
				Text(n.P.N(locales.JsonShowMore, min(count-limit, treePage))))))
	}
	return list
}

// memberPath writes the way to a member as a program would, in quotes where it has to be.
func memberPath(path, name string) string {
	if isName(name) {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	return path + "[" + encodeString(name) + "]"
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func (n *jsonNode) toggle(_ app.Context, e app.Event) {
	e.PreventDefault()
	n.open = !n.open
}

func (n *jsonNode) more(app.Context, app.Event) { n.limit = max(n.limit, treePage) + treePage }

func (n *jsonNode) choose(app.Context, app.Event) { n.Tree.selected = n.Path }

// foundLimit is how many finds are listed.
const foundLimit = 100

// found is a value whose name or text holds what was looked for.
type found struct{ path, raw string }

// findJSON looks for a text in the names and the scalars of a valid JSON text, without regard to
// case.
func findJSON(text, wanted string, limit int) []found {
	var list []found
	wanted = strings.ToLower(wanted)
	var walk func(path, name string, v gjson.Result) bool
	walk = func(path, name string, v gjson.Result) bool {
		if len(list) == limit {
			return false
		}
		inside := v.IsObject() || v.IsArray()
		if strings.Contains(strings.ToLower(name), wanted) ||
			!inside && strings.Contains(strings.ToLower(v.String()), wanted) {
			list = append(list, found{path, v.Raw})
		}
		if !inside {
			return true
		}
		index := 0
		v.ForEach(func(key, child gjson.Result) bool {
			name, at := "", path+"["+strconv.Itoa(index)+"]"
			if v.IsObject() {
				name = key.String()
				at = memberPath(path, name)
			}
			index++
			return walk(at, name, child)
		})
		return true
	}
	walk("", "", gjson.Parse(text))
	return list
}
