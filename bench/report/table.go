package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"cartd/bench"
)

// Table writes all of a document as text.
func Table(w io.Writer, d *bench.Document) {
	io.WriteString(w, results(d))
	for _, g := range groups(d.Results) {
		io.WriteString(w, operations(g))
	}
	io.WriteString(w, flashes(d))
	io.WriteString(w, crawls(d))
	io.WriteString(w, ratios(d))
	io.WriteString(w, errorsText(d))
	io.WriteString(w, accuracy(d))
	io.WriteString(w, warnings(d))
}

// Thresholds writes each threshold with the value of each run.
func Thresholds(w io.Writer, judged []bench.Judged) {
	rows := [][]string{{"threshold", "case", "system", "run", "value", "met"}}
	for _, j := range judged {
		rows = append(rows, thresholdRow(j))
	}
	fmt.Fprintln(w)
	io.WriteString(w, columns(rows, 3))
}

func thresholdRow(j bench.Judged) []string {
	met := "no"
	if j.Met {
		met = "yes"
	}
	return []string{j.Text, j.Case, j.System, fmt.Sprint(j.Run), j.ValueText(), met}
}

// warnings name the runs whose latencies are not those of the server.
func warnings(d *bench.Document) string {
	var text strings.Builder
	for _, g := range groups(d.Results) {
		if v := late(g.typical()); v != nil && v.Warning != "" {
			fmt.Fprintf(&text, "\n%s (%s): %s\n", g.Case, g.System, v.Warning)
		}
	}
	return text.String()
}

// Ratio writes one judged figure.
func Ratio(w io.Writer, r *bench.Ratio) {
	fmt.Fprintf(w, "%-12s %8s  (%s)  asked %s %s\n", r.Case, ratioText(r, r.Median()), spread(r), askedText(r), metText(r))
}

// results has a row of medians for each case and system.
func results(d *bench.Document) string {
	if len(d.Results) == 0 {
		return ""
	}
	head := []string{"case", "system", "runs"}
	for _, f := range figures {
		head = append(head, f.name)
	}
	rows := [][]string{head}
	for _, g := range groups(d.Results) {
		row := []string{g.Case, g.System, fmt.Sprint(len(g.Runs))}
		for _, f := range figures {
			row = append(row, g.text(f))
		}
		rows = append(rows, row)
	}
	return columns(rows, 2)
}

// operations has a row for each operation of a run with several operations.
func operations(g *group) string {
	r := g.typical()
	if len(r.ByOp) < 2 {
		return ""
	}
	rows := [][]string{{g.Case, g.System, "successes", "p50", "p90", "p99", "p99.9", "p99.99", "max"}}
	for _, name := range slices.Sorted(maps.Keys(r.ByOp)) {
		l := r.ByOp[name]
		rows = append(rows, []string{
			"  " + name, "", whole(float64(l.Count)), duration(l.P50), duration(l.P90), duration(l.P99), duration(l.P999), duration(l.P9999), duration(l.Max),
		})
	}
	return "\n" + columns(rows, 2)
}

// flashes has the outcome of each flash sale.
func flashes(d *bench.Document) string {
	var text strings.Builder
	for i := range d.Results {
		r := &d.Results[i]
		if r.Flash != nil {
			fmt.Fprintf(&text, "\n%s (%s)\n%s", r.Case, r.System, r.Flash.Text())
			fmt.Fprintf(&text, "A shopper's visit: p50 %s, p99 %s, max %s.\n", duration(r.Flash.Visit.P50), duration(r.Flash.Visit.P99), duration(r.Flash.Visit.Max))
		}
	}
	return text.String()
}

// crawls says who was refused in each run with crawlers.
func crawls(d *bench.Document) string {
	var text strings.Builder
	for i := range d.Results {
		if r := &d.Results[i]; r.Crawl != nil {
			fmt.Fprintf(&text, "\n%s (%s)\n%s", r.Case, r.System, r.Crawl.Text())
		}
	}
	return text.String()
}

func ratios(d *bench.Document) string {
	if len(d.Ratios) == 0 {
		return ""
	}
	head := []string{"case", "measure", "median", "min – max", "asked", "met"}
	for _, b := range otherRatios {
		head = append(head, b.name)
	}
	rows, all := [][]string{head}, groups(d.Results)
	for i := range d.Ratios {
		r := &d.Ratios[i]
		row := []string{r.Case, r.Measure, ratioText(r, r.Median()), spread(r), askedText(r), metText(r)}
		rows = append(rows, append(row, otherRatioTexts(all, r.Case)...))
	}
	return "\n" + columns(rows, 2)
}

func errorsText(d *bench.Document) string {
	var text strings.Builder
	for _, g := range groups(d.Results) {
		for _, r := range g.Runs {
			for _, e := range r.Errors {
				fmt.Fprintf(&text, "%s (%s): %d × %s: %s\n", g.Case, g.System, e.Count, e.Kind, e.Example)
			}
		}
	}
	for _, fault := range d.Faults {
		fmt.Fprintf(&text, "%s\n", fault)
	}
	if text.Len() == 0 {
		return ""
	}
	return "\n" + text.String()
}

// accuracy shows the rates asked for and reached, the harness's own share, and the checks.
func accuracy(d *bench.Document) string {
	if len(d.Results) == 0 {
		return ""
	}
	rows := [][]string{{"case", "system", "asked", "reached", "sent late p50", "p99", "own p99", "client CPU", "others", "answers", "wrong",
		"read back", "lost", "doubled"}}
	for _, g := range groups(d.Results) {
		rows = append(rows, accuracyRow(g))
	}
	return "\nRates asked for and reached; delay of the sends, and the part of it in which a connection was free (own); processors that other processes kept " +
		"busy; checked answers and records.\n" + columns(rows, 2)
}

func accuracyRow(g *group) []string {
	return append([]string{
		g.Case, g.System, askedRate(g.Runs[0]), g.text(rate), g.text(late50), g.text(late99), g.text(own99), g.text(client), g.text(others),
	}, compared(g.check())...)
}

// compared has the numbers of a check: answers, wrong answers, records read back, lost and doubled
// lines.
func compared(c bench.Check) []string {
	texts := []string{whole(float64(c.Answers)), unmeasured, unmeasured, unmeasured, unmeasured}
	if !c.Unjudged {
		texts[1] = whole(float64(c.Wrong))
	}
	if read := c.Records - c.Unread; read > 0 {
		texts[2], texts[3], texts[4] = whole(float64(read)), whole(float64(c.Lost)), whole(float64(c.Doubled))
	}
	return texts
}
