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
	// often is for one that every make test plays; make test-long plays all.
	often bool
}

var controls = []control{
	{
		name: "compare-and-set off",
		patches: []cluster.Patch{{
			File: "persistence/scripts/commit.lua",
			Old:  "local refused = stamp ~= ARGV[1]",
			New:  "local refused = false",
		}},
		often: true,
	},
	{
		name:    "compare-and-set off in one trip",
		patches: []cluster.Patch{alwaysBusy, tallies("false")},
	},
	{
		name: "refusals by what a node remembers",
		patches: []cluster.Patch{alwaysBusy, {
			File: "actors/flight.go",
			Old:  "if r.Presumed != nil && (err != nil || after.Effects",
			New:  "if r.Presumed != nil && (err == nil && after.Effects",
		}},
	},
	{
		name: "answer before the commit",
		patches: []cluster.Patch{alwaysBusy, {
			File: "actors/flight.go",
			Old:  "	m.flight = f\n	m.env.store.Send(&f.commit)\n",
			New:  "	m.flight = f\n	for _, r := range f.requests {\n		m.release(r)\n	}\n	m.env.store.Send(&f.commit)\n",
		}},
		table: faultsNamed("connections cut", "node killed", "Redis killed", "bytes swallowed"),
	},
	{
		name: "retries with fresh stamps",
		patches: []cluster.Patch{alwaysBusy, {
			File: "actors/machine.go",
			Old:  "		m.env.store.Send(&m.flight.commit)\n		return\n",
			New:  "		f := m.flight\n		unclaim(f.requests)\n		m.forget()\n		m.retry(f)\n		return\n",
		}},
		table: faultsNamed("replies dropped"),
	},
	{
		name: "reads without the stamp check",
		patches: []cluster.Patch{{
			File: "actors/records.go",
			Old:  "held != nil && held.Stamp == seen.Stamp && !seen.Unread",
			New:  "held != nil",
		}},
	},
	{
		name: "counters instead of stamps",
		patches: []cluster.Patch{
			{File: "actors/memory.go", Old: "m.record.Stamp == r.seen.Stamp", New: "m.record.Stamp.Counter >= r.seen.Stamp.Counter"},
			{File: "actors/records.go", Old: "held.Stamp == seen.Stamp", New: "held.Stamp.Counter >= seen.Stamp.Counter"},
			{
				File: "persistence/scripts/commit.lua",
				Old:  "local refused = stamp ~= ARGV[1]",
				New:  "local refused = string.sub(stamp, 1, 8) ~= string.sub(ARGV[1], 1, 8)",
			},
			tallies("string.sub(stamp, 1, 8) ~= string.sub(ARGV[at], 1, 8)"), alwaysBusy,
		},
		table: faultsNamed("tail lost"),
	},
	{
		name: "defaults that stay",
		patches: []cluster.Patch{{
			File: "commerce/address.go",
			Old:  "			other.IsDefault = false\n",
			New:  "			_ = other.IsDefault\n",
		}},
	},
	{
		name: "grants that nobody notes",
		patches: []cluster.Patch{{
			File: "actors/outcome.go",
			Old:  "			f.commit.Next = o.Current\n",
			New:  "			_ = o.Current\n",
		}},
	},
}

// tallies makes the script that commits and counts refuse on another condition.
func tallies(condition string) cluster.Patch {
	return cluster.Patch{File: "persistence/scripts/tally.lua", Old: "if stamp ~= seen then", New: "if " + condition + " then"}
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
		Kinds: []*model.Kind{model.Carts, model.HotCarts, model.Books, model.Shelves},
		Table: table, Calm: 60 * ms,
		Requests: 1500, Faults: faults, Time: 8 * time.Second,
	}
}

// seeds is how many runs a control gets to be noticed.
const seeds = 6

func TestEveryControlFindsItsText(t *testing.T) {
	for _, c := range controls {
		t.Run(c.name, func(t *testing.T) { cluster.Applies(t, c.patches...) })
	}
}

func TestTheSuiteNoticesMissingSafeguards(t *testing.T) {
	var often []control
	for _, c := range controls {
		if c.often {
			often = append(often, c)
		}
	}
	notices(t, often)
}

func notices(t *testing.T, controls []control) {
	for _, c := range controls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			binary, seed := cluster.Build(t, c.patches...), number(t, "CHAOS_SEED", 1)
			for range seeds {
				r := runControl(t, binary, c.table, seed)
				if r.found(telling) {
					t.Logf("\n%s", r)
					return
				}
				seed++
			}
			t.Errorf("%d runs have not noticed it", seeds)
		})
	}
}

func runControl(t *testing.T, binary string, table []Fault, seed uint64) *Report {
	t.Helper()
	plan := controlPlan(table, seed)
	plan.Binary = binary
	return Run(t, plan)
}

// telling are the checks that say what became of the commands: one of them has to
// fail, for others may fail for reasons of their own.
var telling = []string{"a linear order", "every unit accounted for", "stock adds up"}

// found reports whether one of the checks failed.
func (r *Report) found(checks []string) bool {
	for i := range r.Violations {
		if slices.Contains(checks, r.Violations[i].Check) {
			return true
		}
	}
	return false
}
