package components

import "testing"

func kept(drafts map[string]string) func(string) string {
	return func(sid string) string { return drafts[sid] }
}

func TestBoxShowsEachSessionsOwnDraft(t *testing.T) {
	var b draftBox
	draft := kept(map[string]string{"a": "for a", "b": "for b"})
	if got := b.follow(view{sid: "a"}, "", "", draft); got != "for a" {
		t.Errorf("on loading a: %q", got)
	}
	if got := b.follow(view{sid: "b"}, "for a", "", draft); got != "for b" {
		t.Errorf("going to b: %q", got)
	}
	if got := b.follow(view{sid: "c"}, "for b", "", draft); got != "" {
		t.Errorf("going to c, which has none: %q", got)
	}
}

func TestDrawingAgainNeverTouchesWhatIsBeingTyped(t *testing.T) {
	var b draftBox
	b.follow(view{sid: "a"}, "", "", kept(nil))
	for _, text := range []string{"n", "ni", "你", ""} {
		if got := b.follow(view{sid: "a"}, text, "", kept(map[string]string{"a": "old"})); got != text || b.unsaved {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestTextGivenBackGoesBeforeWhatIsThere(t *testing.T) {
	for _, c := range []struct{ there, want string }{
		{"", "not sent"},
		{"next", "not sent\n\nnext"},
		{"not sent", "not sent"},
	} {
		var b draftBox
		b.follow(view{sid: "a"}, "", "", kept(nil))
		got := b.follow(view{sid: "a", restored: 1, restore: "not sent"}, c.there, "", kept(nil))
		if got != c.want {
			t.Errorf("beside %q: got %q, want %q", c.there, got, c.want)
		}
		if again := b.follow(view{sid: "a", restored: 1, restore: "not sent"}, got, "", kept(nil)); again != got {
			t.Errorf("given back twice: %q", again)
		}
	}
}

func TestTextGivenBackWhileAwayIsThereOnReturn(t *testing.T) {
	var b draftBox
	draft := kept(map[string]string{"a": "typed"})
	b.follow(view{sid: "a"}, "", "", draft)
	b.follow(view{sid: "b"}, "typed", "", draft)
	if got := b.follow(view{sid: "a", restored: 1, restore: "not sent"}, "", "", draft); got != "not sent\n\ntyped" || !b.unsaved {
		t.Errorf("got %q, unsaved %v", got, b.unsaved)
	}
}

func TestEditingSetsTheDraftAsideAndBringsItBack(t *testing.T) {
	var b draftBox
	b.follow(view{sid: "a"}, "", "", kept(nil))
	if got := b.follow(view{sid: "a", edit: "k", restored: 1, restore: "asked"}, "my draft", "", kept(nil)); got != "asked" {
		t.Errorf("entering: %q", got)
	}
	if got := b.follow(view{sid: "a", restored: 2, restore: "my draft"}, "asked, changed", "", kept(nil)); got != "my draft" {
		t.Errorf("leaving: %q", got)
	}
	if b.unsaved {
		t.Error("the act has kept these drafts itself")
	}
}

func TestTextTypedWhileTheSessionIsMadeMovesIntoIt(t *testing.T) {
	var b draftBox
	b.follow(view{}, "", "", kept(nil))
	b.sent = "first"
	got := b.follow(view{sid: "new"}, "first and more", "first", kept(nil))
	if got != "and more" || !b.unsaved || !b.began {
		t.Errorf("got %q, unsaved %v, began %v", got, b.unsaved, b.began)
	}
}

func TestSentTextLeavesTheBoxWhenTheSessionIsThere(t *testing.T) {
	var b draftBox
	b.follow(view{}, "", "", kept(nil))
	b.sent = "first"
	if got := b.follow(view{sid: "new"}, "first", "first", kept(nil)); got != "" || b.unsaved {
		t.Errorf("got %q, unsaved %v", got, b.unsaved)
	}
}

func TestGoingElsewhereLeavesTheNewChatsDraftAlone(t *testing.T) {
	var b draftBox
	b.follow(view{}, "", "", kept(nil))
	got := b.follow(view{sid: "old"}, "half a thought", "its first message", kept(map[string]string{"": "half a thought"}))
	if got != "" || b.unsaved || b.began {
		t.Errorf("got %q, unsaved %v, began %v", got, b.unsaved, b.began)
	}
}
