package report

import "cartd/bench"

// otherRatios are the ratios that are shown next to the judged one: medians over the pairs, the judged
// system divided by the yardstick. CPU is the yardstick divided by the judged system, so that a
// higher ratio is better.
var otherRatios = []struct {
	name string
	of   func(yardstick, judged *bench.Result) float64
}{
	{"CPU of all", func(y, j *bench.Result) float64 { return cpu.of(y) / cpu.of(j) }},
	{"CPU of server and redis", func(y, j *bench.Result) float64 {
		return (y.CPU.Server + y.CPU.Redis) / (j.CPU.Server + j.CPU.Redis)
	}},
	{"req/s", func(y, j *bench.Result) float64 { return j.Rate / y.Rate }},
	{"p50", func(y, j *bench.Result) float64 { return p50.of(j) / p50.of(y) }},
	{"p99", func(y, j *bench.Result) float64 { return p99.of(j) / p99.of(y) }},
}

// otherRatioTexts are the ratios of a case. Its first system is the yardstick. If it does not have two
// systems, the texts are dashes.
func otherRatioTexts(all []*group, name string) (texts []string) {
	var sides []*group
	for _, g := range all {
		if g.Case == name {
			sides = append(sides, g)
		}
	}
	for _, b := range otherRatios {
		if len(sides) != 2 || len(sides[0].Runs) != len(sides[1].Runs) {
			texts = append(texts, unmeasured)
			continue
		}
		var pairs []float64
		for i := range sides[0].Runs {
			if ratio := b.of(sides[0].Runs[i], sides[1].Runs[i]); finite(ratio) {
				pairs = append(pairs, ratio)
			}
		}
		texts = append(texts, medianText(pairs, hundredths))
	}
	return texts
}
