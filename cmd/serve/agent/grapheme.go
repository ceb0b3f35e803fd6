package agent

import (
	"strings"
	"unicode"
)

// titleLimit is the length of a title in visible characters.
const titleLimit = 60

// Title makes a session title of a first message: its first line that is not
// empty, white space and control characters folded, cut to 60 visible
// characters with an ellipsis as the last. It never cuts inside a visible
// character, and is empty only for a message that shows nothing.
func Title(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), longestRequest)], "")
	for line := range strings.Lines(text) {
		line = strings.Join(strings.FieldsFunc(line, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r)
		}), " ")
		if line == "" {
			continue
		}
		shown := clusters(line)
		if len(shown) <= titleLimit {
			return line
		}
		return strings.TrimSpace(strings.Join(shown[:titleLimit-1], "")) + "…"
	}
	return ""
}

// clusters splits a text into what people see as single characters. The rule
// covers combining marks, joined and modified emoji, flags and Hangul jamo; it
// may keep more together than Unicode's full rule, never less of these.
func clusters(text string) []string {
	var found []string
	start, flags := 0, 0
	var last rune
	for i, r := range text {
		if i > start && !extends(last, r, flags) {
			found = append(found, text[start:i])
			start, flags = i, 0
		}
		if regional(r) {
			flags++
		}
		last = r
	}
	if start < len(text) {
		found = append(found, text[start:])
	}
	return found
}

const joiner = '\u200d'

// extends reports whether r belongs to the character that ends with last.
func extends(last, r rune, flags int) bool {
	switch {
	case last == joiner || r == joiner:
		return true
	case unicode.Is(unicode.M, r):
		return true
	case r >= 0x1F3FB && r <= 0x1F3FF: // skin tones
		return true
	case r >= 0xE0020 && r <= 0xE007F: // tags, as in the flag of Scotland
		return true
	case r >= 0x1160 && r <= 0x11FF: // Hangul vowels and finals
		return true
	}
	return regional(r) && regional(last) && flags%2 == 1
}

// regional holds for the letters that make flags in pairs.
func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
