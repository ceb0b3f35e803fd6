// Package static serves the built client: a handful of files with hashed names,
// compressed beforehand, and one page for each address of the console.
package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Policy lets the page load its own files, run WebAssembly and talk to its own
// server; no inline script or style, no other host, no framing.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; manifest-src 'self'"

// The pages of the bundle. They refer to their files relatively, so that the
// bundle works under any path; hence one page for each depth of address.
const (
	homePage     = "index.html"   // at /
	sessionPage  = "s/index.html" // at /s/{id}
	notFoundPage = "404.html"
)

// handler keeps the whole bundle in memory: it is small, and a new build written
// over the files of a running server cannot mix two versions.
type handler struct{ assets map[string]*asset }

// asset is a file of the bundle in the codings it comes in.
type asset struct {
	contentType  string
	cacheControl string
	rawLength    string
	bodies       map[coding]body
}

type body struct {
	bytes []byte
	etag  string
}

// New returns a handler for the bundle in files, whose root is the console's
// root. A file beside another with the suffix .br or .gz is that file
// compressed. It fails if a file cannot be read or the pages are missing.
func New(files fs.FS) (http.Handler, error) {
	h := handler{assets: map[string]*asset{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return h.load(files, name)
	})
	if err != nil {
		return nil, fmt.Errorf("load the client bundle: %w", err)
	}
	for _, page := range []string{homePage, sessionPage, notFoundPage} {
		if h.assets[page] == nil {
			return nil, fmt.Errorf("load the client bundle: %s is missing", page)
		}
	}
	for name, a := range h.assets {
		if _, ok := a.bodies[identity]; !ok {
			return nil, fmt.Errorf("load the client bundle: %s is there only compressed", name)
		}
	}
	return h, nil
}

func (h handler) load(files fs.FS, name string) error {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	name, enc := splitCoding(name)
	a := h.assets[name]
	if a == nil {
		a = &asset{
			contentType:  contentType(name),
			cacheControl: cacheControl(name),
			bodies:       map[coding]body{},
		}
		h.assets[name] = a
	}
	if enc == identity {
		a.rawLength = strconv.Itoa(len(data))
	}
	sum := sha256.Sum256(data)
	a.bodies[enc] = body{data, `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}
	return nil
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "the console's files can only be read", http.StatusMethodNotAllowed)
		return
	}
	if a := h.find(r.URL.Path); a != nil {
		a.serve(w, r)
		return
	}
	h.serveNotFound(w, r)
}

// find returns the file or page at a path below the console's root, nil if there
// is none. Files are looked up by their exact name, so that no path leads out of
// the bundle.
func (h handler) find(urlPath string) *asset {
	name := strings.TrimPrefix(urlPath, "/")
	if name == "" {
		return h.assets[homePage]
	}
	if id, ok := strings.CutPrefix(name, "s/"); ok && id != "" && !strings.Contains(id, "/") {
		return h.assets[sessionPage]
	}
	if path.Ext(name) == ".html" {
		return nil
	}
	return h.assets[name]
}

// serve answers in the coding the client wants most.
func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	enc := negotiate(r.Header.Values("Accept-Encoding"), a.bodies)
	body := a.bodies[enc]
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("Content-Length", strconv.Itoa(len(body.bytes)))
	header.Set("Cache-Control", a.cacheControl)
	header.Set("ETag", body.etag)
	if len(a.bodies) > 1 {
		header.Set("Vary", "Accept-Encoding")
	}
	if enc != identity {
		header.Set("Content-Encoding", string(enc))
	}
	// A script reading a compressed answer gets its raw bytes, but only the
	// compressed length: progress needs the raw one.
	header.Set("X-Raw-Length", a.rawLength)
	// ServeContent answers If-None-Match, Range and HEAD; without a name and a
	// time it adds nothing of its own.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body.bytes))
}

// serveNotFound answers an address at any depth. The page refers to the bundle's
// root by "./", which is moved up to where the root is, seen from the address.
func (h handler) serveNotFound(w http.ResponseWriter, r *http.Request) {
	depth := strings.Count(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	root := strings.Repeat("../", depth)
	page := h.assets[notFoundPage].bodies[identity].bytes
	if root != "" {
		page = bytes.ReplaceAll(page, []byte(`"./`), []byte(`"`+root))
	}
	header := w.Header()
	header.Set("Content-Type", contentTypes[".html"])
	header.Set("Content-Length", strconv.Itoa(len(page)))
	header.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		w.Write(page)
	}
}

// hashedName is a name that changes with the content, such as app.0a1b2c3d4e.wasm.
var hashedName = regexp.MustCompile(`\.[0-9a-f]{10}\.[a-z0-9]+$`)

func cacheControl(name string) string {
	if hashedName.MatchString(name) {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// contentTypes lists what a bundle holds. The system's own table is not asked:
// it differs from machine to machine, and a wrong type stops the program.
var contentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

func contentType(name string) string {
	if t := contentTypes[path.Ext(name)]; t != "" {
		return t
	}
	return "application/octet-stream"
}
