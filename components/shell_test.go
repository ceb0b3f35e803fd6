package components

import (
	"errors"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
)

// screen is the whole page as HTML on one line.
func screen(p *Page) string {
	return spaces.ReplaceAllString(app.HTMLString(NewShell(p)), " ")
}

// drawn is a component as HTML on one line.
func drawn(c app.UI) string { return spaces.ReplaceAllString(app.HTMLString(c), " ") }

func TestPageHasItsHooks(t *testing.T) {
	p := storyPage(t, "zh", savedTurn(t, protocol.StatusRunning), func(tx *store.Tx) {
		tx.SetRow(listed("s", "running"))
		tx.Sessions.Loaded = true
		tx.SetComposer("s", store.Composer{Files: []store.File{{ID: "f", Name: "a.csv", State: store.FileReady}}})
	})
	html := screen(p)
	expect(t, html, "app", `data-lang="zh"`, `data-theme="light"`, `data-ready="false"`)
	expect(t, html, "connection", `data-state="live"`)
	expect(t, html, "session", `data-session-id="s"`, `data-status="running"`)
	expect(t, html, "attachment", `data-state="ready"`)
	expect(t, html, "turn", `data-run-id="r-1"`)
	for _, name := range []string{
		"session-list", "new-session", "session-search", "language", "theme", "conversation", "composer", "send", "stop",
		"attach", "attachment-remove", "output-format", "reasoning-mode", "planning-mode", "inspector-toggle",
	} {
		expect(t, html, name)
	}
	for _, value := range []string{"en", "zh", "light", "dark", "system", "chat", "report", "json", "fast", "deep", "auto", "always", "off"} {
		if !strings.Contains(html, `="`+value+`"`) {
			t.Errorf("nothing has the value %s", value)
		}
	}
	for _, name := range []string{"jump-to-latest", "inspector"} {
		if element(html, name) != "" {
			t.Errorf("%s is there already", name)
		}
	}
}

func TestNoInlineStyleIsWritten(t *testing.T) {
	html := screen(storyPage(t, "en", savedTurn(t, protocol.StatusRunning), nil))
	if strings.Contains(html, " style=") {
		t.Error("the page's content security policy blocks inline styles")
	}
}

