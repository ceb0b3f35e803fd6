package components

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"igraph-console/app/protocol"
)

func TestPrettyJSONKeepsValuesAsTheyCame(t *testing.T) {
	in := `{"b":12345678901234567890123, "a":[1.50,{"x":[]},{}],"s":"a\"b{,:\u0041","":null}`
	want := `{
  "b": 12345678901234567890123,
  "a": [
    1.50,
    {
      "x": []
    },
    {}
  ],
  "s": "a\"b{,:\u0041",
  "": null
}`
	got, whole := prettyJSON(in, math.MaxInt, math.MaxInt)
	if got != want || !whole {
		t.Errorf("got %s", got)
	}
}

func TestPrettyJSONIsBounded(t *testing.T) {
	many := "[" + strings.Repeat("1,", 200_000) + "1]"
	got, whole := prettyJSON(many, 20_000, 200)
	if whole || strings.Count(got, "\n") > 201 {
		t.Errorf("%d lines, whole: %v", strings.Count(got, "\n"), whole)
	}
	long := `"` + strings.Repeat("字", 2_000_000) + `"`
	got, whole = prettyJSON(long, 20_000, 200)
	if whole || len(got) > 20_000 {
		t.Errorf("%d bytes, whole: %v", len(got), whole)
	}
}

func TestPrettyJSONTakesAnyText(t *testing.T) {
	for _, in := range []string{"", "]", "}{", `"open`, "{", strings.Repeat("[", 20_000), "nonsense"} {
		prettyJSON(in, 1000, 1000)
	}
}

func TestTokensAreTheText(t *testing.T) {
	text, _ := prettyJSON(`{"k":"v","n":[-1.5e3,true,null],"q":"a\"b: 1"}`, math.MaxInt, math.MaxInt)
	var all, classes strings.Builder
	for _, tok := range tokens(text) {
		all.WriteString(tok.text)
		classes.WriteString(tok.class)
	}
	if all.String() != text || classes.String() != "kskn"+"ww"+"ks" {
		t.Errorf("classes %q, text %q", classes.String(), all.String())
	}
}

func TestDepthIsMeasuredWithoutRecursion(t *testing.T) {
	if d := protocol.Depth(strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000)); d != 50_000 {
		t.Errorf("got %d", d)
	}
	if d := protocol.Depth(`{"a":"[[[\"["}`); d != 1 {
		t.Errorf("brackets in strings count: %d", d)
	}
}

func TestPrefixOfAStringIsAPrefixOfItsText(t *testing.T) {
	text := `a"b\c` + "\n字👍🏽 \u0000end" + strings.Repeat("😀", 20)
	plain, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	ascii := strings.NewReplacer("字", `\u5b57`, "😀", `\ud83d\ude00`).Replace(string(plain))
	for _, raw := range []string{string(plain), ascii} {
		for n := 1; n <= len(raw); n++ {
			got, whole := decodePrefix(raw, n)
			if !strings.HasPrefix(text, got) || whole != (n == len(raw)) {
				t.Fatalf("%d bytes of %s decode to %q", n, raw, got)
			}
		}
	}
}

func TestEncodedStringKeepsItsCharacters(t *testing.T) {
	for _, text := range []string{"ls -l", "<a> & b", `quo"te`, "行\n"} {
		raw := encodeString(text)
		if got := gjson.Parse(raw).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if raw := encodeString("<a>"); raw != `"<a>"` {
		t.Errorf("got %s", raw)
	}
}

func TestCompactIsOneBoundedLine(t *testing.T) {
	if got := compact("{ \"a\" : [1,\n2] }", 100); got != `{"a": [1, 2]}` {
		t.Errorf("got %s", got)
	}
	if got := compact("["+strings.Repeat("1,", 1000)+"1]", 10); len(got) > 14 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %s", got)
	}
}

func TestPathsNameMembersAsAProgramWould(t *testing.T) {
	for _, c := range []struct{ path, name, want string }{
		{"", "a", "a"}, {"a", "b_1", "a.b_1"}, {"a[0]", "x", "a[0].x"},
		{"a", "b.c", `a["b.c"]`}, {"", "", `[""]`}, {"a", "1", `a["1"]`}, {"", "键", `["键"]`},
	} {
		if got := memberPath(c.path, c.name); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.name, c.path, got, c.want)
		}
	}
}

func TestFindLooksAtNamesAndScalars(t *testing.T) {
	text := `{"Model":{"name":"sage"},"list":["Page",1.5,{"x.y":"page"}]}`
	got := findJSON(text, "PAGE", 10)
	if len(got) != 2 || got[0].path != "list[0]" || got[1].path != `list[2]["x.y"]` {
		t.Errorf("got %v", got)
	}
	if got := findJSON(text, "model", 10); len(got) != 1 || got[0].raw != `{"name":"sage"}` {
		t.Errorf("got %v", got)
	}
	if got := findJSON(text, "e", 1); len(got) != 1 {
		t.Errorf("%d finds, limit 1", len(got))
	}
}
