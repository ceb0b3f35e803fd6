package store

import "strings"

// text is a string that grows at its end. Versions share one buffer: appending to the newest
// version costs what is appended, not what is there. Appending to an older version (after a
// transaction that failed) copies, so that no version ever changes.
type text struct {
	buf *strings.Builder
	n   int
}

func newText(s string) text {
	if s == "" {
		return text{}
	}
	return text{}.append(s)
}

func (t text) append(s string) text {
	if s == "" {
		return t
	}
	if t.buf == nil || t.buf.Len() != t.n {
		old := t.String()
		t.buf = &strings.Builder{}
		t.buf.WriteString(old)
	}
	t.buf.WriteString(s)
	t.n = t.buf.Len()
	return t
}

// String returns the text without copying it.
func (t text) String() string {
	if t.buf == nil {
		return ""
	}
	return t.buf.String()[:t.n]
}

// list is a slice that grows at its end, on the same terms as text.
type list[T any] struct {
	all *[]T
	n   int
}

func newList[T any](values []T) list[T] {
	if len(values) == 0 {
		return list[T]{}
	}
	all := append([]T(nil), values...)
	return list[T]{all: &all, n: len(all)}
}

func (l list[T]) append(v T) list[T] {
	if l.all == nil || len(*l.all) != l.n {
		all := append([]T(nil), l.view()...)
		l.all = &all
	}
	*l.all = append(*l.all, v)
	l.n = len(*l.all)
	return l
}

// view returns the values without copying them; they must not be changed.
func (l list[T]) view() []T {
	if l.all == nil {
		return nil
	}
	return (*l.all)[:l.n:l.n]
}
