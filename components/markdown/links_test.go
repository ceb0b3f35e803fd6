package markdown

import (
	"strings"
	"testing"
)

func TestTargetsOfLinks(t *testing.T) {
	got := outline(Parse("[d](https://example.org/x) [**r**](/admin) [h](#top) [e](mailto:a@example.com)"))
	want := `0 paragraph link href="https://example.org/x" target=0x1 ( text "d" ) text " " ` +
		`link href="/admin" target=0x4 ( strong ( text "r" ) ) text " " ` +
		`link href="#top" target=0x3 ( text "h" ) text " " ` +
		`link href="mailto:a@example.com" target=0x2 ( text "e" )` + "\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestResolve(t *testing.T) {
	for destination, want := range map[string]Target{
		"https://example.org":      WebTarget,
		"HTTP://EXAMPLE.ORG/a b":   WebTarget,
		"//example.org/x":          WebTarget,
		`\\example.org\x`:          WebTarget,
		`/\example.org`:            WebTarget,
		"mailto:a@b.c":             MailTarget,
		"#top":                     FragmentTarget,
		"/admin?x=1#y":             PathTarget,
		"a/b:c":                    PathTarget,
		"?q=a:b":                   PathTarget,
		"图.png":                    PathTarget,
		"":                         NoTarget,
		"  ":                       NoTarget,
		"javascript:alert(1)":      NoTarget,
		"JaVaScRiPt:alert(1)":      NoTarget,
		" javascript:alert(1)":     NoTarget,
		"java\tscript:alert(1)":    NoTarget,
		"java\nscript:alert(1)":    NoTarget,
		"\x01javascript:alert(1)":  NoTarget,
		"java\u200bscript:alert()": NoTarget,
		"\u00a0javascript:alert()": NoTarget,
		"data:text/html,x":         NoTarget,
		"vbscript:x":               NoTarget,
		"blob:https://x":           NoTarget,
		"file:///etc/passwd":       NoTarget,
		"http:example.org":         NoTarget,
		"https:/\\example.org":     NoTarget,
		`C:\new\temp`:              NoTarget,
		":x":                       NoTarget,
	} {
		if _, got := resolve(destination); got != want {
			t.Errorf("resolve(%q) = %d, want %d", destination, got, want)
		}
	}
}

func TestUnsafeLinksAreText(t *testing.T) {
	for source, want := range map[string]string{
		"[x](javascript:alert(1))":               `text "x"`,
		"[x](javascript&colon;alert)":            `text "x"`,
		"[x](java&#10;script:alert)":             `text "x"`,
		"[x](&#x6A;avascript:alert)":             `text "x"`,
		`[x](java\script:a)`:                     `link href="java\\script:a" target=0x4 ( text "x" )`,
		`[x](javascript\:alert)`:                 `text "x"`,
		"[x](<java\tscript:alert>)":              `text "x"`,
		"<javascript:alert(1)>":                  `text "<javascript:alert(1)>"`,
		"![x](data:image/svg+xml,a)":             `text "x"`,
		"![x](https://example.org/i.png)":        `image "x" href="https://example.org/i.png" target=0x1`,
		"[![x](https://a.org/i)](https://b.org)": `link href="https://b.org" target=0x1 ( text "x" )`,
		"<https://a.org> <a@b.org>":              `link href="https://a.org" target=0x1 ( text "https://a.org" ) text " " link href="mailto:a@b.org" target=0x2 ( text "a@b.org" )`,
		"[a](<b c>)":                             `link href="b%20c" target=0x4 ( text "a" )`,
	} {
		if got := strings.TrimSpace(outline(Parse(source))); got != "0 paragraph "+want {
			t.Errorf("%q gives\n%s\nwant\n0 paragraph %s", source, got, want)
		}
	}
}

func TestBareAddressesAreLinks(t *testing.T) {
	for source, want := range map[string]string{
		"见https://example.org/x。后面":       "https://example.org/x",
		"(http://localhost:8080/a_b_c),":  "http://localhost:8080/a_b_c",
		"https://a.org/x_(y).":            "https://a.org/x_(y)",
		"**https://a.org**":               "https://a.org",
		"https://a.org/?q=1&r=2#z, then":  "https://a.org/?q=1&r=2#z",
		"http://[::1]:80/ x":              "http://[::1]:80/",
		"xhttp://a.org":                   "",
		"https://":                        "",
		"https://。":                       "",
		"http://http":                     "http://http",
		"`https://a.org`":                 "",
		"[https://a.org](https://b.org)":  "https://b.org",
		"httphttps://a.org https://b.org": "https://b.org",
	} {
		var hrefs []string
		collectHrefs(Parse(source)[0].Inlines, &hrefs)
		if got := strings.Join(hrefs, " "); got != want {
			t.Errorf("%q links to %q, want %q", source, got, want)
		}
		if strings.Contains(source, "](") || strings.ContainsAny(source, "*`") {
			continue
		}
		if got := visible(source); got != source {
			t.Errorf("%q shows %q", source, got)
		}
	}
}

func collectHrefs(inlines []Inline, hrefs *[]string) {
	for _, in := range inlines {
		if in.Kind == Link {
			*hrefs = append(*hrefs, in.Href)
		}
		collectHrefs(in.Children, hrefs)
	}
}
