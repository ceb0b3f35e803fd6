package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// answers are endless texts, as units to be repeated.
var answers = []struct{ name, head, unit string }{
	{"mixed", "", "## 第一步\n\n先计算每个节点的 **PageRank**，再比较 `damping` 的取值：\n\n```go\nr := network.PageRank(g, 0.85, 1e-6)\nfmt.Println(r)\n```\n\n" +
		"- **结果（一）**：节点 3 最高\n- 其余见下表\n\n| 节点 | 值 |\n|---|---|\n| 3 | 0.21 |\n| 5 | 0.17 |\n\n"},
	{"paragraphs", "", "图中共有三十四个节点和七十八条边，社区划分与 **已知的分组** 基本一致，见 https://example.org/karate 。\n\n"},
	{"code", "```go\n", "r := network.PageRank(g, 0.85, 1e-6)\n"},
	{"table", "| 节点 | 度 | 社区 |\n|---|---|---|\n", "| 节点三十三 | 17 | **二** |\n"},
	{"list", "", "1. **步骤**：先执行这一步，再看 `结果` 是否稳定。\n"},
}

// BenchmarkUpdate measures one update by 20 bytes of an answer of a given size.
func BenchmarkUpdate(b *testing.B) {
	const delta, deltas = 20, 500
	for _, answer := range answers {
		for _, kilobytes := range []int{1, 60, 600} {
			size := kilobytes << 10
			text := repeat(answer.head, answer.unit, size+delta*deltas)
			b.Run(fmt.Sprintf("%s/%dKB", answer.name, kilobytes), func(b *testing.B) {
				b.ReportAllocs()
				var s *Stream
				for i := range b.N {
					if i%deltas == 0 {
						b.StopTimer()
						s = &Stream{}
						s.Update(text[:size])
						b.StartTimer()
					}
					s.Update(text[:size+delta*(i%deltas+1)])
				}
			})
		}
	}
}

// BenchmarkCompare measures the comparison with the text given before when the
// two do not share their memory.
func BenchmarkCompare(b *testing.B) {
	for _, kilobytes := range []int{1, 60, 600} {
		text := repeat(answers[0].head, answers[0].unit, kilobytes<<10)
		texts := []string{text, strings.Clone(text)}
		b.Run(fmt.Sprintf("%dKB", kilobytes), func(b *testing.B) {
			var s Stream
			s.Update(text)
			for i := range b.N {
				s.Update(texts[i%2])
			}
		})
	}
}

// BenchmarkParse measures a whole answer at once, as when history is shown.
func BenchmarkParse(b *testing.B) {
	for _, answer := range answers {
		text := repeat(answer.head, answer.unit, 60<<10)
		b.Run(answer.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				Parse(text)
			}
		})
	}
}

// BenchmarkStream measures 60 KB in 3,000 updates.
func BenchmarkStream(b *testing.B) {
	for _, answer := range answers {
		text := repeat(answer.head, answer.unit, 60<<10)
		b.Run(answer.name, func(b *testing.B) {
			for range b.N {
				var s Stream
				for i := range 3000 {
					s.Update(text[:len(text)*(i+1)/3000])
				}
			}
		})
	}
}

func repeat(head, unit string, size int) string {
	return (head + strings.Repeat(unit, size/len(unit)+1))[:size]
}
