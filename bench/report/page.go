package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"os"
	"slices"
	"strings"

	"cartd/bench"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// Outcome is what a command found out beside its measurements.
type Outcome struct {
	Faults     []string // the reasons why the run failed
	Thresholds []bench.Judged
	Older      *bench.Document // to compare with, may be nil
}

// view is the data of the page's template.
type view struct {
	Title, Origin string
	Faults        []string
	Thresholds    []thresholdView
	Ratios        []ratioRow
	OtherNames    []string
	Figures       []string
	LoadHeads     []string
	Cases         []caseView
	Compared      *comparison
	Machine       [][2]string
}

type ratioRow struct {
	Case, About, Measure, Median, Spread, Asked string
	Judged, Met                                 bool
	Others                                      []string
}

// thresholdView is a threshold with the value of one run.
type thresholdView struct {
	bench.Judged
	Value string
}

// caseView is one case: its systems side by side, and charts of a typical run of each system.
type caseView struct {
	Name, About string
	Differ      string // the settings in which the systems' loads differ
	Loads       []systemRow
	Rows        []systemRow
	Lates       []systemLate
	Charts      []chartView
	Operations  []operationRow
	Crawls      []string // who was refused in each run
	Errors      []bench.ErrorCount
	Check       string
}

// loadHeads are the columns of a system's load.
var loadHeads = []string{"started", "target", "asked/s", "reached/s", "connections", "carts", "stores", "duration", "ramp", "seed"}

type systemRow struct {
	System string
	Color  template.CSS
	Values []string
}

type systemLate struct {
	System string
	*lateView
}

type chartView struct {
	Picture template.HTML
	Caption string
}

type operationRow struct {
	System, Operation string
	Values            []string
}

