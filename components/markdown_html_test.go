package components

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"igraph-console/components/markdown"
	"igraph-console/locales"
)

var (
	tags       = regexp.MustCompile(`<[^>]*>`)
	attributes = regexp.MustCompile(`[a-z-]+="[^"]*"`)
)

// plainForm writes HTML so that two pieces are equal if they make the same elements and texts:
// attributes sorted, entities resolved, white space left out.
func plainForm(text string) string {
	text = tags.ReplaceAllStringFunc(text, func(tag string) string {
		list := attributes.FindAllString(tag, -1)
		slices.Sort(list)
		name, _, _ := strings.Cut(strings.Trim(tag, "<>/ \n"), " ")
		slash := ""
		if strings.HasPrefix(tag, "</") {
			slash = "/"
		}
		return "<" + slash + strings.TrimSpace(name) + strings.Join(list, "") + ">"
	})
	return strings.Join(strings.Fields(html.UnescapeString(text)), "")
}

const everyKind = `# 标题 <b>x</b>

段落 **粗** *斜* ~~删~~ ` + "`a<b>`" + ` [网](https://example.org/?a=1&b=2) [r](/admin) [x](javascript:alert(1)) ![图](https://example.org/i.png)
第二行  
第三行 & "引号" '单' <script>alert(1)</script>

> 引用
> - 内

~~~go
x := "<1>" // 注
~~~

~~~
plain
~~~

- 一
- 二 **b**

3. 三

   散

4. 四

---

| a | b | c |
|:--|:-:|--:|
| 1 | <i>2</i> | 3 |
`

func TestSettledBlocksAreElementForElementTheSame(t *testing.T) {
	p := inLanguage(locales.English)
	blocks := markdown.Parse(everyKind)
	settled, ok := settledHTML(p, blocks)
	if !ok {
		t.Fatal("not written")
	}
	grown := app.HTMLString(app.Div().Class("prose").Body(blockViews(p, blocks, "", "en")...))
	// Of aria-hidden="true" go-app prints the name alone.
	settled = strings.ReplaceAll(settled, ` aria-hidden="true"`, "")
	if a, b := plainForm(settled), plainForm(grown); a != b {
		t.Errorf("settled\n%s\ngrown\n%s", a, b)
	}
}

func TestNothingOfASettledTextIsMarkup(t *testing.T) {
	p := inLanguage(locales.English)
	text := `<img src=x onerror=alert(1)> [a](https://e.org/"onclick="x) **<svg/onload=1>** ` + "`</code><script>`"
	settled, ok := settledHTML(p, markdown.Parse(text))
	if !ok {
		t.Fatal("not written")
	}
	for _, tag := range tags.FindAllString(settled, -1) {
		name, _, _ := strings.Cut(strings.Trim(tag, "</>"), " ")
		if !slices.Contains([]string{"div", "p", "a", "strong", "code", "span"}, name) || strings.Contains(strings.ToLower(tag), ` on`) {
			t.Errorf("%s came from the text", tag)
		}
	}
}

func TestWhatNeedsComponentsIsNotWritten(t *testing.T) {
	p := inLanguage(locales.English)
	for _, text := range []string{"```go\nx\u001b[31m\n```", "- [ ] open", "> ```\n> " + strings.Repeat("x", shelfSize) + "1\n> ```"} {
		if _, ok := settledHTML(p, markdown.Parse(text)); ok {
			t.Errorf("%q was written", text)
		}
	}
}
