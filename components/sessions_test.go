package components

import (
	"testing"
	"time"

	"igraph-console/app/observe"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

func listed(sid, status string) protocol.SessionInfo {
	return protocol.SessionInfo{SessionID: sid, Title: sid, Status: status, UpdatedAt: testTime}
}

func TestOpenedSessionKnowsItsStatusBeforeTheListDoes(t *testing.T) {
	for _, c := range []struct {
		status string
		change func(*store.Turn)
		want   string
	}{
		{protocol.StatusRunning, nil, protocol.StatusRunning},
		{protocol.StatusPaused, nil, protocol.StatusPaused},
		{protocol.StatusFailed, nil, protocol.StatusFailed},
		{protocol.StatusCompleted, nil, protocol.StatusIdle},
		{protocol.StatusCancelled, nil, protocol.StatusIdle},
		{protocol.StatusCompleted, func(t *store.Turn) { t.Confirmed = false }, protocol.StatusRunning},
		{protocol.StatusRunning, func(t *store.Turn) { t.Cancel = store.CancelAsked }, protocol.StatusRunning},
		{protocol.StatusRunning, func(t *store.Turn) { t.Send = store.SendSubmitting }, protocol.StatusRunning},
	} {
		turn := savedTurn(t, c.status)
		turn.Confirmed = turn.Run.Ended()
		if c.change != nil {
			c.change(turn)
		}
		p := storyPage(t, "en", turn, nil)
		if got := rowStatus(p.State(), listed("s", "idle")); got != c.want {
			t.Errorf("a turn that is %s: got %s, want %s", turn.Status(), got, c.want)
		}
		if got := rowStatus(p.State(), listed("other", "paused")); got != "paused" {
			t.Errorf("a session that is not open: got %s", got)
		}
	}
}

// A run that goes on in the background is not watched: the list says what became of it, and the end
// of a run that was seen stays known.
func TestListKnowsTheStatusOfASessionThatWasLeft(t *testing.T) {
	for _, c := range []struct{ turn, row, want string }{
		{protocol.StatusRunning, "running", "running"},
		{protocol.StatusRunning, "paused", "paused"},
		{protocol.StatusRunning, "idle", "idle"},
		{protocol.StatusPaused, "running", "running"},
		{protocol.StatusCompleted, "paused", "paused"},
		{protocol.StatusCompleted, "idle", "idle"},
		{protocol.StatusFailed, "idle", "failed"},
	} {
		turn := savedTurn(t, c.turn)
		turn.Confirmed = turn.Run.Ended()
		p := storyPage(t, "en", turn, func(tx *store.Tx) { tx.Current = "other" })
		if got := rowStatus(p.State(), listed("s", c.row)); got != c.want {
			t.Errorf("left while %s, listed as %s: got %s, want %s", c.turn, c.row, got, c.want)
		}
	}
}

// What was seen of a run is in its row on leaving: an older reading of the list tells nothing new.
func TestLeavingASessionListsWhatWasSeen(t *testing.T) {
	turn := savedTurn(t, protocol.StatusCompleted)
	turn.Confirmed = true
	p := storyPage(t, "en", turn, func(tx *store.Tx) { tx.SetRow(listed("s", "running")) })
	p.Acts.Watcher = &observe.Watcher{Store: p.Store, Client: p.Acts.Client}
	p.Acts.Show("")
	if got := rowStatus(p.Store.State(), p.Store.State().Sessions.Rows[0]); got != "idle" {
		t.Errorf("got %s", got)
	}
}

func TestSessionsAreGroupedByMidnights(t *testing.T) {
	zone := time.FixedZone("", 8*3600)
	now := time.Date(2026, 3, 30, 0, 30, 0, 0, zone)
	for ago, want := range map[time.Duration]age{
		0:                       ageToday,
		31 * time.Minute:        ageYesterday,
		24 * time.Hour:          ageYesterday,
		25 * time.Hour:          ageWeek,
		7 * 24 * time.Hour:      ageWeek,
		8 * 24 * time.Hour:      ageOlder,
		-time.Hour:              ageToday, // a clock that is ahead
		400 * 24 * time.Hour:    ageOlder,
		29*time.Minute + 59*1e9: ageToday,
	} {
		if got := ageOf(now.Add(-ago).UTC(), now.UTC(), zone); got != want {
			t.Errorf("%v ago: got %d, want %d", ago, got, want)
		}
	}
}

func TestListWritesTimesAsShortAsTheyAreKnown(t *testing.T) {
	now := time.Date(2026, 8, 5, 14, 26, 0, 0, time.UTC)
	for _, c := range []struct {
		at     time.Time
		en, zh string
	}{
		{now.Add(-20 * time.Second), "now", "刚刚"},
		{now.Add(time.Minute), "now", "刚刚"},
		{now.Add(-4 * time.Minute), "4 min", "4分钟"},
		{now.Add(-3 * time.Hour), "11:26", "11:26"},
		{now.AddDate(0, 0, -1), "14:26", "14:26"},
		{now.AddDate(0, 0, -9), "27 Jul", "7月27日"},
		{now.AddDate(-1, 0, 0), "5 Aug 2025", "2025年8月5日"},
		{time.Time{}, "", ""},
	} {
		for lang, want := range map[locales.Lang]string{locales.English: c.en, locales.Chinese: c.zh} {
			if got := inLanguage(lang).when(c.at, now, time.UTC); got != want {
				t.Errorf("%v in %s: got %q, want %q", c.at, lang, got, want)
			}
		}
	}
}

func TestSessionIsCalledByTheBestNameThereIs(t *testing.T) {
	turn := savedTurn(t, protocol.StatusCompleted)
	p := storyPage(t, "en", turn, nil)
	for sid, want := range map[string]string{"": "New chat", "s": "ask twice", "unknown": "Untitled"} {
		if got := p.title(sid); got != want {
			t.Errorf("%q is called %q, want %q", sid, got, want)
		}
	}
	p = storyPage(t, "en", turn, func(tx *store.Tx) { tx.Session("s").Title = "from the session" })
	if got := p.title("s"); got != "from the session" {
		t.Errorf("got %q", got)
	}
	p = storyPage(t, "en", turn, func(tx *store.Tx) {
		tx.Session("s").Title = "from the session"
		tx.SetRow(protocol.SessionInfo{SessionID: "s", Title: "from the list"})
	})
	if got := p.title("s"); got != "from the list" {
		t.Errorf("got %q", got)
	}
}

func TestTabNamesTheSessionAndCountsWhatWaits(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, protocol.StatusPaused), func(tx *store.Tx) {
		tx.SetRow(listed("s", "running"))
		tx.SetRow(listed("b", "paused"))
		tx.SetRow(listed("c", "idle"))
	})
	if got, want := p.documentTitle(), "(2) s · iGraph Console"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSessionThatEndsElsewhereIsUnreadUntilOpened(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, protocol.StatusCompleted), func(tx *store.Tx) {
		tx.SetRow(listed("b", "running"))
	})
	var d desk
	see := func(change func(*store.Tx)) {
		before := p.Store.State()
		if err := p.Store.Update(func(tx *store.Tx) error { change(tx); return nil }); err != nil {
			t.Fatal(err)
		}
		d.noteEnds(before, p.Store.State())
	}
	see(func(tx *store.Tx) { tx.SetRow(listed("b", "running")) })
	if d.unread["b"] {
		t.Error("unread while running")
	}
	see(func(tx *store.Tx) { tx.SetRow(listed("b", "idle")) })
	if !d.unread["b"] {
		t.Error("not unread after its end")
	}
	see(func(tx *store.Tx) { tx.Current = "b" })
	if d.unread["b"] {
		t.Error("unread although on screen")
	}
}

