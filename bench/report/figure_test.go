package report

import (
	"regexp"
	"strings"
	"testing"

	"cartd/bench"
)

// A run without process ids, without a success or without a read-back shows a dash for each missing
// figure, and the other figures.
func TestUnmeasuredFiguresAreDashes(t *testing.T) {
	latency := bench.Latency{Count: 3, P50: 10, P90: 20, P99: 30, P999: 40, P9999: 50, Max: 60}
	d := &bench.Document{Results: []bench.Result{
		{Case: "whole", System: "s", Requests: 4, Failed: 1, Rate: 2, Latency: latency, Late: latency, OwnLate: latency, FromSend: latency,
			CPU: bench.CPU{Client: 1, Server: 2, Redis: 3}, Memory: bench.Memory{Server: 48 << 20, Redis: 3 << 19}, Check: bench.Check{Answers: 3,
				Records: 5, Unread: 1}},
		{Case: "alone", System: "s", Requests: 3, Rate: 2, Latency: latency, CPU: bench.CPU{Client: 1}, Check: bench.Check{Answers: 3, Records: 5, Unread: 5}},
		{Case: "dead", System: "s", Requests: 9, Failed: 9},
	}}
	var text strings.Builder
	Table(&text, d)
	for _, want := range []string{
		`whole s 1 2\.0 75\.00 % 6\.0 2\.0 3\.0 1\.0 10 µs 20 µs 30 µs 40 µs 50 µs 60 µs 30 µs 48\.0 1\.5`,
		`alone s 1 2\.0 100 % – – – 1\.0 10 µs 20 µs 30 µs 40 µs 50 µs 60 µs – – –`,
		`dead s 1 0 0\.00 % – – – – – – – – – – – – –`,
		`whole s closed loop 2\.0 10 µs 30 µs 30 µs 1\.0 0\.00 3 0 4 0 0`,
		`alone s closed loop 2\.0 – – – 1\.0 0\.00 3 0 – – –`,
		`dead s closed loop 0 – – – – 0\.00 0 0 – – –`,
	} {
		if !regexp.MustCompile(`(?m)^` + strings.ReplaceAll(want, " ", " +") + `$`).MatchString(text.String()) {
			t.Errorf("no row %s in\n%s", want, text.String())
		}
	}
	text.Reset()
	Compare(&text, d, &bench.Document{Results: []bench.Result{{Case: "whole", System: "s", Requests: 1, Failed: 1}}})
	if want := `whole +s +p99 +30 µs +– +– +not measured`; !regexp.MustCompile(want).MatchString(text.String()) {
		t.Errorf("no row %s in\n%s", want, text.String())
	}
}

// Only a run without a failure shows 100 %.
func TestPercentRoundsDown(t *testing.T) {
	for share, want := range map[float64]string{1: "100 %", 0.999999: "99.99 %", 0.5: "50.00 %", 0.00001: "0.00 %", 0: "0.00 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v is written as %q, want %q", share, got, want)
		}
	}
}
