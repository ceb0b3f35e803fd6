package graphs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Training is possible from this size on; less leaves nothing to hold out.
const (
	minTrainNodes = 5
	minTrainEdges = 10
)

const (
	maxDim          = 128
	maxEpochs       = 1000
	regularisation  = 0.01 // pull of every factor towards 0
	negativesPer    = 2    // unconnected pairs shown for each edge
	initialScale    = 0.1  // spread of the factors at the start
	predictionPairs = 2_000_000
	predictionsKept = 10
)

// TrainOptions set up the training of a link predictor.
type TrainOptions struct {
	Dim     int     `json:"dim"`      // factors per node, 1 to 128
	Epochs  int     `json:"epochs"`   // 1 to 1000
	LR      float64 `json:"lr"`       // step of the gradient descent, above 0 and at most 1
	HoldOut float64 `json:"hold_out"` // share of the edges kept for testing, 0.05 to 0.5
	Seed    uint64  `json:"seed"`
}

// DefaultTrainOptions suit graphs from a few dozen nodes up.
func DefaultTrainOptions() TrainOptions {
	return TrainOptions{Dim: 16, Epochs: 40, LR: 0.05, HoldOut: 0.2, Seed: 1}
}

// Validate refuses options out of range with an *Error.
func (o TrainOptions) Validate() error {
	switch {
	case o.Dim < 1 || o.Dim > maxDim:
		return refuse(CodeBadOptions, 0, fmt.Sprintf("dim = %d (1–%d)", o.Dim, maxDim))
	case o.Epochs < 1 || o.Epochs > maxEpochs:
		return refuse(CodeBadOptions, 0, fmt.Sprintf("epochs = %d (1–%d)", o.Epochs, maxEpochs))
	case !(o.LR > 0 && o.LR <= 1):
		return refuse(CodeBadOptions, 0, fmt.Sprintf("lr = %v (0–1)", o.LR))
	case !(o.HoldOut >= 0.05 && o.HoldOut <= 0.5):
		return refuse(CodeBadOptions, 0, fmt.Sprintf("hold_out = %v (0.05–0.5)", o.HoldOut))
	}
	return nil
}

// Epoch reports on one pass over the training edges.
type Epoch struct {
	N, Of   int     // N from 1
	Loss    float64 // mean log loss of this pass
	ValLoss float64 // mean log loss on the held-out pairs
	AUC     float64 // on the held-out pairs
}

// Prediction is a pair that is not connected, with the probability the model
// gives to an edge.
type Prediction struct {
	From  string  `json:"source"`
	To    string  `json:"target"`
	Score float64 `json:"score"`
}

// Training is the result of training, taken at the best epoch: the one with
// the highest AUC, the earliest among equals.
type Training struct {
	Options     TrainOptions `json:"options"`
	TrainEdges  int          `json:"train_edges"`
	TestEdges   int          `json:"test_edges"` // and as many unconnected pairs
	Epochs      int          `json:"epochs"`     // passes made
	BestEpoch   int          `json:"best_epoch"`
	AUC         float64      `json:"auc"`
	Loss        float64      `json:"loss"`
	ValLoss     float64      `json:"val_loss"`
	Predictions []Prediction `json:"predictions"` // the ten likeliest new edges
}

// Train fits a matrix factorisation to the graph's edges by stochastic gradient
// descent: every node gets a vector and an edge is the likelier the more the
// two vectors agree. Some edges are held out and the model is judged by how
// well it tells them from unconnected pairs. Weights are ignored.
//
// report hears of every epoch; its error ends the training and is returned. The
// error is an *Error for bad options or a graph that cannot be trained on, the
// context's, or report's.
func (g *Graph) Train(ctx context.Context, o TrainOptions, report func(Epoch) error) (Training, error) {
	if err := o.Validate(); err != nil {
		return Training{}, err
	}
	if len(g.labels) < minTrainNodes || len(g.links) < minTrainEdges {
		return Training{}, refuse(CodeTooSmall, 0, minTrainNodes, minTrainEdges, len(g.labels), len(g.links))
	}
	t, err := newTrainer(g, o)
	if err != nil {
		return Training{}, err
	}
	result := Training{Options: o, TrainEdges: len(t.train), TestEdges: len(t.test)}
	var best *factors
	for n := 1; n <= o.Epochs; n++ {
		e := Epoch{N: n, Of: o.Epochs}
		if e.Loss, err = t.pass(ctx); err != nil {
			return Training{}, err
		}
		e.ValLoss, e.AUC = t.judge()
		if best == nil || e.AUC > result.AUC {
			best = t.model.clone()
			result.BestEpoch, result.AUC, result.Loss, result.ValLoss = n, e.AUC, e.Loss, e.ValLoss
		}
		result.Epochs = n
		if err := report(e); err != nil {
			return Training{}, err
		}
	}
	result.Predictions, err = g.predict(ctx, best)
	return result, err
}

