package graphs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Property names that JSON graphs use for the parts of nodes and edges.
var (
	jsonFrom   = []string{"source", "from", "src", "start", "源", "起点"}
	jsonTo     = []string{"target", "to", "dst", "end", "目标", "终点"}
	jsonWeight = []string{"weight", "value", "w", "cost", "权重"}
	jsonID     = []string{"id", "key"}
	jsonLinks  = []string{"links", "edges", "relationships"}
)

func loadJSON(c *collector, text string) error {
	root, err := decodeJSON(text)
	if err != nil {
		return err
	}
	switch v := root.(type) {
	case []any:
		return loadPairs(c, v)
	case map[string]any:
		if key, ok := firstKey(v, jsonLinks); ok {
			if links, ok := v[key].([]any); ok {
				return loadNodeLink(c, v, links)
			}
		}
		// The object's own order is lost in a map, and node order is what people
		// see, so the members are read again in order.
		return loadAdjacency(c, text)
	}
	return refuse(CodeJSONShape, 0, "scalar")
}

func decodeJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, badJSON(text, d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, badJSON(text, d.InputOffset(), errors.New("more than one value"))
	}
	return root, nil
}

func badJSON(text string, offset int64, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset = int64(len(text))
	}
	offset = min(offset, int64(len(text)))
	line := 1 + strings.Count(text[:offset], "\n")
	return refuse(CodeBadJSON, line, err.Error()).because(err)
}

// loadPairs reads an array of [a, b], [a, b, weight] or edge objects.
func loadPairs(c *collector, items []any) error {
	for i, item := range items {
		e, err := pairOf(item)
		if err != nil {
			return refuse(CodeJSONShape, 0, fmt.Sprintf("[%d]: %v", i, err)).because(err)
		}
		if err := addPair(c, e, i); err != nil {
			return err
		}
	}
	return nil
}

// addPair names the place of a fault by its index, as JSON has no useful line.
func addPair(c *collector, e fileEdge, i int) error {
	if e.weight != 0 && !validWeight(e.weight) {
		return refuse(CodeBadWeight, 0, fmt.Sprintf("[%d]: %s", i, formatWeight(e.weight)))
	}
	return c.edge(e.from, e.to, e.weight, 0)
}

func pairOf(item any) (fileEdge, error) {
	switch v := item.(type) {
	case []any:
		if len(v) < 2 || len(v) > 3 {
			return fileEdge{}, fmt.Errorf("%d elements instead of 2 or 3", len(v))
		}
		from, ok1 := scalar(v[0])
		to, ok2 := scalar(v[1])
		if !ok1 || !ok2 {
			return fileEdge{}, errors.New("the ends are neither text nor numbers")
		}
		e := fileEdge{from: from, to: to}
		if len(v) == 3 {
			return e, e.jsonWeight(v[2])
		}
		return e, nil
	case map[string]any:
		return edgeObject(v)
	}
	return fileEdge{}, errors.New("neither an array nor an object")
}

func edgeObject(v map[string]any) (fileEdge, error) {
	from, ok1 := member(v, jsonFrom)
	to, ok2 := member(v, jsonTo)
	if !ok1 || !ok2 {
		return fileEdge{}, errors.New("no source or no target")
	}
	e := fileEdge{from: from, to: to}
	if key, ok := firstKey(v, jsonWeight); ok {
		return e, e.jsonWeight(v[key])
	}
	return e, nil
}

// jsonWeight takes a number, a number in a string, an object with a weight, or
// null for none. A weight out of range is kept for the caller to refuse.
func (e *fileEdge) jsonWeight(v any) error {
	switch w := v.(type) {
	case nil:
		return nil
	case map[string]any:
		if key, ok := firstKey(w, jsonWeight); ok {
			if _, nested := w[key].(map[string]any); !nested {
				return e.jsonWeight(w[key])
			}
		}
		return nil
	}
	text, ok := scalar(v)
	if !ok {
		return errors.New("the weight is not a number")
	}
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || w == 0 {
		return fmt.Errorf("the weight %q is not a positive number", short(text))
	}
	e.weight = w
	return nil
}

// loadNodeLink reads {"nodes":[…],"links":[…]}.
func loadNodeLink(c *collector, root map[string]any, links []any) error {
	if directed, ok := root["directed"].(bool); ok && directed {
		c.directed = true
	}
	items, _ := root["nodes"].([]any)
	if len(items) > MaxNodes {
		return refuse(CodeTooManyNodes, 0, MaxNodes)
	}
	nodes, byPlace, err := jsonNodes(items)
	if err != nil {
		return err
	}
	edges := make([]fileEdge, len(links))
	for i, item := range links {
		e, err := pairOf(item)
		if err != nil {
			return refuse(CodeJSONShape, 0, fmt.Sprintf("links[%d]: %v", i, err)).because(err)
		}
		if e.weight != 0 && !validWeight(e.weight) {
			return refuse(CodeBadWeight, 0, fmt.Sprintf("links[%d]: %s", i, formatWeight(e.weight)))
		}
		if byPlace {
			e.from, e.to = placed(nodes, e.from), placed(nodes, e.to)
		}
		edges[i] = e
	}
	return addNamed(c, nodes, edges)
}

