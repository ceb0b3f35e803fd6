package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// source is a file of the client, test files left out.
type source struct {
	path string
	file *ast.File
}

func clientSources(t *testing.T) []source {
	t.Helper()
	var sources []source
	for _, dir := range []string{"../../app", "../../components"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			sources = append(sources, source{strings.TrimPrefix(path, "../../"), file})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sources
}

func TestEveryMessageIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, src := range clientSources(t) {
		ast.Inspect(src.file, func(n ast.Node) bool {
			if name, ok := messageConstant(n); ok {
				used[name] = true
			}
			return true
		})
	}
	page := webText(t)
	for _, m := range mustLoad(t) {
		if !used[constant(m.key)] && !strings.Contains(page, `"`+m.key+`"`) {
			t.Errorf("message %s is used nowhere in app/, components/ or web/; remove it from both files", m.key)
		}
	}
}

// webText is everything in web/, where messages go by their key.
func webText(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../web/*.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in web/ (%v)", err)
	}
	var text strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return text.String()
}

// messageConstant reports the X of an expression locales.X.
func messageConstant(n ast.Node) (string, bool) {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return sel.Sel.Name, ok && pkg.Name == "locales"
}

// The compiler cannot tell that the names given to A are the message's fields.
func TestMessagesGetTheirFields(t *testing.T) {
	byName := map[string]message{}
	for _, m := range mustLoad(t) {
		byName[constant(m.key)] = m
	}
	for _, src := range clientSources(t) {
		ast.Inspect(src.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name, ok := messageConstant(call.Args[0])
			m, known := byName[name]
			if !ok || !known {
				return true
			}
			given, literal := fieldsGiven(call)
			if literal && !slices.Equal(given, m.fields) {
				t.Errorf("%s: locales.%s is given the fields %v, its text has %v", src.path, name, given, m.fields)
			}
			return true
		})
	}
}

// fieldsGiven lists the fields of a call's locales.A arguments, sorted and
// without Count; literal is false where other arguments leave that open, or
// where the call is none of T or N.
func fieldsGiven(call *ast.CallExpr) (fields []string, literal bool) {
	rest := call.Args[1:]
	sel, ok := call.Fun.(*ast.SelectorExpr)
	switch {
	case !ok || call.Ellipsis.IsValid():
		return nil, false
	case sel.Sel.Name == "N" && len(rest) > 0:
		rest = rest[1:]
	case sel.Sel.Name != "T":
		return nil, false
	}
	for _, arg := range rest {
		a, ok := arg.(*ast.CallExpr)
		if !ok || len(a.Args) != 2 {
			return nil, false
		}
		name, isA := messageConstant(a.Fun)
		field, isText := stringLiteral(a.Args[0])
		if !isA || name != "A" || !isText {
			return nil, false
		}
		if field != countField {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	return fields, true
}

func stringLiteral(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

func TestNoTextIsWrittenInCode(t *testing.T) {
	for _, src := range clientSources(t) {
		for _, text := range writtenTexts(src) {
			t.Errorf("%s: %q is text for people; it belongs in the message files", src.path, text)
		}
	}
}

// writtenTexts finds literals that a person would read: Chinese anywhere, English
// sentences in components, and any words handed straight to an element.
func writtenTexts(src source) []string {
	var texts []string
	component := strings.HasPrefix(src.path, "components/")
	ast.Inspect(src.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && component {
			if text, ok := shownLiteral(call); ok {
				texts = append(texts, text)
			}
		}
		text, ok := stringLiteral(n)
		if ok && (hasHan(text) || component && sentence.MatchString(text)) {
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

var (
	sentence = regexp.MustCompile(`^[A-Z][a-z]+ [a-z]+`)
	word     = regexp.MustCompile(`[A-Za-z]{3}`)

	// Methods of go-app's elements whose argument a person sees or hears.
	showing = []string{"Text", "Textf", "Title", "Placeholder", "Alt", "Label"}
	// ARIA attributes read out to a person.
	spoken = []string{"label", "description", "roledescription", "valuetext", "placeholder"}
)

// shownLiteral reports the words a call hands straight to an element.
func shownLiteral(call *ast.CallExpr) (string, bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	text, ok := stringLiteral(call.Args[len(call.Args)-1])
	if !ok || !word.MatchString(text) {
		return "", false
	}
	if sel.Sel.Name == "Aria" {
		attribute, _ := stringLiteral(call.Args[0])
		return text, slices.Contains(spoken, attribute)
	}
	return text, slices.Contains(showing, sel.Sel.Name)
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// The scans above are only worth something if they see what they look for.
func TestScansSeeWrittenText(t *testing.T) {
	for _, c := range []struct {
		path, expr string
		want       int
	}{
		{"components/x.go", `app.Span().Text("Stop run")`, 2},
		{"components/x.go", `app.Span().Text("Send")`, 1},
		{"components/x.go", `app.Div().Aria("label", "send")`, 1},
		{"components/x.go", `app.Div().Aria("hidden", "true")`, 0},
		{"components/x.go", `app.Div().Class("btn primary")`, 0},
		{"components/x.go", `app.Kbd().Text("/")`, 0},
		{"app/act/x.go", `f("发送")`, 1},
		{"app/act/x.go", `errors.New("Post failed to start")`, 0},
	} {
		code := fmt.Sprintf("package x\nvar _ = %s", c.expr)
		file, err := parser.ParseFile(token.NewFileSet(), c.path, code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := writtenTexts(source{c.path, file}); len(got) != c.want {
			t.Errorf("%s: found %q, want %d texts", c.expr, got, c.want)
		}
	}
}

func TestScansSeeFields(t *testing.T) {
	expr, err := parser.ParseExpr(`c.N(locales.X, 3, locales.A("B", b), locales.A("Count", n), locales.A("A", a))`)
	if err != nil {
		t.Fatal(err)
	}
	got, literal := fieldsGiven(expr.(*ast.CallExpr))
	if want := []string{"A", "B"}; !literal || !slices.Equal(got, want) {
		t.Errorf("got %v (literal %v), want %v", got, literal, want)
	}
}
