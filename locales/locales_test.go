package locales

import "testing"

func TestDetectTakesTheFirstLanguageOnOffer(t *testing.T) {
	for _, c := range []struct {
		languages []string
		want      Lang
	}{
		{nil, English},
		{[]string{"zh"}, Chinese},
		{[]string{"zh-CN", "en-US"}, Chinese},
		{[]string{"ZH-Hant-TW"}, Chinese},
		{[]string{"en-GB", "zh-CN"}, English},
		{[]string{"fr-FR", "zh-HK", "en"}, Chinese},
		{[]string{"fr-FR", ""}, English},
		{[]string{"zha"}, English},
	} {
		if got := Detect(c.languages); got != c.want {
			t.Errorf("Detect(%q) = %q, want %q", c.languages, got, c.want)
		}
	}
}

func TestForFallsBackToEnglish(t *testing.T) {
	if got := For("tlh").Lang(); got != English {
		t.Errorf("catalogue of an unknown language speaks %q, want %q", got, English)
	}
}

func TestValuesAreNotReadAsTemplates(t *testing.T) {
	got := fill("{{.A}} and {{.B}}", []Arg{A("A", "{{.B}}"), A("B", "b")})
	if want := "{{.B}} and b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFieldWithoutArgumentStaysVisible(t *testing.T) {
	if got, want := fill("attempt {{.Attempt}}.", nil), "attempt {{.Attempt}}."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCountCanBeGivenGrouped(t *testing.T) {
	args := []Arg{A("Count", "48,210")}
	got := For(English).N(ApprovalAddNodes, 48210, args...)
	if want := "48,210 nodes added"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkText(b *testing.B) {
	c := For(Chinese)
	b.ReportAllocs()
	for b.Loop() {
		c.T(ConnAttempt, A("Attempt", "3"))
	}
}
