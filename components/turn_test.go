package components

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/app/act"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

var testTime = time.Date(2026, 8, 5, 14, 26, 0, 0, time.UTC)

// stoppedClock is a clock whose hands a test moves.
type stoppedClock struct{ now time.Time }

func (c *stoppedClock) Now() time.Time                            { return c.now }
func (c *stoppedClock) After(time.Duration, func()) (stop func()) { return func() {} }

type memory map[string]string

func (m memory) Load(name string) (string, bool) { v, ok := m[name]; return v, ok }
func (m memory) Save(name, value string) error   { m[name] = value; return nil }
func (m memory) Remove(name string)              { delete(m, name) }
func (m memory) Names(string) []string           { return nil }

// storyPage is a page with one session, s, that shows a turn.
func storyPage(t testing.TB, lang string, turn *store.Turn, change func(*store.Tx)) *Page {
	t.Helper()
	state := store.New()
	clock := &stoppedClock{testTime.Add(time.Minute)}
	p := &Page{
		Store: state,
		Acts:  &act.Acts{Store: state, Client: wire.Client{Clock: clock}, Local: memory{}, Tab: memory{}},
		Do:    func(f func()) { f() },
	}
	err := state.Update(func(tx *store.Tx) error {
		tx.Lang, tx.Current = lang, "s"
		tx.Caps = protocol.Capabilities{RunCancel: true, JobCancel: true, EditLatest: true}
		session := tx.Session("s")
		session.Loaded = true
		session.Conn.Phase = store.PhaseLive
		tx.AddTurn("s", turn)
		if change != nil {
			change(tx)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.freeze()
	return p
}

// savedTurn is a turn as the server keeps it.
func savedTurn(t testing.TB, status string, items ...string) *store.Turn {
	t.Helper()
	body := fmt.Sprintf(`{"session":{"session_id":"s"},"turns":[{"turn_id":"t-1","run_id":"r-1","start_request_id":"k",
		"user":{"text":"ask\n  twice","attachments":[{"file_token":"f","filename":"测试.pdf"}]},
		"response_language":"en-US","output_format":"chat","status":%q,"created_at":"2026-08-05T14:26:00Z","items":[%s]}]}`,
		status, strings.Join(items, ","))
	detail, err := protocol.DecodeSessionDetail([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	saved := detail.Turns[0]
	return &store.Turn{
		Key: "k", TurnID: saved.TurnID, User: saved.User, Lang: saved.ResponseLanguage, Format: saved.OutputFormat,
		CreatedAt: saved.CreatedAt, Confirmed: protocol.Terminal(status), Run: store.Saved("s", saved),
	}
}

var (
	spaces   = regexp.MustCompile(`\s+`)
	elements = regexp.MustCompile(`<[^>]*>`)
	quoted   = regexp.MustCompile(`"(\\.|[^"\\])*"`)
)

// markup is the page's session as HTML on one line.
func markup(p *Page) string {
	session := p.State().Session("s")
	html := app.HTMLString(newTurnView(p, "s", session.Last, p.State().Lang))
	return spaces.ReplaceAllString(html, " ")
}

// words is what stands to be read in some markup.
func words(html string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(elements.ReplaceAllString(html, " "), " "))
}

// element returns the opening tag of the first element with this hook, "" if there is none.
func element(html, name string) string {
	for _, tag := range elements.FindAllString(html, -1) {
		if strings.Contains(tag, `data-testid="`+name+`"`) {
			return tag
		}
	}
	return ""
}

func expect(t *testing.T, html, name string, attributes ...string) {
	t.Helper()
	tag := element(html, name)
	if tag == "" {
		t.Errorf("there is no %s", name)
		return
	}
	for _, a := range attributes {
		if !strings.Contains(tag, a) {
			t.Errorf("%s has no %s: %s", name, a, tag)
		}
	}
}

func TestEveryPartOfATurnHasItsHook(t *testing.T) {
	turn := savedTurn(t, "completed",
		`{"type":"message","message_id":"m-1","format":"markdown","text":"**bold**","reasoning":"why","complete":true}`,
		`{"type":"plan","plan_id":"p","steps":[{"step_id":"s-1","title":"Load","status":"done"}]}`,
		`{"type":"tool","tool":"graph.load","call_id":"c-1","args":{},"job":false,"status":"succeeded"}`,
		`{"type":"tool","tool":"train","call_id":"j-1","args":{},"job":true,"status":"failed","progress":{"epoch":3,"epochs":10},"series":{"loss":[[1,0.5],[2,0.25]]}}`,
		`{"type":"approval","request":{"request_id":"q-1","tool_name":"rm","args":{}},"status":"approve"}`,
		`{"type":"skill_candidate","candidate_id":"k-1","name":"n","description":"d","status":"pending"}`,
		`{"type":"brand_new","x":1}`,
	)
	html := markup(storyPage(t, "en", turn, nil))
	expect(t, html, "turn", `data-turn-id="t-1"`, `data-run-id="r-1"`, `data-status="completed"`, `data-lang="en-US"`)
	expect(t, html, "user-message")
	expect(t, html, "edit-turn")
	expect(t, html, "message", `data-message-id="m-1"`, `data-complete`)
	expect(t, html, "reasoning")
	expect(t, html, "plan")
	expect(t, html, "plan-step", `data-step-id="s-1"`, `data-status="done"`)
	expect(t, html, "tool", `data-call-id="c-1"`, `data-tool="graph.load"`, `data-status="succeeded"`)
	expect(t, html, "tool-toggle")
	expect(t, html, "approval", `data-request-id="q-1"`, `data-status="approved"`)
	expect(t, html, "skill-candidate", `data-candidate-id="k-1"`, `data-status="pending"`)
	expect(t, html, "skill-approve")
	if !strings.Contains(html, `data-epoch="3"`) || !strings.Contains(html, `data-epochs="10"`) {
		t.Error("the job does not tell its epochs")
	}
	if !strings.Contains(words(html), "brand_new") {
		t.Error("an item of unknown type leaves no trace")
	}
	for _, gone := range []string{"approve", "reject", "edit-args", "stop-job", "retry", "ask-again"} {
		if element(html, gone) != "" {
			t.Errorf("%s is offered", gone)
		}
	}
}

func TestTurnSaysWhereItStands(t *testing.T) {
	for _, c := range []struct {
		name, status, says, offers string
		change                     func(*store.Turn)
	}{
		{"unsent", "unsent", "Not sent", "retry", func(t *store.Turn) {
			t.Send, t.SendErr = store.SendUnsent, &protocol.Error{Code: "HTTP_502", Status: 502}
		}},
		{"checking", "checking", "Checking whether the server has it", "", func(t *store.Turn) { t.Send = store.SendChecking }},
		{"running", "running", "working for 1 min", "", func(t *store.Turn) { t.Run.Status = "running" }},
		{"paused", "paused", "waiting for your decision", "", func(t *store.Turn) { t.Run.Status = "paused" }},
		{"cancelling", "cancelling", "Stopping execution", "", func(t *store.Turn) { t.Run.Status, t.Cancel = "running", store.CancelAsked }},
		{"confirming", "confirming", "Results saved", "", func(t *store.Turn) { t.Run.Status, t.Persisted = "completed", true }},
		{"unconfirmed", "confirming", "has not confirmed", "check-again", func(t *store.Turn) { t.Run.Status, t.Unconfirmed = "completed", true }},
		{"failed", "failed", "no memory", "ask-again", func(t *store.Turn) {
			t.Run.Status, t.Confirmed, t.Run.Error = "failed", true, &protocol.RunError{Code: "OOM", Message: "no memory"}
		}},
		{"interrupted", "failed", "This run was interrupted", "ask-again", func(t *store.Turn) {
			t.Run.Status, t.Confirmed, t.Run.Error = "failed", true, &protocol.RunError{Code: "INTERRUPTED"}
		}},
		{"cancelled", "cancelled", "Stopped by you", "ask-again", func(t *store.Turn) { t.Run.Status, t.Confirmed = "cancelled", true }},
		{"stop refused", "running", "could not be stopped", "error", func(t *store.Turn) {
			t.Run.Status, t.Cancel, t.CancelErr = "running", store.CancelFailed, &protocol.Error{Code: "X", Status: 403}
		}},
	} {
		turn := savedTurn(t, "running")
		c.change(turn)
		html := markup(storyPage(t, "en", turn, nil))
		expect(t, html, "turn", fmt.Sprintf("data-status=%q", c.status))
		if !strings.Contains(words(html), c.says) {
			t.Errorf("%s does not say %q: %s", c.name, c.says, words(html))
		}
		if c.offers != "" {
			expect(t, html, c.offers)
		}
	}
	html := markup(storyPage(t, "en", func() *store.Turn {
		turn := savedTurn(t, "failed")
		turn.Run.Error = &protocol.RunError{Code: "OOM"}
		return turn
	}(), nil))
	expect(t, html, "error", `data-code="OOM"`)
}

func TestReplyLanguageIsNamedWhereItDiffers(t *testing.T) {
	for lang, hidden := range map[string]bool{"en": true, "zh": false} {
		v := &turnView{P: storyPage(t, lang, savedTurn(t, "completed"), nil), Turn: savedTurn(t, "completed"), Lang: lang}
		html := app.HTMLString(v.tongue())
		if got := strings.Contains(html, " hidden>") || strings.Contains(html, " hidden "); got != hidden {
			t.Errorf("interface in %s: hidden %v: %s", lang, got, html)
		}
	}
}

const asking = `{"type":"approval","request":{"request_id":"q-1","tool_call_id":"c","tool_name":"graph.merge","args":{"n":12345678901234567890},
	"reason":"same device","summary":"Merge 3 accounts","preview":{"kind":"graph_mutation","add_nodes":[],"remove_nodes":["b"],
	"add_edges":[],"remove_edges":[{"source":"a","target":"b"}],"before":{"nodes":3,"edges":2},"after":{"nodes":2,"edges":1},"irreversible":true},
	"created_at":"2026-08-05T14:26:00Z"},"status":"pending"}`

func TestApprovalIsReadBeforeItIsDecided(t *testing.T) {
	html := markup(storyPage(t, "en", savedTurn(t, "paused", asking), nil))
	expect(t, html, "approval", `data-status="pending"`, `data-request-id="q-1"`)
	read := words(html)
	last := -1
	for _, part := range []string{
		"Merge 3 accounts", "Why you are asked", "same device", "Can it be undone", "Before", "After", "1 node removed",
		"Raw arguments", "Comment", "Approve", "Reject", "Edit arguments",
	} {
		at := strings.Index(read, part)
		if at <= last {
			t.Errorf("%q does not come in its place: %s", part, read)
		}
		last = at
	}
}

func TestWithoutPreviewTheArgumentsLieOpen(t *testing.T) {
	item := `{"type":"approval","request":{"request_id":"q-1","tool_name":"order","args":{"count":12345678901234567890}},"status":"pending"}`
	read := words(markup(storyPage(t, "en", savedTurn(t, "paused", item), nil)))
	if !strings.Contains(read, "No preview is available.") || !strings.Contains(read, "12345678901234567890") {
		t.Error(read)
	}
}

func TestOnlyTheCurrentRequestHasButtons(t *testing.T) {
	first := strings.Replace(asking, "q-1", "q-0", 1)
	html := markup(storyPage(t, "en", savedTurn(t, "paused", first, asking), nil))
	if n := strings.Count(html, `data-testid="approve"`); n != 1 {
		t.Errorf("%d approve buttons", n)
	}
	if !strings.Contains(html, `data-status="waiting"`) {
		t.Error("the later request does not say that it waits")
	}
}

func TestApprovalShowsWhereTheDecisionStands(t *testing.T) {
	for _, c := range []struct {
		act          store.Decision
		status, says string
		buttons      bool
	}{
		{store.Decision{State: store.ActSubmitting, Decision: "approve"}, "submitting", "Sending your approval", true},
		{store.Decision{State: store.ActSubmitting, Decision: "reject"}, "submitting", "Sending your rejection", true},
		{store.Decision{State: store.ActChecking}, "checking", "Checking what the server has", false},
		{store.Decision{State: store.ActUnsure}, "checking", "Cannot confirm your decision", false},
		{store.Decision{State: store.ActOpen, Err: &protocol.Error{Code: "HTTP_500", Status: 500}}, "pending", "500", true},
		{store.Decision{State: store.ActConflict, Truth: "approve"}, "conflict", "Already handled elsewhere: approved", false},
		{store.Decision{State: store.ActConflict, Err: &protocol.Error{Code: "GONE", Status: 410}}, "conflict", "no longer exists", false},
	} {
		html := markup(storyPage(t, "en", savedTurn(t, "paused", asking), func(tx *store.Tx) { tx.SetDecision("r-1", "q-1", c.act) }))
		expect(t, html, "approval", fmt.Sprintf("data-status=%q", c.status))
		if !strings.Contains(words(html), c.says) {
			t.Errorf("%+v does not say %q", c.act, c.says)
		}
		if got := element(html, "approve") != ""; got != c.buttons {
			t.Errorf("%+v: buttons %v", c.act, got)
		}
		if c.status == "submitting" && !strings.Contains(element(html, "approve"), ` disabled`) {
			t.Errorf("%+v: the button can be pressed: %s", c.act, element(html, "approve"))
		}
	}
}

func TestSettledRequestsShowTheirVerdictAndNoButtons(t *testing.T) {
	for status, says := range map[string]string{
		"approve": "Approved by you", "modify": "Approved by you with edits", "reject": "Rejected by you", "expired": "Expired", "cancelled": "Withdrawn",
	} {
		item := strings.Replace(asking, `"status":"pending"`, `"status":"`+status+`","comment":"as said"`, 1)
		html := markup(storyPage(t, "en", savedTurn(t, "running", item), nil))
		if !strings.Contains(words(html), says) || !strings.Contains(words(html), "as said") {
			t.Errorf("%s: %s", status, words(html))
		}
		for _, gone := range []string{"approve", "reject", "edit-args", "approval-comment"} {
			if element(html, gone) != "" {
				t.Errorf("%s: %s is offered", status, gone)
			}
		}
	}
}

func TestCallWithOtherArgumentsIsPointedOut(t *testing.T) {
	for effective, warns := range map[string]bool{`{"n":12345678901234567890}`: false, `{"n":12345678901234567891}`: true} {
		item := strings.Replace(asking, `"status":"pending"`, `"status":"approve","effective_args":`+effective, 1)
		html := markup(storyPage(t, "en", savedTurn(t, "running", item), nil))
		if got := strings.Contains(words(html), "other arguments"); got != warns {
			t.Errorf("%s: warns %v", effective, got)
		}
	}
	sent := store.Decision{Patched: `{"n":1}`}
	if calledWithOther("modified", `{"n":0}`, sent, `{"n":1}`) || !calledWithOther("modified", `{"n":0}`, sent, `{"n":2}`) {
		t.Error("edited arguments are not compared with what was sent")
	}
}

func TestRequestWithoutAnItemCanBeDecided(t *testing.T) {
	turn := savedTurn(t, "paused")
	turn.Run.Waiting = &protocol.PausedRequest{RequestID: "q-9", ToolName: "rm", Args: `{}`}
	html := markup(storyPage(t, "en", turn, nil))
	expect(t, html, "approval", `data-request-id="q-9"`, `data-status="pending"`)
	expect(t, html, "approve")
}

func TestWhatTheServerNamesLastIsShown(t *testing.T) {
	turn := savedTurn(t, "paused", asking)
	turn.Run.Waiting = &protocol.PausedRequest{RequestID: "q-1", ToolName: "rm", Args: `{}`, Summary: "Merge 4 accounts"}
	html := markup(storyPage(t, "en", turn, nil))
	if read := words(html); !strings.Contains(read, "Merge 4 accounts") || strings.Contains(read, "Merge 3 accounts") {
		t.Error(read)
	}
	if n := strings.Count(html, `data-testid="approval"`); n != 1 {
		t.Errorf("%d cards", n)
	}
}

func TestHalfEditedArgumentsComeBack(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, "paused", asking), nil)
	p.Acts.SaveField(argsField("r-1", "q-1"), `{"half":`)
	p.Acts.SaveField(commentField("r-1", "q-1"), "not yet")
	html := markup(p)
	expect(t, html, "approval", `data-status="editing"`)
	expect(t, html, "submit-modified", `aria-disabled`)
	expect(t, html, "args-editor", `value="{\"half\":"`)
	if !strings.Contains(html, "not yet") {
		t.Error("the comment is lost")
	}
}

func TestJobTellsWhereItsStopStands(t *testing.T) {
	job := `{"type":"tool","tool":"train","call_id":"j-1","args":{},"job":true,"status":"running","progress":{"epoch":3,"epochs":10},"started_at":"2026-08-05T14:26:00Z"}`
	for _, c := range []struct {
		act    store.JobCancel
		status string
		says   string
	}{
		{store.JobCancel{}, "running", "Stop job"},
		{store.JobCancel{State: store.ActSubmitting}, "cancelling", "Stopping"},
		{store.JobCancel{State: store.ActAccepted, Unconfirmed: true}, "cancelling", "has not confirmed"},
		{store.JobCancel{State: store.ActOpen, Err: &protocol.Error{Code: "X", Status: 403}}, "running", "403"},
		{store.JobCancel{State: store.ActAccepted, Done: true, Status: "cancelled"}, "cancelled", "stopped"},
		{store.JobCancel{State: store.ActAccepted, Done: true, Status: "succeeded"}, "succeeded", "done"},
	} {
		p := storyPage(t, "en", savedTurn(t, "running", job), func(tx *store.Tx) { tx.SetJob("s", "j-1", c.act) })
		html := markup(p)
		expect(t, html, "tool", fmt.Sprintf("data-status=%q", c.status), `data-job`, `data-epoch="3"`)
		if !strings.Contains(words(html), c.says) {
			t.Errorf("%+v does not say %q: %s", c.act, c.says, words(html))
		}
		if got := element(html, "stop-job") != ""; got != (c.status == "running") {
			t.Errorf("%+v: stop is offered: %v", c.act, got)
		}
	}
	p := storyPage(t, "en", savedTurn(t, "running", job), func(tx *store.Tx) { tx.Caps.JobCancel = false })
	if element(markup(p), "stop-job") != "" {
		t.Error("stop is offered where the server cannot")
	}
}

func TestToolWithoutAnEndShowsAsEndedWithItsRun(t *testing.T) {
	tool := `{"type":"tool","tool":"x","call_id":"c-1","args":{},"job":false,"status":"running"}`
	html := markup(storyPage(t, "en", savedTurn(t, "failed", tool), nil))
	expect(t, html, "tool", `data-status="ended"`)
}

func TestClosedToolHoldsNothingOfItsResult(t *testing.T) {
	huge, err := json.Marshal(strings.Repeat("x", 5<<20))
	if err != nil {
		t.Fatal(err)
	}
	tool := `{"type":"tool","tool":"x","call_id":"c-1","args":{},"job":false,"status":"succeeded","result":` + string(huge) + `}`
	if html := markup(storyPage(t, "en", savedTurn(t, "completed", tool), nil)); len(html) > 20_000 {
		t.Errorf("%d bytes of markup", len(html))
	}
}

func TestSkillShowsWhereItsDecisionStands(t *testing.T) {
	for _, c := range []struct {
		item string
		act  store.Decision
		want string
	}{
		{"pending", store.Decision{}, "pending"},
		{"approve", store.Decision{State: store.ActSubmitting}, "approved"},
		{"pending", store.Decision{State: store.ActSubmitting}, "submitting"},
		{"pending", store.Decision{State: store.ActOpen}, "pending"},
		{"pending", store.Decision{State: store.ActAccepted, Truth: "reject"}, "rejected"},
		{"pending", store.Decision{State: store.ActConflict, Truth: "approve"}, "conflict"},
	} {
		if got := skillStatus(c.item, c.act); got != c.want {
			t.Errorf("%s with %+v: %s, want %s", c.item, c.act, got, c.want)
		}
	}
}

func TestPanicCostsOnlyItsItem(t *testing.T) {
	p := storyPage(t, "en", savedTurn(t, "completed"), nil)
	page := app.Div().Body(&tocEntry{Text: "before"}, &faulty{P: p}, &tocEntry{Text: "after"})
	html := spaces.ReplaceAllString(app.HTMLString(page), " ")
	expect(t, html, "error", `data-code="RENDER"`)
	if read := words(html); !strings.HasPrefix(read, "before") || !strings.HasSuffix(read, "after") {
		t.Error(read)
	}
}

// faulty is a component with a mistake in it.
type faulty struct {
	app.Compo
	P *Page
}

func (f *faulty) Render() app.UI {
	return guarded(f.P, func() app.UI {
		var item *store.Item
		return app.Text(item.Key.ID)
	})
}

func TestNothingFromTheServerBecomesAScript(t *testing.T) {
	evil := `<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script>`
	text, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	turn := savedTurn(t, "completed",
		`{"type":"message","message_id":"m","format":"markdown","text":`+string(text)+`,"complete":true}`,
		`{"type":"tool","tool":`+string(text)+`,"call_id":"c","args":`+string(text)+`,"job":true,"status":"failed","error":`+string(text)+`}`)
	turn.User.Text = evil
	html := markup(storyPage(t, "en", turn, nil))
	html = quoted.ReplaceAllString(html, `""`)
	for _, tag := range elements.FindAllString(html, -1) {
		if strings.HasPrefix(tag, "<img") || strings.HasPrefix(tag, "<script") || strings.HasPrefix(tag, "<a ") {
			t.Errorf("the page holds %s", tag)
		}
	}
}

func TestLinksOpenInATabOfTheirOwn(t *testing.T) {
	turn := savedTurn(t, "completed",
		`{"type":"message","message_id":"m","format":"markdown","text":"[d](https://example.org/x) [**r**](/admin) [h](#top) [e](mailto:a@example.com)","complete":true}`)
	html := markup(storyPage(t, "en", turn, nil))
	links := 0
	for _, tag := range elements.FindAllString(html, -1) {
		if !strings.HasPrefix(tag, "<a ") {
			continue
		}
		links++
		if !strings.Contains(tag, `target="_blank"`) || !strings.Contains(tag, `rel="noopener noreferrer"`) {
			t.Errorf("a click on %s leaves the page", tag)
		}
	}
	if links != 4 {
		t.Errorf("%d links", links)
	}
}
