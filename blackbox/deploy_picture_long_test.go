//go:build long

package blackbox_test

import (
	"bytes"
	"errors"
	"fmt"
	pictures "image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A picture's column and row of the dashboard's grid, in pixels.
const (
	columnWidth = 64
	rowHeight   = 36
)

// drawDashboard draws the panels' answers at their places of the dashboard's grid.
func drawDashboard(t *testing.T, file string, all []*panel) {
	t.Helper()
	height := 0
	for _, p := range all {
		height = max(height, (p.GridPos.Y+p.GridPos.H)*rowHeight)
	}
	canvas := pictures.NewRGBA(pictures.Rect(0, 0, 24*columnWidth, height))
	draw.Draw(canvas, canvas.Bounds(), pictures.NewUniform(color.White), pictures.Point{}, draw.Src)
	for _, p := range all {
		at := pictures.Pt(p.GridPos.X*columnWidth, p.GridPos.Y*rowHeight)
		for _, part := range p.draw(t) {
			drawn, err := png.Decode(bytes.NewReader(part))
			if err != nil {
				t.Fatalf("%s: %v", p.Title, err)
			}
			draw.Draw(canvas, drawn.Bounds().Add(at), drawn, pictures.Point{}, draw.Src)
			at.Y += drawn.Bounds().Dy()
		}
	}
	var out bytes.Buffer
	if err := errors.Join(png.Encode(&out, canvas), os.WriteFile(file, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// The heights of a panel's title, description and legend.
const (
	titleHeight  = 26
	aboutHeight  = 42
	legendHeight = 46
)

// The colours of texts: descriptions, and values that are no violation or one.
var (
	soft = drawing.Color{R: 90, G: 96, B: 104, A: 255}
	good = drawing.Color{R: 20, G: 120, B: 60, A: 255}
	bad  = drawing.Color{R: 200, G: 30, B: 30, A: 255}
)

// draw draws the parts of one panel from top to bottom, each a PNG: a heading, figures, or lines
// with their legend.
func (p *panel) draw(t *testing.T) [][]byte {
	t.Helper()
	width, height := p.GridPos.W*columnWidth, p.GridPos.H*rowHeight
	if p.Type == "row" {
		return [][]byte{written(width, height, 14, word{p.Title, drawing.ColorBlack})}
	}
	heading := drawing.ColorBlack
	var sentence []word
	for text := range strings.FieldsSeq(p.Description) {
		sentence = append(sentence, word{text, soft})
	}
	title := func() []byte { return written(width, titleHeight, 10, word{p.Title, heading}) }
	about := closely(width, aboutHeight, 6.5, sentence...)
	c := chart.Chart{
		Width: width, Height: height - titleHeight - aboutHeight - legendHeight,
		Background: chart.Style{Padding: chart.Box{Top: 6, Left: 8, Right: 8, Bottom: 2}},
		XAxis:      chart.XAxis{ValueFormatter: chart.TimeValueFormatterWithFormat("15:04:05"), Style: chart.Style{FontSize: 7}},
		YAxis:      chart.YAxis{ValueFormatter: p.label, Style: chart.Style{FontSize: 7}},
	}
	top, zeros := 0.0, 0
	var legend, figures []word
	for i, answer := range p.answers {
		for _, s := range answer {
			line, last, highest := p.curve(i, s, len(c.Series))
			figures = append(figures, word{p.label(last) + " " + line.Name, p.judged(line.Name, last)})
			if p.judged(line.Name, last) == bad {
				heading = bad
			}
			if top = max(top, highest); len(line.XValues) < 2 {
				continue
			}
			c.Series = append(c.Series, line)
			if highest > 0 {
				legend = append(legend, word{line.Name, line.Style.StrokeColor})
			} else {
				zeros++
			}
		}
	}
	if p.Type == "stat" || len(c.Series) == 0 {
		return [][]byte{title(), about, written(width, height-titleHeight-aboutHeight, 16, figures...)}
	}
	if zeros > 0 {
		legend = append(legend, word{fmt.Sprintf("(%d at 0)", zeros), drawing.ColorBlack})
	}
	top = p.ceiling(top)
	if value, below, found := p.violation(); found && value > 0.001 {
		side := map[bool]string{false: "beyond", true: "below"}[below]
		legend = append(legend, word{"red " + side + " " + p.label(value), bad})
		if value <= top {
			c.Series = append(c.Series, p.bound(value, c.Series[0].(chart.TimeSeries)))
		}
	}
	c.YAxis.Range = &chart.ContinuousRange{Min: 0, Max: top}
	for _, v := range []float64{0, top / 2, top} {
		c.YAxis.Ticks = append(c.YAxis.Ticks, chart.Tick{Value: v, Label: p.label(v)})
	}
	var out bytes.Buffer
	if err := c.Render(chart.PNG, &out); err != nil {
		t.Fatalf("%s: %v", p.Title, err)
	}
	return [][]byte{title(), about, out.Bytes(), written(width, legendHeight, 7, legend...)}
}

// judged is the colour of a value.
func (p *panel) judged(name string, v float64) drawing.Color {
	value, below, found := p.violationOf(name)
	switch {
	case !found:
		return drawing.ColorBlack
	case below == (v < value):
		return bad
	}
	return good
}

// bound is the dashed line of a threshold, along the time of a series.
func (p *panel) bound(value float64, along chart.TimeSeries) chart.Series {
	style := chart.Style{StrokeColor: bad, StrokeWidth: 1.5, StrokeDashArray: []float64{6, 4}}
	first, last := along.XValues[0], along.XValues[len(along.XValues)-1]
	return chart.TimeSeries{Style: style, XValues: []time.Time{first, last}, YValues: []float64{value, value}}
}

// curve is one series of the i-th query, with its last and its highest value.
func (p *panel) curve(i int, s series, at int) (line chart.TimeSeries, last, highest float64) {
	line.Name = p.Targets[i].LegendFormat
	for label, value := range s.Metric {
		line.Name = strings.ReplaceAll(line.Name, "{{"+label+"}}", value)
	}
	if strings.Contains(line.Name, "{{") {
		line.Name = "all" // a label that this answer does not have
	}
	line.Style = chart.Style{StrokeColor: chart.GetDefaultColor(at), StrokeWidth: 1.5}
	for _, value := range s.Values {
		y, err := strconv.ParseFloat(value[1].(string), 64)
		if err != nil || math.IsNaN(y) || math.IsInf(y, 0) {
			continue
		}
		seconds := value[0].(float64)
		line.XValues, line.YValues = append(line.XValues, time.Unix(int64(seconds), 0).UTC()), append(line.YValues, y)
		last, highest = y, max(highest, y)
	}
	return line, last, highest
}

// ceiling is the end of an axis: the next round number of the panel's unit.
func (p *panel) ceiling(v float64) float64 {
	unit := 1.0
	switch kind := p.FieldConfig.Defaults.Unit; {
	case v == 0:
		return 1
	case kind == "s":
		unit = 1e-3
	case kind == "bytes" && v < 1<<30:
		unit = 1 << 20
	case kind == "bytes":
		unit = 1 << 30
	case kind == "percentunit":
		unit = 0.01
	}
	step := math.Pow(10, math.Floor(math.Log10(v/unit)))
	for _, n := range []float64{1, 2, 4, 6, 8} {
		if n*step*unit >= v {
			return n * step * unit
		}
	}
	return 10 * step * unit
}

// label writes a value in the panel's unit.
func (p *panel) label(value any) string {
	v, _ := value.(float64)
	switch unit := p.FieldConfig.Defaults.Unit; {
	case unit == "s" && v < 1:
		return fmt.Sprintf("%.3g ms", 1000*v)
	case unit == "s":
		return strconv.FormatFloat(v, 'g', 4, 64) + " s"
	case unit == "bytes" && v >= 1<<30:
		return plain(v/(1<<30)) + " GiB"
	case unit == "bytes":
		return plain(v/(1<<20)) + " MiB"
	case unit == "percentunit":
		return plain(100*v) + " %"
	}
	return plain(v)
}

// plain writes a number for an axis: without an exponent, and whole from ten on.
func plain(v float64) string {
	if v >= 10 || v == float64(int64(v)) {
		return fmt.Sprintf("%.0f", v)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// word is a text in its colour.
type word struct {
	text  string
	color drawing.Color
}

// written draws words, beside and then below each other.
func written(width, height int, size float64, words ...word) []byte {
	return spaced(width, height, 14, size, words...)
}

// closely is written with the space of a sentence between words.
func closely(width, height int, size float64, words ...word) []byte {
	return spaced(width, height, 4, size, words...)
}

func spaced(width, height, gap int, size float64, words ...word) []byte {
	r, _ := chart.PNG(width, height)
	font, _ := chart.GetDefaultFont()
	r.SetFont(font)
	r.SetFontSize(size)
	x, y, line := 12, int(1.9*size), int(1.9*size)
	for _, w := range words {
		if box := r.MeasureText(w.text); x > 12 && x+box.Width() > width-8 {
			x, y = 12, y+line
		}
		r.SetFontColor(w.color)
		r.Text(w.text, x, y)
		x += r.MeasureText(w.text).Width() + gap
	}
	var out bytes.Buffer
	_ = r.Save(&out) // into memory
	return out.Bytes()
}
