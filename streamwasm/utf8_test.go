package streamwasm_test

import "testing"

func TestDecoderReplacesInvalidTextAsTheEncodingStandardCutsIt(t *testing.T) {
	for text, want := range map[string]string{
		"\xf0\x9f\x80A":             "\ufffdA",                  // three of four bytes came
		"\xf0\x90\x80A":             "\ufffdA",                  // the third byte may be lower than the second
		"\xe0\xa0A":                 "\ufffdA",                  // two of three bytes came
		"\xf4\x8f\xbfA":             "\ufffdA",                  // the beginning of the last code point
		"\xf4\x90\x80\x80":          "\ufffd\ufffd\ufffd\ufffd", // beyond it
		"\xf5\x80\x80\x80":          "\ufffd\ufffd\ufffd\ufffd",
		"\xed\x9f":                  "\ufffd",
		"\xed\xa0":                  "\ufffd\ufffd", // a surrogate
		"\xc3\xe4\xf1\xff":          "\ufffd\ufffd\ufffd\ufffd",
		"\xf0\x9f\xe4\xbd\xa0\xe5":  "\ufffd你\ufffd",
		"\xef\xbf\xbd \xef\xbf\xbe": "\ufffd \ufffe", // valid, although one looks like a replacement
	} {
		got := decode(0, [][]byte{[]byte("data: " + text + "\n\n")})
		if len(got.Events) != 1 || got.Events[0].Data != want {
			t.Errorf("%x: %+q, want %+q", text, got.Events, want)
		}
	}
}
