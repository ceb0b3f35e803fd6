package components

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutVisible returns the first at most n bytes of s, without breaking a visible character: neither
// inside a code point, nor between code points that are drawn as one.
func cutVisible(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for n > 0 && joined(s, n) {
		_, size := utf8.DecodeLastRuneInString(s[:n])
		n -= size
	}
	return s[:n]
}

// joined reports whether the code points before and after offset n of s are drawn as one.
func joined(s string, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:n])
	after, _ := utf8.DecodeRuneInString(s[n:])
	switch {
	case before == zeroWidthJoiner || after == zeroWidthJoiner:
		return true
	case before == '\r' && after == '\n':
		return true
	case unicode.In(after, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector):
		return true
	case after >= '\U0001f3fb' && after <= '\U0001f3ff': // skin tones
		return true
	case after >= '\U000e0020' && after <= '\U000e007f': // tags of subdivision flags
		return true
	case isRegional(before) && isRegional(after):
		return regionalsBefore(s[:n])%2 == 1
	}
	return false
}

const zeroWidthJoiner = '\u200d'

func isRegional(r rune) bool { return r >= '\U0001f1e6' && r <= '\U0001f1ff' }

// regionalsBefore counts the regional indicators at the end of s: two make a flag.
func regionalsBefore(s string) int {
	n := 0
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !isRegional(r) {
			break
		}
		n++
		s = s[:len(s)-size]
	}
	return n
}

// shorten returns s in one line of at most n bytes, with an ellipsis where it was cut.
func shorten(s string, n int) string {
	cut := cutVisible(s, n)
	line := strings.Join(strings.Fields(showControls(cut)), " ")
	if len(cut) < len(s) {
		line += "…"
	}
	return line
}

// showControls makes control characters visible. In a terminal they would move the cursor or change
// colours; in a page they would vanish, or, for those that turn the writing direction, make text
// read as something else than it is. Newlines and tabs stay.
func showControls(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !isHidden(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		default:
			const digits = "0123456789ABCDEF"
			b.WriteString("⟨U+")
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[r>>shift&15])
			}
			b.WriteString("⟩")
		}
	}
	return b.String()
}

func isHidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
