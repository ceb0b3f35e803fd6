package graphs

import (
	"context"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
)

// nodeID is a node as gonum sees it: the index into labels.
type nodeID int64

func (n nodeID) ID() int64 { return int64(n) }

// viewEdge is an edge as gonum sees it.
type viewEdge struct {
	from, to nodeID
	w        float64
}

func (e viewEdge) From() graph.Node         { return e.from }
func (e viewEdge) To() graph.Node           { return e.to }
func (e viewEdge) Weight() float64          { return e.w }
func (e viewEdge) ReversedEdge() graph.Edge { return viewEdge{e.to, e.from, e.w} }

// view shows a Graph to gonum. gonum's own graphs iterate over maps, in an
// order that changes from call to call and with it the last digits of sums and
// the choice between equals; the view always goes in node order.
//
// gonum takes no context, but asks for neighbours all the time, so that is
// where a cancelled analysis stops: see stoppable.
type view struct {
	ctx   context.Context
	g     *Graph
	nodes []graph.Node
	out   [][]arc
	unit  bool // every edge weighs 1
}

// undirected and directed are the two kinds of graph gonum distinguishes.
type undirected struct{ *view }

type directed struct{ *view }

var (
	_ graph.WeightedUndirected = undirected{}
	_ graph.WeightedDirected   = directed{}
)

func newView(ctx context.Context, g *Graph, unit bool) *view {
	v := &view{ctx: ctx, g: g, nodes: make([]graph.Node, len(g.labels)), out: g.out, unit: unit}
	for i := range v.nodes {
		v.nodes[i] = nodeID(i)
	}
	return v
}

// gonum converts the graph, keeping its direction.
func (g *Graph) gonum(ctx context.Context, unit bool) graph.Weighted {
	if g.directed {
		return directed{newView(ctx, g, unit)}
	}
	return undirected{newView(ctx, g, unit)}
}

// stopped carries a context's error out of gonum.
type stopped struct{ err error }

// stoppable runs a gonum analysis over views with this context, and returns
// the context's error if it ended meanwhile.
func stoppable(ctx context.Context, analyse func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = r.err
		default:
			panic(r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	analyse()
	return ctx.Err()
}

func (v *view) Node(id int64) graph.Node {
	if id < 0 || id >= int64(len(v.nodes)) {
		return nil
	}
	return v.nodes[id]
}

func (v *view) Nodes() graph.Nodes { return iterator.NewOrderedNodes(v.nodes) }

func (v *view) From(id int64) graph.Nodes {
	if err := v.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	return v.list(v.out[id])
}

func (v *view) list(arcs []arc) graph.Nodes {
	if len(arcs) == 0 {
		return graph.Empty
	}
	nodes := make([]graph.Node, len(arcs))
	for i, a := range arcs {
		nodes[i] = v.nodes[a.to]
	}
	return iterator.NewOrderedNodes(nodes)
}

func (v *view) HasEdgeBetween(x, y int64) bool {
	_, ok := v.g.weight(int(x), int(y))
	if !ok && v.g.directed {
		_, ok = v.g.weight(int(y), int(x))
	}
	return ok
}

func (v *view) Edge(x, y int64) graph.Edge {
	if e := v.WeightedEdge(x, y); e != nil {
		return e
	}
	return nil
}

func (v *view) WeightedEdge(x, y int64) graph.WeightedEdge {
	w, ok := v.Weight(x, y)
	if !ok || x == y {
		return nil
	}
	return viewEdge{nodeID(x), nodeID(y), w}
}

func (v *view) Weight(x, y int64) (float64, bool) {
	if x == y {
		return 0, true
	}
	w, ok := v.g.weight(int(x), int(y))
	if ok && v.unit {
		w = 1
	}
	return w, ok
}

func (u undirected) EdgeBetween(x, y int64) graph.Edge { return u.Edge(x, y) }

func (u undirected) WeightedEdgeBetween(x, y int64) graph.WeightedEdge { return u.WeightedEdge(x, y) }

func (d directed) HasEdgeFromTo(x, y int64) bool {
	_, ok := d.g.weight(int(x), int(y))
	return ok
}

func (d directed) To(id int64) graph.Nodes { return d.list(d.g.in[id]) }
