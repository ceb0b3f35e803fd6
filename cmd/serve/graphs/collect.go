package graphs

import "strings"

// collector gathers nodes and edges while a file is read, and settles what
// only the whole file shows: duplicates, self loops, and whether the weights
// mean anything.
type collector struct {
	name     string
	directed bool
	labels   []string
	index    map[string]int
	pairs    map[[2]int]int // place in links
	links    []link
	counts   []int // how often each link was listed
	listed   int
	loops    int
	weighted bool // the file has weights
	missing  int  // edges without a weight in a weighted file
	notes    []Note
}

func newCollector(name string) *collector {
	return &collector{name: name, index: map[string]int{}, pairs: map[[2]int]int{}}
}

func (c *collector) note(n Note) { c.notes = append(c.notes, n) }

// node gives the index of a label, adding the node if it is new. The line is
// where to point at if the label is bad.
func (c *collector) node(label string, line int) (int, error) {
	label = strings.TrimSpace(label)
	if u, ok := c.index[label]; ok {
		return u, nil
	}
	if !validLabel(label) {
		return 0, refuse(CodeBadLabel, line, short(label), MaxLabel)
	}
	if len(c.labels) == MaxNodes {
		return 0, refuse(CodeTooManyNodes, line, MaxNodes)
	}
	u := len(c.labels)
	c.index[label] = u
	c.labels = append(c.labels, label)
	return u, nil
}

// edge adds one listed edge. A weight of 0 stands for none.
func (c *collector) edge(from, to string, w float64, line int) error {
	u, err := c.node(from, line)
	if err != nil {
		return err
	}
	v, err := c.node(to, line)
	if err != nil {
		return err
	}
	c.listed++
	if u == v {
		c.loops++
		return nil
	}
	if w == 0 {
		c.missing++
		w = 1
	} else {
		c.weighted = true
	}
	if !c.directed && v < u {
		u, v = v, u
	}
	if i, ok := c.pairs[[2]int{u, v}]; ok {
		c.links[i].w += w
		c.counts[i]++
		return nil
	}
	if len(c.links) == MaxEdges {
		return refuse(CodeTooManyEdges, line, MaxEdges)
	}
	c.pairs[[2]int{u, v}] = len(c.links)
	c.links = append(c.links, link{u, v, w})
	c.counts = append(c.counts, 1)
	return nil
}

// graph settles the weights and gives the finished graph.
func (c *collector) graph() (*Graph, error) {
	if len(c.links) == 0 {
		if c.loops > 0 {
			return nil, refuse(CodeOnlyLoops, 0, c.loops)
		}
		return nil, refuse(CodeNoEdges, 0)
	}
	if c.loops > 0 {
		c.note(remark(NoteSelfLoops, c.loops))
	}
	weights := c.settleWeights()
	for _, l := range c.links {
		if !validWeight(l.w) {
			return nil, refuse(CodeBadWeight, 0, formatWeight(l.w))
		}
	}
	g := build(c.name, c.directed, weights, c.labels, c.links)
	g.notes = c.notes
	return g, nil
}

func (c *collector) settleWeights() Weights {
	duplicates := c.listed - c.loops - len(c.links)
	if c.weighted {
		if c.missing > 0 {
			c.note(remark(NoteMissingWeights, c.missing))
		}
		if duplicates > 0 {
			c.note(remark(NoteDuplicates, duplicates))
		}
		return Given
	}
	if duplicates == 0 {
		return Unweighted
	}
	if !c.evenlyListed() {
		c.note(remark(NoteCounted, duplicates))
		return Counted
	}
	// A symmetric listing (a,b and b,a) says nothing about strength.
	for i := range c.links {
		c.links[i].w = 1
	}
	c.note(remark(NoteListedTwice, duplicates, c.counts[0]))
	return Unweighted
}

func (c *collector) evenlyListed() bool {
	for _, n := range c.counts {
		if n != c.counts[0] {
			return false
		}
	}
	return true
}
