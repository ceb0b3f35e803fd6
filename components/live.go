package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// newLiveRegions are the two places from which a screen reader reads by itself. Nothing else in the
// page is live. They are written to directly: what was said is no content to be drawn again.
func newLiveRegions() app.UI {
	return app.Div().Class("over").Body(
		app.Div().Class("vh").ID("said").Role("status").Aria("live", "polite"),
		app.Div().Class("vh").ID("said-now").Role("alert").Aria("live", "assertive"),
	)
}

// saidLines is how many things a region holds, so that one that comes right after another does not
// take its place before it is read.
const saidLines = 4

// say reads something out.
func (p *Page) say(what spoken) {
	id := "said"
	if what.urgent {
		id = "said-now"
	}
	region := byID(id)
	if !region.Truthy() || what.text == "" {
		return
	}
	line := document().Call("createElement", "p")
	line.Set("textContent", what.text)
	region.Call("append", line)
	for region.Get("childElementCount").Int() > saidLines {
		region.Get("firstElementChild").Call("remove")
	}
}

// tell says something politely: that a text was copied, for instance.
func (p *Page) tell(text string) { p.say(spoken{text: text}) }
