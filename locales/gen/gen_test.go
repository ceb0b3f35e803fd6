package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"igraph-console/locales"
)

func mustLoad(t *testing.T) []message {
	t.Helper()
	messages, err := load("..")
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func TestCatalogueIsUpToDate(t *testing.T) {
	want, err := generate(mustLoad(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../" + catalogueFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("locales/%s does not match the message files; run go generate ./locales", catalogueFile)
	}
}

// go-i18n is the reference for what a message file means.
func TestCatalogueSaysWhatGoI18nSays(t *testing.T) {
	bundle := i18n.NewBundle(language.English)
	for _, name := range []string{"active.en.json", "active.zh.json"} {
		if _, err := bundle.LoadMessageFile("../" + name); err != nil {
			t.Fatal(err)
		}
	}
	plain, plurals := split(mustLoad(t))
	for _, lang := range []locales.Lang{locales.English, locales.Chinese} {
		catalogue := locales.For(lang)
		localizer := i18n.NewLocalizer(bundle, string(lang))
		for i, m := range plain {
			args, data := samples(m)
			want := localizer.MustLocalize(&i18n.LocalizeConfig{MessageID: m.key, TemplateData: data})
			if got := catalogue.T(locales.Key(i), args...); got != want {
				t.Errorf("%s %s: got %q, want %q", lang, m.key, got, want)
			}
		}
		for i, m := range plurals {
			for _, count := range []int{0, 1, 2, 5, 11, 21, 100} {
				args, data := samples(m)
				data[countField] = count
				want := localizer.MustLocalize(&i18n.LocalizeConfig{MessageID: m.key, TemplateData: data, PluralCount: count})
				if got := catalogue.N(locales.PluralKey(i), count, args...); got != want {
					t.Errorf("%s %s, count %d: got %q, want %q", lang, m.key, count, got, want)
				}
			}
		}
	}
}

// samples gives every field of a message a value of its own, markup included:
// both sides insert it untouched.
func samples(m message) ([]locales.Arg, map[string]any) {
	args := []locales.Arg{}
	data := map[string]any{}
	for i, field := range m.fields {
		v := "<值 " + strconv.Itoa(i) + " & “x”>"
		args = append(args, locales.A(field, v))
		data[field] = v
	}
	return args, data
}

func TestMistakesInMessageFilesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, en, zh, want string }{
		{"key missing in Chinese", `{"a.b":"x","a.c":"y"}`, `{"a.b":"x"}`, "a.c: no Chinese text"},
		{"key missing in English", `{"a.b":"x"}`, `{"a.b":"x","a.c":"y"}`, "a.c: no English text"},
		{"key given twice", `{"a.b":"x","a.b":"y"}`, `{"a.b":"x"}`, `"a.b" is given twice`},
		{"key not dotted", `{"ab":"x"}`, `{"ab":"x"}`, "not lower-case words"},
		{"key in capitals", `{"a.B":"x"}`, `{"a.B":"x"}`, "not lower-case words"},
		{"keys of one constant", `{"a.b_c":"x","a.b.c":"x"}`, `{"a.b_c":"x","a.b.c":"x"}`, "same constant ABC"},
		{"empty text", `{"a.b":""}`, `{"a.b":"x"}`, "empty"},
		{"empty Chinese text", `{"a.b":"x"}`, `{"a.b":""}`, "empty"},
		{"other fields", `{"a.b":"{{.X}}"}`, `{"a.b":"{{.Y}}"}`, "fields"},
		{"field missing in the singular", `{"a.b":{"one":"1","other":"{{.Count}} {{.X}}"}}`, `{"a.b":{"other":"{{.Count}} {{.X}}"}}`, "fields"},
		{"count without plural forms", `{"a.b":"{{.Count}} x"}`, `{"a.b":"{{.Count}} x"}`, "forms one and other"},
		{"singular only", `{"a.b":{"one":"x"}}`, `{"a.b":{"other":"x"}}`, "empty"},
		{"Chinese singular", `{"a.b":{"one":"x","other":"x"}}`, `{"a.b":{"one":"x","other":"x"}}`, "no singular"},
		{"form of another language", `{"a.b":{"one":"x","few":"y","other":"z"}}`, `{"a.b":{"other":"x"}}`, `form of "y"`},
		{"function", `{"a.b":"{{print .X}}"}`, `{"a.b":"{{print .X}}"}`, "no template"},
		{"pipe", `{"a.b":"{{.X | html}}"}`, `{"a.b":"{{.X | html}}"}`, "no template"},
		{"condition", `{"a.b":"{{if .X}}y{{end}}"}`, `{"a.b":"y"}`, "does more"},
		{"nested field", `{"a.b":"{{.X.Y}}"}`, `{"a.b":"{{.X.Y}}"}`, "does more"},
		{"trim marker", `{"a.b":"x {{- .X}}"}`, `{"a.b":"x {{- .X}}"}`, "does more"},
		{"comment", `{"a.b":"x{{/* y */}}"}`, `{"a.b":"x"}`, "does more"},
		{"unclosed field", `{"a.b":"{{.X"}`, `{"a.b":"x"}`, "no template"},
		{"not JSON", `{"a.b":"x"`, `{}`, "read messages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"active.en.json": c.en, "active.zh.json": c.zh} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := load(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got error %v, want one with %q", err, c.want)
			}
		})
	}
}
