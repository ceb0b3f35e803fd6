// Package locales holds every text the console shows, in English and Chinese.
//
// The texts live in active.en.json and active.zh.json, in go-i18n's message
// file format. To add one, add its key to both files and run
// "go generate ./locales": the generator checks the files and writes the key as
// a Go constant, so that a misspelt or missing key does not compile.
//
// go-i18n itself stays out of the browser: it renders through text/template,
// whose reflection keeps every exported method of the program alive in the
// binary. The messages use nothing of it but plain {{.Field}} insertion, which
// is done here; a test holds this package to go-i18n's output.
package locales

import (
	"strconv"
	"strings"
)

//go:generate go run ./gen

// Lang is a language of the interface.
type Lang string

const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Detect picks the interface language from the languages a person reads, best
// first, as navigator.languages lists them: the first that is any kind of
// Chinese or English, English if there is none.
func Detect(navigatorLanguages []string) Lang {
	for _, tag := range navigatorLanguages {
		primary, _, _ := strings.Cut(tag, "-")
		switch lang := Lang(strings.ToLower(primary)); lang {
		case English, Chinese:
			return lang
		}
	}
	return English
}

// Tag is the language with its region, for lang attributes and Accept-Language.
func (l Lang) Tag() string {
	if l == Chinese {
		return "zh-CN"
	}
	return "en-US"
}

// Key names a message without a count, PluralKey one that depends on a count.
// They are types of their own so that a message is not asked for without the
// count that chooses its form.
type (
	Key       uint16
	PluralKey uint16
)

// plural holds the forms of a message that depends on a count.
type plural struct{ one, other string }

// Catalogue gives the texts of one language.
type Catalogue struct {
	lang    Lang
	texts   *[keyCount]string
	plurals *[pluralCount]plural
}

var (
	english = Catalogue{English, &englishTexts, &englishPlurals}
	chinese = Catalogue{Chinese, &chineseTexts, &chinesePlurals}
)

// For returns the catalogue of a language; English for one that is not offered.
func For(lang Lang) *Catalogue {
	if lang == Chinese {
		return &chinese
	}
	return &english
}

// Lang is the language of the catalogue.
func (c *Catalogue) Lang() Lang { return c.lang }

// Arg fills one field of a message.
type Arg struct{ name, value string }

// A makes the argument for the field {{.name}}.
func A(name, value string) Arg { return Arg{name, value} }

// T returns the text of key with its fields filled in. A field without an
// argument stays visible as it is written in the message file.
func (c *Catalogue) T(key Key, args ...Arg) string {
	return fill(c.texts[key], args)
}

// N returns the text of key in the form that count asks for. The field
// {{.Count}} is the count in plain digits, unless args give it otherwise
// (grouped, for instance).
//
// The two languages need no rule engine: for whole numbers English has one form
// for exactly 1 and another for the rest, Chinese has one form.
func (c *Catalogue) N(key PluralKey, count int, args ...Arg) string {
	forms := &c.plurals[key]
	text := forms.other
	if count == 1 && forms.one != "" {
		text = forms.one
	}
	return fill(text, append(args[:len(args):len(args)], A("Count", strconv.Itoa(count))))
}

// fill replaces each {{.Field}} of text by the first argument of that name.
// Values are inserted as they are and never read as templates themselves.
func fill(text string, args []Arg) string {
	before, rest, found := strings.Cut(text, "{{.")
	if !found {
		return text
	}
	var b strings.Builder
	for found {
		field, after, _ := strings.Cut(rest, "}}")
		b.WriteString(before)
		b.WriteString(value(field, args))
		before, rest, found = strings.Cut(after, "{{.")
	}
	b.WriteString(before)
	return b.String()
}

func value(field string, args []Arg) string {
	for _, arg := range args {
		if arg.name == field {
			return arg.value
		}
	}
	return "{{." + field + "}}"
}
