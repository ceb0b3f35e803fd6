package components

import (
	"sync"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/locales"
)

// ticker renders the running times on the page again, all together once a second. It runs only
// while there are any.
type ticker struct {
	mu    sync.Mutex
	shown map[*runningTime]app.Context
	stop  chan struct{}
}

func (t *ticker) add(shown *runningTime, ctx app.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shown == nil {
		t.shown = map[*runningTime]app.Context{}
	}
	t.shown[shown] = ctx
	if t.stop == nil {
		t.stop = make(chan struct{})
		go t.run(t.stop)
	}
}

func (t *ticker) remove(shown *runningTime) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.shown, shown)
	if len(t.shown) == 0 && t.stop != nil {
		close(t.stop)
		t.stop = nil
	}
}

func (t *ticker) run(stop chan struct{}) {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case <-stop:
			return
		case <-every.C:
			for _, ctx := range t.contexts() {
				ctx.Update()
			}
		}
	}
}

func (t *ticker) contexts() []app.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]app.Context, 0, len(t.shown))
	for _, ctx := range t.shown {
		list = append(list, ctx)
	}
	return list
}

// timeKind is what a running time tells.
type timeKind int

const (
	timeElapsed timeKind = iota // since From
	timeWorking                 // since From, as a phrase
	timeExpires                 // until From, as a phrase
)

// runningTime is a time that changes by itself. At freezes it: while the page does not hear from
// the server, nothing on it may pretend to go on. It stands only where something runs, since a
// component that is told of its mounting costs more than one that is not.
type runningTime struct {
	app.Compo

	P    *Page
	Kind timeKind
	From time.Time
	At   time.Time
	Lang string
}

func (r *runningTime) OnMount(ctx app.Context) { r.P.ticks.add(r, ctx) }

func (r *runningTime) OnDismount() { r.P.ticks.remove(r) }

func (r *runningTime) Render() app.UI {
	now := r.At
	if now.IsZero() {
		now = r.P.now()
	}
	return app.Span().Class("num").Text(r.text(now))
}

func (r *runningTime) text(now time.Time) string {
	if r.Kind == timeExpires {
		left, known := elapsed(now, r.From)
		if !known || left <= 0 {
			return ""
		}
		if left > time.Minute {
			left = left.Round(time.Minute)
		}
		return r.P.T(locales.ApprovalExpires, locales.A("Duration", r.P.formatTimer(left)))
	}
	d, known := elapsed(r.From, now)
	if !known {
		return ""
	}
	if r.Kind == timeWorking {
		return r.P.T(locales.TurnWorkingFor, locales.A("Duration", r.P.formatTimer(d)))
	}
	return r.P.formatTimer(d)
}
