package components

import (
	"math"
	"strconv"
	"strings"

	"igraph-console/app/protocol"
)

// metricGroup is the series that are drawn together: one quantity, measured on training and on
// held-out data.
type metricGroup struct {
	base  string // the quantity, without what it was measured on
	lines []metricLine
}

// metricLine is one series of a group. Part is train, validation or test; "" if its name does not
// say.
type metricLine struct {
	name, part string
	points     []protocol.Point
}

var metricParts = []struct{ prefix, part string }{
	{"training_", "train"}, {"train_", "train"}, {"tr_", "train"},
	{"validation_", "validation"}, {"valid_", "validation"}, {"val_", "validation"}, {"dev_", "validation"},
	{"test_", "test"}, {"heldout_", "test"},
}

// splitMetric tells the quantity and what it was measured on: val_loss is loss on validation data.
func splitMetric(name string) (base, part string) {
	lower := strings.ToLower(strings.NewReplacer("/", "_", ".", "_", "-", "_", " ", "_").Replace(name))
	for _, p := range metricParts {
		if rest, ok := strings.CutPrefix(lower, p.prefix); ok && rest != "" {
			return rest, p.part
		}
	}
	return lower, ""
}

// groupMetrics groups series by quantity, in order of first appearance; within a group, training
// comes first.
func groupMetrics(set []protocol.Series) []metricGroup {
	var groups []metricGroup
	place := map[string]int{}
	for _, s := range set {
		points := finite(s.Points)
		if len(points) == 0 {
			continue
		}
		base, part := splitMetric(s.Name)
		i, known := place[base]
		if !known {
			i = len(groups)
			place[base] = i
			groups = append(groups, metricGroup{base: base})
		}
		line := metricLine{s.Name, part, points}
		if part == "train" || part == "" {
			groups[i].lines = append([]metricLine{line}, groups[i].lines...)
		} else {
			groups[i].lines = append(groups[i].lines, line)
		}
	}
	for _, g := range groups {
		// Beside val_loss, plain loss is that of training.
		if len(g.lines) == 2 && g.lines[0].part == "" && g.lines[1].part != "" {
			g.lines[0].part = "train"
		}
	}
	return groups
}

// The range of what is drawn: the difference of larger numbers is infinite, and a step between
// numbers that are closer is none.
const (
	largestDrawn  = 1e300
	smallestRange = 1e-300
)

// finite drops what cannot be drawn. It shares the points where there is nothing to drop.
func finite(points []protocol.Point) []protocol.Point {
	bad := func(p protocol.Point) bool {
		return !(math.Abs(p[0]) <= largestDrawn && math.Abs(p[1]) <= largestDrawn)
	}
	for i, p := range points {
		if !bad(p) {
			continue
		}
		kept := append([]protocol.Point(nil), points[:i]...)
		for _, p := range points[i:] {
			if !bad(p) {
				kept = append(kept, p)
			}
		}
		return kept
	}
	return points
}

// direction tells whether more of a quantity is better (1), or less (-1), or nobody knows (0).
func direction(base string) int {
	for _, word := range []string{"loss", "error", "err", "mae", "mse", "rmse", "perplexity"} {
		if strings.Contains(base, word) {
			return -1
		}
	}
	for _, word := range []string{"auc", "acc", "f1", "precision", "recall", "hits", "mrr", "ndcg", "map", "ap", "r2", "modularity"} {
		if base == word || strings.Contains(base, word) && len(word) > 2 || strings.HasPrefix(base, word+"_") {
			return 1
		}
	}
	return 0
}

// best is the best point of a series, the earliest of equals.
func best(points []protocol.Point, dir int) (p protocol.Point, known bool) {
	if dir == 0 || len(points) == 0 {
		return protocol.Point{}, false
	}
	p = points[0]
	for _, q := range points[1:] {
		if float64(dir)*(q[1]-p[1]) > 0 {
			p = q
		}
	}
	return p, true
}

// The drawing of a chart, in units of its view box.
const (
	chartWidth  = 340
	chartHeight = 150
	plotLeft    = 34
	plotRight   = 332
	plotTop     = 8
	plotBottom  = 128
	// chartPoints is how many points of a line are drawn: about one for each unit of width.
	chartPoints = 300
)

// scale maps values to units of the view box.
type scale struct{ from, to, start, end float64 }

func (s scale) at(v float64) float64 {
	if s.to == s.from {
		return (s.start + s.end) / 2
	}
	return s.start + (v-s.from)/(s.to-s.from)*(s.end-s.start)
}

