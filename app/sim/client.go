package sim

import (
	"fmt"
	"time"

	"igraph-console/app/act"
	"igraph-console/app/observe"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// Client is one tab: the real store, watcher and acts over the simulated network.
type Client struct {
	Store   *store.Store
	Net     *Network
	Watcher *observe.Watcher
	Acts    *act.Acts
}

// NewClient opens a tab. Its tab storage outlives it, as over a refresh; ids counts the ids made.
func NewClient(s *Server, fate func(wire.Request) Fate, local, tab Storage, ids *int) *Client {
	c := &Client{Store: store.New(), Net: &Network{Clock: s.Clock, Server: s, Fate: fate}}
	client := wire.Client{Net: c.Net, Clock: pageClock{s.Clock, c.Net}}
	c.Watcher = &observe.Watcher{Store: c.Store, Client: client, Random: func() float64 { return 0.5 }}
	c.Acts = &act.Acts{
		Store: c.Store, Client: client, Watcher: c.Watcher, Local: local, Tab: tab,
		NewID: func() string {
			*ids++
			return fmt.Sprintf("id-%d", *ids)
		},
		Navigate: func(sid string) { c.Acts.Show(sid) },
	}
	c.Watcher.Loaded, c.Watcher.Published = c.Acts.Recover, c.Acts.Recover
	_ = c.Store.Update(func(tx *store.Tx) error {
		tx.Caps.RunCancel, tx.Caps.JobCancel, tx.Caps.EditLatest = true, true, true
		return nil
	})
	c.Acts.Open()
	return c
}

// Close is a refresh or a closed tab: nothing of it runs any more.
func (c *Client) Close() { c.Net.close() }

// pageClock is the clock as a page sees it: its timers end with it.
type pageClock struct {
	*Clock
	net *Network
}

func (c pageClock) After(d time.Duration, f func()) (stop func()) {
	return c.Clock.After(d, func() {
		if !c.net.closed {
			f()
		}
	})
}