// factors is the model: a vector for each node, and one for its part as the
// target of an edge, which in an undirected graph is the same.
type factors struct {
	dim          int
	source, sink []float64
	bias, inBias []float64
	offset       float64
	shared       bool
}

func newFactors(n, dim int, shared bool, rnd *rand.Rand) *factors {
	f := &factors{dim: dim, shared: shared, source: make([]float64, n*dim), bias: make([]float64, n)}
	for i := range f.source {
		f.source[i] = initialScale * rnd.NormFloat64()
	}
	f.sink, f.inBias = f.source, f.bias
	if !shared {
		f.sink, f.inBias = make([]float64, n*dim), make([]float64, n)
		for i := range f.sink {
			f.sink[i] = initialScale * rnd.NormFloat64()
		}
	}
	return f
}

func (f *factors) clone() *factors {
	c := *f
	c.source, c.bias = slices.Clone(f.source), slices.Clone(f.bias)
	c.sink, c.inBias = c.source, c.bias
	if !f.shared {
		c.sink, c.inBias = slices.Clone(f.sink), slices.Clone(f.inBias)
	}
	return &c
}

// probability of an edge from u to v.
func (f *factors) probability(u, v int) float64 {
	z := f.offset + f.bias[u] + f.inBias[v]
	p, q := f.source[u*f.dim:(u+1)*f.dim], f.sink[v*f.dim:(v+1)*f.dim]
	for i := range p {
		z += p[i] * q[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// learn moves the model towards the answer for one pair and gives the log loss
// it had before.
func (f *factors) learn(u, v int, edge, lr float64) float64 {
	y := f.probability(u, v)
	step := lr * (edge - y)
	f.offset += step
	f.bias[u] += step - lr*regularisation*f.bias[u]
	f.inBias[v] += step - lr*regularisation*f.inBias[v]
	p, q := f.source[u*f.dim:(u+1)*f.dim], f.sink[v*f.dim:(v+1)*f.dim]
	for i := range p {
		pi, qi := p[i], q[i]
		p[i] += step*qi - lr*regularisation*pi
		q[i] += step*pi - lr*regularisation*qi
	}
	return logLoss(y, edge)
}

func logLoss(y, edge float64) float64 {
	const tiny = 1e-12
	y = min(max(y, tiny), 1-tiny)
	if edge == 1 {
		return -math.Log(y)
	}
	return -math.Log(1 - y)
}

// trainer is one training under way.
type trainer struct {
	g       *Graph
	o       TrainOptions
	rnd     *rand.Rand
	model   *factors
	train   []link
	test    []link // held-out edges
	unlinks []link // as many pairs without an edge
	held    map[[2]int]bool
}

func newTrainer(g *Graph, o TrainOptions) (*trainer, error) {
	t := &trainer{g: g, o: o, rnd: rand.New(rand.NewPCG(o.Seed, 0))}
	links := slices.Clone(g.links)
	t.rnd.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	held := max(1, int(math.Round(float64(len(links))*o.HoldOut)))
	t.test, t.train = links[:held], links[held:]
	t.held = make(map[[2]int]bool, 2*held)
	for _, l := range t.test {
		t.held[[2]int{l.u, l.v}] = true
	}
	for tries := 0; len(t.unlinks) < held; tries++ {
		if tries > 100*held {
			return nil, refuse(CodeTooDense, 0)
		}
		if l, ok := t.unconnected(); ok {
			t.held[[2]int{l.u, l.v}] = true
			t.unlinks = append(t.unlinks, l)
		}
	}
	t.model = newFactors(len(g.labels), o.Dim, !g.directed, t.rnd)
	return t, nil
}

// unconnected draws a pair and says whether it may be shown as one without an
// edge. Held-out pairs of both kinds are never shown: showing only those that
// really have no edge would teach the model the answers of its test.
func (t *trainer) unconnected() (link, bool) {
	n := len(t.g.labels)
	u, v := t.rnd.IntN(n), t.rnd.IntN(n)
	l := t.g.ordered(u, v, 0)
	_, linked := t.g.weight(u, v)
	return l, u != v && !linked && !t.held[[2]int{l.u, l.v}]
}

// pass shows the model every training edge once, in a new order, each with
// unconnected pairs, and gives the mean loss.
func (t *trainer) pass(ctx context.Context) (float64, error) {
	loss, shown := 0.0, 0
	for i, at := range t.rnd.Perm(len(t.train)) {
		if i%256 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		l := t.train[at]
		loss += t.model.learn(l.u, l.v, 1, t.o.LR)
		shown++
		for range negativesPer {
			if pair, ok := t.unconnected(); ok {
				loss += t.model.learn(pair.u, pair.v, 0, t.o.LR)
				shown++
			}
		}
	}
	return loss / float64(shown), nil
}

// judge gives the mean loss on the held-out pairs and the AUC: the chance that
// a held-out edge scores above an unconnected pair, ties counting half.
func (t *trainer) judge() (loss, auc float64) {
	edges, pairs := make([]float64, len(t.test)), make([]float64, len(t.unlinks))
	for i, l := range t.test {
		edges[i] = t.model.probability(l.u, l.v)
		loss += logLoss(edges[i], 1)
	}
	for i, l := range t.unlinks {
		pairs[i] = t.model.probability(l.u, l.v)
		loss += logLoss(pairs[i], 0)
	}
	return loss / float64(len(edges)+len(pairs)), areaUnderCurve(edges, pairs)
}

// areaUnderCurve sorts both slices.
func areaUnderCurve(positive, negative []float64) float64 {
	slices.Sort(positive)
	slices.Sort(negative)
	below, atMost, wins := 0, 0, 0.0
	for _, p := range positive {
		for below < len(negative) && negative[below] < p {
			below++
		}
		for atMost < len(negative) && negative[atMost] <= p {
			atMost++
		}
		wins += float64(below+atMost) / 2
	}
	return wins / float64(len(positive)*len(negative))
}

// predict gives the likeliest pairs without an edge: of all pairs in a small
// graph, in a large one of those with a neighbour in common.
func (g *Graph) predict(ctx context.Context, model *factors) ([]Prediction, error) {
	kept := []Prediction{}
	pairs := 0
	for u := range g.labels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if pairs >= predictionPairs {
			break
		}
		for _, v := range g.candidates(u) {
			pairs++
			p := Prediction{g.labels[u], g.labels[v], model.probability(u, v)}
			kept = keepBest(kept, p)
		}
	}
	return kept, nil
}

// candidates gives the nodes that an edge from u is predicted to.
func (g *Graph) candidates(u int) []int {
	n := len(g.labels)
	var found []int
	consider := func(v int) {
		if _, linked := g.weight(u, v); v != u && !linked && (g.directed || u < v) {
			found = append(found, v)
		}
	}
	if n*n <= 2*predictionPairs {
		for v := range n {
			consider(v)
		}
		return found
	}
	for _, a := range g.out[u] {
		for _, b := range g.out[a.to] {
			consider(b.to)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// keepBest inserts p by falling score and drops what is beyond the tenth.
func keepBest(kept []Prediction, p Prediction) []Prediction {
	i, _ := slices.BinarySearchFunc(kept, p, func(k, p Prediction) int {
		// Equals stay in the order they come, so p goes behind them.
		return cmp.Or(cmp.Compare(p.Score, k.Score), -1)
	})
	if i == predictionsKept {
		return kept
	}
	kept = slices.Insert(kept, i, p)
	return kept[:min(len(kept), predictionsKept)]
}