// jsonNodes reads the nodes. If none has an id, links refer to them by place.
func jsonNodes(items []any) (nodes []namedNode, byPlace bool, err error) {
	byPlace = len(items) > 0
	for i, item := range items {
		var n namedNode
		if id, ok := scalar(item); ok {
			n.id = id
			byPlace = false
		} else if v, ok := item.(map[string]any); ok {
			id, hasID := member(v, jsonID)
			n.id = id
			n.label, _ = member(v, labelNames)
			byPlace = byPlace && !hasID
			if !hasID {
				n.id = n.label
			}
		}
		if n.id == "" {
			return nil, false, refuse(CodeJSONShape, 0, fmt.Sprintf("nodes[%d]: no id", i))
		}
		nodes = append(nodes, n)
	}
	return nodes, byPlace, nil
}

// placed gives the id of the node at a place; anything else already is an id.
func placed(nodes []namedNode, end string) string {
	i, err := strconv.Atoi(end)
	if err != nil || i < 0 || i >= len(nodes) {
		return end
	}
	return nodes[i].id
}

// loadAdjacency reads {"a":["b","c"],"b":{"c":2}}. An undirected edge is
// listed at both its ends, which does not make it a duplicate.
func loadAdjacency(c *collector, text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return badJSON(text, d.InputOffset(), err)
	}
	seen := map[[2]string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return badJSON(text, d.InputOffset(), err)
		}
		from, _ := token.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return badJSON(text, d.InputOffset(), err)
		}
		edges, err := adjacent(from, raw)
		if err != nil {
			return refuse(CodeJSONShape, 0, fmt.Sprintf("%q: %v", short(from), err)).because(err)
		}
		if _, err := c.node(from, 0); err != nil {
			return err
		}
		for i, e := range edges {
			if !c.directed && seen[[2]string{e.to, e.from}] {
				continue
			}
			if err := addPair(c, e, i); err != nil {
				return err
			}
		}
		for _, e := range edges {
			seen[[2]string{e.from, e.to}] = true
		}
	}
	return nil
}

// adjacent reads the neighbours of one node: an array of labels or objects, or
// an object of label to weight or attributes.
func adjacent(from string, raw json.RawMessage) ([]fileEdge, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case bytes.HasPrefix(raw, []byte("[")):
		return adjacentArray(from, raw)
	case bytes.HasPrefix(raw, []byte("{")):
		return adjacentObject(from, raw)
	}
	return nil, errors.New("the neighbours are neither an array nor an object")
}

func adjacentArray(from string, raw json.RawMessage) ([]fileEdge, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var items []any
	if err := d.Decode(&items); err != nil {
		return nil, err
	}
	edges := make([]fileEdge, 0, len(items))
	for _, item := range items {
		if to, ok := scalar(item); ok {
			edges = append(edges, fileEdge{from: from, to: to})
			continue
		}
		v, ok := item.(map[string]any)
		if !ok {
			return nil, errors.New("a neighbour is neither a label nor an object")
		}
		to, ok := member(v, slices.Concat(jsonID, jsonTo))
		if !ok {
			return nil, errors.New("a neighbour has no id")
		}
		e := fileEdge{from: from, to: to}
		if err := e.jsonWeight(v); err != nil {
			return nil, err
		}
		edges = append(edges, e)
	}
	return edges, nil
}

func adjacentObject(from string, raw json.RawMessage) ([]fileEdge, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var edges []fileEdge
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		to, _ := token.(string)
		var value any
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		e := fileEdge{from: from, to: to}
		if err := e.jsonWeight(value); err != nil {
			return nil, err
		}
		edges = append(edges, e)
	}
	return edges, nil
}

// scalar gives the text of a label: a string, or a number as it was written.
func scalar(v any) (string, bool) {
	switch s := v.(type) {
	case string:
		return s, true
	case json.Number:
		return s.String(), true
	}
	return "", false
}

func firstKey(v map[string]any, keys []string) (string, bool) {
	for _, k := range keys {
		if _, ok := v[k]; ok {
			return k, true
		}
	}
	return "", false
}

// member gives the text of the first of the properties that has one.
func member(v map[string]any, keys []string) (string, bool) {
	for _, k := range keys {
		if s, ok := scalar(v[k]); ok {
			return s, true
		}
	}
	return "", false
}