// Page writes a document as one HTML file without external resources.
func Page(file string, d *bench.Document, o Outcome) error {
	v := view{Title: pageTitle(d), Origin: "client: " + origin(d), Faults: o.Faults, LoadHeads: loadHeads, Machine: machineRows(&d.Machine)}
	for _, f := range figures {
		v.Figures = append(v.Figures, f.name)
	}
	for _, j := range o.Thresholds {
		v.Thresholds = append(v.Thresholds, thresholdView{j, j.ValueText()})
	}
	all := groups(d.Results)
	for _, b := range otherRatios {
		v.OtherNames = append(v.OtherNames, b.name)
	}
	for i := range d.Ratios {
		v.Ratios = append(v.Ratios, ratioView(&d.Ratios[i], all))
	}
	for len(all) > 0 {
		name := all[0].Case
		rest := slices.IndexFunc(all, func(g *group) bool { return g.Case != name })
		if rest < 0 {
			rest = len(all)
		}
		c, err := viewCase(d, all[:rest])
		if err != nil {
			return err
		}
		v.Cases = append(v.Cases, c)
		all = all[rest:]
	}
	if o.Older != nil {
		v.Compared = compare(o.Older, d)
	}
	var text strings.Builder
	if err := page.Execute(&text, v); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

// pageTitle names the only case of a document.
func pageTitle(d *bench.Document) string {
	if all := groups(d.Results); len(all) == 1 {
		return "cartbench: " + all[0].Case
	}
	return "cartbench"
}

func ratioView(r *bench.Ratio, all []*group) ratioRow {
	asked, met := r.Asked()
	return ratioRow{
		Case: r.Case, About: r.About, Measure: r.Measure, Median: ratioText(r, r.Median()), Spread: spread(r), Asked: askedText(r),
		Judged: asked, Met: met, Others: otherRatioTexts(all, r.Case),
	}
}

func viewCase(d *bench.Document, all []*group) (c caseView, err error) {
	c.Name, c.About = all[0].Case, all[0].Runs[0].Spec.Scenario.About
	if k := slices.IndexFunc(d.Ratios, func(r bench.Ratio) bool { return r.Case == c.Name }); k >= 0 {
		c.About = d.Ratios[k].About
	}
	var typical []*bench.Result
	var check bench.Check
	for i, g := range all {
		name, color := g.System, template.CSS(seriesNames[i%len(seriesNames)])
		run := g.typical()
		c.Loads = append(c.Loads, systemRow{name, color, loadValues(g, run)})
		row := systemRow{System: fmt.Sprintf("%s, %s", name, plural(len(g.Runs), "run")), Color: color}
		for _, f := range figures {
			row.Values = append(row.Values, g.text(f))
		}
		c.Rows = append(c.Rows, row)
		if l := late(run); l != nil {
			c.Lates = append(c.Lates, systemLate{name, l})
		}
		if differ := differences(all[0].Runs[0], run); len(differ) > 0 {
			c.Differ = fmt.Sprintf("The loads are not the same: %s (%s → %s).", differencesText(differ, " → "), all[0].System, name)
		}
		typical = append(typical, run)
		c.Operations = append(c.Operations, operationRows(g)...)
		for _, r := range g.Runs {
			c.Errors = append(c.Errors, r.Errors...)
			if r.Crawl != nil {
				c.Crawls = append(c.Crawls, r.Crawl.Text())
			}
		}
		check.Add(g.check())
	}
	c.Check = checkText(check)
	c.Charts, err = charts(typical)
	return c, err
}

// charts are those of a case.
func charts(typical []*bench.Result) (all []chartView, err error) {
	for _, c := range []struct {
		draw    func([]*bench.Result) (template.HTML, error)
		caption string
	}{
		{curves, "Latency by percentile, both axes logarithmic. Dashed, in an open loop: from the real send on, without the client's delay."},
		{latencies, "Latency over time, from the intended moment: p99, and p50 dashed; ramp included."},
		{throughput, "Successful requests a second over time, ramp included."},
		{failures, "Errors a second over time, ramp included."},
	} {
		picture, err := c.draw(typical)
		if err != nil {
			return nil, err
		}
		if picture != "" {
			all = append(all, chartView{picture, c.caption})
		}
	}
	return all, nil
}

// checkText describes the checks of all systems of a case.
func checkText(check bench.Check) string {
	n := compared(check)
	text := fmt.Sprintf("%s answers read, %s wrong; ", n[0], n[1])
	if check.Records == check.Unread {
		return text + "nothing was read back."
	}
	return text + fmt.Sprintf("%s records read back, %s lines lost, %s doubled.", n[2], n[3], n[4])
}

func operationRows(g *group) (rows []operationRow) {
	r := g.typical()
	if len(r.ByOp) < 2 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(r.ByOp)) {
		l := r.ByOp[name]
		rows = append(rows, operationRow{g.System, name, []string{
			whole(float64(l.Count)), duration(l.P50), duration(l.P90), duration(l.P99), duration(l.P999), duration(l.P9999), duration(l.Max),
		}})
	}
	return rows
}

// loadValues describes the load of a group by one of its runs.
func loadValues(g *group, r *bench.Result) []string {
	s := &r.Spec
	return []string{
		date(g.Runs[0].Started), s.Target, askedRate(r), g.text(rate), fmt.Sprint(s.Connections), whole(float64(s.Carts)), fmt.Sprint(s.Stores),
		s.Duration.String(), s.Ramp.String(), fmt.Sprint(s.Seed),
	}
}

// plural writes a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func machineRows(m *bench.Machine) [][2]string {
	rows := [][2]string{
		{"processor", fmt.Sprintf("%d × %s", m.Cores, m.CPU)}, {"memory", memoryText(m.Memory)}, {"kernel", m.Kernel}, {"Go",
			m.Go}, {"commit of the client", m.Commit},
		{"load average at start", m.LoadStart}, {"command", strings.Join(m.Command, " ")},
	}
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		rows = append(rows, [2]string{name, m.Versions[name]})
	}
	return rows
}

// memoryText writes the kernel's "4034684 kB" in MiB.
func memoryText(kernel string) string {
	var kib float64
	if _, err := fmt.Sscanf(kernel, "%f kB", &kib); err != nil {
		return kernel
	}
	return whole(kib/1024) + " MiB"
}
