package graphs

import "fmt"

// Language tags of the two languages every finding is worded in.
const (
	English = "en-US"
	Chinese = "zh-CN"
)

// Error is a refusal that a person can act on: what is wrong, where, and what
// to do about it, in both languages. The code is stable.
type Error struct {
	Code Code
	Line int // line of the file, from 1; 0 where there is none
	EN   string
	ZH   string
	Err  error // cause, if another error was
}

func (e *Error) Error() string { return e.EN }

func (e *Error) Unwrap() error { return e.Err }

// In gives the message in the language of a turn; English unless Chinese.
func (e *Error) In(language string) string { return pick(language, e.EN, e.ZH) }

// Note is a finding that does not stop the work but must be told, because it
// changed what was read.
type Note struct {
	Code Code   `json:"code"`
	EN   string `json:"en"`
	ZH   string `json:"zh"`
}

// In gives the note in the language of a turn; English unless Chinese.
func (n Note) In(language string) string { return pick(language, n.EN, n.ZH) }

func pick(language, en, zh string) string {
	if language == Chinese {
		return zh
	}
	return en
}

// refuse words an Error from the table of messages. The same arguments go into
// both languages; a format names them by position where the order differs.
func refuse(code Code, line int, args ...any) *Error {
	m := messages[code]
	e := &Error{Code: code, Line: line, EN: word(m.en, args), ZH: word(m.zh, args)}
	if line > 0 {
		e.EN = fmt.Sprintf("line %d: %s", line, e.EN)
		e.ZH = fmt.Sprintf("第 %d 行：%s", line, e.ZH)
	}
	return e
}

func (e *Error) because(cause error) *Error {
	e.Err = cause
	return e
}

func remark(code Code, args ...any) Note {
	m := messages[code]
	return Note{Code: code, EN: word(m.en, args), ZH: word(m.zh, args)}
}

// word formats only when there is something to put in, so that a message may
// hold a bare percent sign.
func word(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}
