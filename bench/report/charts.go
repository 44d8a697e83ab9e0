package report

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"cartd/bench"
)

// The charts are drawn with colour numbers. themes replaces them by the names of the page's colours,
// so that the page alone decides between light and dark.
var (
	ink         = drawing.Color{R: 1, G: 1, B: 1, A: 255}
	grid        = drawing.Color{R: 2, G: 2, B: 2, A: 255}
	seriesNames = []string{"var(--a)", "var(--b)", "var(--c)", "var(--d)"}
	themes      = strings.NewReplacer(
		"rgba(1,1,1,1.0)", "var(--ink)", "rgba(2,2,2,1.0)", "var(--grid)",
		"rgba(11,0,0,1.0)", seriesNames[0], "rgba(12,0,0,1.0)", seriesNames[1],
		"rgba(13,0,0,1.0)", seriesNames[2], "rgba(14,0,0,1.0)", seriesNames[3],
		"rgba(51,51,51,1.0)", "var(--grid)", "rgba(255,255,255,0.0)", "none", // colours of the library
		"'Roboto Medium',sans-serif", "inherit",
	)
)

func seriesColor(i int) drawing.Color {
	return drawing.Color{R: uint8(11 + i%len(seriesNames)), A: 255}
}

const (
	chartWidth  = 620
	chartHeight = 300
	fontSize    = 10.5 // points
)

