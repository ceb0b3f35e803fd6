//go:build !js

package streamwasm_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"igraph-console/streamwasm/wasmtest"
)

// TestBrowserHalf runs this package's tests for js/wasm in a headless browser, against a server of this process.
func TestBrowserHalf(t *testing.T) {
	server := httptest.NewServer(newScriptedServer())
	defer server.Close()

	output := wasmtest.Run(t, []string{"STREAMWASM_SERVER=" + server.URL},
		"-timeout", "300s", "-bench", "^BenchmarkDecoder$", "-benchtime", "300ms", "-v", ".")
	if !strings.Contains(output, "--- PASS: TestTenThousand") {
		t.Fatalf("the browser did not run the tests:\n%s", output)
	}
	t.Logf("in the browser:\n%s", summary(output))
}

// summary keeps the verdicts of whole tests and the benchmarks.
func summary(output string) string {
	var kept []string
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "--- ") || strings.Contains(line, "MB/s") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
