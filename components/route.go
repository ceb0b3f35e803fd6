package components

import "strings"

// sessionOf reads which session an address below base shows; "" is a new chat. Known is false for
// an address that leads nowhere.
func sessionOf(base, path string) (sid string, known bool) {
	rest, below := strings.CutPrefix(path, base)
	if !below || rest != "" && rest[0] != '/' {
		return "", false
	}
	rest = strings.TrimPrefix(rest, "/")
	if rest == "" {
		return "", true
	}
	sid, known = strings.CutPrefix(rest, "s/")
	sid = strings.TrimSuffix(sid, "/")
	return sid, known && sid != "" && !strings.Contains(sid, "/")
}
