package bench

import (
	"math"
	"strings"
	"testing"
)

// measured is a run with a value of every figure.
func measured() *Result {
	latency := Latency{Count: 993, Mean: 2_000, P50: 1_000, P90: 5_000, P99: 20_000, P999: 40_000, P9999: 50_000, Max: 60_000}
	return &Result{
		Case: "mixed", System: "cartd", Requests: 1000, Failed: 7, Rate: 500, Latency: latency, Late: latency,
		CPU: CPU{Client: 10, Server: 20, Redis: 30}, Memory: Memory{Server: 64 << 20},
	}
}

func TestThresholdsJudgeRuns(t *testing.T) {
	for text, want := range map[string]bool{
		"p99<20ms": false, "p99<=20ms": true, "p99<20.5ms": true, "p99>19ms": true, "p99>20ms": false, "p99>=0.02s": true, "p99<=20000us": true, "p99<=20000µs": true,
		"mean<3ms": true, "p50<1ms": false, "p90<=5ms": true, "p99.9<=40ms": true, "p99.99<50.1ms": true, "max<1s": true, "late-p99<5ms": false,
		"errors<0.7%": false, "errors<=0.7%": true, "errors<1%": true, "errors<0%": false, "errors<100%": true,
		"rate>=500": true, "rate>500/s": false, "cpu<=60us": true, "cpu<0.06ms": false, "memory<=64MiB": true, "memory<65536KiB": false, "memory<1GiB": true,
	} {
		all, err := ParseThresholds(text)
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", text, all, err)
			continue
		}
		if j := all[0].judge(measured()); j.Met != want {
			t.Errorf("%s: met is %v with %s, want %v", text, j.Met, j.ValueText(), want)
		}
	}
	for _, k := range thresholdKinds {
		for _, sign := range []string{"<", ">="} {
			all, err := ParseThresholds(k.name + sign + "1" + k.units[0].name)
			if err != nil {
				t.Fatal(err)
			}
			if j := all[0].judge(&Result{}); j.Met && k.name != "rate" || k.name != "rate" && j.ValueText() != "not measured" {
				t.Errorf("%s: met is %v with %q in a run that measured nothing", all[0].Text, j.Met, j.ValueText())
			}
		}
	}
}

func TestThresholdsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"": "is no threshold", "p99": "is no threshold", "p99=20ms": "is no threshold", "p99<20ms,": "is no threshold", ",p99<20ms": "is no threshold",
		"p98<20ms": `no figure "p98"; the figures are mean, p50`, "P99<20ms": "no figure", " p99<20ms": "no figure",
		"p99<20ms, errors<1%": "no figure", "<20ms": "no figure",
		"p99<20": "write a number and ms or us or µs or s", "p99<ms": "no value of p99", "p99<": "no value", "p99<<20ms": "no value", "p99<>20ms": "no value",
		"p99<-1ms": "no value", "p99<+1ms": "no value", "p99<1e3ms": "no value", "p99< 20ms": "no value", "p99<20 ms": "no value", "p99<1.2.3ms": "no value",
		"p99<.5ms": "no value", "p99<5.ms": "no value", "p99<20m": "no value", "p99<20MS": "no value", "p99<NaNms": "no value", "p99<Infms": "no value",
		"p99<1_0ms": "no value",
		"errors<1":  "write a number and %", "errors<0.1ms": "no value", "errors<101%": "too large", "memory<1MB": "write a number and MiB or KiB or GiB",
		"rate>5%":                               "write a number and /s",
		"p99<" + strings.Repeat("9", 400) + "s": "no value", "p99<==20ms": "no value", "p99=<20ms": "no figure",
	} {
		if all, err := ParseThresholds(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v, %v; want an error with %q", text, all, err, want)
		}
	}
}

func TestEveryRunIsJudged(t *testing.T) {
	all, err := ParseThresholds("p99<=20ms,errors<0.1%")
	if err != nil {
		t.Fatal(err)
	}
	d := &Document{Results: []Result{*measured(), *measured(), *measured()}}
	d.Results[1].Latency.P99, d.Results[2].System = 20_001, "floor"
	got := d.Judge(all, func(r *Result) bool { return r.System == "cartd" })
	if len(got) != 4 || !got[0].Met || got[1].Met || got[2].Met || got[2].Run != 2 || got[2].ValueText() != "20.001 ms" || got[3].ValueText() != "0.7 %" {
		t.Errorf("judged as %+v", got)
	}
	if !BoundErrors(all) || BoundErrors(all[:1]) {
		t.Error("the second threshold alone bounds errors")
	}
	if v := (Judged{Threshold: all[0], Value: math.NaN()}).ValueText(); v != "not measured" {
		t.Error(v)
	}
}
