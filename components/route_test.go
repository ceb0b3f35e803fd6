package components

import "testing"

func TestAddressNamesASession(t *testing.T) {
	for _, c := range []struct {
		base, path, sid string
		known           bool
	}{
		{"", "/", "", true},
		{"", "", "", true},
		{"", "/s/a-1", "a-1", true},
		{"", "/s/a-1/", "a-1", true},
		{"", "/s/", "", false},
		{"", "/s", "", false},
		{"", "/s/a/b", "", false},
		{"", "/other", "", false},
		{"/ui", "/ui", "", true},
		{"/ui", "/ui/", "", true},
		{"/ui", "/ui/s/会话", "会话", true},
		{"/ui", "/uis/a", "", false},
		{"/ui", "/s/a", "", false},
	} {
		sid, known := sessionOf(c.base, c.path)
		if known != c.known || known && sid != c.sid {
			t.Errorf("%q below %q: got %q, %v; want %q, %v", c.path, c.base, sid, known, c.sid, c.known)
		}
	}
}

func TestSessionPathLeadsBack(t *testing.T) {
	for _, base := range []string{"", "/ui"} {
		for _, sid := range []string{"", "a-1"} {
			p := &Page{Base: base}
			if got, known := sessionOf(base, p.SessionPath(sid)); got != sid || !known {
				t.Errorf("%q below %q leads to %q, %v", sid, base, got, known)
			}
		}
	}
}
