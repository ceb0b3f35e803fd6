// Package components is what people see. Components read the store and call act; they know nothing
// of the network, take no decisions about the protocol, and hold no state of record.
//
// The shell subscribes to the store and renders at most once per animation frame. Everything below
// it is a component with small exported fields (ids and revisions): go-app renders a child again
// only when one of them differs, so a frame costs what changed in it, not what is on the page.
package components

import (
	"igraph-console/app/act"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// Page is what every component is given, as one pointer that never changes.
type Page struct {
	Store *store.Store
	Acts  *act.Acts
	// Do runs f where the network's callbacks run: nothing else runs at the same time. Every call
	// of Acts or its Watcher goes through it.
	Do func(f func())
	// Base is the path the console is served under, without a slash at its end; "" at the root.
	Base string

	state *store.State
	words *locales.Catalogue
	ticks ticker
	near  nearby
	desk  desk
	shell *Shell // nil before it is in the page
}

// freeze makes the newest state the one that this frame renders, so that all components of a frame
// see the same.
func (p *Page) freeze() {
	p.state = p.Store.State()
	if p.words == nil || string(p.words.Lang()) != p.state.Lang {
		p.words = locales.For(locales.Lang(p.state.Lang))
	}
}

// State is the state being rendered.
func (p *Page) State() *store.State { return p.state }

// T is a text in the interface's language.
func (p *Page) T(key locales.Key, args ...locales.Arg) string { return p.words.T(key, args...) }

// N is a text that depends on a count.
func (p *Page) N(key locales.PluralKey, count int, args ...locales.Arg) string {
	return p.words.N(key, count, args...)
}

// SessionPath is the address of a session.
func (p *Page) SessionPath(sid string) string {
	if sid == "" {
		return p.Base + "/"
	}
	return p.Base + "/s/" + sid
}
