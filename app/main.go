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
	"igraph-console/app/browser"
	"igraph-console/app/observe"
	"igraph-console/app/store"
	"igraph-console/app/wire"
	"igraph-console/components"
	"igraph-console/locales"
)

func main() {
	state := store.New()
	loop := &browser.Loop{Broken: func() { tellFault(state) }}
	client := wire.Client{
		Net:   &browser.Network{Loop: loop, API: app.Getenv("IGRAPH_API_BASE")},
		Clock: browser.Clock{Loop: loop},
	}
	watcher := &observe.Watcher{Store: state, Client: client, Random: rand.Float64}
	local, tab := browser.Storage("localStorage"), browser.Storage("sessionStorage")
	acts := &act.Acts{
		Store: state, Client: client, Watcher: watcher, Local: local, Tab: tab, NewID: uuid.NewString,
	}
	watcher.Loaded = acts.Recover
	watcher.Published = acts.Recover

	page := &components.Page{Store: state, Acts: acts, Do: loop.Do, Base: app.Getenv("GOAPP_ROOT_PREFIX")}
	acts.Navigate = func(sid string) { browser.Navigate(page.SessionPath(sid)) }

	preferences(state, local)
	loop.Do(acts.Open)
	browser.Watch(loop, state, acts)

	app.RouteWithRegexp(".*", func() app.Composer { return components.NewShell(page) })
	app.RunWhenOnBrowser()
}

// preferences takes up language and theme: as chosen before, else the browser's.
func preferences(s *store.Store, local wire.Storage) {
	lang, ok := local.Load("lang")
	if !ok || lang != "en" && lang != "zh" {
		lang = string(locales.Detect(browser.Languages()))
	}
	theme, ok := local.Load("theme")
	if !ok || theme != "light" && theme != "dark" {
		theme = "system"
	}
	notify, _ := local.Load("notify")
	_ = s.Update(func(tx *store.Tx) error {
		tx.Lang, tx.Theme, tx.Notify = lang, theme, notify == "on"
		return nil
	})
}

// tellFault says that something broke inside the page. What is shown stays; state is read again by
// whatever the person does next.
func tellFault(s *store.Store) {
	_ = s.Update(func(tx *store.Tx) error {
		tx.Notice = &store.Notice{Key: store.NoticeFault, Bad: true}
		return nil
	})
}
