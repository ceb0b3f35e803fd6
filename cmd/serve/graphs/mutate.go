package graphs

import "slices"

// Mutation is a change to a graph. Removals come before additions, and
// removing a node removes its edges. Adding an edge adds the nodes it names
// that are missing. A weight of 0 stands for 1.
type Mutation struct {
	AddNodes    []string `json:"add_nodes,omitempty"`
	RemoveNodes []string `json:"remove_nodes,omitempty"`
	AddEdges    []Edge   `json:"add_edges,omitempty"`
	RemoveEdges []Edge   `json:"remove_edges,omitempty"`
}

// Preview is exactly what a mutation does, including what follows from it: the
// edges lost with a node, the nodes made for an edge. The lists are never nil.
type Preview struct {
	AddNodes    []string `json:"add_nodes"`
	RemoveNodes []string `json:"remove_nodes"`
	AddEdges    []Edge   `json:"add_edges"`
	RemoveEdges []Edge   `json:"remove_edges"`
	NodesBefore int      `json:"nodes_before"`
	NodesAfter  int      `json:"nodes_after"`
	EdgesBefore int      `json:"edges_before"`
	EdgesAfter  int      `json:"edges_after"`
}

// Preview computes what a mutation would do, without doing it. The error is an
// *Error if the mutation cannot be applied to this graph.
func (g *Graph) Preview(m Mutation) (Preview, error) {
	c, err := g.plan(m)
	if err != nil {
		return Preview{}, err
	}
	return c.preview(), nil
}

// Apply gives the changed graph together with the preview of what changed. The
// receiver stays as it is.
func (g *Graph) Apply(m Mutation) (*Graph, Preview, error) {
	c, err := g.plan(m)
	if err != nil {
		return nil, Preview{}, err
	}
	return c.result(), c.preview(), nil
}

// change is a mutation checked against one graph and resolved to indexes. New
// nodes take the indexes after the existing ones.
type change struct {
	g        *Graph
	dead     map[int]bool  // removed nodes
	cut      map[link]bool // removed edges, weight included
	labels   []string      // new nodes
	index    map[string]int
	links    []link // new edges
	seen     map[[2]int]bool
	weighted bool // some new edge has a weight other than 1
}

func (g *Graph) plan(m Mutation) (*change, error) {
	c := &change{
		g:     g,
		dead:  map[int]bool{},
		cut:   map[link]bool{},
		index: map[string]int{},
		seen:  map[[2]int]bool{},
	}
	if len(m.AddNodes)+len(m.RemoveNodes)+len(m.AddEdges)+len(m.RemoveEdges) == 0 {
		return nil, refuse(CodeNoChange, 0)
	}
	for _, e := range m.RemoveEdges {
		if err := c.removeEdge(e); err != nil {
			return nil, err
		}
	}
	for _, label := range m.RemoveNodes {
		if err := c.removeNode(label); err != nil {
			return nil, err
		}
	}
	for _, label := range m.AddNodes {
		if err := c.addNode(label); err != nil {
			return nil, err
		}
	}
	for _, e := range m.AddEdges {
		if err := c.addEdge(e); err != nil {
			return nil, err
		}
	}
	return c, c.checkLimits()
}

func (c *change) removeEdge(e Edge) error {
	for _, label := range []string{e.From, e.To} {
		if !c.g.HasNode(label) {
			return refuse(CodeNodeUnknown, 0, label)
		}
	}
	l, ok := c.g.find(e.From, e.To)
	if !ok {
		return refuse(CodeEdgeUnknown, 0, e.From, e.To)
	}
	c.cut[l] = true
	return nil
}

func (c *change) removeNode(label string) error {
	u, ok := c.g.index[label]
	if !ok {
		return refuse(CodeNodeUnknown, 0, label)
	}
	c.dead[u] = true
	for _, a := range c.g.out[u] {
		c.cut[c.g.ordered(u, a.to, a.w)] = true
	}
	if c.g.directed {
		for _, a := range c.g.in[u] {
			c.cut[link{a.to, u, a.w}] = true
		}
	}
	return nil
}

func (c *change) addNode(label string) error {
	if u, ok := c.g.index[label]; ok {
		if c.dead[u] {
			return refuse(CodeConflict, 0, label)
		}
		return refuse(CodeNodeExists, 0, label)
	}
	_, err := c.node(label)
	return err
}

