package report

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cartd/bench"
)

// inside checks that every point and text of a chart is inside the picture. It counts every letter of
// a text as wide.
func inside(t *testing.T, name string, svg template.HTML) {
	t.Helper()
	const letter = 0.62 // of the font's size, for digits
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	check := func(part string, left, right, y float64) {
		if left < 0 || right > chartWidth || y < 0 || y > chartHeight {
			t.Errorf("%s: %s is at %.0f to %.0f, %.0f; the picture is %d by %d", name, part, left, right, y, chartWidth, chartHeight)
		}
	}
	points := regexp.MustCompile(`[ML] ?(\S+)[ ,]([^\s"]+)`).FindAllStringSubmatch(string(svg), -1)
	texts := regexp.MustCompile(`<text x="([^"]*)" y="([^"]*)"([^>]*)font-size:([0-9.]+)px[^>]*>([^<]*)<`).FindAllStringSubmatch(string(svg), -1)
	if len(points) < 10 || len(texts) < 4 {
		t.Fatalf("%s: %d points and %d texts in\n%s", name, len(points), len(texts), svg)
	}
	for _, p := range points {
		check("a point", number(p[1]), number(p[1]), number(p[2]))
	}
	for _, p := range texts {
		x, y, width := number(p[1]), number(p[2]), float64(len([]rune(p[5])))*number(p[4])*letter
		if strings.Contains(p[0], "rotate(90") { // written downwards
			check(p[5], x, x, y)
			check(p[5]+" (its end)", x, x, y+width)
			continue
		}
		check(p[5], x, x+width, y)
	}
}

func TestChartsStayInsideThePicture(t *testing.T) {
	t.Parallel()
	widths := []float64{0.05, 7, 3600} // seconds of a slice
	for n, values := range [][]float64{
		{100, 100, 100}, {0.1, 0.1}, {1, 6e8}, {6e8, 6e8}, {0, 1}, {0.2, 0.4}, {1e6, 999_999, 3}, {9_999_999, 10_000_001}, {20, 20}, {7, 12345, 0},
	} {
		width := widths[n%len(widths)]
		r := &bench.Result{Timeline: bench.Timeline{Width: width, Rate: values, Errors: values, P50: values, P99: values}}
		for i, p := range []float64{0, 50, 90, 99, 99.9, 99.99} {
			r.Latency.Curve = append(r.Latency.Curve, bench.Point{Percentile: p, Latency: values[i*len(values)/6]})
		}
		if slices.Contains(values, 0) { // no points without a success
			r.Timeline.P50, r.Timeline.P99 = []float64{1, 1, 0, 2}, []float64{1, 5, 0, 2}
		}
		other := &bench.Result{Timeline: bench.Timeline{Width: width, Rate: []float64{0, 3}, Errors: []float64{0, 0}, P50: []float64{3, 4}, P99: []float64{5, 6}},
			Latency: bench.Latency{Curve: []bench.Point{{Percentile: 0, Latency: 5}, {Percentile: 99, Latency: 6}}}}
		for kind, draw := range map[string]func([]*bench.Result) (template.HTML, error){"curves": curves, "throughput": throughput,
			"latencies": latencies, "failures": failures} {
			for _, runs := range [][]*bench.Result{{r}, {r, other}} {
				svg, err := draw(runs)
				if err != nil {
					t.Fatal(err)
				}
				inside(t, fmt.Sprintf("%s of %v every %v s, %d runs", kind, values, width, len(runs)), svg)
			}
		}
	}
}

// A scale of small rates names each of its steps.
func TestSmallRatesKeepTheirDecimals(t *testing.T) {
	seen := map[string]bool{}
	for _, tick := range evenTicks(0.4, rateLabel) {
		if seen[tick.Label] {
			t.Errorf("two ticks have the label %q", tick.Label)
		}
		seen[tick.Label] = true
	}
	if !seen["0.2"] {
		t.Errorf("no 0.2 among %v", seen)
	}
}
