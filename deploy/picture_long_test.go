//go:build long

package deploy_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	pictures "image"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A picture's column and row of the dashboard's grid, in pixels.
const (
	columnWidth = 64
	rowHeight   = 32
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
		drawn, err := png.Decode(bytes.NewReader(p.draw(t)))
		if err != nil {
			t.Fatalf("%s: %v", p.Title, err)
		}
		at := pictures.Pt(p.GridPos.X*columnWidth, p.GridPos.Y*rowHeight)
		draw.Draw(canvas, drawn.Bounds().Add(at), drawn, pictures.Point{}, draw.Src)
	}
	var out bytes.Buffer
	if err := errorsOf(png.Encode(&out, canvas), os.WriteFile(file, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// draw draws one panel as a PNG: a heading, figures, or lines with their legend.
func (p *panel) draw(t *testing.T) []byte {
	t.Helper()
	c := chart.Chart{
		Title: p.Title, TitleStyle: chart.Style{FontSize: 9},
		Width: p.GridPos.W * columnWidth, Height: p.GridPos.H * rowHeight,
		Background: chart.Style{Padding: chart.Box{Top: 24, Left: 8, Right: 8, Bottom: 4}},
		XAxis:      chart.XAxis{ValueFormatter: chart.TimeValueFormatterWithFormat("15:04:05"), Style: chart.Style{FontSize: 7}},
		YAxis:      chart.YAxis{ValueFormatter: p.label, Style: chart.Style{FontSize: 7}},
	}
	top, legend, figures := 0.0, []string{}, []string{}
	for i, answer := range p.answers {
		for _, s := range answer {
			line, last, highest := p.curve(i, s, len(c.Series))
			top = max(top, highest)
			if len(line.XValues) > 1 {
				c.Series = append(c.Series, line)
				legend = append(legend, line.Name)
			}
			figures = append(figures, p.label(last)+" "+line.Name)
		}
	}
	switch {
	case p.Type == "row":
		return writing(c.Width, c.Height, nil, p.Title, 14)
	case p.Type == "stat":
		return writing(c.Width, c.Height, figures, p.Title, 9)
	case len(c.Series) == 0:
		return writing(c.Width, c.Height, []string{"no data"}, p.Title, 9)
	}
	if top == 0 {
		top = 1
	}
	c.YAxis.Range = &chart.ContinuousRange{Min: 0, Max: top * 1.1}
	c.Elements = []chart.Renderable{chart.LegendThin(&c, chart.Style{FontSize: 6})}
	if len(legend) > 4 {
		c.Elements = []chart.Renderable{chart.Legend(&c, chart.Style{FontSize: 6, FillColor: drawing.ColorWhite.WithAlpha(200)})}
	}
	var out bytes.Buffer
	if err := c.Render(chart.PNG, &out); err != nil {
		t.Fatalf("%s: %v", p.Title, err)
	}
	return out.Bytes()
}

// curve is one series of the i-th query, with its last and its highest value.
func (p *panel) curve(i int, s series, at int) (line chart.TimeSeries, last, highest float64) {
	line.Name = p.Targets[i].LegendFormat
	for label, value := range s.Metric {
		line.Name = strings.ReplaceAll(line.Name, "{{"+label+"}}", value)
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

// label writes a value in the panel's unit.
func (p *panel) label(value any) string {
	v, _ := value.(float64)
	switch unit := p.FieldConfig.Defaults.Unit; {
	case unit == "s" && v < 1:
		return fmt.Sprintf("%.3g ms", 1000*v)
	case unit == "s":
		return fmt.Sprintf("%.3g s", v)
	case unit == "bytes":
		return fmt.Sprintf("%.3g MiB", v/(1<<20))
	}
	return fmt.Sprintf("%.3g", v)
}

// writing draws a title over lines of text.
func writing(width, height int, lines []string, title string, size float64) []byte {
	r, _ := chart.PNG(width, height)
	font, _ := chart.GetDefaultFont()
	r.SetFont(font)
	r.SetFontColor(drawing.ColorBlack)
	r.SetFontSize(size)
	r.Text(title, 12, 22)
	r.SetFontSize(16)
	for i, line := range slices.Compact(lines) {
		r.Text(line, 24, 70+i*34)
	}
	var out bytes.Buffer
	_ = r.Save(&out) // into memory
	return out.Bytes()
}
