package streamwasm

import (
	"bytes"
	"strings"
	"testing"
)

// held returns how many bytes of buffers the decoder keeps.
func (d *Decoder) held() int { return cap(d.line) + cap(d.data) }

func TestDecoderMemoryFollowsFromTheLimitNotFromTheStream(t *testing.T) {
	const limit = 4 << 10
	long := strings.Repeat("x", limit/2)
	stream := []byte("data: " + long + "\n: " + long[:1000] + "\ndata: " + long[:1000] + "\n\n" + strings.Repeat("data: y\n\n", 10))
	d := NewDecoder(limit)
	for range 200 {
		for chunk := range bytes.Lines(stream) {
			// Cut within each line, so that both buffers are used.
			for _, part := range [][]byte{chunk[:len(chunk)/2], chunk[len(chunk)/2:]} {
				if err := d.Feed(part, func(Event) error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if d.held() > 4*limit {
				t.Fatalf("%d bytes held with a limit of %d", d.held(), limit)
			}
		}
	}
}

func TestDecoderGivesUpTheMemoryOfAHugeEvent(t *testing.T) {
	half := []byte("data: " + strings.Repeat("x", 1<<20))
	d := NewDecoder(0)
	for _, chunk := range [][]byte{half, half, []byte("\n"), half, []byte("\n"), []byte("\n"), []byte("data: small\n\n")} {
		if err := d.Feed(chunk, func(Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if d.held() > 2*keptBuffer {
		t.Errorf("%d bytes held between events", d.held())
	}
}
