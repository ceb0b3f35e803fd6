package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
)

// RawJSON is a JSON value exactly as it came: long numbers are not rounded, keys not reordered.
// Empty means absent and is written as null.
type RawJSON string

// MarshalJSON writes the value as it is.
func (r RawJSON) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("null"), nil
	}
	if !json.Valid([]byte(r)) {
		return nil, fmt.Errorf("raw json of %d bytes is not valid JSON", len(r))
	}
	return []byte(r), nil
}

// UnmarshalJSON keeps the value as it is.
func (r *RawJSON) UnmarshalJSON(b []byte) error {
	*r = RawJSON(b)
	return nil
}

// MarshalJSON writes the metrics as one object, in order.
func (m Metrics) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, metric := range m {
		if err := member(&b, i, metric.Name, metric.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// SeriesSet is the series of a tool, written as one object in order.
type SeriesSet []Series

// MarshalJSON writes {"loss":[[x,y],…],…}.
func (s SeriesSet) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, series := range s {
		points := series.Points
		if points == nil {
			points = []Point{}
		}
		if err := member(&b, i, series.Name, points); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func member(b *strings.Builder, i int, name string, value any) error {
	key, err := json.Marshal(name)
	if err != nil {
		return fmt.Errorf("encode name %q: %w", name, err)
	}
	val, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode value of %q: %w", name, err)
	}
	if i > 0 {
		b.WriteByte(',')
	}
	b.Write(key)
	b.WriteByte(':')
	b.Write(val)
	return nil
}
