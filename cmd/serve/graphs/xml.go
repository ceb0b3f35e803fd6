package graphs

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// labelNames are the attributes that hold a node's name for people.
var labelNames = []string{"label", "name", "标签", "名称"}

// graphML is the state of reading one GraphML document.
type graphML struct {
	decoder    *xml.Decoder
	nodes      []namedNode
	edges      []fileEdge
	labelKeys  map[string]bool // ids of <key> for the names of nodes
	weightKeys map[string]bool
	defaults   map[string]string
	directed   bool
	root       string // name of the outermost element
	graphs     int
	hyper      int
}

// namedNode is a node of a file that gives ids and maybe names.
type namedNode struct {
	id, label string
}

// fileEdge is an edge between ids, at a line of the file or 0. No weight is 0.
type fileEdge struct {
	from, to string
	weight   float64
	line     int
}

func loadGraphML(c *collector, text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	// The text is UTF-8 by now, whatever the declaration says.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	g := graphML{decoder: d, labelKeys: map[string]bool{}, weightKeys: map[string]bool{}, defaults: map[string]string{}}
	if err := g.read(); err != nil {
		return err
	}
	if g.root != "graphml" || g.graphs == 0 {
		return refuse(CodeXMLShape, 0, "<"+short(g.root)+">")
	}
	c.directed = c.directed || g.directed
	if g.hyper > 0 {
		c.note(remark(NoteHyperedges, g.hyper))
	}
	return addNamed(c, g.nodes, g.edges)
}

func (g *graphML) read() error {
	for {
		token, err := g.decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return g.broken(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if err := g.element(start); err != nil {
			return err
		}
	}
}

func (g *graphML) element(e xml.StartElement) error {
	if g.root == "" {
		g.root = e.Name.Local
	}
	switch e.Name.Local {
	case "key":
		return g.key(e)
	case "graph":
		g.graphs++
		if g.graphs == 1 {
			g.directed = attribute(e, "edgedefault") == "directed"
		}
	case "node":
		return g.node(e)
	case "edge":
		return g.edge(e)
	case "hyperedge":
		g.hyper++
	}
	return nil
}

func (g *graphML) key(e xml.StartElement) error {
	id, name, use := attribute(e, "id"), strings.ToLower(attribute(e, "attr.name")), attribute(e, "for")
	switch {
	case use != "edge" && slices.Contains(labelNames, name):
		g.labelKeys[id] = true
	case use != "node" && slices.Contains(weightNames, name):
		g.weightKeys[id] = true
	}
	var content struct {
		Default string `xml:"default"`
	}
	if err := g.decoder.DecodeElement(&content, &e); err != nil {
		return g.broken(err)
	}
	if content.Default != "" {
		g.defaults[id] = content.Default
	}
	return nil
}

// node reads up to the first child that is no data, so that graphs nested in a
// node are read by the caller as part of the same graph.
func (g *graphML) node(e xml.StartElement) error {
	line, _ := g.decoder.InputPos()
	n := namedNode{id: attribute(e, "id")}
	if n.id == "" {
		return refuse(CodeXMLShape, line, "<node> id")
	}
	if len(g.nodes) == MaxNodes {
		return refuse(CodeTooManyNodes, line, MaxNodes)
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, n)
	return g.data(func(key, value string) error {
		if g.labelKeys[key] && g.nodes[at].label == "" {
			g.nodes[at].label = value
		}
		return nil
	})
}

func (g *graphML) edge(e xml.StartElement) error {
	line, _ := g.decoder.InputPos()
	edge := fileEdge{from: attribute(e, "source"), to: attribute(e, "target"), line: line}
	if edge.from == "" || edge.to == "" {
		return refuse(CodeMissingColumn, line, "<edge>")
	}
	for key := range g.weightKeys {
		if value, ok := g.defaults[key]; ok {
			if err := edge.setWeight(value); err != nil {
				return err
			}
		}
	}
	err := g.data(func(key, value string) error {
		if !g.weightKeys[key] {
			return nil
		}
		return edge.setWeight(value)
	})
	g.edges = append(g.edges, edge)
	return err
}

func (e *fileEdge) setWeight(value string) error {
	w, err := strconv.ParseFloat(value, 64)
	if err != nil || !validWeight(w) {
		return refuse(CodeBadWeight, e.line, short(value))
	}
	e.weight = w
	return nil
}

// data reads the <data> children of the element that was just started.
func (g *graphML) data(set func(key, value string) error) error {
	for {
		token, err := g.decoder.Token()
		if err != nil {
			return g.broken(err)
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if t.Name.Local == "data" {
				var value string
				if err := g.decoder.DecodeElement(&value, &t); err != nil {
					return g.broken(err)
				}
				if err := set(attribute(t, "key"), strings.TrimSpace(value)); err != nil {
					return err
				}
				continue
			}
			if t.Name.Local == "graph" {
				// Its nodes belong to the same graph; its end, and the end of the
				// node around it, mean nothing to the reader above.
				return nil
			}
			if err := g.decoder.Skip(); err != nil {
				return g.broken(err)
			}
		}
	}
}

func (g *graphML) broken(err error) error {
	line, _ := g.decoder.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return refuse(CodeBadXML, syntax.Line, syntax.Msg).because(err)
	}
	if err == io.EOF {
		return refuse(CodeBadXML, line, "unexpected EOF").because(err)
	}
	return refuse(CodeBadXML, line, err.Error()).because(err)
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// addNamed adds nodes and edges that refer to them by id. Where every node has
// a name of its own, the names are what people will ask for.
func addNamed(c *collector, nodes []namedNode, edges []fileEdge) error {
	call := func(id string) string { return id }
	if names, ok := distinctNames(nodes); ok {
		c.note(remark(NoteLabels))
		call = func(id string) string {
			if name, ok := names[id]; ok {
				return name
			}
			return id
		}
	}
	for _, n := range nodes {
		if _, err := c.node(call(n.id), 0); err != nil {
			return err
		}
	}
	for _, e := range edges {
		if err := c.edge(call(e.from), call(e.to), e.weight, e.line); err != nil {
			return err
		}
	}
	return nil
}

// distinctNames gives the name of every id, if all have one, no two share one,
// and they are not the ids anyway.
func distinctNames(nodes []namedNode) (map[string]string, bool) {
	names := make(map[string]string, len(nodes))
	taken := make(map[string]bool, len(nodes))
	differ := false
	for _, n := range nodes {
		if !validLabel(n.label) || taken[n.label] {
			return nil, false
		}
		taken[n.label] = true
		names[n.id] = n.label
		differ = differ || n.label != n.id
	}
	return names, differ
}
