// Package markdown turns the Markdown of an answer, whole or still arriving,
// into a tree of plain Go values. It draws nothing: components walk the tree.
//
// # Dialect
//
// CommonMark with tables, task lists, ~~strikethrough~~ (two tildes only) and
// bare http(s) addresses as links. It differs where an answer would suffer:
//
//   - HTML is text. Tags, type parameters and "<think>" stay visible.
//   - Dollar signs and single tildes are text.
//   - Asterisks next to Chinese, Japanese or Korean characters count as if the
//     text had spaces, so that **注意：**先 is bold.
//   - Asterisks between two ASCII letters or digits open nothing: 2*3*4.
//   - A line of dashes or equals signs under a paragraph makes no heading. Under
//     CommonMark every list that follows a paragraph without a blank line would
//     flash as a heading while its first dash arrives, and "---" written as a
//     rule would turn the paragraph above into one.
//   - Link reference definitions are text. One at the end of an answer would
//     change blocks that were final long before; as text, the address is a link.
//   - Only http, https, mailto, relative and fragment destinations are links.
//     Images are never loaded; they are links bearing the alternative text.
//
// # Streaming
//
// A [Stream] parses from the start of the last top-level block only: once a
// later block has started, an earlier one can no longer change. Inside a
// growing list the items before the last are final too, inside a table all
// complete rows, and an open fenced code block is not parsed at all: its lines
// are appended.
//
// The end of a text still arriving is ambiguous. These rules keep it calm; none
// of them survives [Stream.Finish], which takes every character as it is:
//
//   - A last line made of nothing but marks ("```", "- ", "1.", "|--", "**") is
//     held back until a character of content or the end of the line decides
//     what it is. So is the first line of a code fence, whose text is no content.
//   - A line starting with "|" is shown as a [TableDraft] until the next line
//     makes it the header of a table or the text of a paragraph.
//   - In the last paragraph, heading or cell an unclosed "**", "~~" or "`"
//     counts as closed at the end, an unfinished [text](address shows its text,
//     and marks at the very end are held back.
//
// # Limits
//
// Containers nested deeper than 32 nodes stay text, and inlines nested deeper
// than 16 lose their styling. A line longer than 16 KB or a paragraph longer
// than 32 KB becomes a [Plain] block, and after 1,000 delimiter runs in one
// paragraph further ones are text: finding the pairs takes quadratic time. More
// than 200 columns make no table.
package markdown