// niceScale widens a range to round numbers and lists the ticks on it, about n.
func niceScale(low, high float64, n int) (from, to float64, ticks []float64) {
	if high < low {
		low, high = high, low
	}
	if high-low < smallestRange {
		margin := math.Max(math.Abs(low)*0.1, 1e-6)
		low, high = low-margin, high+margin
	}
	step := niceStep((high - low) / float64(max(n, 1)))
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	for i := first; i <= last && len(ticks) < 20; i++ {
		ticks = append(ticks, i*step)
	}
	return first * step, last * step, ticks
}

// niceStep is the smallest of 1, 2, 2.5, 5 times a power of ten that is not below v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 2, 2.5, 5} {
		if v <= factor*power*(1+1e-9) {
			return factor * power
		}
	}
	return 10 * power
}

// tickLabels writes ticks with as many decimals as tell them apart, and no more.
func tickLabels(ticks []float64) []string {
	labels := make([]string, len(ticks))
	digits := 0
	if len(ticks) > 1 {
		digits = decimals(ticks[1] - ticks[0])
	}
	for i, t := range ticks {
		if math.Abs(t) < 1e-12 {
			t = 0
		}
		if math.Abs(t) >= 1e6 {
			labels[i] = strconv.FormatFloat(t, 'g', 3, 64)
			continue
		}
		labels[i] = strconv.FormatFloat(t, 'f', digits, 64)
	}
	return labels
}

// decimals is how many a step between ticks needs, at most 8.
func decimals(step float64) int {
	for digits := range 8 {
		scaled := step * math.Pow(10, float64(digits))
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return digits
		}
	}
	return 8
}

// chart is everything that is drawn of one group.
type chart struct {
	xTicks, yTicks   []float64
	xLabels, yLabels []string
	x, y             scale
	paths            []string // one for each line
	area             string   // below the only line; "" if there are several
}

// drawChart lays out a chart. epochs is how far the horizontal axis goes at least; 0 if unknown.
func drawChart(g metricGroup, epochs float64) chart {
	xLow, xHigh := math.Inf(1), math.Min(math.Max(epochs, 1), largestDrawn)
	yLow, yHigh := math.Inf(1), math.Inf(-1)
	for _, line := range g.lines {
		for _, p := range line.points {
			xLow, xHigh = math.Min(xLow, p[0]), math.Max(xHigh, p[0])
			yLow, yHigh = math.Min(yLow, p[1]), math.Max(yHigh, p[1])
		}
	}
	xLow = math.Min(xLow, 0)
	if marksBest(g) {
		yHigh += (yHigh - yLow) * 0.12 // room for the words above the best value
	}
	var c chart
	c.x = scale{xLow, xHigh, plotLeft, plotRight}
	_, _, c.xTicks = niceScale(xLow, xHigh, 4)
	c.xTicks = within(c.xTicks, xLow, xHigh)
	low, high, ticks := niceScale(yLow, yHigh, 4)
	c.yTicks = ticks
	c.y = scale{low, high, plotBottom, plotTop}
	c.xLabels, c.yLabels = tickLabels(c.xTicks), tickLabels(c.yTicks)
	for _, line := range g.lines {
		c.paths = append(c.paths, c.path(line.points))
	}
	if len(g.lines) == 1 && len(g.lines[0].points) > 1 {
		points := g.lines[0].points
		c.area = c.paths[0] + "V" + coordinate(plotBottom) + "H" + coordinate(c.x.at(points[0][0])) + "Z"
	}
	return c
}

// marksBest reports whether the best value of a group is pointed out.
func marksBest(g metricGroup) bool { return len(g.lines) == 1 && direction(g.base) == 1 }

func within(ticks []float64, low, high float64) []float64 {
	var kept []float64
	for _, t := range ticks {
		if t >= low && t <= high {
			kept = append(kept, t)
		}
	}
	return kept
}

func (c chart) path(points []protocol.Point) string {
	var b strings.Builder
	for i, p := range thin(points, chartPoints) {
		b.WriteByte("LM"[btoi(i == 0)])
		b.WriteString(coordinate(c.x.at(p[0])))
		b.WriteByte(' ')
		b.WriteString(coordinate(c.y.at(p[1])))
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// thin keeps about n points of a series: of each stretch the lowest and the highest, in their
// order, so that no peak is lost. The first and the last always stay.
func thin(points []protocol.Point, n int) []protocol.Point {
	if len(points) <= n {
		return points
	}
	kept := []protocol.Point{points[0]}
	inner := points[1 : len(points)-1]
	stretches := n/2 - 1
	for s := range stretches {
		part := inner[s*len(inner)/stretches : (s+1)*len(inner)/stretches]
		low, high := 0, 0
		for i, p := range part {
			if p[1] < part[low][1] {
				low = i
			}
			if p[1] > part[high][1] {
				high = i
			}
		}
		kept = append(kept, part[min(low, high)])
		if low != high {
			kept = append(kept, part[max(low, high)])
		}
	}
	return append(kept, points[len(points)-1])
}
