package main

import (
	"fmt"
	"html/template"
	"io"
	"path/filepath"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// texts gives the messages the pages show before the program runs.
type texts struct{ en, zh *i18n.Localizer }

func loadTexts(dir string) (texts, error) {
	bundle := i18n.NewBundle(language.English)
	for _, name := range []string{"active.en.json", "active.zh.json"} {
		if _, err := bundle.LoadMessageFile(filepath.Join(dir, name)); err != nil {
			return texts{}, fmt.Errorf("load texts: %w", err)
		}
	}
	return texts{i18n.NewLocalizer(bundle, "en"), i18n.NewLocalizer(bundle, "zh")}, nil
}

// text is a message in English, for places that cannot show both languages.
func (t texts) text(key string) (string, error) {
	return t.en.Localize(&i18n.LocalizeConfig{MessageID: key})
}

// say is a message in both languages; the stylesheet shows the page's own. So
// the pages need no script to speak the right one.
func (t texts) say(key string) (template.HTML, error) {
	en, err := t.text(key)
	if err != nil {
		return "", err
	}
	zh, err := t.zh.Localize(&i18n.LocalizeConfig{MessageID: key})
	if err != nil {
		return "", err
	}
	const both = `<span class="say" lang="en">%s</span><span class="say" lang="zh-CN">%s</span>`
	return template.HTML(fmt.Sprintf(both, template.HTMLEscapeString(en), template.HTMLEscapeString(zh))), nil
}

// pageData is what a page is filled with.
type pageData struct {
	root  string            // the bundle's root seen from the page
	API   string            // where /api lies; empty is beside the page
	names map[string]string // the bundle's files
	texts texts
}

// file is the address of one of the bundle's files, seen from the page.
func (d pageData) file(name string) (string, error) {
	if d.names[name] == "" {
		return "", fmt.Errorf("the bundle has no file %q", name)
	}
	return d.root + d.names[name], nil
}

// renderPage fills the page at source. In it, file "boot.js" is the address of
// that file, text and say are messages.
func renderPage(w io.Writer, source string, data pageData) error {
	functions := template.FuncMap{"file": data.file, "text": data.texts.text, "say": data.texts.say}
	page, err := template.New(filepath.Base(source)).Funcs(functions).ParseFiles(source)
	if err != nil {
		return err
	}
	return page.Execute(w, data)
}
