package components

import (
	"strings"
	"testing"

	"igraph-console/locales"
)

func TestHugeValuesAreBoundedAndCopiedWhole(t *testing.T) {
	line := `"` + strings.Repeat("x", 5<<20) + `"`
	lines := `"` + strings.Repeat(`a\n`, 200_000) + `"`
	binary := `"` + strings.Repeat(`\u0000\u001b[31m\r`, 60_000) + `"`
	for name, raw := range map[string]string{"one line": line, "many lines": lines, "binary": binary} {
		part, whole := boundedText(raw, shownBytes, shownLines)
		if whole || len(part) > shownBytes || strings.Count(part, "\n") > shownLines {
			t.Errorf("%s: %d bytes and %d lines shown, whole: %v", name, len(part), strings.Count(part, "\n"), whole)
		}
		if !strings.HasPrefix(fullText(raw), part) || len(fullText(raw)) < len(part) {
			t.Errorf("%s: what is copied does not begin with what is shown", name)
		}
	}
	if got := len(fullText(line)); got != 5<<20 {
		t.Errorf("%d bytes copied", got)
	}
}

func TestOddValuesShow(t *testing.T) {
	p := inLanguage(locales.English)
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for raw, want := range map[string]string{
		"null": "null", "true": "true", "0": "0", `""`: "", "[]": "[]", deep: deep,
		`{"content":{"a":1}}`: "{\n  \"content\": {\n    \"a\": 1\n  }\n}",
	} {
		part, whole := boundedText(raw, shownBytes, shownLines)
		if part != want || !whole {
			t.Errorf("%.20s shows as %.40q", raw, part)
		}
		tableOf(raw, 10)
		p.summarize(raw)
		p.faultText(raw)
	}
}

func TestTablesKeepNumbersAsTheyCame(t *testing.T) {
	members := tableOf(`{"id":12345678901234567890,"":3,"a.b":2,"__proto__":"x","o":{"k":[1,2]}}`, 100)
	var cells []string
	for _, row := range members.rows {
		cells = append(cells, row[0].text+"="+row[1].text)
	}
	if got := strings.Join(cells, " "); got != `id=12345678901234567890 =3 a.b=2 __proto__=x o={"k": [1, 2]}` {
		t.Errorf("got %s", got)
	}
	if len(members.columns) != 0 || members.total != 5 {
		t.Errorf("got %v", members)
	}
}

func TestListsOfObjectsAreTables(t *testing.T) {
	raw := "[" + strings.Repeat(`{"n":1,"v":2.50},`, 149) + `{"n":2,"w":null}]`
	table := tableOf(raw, 100)
	if len(table.rows) != 100 || table.total != 150 || strings.Join(table.columns, " ") != "n v" {
		t.Errorf("%d rows of %d, columns %v", len(table.rows), table.total, table.columns)
	}
	if tableOf(`[1,{"a":1}]`, 10).total != 0 {
		t.Error("a mixed list is no table")
	}
}

func TestSummariesAreOneLine(t *testing.T) {
	p := inLanguage(locales.English)
	for raw, want := range map[string]string{
		"": "", "null": "", `"two\nlines"`: "two lines", "[1,2,3]": "3 items", "42": "42",
		`{"summary":"4 features"}`: "4 features", `{"nodes":34,"edges":78,"x":[1]}`: "nodes 34, edges 78",
		`{"a":{"b":1}}`: "1 key", `"` + strings.Repeat("x", 300_000) + `"`: "300 kB",
	} {
		if got := p.summarize(raw); got != want {
			t.Errorf("%.30s: %q, want %q", raw, got, want)
		}
	}
	if got := p.faultText(`{"code":"OOM","message":"no memory"}`); got != "no memory (OOM)" {
		t.Errorf("got %q", got)
	}
}

func TestASummaryKeepsANumberAsItCame(t *testing.T) {
	p := inLanguage(locales.English)
	for _, raw := range []string{"12345678901234567890", "1e400", "0.10", "-0"} {
		if got := p.summarize(raw); got != raw {
			t.Errorf("%s is summarized as %s", raw, got)
		}
	}
}

func TestDeepValuesAreNotTakenApart(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 4000) + "1" + strings.Repeat("}", 4000)
	if n := len(highlight(deep)); n > 10 {
		t.Errorf("%d pieces stand in the page", n)
	}
}
