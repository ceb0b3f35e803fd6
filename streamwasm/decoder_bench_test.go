package streamwasm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"igraph-console/streamwasm"
)

// benchmarkFeed measures one decoder, new for each iteration, over a stream in chunks of the given size.
func benchmarkFeed(b *testing.B, stream []byte, chunkSize int) {
	b.Helper()
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	handle := func(streamwasm.Event) error { return nil }
	for b.Loop() {
		d := streamwasm.NewDecoder(0)
		for rest := stream; len(rest) > 0; {
			n := min(chunkSize, len(rest))
			if err := d.Feed(rest[:n], handle); err != nil {
				b.Fatal(err)
			}
			rest = rest[n:]
		}
	}
}

// frames returns about a megabyte of JSON frames of about 400 bytes each, with the line end given.
func frames(text, lineEnd string) []byte {
	var stream bytes.Buffer
	for i := 0; stream.Len() < 1<<20; i++ {
		fmt.Fprintf(&stream, `data: {"protocol_version":2,"session_id":"ses_7f3a91","run_id":"run_0c1d52","event_index":%d,`+
			`"events":[{"type":"message_delta","message_id":"m-1","delta":"%s"}]}`, i, text)
		stream.WriteString(lineEnd + lineEnd)
	}
	return stream.Bytes()
}

func BenchmarkDecoder(b *testing.B) {
	ascii := strings.Repeat("The graph has 34 nodes. ", 10)
	chinese := strings.Repeat("该图有三十四个节点👍。", 7)
	for _, c := range []struct {
		name      string
		stream    []byte
		chunkSize int
	}{
		{"ASCII/64KiB-chunks", frames(ascii, "\n"), 64 << 10},
		{"ASCII/1KiB-chunks", frames(ascii, "\n"), 1 << 10},
		{"Chinese/64KiB-chunks", frames(chinese, "\n"), 64 << 10},
		{"ASCII/64KiB-chunks-CRLF", frames(ascii, "\r\n"), 64 << 10},
		{"ASCII/64KiB-chunks-CR", frames(ascii, "\r"), 64 << 10},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkFeed(b, c.stream, c.chunkSize) })
	}
}

// Each of these shapes is linear only if no byte is looked at again for every chunk or every line: the figures must
// not fall as the sizes grow.
func BenchmarkDecoderHostileShapes(b *testing.B) {
	for _, size := range []int{64 << 10, 1 << 20} {
		long := []byte("data: " + strings.Repeat("x", size) + "\n\n")
		b.Run(fmt.Sprintf("one-line-dripped/%d", size), func(b *testing.B) { benchmarkFeed(b, long, 1) })
		lines := bytes.Repeat([]byte("data: x\r"), size/8)
		b.Run(fmt.Sprintf("CR-lines-in-one-chunk/%d", size), func(b *testing.B) { benchmarkFeed(b, lines, size) })
		invalid := []byte("data: " + strings.Repeat("\xf0\x9f", size/2) + "\n\n")
		b.Run(fmt.Sprintf("invalid-UTF-8/%d", size), func(b *testing.B) { benchmarkFeed(b, invalid, size) })
	}
}
