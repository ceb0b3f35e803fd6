// Command bundle builds the client into a directory that any web server can
// serve: the program and its files under names that change with their content,
// compressed beforehand, and the pages that refer to them.
//
// The pages refer relatively, so the bundle works under any path. A server needs
// one rule: every address s/{id} is answered by s/index.html.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("o", "dist", "directory to write the bundle to")
	client := flag.String("client", "./app", "package of the client program")
	quick := flag.Bool("quick", false, "leave out brotli, which takes half a minute")
	baseline := flag.String("baseline", "", "compare the sizes with those in this file")
	update := flag.Bool("update", false, "write the sizes to the baseline instead")
	flag.Parse()
	if err := run(*out, *client, *quick, *baseline, *update); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(out, client string, quick bool, baseline string, update bool) error {
	program, err := compile(client)
	if err != nil {
		return err
	}
	glue, err := runtimeScript()
	if err != nil {
		return err
	}
	b := newBundle(out, quick)
	if err := assemble(b, "web", "locales", program, glue); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return report(os.Stdout, b.sizes, baseline, update)
}

// compile builds the client for the browser and returns the program. Without the
// commit's stamp, a commit that does not touch the client leaves it unchanged.
func compile(client string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bundle")
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", client, err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "app.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, client)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build %s: %w", client, err)
	}
	return os.ReadFile(program)
}

// runtimeScript returns the script that carries Go programs in a browser. It
// must be of the Go version that built the program.
func runtimeScript() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the Go installation: %w", err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("read the runtime script of Go: %w", err)
	}
	return script, nil
}

// assemble writes the bundle from the files in web, the texts in locales,
// the program and its runtime script. What an earlier build left of them is
// removed.
func assemble(b *bundle, web, locales string, program, glue []byte) error {
	if err := b.addHashed("app.wasm", program); err != nil {
		return err
	}
	if err := b.addHashed("wasm_exec.js", glue); err != nil {
		return err
	}
	for _, name := range []string{"boot.js", "tokens.css", "console.css"} {
		data, err := os.ReadFile(filepath.Join(web, name))
		if err != nil {
			return err
		}
		if err := b.addHashed(name, data); err != nil {
			return err
		}
	}
	// Others refer to these by name.
	for _, name := range []string{"favicon.svg", "manifest.webmanifest"} {
		data, err := os.ReadFile(filepath.Join(web, name))
		if err != nil {
			return err
		}
		if err := b.add(name, name, data); err != nil {
			return err
		}
	}
	if err := addPages(b, web, locales); err != nil {
		return err
	}
	return b.removeOld()
}

// addPages writes the pages. Each refers to the bundle's files from its own
// depth; a server that knows no such page for an address moves 404.html there.
func addPages(b *bundle, web, locales string) error {
	texts, err := loadTexts(locales)
	if err != nil {
		return err
	}
	for _, page := range []struct{ name, source, root string }{
		{"index.html", "index.html", "./"},
		{"s/index.html", "index.html", "../"},
		{"404.html", "404.html", "./"},
	} {
		var html bytes.Buffer
		if err := renderPage(&html, filepath.Join(web, page.source), page.root, b.names, texts); err != nil {
			return fmt.Errorf("page %s: %w", page.name, err)
		}
		if err := b.add(page.name, page.name, html.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
