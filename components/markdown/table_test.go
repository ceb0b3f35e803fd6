package markdown

import "testing"

func TestTables(t *testing.T) {
	for source, want := range map[string]string{
		"a | b\n--|:-:\n1 | 2": `
0 table
  0 row
    0 cell text "a"
    1 cell align=0x2 text "b"
  1 row
    0 cell text "1"
    1 cell align=0x2 text "2"
`,
		"| `a\\|b` | c\\|d |\n|:--|--:|\n| one |\n|1|2|3|4|\n|||\nfoo\n\nbar": `
0 table
  0 row
    0 cell align=0x1 code "a|b"
    1 cell align=0x3 text "c|d"
  1 row
    0 cell align=0x1 text "one"
    1 cell align=0x3
  2 row
    0 cell align=0x1 text "1"
    1 cell align=0x3 text "2|3|4"
  3 row
    0 cell align=0x1
    1 cell align=0x3
  4 row
    0 cell align=0x1 text "foo"
    1 cell align=0x3
1 paragraph text "bar"
`,
		"text\n| a |\n|---|": `
0 paragraph text "text"
1 table
  0 row
    0 cell text "a"
`,
		"| a |\n|---|\n- x": `
0 table
  0 row
    0 cell text "a"
1 list tight=true
  0 item
    0 paragraph text "x"
`,
		"| a | b |\n|---|": `
0 paragraph text "| a | b |" break text "|---|"
`,
		"a\n---": `
0 paragraph text "a"
1 rule
`,
	} {
		if got := "\n" + outline(Parse(source)); got != want {
			t.Errorf("%q gives%swant%s", source, got, want)
		}
	}
}