func (c *change) addEdge(e Edge) error {
	if e.From == e.To {
		return refuse(CodeSelfLoop, 0, e.From)
	}
	if e.Weight == 0 {
		e.Weight = 1
	}
	if !validWeight(e.Weight) {
		return refuse(CodeBadWeight, 0, formatWeight(e.Weight))
	}
	u, err := c.node(e.From)
	if err != nil {
		return err
	}
	v, err := c.node(e.To)
	if err != nil {
		return err
	}
	l := c.g.ordered(u, v, e.Weight)
	old, exists := c.g.find(e.From, e.To)
	if exists && c.cut[old] {
		return refuse(CodeConflict, 0, e.From+" – "+e.To)
	}
	if exists || c.seen[[2]int{l.u, l.v}] {
		return refuse(CodeEdgeExists, 0, e.From, e.To)
	}
	c.seen[[2]int{l.u, l.v}] = true
	c.links = append(c.links, l)
	c.weighted = c.weighted || e.Weight != 1
	return nil
}

// node gives the index of a label, making the node if it is new.
func (c *change) node(label string) (int, error) {
	if u, ok := c.g.index[label]; ok {
		if c.dead[u] {
			return 0, refuse(CodeConflict, 0, label)
		}
		return u, nil
	}
	if u, ok := c.index[label]; ok {
		return u, nil
	}
	if !validLabel(label) {
		return 0, refuse(CodeBadLabel, 0, short(label), MaxLabel)
	}
	u := len(c.g.labels) + len(c.labels)
	c.index[label] = u
	c.labels = append(c.labels, label)
	return u, nil
}

func (c *change) checkLimits() error {
	if len(c.g.labels)-len(c.dead)+len(c.labels) > MaxNodes {
		return refuse(CodeTooManyNodes, 0, MaxNodes)
	}
	if len(c.g.links)-len(c.cut)+len(c.links) > MaxEdges {
		return refuse(CodeTooManyEdges, 0, MaxEdges)
	}
	return nil
}

func (c *change) preview() Preview {
	p := Preview{
		AddNodes:    append([]string{}, c.labels...),
		RemoveNodes: []string{},
		AddEdges:    []Edge{},
		RemoveEdges: []Edge{},
		NodesBefore: len(c.g.labels),
		NodesAfter:  len(c.g.labels) - len(c.dead) + len(c.labels),
		EdgesBefore: len(c.g.links),
		EdgesAfter:  len(c.g.links) - len(c.cut) + len(c.links),
	}
	for u, label := range c.g.labels {
		if c.dead[u] {
			p.RemoveNodes = append(p.RemoveNodes, label)
		}
	}
	for _, l := range c.g.links {
		if c.cut[l] {
			p.RemoveEdges = append(p.RemoveEdges, c.g.edge(l))
		}
	}
	for _, l := range c.links {
		e := Edge{From: c.label(l.u), To: c.label(l.v)}
		if c.weights() != Unweighted {
			e.Weight = l.w
		}
		p.AddEdges = append(p.AddEdges, e)
	}
	return p
}

func (c *change) label(u int) string {
	if u < len(c.g.labels) {
		return c.g.labels[u]
	}
	return c.labels[u-len(c.g.labels)]
}

// weights says what the weights of the changed graph mean: a weight that a
// person gives to an edge of an unweighted graph makes the graph weighted.
func (c *change) weights() Weights {
	if c.g.weights == Unweighted && c.weighted {
		return Given
	}
	return c.g.weights
}

// result builds the changed graph, closing the gaps that removed nodes leave.
func (c *change) result() *Graph {
	total := len(c.g.labels) + len(c.labels)
	moved := make([]int, total)
	labels := make([]string, 0, total)
	for u := range total {
		if c.dead[u] {
			continue
		}
		moved[u] = len(labels)
		labels = append(labels, c.label(u))
	}
	links := make([]link, 0, len(c.g.links)+len(c.links))
	for _, l := range slices.Concat(c.g.links, c.links) {
		if c.cut[l] {
			continue
		}
		links = append(links, link{moved[l.u], moved[l.v], l.w})
	}
	g := build(c.g.name, c.g.directed, c.weights(), labels, links)
	g.notes = c.g.notes
	return g
}
