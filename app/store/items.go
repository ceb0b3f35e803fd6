package store

import (
	"time"

	"igraph-console/app/protocol"
)

// ItemKey identifies an item within its run.
type ItemKey struct{ Type, ID string }

// Item is one piece of a run's visible content. Rev changes whenever the item does, so a component
// that holds the same Rev need not render again. Exactly one pointer is set for a known type; an
// item of unknown type has only Raw.
type Item struct {
	Key      ItemKey
	Rev      uint64
	Message  *Message
	Plan     *protocol.Plan
	Tool     *Tool
	Approval *protocol.Approval
	Skill    *protocol.Skill
	Raw      protocol.RawJSON
}

// Message is an answer that may still be growing.
type Message struct {
	ID       string
	Format   string
	Complete bool

	started   bool
	text      text
	reasoning text
}

// Text returns the answer so far, without copying it.
func (m *Message) Text() string { return m.text.String() }

// Reasoning returns the reasoning so far, without copying it.
func (m *Message) Reasoning() string { return m.reasoning.String() }

// Tool is a tool call. Status is running, cancelling, succeeded, failed or cancelled.
type Tool struct {
	Tool      string
	CallID    string
	Args      protocol.RawJSON
	Job       bool
	Status    string
	Progress  *protocol.Progress
	Result    protocol.RawJSON
	Error     protocol.RawJSON
	StartedAt time.Time
	EndedAt   time.Time

	started bool
	series  []metric
}

type metric struct {
	name   string
	points list[protocol.Point]
}

// Ended reports whether the tool has finished.
func (t *Tool) Ended() bool {
	return t.Status != protocol.StatusRunning && t.Status != protocol.StatusCancelling
}

// Series returns the history of each metric, in order of first appearance.
func (t *Tool) Series() []protocol.Series {
	set := make([]protocol.Series, 0, len(t.series))
	for _, m := range t.series {
		set = append(set, protocol.Series{Name: m.name, Points: m.points.view()})
	}
	return set
}

// pageSize is how many items share a page: a change copies one page, not the list.
const pageSize = 32

// page is a part of the item list. The fold whose rev it carries may change it in place.
type page struct {
	rev   uint64
	items []*Item
}

// itemList is an ordered list with an index. The index is shared between versions; entries at or
// beyond n belong to later versions.
type itemList struct {
	pages []*page
	n     int
	index map[ItemKey]int
}

func (l itemList) at(i int) *Item { return l.pages[i/pageSize].items[i%pageSize] }

func (l itemList) find(key ItemKey) (int, bool) {
	i, ok := l.index[key]
	return i, ok && i < l.n
}

// put appends an item.
func (l *itemList) put(rev uint64, it *Item) {
	if l.index == nil || len(l.index) != l.n {
		l.reindex()
	}
	if l.n%pageSize == 0 {
		l.pages = append(l.pages[:len(l.pages):len(l.pages)], &page{rev: rev})
	}
	p := l.ownPage(rev, l.n/pageSize)
	p.items = append(p.items, it)
	l.index[it.Key] = l.n
	l.n++
}

// own returns an item that the fold with this rev may change, together with what it points to.
func (l *itemList) own(rev uint64, i int) *Item {
	p := l.ownPage(rev, i/pageSize)
	it := p.items[i%pageSize]
	if it.Rev == rev {
		return it
	}
	copied := it.copy()
	copied.Rev = rev
	p.items[i%pageSize] = copied
	return copied
}

func (it *Item) copy() *Item {
	copied := *it
	copied.Message = clone(it.Message)
	copied.Tool = clone(it.Tool)
	copied.Approval = clone(it.Approval)
	copied.Skill = clone(it.Skill)
	return &copied
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func (l *itemList) ownPage(rev uint64, i int) *page {
	p := l.pages[i]
	if p.rev == rev {
		return p
	}
	copied := &page{rev: rev, items: make([]*Item, len(p.items), pageSize)}
	copy(copied.items, p.items)
	l.pages = append([]*page(nil), l.pages...)
	l.pages[i] = copied
	return copied
}

// reindex gives this version an index of its own, after another version has grown the shared one.
func (l *itemList) reindex() {
	l.index = make(map[ItemKey]int, l.n+1)
	for i := range l.n {
		l.index[l.at(i).Key] = i
	}
}
