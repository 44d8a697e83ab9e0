package faultsuite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cartd/blackbox/faultsuite/history"
)

// Report is the result of a run.
type Report struct {
	Seed       uint64
	Took       time.Duration
	Requests   int
	Statuses   map[int]int // 0 if no answer came
	Unknown    int
	Replays    int
	Records    int
	Operations int
	Faults     []happening
	Accepted   int // accepted requests of the narrow store
	Limited    int
	Sets       int // change sets that the store's history counts
	Growth     string
	Violations []history.Violation
}

// report sums the run up.
func (s *Storm) report() *Report {
	r := &Report{
		Seed: s.Seed, Took: s.now(), Requests: s.tally.total(), Statuses: s.tally.statuses,
		Unknown: s.tally.unknown(), Replays: s.tally.replays, Records: len(s.records),
		Faults:   s.happened,
		Accepted: len(s.limit.accepted), Limited: s.limit.refused, Sets: s.sets,
		Violations: s.violations,
	}
	for _, one := range s.records {
		r.Operations += len(one.Ops)
	}
	for i, f := range s.footprints {
		r.Growth += fmt.Sprintf("node %d: %d MiB, %d files; ", i, f.Resident>>20, f.Files)
	}
	if r.Growth != "" {
		r.Growth += fmt.Sprintf("a fresh one: %d MiB, %d files", s.freshFootprint.Resident>>20, s.freshFootprint.Files)
	}
	return r
}

// maxShown is the number of violations that a report shows in full.
const maxShown = 5

// String is the run's table, with the first few violations.
func (r *Report) String() string {
	var b strings.Builder
	row := func(name string, value any) { fmt.Fprintf(&b, "| %-24s | %v\n", name, value) }
	row("seed", r.Seed)
	row("time", r.Took.Round(100*time.Millisecond))
	row("requests", r.Requests)
	row("answers", statuses(r.Statuses))
	row("unknown outcomes", r.Unknown)
	row("replays", r.Replays)
	row("records / operations", fmt.Sprintf("%d / %d", r.Records, r.Operations))
	row("narrow store", fmt.Sprintf("%d accepted, %d refused", r.Accepted, r.Limited))
	row("change sets", r.Sets)
	if r.Growth != "" {
		row("growth", r.Growth)
	}
	row("faults", len(r.Faults))
	kinds := map[string]int{}
	for _, f := range r.Faults {
		kinds[f.name]++
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		row("  "+name, kinds[name])
	}
	row("violations", len(r.Violations))
	for i := range r.Violations[:min(maxShown, len(r.Violations))] {
		v := &r.Violations[i]
		fmt.Fprintf(&b, "\n%s%s", v, r.meanwhile(v))
	}
	return b.String()
}

// meanwhile lists the faults that happened during a violation.
func (r *Report) meanwhile(v *history.Violation) string {
	if len(v.Ops) == 0 {
		return ""
	}
	from, to := v.Ops[0].Call, time.Duration(0)
	for i := range v.Ops {
		from, to = min(from, v.Ops[i].Call), max(to, v.Ops[i].Last)
	}
	var b strings.Builder
	for _, f := range r.Faults {
		if f.to >= from && f.from <= to {
			fmt.Fprintf(&b, "    %9.4f – %9.4f  %s\n", f.from.Seconds(), f.to.Seconds(), f.name)
		}
	}
	return b.String()
}

func statuses(counts map[int]int) string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "none"
		}
		parts = append(parts, fmt.Sprintf("%s: %d", name, counts[status]))
	}
	return strings.Join(parts, ", ")
}