// curves draws the latency percentiles of some runs with two logarithmic axes. At each step to the
// right, the share of slower requests is a tenth. The dashed curves count from the real send time.
func curves(runs []*bench.Result) (template.HTML, error) {
	var all []chart.Series
	low, high := math.Inf(1), 0.0
	for i, r := range runs {
		for k, curve := range [][]bench.Point{r.Latency.Curve, r.FromSend.Curve} {
			var x, y []float64
			for _, p := range curve {
				us := max(p.Latency, 1)
				x, y = append(x, nines(p.Percentile)), append(y, math.Log10(us))
				low, high = min(low, us), max(high, us)
			}
			if len(x) > 1 {
				all = append(all, series(i, k > 0, x, y))
			}
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	var x []chart.Tick
	for _, p := range []float64{0, 50, 90, 99, 99.9, 99.99} {
		x = append(x, chart.Tick{Value: nines(p), Label: fmt.Sprintf("p%g", p)})
	}
	return draw(all, axis{"percentile", x}, axis{"latency", logTicks(low, high)})
}

// nines is the number of nines of a percentile: 2 for 99.
func nines(percentile float64) float64 { return -math.Log10(1 - percentile/100) }

// logTicks are 1, 2 and 5 times each power of ten. The first tick is at or below low, the last at or
// above high.
func logTicks(low, high float64) (ticks []chart.Tick) {
	steps := []float64{1, 2, 5}
	if high/low > 300 {
		steps = []float64{1}
	}
	for power := math.Floor(math.Log10(low)); ; power++ {
		for _, step := range steps {
			us := step * math.Pow(10, power)
			tick := chart.Tick{Value: math.Log10(us), Label: strings.Replace(duration(us), ".00 ", " ", 1)}
			if us <= low {
				ticks = []chart.Tick{tick}
				continue
			}
			ticks = append(ticks, tick)
			if us >= high {
				return ticks
			}
		}
	}
}

// overTime draws a value of each slice of some runs.
func overTime(runs []*bench.Result, title string, of func(*bench.Timeline) []float64) (template.HTML, error) {
	var all []chart.Series
	high, end := 0.0, 0.0
	for i, r := range runs {
		values := of(&r.Timeline)
		if len(values) > 1 {
			all = append(all, series(i, false, middles(&r.Timeline, values), values))
			end = max(end, float64(len(values))*r.Timeline.Width)
			high = max(high, slices.Max(values))
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	if high == 0 {
		high = 1 // a flat line on the axis
	}
	return draw(all, timeAxis(end), axis{title, evenTicks(high, rateLabel)})
}

// throughput draws the successful requests a second over time.
func throughput(runs []*bench.Result) (template.HTML, error) {
	return overTime(runs, "successes a second", func(t *bench.Timeline) []float64 { return t.Rate })
}

// failures draws the requests a second that failed over time.
func failures(runs []*bench.Result) (template.HTML, error) {
	return overTime(runs, "errors a second", func(t *bench.Timeline) []float64 { return t.Errors })
}

// latencies draws p99 over time, and p50 with dashes. A slice without a success has no point.
func latencies(runs []*bench.Result) (template.HTML, error) {
	var all []chart.Series
	low, high, end := math.Inf(1), 0.0, 0.0
	for i, r := range runs {
		for k, values := range [][]float64{r.Timeline.P99, r.Timeline.P50} {
			var x, y []float64
			for n, at := range middles(&r.Timeline, values) {
				if us := values[n]; us > 0 {
					x, y = append(x, at), append(y, math.Log10(us))
					low, high = min(low, us), max(high, us)
				}
			}
			if len(x) > 1 {
				all = append(all, series(i, k > 0, x, y))
				end = max(end, float64(len(values))*r.Timeline.Width)
			}
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	return draw(all, timeAxis(end), axis{"latency", logTicks(low, high)})
}

// middles are the middles of a timeline's slices, in seconds.
func middles(t *bench.Timeline, values []float64) (x []float64) {
	for k := range values {
		x = append(x, (float64(k)+0.5)*t.Width)
	}
	return x
}

func timeAxis(end float64) axis {
	return axis{"time since the start of the run", evenTicks(end, func(v float64) string { return fmt.Sprintf("%g s", v) })}
}

// rateLabel keeps the decimals of rates below one a second.
func rateLabel(v float64) string {
	if v == math.Trunc(v) {
		return whole(v)
	}
	return fmt.Sprintf("%g", v)
}

// evenTicks are four to eight round values from 0 to above high.
func evenTicks(high float64, label func(float64) string) (ticks []chart.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high)))
	for _, part := range []float64{0.1, 0.2, 0.25, 0.5, 1} {
		if high/(step*part) <= 6 {
			step *= part
			break
		}
	}
	for i := 0; ; i++ {
		v := float64(i) * step
		ticks = append(ticks, chart.Tick{Value: v, Label: label(math.Round(v*1e6) / 1e6)})
		if v >= high {
			return ticks
		}
	}
}

func series(i int, dashed bool, x, y []float64) chart.Series {
	style := chart.Style{StrokeColor: seriesColor(i), StrokeWidth: 2}
	if dashed {
		style.StrokeDashArray = []float64{5, 4}
	}
	return chart.ContinuousSeries{YAxis: chart.YAxisSecondary, XValues: x, YValues: y, Style: style}
}

// axis is the title and the ticks of an axis.
type axis struct {
	title string
	ticks []chart.Tick
}

// draw renders a chart as SVG without fonts, scripts or colours of its own.
func draw(all []chart.Series, x, y axis) (template.HTML, error) {
	text := chart.Style{FontColor: ink, FontSize: fontSize, StrokeColor: grid, StrokeWidth: 1}
	title := chart.Style{FontColor: ink, FontSize: fontSize}
	lines := chart.Style{StrokeColor: grid, StrokeWidth: 1}
	c := chart.Chart{
		Width: chartWidth, Height: chartHeight,
		Background: chart.Style{FillColor: drawing.ColorTransparent, StrokeColor: drawing.ColorTransparent,
			Padding: chart.Box{Top: 12, Left: 12, Right: 24, Bottom: 6}},
		Canvas: chart.Style{FillColor: drawing.ColorTransparent, StrokeColor: drawing.ColorTransparent},
		XAxis:  chart.XAxis{Name: x.title, NameStyle: title, Ticks: x.ticks, Style: text, TickStyle: text, GridMajorStyle: lines, GridLines: gridLines(x.ticks)},
		YAxis:  chart.YAxis{Style: chart.Hidden(), Ticks: y.ticks}, // on the right; the library takes the range of both from it
		YAxisSecondary: chart.YAxis{
			AxisType: chart.YAxisSecondary,
			Name:     y.title, NameStyle: title, Ticks: y.ticks, Style: text, TickStyle: text, GridMajorStyle: lines, GridLines: gridLines(y.ticks),
			Zero: chart.GridLine{Style: chart.Hidden()}, // 0 may be outside the picture
		},
		Series: all,
	}
	var svg bytes.Buffer
	if err := c.Render(chart.SVG, &svg); err != nil {
		return "", fmt.Errorf("draw a chart: %w", err)
	}
	return template.HTML(themes.Replace(svg.String())), nil
}

func gridLines(ticks []chart.Tick) (lines []chart.GridLine) {
	for _, t := range ticks {
		lines = append(lines, chart.GridLine{Value: t.Value})
	}
	return lines
}
