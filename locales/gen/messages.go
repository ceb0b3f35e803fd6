package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// countField is filled in by the catalogue, from the count that chooses the form.
const countField = "Count"

// message is one text in both languages, checked: the two agree in their fields
// and have the plural forms their languages need.
type message struct {
	key    string
	en, zh forms
	fields []string // without Count, sorted
}

// forms holds the plural forms of a message; one is empty where the language or
// the message has no singular.
type forms struct{ one, other string }

func (m message) plural() bool { return m.en.one != "" }

// load reads the message files in dir and checks them. It reports everything it
// finds wrong at once, so that a round of edits needs one run.
func load(dir string) ([]message, error) {
	en, err := readFile(filepath.Join(dir, "active.en.json"))
	if err != nil {
		return nil, err
	}
	zh, err := readFile(filepath.Join(dir, "active.zh.json"))
	if err != nil {
		return nil, err
	}

	var messages []message
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(en)) {
		if zh[key] == nil {
			problems = append(problems, fmt.Errorf("%s: no Chinese text", key))
			continue
		}
		m, err := newMessage(key, en[key], zh[key])
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", key, err))
			continue
		}
		messages = append(messages, m)
	}
	for _, key := range slices.Sorted(maps.Keys(zh)) {
		if en[key] == nil {
			problems = append(problems, fmt.Errorf("%s: no English text", key))
		}
	}
	problems = append(problems, checkNames(messages)...)
	return messages, errors.Join(problems...)
}

func readFile(path string) (map[string]*i18n.Message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	if err := checkDuplicates(data); err != nil {
		return nil, fmt.Errorf("read messages of %s: %w", path, err)
	}
	file, err := i18n.ParseMessageFileBytes(data, path, nil)
	if err != nil {
		return nil, fmt.Errorf("read messages of %s: %w", path, err)
	}
	byKey := make(map[string]*i18n.Message, len(file.Messages))
	for _, m := range file.Messages {
		byKey[m.ID] = m
	}
	return byKey, nil
}

// checkDuplicates finds keys given twice, of which JSON decoding would silently
// keep the last.
func checkDuplicates(data []byte) error {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if seen[name] {
			return fmt.Errorf("key %q is given twice", name)
		}
		seen[name] = true
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return fmt.Errorf("key %q: %w", name, err)
		}
	}
	return nil
}

var keyPattern = regexp.MustCompile(`^[a-z][a-z0-9]*([._][a-z0-9]+)+$`)

func newMessage(key string, en, zh *i18n.Message) (message, error) {
	if !keyPattern.MatchString(key) {
		return message{}, errors.New(`key is not lower-case words joined by "." and "_"`)
	}
	m := message{key: key, en: forms{en.One, en.Other}, zh: forms{"", zh.Other}}
	if en.Other == "" || zh.Other == "" {
		return message{}, errors.New("text is empty")
	}
	if zh.One != "" {
		return message{}, errors.New("the Chinese text has no singular form; give only other")
	}
	if rare := en.Zero + en.Two + en.Few + en.Many + zh.Zero + zh.Two + zh.Few + zh.Many; rare != "" {
		return message{}, fmt.Errorf("neither language has the form of %q; give only one and other", rare)
	}

	texts := []string{m.en.other, m.zh.other}
	if m.plural() {
		texts = append(texts, m.en.one)
	}
	for i, text := range texts {
		fields, err := fieldsOf(text)
		if err != nil {
			return message{}, err
		}
		if slices.Contains(fields, countField) && !m.plural() {
			return message{}, errors.New("a text with {{.Count}} needs the forms one and other in English")
		}
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == countField })
		if i == 0 {
			m.fields = fields
		} else if !slices.Equal(fields, m.fields) {
			return message{}, fmt.Errorf("%q has the fields %v, %q has %v", text, fields, texts[0], m.fields)
		}
	}
	return m, nil
}

// fieldsOf lists the fields of a template, sorted. Anything beyond plain
// {{.Field}} insertion is refused: the catalogue can do nothing else.
func fieldsOf(text string) ([]string, error) {
	trees, err := parse.Parse("text", text, "", "")
	if err != nil {
		return nil, fmt.Errorf("%q is no template: %w", text, err)
	}
	if trees["text"].Root == nil {
		return nil, errors.New("text is empty")
	}
	var plain strings.Builder
	var fields []string
	for _, node := range trees["text"].Root.Nodes {
		switch node := node.(type) {
		case *parse.TextNode:
			plain.Write(node.Text)
		case *parse.ActionNode:
			field := fieldOf(node)
			fields = append(fields, field)
			plain.WriteString("{{." + field + "}}")
		}
	}
	// Written out again, a template of text and plain fields is its own source.
	if plain.String() != text {
		return nil, fmt.Errorf("%q does more than insert {{.Field}}", text)
	}
	slices.Sort(fields)
	return slices.Compact(fields), nil
}

func fieldOf(action *parse.ActionNode) string {
	if len(action.Pipe.Cmds) != 1 || len(action.Pipe.Cmds[0].Args) != 1 {
		return ""
	}
	field, ok := action.Pipe.Cmds[0].Args[0].(*parse.FieldNode)
	if !ok || len(field.Ident) != 1 {
		return ""
	}
	return field.Ident[0]
}

// checkNames finds keys that differ but make the same Go constant.
func checkNames(messages []message) []error {
	var problems []error
	keys := map[string]string{}
	for _, m := range messages {
		name := constant(m.key)
		if other, taken := keys[name]; taken {
			problems = append(problems, fmt.Errorf("%s and %s make the same constant %s", other, m.key, name))
		}
		keys[name] = m.key
	}
	return problems
}

// constant names a key in Go: composer.go_to_request is ComposerGoToRequest.
func constant(key string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
