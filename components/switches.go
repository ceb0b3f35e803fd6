package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// option is one choice of the language or the theme switch.
type option struct {
	app.Compo

	P      *Page
	Kind   string // language or theme
	Value  string
	Chosen bool
	Lang   string
}

func (o *option) onClick(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	o.P.Do(func() {
		if o.Kind == "language" {
			o.P.Acts.SetLanguage(o.Value)
			return
		}
		o.P.Acts.SetTheme(o.Value)
	})
}

// onKey moves along the switch with the arrow keys, as among radio buttons.
func (o *option) onKey(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	sibling := ""
	switch e.Get("key").String() {
	case "ArrowRight", "ArrowDown":
		sibling = "nextElementSibling"
	case "ArrowLeft", "ArrowUp":
		sibling = "previousElementSibling"
	default:
		return
	}
	e.PreventDefault()
	if other := ctx.JSSrc().Get(sibling); other.Truthy() {
		other.Call("focus")
		other.Call("click")
	}
}

func (o *option) Render() app.UI {
	b := app.Button().Type("button").Role("radio").Attr("data-value", o.Value).
		Aria("checked", o.Chosen).TabIndex(tabIndex(o.Chosen)).OnClick(o.onClick).OnKeyDown(o.onKey)
	p := o.P
	switch o.Value {
	case "en":
		return b.Lang("en").Text(p.T(locales.LanguageEn))
	case "zh":
		return b.Lang("zh-CN").Text(p.T(locales.LanguageZh))
	case "light":
		return b.Aria("label", p.T(locales.ThemeLight)).Title(p.T(locales.ThemeLight)).Body(icon("sun", "i--14"))
	case "dark":
		return b.Aria("label", p.T(locales.ThemeDark)).Title(p.T(locales.ThemeDark)).Body(icon("moon", "i--14"))
	}
	return b.Aria("label", p.T(locales.ThemeSystem)).Title(p.T(locales.ThemeSystem)).Body(icon("auto", "i--14"))
}

// tabIndex keeps one option of a switch in the tab order.
func tabIndex(chosen bool) int {
	if chosen {
		return 0
	}
	return -1
}

func options(p *Page, lang, kind, chosen string, values ...string) (list []app.UI) {
	for _, v := range values {
		list = append(list, &option{P: p, Kind: kind, Value: v, Chosen: v == chosen, Lang: lang})
	}
	return list
}

func newLanguageSwitch(p *Page, lang string) app.UI {
	return app.Div().Class("seg").Role("radiogroup").Aria("label", p.T(locales.LanguageLabel)).
		Attr(hook("language")).Body(options(p, lang, "language", lang, "en", "zh")...)
}

func newThemeSwitch(p *Page, lang, theme string) app.UI {
	return app.Div().Class("seg seg--icon").Role("radiogroup").Aria("label", p.T(locales.ThemeLabel)).
		Attr(hook("theme")).Body(options(p, lang, "theme", theme, "system", "light", "dark")...)
}
