package static

import (
	"strconv"
	"strings"
)

// coding is a content coding as Content-Encoding names it; identity is none.
type coding string

const (
	identity coding = ""
	brotli   coding = "br"
	gzip     coding = "gzip"
)

// splitCoding takes the suffix of a precompressed file off its name.
func splitCoding(file string) (string, coding) {
	if name, ok := strings.CutSuffix(file, ".br"); ok {
		return name, brotli
	}
	if name, ok := strings.CutSuffix(file, ".gz"); ok {
		return name, gzip
	}
	return file, identity
}

// negotiate picks the coding the client wants most among those there are; of
// equally wanted ones the smallest. A client that accepts nothing gets the plain
// file: an answer it may be able to read is better than none.
func negotiate(acceptEncoding []string, offered map[coding]body) coding {
	wanted := parseAccept(strings.Join(acceptEncoding, ","))
	best, bestWeight := identity, wanted.weight("identity")
	for _, c := range []coding{gzip, brotli} {
		_, there := offered[c]
		if weight := wanted.weight(string(c)); there && weight > 0 && weight >= bestWeight {
			best, bestWeight = c, weight
		}
	}
	return best
}

// weights maps what Accept-Encoding names to its weight, 0 to 1.
type weights map[string]float64

func parseAccept(header string) weights {
	w := weights{}
	for entry := range strings.SplitSeq(header, ",") {
		name, parameter, _ := strings.Cut(entry, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); ok {
			parsed, err := strconv.ParseFloat(q, 64)
			if err != nil {
				continue
			}
			weight = parsed
		}
		w[strings.ToLower(strings.TrimSpace(name))] = weight
	}
	return w
}

// weight of a coding that is not named is that of "*". Without a "*" it is not
// accepted, apart from the plain file, which is the last resort.
func (w weights) weight(name string) float64 {
	if weight, ok := w[name]; ok {
		return weight
	}
	if weight, ok := w["*"]; ok {
		return weight
	}
	return 0
}
