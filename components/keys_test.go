package components

import (
	"strings"
	"testing"
)

func TestKeysAreShownByTheirCaps(t *testing.T) {
	for want, k := range map[string]keyPress{
		"Ctrl Shift O": keyNew,
		"Ctrl K":       keySearch,
		"Ctrl End":     keyLatest,
		"Alt ↑":        keyUp,
		"Ctrl .":       keyStop,
		"Ctrl Shift F": keyFormat,
	} {
		if got := strings.Join(k.names(), " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLettersCountWhateverTheirCase(t *testing.T) {
	if (keyPress{key: "O", command: true, shift: true}).folded() != keyNew {
		t.Error("Shift makes a letter a capital; it is the same key")
	}
}