func TestFirstLoadIsDoneWhenAllIsThereOrKnownNotToCome(t *testing.T) {
	failed := &protocol.Error{Code: protocol.CodeNetwork}
	for _, c := range []struct {
		name   string
		change func(*store.Tx)
		want   bool
	}{
		{"nothing yet", func(*store.Tx) {}, false},
		{"the list, new chat", func(tx *store.Tx) { tx.Sessions.Loaded = true }, true},
		{"no list, new chat", func(tx *store.Tx) { tx.Sessions.Err = failed }, true},
		{"the list, session asked for", func(tx *store.Tx) {
			tx.Sessions.Loaded, tx.Current = true, "s"
			tx.Session("s")
		}, false},
		{"both", func(tx *store.Tx) {
			tx.Sessions.Loaded, tx.Current = true, "s"
			tx.Session("s").Loaded = true
		}, true},
		{"no session", func(tx *store.Tx) {
			tx.Sessions.Loaded, tx.Current = true, "s"
			tx.Session("s").LoadErr = failed
		}, true},
	} {
		s := store.New()
		_ = s.Update(func(tx *store.Tx) error { c.change(tx); return nil })
		if got := firstLoadDone(s.State(), false); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestStripSaysWhyNothingCanBeSent(t *testing.T) {
	ask := `{"type":"approval","request":{"request_id":"q","args":{}},"status":"pending"}`
	for _, c := range []struct {
		name   string
		status string
		change func(*store.Tx)
		says   []string
		stop   bool
	}{
		{"running", "running", nil, []string{"You can send again when the run ends."}, true},
		{"approval", "paused", nil, []string{"Waiting for your decision.", "Go to request"}, true},
		{"deciding", "paused", func(tx *store.Tx) {
			tx.SetDecision("r-1", "q", store.Decision{State: store.ActSubmitting})
		}, []string{"Sending your decision…"}, true},
		{"stopping", "running", func(tx *store.Tx) {
			turn := tx.LastTurn("s")
			turn.Cancel, turn.Stopped = store.CancelAsked, true
		}, []string{"Stopping…", "Stop requested", "Execution stopped", "Results saved"}, true},
		{"unconfirmed", "running", func(tx *store.Tx) {
			turn := tx.LastTurn("s")
			turn.Cancel, turn.Unconfirmed = store.CancelAsked, true
		}, []string{"The server has not confirmed yet.", "Check again"}, true},
		{"stop refused", "running", func(tx *store.Tx) {
			turn := tx.LastTurn("s")
			turn.Cancel, turn.CancelErr = store.CancelFailed, &protocol.Error{Code: "HTTP_500", Status: 500}
		}, []string{"The run was not stopped.", "500"}, true},
		{"confirming", "completed", nil, []string{"The run has ended; waiting until the server has saved it."}, false},
		{"uploading", "completed", func(tx *store.Tx) {
			tx.LastTurn("s").Confirmed = true
			tx.SetComposer("s", store.Composer{Files: []store.File{{ID: "f", State: store.FileUploading}}})
		}, []string{"Send is on when the upload ends."}, false},
		{"upload failed", "completed", func(tx *store.Tx) {
			tx.LastTurn("s").Confirmed = true
			tx.SetComposer("s", store.Composer{Files: []store.File{{ID: "f", State: store.FileFailed}}})
		}, []string{"Remove or retry the failed file to send."}, false},
		{"not loaded", "completed", func(tx *store.Tx) {
			session := tx.Session("s")
			session.Loaded, session.LoadErr = false, protocol.NetworkError(errors.New("gone"))
		}, []string{"This session is not loaded, so nothing can be sent."}, false},
		{"offline", "completed", func(tx *store.Tx) {
			tx.LastTurn("s").Confirmed = true
			tx.Online = false
		}, []string{"Offline. Your draft is kept."}, false},
		{"editing", "completed", func(tx *store.Tx) {
			tx.LastTurn("s").Confirmed = true
			tx.SetComposer("s", store.Composer{EditTurn: "k"})
		}, []string{"Replaces your latest message and its answer."}, false},
	} {
		turn := savedTurn(t, c.status, ask)
		turn.Confirmed = false
		p := storyPage(t, "en", turn, c.change)
		strip := newStrip(p, p.State().Session("s"))
		html := drawn(strip)
		if !strip.shown() {
			t.Errorf("%s: the strip is hidden", c.name)
		}
		for _, text := range c.says {
			if !strings.Contains(words(html), text) {
				t.Errorf("%s: %q is not said: %s", c.name, text, words(html))
			}
		}
		if (element(html, "stop") != "") != c.stop {
			t.Errorf("%s: stop offered: %v", c.name, !c.stop)
		}
	}
}

func TestNothingToSayHidesTheStrip(t *testing.T) {
	turn := savedTurn(t, protocol.StatusCompleted)
	turn.Confirmed = true
	p := storyPage(t, "en", turn, nil)
	if strip := newStrip(p, p.State().Session("s")); strip.shown() {
		t.Errorf("says %s", words(drawn(strip)))
	}
}

func TestStoppingButtonCannotBePressedAgain(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, protocol.StatusRunning), func(tx *store.Tx) {
		tx.LastTurn("s").Cancel = store.CancelAsked
	})
	expect(t, drawn(newStrip(p, p.State().Session("s"))), "stop", `aria-disabled`)
}

func TestBannerTellsTheTruthAndTheWayOut(t *testing.T) {
	for _, c := range []struct {
		name string
		conn store.Connection
		code string
		says []string
	}{
		{"lost", store.Connection{Phase: store.PhaseReconnecting, Attempt: 3, Since: testTime}, "",
			[]string{"Connection lost.", "The run continues on the server.", "attempt 3", "Try now"}},
		{"refused", store.Connection{Phase: store.PhaseReconnecting, Attempt: 1, Err: &protocol.Error{Code: "HTTP_503", Status: 503}}, "HTTP_503",
			[]string{"Connection lost.", "503"}},
		{"unreachable", store.Connection{Phase: store.PhaseReconnecting, Attempt: 9}, "",
			[]string{"Cannot reach the server.", "Check your network", "Try now"}},
		{"rebuilding", store.Connection{Phase: store.PhaseRebuilding, Done: 12, Total: 4096}, "",
			[]string{"Rebuilding this run…", "Restoring 12 of 4,096 events."}},
		{"snapshot awaited", store.Connection{Phase: store.PhaseSnapshot, Attempt: 2}, "",
			[]string{"Catching up from a snapshot…", "Try now"}},
		{"failed", store.Connection{Phase: store.PhaseFailed, Err: &protocol.Error{Code: "HTTP_500", Status: 500}}, "HTTP_500",
			[]string{"500", "Try again"}},
		{"sign in", store.Connection{Phase: store.PhaseFailed, Err: &protocol.Error{Code: "HTTP_401", Status: 401}}, "HTTP_401",
			[]string{"401", "Sign in again", "Try again"}},
		{"newer protocol", store.Connection{Phase: store.PhaseFailed, Err: &protocol.Error{Code: protocol.CodeVersion}}, protocol.CodeVersion,
			[]string{"Reload to update the console.", "Reload"}},
	} {
		p := storyPage(t, "en", savedTurn(t, protocol.StatusRunning), func(tx *store.Tx) { tx.Session("s").Conn = c.conn })
		html := drawn(newBanners(p, p.State().Session("s")))
		for _, text := range c.says {
			if !strings.Contains(words(html), text) {
				t.Errorf("%s: %q is not said: %s", c.name, text, words(html))
			}
		}
		if c.code != "" {
			expect(t, html, "error", `data-code="`+c.code+`"`)
		}
	}
}

