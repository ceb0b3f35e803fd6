//go:build js && wasm

// The client of the iGraph Console. This package only wires: the portable packages below it make
// every decision, components draw, and the browser's network, clock and storage are given to them
// here.
package main

import (
	"math/rand/v2"

	"github.com/google/uuid"
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/act"
	"igraph-console/app/observe"
	"igraph-console/app/store"
	"igraph-console/app/wire"
	"igraph-console/components"
	"igraph-console/locales"
)

func main() {
	state := store.New()
	loop := &loop{}
	loop.broken = func() { loop.after(func() { reloadAfterFault(state) }) }

	client := wire.Client{Net: &network{loop: loop, api: app.Getenv("IGRAPH_API_BASE")}, Clock: clock{loop}}
	watcher := &observe.Watcher{Store: state, Client: client, Random: rand.Float64}
	local, tab := storage("localStorage"), storage("sessionStorage")
	acts := &act.Acts{
		Store: state, Client: client, Watcher: watcher, Local: local, Tab: tab, NewID: uuid.NewString,
	}
	watcher.Loaded = acts.Recover
	watcher.Published = acts.Recover

	page := &components.Page{Store: state, Acts: acts, Do: loop.do, Base: app.Getenv("GOAPP_ROOT_PREFIX")}
	acts.Navigate = func(sid string) { navigate(page.SessionPath(sid)) }

	preferences(state, local)
	loop.do(acts.Open)
	watchPage(loop, state, acts)

	app.RouteWithRegexp(".*", func() app.Composer { return components.NewShell(page) })
	app.RunWhenOnBrowser()
}

// preferences takes up language and theme: as chosen before, else the browser's.
func preferences(s *store.Store, local wire.Storage) {
	lang, ok := local.Load("lang")
	if !ok || lang != "en" && lang != "zh" {
		lang = string(locales.Detect(languages()))
	}
	theme, ok := local.Load("theme")
	if !ok || theme != "light" && theme != "dark" {
		theme = "system"
	}
	_ = s.Update(func(tx *store.Tx) error {
		tx.Lang, tx.Theme = lang, theme
		return nil
	})
}
