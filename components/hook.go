package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// hook is the attribute by which tests find an element: Attr(hook("turn")).
func hook(name string) (attribute string, value any) { return "data-testid", name }

const svgNamespace = "http://www.w3.org/2000/svg"

// svg makes an element of a drawing. Without the namespace the browser would make an unknown HTML
// element of the same name, which shows nothing.
func svg(tag string) app.HTMLElem { return app.Elem(tag).XMLNS(svgNamespace) }

// icon draws a symbol of the page's sprite. It is decoration: words beside it, or a label on the
// button around it, say the same.
func icon(name string, classes ...string) app.UI {
	return svg("svg").Class("i").Class(classes...).Aria("hidden", true).Body(svg("use").Attr("href", "#"+name))
}
