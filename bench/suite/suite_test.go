package suite

import (
	"path/filepath"
	"slices"
	"testing"

	"cartd/bench"
	"cartd/internal/unitcosts"
)

func TestCasesAreChosenByName(t *testing.T) {
	all, err := choose(nil)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d cases, %v", len(all), err)
	}
	for _, c := range all {
		if c.Named {
			t.Errorf("%s is run without being named", c.Name)
		}
	}
	some, err := choose([]string{MemoryCase, "read", "million"})
	if err != nil || len(some) != 3 || some[0].Name != "read" {
		t.Errorf("chosen are %v, %v; want read, million, memory", some, err)
	}
	if _, err := choose([]string{"nothing"}); err == nil {
		t.Error("a case that does not exist is chosen")
	}
}

// Every case can be run: its scenarios exist, it has a measure, and if its bound follows another
// case, that case comes earlier.
func TestEveryCaseCanBeRun(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases {
		for _, side := range []Side{c.Yardstick, c.Judge} {
			if _, err := bench.LoadScenario(side.Scenario); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			if side.Connections < 1 || side.Carts < side.Connections {
				t.Errorf("%s: %d connections, %d carts", c.Name, side.Connections, side.Carts)
			}
		}
		if c.Measure.of == nil || seen[c.Name] || c.Like != "" && !seen[c.Like] {
			t.Errorf("%s has no measure, is there twice, or follows %q which comes later", c.Name, c.Like)
		}
		seen[c.Name] = true
	}
}

// Every kind that the arithmetic needs is measured busy and alone, and each kind's own request is in
// its scenario.
func TestUnitKinds(t *testing.T) {
	kinds := map[string]unitKind{}
	for _, k := range unitKinds() {
		if kinds[k.kind].kind != "" || k.about == "" || !slices.Contains(k.conditions, unitcosts.Busy) || !slices.Contains(k.conditions, unitcosts.Alone) {
			t.Errorf("%s is there twice, is not explained, or is not measured busy and alone: %v", k.kind, k.conditions)
		}
		kinds[k.kind] = k
		own := ownOp(k.kind)
		has := slices.Contains(k.scenario.Journey, own)
		for _, share := range slices.Concat(k.scenario.Mix, k.scenario.After) {
			has = has || share.Op == own
		}
		if without := k.without; !has || without != nil && (slices.Contains(without.Journey, own) || len(without.After) > 0) {
			t.Errorf("%s: %+v without %+v does not show what %q costs", k.kind, k.scenario, k.without, own)
		}
	}
	for _, m := range unitcosts.Mix {
		if kinds[m.Kind].kind == "" {
			t.Errorf("%s of the mix is not measured", m.Kind)
		}
	}
}

// A ratio of CPU or rate is above 1 if the judged side needs less CPU or answers more requests. A
// ratio of latencies is a multiple of the yardstick's latency.
func TestMeasures(t *testing.T) {
	yardstick := &bench.Result{Rate: 100, CPU: bench.CPU{Client: 10, Server: 20, Redis: 10}, Latency: bench.Latency{P50: 10, P99: 100}}
	judged := &bench.Result{Rate: 50, CPU: bench.CPU{Client: 10, Server: 60, Redis: 10}, Latency: bench.Latency{P50: 15, P99: 300}}
	for _, c := range []struct {
		measure Measure
		want    float64
	}{
		{byCPU, 0.5}, {byRate, 0.5}, {byP50, 1.5}, {byP99, 3},
	} {
		if got := c.measure.of(yardstick, judged); got != c.want {
			t.Errorf("%s: %v, want %v", c.measure.Name, got, c.want)
		}
	}
}

// A server that died has no ratio. JSON could not represent one.
func TestRunWithoutSuccessHasNoRatio(t *testing.T) {
	r := runner{document: &bench.Document{}}
	dead := pair{&bench.Result{Requests: 5, Failed: 5}, &bench.Result{Requests: 5, Rate: 5}}
	if err := r.conclude(Case{Name: "change", Measure: byRate}, []pair{dead}); err == nil || len(r.document.Ratios) > 0 {
		t.Errorf("conclude = %v, ratios %v; want an error and no ratio", err, r.document.Ratios)
	}
	if err := r.document.Write(filepath.Join(t.TempDir(), "out.json")); err != nil {
		t.Error(err)
	}
}
