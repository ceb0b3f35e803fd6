package components

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"igraph-console/app/protocol"
)

func series(name string, values ...float64) protocol.Series {
	s := protocol.Series{Name: name}
	for i, v := range values {
		s.Points = append(s.Points, protocol.Point{float64(i + 1), v})
	}
	return s
}

func TestSeriesOfOneQuantityAreDrawnTogether(t *testing.T) {
	groups := groupMetrics([]protocol.Series{
		series("val_loss", 1), series("val_auc", 1), series("loss", 1), series("lr", 1), series("empty"),
	})
	var got []string
	for _, g := range groups {
		for _, line := range g.lines {
			got = append(got, g.base+"/"+line.part+"/"+line.name)
		}
	}
	want := "[loss/train/loss loss/validation/val_loss auc/validation/val_auc lr//lr]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestBestFollowsTheQuantity(t *testing.T) {
	points := series("", 0.5, 0.9, 0.9, 0.3).Points
	for base, want := range map[string]protocol.Point{"auc": {2, 0.9}, "loss": {4, 0.3}} {
		if got, known := best(points, direction(base)); !known || got != want {
			t.Errorf("%s: %v, want %v", base, got, want)
		}
	}
	if _, known := best(points, direction("temperature")); known {
		t.Error("a quantity nobody knows has a best value")
	}
}

func TestTicksAreRoundAndEnclose(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.31, 0.72, "[0.2 0.4 0.6 0.8]"},
		{0, 100, "[0 25 50 75 100]"},
		{0, 3, "[0 1 2 3]"},
		{0.881, 0.882, "[0.88100 0.88125 0.88150 0.88175 0.88200]"},
		{-2, 5, "[-2 0 2 4 6]"},
	} {
		from, to, ticks := niceScale(c.low, c.high, 4)
		if from > c.low+1e-9 || to < c.high-1e-9 {
			t.Errorf("%v to %v is not within %v to %v", c.low, c.high, from, to)
		}
		if got := fmt.Sprint(tickLabels(ticks)); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestChartStaysInItsBox(t *testing.T) {
	for name, g := range map[string]metricGroup{
		"constant":   groupMetrics([]protocol.Series{series("loss", 0.5, 0.5, 0.5)})[0],
		"zero":       groupMetrics([]protocol.Series{series("loss", 0)})[0],
		"wide":       groupMetrics([]protocol.Series{series("loss", 1e-300, 1e300)})[0],
		"with holes": groupMetrics([]protocol.Series{series("loss", 1, math.Inf(1), math.NaN(), 2)})[0],
	} {
		c := drawChart(g, 10)
		for _, path := range c.paths {
			if strings.Contains(path, "NaN") || strings.Contains(path, "Inf") || path == "" {
				t.Errorf("%s: %s", name, path)
			}
		}
		for _, line := range g.lines {
			for _, p := range line.points {
				if y := c.y.at(p[1]); y < plotTop-1 || y > plotBottom+1 {
					t.Errorf("%s: value %v at %v", name, p[1], y)
				}
			}
		}
	}
}

func TestThinnedSeriesKeepsPeaksAndEnds(t *testing.T) {
	var points []protocol.Point
	for i := range 10_000 {
		points = append(points, protocol.Point{float64(i), math.Sin(float64(i) / 100)})
	}
	points[4321][1] = 50
	thinned := thin(points, chartPoints)
	if len(thinned) > chartPoints+2 || thinned[0] != points[0] || thinned[len(thinned)-1] != points[9999] {
		t.Fatalf("%d points, from %v to %v", len(thinned), thinned[0], thinned[len(thinned)-1])
	}
	peak, last := false, -1.0
	for _, p := range thinned {
		peak = peak || p[1] == 50
		if p[0] <= last {
			t.Fatal("points are out of order")
		}
		last = p[0]
	}
	if !peak {
		t.Error("the peak is lost")
	}
}

func TestMetricTableJoinsByEpoch(t *testing.T) {
	groups := groupMetrics([]protocol.Series{
		series("loss", 0.5, 0.25), {Name: "auc", Points: []protocol.Point{{2, 0.75}, {0, 0.5}}},
	})
	got := fmt.Sprint(metricTable(groups))
	if want := "[{0 [ 0.5]} {1 [0.5 ]} {2 [0.25 0.75]}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHeadlinesAreALossAndAScore(t *testing.T) {
	groups := groupMetrics([]protocol.Series{
		series("loss", 0.5, 0.4), series("val_loss", 0.6, 0.55), series("val_auc", 0.9, 0.8), series("lr", 1, 1),
	})
	list := headlines(groups)
	if len(list) != 2 || list[0].line.name != "val_loss" || list[0].point[1] != 0.55 || list[0].best {
		t.Fatalf("got %+v", list)
	}
	if list[1].line.name != "val_auc" || list[1].point != (protocol.Point{1, 0.9}) || !list[1].best {
		t.Errorf("got %+v", list[1])
	}
}

func TestAnyFinitePointsGiveADrawing(t *testing.T) {
	extremes := []float64{
		0, 1, -1, 5e-324, -5e-324, 1e-300, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, math.Nextafter(1, 2), 1e17,
	}
	for _, a := range extremes {
		for _, b := range extremes {
			for _, group := range groupMetrics([]protocol.Series{{Name: "auc", Points: []protocol.Point{{a, b}, {b, a}, {1, a}}}}) {
				for _, epochs := range []float64{0, math.MaxFloat64} {
					drawing := fmt.Sprint(drawChart(group, epochs))
					if strings.Contains(drawing, "NaN") || strings.Contains(drawing, "Inf") {
						t.Errorf("%g and %g of %g epochs: %s", a, b, epochs, drawing)
					}
				}
			}
		}
	}
}
