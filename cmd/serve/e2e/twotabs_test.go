package e2e

import "testing"

func TestTwoTabsMakeOneDecision(t *testing.T) {
	w := newWorld(t)
	one := w.paused()
	two := w.open(one.path())
	two.waitAttr(card("q-1"), "data-status", "pending")
	w.fault(`{"on":"feedback","gate":"feedback","times":-1}`)
	one.click(card("q-1", hook("approve")))
	w.waitGate("feedback", 1)
	controls := w.requests("control")
	two.click(card("q-1", hook("reject")))
	w.waitRequests("control", len(controls)+2) // which still say that the request is pending
	two.waitAttr(card("q-1"), "data-status", "checking")
	two.wantCount(hook("error"), 0)
	w.openGate("feedback")
	for _, p := range []*page{one, two} {
		p.waitDecided("q-1", "approved")
		p.wantCount(hook("error"), 0)
	}
	w.wantDecisions("q-1 approve")
}

func TestATabShowsWhatAnotherHasDecided(t *testing.T) {
	w := newWorld(t)
	one := w.paused()
	two := w.open(one.path())
	two.waitAttr(card("q-1"), "data-status", "pending")
	one.click(card("q-1", hook("reject")))
	for _, p := range []*page{one, two} {
		p.waitDecided("q-1", "rejected")
		p.wantCount(hook("error"), 0)
	}
	w.wantDecisions("q-1 reject")
}

func TestADecisionOfATabThatFailedCanBeMadeInAnother(t *testing.T) {
	w := newWorld(t)
	one := w.paused()
	two := w.open(one.path())
	two.waitAttr(card("q-1"), "data-status", "pending")
	w.fault(`{"on":"feedback","gate":"feedback"}`)
	w.fault(`{"on":"feedback","status":429,"code":"BUSY"}`)
	one.click(card("q-1", hook("approve")))
	w.waitGate("feedback", 1)
	two.click(card("q-1", hook("reject")))
	two.waitAttr(card("q-1"), "data-status", "checking")
	w.openGate("feedback")
	one.waitAttr(card("q-1"), "data-status", "pending")
	two.waitAttr(card("q-1"), "data-status", "pending")
	two.click(card("q-1", hook("reject")))
	two.waitDecided("q-1", "rejected")
	one.waitDecided("q-1", "rejected")
	w.wantDecisions("q-1 approve", "q-1 reject")
}
