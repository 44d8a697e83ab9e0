package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"slices"
	"strings"

	"cartd/bench"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// view is the data of the page's template.
type view struct {
	Title      string
	Faults     []string
	Ratios     []ratioRow
	OtherNames []string
	Figures    []string
	Cases      []caseView
	Machine    [][2]string
}

type ratioRow struct {
	Case, About, Measure, Median, Spread, Asked string
	Judged, Met                                 bool
	Others                                      []string
}

// caseView is one case: its systems side by side, and charts of a typical run of each system.
type caseView struct {
	Name, About, Load  string
	Rows               []systemRow
	Curves, Throughput template.HTML
	Operations         []operationRow
	Errors             []bench.ErrorCount
	Check              string
}

type systemRow struct {
	System string
	Color  template.CSS
	Values []string
}

type operationRow struct {
	System, Operation string
	Values            []string
}

// Page writes a document as one HTML file without external resources. faults are the reasons why the
// run failed.
func Page(file string, d *bench.Document, faults []string) error {
	v := view{Title: "cartbench", Faults: faults, Machine: machineRows(&d.Machine)}
	for _, f := range figures {
		v.Figures = append(v.Figures, f.name)
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
	var text strings.Builder
	if err := page.Execute(&text, v); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
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
	c.Load = loadText(all[0].Runs[0])
	var typical []*bench.Result
	var check bench.Check
	for i, g := range all {
		row := systemRow{System: fmt.Sprintf("%s, %d runs", g.System, len(g.Runs)), Color: template.CSS(seriesNames[i%len(seriesNames)])}
		for _, f := range figures {
			row.Values = append(row.Values, g.text(f))
		}
		c.Rows = append(c.Rows, row)
		typical = append(typical, g.typical())
		c.Operations = append(c.Operations, operationRows(g)...)
		for _, r := range g.Runs {
			c.Errors = append(c.Errors, r.Errors...)
		}
		check.Add(g.check())
	}
	c.Check = checkText(check)
	if c.Curves, err = curves(typical); err != nil {
		return c, err
	}
	c.Throughput, err = throughput(typical)
	return c, err
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
	for _, name := range sorted(r.ByOp) {
		l := r.ByOp[name]
		rows = append(rows, operationRow{g.System, name, []string{
			whole(float64(l.Count)), duration(l.P50), duration(l.P90), duration(l.P99), duration(l.P999), duration(l.P9999), duration(l.Max),
		}})
	}
	return rows
}

// loadText describes the load of a run.
func loadText(r *bench.Result) string {
	load := fmt.Sprintf("closed loop, %d connections", r.Spec.Connections)
	if r.RateAsked > 0 {
		load = fmt.Sprintf("open loop: %s requests a second asked, %s reached, %d connections", whole(r.RateAsked), whole(r.Rate), r.Spec.Connections)
	}
	return fmt.Sprintf("%s, %s carts, stores: %d, %v after a ramp of %v, seed %d", load, whole(float64(r.Spec.Carts)), r.Spec.Stores, r.Spec.Duration, r.Spec.Ramp, r.Spec.Seed)
}

func machineRows(m *bench.Machine) [][2]string {
	rows := [][2]string{
		{"processor", fmt.Sprintf("%d × %s", m.Cores, m.CPU)}, {"memory", m.Memory}, {"kernel", m.Kernel}, {"Go", m.Go}, {"commit", m.Commit},
		{"load average at start", m.LoadStart}, {"command", strings.Join(m.Command, " ")},
	}
	var names []string
	for name := range m.Versions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		rows = append(rows, [2]string{name, m.Versions[name]})
	}
	return rows
}
