package static

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

const wasmName = "app.0123456789.wasm"

func bundle() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html":                     "home",
		"s/index.html":                   "session",
		"404.html":                       "not found",
		"favicon.svg":                    "<svg/>",
		"manifest.webmanifest":           "{}",
		"boot.0123456789.js":             "boot",
		"console.0123456789.css":         "css",
		wasmName:                         "raw program",
		wasmName + ".br":                 "br program",
		wasmName + ".gz":                 "gz program",
		"console.0123456789.css.gz":      "gz css",
		"unknown.type":                   "bytes",
		"deeper/folder/file.webmanifest": "{}",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func newHandler(t *testing.T) http.Handler {
	t.Helper()
	h, err := New(bundle())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAddresses(t *testing.T) {
	h := newHandler(t)
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{
		{"/", 200, "home"},
		{"/?x=1", 200, "home"},
		{"/s/1f0c", 200, "session"},
		{"/s/1f0c?x=1", 200, "session"},
		{"/s/%E4%BC%9A", 200, "session"},
		{"/favicon.svg", 200, "<svg/>"},
		{"/s/", 404, "not found"},
		{"/s", 404, "not found"},
		{"/s/1/2", 404, "not found"},
		{"/index.html", 404, "not found"},
		{"/404.html", 404, "not found"},
		{"/deeper/", 404, "not found"},
		{"/deeper/folder", 404, "not found"},
		{"/old.wasm", 404, "not found"},
		{"/" + wasmName + ".br", 404, "not found"},
		{"/../static.go", 404, "not found"},
		{"/deeper/../../static.go", 404, "not found"},
		{"/%2e%2e/static.go", 404, "not found"},
		{"//etc/passwd", 404, "not found"},
	} {
		res := get(h, "GET", c.path)
		if got := text(t, res); res.StatusCode != c.status || got != c.body {
			t.Errorf("GET %s: %d %q, want %d %q", c.path, res.StatusCode, got, c.status, c.body)
		}
	}
}

func TestNotFoundPageFindsTheRootFromAnyDepth(t *testing.T) {
	files := bundle()
	files["404.html"].Data = []byte(`<a href="./">`)
	h, err := New(files)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/x":      `<a href="./">`,
		"/s/":     `<a href="../">`,
		"/s/1/2":  `<a href="../../">`,
		"/x%2Fy":  `<a href="./">`,
		"/a/b/c/": `<a href="../../../">`,
	} {
		if got := text(t, get(h, "GET", path)); got != want {
			t.Errorf("GET %s: got %q, want %q", path, got, want)
		}
	}
}

func TestContentTypes(t *testing.T) {
	h := newHandler(t)
	for path, want := range map[string]string{
		"/":                       "text/html; charset=utf-8",
		"/nowhere":                "text/html; charset=utf-8",
		"/" + wasmName:            "application/wasm",
		"/boot.0123456789.js":     "text/javascript; charset=utf-8",
		"/console.0123456789.css": "text/css; charset=utf-8",
		"/manifest.webmanifest":   "application/manifest+json",
		"/favicon.svg":            "image/svg+xml",
		"/unknown.type":           "application/octet-stream",
	} {
		if got := get(h, "GET", path).Header.Get("Content-Type"); got != want {
			t.Errorf("GET %s: type %q, want %q", path, got, want)
		}
	}
}

func TestCodingIsNegotiated(t *testing.T) {
	h := newHandler(t)
	for _, c := range []struct{ accept, coding string }{
		{"", ""},
		{"gzip, deflate, br, zstd", "br"},
		{"gzip", "gzip"},
		{"GZIP", "gzip"},
		{"br;q=0.5, gzip;q=0.8", "gzip"},
		{"br; q=0.5 , gzip;q=0.2", "br"},
		{"br;q=0, gzip;q=0", ""},
		{"br;q=0, *", "gzip"},
		{"*;q=0.1", "br"},
		{"*;q=0", ""},
		{"gzip;q=0.1", "gzip"},
		{"identity, br;q=0.5", ""},
		{"deflate", ""},
		{"br;q=much", ""},
	} {
		res := get(h, "GET", "/"+wasmName, "Accept-Encoding", c.accept)
		if got := res.Header.Get("Content-Encoding"); got != c.coding {
			t.Errorf("Accept-Encoding %q: got %q, want %q", c.accept, got, c.coding)
		}
		want := map[string]string{"": "raw program", "br": "br program", "gzip": "gz program"}[c.coding]
		if got := text(t, res); got != want {
			t.Errorf("Accept-Encoding %q: got body %q, want %q", c.accept, got, want)
		}
		if got := res.Header.Get("X-Raw-Length"); got != "11" {
			t.Errorf("Accept-Encoding %q: raw length %q, want 11", c.accept, got)
		}
		if got := res.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary %q", c.accept, got)
		}
	}
}

