package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func ignore(Epoch) error { return nil }

func TestTrainingLearnsTheKarateClub(t *testing.T) {
	var epochs []Epoch
	result, err := Karate().Train(context.Background(), DefaultTrainOptions(), func(e Epoch) error {
		epochs = append(epochs, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(epochs) != 40 || epochs[0].N != 1 || epochs[39].N != 40 || epochs[39].Of != 40 {
		t.Fatalf("heard of %d epochs", len(epochs))
	}
	if epochs[39].Loss >= epochs[0].Loss/2 {
		t.Errorf("the loss went from %v to %v only", epochs[0].Loss, epochs[39].Loss)
	}
	best := epochs[result.BestEpoch-1]
	if result.AUC != best.AUC || result.ValLoss != best.ValLoss || result.AUC < 0.7 {
		t.Errorf("result %+v is not that of the best epoch %+v", result, best)
	}
	for _, e := range epochs {
		if e.AUC > result.AUC {
			t.Errorf("epoch %d had an AUC of %v, better than the best %v", e.N, e.AUC, result.AUC)
		}
	}
	if result.TrainEdges != 62 || result.TestEdges != 16 || len(result.Predictions) != predictionsKept {
		t.Errorf("result is %+v", result)
	}
	for i, p := range result.Predictions {
		if Karate().HasEdge(p.From, p.To) || p.From == p.To || i > 0 && p.Score > result.Predictions[i-1].Score {
			t.Errorf("prediction %d is %+v", i, p)
		}
	}
}

// A random graph has nothing to learn. A trainer that leaks its test into the
// training would still score well above guessing.
func TestTrainingDoesNotLearnItsTest(t *testing.T) {
	c := newCollector("uniform")
	next := rand.New(rand.NewPCG(7, 7)).IntN
	for len(c.links) < 400 {
		if err := c.edge(fmt.Sprint(next(100)), fmt.Sprint(next(100)), 1, 0); err != nil {
			t.Fatal(err)
		}
	}
	g, err := c.graph()
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultTrainOptions()
	o.Epochs = 100
	var last Epoch
	if _, err := g.Train(context.Background(), o, func(e Epoch) error { last = e; return nil }); err != nil {
		t.Fatal(err)
	}
	if last.AUC > 0.65 {
		t.Errorf("the AUC on a random graph is %v", last.AUC)
	}
}

func TestTrainingIsDeterministic(t *testing.T) {
	for name, g := range map[string]*Graph{"undirected": Karate(), "directed": random(t, 60, 200, true, true)} {
		var first string
		for range 3 {
			result, err := g.Train(context.Background(), DefaultTrainOptions(), ignore)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(data)
			}
			if string(data) != first {
				t.Errorf("%s: training changes from call to call", name)
			}
		}
	}
}

func TestTrainingStaysFiniteAtItsLimits(t *testing.T) {
	for _, o := range []TrainOptions{
		{Dim: 1, Epochs: 3, LR: 1, HoldOut: 0.5, Seed: 1},
		{Dim: maxDim, Epochs: 200, LR: 1, HoldOut: 0.05, Seed: 1},
	} {
		_, err := Karate().Train(context.Background(), o, func(e Epoch) error {
			for _, x := range []float64{e.Loss, e.ValLoss, e.AUC} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%+v: epoch is %+v", o, e)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestTrainingRefuses(t *testing.T) {
	complete := newCollector("complete")
	for i := range 8 {
		for j := range i {
			if err := complete.edge(string(rune('a'+i)), string(rune('a'+j)), 1, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	dense, err := complete.graph()
	if err != nil {
		t.Fatal(err)
	}
	ok := DefaultTrainOptions()
	with := func(change func(*TrainOptions)) TrainOptions {
		o := ok
		change(&o)
		return o
	}
	for _, c := range []struct {
		rule string
		g    *Graph
		o    TrainOptions
		code Code
	}{
		{"a small graph", load(t, false, "a,b\nb,c\n"), ok, CodeTooSmall},
		{"a complete graph", dense, ok, CodeTooDense},
		{"no epochs", Karate(), with(func(o *TrainOptions) { o.Epochs = 0 }), CodeBadOptions},
		{"too many epochs", Karate(), with(func(o *TrainOptions) { o.Epochs = maxEpochs + 1 }), CodeBadOptions},
		{"no factors", Karate(), with(func(o *TrainOptions) { o.Dim = 0 }), CodeBadOptions},
		{"no rate", Karate(), with(func(o *TrainOptions) { o.LR = 0 }), CodeBadOptions},
		{"NaN as rate", Karate(), with(func(o *TrainOptions) { o.LR = math.NaN() }), CodeBadOptions},
		{"nothing held out", Karate(), with(func(o *TrainOptions) { o.HoldOut = 0 }), CodeBadOptions},
	} {
		_, err := c.g.Train(context.Background(), c.o, ignore)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%s: error is %v, want code %s", c.rule, err, c.code)
			continue
		}
		checkWording(t, refused.EN, refused.ZH)
	}
}

func TestTrainingStopsWhenTold(t *testing.T) {
	enough := errors.New("enough")
	heard := 0
	_, err := Karate().Train(context.Background(), DefaultTrainOptions(), func(Epoch) error {
		if heard++; heard == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || heard != 3 {
		t.Errorf("error is %v after %d epochs", err, heard)
	}
	ctx, cancel := context.WithCancel(context.Background())
	heard = 0
	_, err = Karate().Train(ctx, DefaultTrainOptions(), func(Epoch) error {
		heard++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || heard != 1 {
		t.Errorf("error is %v after %d epochs", err, heard)
	}
}

func TestAreaUnderCurve(t *testing.T) {
	for _, c := range []struct {
		positive, negative []float64
		want               float64
	}{
		{[]float64{2, 3}, []float64{0, 1}, 1},
		{[]float64{0, 1}, []float64{2, 3}, 0},
		{[]float64{1, 1}, []float64{1, 1}, 0.5},
		{[]float64{3, 1}, []float64{2, 0}, 0.75},
	} {
		if got := areaUnderCurve(c.positive, c.negative); got != c.want {
			t.Errorf("AUC of %v over %v is %v, want %v", c.positive, c.negative, got, c.want)
		}
	}
}

func BenchmarkTrainKarateEpoch(b *testing.B) {
	t, err := newTrainer(Karate(), DefaultTrainOptions())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := t.pass(context.Background()); err != nil {
			b.Fatal(err)
		}
		t.judge()
	}
}
