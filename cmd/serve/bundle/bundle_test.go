package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

var testSources = sources{web: "../../../web", locales: "../../../locales"}

func build(t *testing.T, dir string, program string) *bundle {
	t.Helper()
	b := newBundle(dir, false)
	if err := assemble(b, testSources, []byte(program), []byte("glue")); err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryFileIsThereCompressed(t *testing.T) {
	dir := t.TempDir()
	b := build(t, dir, strings.Repeat("program ", 1000))
	for name, stored := range b.names {
		want := read(t, dir, stored)
		br, err := io.ReadAll(brotli.NewReader(bytes.NewReader(read(t, dir, stored+".br"))))
		if err != nil || !bytes.Equal(br, want) {
			t.Errorf("%s.br is not the file (%v)", name, err)
		}
		z, err := gzip.NewReader(bytes.NewReader(read(t, dir, stored+".gz")))
		if err != nil {
			t.Fatal(err)
		}
		gz, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(gz, want) {
			t.Errorf("%s.gz is not the file (%v)", name, err)
		}
	}
}

func TestNamesChangeWithTheContent(t *testing.T) {
	dir := t.TempDir()
	first := build(t, dir, "one").names["app.wasm"]
	second := build(t, dir, "two").names["app.wasm"]
	if first == second {
		t.Fatalf("two programs are both named %s", first)
	}
	for _, name := range []string{first, first + ".br", first + ".gz"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s of the earlier build is still there", name)
		}
	}
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.txt", "app.go", "app.0123456789.css"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build(t, dir, "program")
	for _, name := range []string{"notes.txt", "app.go", "app.0123456789.css"} {
		read(t, dir, name)
	}
}

func TestUnchangedFilesAreNotCompressedAgain(t *testing.T) {
	dir := t.TempDir()
	b := build(t, dir, "program")
	packed := filepath.Join(dir, b.names["app.wasm"]+".br")
	if err := os.WriteFile(packed, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	build(t, dir, "program")
	if got := read(t, packed); string(got) != "kept" {
		t.Error("the unchanged program was compressed again")
	}
}

func TestChangedFileOfTheSameNameIsCompressedAgain(t *testing.T) {
	b := newBundle(t.TempDir(), false)
	for _, text := range []string{"one", "two"} {
		if err := b.add("index.html", "index.html", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(read(t, b.dir, "index.html.br"))))
	if err != nil || string(got) != "two" {
		t.Errorf("compressed file holds %q (%v), want two", got, err)
	}
}

func TestQuickBuildKeepsNoBrotliOfAnEarlierProgram(t *testing.T) {
	dir := t.TempDir()
	for i, quick := range []bool{false, true} {
		b := newBundle(dir, quick)
		if err := b.add("index.html", "index.html", []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html.br")); err == nil {
		t.Error("index.html.br is that of the earlier page")
	}
}

// The policy the bundle is served with blocks anything inline without a word.
func TestPagesHaveNothingInline(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "program")
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|javascript:|<script[^>]*>[^<]|<base`)
	for _, page := range []string{"index.html", "s/index.html", "404.html"} {
		if found := inline.Find(read(t, dir, page)); found != nil {
			t.Errorf("%s has %q", page, found)
		}
	}
}

func TestPagesReferToFilesOfTheBundle(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "program")
	reference := regexp.MustCompile(`(?:src|href|data-program)="([^"#]+)"`)
	for _, page := range []string{"index.html", "s/index.html", "404.html"} {
		for _, match := range reference.FindAllSubmatch(read(t, dir, page), -1) {
			target := filepath.Join(dir, filepath.Dir(page), string(match[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s refers to %s: %v", page, match[1], err)
			}
		}
	}
}

func TestPageSpeaksBothLanguages(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "program")
	want := `<span class="say" lang="en">Loading…</span><span class="say" lang="zh-CN">正在加载…</span>`
	if !strings.Contains(string(read(t, dir, "index.html")), want) {
		t.Errorf("index.html lacks %s", want)
	}
}

func TestPageNamesTheAPIOnlyIfItIsElsewhere(t *testing.T) {
	for api, want := range map[string]string{"": "", "/": ` data-api="/"`, "/agent": ` data-api="/agent"`} {
		from := testSources
		from.api = api
		b := newBundle(t.TempDir(), true)
		if err := assemble(b, from, []byte("program"), []byte("glue")); err != nil {
			t.Fatal(err)
		}
		got := regexp.MustCompile(` data-api="[^"]*"`).Find(read(t, b.dir, "index.html"))
		if string(got) != want {
			t.Errorf("API %q: got %q, want %q", api, got, want)
		}
	}
}

func TestPageWithUnknownNamesFails(t *testing.T) {
	texts, err := loadTexts("../../../locales")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{`{{say "no.such"}}`, `{{file "no.such"}}`} {
		page := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(page, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := renderPage(io.Discard, page, pageData{texts: texts}); err == nil {
			t.Errorf("%s rendered without an error", source)
		}
	}
}

func TestSizesAreComparedWithTheBaseline(t *testing.T) {
	baseline := filepath.Join(t.TempDir(), "size")
	before := []size{{"app.wasm", 100, 50}, {"boot.js", 10, 5}}
	if err := report(io.Discard, before, baseline, true); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	after := []size{{"app.wasm", 120, 60}, {"boot.js", 10, 5}, {"new.css", 4, 3}}
	if err := report(&out, after, baseline, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"120 60 +10 app.wasm", "10 5 boot.js", "4 3 new new.css", "134 68 total"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("report lacks %q:\n%s", want, out.String())
		}
	}
}

func TestBrokenBaselineIsSaidSo(t *testing.T) {
	baseline := filepath.Join(t.TempDir(), "size")
	if err := report(io.Discard, nil, baseline, false); err == nil {
		t.Error("a missing baseline gives no error")
	}
	if err := os.WriteFile(baseline, []byte("app.wasm many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := report(io.Discard, nil, baseline, false); err == nil || !strings.Contains(err.Error(), "app.wasm many") {
		t.Errorf("a broken baseline gives %v", err)
	}
}
