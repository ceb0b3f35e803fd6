package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
	"igraph-console/locales"
)

// userMessage is what the person sent. It is shown as it was typed: no marks are read into it.
type userMessage struct {
	app.Compo

	P       *Page
	SID     string
	Turn    *store.Turn
	CanEdit bool
	Latest  bool
	Lang    string
}

func (v *userMessage) copyText() string { return v.Turn.User.Text }

func (v *userMessage) Render() app.UI {
	return guarded(v.P, func() app.UI {
		t := v.Turn
		class := "turn turn--user"
		if v.Latest {
			class += " turn--last"
		}
		return app.Article().Class(class).
			Aria("label", v.P.T(locales.TurnYouAt, locales.A("Time", v.P.at(t.CreatedAt)))).
			Body(
				app.Div().Class("asked").Attr(hook("user-message")).Body(
					app.Div().Class("bubble").Dir("auto").Body(longText(t.User.Text)...),
					app.Ul().Class("files").Hidden(len(t.User.Attachments) == 0).Body(v.files()...),
				),
				app.Div().Class("turn__acts").Body(
					&copyButton{P: v.P, Of: v, Text: locales.TurnCopy, Bare: true, Lang: v.Lang},
					app.Div().Body(v.edit()),
				),
			)
	})
}

func (v *userMessage) files() []app.UI {
	var files []app.UI
	for _, f := range v.Turn.User.Attachments {
		name := f.Filename
		if name == "" {
			name = v.P.T(locales.FileUnnamed)
		}
		files = append(files, app.Li().Class("file").Body(
			app.Span().Class("file__ic").Body(icon("file")),
			app.B().Class("ellip").Dir("auto").Title(showControls(name)).Text(showControls(name)),
		))
	}
	return files
}

func (v *userMessage) edit() app.UI {
	if !v.CanEdit {
		return nil
	}
	label := v.P.T(locales.TurnEditMessage)
	return app.Button().Type("button").Class("btn btn--ghost btn--icon btn--sm").Attr(hook("edit-turn")).
		Aria("label", label).Title(label).OnClick(v.startEdit).Body(icon("pen", "i--14"))
}

// startEdit puts the text into the message box. A draft there comes back afterwards.
func (v *userMessage) startEdit(app.Context, app.Event) {
	v.P.Do(func() { v.P.Acts.Edit(v.SID, v.P.Acts.Draft(v.SID)) })
}
