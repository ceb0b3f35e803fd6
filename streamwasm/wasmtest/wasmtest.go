//go:build !js

// Package wasmtest runs the js/wasm tests of a package in a headless browser, from a native test.
package wasmtest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// browsers are the names under which the test runner looks for a browser.
var browsers = []string{
	"headless_shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	"google-chrome-beta", "google-chrome-unstable", "chrome",
}

// passedOn are the variables that the go command may need. The rest stays behind: the environment goes into the
// page's memory as a whole and must remain below 8 KB there.
var passedOn = []string{
	"PATH", "HOME", "TMPDIR", "GOPATH", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN",
}

// Run runs "go test" for js/wasm in the package of the calling test, with further arguments and variables, and
// returns its output. The test fails if that fails, or if there is no browser.
func Run(t *testing.T, env []string, args ...string) string {
	t.Helper()
	requireBrowser(t)
	readSources(t)
	child := exec.Command("go", append([]string{"test", "-exec", buildRunner(t)}, args...)...)
	child.Env = append(append(filteredEnvironment(), "GOOS=js", "GOARCH=wasm"), env...)
	output, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("tests in the browser: %v\n%s", err, output)
	}
	return string(output)
}

func requireBrowser(t *testing.T) {
	t.Helper()
	for _, name := range browsers {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	t.Fatalf("these tests need Chromium or Chrome, and PATH has none of %s", strings.Join(browsers, ", "))
}

// readSources reads all Go files below. The go command takes the files that a test opens for its inputs, and repeats
// the test when they have changed; without this it would not know that this one depends on the files for js/wasm.
func readSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		_, err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// buildRunner builds the program that runs a js/wasm test binary in a browser, for the machine that runs this test.
func buildRunner(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wasmbrowsertest")
	build := exec.Command("go", "build", "-o", path, "github.com/agnivade/wasmbrowsertest")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build wasmbrowsertest: %v\n%s", err, output)
	}
	return path
}

func filteredEnvironment() []string {
	var env []string
	for _, name := range passedOn {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
