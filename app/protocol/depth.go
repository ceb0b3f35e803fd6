package protocol

// maxDepth is how deeply nested a JSON text may be. Validation recurses, and a stack that runs out
// cannot be recovered from; encoding/json draws the line at the same place.
const maxDepth = 10000

// tooDeep reports whether data nests deeper than maxDepth. A text shorter than that cannot, so
// ordinary frames cost nothing.
func tooDeep(data string) bool {
	if len(data) <= maxDepth {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}
