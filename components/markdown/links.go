package markdown

import "strings"

// Target says where a link leads, which decides how it may be opened.
type Target uint8

// The targets of links.
const (
	// NoTarget is the target of an unsafe or empty destination, and of what is
	// no link.
	NoTarget Target = iota
	// WebTarget is another page on the web, to be opened in a new tab without
	// access to its opener.
	WebTarget
	// MailTarget is a mailto address.
	MailTarget
	// FragmentTarget is a place in the same document.
	FragmentTarget
	// PathTarget is relative to the page, so it may name a page of this
	// application or of its server.
	PathTarget
)

// resolve returns the address to put into a link for a destination whose
// escapes and entities are resolved, and where it leads.
//
// Whatever stands before the first colon is a scheme to a browser, which also
// drops tabs and newlines inside it. So a destination with control characters
// is refused, and a scheme must be one of three, not merely none of the bad ones.
func resolve(destination string) (string, Target) {
	href := strings.Trim(destination, " ")
	if href == "" || strings.IndexFunc(href, isControl) >= 0 {
		return "", NoTarget
	}
	href = strings.ReplaceAll(href, " ", "%20")
	if end := strings.IndexAny(href, ":/?#\\"); end >= 0 && href[end] == ':' {
		return href, schemeTarget(strings.ToLower(href[:end]), href[end+1:])
	}
	switch {
	case href[0] == '#':
		return href, FragmentTarget
	case len(href) > 1 && isSlash(href[0]) && isSlash(href[1]):
		return href, WebTarget // "//host/path" leaves this server
	default:
		return href, PathTarget
	}
}

func schemeTarget(scheme, rest string) Target {
	switch {
	case scheme == "mailto":
		return MailTarget
	case (scheme == "http" || scheme == "https") && len(rest) > 2 && rest[:2] == "//":
		return WebTarget
	default:
		return NoTarget
	}
}

// isSlash knows that browsers read a backslash as a slash.
func isSlash(c byte) bool {
	return c == '/' || c == '\\'
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0
}

// linkify turns the bare web addresses of a text into links. An address is
// ASCII and may follow any character but an ASCII letter or digit: in Chinese
// text no space separates it from the words around it.
func linkify(text string) []Inline {
	var out []Inline
	done := 0
	for at := 0; ; {
		next := strings.Index(text[at:], "http")
		if next < 0 {
			break
		}
		at += next
		n := addressLen(text[at:])
		if n == 0 || at > 0 && isAlphanumeric(text[at-1]) {
			at += len("http")
			continue
		}
		out = appendText(out, text[done:at])
		href := text[at : at+n]
		out = append(out, Inline{
			Kind: Link, Href: href, Target: WebTarget,
			Children: []Inline{{Kind: TextInline, Text: href}},
		})
		at += n
		done = at
	}
	return appendText(out, text[done:])
}

// addressLen returns the length of the web address at the start of s, without
// the punctuation of the sentence around it, or 0 if there is none.
func addressLen(s string) int {
	scheme := 0
	for _, prefix := range []string{"http://", "https://"} {
		if strings.HasPrefix(s, prefix) {
			scheme = len(prefix)
		}
	}
	if scheme == 0 || scheme == len(s) || !isAlphanumeric(s[scheme]) && s[scheme] != '[' {
		return 0
	}
	n := scheme
	for n < len(s) && s[n] > ' ' && s[n] < 0x7f && strings.IndexByte("<>\"`|*^{}\\", s[n]) < 0 {
		n++
	}
	for n > scheme && endsSentence(s[:n]) {
		n--
	}
	if n == scheme {
		return 0
	}
	return n
}

// endsSentence reports whether the last character of an address rather belongs
// to the text around it. A closing bracket belongs to the address that opens it.
func endsSentence(address string) bool {
	switch last := address[len(address)-1]; last {
	case ')':
		return strings.Count(address, ")") > strings.Count(address, "(")
	case ']':
		return strings.Count(address, "]") > strings.Count(address, "[")
	default:
		return strings.IndexByte("?!.,:;_~'[(", last) >= 0
	}
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// appendText appends text to inlines, joined with a text that already ends them.
func appendText(inlines []Inline, text string) []Inline {
	if text == "" {
		return inlines
	}
	if n := len(inlines); n > 0 && inlines[n-1].Kind == TextInline {
		inlines[n-1].Text += text
		return inlines
	}
	return append(inlines, Inline{Kind: TextInline, Text: text})
}
