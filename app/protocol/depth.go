package protocol

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"
)

const (
	// maxDepth is how deeply nested a JSON text may be; encoding/json draws the line there.
	maxDepth = 10000
	// quickDepth is how deep the quick validation may go. It recurses, and the stack of a browser
	// ends after a few thousand calls, which nothing recovers from.
	quickDepth = 500
)

// checkJSON says why data is no JSON text that can be read, or nil.
func checkJSON(data string) error {
	depth := nesting(data)
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	valid := depth <= quickDepth && gjson.Valid(data) || depth > quickDepth && json.Valid([]byte(data))
	if !valid {
		return errors.New("not valid JSON")
	}
	return nil
}

// nesting is how deeply data nests, or 0 for a text that is too short to nest deeply: ordinary
// frames cost nothing.
func nesting(data string) int {
	if len(data) <= quickDepth {
		return 0
	}
	return Depth(data)
}

// Depth is how deeply a JSON text nests, found without recursion.
func Depth(data string) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}
