// Command bundle builds the client into a directory that any web server can
// serve: the program and its files under names that change with their content,
// compressed beforehand, and the pages that refer to them.
//
// The pages refer relatively, so the bundle works under any path. A server needs
// one rule: every address s/{id} is answered by s/index.html.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// options are what the command line says.
type options struct {
	out, client, api string
	quick            bool
	baseline         string
	update           bool
}

func main() {
	var o options
	flag.StringVar(&o.out, "o", "dist", "`directory` to write the bundle to")
	flag.StringVar(&o.client, "client", "./app", "`package` of the client program")
	flag.StringVar(&o.api, "api", "", "`path` under which /api lies, if not beside the page; / is the server's root")
	flag.BoolVar(&o.quick, "quick", false, "leave out brotli, which takes half a minute")
	flag.StringVar(&o.baseline, "baseline", "", "compare the sizes with those in this `file`")
	flag.BoolVar(&o.update, "update", false, "write the sizes to the baseline first")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.update && o.baseline == "" {
		return errors.New("-update needs -baseline")
	}
	program, err := compile(o.client)
	if err != nil {
		return err
	}
	glue, err := runtimeScript()
	if err != nil {
		return err
	}
	b := newBundle(o.out, o.quick)
	if err := assemble(b, sources{web: "web", locales: "locales", api: o.api}, program, glue); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return report(os.Stdout, b.sizes, o.baseline, o.update)
}

// runtimeScript returns the script that carries Go programs in a browser. It
// must be of the Go version that built the program.
func runtimeScript() ([]byte, error) {
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("read the runtime script of Go: %w", err)
	}
	return script, nil
}

// sources says what the pages are made from: the directories of the files and of
// the texts, and the path of the API, empty if it is beside the page.
type sources struct{ web, locales, api string }

// assemble writes the bundle from its sources, the program and its runtime
// script. What an earlier build left of them is removed.
func assemble(b *bundle, from sources, program, glue []byte) error {
	if err := b.addHashed("app.wasm", program); err != nil {
		return err
	}
	if err := b.addHashed("wasm_exec.js", glue); err != nil {
		return err
	}
	for _, name := range []string{"boot.js", "tokens.css", "console.css"} {
		data, err := os.ReadFile(filepath.Join(from.web, name))
		if err != nil {
			return err
		}
		if err := b.addHashed(name, data); err != nil {
			return err
		}
	}
	// Others refer to these by name.
	for _, name := range []string{"favicon.svg", "manifest.webmanifest"} {
		data, err := os.ReadFile(filepath.Join(from.web, name))
		if err != nil {
			return err
		}
		if err := b.add(name, name, data); err != nil {
			return err
		}
	}
	if err := addPages(b, from); err != nil {
		return err
	}
	return b.removeOld()
}

// addPages writes the pages. Each refers to the bundle's files from its own
// depth; a server that knows no such page for an address moves 404.html there.
func addPages(b *bundle, from sources) error {
	texts, err := loadTexts(from.locales)
	if err != nil {
		return err
	}
	for _, page := range []struct{ name, source, root string }{
		{"index.html", "index.html", "./"},
		{"s/index.html", "index.html", "../"},
		{"404.html", "404.html", "./"},
	} {
		var html bytes.Buffer
		if err := renderPage(&html, filepath.Join(from.web, page.source), pageData{page.root, from.api, b.names, texts}); err != nil {
			return fmt.Errorf("page %s: %w", page.name, err)
		}
		if err := b.add(page.name, page.name, html.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
