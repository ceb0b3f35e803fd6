package components

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/store"
)

// nearEnd is how close to the end, in pixels, counts as being there.
const nearEnd = 48

// scroller keeps what a person reads in its place. At the end of the conversation the view follows
// what arrives. Anywhere else the line at the top of the view stays where it is, whatever happens
// above or below it: the browser's own scroll anchoring does not know of content that is replaced,
// and not every browser has it, so it is off and this stands in.
type scroller struct {
	box       app.Value // scrolls
	following bool
	mark      mark // where the conversation ended when the reader left its end

	last    float64  // scrollTop as last seen or set
	anchors []anchor // what is read, innermost element first
	touchY  float64

	left  func() // the reader has left the end, or come back
	older func() // the reader comes near the top
	stops []func()
}

// anchor is an element at the top of the view and its distance from the box's upper edge.
type anchor struct {
	el     app.Value
	offset float64
}

// newScroller watches a box whose only child holds the content.
func newScroller(box app.Value, left, older func()) *scroller {
	s := &scroller{box: box, following: true, left: left, older: older}
	s.stops = []func(){
		listen(box, "scroll", true, func(app.Value) { s.scrolled() }),
		listen(box, "wheel", true, s.wheel),
		listen(box, "touchstart", true, func(e app.Value) { s.touchY = touchY(e) }),
		listen(box, "touchmove", true, s.touch),
		observeSize([]app.Value{box, box.Get("firstElementChild")}, s.settle),
	}
	s.settle()
	return s
}

// observeSize calls f after layout and before painting whenever one of the elements has another size.
func observeSize(elements []app.Value, f func()) (stop func()) {
	fn := app.FuncOf(func(app.Value, []app.Value) any {
		f()
		return nil
	})
	observer := app.Window().Get("ResizeObserver").New(fn)
	for _, el := range elements {
		observer.Call("observe", el)
	}
	return func() {
		observer.Call("disconnect")
		fn.Release()
	}
}

func (s *scroller) close() {
	for _, stop := range s.stops {
		stop()
	}
}

// settle puts the view where it belongs after the content has changed.
func (s *scroller) settle() {
	if s.following {
		s.moveTo(number(s.box, "scrollHeight"))
		return
	}
	edge := topOf(s.box)
	for _, a := range s.anchors {
		if !standing(a.el) {
			continue
		}
		if moved := topOf(a.el) - edge - a.offset; math.Abs(moved) >= 0.5 {
			s.moveTo(s.top() + moved)
		}
		return
	}
}

// standing reports whether an element is in the page and takes up room.
func standing(el app.Value) bool {
	return el.Get("isConnected").Bool() && el.Call("getClientRects").Length() > 0
}

func (s *scroller) top() float64 { return number(s.box, "scrollTop") }

func (s *scroller) moveTo(top float64) {
	s.box.Set("scrollTop", top)
	s.last = s.top()
}

// toEnd is how many pixels lie below the view.
func (s *scroller) toEnd() float64 {
	return number(s.box, "scrollHeight") - number(s.box, "clientHeight") - s.top()
}

// scrolled follows a movement. Our own are known by where they ended.
func (s *scroller) scrolled() {
	top := s.top()
	up := top < s.last
	if math.Abs(top-s.last) < 1 {
		return
	}
	s.last = top
	end := s.toEnd()
	switch {
	case end > nearEnd:
		s.follow(false)
	case !up:
		s.follow(true)
	}
	s.remember()
	if up && top < number(s.box, "clientHeight")/2 {
		s.older()
	}
}

// wheel: one tick upwards is a clear wish to stay, even within reach of the end.
func (s *scroller) wheel(e app.Value) {
	if number(e, "deltaY") < 0 && s.top() > 0 {
		s.follow(false)
	}
}

func (s *scroller) touch(e app.Value) {
	y := touchY(e)
	if y > s.touchY && s.top() > 0 {
		s.follow(false)
	}
	s.touchY = y
}

func touchY(e app.Value) float64 { return number(e.Get("touches").Index(0), "clientY") }

// follow changes between following and staying.
func (s *scroller) follow(on bool) {
	if s.following == on {
		return
	}
	s.following = on
	if !on {
		s.remember()
	}
	s.left()
}

// toLatest goes to the end and follows again.
func (s *scroller) toLatest() {
	s.follow(true)
	s.settle()
}

// stay keeps the view where it is, whatever is about to be added.
func (s *scroller) stay() { s.follow(false) }

// remember notes what stands at the top of the view. What begins in view, or holds nothing but text,
// is best. A container that reaches up out of view will not do while there is anything better:
// where it begins says nothing about what moves within it.
func (s *scroller) remember() {
	s.anchors = s.anchors[:0]
	rect := s.box.Call("getBoundingClientRect")
	edge, height := number(rect, "top"), number(rect, "height")
	x := number(rect, "left") + number(rect, "width")/2
	var container app.Value
	for y := 4.0; y < height; y += 8 {
		el := document().Call("elementFromPoint", x, edge+y)
		if !el.Truthy() || !s.inTurn(el) {
			continue
		}
		if topOf(el) >= edge || el.Get("childElementCount").Int() == 0 {
			s.anchor(el, edge)
			return
		}
		if container == nil {
			container = el
		}
	}
	if container != nil {
		s.anchor(container, edge)
	}
}

func (s *scroller) inTurn(el app.Value) bool {
	turn := el.Call("closest", turnSlot)
	return turn.Truthy() && s.box.Call("contains", turn).Bool()
}

// turnSlot selects the place of a turn, which stays while the turn's content is replaced.
const turnSlot = ".thread__turn"

// anchor notes an element and what is around it, up to its turn, in case it goes away.
func (s *scroller) anchor(el app.Value, edge float64) {
	for {
		s.anchors = append(s.anchors, anchor{el: el, offset: topOf(el) - edge})
		if el.Call("matches", turnSlot).Bool() {
			return
		}
		el = el.Get("parentElement")
	}
}

// mark is a place at the end of a conversation.
type mark struct {
	turns int
	items int    // of the last turn
	text  string // of the last message in it; shared, not copied
}

func markEnd(s *store.Session) mark {
	if s == nil || s.Last == nil {
		return mark{}
	}
	m := mark{turns: s.Turns(), items: s.Last.Run.Len()}
	if m.items > 0 {
		m.text = messageText(s.Last.Run.At(m.items - 1))
	}
	return m
}

func messageText(it *store.Item) string {
	if it.Message == nil {
		return ""
	}
	return it.Message.Text()
}