func TestHealthyConnectionShowsNoBanner(t *testing.T) {
	for _, phase := range []store.Phase{store.PhaseIdle, store.PhaseLive, store.PhasePaused, store.PhaseConnecting, store.PhaseSnapshot} {
		p := storyPage(t, "en", savedTurn(t, protocol.StatusRunning), func(tx *store.Tx) { tx.Session("s").Conn.Phase = phase })
		if said := words(drawn(newBanners(p, p.State().Session("s")))); said != "" {
			t.Errorf("%s: says %q", phase, said)
		}
	}
}

func TestOnlyTheNewestPagesOfALongSessionAreDrawn(t *testing.T) {
	first := savedTurn(t, protocol.StatusCompleted)
	p := storyPage(t, "en", first, func(tx *store.Tx) {
		for i := range 119 {
			turn := *first
			turn.Key = itoa(i)
			tx.AddTurn("s", &turn)
		}
	})
	html := drawn(&conversation{P: p, SID: "s", Session: p.State().Session("s"), Lang: "en"})
	if n := strings.Count(html, `data-testid="turn"`); n != 45 { // pages of 25: the last 20, and the 25 before
		t.Errorf("%d turns are drawn", n)
	}
	expect(t, html, "history-more")
	if !strings.Contains(words(html), "Showing the latest 45 of 120 messages") {
		t.Error("it is not said how many there are")
	}
}

func TestWhatStandsInForTurns(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*store.Session)
		says   string
		code   string
	}{
		{"loading", func(s *store.Session) { s.Loaded = false }, "Loading messages", ""},
		{"not loaded", func(s *store.Session) {
			s.Loaded, s.LoadErr = false, &protocol.Error{Code: "HTTP_500", Status: 500}
		}, "This session did not load.", "HTTP_500"},
		{"not found", func(s *store.Session) {
			s.Loaded, s.LoadErr = false, &protocol.Error{Code: "SESSION_NOT_FOUND", Status: 404}
		}, "This session does not exist, or was deleted.", "SESSION_NOT_FOUND"},
		{"empty", func(*store.Session) {}, "What do you want to know about your graph?", ""},
	} {
		p := storyPage(t, "en", savedTurn(t, protocol.StatusCompleted), func(tx *store.Tx) {
			tx.SetTurns("s", nil)
			c.change(tx.Session("s"))
		})
		html := drawn(&conversation{P: p, SID: "s", Session: p.State().Session("s"), Lang: "en"})
		if !strings.Contains(words(html), c.says) {
			t.Errorf("%s: says %s", c.name, words(html))
		}
		if c.code != "" {
			expect(t, html, "error", `data-code="`+c.code+`"`)
		}
	}
}

func TestErrorsNameTheStatusInBothLanguages(t *testing.T) {
	for _, e := range []*protocol.Error{
		{Code: "HTTP_500", Status: 500},
		{Code: "HTTP_401", Status: 401},
		{Code: "HTTP_429", Status: 429},
		{Code: protocol.CodeBadContentType, Status: 200},
		{Code: protocol.CodeRunActive, Status: 409},
		{Code: protocol.CodeBadFrame, Status: 200},
		{Code: "SOMETHING", Status: 418, JSON: true, Message: "a teapot"},
	} {
		for _, p := range []*Page{inLanguage("en"), inLanguage("zh")} {
			text := p.errorText(e)
			if !strings.Contains(text, itoa(e.Status)) || !strings.Contains(text, e.Message) {
				t.Errorf("%v: says %q", e, text)
			}
		}
	}
}

func TestListShowsWhatItHasInsteadOfRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		list   store.SessionList
		filter filter
		says   string
	}{
		{"loading", store.SessionList{}, filterAll, "Loading sessions"},
		{"failed", store.SessionList{Err: &protocol.Error{Code: "HTTP_502", Status: 502}}, filterAll, "Load again"},
		{"no match", store.SessionList{Loaded: true, Query: "tollway"}, filterAll, "No session matches “tollway”."},
		{"none", store.SessionList{Loaded: true}, filterAll, "No sessions yet."},
		{"none of the kind", store.SessionList{Loaded: true, Rows: []protocol.SessionInfo{listed("a", "idle")}},
			filterWaiting, "No session in this state."},
	} {
		p := storyPage(t, "en", savedTurn(t, protocol.StatusCompleted), func(tx *store.Tx) { tx.Sessions = c.list })
		p.desk.filter = c.filter
		if said := words(drawn(newSidebar(p))); !strings.Contains(said, c.says) {
			t.Errorf("%s: says %s", c.name, said)
		}
	}
}
