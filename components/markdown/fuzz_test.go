package markdown

import (
	"slices"
	"testing"
)

// FuzzStream feeds any text in any pieces: it must neither panic nor end
// otherwise than one parse of the whole.
func FuzzStream(f *testing.F) {
	for _, part := range parts {
		f.Add(part+"\n"+part, []byte{1, 2})
	}
	f.Add(growingFenceAndTable, []byte{3, 1, 4, 1, 5})
	f.Add("- a\n\n  > b\n\n- c\n1. d\n\n\te\n", []byte{1})
	f.Add("\v\n\u00a0\n\u0085\n```\n```\v\n", []byte{2})
	f.Fuzz(func(t *testing.T, text string, steps []byte) {
		var s Stream
		end := 0
		for _, step := range steps {
			end = min(end+int(step), len(text))
			s.Update(text[:end])
		}
		s.Update(text)
		got := s.Finish()
		if g, want := outline(got), outline(wholeParse(text)); g != want {
			t.Fatalf("streamed\n%s\nat once\n%s", g, want)
		}
		if g, want := sources(got), sources(Parse(text)); !slices.Equal(g, want) {
			t.Fatalf("streamed sources %q, want %q", g, want)
		}
	})
}
