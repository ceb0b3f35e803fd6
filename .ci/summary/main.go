// Command summary runs "go test" with the given arguments, shows the packages as
// they finish and the output of what failed, and ends with the number of tests
// that passed and failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary: start go test:", err)
		os.Exit(1)
	}
	s := summary{w: os.Stdout, output: map[string][]string{}}
	s.read(output)
	err = cmd.Wait()
	fmt.Printf("%d passed, %d failed\n", s.passed, s.failed)
	if err != nil || s.failed > 0 {
		os.Exit(1)
	}
}

// event is a line of "go test -json". Test is empty in what a package says,
// ImportPath is set in what the compiler says.
type event struct{ Action, Package, ImportPath, Test, Output string }

type summary struct {
	w              io.Writer
	output         map[string][]string // of what has not finished yet
	passed, failed int
}

func (s *summary) read(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.take(line)
		}
		if err != nil {
			return
		}
	}
}

func (s *summary) take(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		s.w.Write(line) // what is no event is for people
		return
	}
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "skip":
		s.finish(e, key, e.Action == "pass")
	case "fail", "build-fail":
		s.fail(e, key)
	}
}

func (s *summary) finish(e event, key string, passed bool) {
	if e.Test != "" && passed {
		s.passed++
	}
	if e.Test == "" {
		for _, line := range s.output[key] {
			if strings.HasPrefix(line, "ok") {
				fmt.Fprint(s.w, line)
			}
		}
	}
	delete(s.output, key)
}

// fail shows all output. What does not compile counts as one failure.
func (s *summary) fail(e event, key string) {
	if e.Test != "" || e.Action == "build-fail" {
		s.failed++
	}
	fmt.Fprint(s.w, strings.Join(s.output[key], ""))
	delete(s.output, key)
}
