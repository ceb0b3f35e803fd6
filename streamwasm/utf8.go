package streamwasm

import "unicode/utf8"

// validUTF8 returns text itself if it is valid UTF-8, else a copy in which U+FFFD stands for each invalid part as the
// Encoding Standard cuts them: one for every sequence broken off, whatever its length, and one for every other
// invalid byte. Go's own conversions put one for each byte of a broken sequence.
//
// Lines may be converted one by one: no byte of a longer sequence equals a line end.
func validUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	fixed := make([]byte, 0, len(text)+len(text)/2)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			n = brokenSequence(text)
		}
		fixed = utf8.AppendRune(fixed, r)
		text = text[n:]
	}
	return fixed
}

// brokenSequence returns how many bytes of text, which does not begin with a valid sequence, one U+FFFD stands for.
func brokenSequence(text []byte) int {
	length, low, high := sequence(text[0])
	n := 1
	for n < min(length, len(text)) && low <= text[n] && text[n] <= high {
		n++
		low, high = 0x80, 0xbf
	}
	return n
}

// sequence returns the length of the UTF-8 sequence that first opens, and the range of its second byte. The range
// leaves out overlong forms, surrogates and what lies beyond Unicode. A byte that opens none has length 1.
func sequence(first byte) (length int, low, high byte) {
	switch {
	case first < 0xc2 || first > 0xf4:
		return 1, 0, 0
	case first < 0xe0:
		return 2, 0x80, 0xbf
	case first == 0xe0:
		return 3, 0xa0, 0xbf
	case first == 0xed:
		return 3, 0x80, 0x9f
	case first < 0xf0:
		return 3, 0x80, 0xbf
	case first == 0xf0:
		return 4, 0x90, 0xbf
	case first == 0xf4:
		return 4, 0x80, 0x8f
	}
	return 4, 0x80, 0xbf
}
