package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// inlined are the packages that every frame passes through and that gain most: the
// runtime's memory management, reading a stream, decoding. Everything else is
// compiled without inlining, which makes the program a tenth smaller. (Without it in
// the runtime, a rebuild of 20,000 events takes a third longer.)
var inlined = []string{"runtime", "github.com/tidwall/gjson", "igraph-console/streamwasm"}

// compile builds the client for the browser and returns the program. Without the
// commit's stamp, a commit that does not touch the client leaves it unchanged.
func compile(client string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bundle")
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", client, err)
	}
	defer os.RemoveAll(dir)
	overlay, err := withoutNetHTTP(dir)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", client, err)
	}
	program := filepath.Join(dir, "app.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-overlay", overlay, "-gcflags=all=-l"}
	for _, pkg := range inlined {
		args = append(args, "-gcflags="+pkg+"=")
	}
	cmd := exec.Command("go", append(args, "-o", program, client)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build %s: %w", client, err)
	}
	return os.ReadFile(program)
}

// standIn is the file that takes the place of net/http; see package nethttp.
const standIn = "cmd/serve/bundle/nethttp/nethttp.go"

// withoutNetHTTP writes an overlay for the build in which net/http is a few
// declarations, and returns its name.
func withoutNetHTTP(dir string) (string, error) {
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(goroot, "src", "net", "http", "*.go"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("find net/http below %s: %w", goroot, err)
	}
	replace := map[string]string{}
	for _, file := range files {
		replace[file] = "" // not there
	}
	stub, err := filepath.Abs(standIn)
	if err != nil {
		return "", err
	}
	replace[filepath.Join(goroot, "src", "net", "http", "http.go")] = stub
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("ask go for %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}