func TestCodingThatIsNotThereIsNotPromised(t *testing.T) {
	h := newHandler(t)
	res := get(h, "GET", "/console.0123456789.css", "Accept-Encoding", "br, gzip;q=0.5")
	if got := res.Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("got coding %q, want gzip", got)
	}
	res = get(h, "GET", "/favicon.svg", "Accept-Encoding", "br")
	if got := res.Header.Get("Content-Encoding") + res.Header.Get("Vary"); got != "" {
		t.Errorf("a file in one coding speaks of codings: %q", got)
	}
}

func TestHashedFilesAreKeptAndOthersChecked(t *testing.T) {
	h := newHandler(t)
	for path, want := range map[string]string{
		"/" + wasmName:        "public, max-age=31536000, immutable",
		"/boot.0123456789.js": "public, max-age=31536000, immutable",
		"/":                   "no-cache",
		"/s/1":                "no-cache",
		"/nowhere":            "no-cache",
		"/favicon.svg":        "no-cache",
	} {
		if got := get(h, "GET", path).Header.Get("Cache-Control"); got != want {
			t.Errorf("GET %s: Cache-Control %q, want %q", path, got, want)
		}
	}
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	h := newHandler(t)
	etag := get(h, "GET", "/").Header.Get("ETag")
	if !strings.HasPrefix(etag, `"`) {
		t.Fatalf("ETag %q is not strong", etag)
	}
	res := get(h, "GET", "/", "If-None-Match", etag)
	if got := text(t, res); res.StatusCode != http.StatusNotModified || got != "" {
		t.Errorf("got %d %q, want 304 without body", res.StatusCode, got)
	}
	if got := res.Header.Get("ETag"); got != etag {
		t.Errorf("304 has ETag %q, want %q", got, etag)
	}
	res = get(h, "GET", "/", "If-None-Match", `"another"`)
	if res.StatusCode != http.StatusOK {
		t.Errorf("another ETag: got %d, want 200", res.StatusCode)
	}
}

func TestEachCodingHasItsOwnETag(t *testing.T) {
	h := newHandler(t)
	seen := map[string]string{}
	for _, accept := range []string{"identity", "gzip", "br"} {
		etag := get(h, "GET", "/"+wasmName, "Accept-Encoding", accept).Header.Get("ETag")
		if other, taken := seen[etag]; taken {
			t.Errorf("%s and %s share the ETag %s", accept, other, etag)
		}
		seen[etag] = accept
	}
}

func TestHeadSendsHeadersOnly(t *testing.T) {
	h := newHandler(t)
	for _, path := range []string{"/", "/" + wasmName, "/nowhere"} {
		head := get(h, "HEAD", path, "Accept-Encoding", "br")
		full := get(h, "GET", path, "Accept-Encoding", "br")
		if got := text(t, head); got != "" {
			t.Errorf("HEAD %s: body %q", path, got)
		}
		for _, name := range []string{"Content-Length", "Content-Type", "Content-Encoding", "ETag"} {
			if a, b := head.Header.Get(name), full.Header.Get(name); a != b {
				t.Errorf("HEAD %s: %s %q, GET has %q", path, name, a, b)
			}
		}
	}
}

func TestOnlyReadingIsAllowed(t *testing.T) {
	res := get(newHandler(t), "POST", "/")
	if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", res.StatusCode, res.Header.Get("Allow"))
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	h := newHandler(t)
	for _, path := range []string{"/", "/s/1", "/" + wasmName, "/nowhere"} {
		header := get(h, "GET", path).Header
		for name, want := range map[string]string{
			"Content-Security-Policy": Policy,
			"X-Content-Type-Options":  "nosniff",
			"Referrer-Policy":         "no-referrer",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("GET %s: %s %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestPagesMustBeThere(t *testing.T) {
	for _, page := range []string{"index.html", "s/index.html", "404.html"} {
		files := bundle()
		delete(files, page)
		if _, err := New(files); err == nil || !strings.Contains(err.Error(), page) {
			t.Errorf("without %s: error %v", page, err)
		}
	}
}

func TestCompressedFileNeedsItsOriginal(t *testing.T) {
	files := bundle()
	delete(files, wasmName)
	if _, err := New(files); err == nil || !strings.Contains(err.Error(), wasmName) {
		t.Errorf("without %s: error %v", wasmName, err)
	}
}

func TestWorksUnderAPrefix(t *testing.T) {
	h := http.StripPrefix("/agent/ui", newHandler(t))
	if got := text(t, get(h, "GET", "/agent/ui/s/1")); got != "session" {
		t.Errorf("got %q, want the session page", got)
	}
}
