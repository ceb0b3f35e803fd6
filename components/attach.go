package components

import (
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

func (c *composer) onAttach(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	input := ctx.JSSrc()
	c.P.attach(input.Get("files"))
	input.Set("value", "") // so that the same file can be chosen again
	focusOn(messageBox())
}

// onPaste attaches pasted files; pasted text goes into the box as ever.
func (c *composer) onPaste(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	data := e.Get("clipboardData")
	if !data.Truthy() || data.Get("files").Length() == 0 {
		return
	}
	e.PreventDefault()
	c.P.attach(data.Get("files"))
}

// attach uploads files for the next message of the session on screen.
func (p *Page) attach(list app.Value) {
	files := filesOf(list)
	p.Do(func() {
		sid := p.Store.State().Current
		for _, f := range files {
			p.Acts.Attach(sid, f.name, f.size, f.handle)
		}
	})
}

// pickedFile is a file that a person has chosen. The handle is the browser's; only the network knows
// what to do with it.
type pickedFile struct {
	name   string
	size   int64
	handle any
}

// acceptDrops takes files that are dropped anywhere on the page. Without it the browser would leave
// the page for the file.
func (p *Page) acceptDrops(ctx app.Context) (stops []func()) {
	show := func(on bool) {
		if target := byID("drop"); target.Truthy() {
			target.Set("hidden", !on)
		}
	}
	return []func(){
		listen(app.Window(), "dragover", false, func(e app.Value) {
			if carriesFiles(e) {
				e.Call("preventDefault")
				show(true)
			}
		}),
		listen(app.Window(), "dragleave", true, func(e app.Value) {
			if !e.Get("relatedTarget").Truthy() { // the pointer has left the page
				show(false)
			}
		}),
		listen(app.Window(), "drop", false, func(e app.Value) {
			show(false)
			if !carriesFiles(e) {
				return
			}
			e.Call("preventDefault")
			files := e.Get("dataTransfer").Get("files")
			ctx.Dispatch(func(ctx app.Context) {
				ctx.PreventUpdate()
				p.attach(files)
			})
		}),
	}
}

func carriesFiles(e app.Value) bool {
	data := e.Get("dataTransfer")
	return data.Truthy() && data.Get("types").Call("includes", "Files").Bool()
}

// files are the attachments of the next message.
func (c *composer) files(files []store.File) app.UI {
	var chips []app.UI
	for _, f := range files {
		chip := &fileChip{P: c.P, Lang: c.Lang, SID: c.SID, ID: f.ID, Name: f.Name, Size: f.Size, State: f.State}
		if f.Err != nil {
			chip.Err = *f.Err
		}
		chips = append(chips, chip)
	}
	return app.Ul().Class("files").Hidden(len(files) == 0).Aria("label", c.P.T(locales.FileLabel)).Body(chips...)
}

// fileChip is one attachment.
type fileChip struct {
	app.Compo

	P     *Page
	Lang  string
	SID   string
	ID    string
	Name  string
	Size  int64
	State store.FileState
	Err   protocol.Error
}

// CompoID ties the chip's buttons to its file.
func (f *fileChip) CompoID() string { return f.ID }

func (f *fileChip) onRemove(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	f.P.Do(func() { f.P.Acts.RemoveFile(f.SID, f.ID) })
	focusOn(messageBox())
}

func (f *fileChip) onRetry(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	f.P.Do(func() { f.P.Acts.RetryUpload(f.ID) })
}

func (f *fileChip) Render() app.UI {
	p := f.P
	failed, uploading := f.State == store.FileFailed, f.State == store.FileUploading
	name := shorten(f.Name, 120)
	li := app.Li().Class("file").Attr(hook("attachment")).Attr("data-state", string(f.State))
	symbol := fileIcon(f.Name)
	if failed {
		li = li.Class("file--bad")
		symbol = "alert"
	}
	return li.Body(
		app.Span().Class("file__ic").Body(icon(symbol)),
		app.Span().Class("grow").Body(app.B().Class("ellip").Title(f.Name).Text(name), f.detail()),
		app.Span().Class("file__acts").Body(
			app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").Attr(hook("attachment-retry")).
				Hidden(!failed).Disabled(!failed).
				Aria("label", p.T(locales.FileRetry, locales.A("Name", name))).OnClick(f.onRetry).
				Body(icon("retry", "i--14")),
			app.Button().Class("btn btn--ghost btn--icon btn--sm").Type("button").Attr(hook("attachment-remove")).
				Aria("label", p.T(locales.FileRemove, locales.A("Name", name))).OnClick(f.onRemove).
				Body(icon("x", "i--14")),
		),
		app.Div().Hidden(!uploading).Body(uploadBar(p, uploading)),
	)
}

// uploadBar moves without telling how far: the browser does not say while fetch uploads.
func uploadBar(p *Page, shown bool) app.UI {
	if !shown {
		return app.Span()
	}
	return app.Progress().Class("bar").Aria("label", p.T(locales.FileUploading))
}

func (f *fileChip) detail() app.UI {
	p := f.P
	switch f.State {
	case store.FileFailed:
		return app.Small().Attr(hook("error")).Attr("data-code", f.Err.Code).Text(p.uploadError(f.Err))
	case store.FileUploading:
		text := p.T(locales.FileUploading)
		if f.Size > 0 {
			text += p.T(locales.AppSep) + formatSize(f.Size)
		}
		return app.Small().Class("ellip").Text(text)
	}
	if f.Size > 0 {
		return app.Small().Class("ellip").Text(formatSize(f.Size))
	}
	return app.Small().Class("ellip").Text(p.T(locales.FileReady))
}

func (p *Page) uploadError(e protocol.Error) string {
	status := locales.A("Status", itoa(e.Status))
	switch e.Code {
	case protocol.CodeFileTooLarge:
		return p.T(locales.FileTooLarge, status)
	case protocol.CodeFileType:
		return p.T(locales.FileType, status)
	case protocol.CodeFileEmpty:
		return p.T(locales.FileEmpty, status)
	}
	return p.errorText(&e)
}

func fileIcon(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".txt":
		return "table"
	case ".json":
		return "json"
	case ".graphml", ".xml":
		return "share"
	}
	return "file"
}