func TestSkillCandidatesOfAllOpenedSessionsAreCounted(t *testing.T) {
	skill := func(id string) string {
		return `{"type":"skill_candidate","candidate_id":"` + id + `","name":"n","description":"d","status":"pending"}`
	}
	past, last := savedTurn(t, protocol.StatusCompleted, skill("k-1"), skill("k-2")), savedTurn(t, protocol.StatusCompleted, skill("k-3"))
	past.Key = "past"
	var c skillCount
	p := storyPage(t, "en", past, func(tx *store.Tx) { tx.AddTurn("s", last) })
	if n, sid := c.of(p.State()); n != 3 || sid != "s" {
		t.Errorf("got %d in %q", n, sid)
	}
	_ = p.Store.Update(func(tx *store.Tx) error {
		tx.SetSkill("k-1", store.Decision{State: store.ActAccepted})
		tx.SetSkill("k-2", store.Decision{State: store.ActOpen})
		return nil
	})
	if n, _ := c.of(p.Store.State()); n != 2 {
		t.Errorf("after one was decided: %d", n)
	}
	_ = p.Store.Update(func(tx *store.Tx) error { tx.DropTurn("s", "past"); return nil })
	if n, _ := c.of(p.Store.State()); n != 1 {
		t.Errorf("after a turn was replaced: %d", n)
	}
}
