package components

import (
	"fmt"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/components/markdown"
)

func TestGrowingAnswerRendersOnlyItsLastGroup(t *testing.T) {
	text := ""
	var stream markdown.Stream
	var list blockList
	for i := range 200 {
		before := append([]int(nil), list.revs...)
		text += fmt.Sprintf("Paragraph %d.\n\n", i)
		list.update(stream.Update(text))
		for g := range max(0, len(before)-1) {
			if list.revs[g] != before[g] {
				t.Fatalf("paragraph %d: group %d of %d renders again", i, g, len(before))
			}
		}
		if list.len() != i+1 || list.at(i).Key != i {
			t.Fatalf("paragraph %d: %d blocks", i, list.len())
		}
	}
	if n := len(list.revs); n != 200/groupSize+1 {
		t.Errorf("%d groups", n)
	}
}

func TestReplacedAnswerRendersAllGroups(t *testing.T) {
	var stream markdown.Stream
	var list blockList
	list.update(stream.Update(strings.Repeat("one\n\n", 100)))
	before := append([]int(nil), list.revs...)
	list.update(stream.Update(strings.Repeat("two\n\n", 100)))
	for g, rev := range list.revs {
		if rev == before[g] {
			t.Errorf("group %d keeps the old text", g)
		}
	}
}

func TestContentsNameTheSectionsBelowTheTitle(t *testing.T) {
	blocks := markdown.Parse("# Title\n\n## A\n\n### A1\n\n#### deep\n\n## B\n")
	var names []string
	for _, b := range contents(blocks) {
		names = append(names, markdown.Text([]*markdown.Block{b}))
	}
	if got := strings.Join(names, " "); got != "A A1 B" {
		t.Errorf("got %s", got)
	}
}

// BenchmarkFrameOfAGrowingAnswer is what a frame with one more delta costs in an answer of a given
// length: it should not depend on it.
func BenchmarkFrameOfAGrowingAnswer(b *testing.B) {
	for _, size := range []int{1_000, 60_000, 600_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var text strings.Builder
			for text.Len() < size {
				text.WriteString("Some **words** of an answer, with `code` in it, and 中文.\n\n")
			}
			run := store.NewRun("s", "r")
			index := int64(0)
			apply := func(delta string) *store.Item {
				next, _, err := run.Apply(protocol.Frame{
					HasIndex: true, Index: index, Events: []protocol.Event{protocol.MessageDelta{MessageID: "m", Delta: delta}},
				})
				if err != nil {
					b.Fatal(err)
				}
				run = next
				index++
				return run.At(0)
			}
			v := &messageView{P: inLanguage("en"), Item: apply(text.String())}
			v.Render()
			for i := 0; b.Loop(); i++ {
				delta := "word "
				if i%12 == 11 {
					delta = "end.\n\n"
				}
				v.Item = apply(delta)
				v.Render()
			}
		})
	}
}
