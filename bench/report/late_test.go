package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cartd/bench"
)

// openLoop is a run whose p99 latency is 563 ms, of which the client lost own and waited for a
// connection the rest of late, in milliseconds.
func openLoop(late, own float64) bench.Result {
	latency := func(ms float64) bench.Latency {
		return bench.Latency{Count: 100, P50: ms * 500, P99: ms * 1e3, Max: ms * 1e3}
	}
	r := document(4000).Results[0]
	r.Started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	r.RateAsked = 5000
	r.Spec.Target, r.Spec.Connections = "http://127.0.0.1:8080", 32
	r.Latency.Count, r.Latency.P99, r.Late, r.OwnLate, r.FromSend = 100, 563e3, latency(late), latency(own), latency(563-late)
	r.Memory = bench.Memory{Server: 48 << 20, Redis: 3 << 19}
	return r
}

// A page never takes the client's own delay for the server's.
func TestTheReportSaysHowLateTheClientWas(t *testing.T) {
	for _, c := range []struct {
		name      string
		late, own float64
		want      string // the warning
	}{
		{"the client", 539, 539, "The client was late: 539 ms of the p99 of 563 ms are its own delay, not the server's."},
		{"no connection", 539, 1, "Every connection was busy: at p99 a request waited 539 ms"},
		{"neither", 5, 5, ""},
	} {
		d := &bench.Document{Results: []bench.Result{openLoop(c.late, c.own)}}
		v := late(&d.Results[0])
		if v == nil || !strings.HasPrefix(v.Warning, c.want) || c.want == "" && v.Warning != "" {
			t.Errorf("%s: %+v, want the warning %q", c.name, v, c.want)
			continue
		}
		if want := "p99 563 ms. Requests were sent late by p50 " + duration(c.late*500) + ", p99 " + duration(c.late*1e3); !strings.Contains(v.Text, want) {
			t.Errorf("%s: %q lacks %q", c.name, v.Text, want)
		}
		var text strings.Builder
		Table(&text, d)
		if strings.Contains(text.String(), "was late") != (c.own > 500) {
			t.Errorf("%s: the table is\n%s", c.name, text.String())
		}
	}
	closed := openLoop(539, 539)
	closed.RateAsked = 0
	if v := late(&closed); v != nil {
		t.Errorf("a closed loop has no intended moments: %+v", v)
	}
}

// pageOf is the page of a document.
func pageOf(t *testing.T, d *bench.Document, o Outcome) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := Page(file, d, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestThePageNamesRunLoadAndAxes(t *testing.T) {
	d := &bench.Document{Machine: bench.Machine{Commit: "abc123", Memory: "4034684 kB"}, Results: []bench.Result{openLoop(539, 539)}}
	thresholds, err := bench.ParseThresholds("p99<20ms,errors<0.1%")
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, d, Outcome{Thresholds: d.Judge(thresholds, func(*bench.Result) bool { return true })})
	for _, want := range []string{
		"2026-03-04 05:06:07 UTC", "http://127.0.0.1:8080", "abc123", "<th>asked/s</th>", "<td>5,000</td>", "<th>reached/s</th>", "<td>4,000</td>",
		"server MiB", "<td>48.0</td>", "<td>1.5</td>", "3,940 MiB", "The client was late: 539 ms of the p99 of 563 ms",
		">percentile<", ">latency<", ">time since the start of the run<", ">successes a second<", ">errors a second<",
		"Latency over time", "Errors a second over time", "p99&lt;20ms", "<td>563 ms</td><td><span class=\"missed\">", "<td>0 %</td><td><span class=\"met\">",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
}

// Runs of other settings are shown side by side, never judged, and what differs is named.
func TestOnlyRunsOfEqualSettingsAreJudged(t *testing.T) {
	older, newer := document(100, 101, 102, 103, 104), document(120, 121, 122, 123, 124)
	for i := range newer.Results {
		newer.Results[i].Spec.Connections, newer.Results[i].Spec.Target = 64, "http://other:1"
	}
	var text strings.Builder
	Compare(&text, older, newer)
	if want := "change (cartd): the settings differ, so the runs are not judged: connections 0, now 64."; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
	if strings.Contains(text.String(), "better") || !strings.Contains(text.String(), otherSettings) {
		t.Errorf("runs of other settings are judged:\n%s", text.String())
	}
	for name, change := range map[string]func(*bench.Result){
		"adapter": func(r *bench.Result) { r.Spec.Adapter = "plain" }, "scenario": func(r *bench.Result) { r.Spec.Scenario.Lines = 7 },
		"rate asked": func(r *bench.Result) { r.RateAsked = 7 }, "carts": func(r *bench.Result) { r.Spec.Carts = 7 },
		"stores": func(r *bench.Result) { r.Spec.Stores = 7 },
		"nodes":  func(r *bench.Result) { r.Spec.Target = "a,b" }, "duration": func(r *bench.Result) { r.Spec.Duration = 7 },
		"ramp":     func(r *bench.Result) { r.Spec.Ramp = 7 },
		"requests": func(r *bench.Result) { r.Spec.Requests = 7 }, "seed": func(r *bench.Result) { r.Spec.Seed = 7 },
		"timeout": func(r *bench.Result) { r.Spec.Timeout = 7 }, "roam": func(r *bench.Result) { r.Spec.Roam = true },
	} {
		was, is := openLoop(5, 5), openLoop(5, 5)
		was.Spec.Timeout, is.Spec.Timeout = time.Second, time.Second
		change(&is)
		if all := differences(&was, &is); len(all) != 1 || all[0].name != name {
			t.Errorf("another %s: the differences are %v", name, all)
		}
	}
	page := pageOf(t, newer, Outcome{Older: older})
	for _, want := range []string{"Compared with an earlier run", "connections 0, now 64", "<td>other settings</td>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Systems of one case under other loads are not shown as if they had one.
func TestThePageSaysWhereLoadsDiffer(t *testing.T) {
	d := &bench.Document{Results: []bench.Result{openLoop(5, 5), openLoop(5, 5)}}
	d.Results[1].System, d.Results[1].Spec.Connections = "other", 1
	if page := pageOf(t, d, Outcome{}); !strings.Contains(page, "The loads are not the same: connections 32 → 1 (cartd → other).") {
		t.Error(page)
	}
	d.Results[1].Spec.Connections = 32
	if page := pageOf(t, d, Outcome{}); strings.Contains(page, "not the same") {
		t.Error(page)
	}
}
