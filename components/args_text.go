package components

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"igraph-console/app/protocol"
	"igraph-console/locales"
)

// editText is the text in which arguments are edited. A plain string is edited as its own text,
// without quotes; plain reports that.
func editText(args protocol.RawJSON) (text string, plain bool) {
	if strings.HasPrefix(string(args), `"`) {
		return gjson.Parse(string(args)).String(), true
	}
	if args == "" {
		return "null", false
	}
	if protocol.Depth(string(args)) > maxShownDepth {
		return string(args), false
	}
	text, _ = prettyJSON(string(args), math.MaxInt, math.MaxInt)
	return text, false
}

// argsProblem is why an edited text cannot be sent. Line and Column count from 1; Near is what
// stands there.
type argsProblem struct {
	Key          locales.Key
	Line, Column int
	Near         string
}

// editedArgs makes the arguments of an edited text: the values as they were typed, numbers to the
// last digit. Otherwise it says what is wrong with the text.
func editedArgs(text string, plain bool) (protocol.RawJSON, *argsProblem) {
	if strings.TrimSpace(text) == "" {
		return "", &argsProblem{Key: locales.ArgsEmpty, Line: 1, Column: 1}
	}
	if plain {
		return protocol.RawJSON(encodeString(text)), nil
	}
	// Only decoding tells where an error is; only compacting keeps the values as they were typed.
	var value json.RawMessage
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return "", describe(text, err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return "", describe(text, err)
	}
	return protocol.RawJSON(b.String()), nil
}

// describe says where a text stops being JSON, and what would be expected there.
func describe(text string, err error) *argsProblem {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return &argsProblem{Key: locales.ArgsInvalid, Line: 1, Column: 1}
	}
	said := syntax.Error()
	at := min(max(int(syntax.Offset)-1, 0), len(text))
	problem := &argsProblem{Key: locales.ArgsInvalid}
	for _, known := range []struct {
		words string
		key   locales.Key
	}{
		{"unexpected end", locales.ArgsCut},
		{"after top-level value", locales.ArgsTrailing},
		{"after object key:value pair", locales.ArgsComma},
		{"after array element", locales.ArgsComma},
		{"after object key", locales.ArgsColon},
		{"beginning of object key string", locales.ArgsName},
		{"beginning of value", locales.ArgsValue},
		{"in string", locales.ArgsString},
		{"in numeric literal", locales.ArgsNumber},
		{"exceeded max depth", locales.ArgsDeep},
	} {
		if strings.Contains(said, known.words) {
			problem.Key = known.key
			break
		}
	}
	if problem.Key == locales.ArgsCut {
		at = len(strings.TrimRight(text, " \t\r\n"))
	}
	problem.Line, problem.Column = position(text, at)
	problem.Near = near(text[at:])
	return problem
}

// position tells the line and the column, in characters, of an offset.
func position(text string, offset int) (line, column int) {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// near is the first word of what stands at an error.
func near(rest string) string {
	if rest == "" {
		return ""
	}
	end := 1
	if rest[0] == '"' {
		end = stringEnd(rest, 0)
	} else if i := strings.IndexAny(rest, " \t\r\n,:]}"); i > 0 {
		end = i
	}
	for end < len(rest) && !utf8.RuneStart(rest[end]) {
		end++
	}
	line, _, _ := strings.Cut(rest[:end], "\n")
	return shorten(line, 40)
}

// lineNumbers are the numbers beside a text, split around the line that is wrong (0: none).
func lineNumbers(lines, wrong int) (before, at, after string) {
	var b strings.Builder
	parts := [3]string{}
	part := 0
	for n := 1; n <= lines; n++ {
		if n == wrong {
			parts[0], parts[1], part = b.String(), itoa(n), 2
			b.Reset()
			continue
		}
		b.WriteString(itoa(n))
		b.WriteByte('\n')
	}
	parts[part] = b.String()
	return parts[0], parts[1], parts[2]
}
