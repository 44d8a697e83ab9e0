package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"cartd/bench"
)

// comparison is an older document and a newer one side by side.
type comparison struct {
	Notes []string
	Rows  [][]string // the first is the head
}

// Compare writes an older document and a newer one side by side. A difference within the noise of
// repeated runs is marked as noise, and runs of other settings are not judged.
func Compare(w io.Writer, older, newer *bench.Document) {
	c := compare(older, newer)
	for _, note := range c.Notes {
		fmt.Fprintln(w, note)
	}
	io.WriteString(w, columns(c.Rows, 3))
}

func compare(older, newer *bench.Document) *comparison {
	c := &comparison{
		Notes: []string{"old: " + origin(older) + "; new: " + origin(newer)},
		Rows:  [][]string{{"case", "system", "figure", "old", "new", "change", ""}},
	}
	if older.Machine.CPU != newer.Machine.CPU || older.Machine.Cores != newer.Machine.Cores || older.Machine.Kernel != newer.Machine.Kernel {
		c.Notes = append(c.Notes, "Other machines: "+machineText(&older.Machine)+"; now "+machineText(&newer.Machine)+".")
	}
	before := groups(older.Results)
	other := map[string]bool{} // cases with other settings
	for _, g := range groups(newer.Results) {
		old := find(before, g.Case, g.System)
		if old == nil {
			c.Rows = append(c.Rows, []string{g.Case, g.System, "", "", "", "", "not in the old document"})
			continue
		}
		differ := differences(old.Runs[0], g.Runs[0])
		if len(differ) > 0 {
			other[g.Case] = other[g.Case] || slices.ContainsFunc(differ, func(d difference) bool { return d.name != rateAsked })
			c.Notes = append(c.Notes, fmt.Sprintf("%s (%s): the settings differ, so the runs are not judged: %s.", g.Case, g.System, differencesText(differ, ", now ")))
		}
		for _, f := range figures {
			was, is := old.values(f), g.values(f)
			verdict := verdict(was, is, f.higher)
			if len(differ) > 0 {
				verdict = otherSettings
			}
			c.Rows = append(c.Rows, []string{g.Case, g.System, f.name, old.text(f), g.text(f), change(was, is), verdict})
		}
	}
	for i := range newer.Ratios {
		is := &newer.Ratios[i]
		k := slices.IndexFunc(older.Ratios, func(r bench.Ratio) bool { return r.Case == is.Case && r.Measure == is.Measure })
		if k < 0 {
			continue
		}
		was, verdict := &older.Ratios[k], differs(older.Ratios[k].Pairs, is.Pairs)
		if other[is.Case] {
			verdict = otherSettings
		}
		c.Rows = append(c.Rows, []string{is.Case, "", is.Measure, ratioText(was, was.Median()), ratioText(is, is.Median()), change(was.Pairs, is.Pairs), verdict})
	}
	return c
}

// otherSettings is the verdict on runs that cannot be compared.
const otherSettings = "other settings"

// origin is where a document comes from: its commit, the date of its first run and its target.
func origin(d *bench.Document) string {
	text := "commit " + d.Machine.Commit
	if len(d.Results) > 0 {
		text += ", " + date(d.Results[0].Started) + ", " + d.Results[0].Spec.Target
	}
	return text
}

func machineText(m *bench.Machine) string {
	return fmt.Sprintf("%d × %s, %s", m.Cores, m.CPU, m.Kernel)
}

// change is the difference of the medians in percent of the old one.
func change(was, is []float64) string {
	old := bench.Median(was)
	if old == 0 || len(is) == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%+.1f %%", 100*(bench.Median(is)-old)/old)
}

// significant is the probability below which a difference counts: the probability that runs of the
// same software differ as much by chance.
const significant = 0.05

// few is the minimum number of runs of each side. With fewer runs, no difference is significant.
const few = 4

func verdict(was, is []float64, higherIsBetter bool) string {
	text := differs(was, is)
	if text != "" {
		return text
	}
	if (bench.Median(is) > bench.Median(was)) == higherIsBetter {
		return "better"
	}
	return "worse"
}

// differs is empty if two sets of runs differ by more than noise. Otherwise it is the reason.
func differs(was, is []float64) string {
	switch {
	case len(was) == 0 || len(is) == 0:
		return "not measured"
	case len(was) < few || len(is) < few:
		return fmt.Sprintf("noise not known: %d and %d runs, %d are needed", len(was), len(is), few)
	case rankTest(was, is) > significant:
		return "within noise"
	}
	return ""
}

// rankTest is the exact two-sided Mann–Whitney test: the probability that two sets of these sizes,
// drawn from one distribution, are at least this far apart. Equal values count as half a win.
func rankTest(a, b []float64) float64 {
	wins := 0.0 // pairs in which a is greater than b
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				wins++
			case x == y:
				wins += 0.5
			}
		}
	}
	extreme := int(math.Ceil(min(wins, float64(len(a)*len(b))-wins)))
	ways := arrangements(len(a), len(b))
	all, below := 0.0, 0.0
	for u, n := range ways {
		all += n
		if u <= extreme {
			below += n
		}
	}
	return min(1, 2*below/all)
}

// arrangements counts, for each number of wins, the orders of n and m values with that number.
func arrangements(n, m int) []float64 {
	counts := make([][]float64, m+1) // for the first i of n values and j of m
	for j := range counts {
		counts[j] = []float64{1}
	}
	for range n {
		next := make([][]float64, m+1)
		next[0] = []float64{1}
		for j := 1; j <= m; j++ {
			next[j] = add(next[j-1], counts[j], j)
		}
		counts = next
	}
	return counts[m]
}

// add returns a + b shifted by n.
func add(a, b []float64, n int) []float64 {
	sum := make([]float64, max(len(a), len(b)+n))
	copy(sum, a)
	for i, x := range b {
		sum[i+n] += x
	}
	return sum
}
