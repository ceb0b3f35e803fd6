package streamwasm_test

import (
	"bytes"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzDecoderSplit holds the decoder to three rules for any input: it does not panic, where the stream is cut changes
// nothing, and its text is valid UTF-8.
func FuzzDecoderSplit(f *testing.F) {
	for _, c := range readCorpus(f) {
		if stream := bytes.Join(c.chunks(), nil); len(stream) < 2000 {
			f.Add(stream, uint16(len(stream)/2), uint16(len(stream)/3), uint16(1000))
		}
	}
	f.Add([]byte("data: 0123456789\ndata: 0123456789\n\n"), uint16(5), uint16(20), uint16(20))
	f.Fuzz(func(t *testing.T, stream []byte, first, second, limit uint16) {
		whole := decode(int(limit), [][]byte{stream})
		i := int(first) % (len(stream) + 1)
		j := i + int(second)%(len(stream)+1-i)
		for cut, chunks := range map[string][][]byte{
			"cut in three": {stream[:i], stream[i:j], stream[j:]}, "bytewise": bytewise(stream),
		} {
			if got := decode(int(limit), chunks); !sameOutcome(got, whole) {
				t.Errorf("%s at %d and %d: %+v, whole %+v", cut, i, j, got, whole)
			}
		}
		for _, e := range whole.Events {
			if !utf8.ValidString(e.Type + e.Data + e.ID) {
				t.Errorf("event %+v is not valid UTF-8", e)
			}
		}
	})
}

func sameOutcome(a, b outcome) bool {
	if (a.Err == nil) != (b.Err == nil) || a.Err != nil && a.Err.Error() != b.Err.Error() {
		return false
	}
	a.Err, b.Err = nil, nil
	return reflect.DeepEqual(a, b)
}
