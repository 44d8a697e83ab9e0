package faultsuite

import (
	"slices"
	"testing"
	"time"

	"cartd/internal/faultsuite/cluster"
	"cartd/internal/faultsuite/model"
)

// control is a build of cartd with one safeguard taken out. The suite has to
// notice it, or proves nothing.
type control struct {
	name    string
	patches []cluster.Patch
	// table are the faults under which the safeguard matters.
	table []Fault
	// notices are the checks of which one has to fail.
	notices []string
}

var (
	order    = "a linear order"
	accounts = "every unit accounted for"
)

var controls = []control{
	{
		name: "compare-and-set off",
		patches: []cluster.Patch{{
			File: "persistence/scripts/commit.lua",
			Old:  "local refused = stamp ~= ARGV[1]",
			New:  "local refused = false",
		}},
		notices: []string{order, accounts},
	},
	{
		name: "answer before the commit",
		patches: []cluster.Patch{{
			File: "actors/flight.go",
			Old:  "	m.flight = f\n	m.env.store.Send(&f.commit)\n",
			New:  "	m.flight = f\n	for i, r := range f.requests {\n		m.finish(r, f.answers[i])\n	}\n	m.env.store.Send(&f.commit)\n",
		}},
		table:   faultsNamed("connections cut", "node killed", "Redis killed", "bytes swallowed"),
		notices: []string{order, accounts},
	},
	{
		name: "retries with fresh stamps",
		patches: []cluster.Patch{{
			File: "actors/machine.go",
			Old:  "		m.env.store.Send(&m.flight.commit)\n		return\n",
			New:  "		f := m.flight\n		unclaim(f.requests)\n		m.forget()\n		m.retry(f)\n		return\n",
		}},
		table:   faultsNamed("replies dropped"),
		notices: []string{order, accounts},
	},
	{
		name: "reads without the stamp check",
		patches: []cluster.Patch{{
			File: "actors/carts.go",
			Old:  "held != nil && held.Stamp == req.Seen.Stamp && !req.Seen.Unread",
			New:  "held != nil",
		}},
		notices: []string{order, accounts},
	},
	{
		name: "counters instead of stamps",
		patches: []cluster.Patch{
			{File: "actors/memory.go", Old: "m.record.Stamp == r.seen.Stamp", New: "m.record.Stamp.Counter >= r.seen.Stamp.Counter"},
			{File: "actors/carts.go", Old: "held.Stamp == req.Seen.Stamp", New: "held.Stamp.Counter >= req.Seen.Stamp.Counter"},
			{
				File: "persistence/scripts/commit.lua",
				Old:  "local refused = stamp ~= ARGV[1]",
				New:  "local refused = string.sub(stamp, 1, 8) ~= string.sub(ARGV[1], 1, 8)",
			},
		},
		table:   faultsNamed("tail lost"),
		notices: []string{order, accounts},
	},
}

func faultsNamed(names ...string) []Fault {
	var table []Fault
	for _, f := range Faults {
		if slices.Contains(names, f.Name) {
			table = append(table, f)
		}
	}
	return table
}

// controlPlan is a short run with what shows the missing safeguard.
func controlPlan(table []Fault, seed uint64) Config {
	faults := 0
	if len(table) > 0 {
		faults = 4
	}
	return Config{
		Seed: seed, Nodes: 3, Workers: 24, Records: 12,
		Kinds: []*model.Kind{model.Carts, model.HotCarts},
		Table: table, Calm: 60 * ms,
		Requests: 1500, Faults: faults, Time: 8 * time.Second,
	}
}

// seeds is how many runs a control gets to be noticed.
const seeds = 3

func TestTheSuiteNoticesEveryMissingSafeguard(t *testing.T) {
	for _, c := range controls {
		t.Run(c.name, func(t *testing.T) {
			binary := cluster.Build(t, c.patches...)
			var last *Report
			for seed := range uint64(seeds) {
				plan := controlPlan(c.table, number(t, "CHAOS_SEED", 1)+seed)
				plan.Binary = binary
				last = Run(t, plan)
				if last.found(c.notices) {
					t.Logf("\n%s", last)
					return
				}
			}
			t.Errorf("%d runs have not noticed it; the last one:\n%s", seeds, last)
		})
	}
}

// found reports whether one of the checks failed.
func (r *Report) found(checks []string) bool {
	for i := range r.Violations {
		if slices.Contains(checks, r.Violations[i].Check) {
			return true
		}
	}
	return false
}
