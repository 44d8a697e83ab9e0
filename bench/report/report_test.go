package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/bench"
)

// rankByCounting is the definition of the rank test: the share of all divisions of the ranks between
// the two sides that are at least as far from the middle.
func rankByCounting(n, m int, wins float64) float64 {
	extreme := math.Ceil(min(wins, float64(n*m)-wins))
	all, beyond := 0, 0
	for dealt := range 1 << (n + m) {
		ones, u := 0, 0
		for bit := range n + m {
			if dealt>>bit&1 == 1 {
				ones++
			} else {
				u += ones
			}
		}
		if ones != n {
			continue
		}
		all++
		if float64(u) <= extreme {
			beyond++
		}
	}
	return min(1, 2*float64(beyond)/float64(all))
}

func TestRankTestAgreesWithCounting(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		a, b := make([]float64, 1+dice.IntN(6)), make([]float64, 1+dice.IntN(6))
		for i := range a {
			a[i] = float64(dice.IntN(8))
		}
		for i := range b {
			b[i] = float64(dice.IntN(8) + 2)
		}
		wins := 0.0
		for _, x := range a {
			for _, y := range b {
				if x > y {
					wins++
				} else if x == y {
					wins += 0.5
				}
			}
		}
		if got, want := rankTest(a, b), rankByCounting(len(a), len(b), wins); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v against %v: %v, want %v", a, b, got, want)
		}
	}
}

// document has runs of one case at these rates.
func document(rates ...float64) *bench.Document {
	d := &bench.Document{Machine: bench.Machine{Commit: "abc"}}
	for i, rate := range rates {
		r := bench.Result{Case: "change", System: "cartd", Rate: rate, CPU: bench.CPU{Server: 1e6 / rate}, Requests: 10}
		r.Spec.Scenario.About = "lines <change>"
		for p := range 100 {
			r.Latency.Curve = append(r.Latency.Curve, bench.Point{Percentile: float64(p), Latency: 100 + float64(p*(i+1))})
		}
		r.Timeline = bench.Timeline{Width: 0.1, Rate: []float64{rate, rate / 2, rate}, Errors: []float64{0, 0, 0}, P50: []float64{100, 120, 0},
			P99: []float64{900, 950, 0}}
		r.ByOp = map[string]bench.Latency{"add": {Count: 1}, "change": {Count: 9}}
		d.Results = append(d.Results, r)
	}
	return d
}

func TestCompareMarksNoise(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []float64
		want     string // in the row of req/s
	}{
		{"faster", []float64{100, 101, 102, 103, 104}, []float64{120, 121, 122, 123, 124}, `req/s\s+102\s+122\s+\+19\.6 %\s+better`},
		{"slower", []float64{120, 121, 122, 123, 124}, []float64{100, 101, 102, 103, 104}, `req/s\s+122\s+102\s+-16\.4 %\s+worse`},
		{"mingled", []float64{100, 110, 120, 130, 140}, []float64{105, 115, 125, 135, 145}, `req/s\s+120\s+125\s+\+4\.2 %\s+within noise`},
		{"too few runs", []float64{100}, []float64{200, 201, 202, 203, 204}, `req/s\s+100\s+202\s+\+102\.0 %\s+noise not known: 1 and 5 runs`},
	} {
		var text strings.Builder
		Compare(&text, document(c.old...), document(c.new...))
		if !regexp.MustCompile(c.want).MatchString(text.String()) {
			t.Errorf("%s: no row like %s in\n%s", c.name, c.want, text.String())
		}
	}
	var text strings.Builder
	other := document(1, 2, 3, 4)
	other.Results[0].Case = "another"
	Compare(&text, document(1), other)
	if !strings.Contains(text.String(), "not in the old document") {
		t.Errorf("a new case is not named:\n%s", text.String())
	}
}

// The page shows all of a document and loads nothing.
func TestThePageNeedsNothingElse(t *testing.T) {
	d := document(100, 200, 300)
	d.Results[1].Errors = []bench.ErrorCount{{Kind: "status 503", Count: 4, Example: "a <b> too many"}}
	d.Ratios = []bench.Ratio{{Case: "change", About: "of <the floor>", Measure: "CPU", Pairs: []float64{0.5, 0.6, 0.7}, Min: 0.75}}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := Page(file, d, Outcome{Faults: []string{"3 lines lost"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, want := range []string{"<svg", "var(--a)", "0.60", "≥ 0.75", "missed", "status 503", "a &lt;b&gt; too many", "3 lines lost",
		"of &lt;the floor&gt;", "abc", "p99.99"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if n := strings.Count(page, "<svg"); n != 4 {
		t.Errorf("%d charts, want 4", n)
	}
	page = strings.ReplaceAll(page, "http://www.w3.org/", "") // names in SVG, not addresses
	if outside := regexp.MustCompile(`(?i)https?://|src=|<script|@import|url\(|rgba\(`).FindString(page); outside != "" {
		t.Errorf("the page contains %q", outside)
	}
}

func TestTheTableShowsRatesAndErrors(t *testing.T) {
	d := document(1000, 2000, 3000)
	d.Results[0].Errors = []bench.ErrorCount{{Kind: "wrong total", Count: 2, Example: "1 cent", Wrong: true}}
	d.Results[0].RateAsked = 2500
	d.Faults = []string{"made: not served"}
	var text strings.Builder
	Table(&text, d)
	for _, want := range []string{`change\s+cartd\s+3\s+2,000`, `2 × wrong total: 1 cent`, `2,500\s+2,000`, `made: not served`, `  add\s+1\s`} {
		if !regexp.MustCompile(want).MatchString(text.String()) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
}

func TestNumbersAreWrittenForReaders(t *testing.T) {
	got := fmt.Sprint(whole(1234567), whole(999), whole(-1000), duration(12), duration(1234), duration(123456), duration(1.5e6), decimal(12.34), decimal(1234),
		rateText(2049), rateText(7.46), rateText(0.172), rateText(9.96))
	const want = "1,234,567 999 -1,000 12 µs 1.23 ms 123 ms 1.50 s 12.3 1,234 2,049 7.5 0.17 10"
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s, want %s", got, want)
	}
}
