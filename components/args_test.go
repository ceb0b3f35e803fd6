package components

import (
	"fmt"
	"strings"
	"testing"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

const order = `{"to":"a@example.com","count":3,"note":null,"tags":["x"],"ok":false}`

func TestEditingOneNumberChangesNothingElse(t *testing.T) {
	text, plain := editText(order)
	if plain {
		t.Fatal("an object is edited as plain text")
	}
	edited, problem := editedArgs(strings.Replace(text, "3", "4", 1), plain)
	if problem != nil {
		t.Fatal(problem)
	}
	if want := strings.Replace(order, "3", "4", 1); string(edited) != want {
		t.Errorf("got  %s\nwant %s", edited, want)
	}
	changes := diffArgs(order, string(edited))
	if len(changes) != 1 || changes[0] != (argChange{"count", "3", "4"}) {
		t.Errorf("got %v", changes)
	}
}

func TestUntouchedTextIsNoChange(t *testing.T) {
	for _, args := range []protocol.RawJSON{order, `"ls"`, "null", "0", `[1,[2]]`, `"<&>"`, `{"n":12345678901234567890.10}`} {
		text, plain := editText(args)
		edited, problem := editedArgs(text, plain)
		if problem != nil || edited != args || len(diffArgs(string(args), string(edited))) != 0 {
			t.Errorf("%s became %s (%v)", args, edited, problem)
		}
	}
}

func TestPlainStringIsEditedAsItsText(t *testing.T) {
	text, plain := editText(`"ls"`)
	if text != "ls" || !plain {
		t.Fatalf("edited as %q", text)
	}
	edited, problem := editedArgs(`echo "ls -l"`, plain)
	if problem != nil || edited != `"echo \"ls -l\""` {
		t.Errorf("got %s (%v)", edited, problem)
	}
	if edited, _ := editedArgs("42", plain); edited != `"42"` {
		t.Errorf("a number as text became %s", edited)
	}
}

func TestFaultyTextIsNotSentAndSaysWhere(t *testing.T) {
	for _, c := range []struct {
		text         string
		key          locales.Key
		line, column int
		near         string
	}{
		{"", locales.ArgsEmpty, 1, 1, ""},
		{" \n ", locales.ArgsEmpty, 1, 1, ""},
		{"{\"count\":}", locales.ArgsValue, 1, 10, "}"},
		{"{\n  \"a\": 1\n  \"字\": 2\n}", locales.ArgsComma, 3, 3, `"字"`},
		{"[1 2]", locales.ArgsComma, 1, 4, "2"},
		{"{\"a\" 1}", locales.ArgsColon, 1, 6, "1"},
		{"{a:1}", locales.ArgsName, 1, 2, "a"},
		{"{\"字\":1,}", locales.ArgsName, 1, 8, "}"},
		{"{\"a\":1", locales.ArgsCut, 1, 7, ""},
		{"{\"a\":\"x", locales.ArgsCut, 1, 8, ""},
		{"{} x", locales.ArgsTrailing, 1, 4, "x"},
		{"\"a\nb\"", locales.ArgsString, 1, 3, ""},
		{"-x", locales.ArgsNumber, 1, 2, "x"},
		{"nul", locales.ArgsInvalid, 1, 3, "l"},
		{strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), locales.ArgsDeep, 1, 10_001, "["},
	} {
		edited, problem := editedArgs(c.text, false)
		if problem == nil || edited != "" {
			t.Errorf("%.20q is taken as %s", c.text, edited)
			continue
		}
		if want := (argsProblem{c.key, c.line, c.column, c.near}); *problem != want {
			t.Errorf("%.20q: got %+v, want %+v", c.text, *problem, want)
		}
	}
}

func TestDifferencesNameEachPlace(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []argChange
	}{
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, nil},
		{`{"a":"A"}`, `{"a":"A"}`, nil},
		{`{"a":4}`, `{"a":4.0}`, []argChange{{"a", "4", "4.0"}}},
		{`{"a":4}`, `{"a":"4"}`, []argChange{{"a", "4", `"4"`}}},
		{`12345678901234567890`, `12345678901234567891`, []argChange{{"", "12345678901234567890", "12345678901234567891"}}},
		{`{"a":[1,2,3]}`, `{"a":[1,5]}`, []argChange{{"a[1]", "2", "5"}, {"a[2]", "3", ""}}},
		{`{"a":{"b":1}}`, `{"a":{"b":1,"c d":null},"e":[]}`, []argChange{{`a["c d"]`, "", "null"}, {"e", "", "[]"}}},
		{`{"a":{}}`, `{"a":[]}`, []argChange{{"a", "{}", "[]"}}},
	} {
		if got := diffArgs(c.before, c.after); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s to %s: got %v, want %v", c.before, c.after, got, c.want)
		}
	}
}

func TestDeepValuesDifferAsAWhole(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	if got := diffArgs(deep, deep); got != nil {
		t.Errorf("equal values differ")
	}
	if got := diffArgs(deep, "[]"); len(got) != 1 {
		t.Errorf("%d differences", len(got))
	}
}

func TestEditorIsReadyOnlyWithAChange(t *testing.T) {
	var e argsEditor
	e.begin(order, "")
	if e.ready() {
		t.Error("nothing is changed, but it can be sent")
	}
	e.typed(strings.Replace(e.initial, "3", "4", 1))
	if !e.ready() {
		t.Error("a change cannot be sent")
	}
	e.typed("{")
	if e.ready() || e.problem == nil {
		t.Error("a faulty text can be sent")
	}
}

func TestEditorGoesOnWithKeptText(t *testing.T) {
	var e argsEditor
	e.begin(order, `{"half":`)
	if e.initial != `{"half":` || e.problem == nil {
		t.Errorf("began with %q", e.initial)
	}
}

func TestLineNumbersMarkTheWrongLine(t *testing.T) {
	before, at, after := lineNumbers(4, 2)
	if before != "1\n" || at != "2" || after != "3\n4\n" {
		t.Errorf("got %q %q %q", before, at, after)
	}
	if before, at, after := lineNumbers(2, 0); before != "1\n2\n" || at != "" || after != "" {
		t.Errorf("got %q %q %q", before, at, after)
	}
}
