package faultsuite

import (
	"slices"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

// control is a build of cartd without one safeguard. The suite has to notice it; otherwise the
// suite proves nothing.
type control struct {
	name    string
	patches []cluster.Patch
	// table has the faults that need the safeguard.
	table []Fault
	// plan is the run; nil for controlPlan.
	plan func(table []Fault, seed uint64) Config
}

var controls = []control{
	{
		name:    "compare-and-set off",
		patches: []cluster.Patch{compares("false")},
	},
	{
		name: "refusals from memory alone",
		patches: []cluster.Patch{{
			File: "actors/visit_batch.go",
			Old:  "b.changes == 0 && r.Counted && r.proven && r.at == m.record.Stamp\n",
			New:  "b.changes == 0\n",
		}},
	},
	{
		name: "an answer ahead of its commit",
		patches: []cluster.Patch{{
			File: "actors/visit_batch.go",
			Old:  "	m.underWay = b\n	m.env.storage.Send(v)\n",
			New:  "	m.underWay = b\n	for _, r := range b.requests {\n		m.release(r)\n	}\n	m.env.storage.Send(v)\n",
		}},
		table: faultsNamed("connections cut", "node killed", "Redis killed", "bytes swallowed"),
	},
	{
		name: "retries with fresh stamps",
		patches: []cluster.Patch{{
			File: "actors/record_actor.go",
			Old:  "		m.env.storage.Send(&m.underWay.visit)\n		return\n",
			New:  "		b := m.underWay\n		unmarkSent(b.requests)\n		m.forget()\n		m.retry(b)\n		return\n",
		}},
		table: faultsNamed("replies dropped"),
	},
	{
		name: "the time judged ahead of the stamp",
		patches: []cluster.Patch{{
			File: "persistence/records/write.lua",
			Old:  "  elseif record ~= '' and stamp == sub(record, 2, stamp_end) then",
			New:  "  elseif moved then\n    done = -1\n  elseif record ~= '' and stamp == sub(record, 2, stamp_end) then",
		}, {
			File: "engine/facts.go",
			Old:  "const Drift = 250 * time.Millisecond",
			New:  "const Drift = 20 * time.Millisecond",
		}},
		table: faultsNamed("replies dropped", "bytes delayed", "connections cut"),
	},
	{
		name: "a cart's own hold ignored",
		patches: []cluster.Patch{{
			File: "persistence/records/write.lua",
			Old:  "ask.own, ask.had = op == ASK_HOLD and ask.can or 0, now[3]",
			New:  "ask.own, ask.had = op == ASK_HOLD and ask.can or 0, 0",
		}},
	},
	{
		name: "reads without the stamp check",
		patches: []cluster.Patch{{
			File: "actors/records.go",
			Old:  "record == nil || record.Stamp != seen.Stamp {",
			New:  "record == nil {",
		}},
	},
	{
		name: "counters instead of stamps",
		patches: []cluster.Patch{
			{File: "actors/records.go", Old: "record.Stamp != seen.Stamp {", New: "record.Stamp.Counter < seen.Stamp.Counter {"},
			compares("sub(stamp, 1, 8) ~= sub(seen, 1, 8)"),
		},
		table: faultsNamed("tail lost"),
	},
	{
		name: "a claim that does not compare the other carts' stamps",
		patches: []cluster.Patch{{
			File: "persistence/claim.go",
			Old:  "records.StampFrom, records.HeadFrom-1, seen)",
			New:  "1, 0, seen[:0])",
		}},
		plan: claimPlan,
	},
	{
		name:    "a node that does not follow the document",
		patches: []cluster.Patch{{File: "persistence/stores/follow.go", Old: "	case !l.lags():\n", New: "	case true:\n"}},
		plan:    listingPlan,
	},
	{
		name:    "sets of a batch judged by the store before",
		patches: []cluster.Patch{{File: "engine/catalogue_change.go", Old: "		if next.Sets == nil {\n", New: "		if true {\n"}},
		plan:    listingPlan,
	},
	{
		name:    "first stock of a product that comes back",
		patches: []cluster.Patch{{File: "persistence/stores/import_stock.go", Old: `plan.Hash("HSETNX"`, New: `plan.Hash("HSET"`}},
		plan:    listingPlan,
	},
	{
		name:    "a line of the history that forgets the sets before",
		patches: []cluster.Patch{{File: "engine/store.go", Old: "last.At, last.Sets+c.sets, slices", New: "last.At, c.sets, slices"}},
		plan:    listingPlan,
	},
	{
		name: "defaults that stay",
		patches: []cluster.Patch{{
			File: "commerce/address.go",
			Old:  "			other.IsDefault = false\n",
			New:  "			_ = other.IsDefault\n",
		}},
	},
}

// compares changes the condition under which the script takes two records for the same.
func compares(condition string) cluster.Patch {
	return cluster.Patch{File: "persistence/records/write.lua", Old: "elseif stamp ~= seen then", New: "elseif " + condition + " then"}
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

// claimPlan is a run of accounts whose carts are filled and claimed.
func claimPlan(table []Fault, seed uint64) Config {
	return Config{Seed: seed, Nodes: 2, Accounts: 8, Table: table, Calm: 80 * ms, Requests: 1500, Time: 8 * time.Second}
}

// listingPlan is a run of change sets.
func listingPlan(table []Fault, seed uint64) Config {
	return Config{
		Seed: seed, Nodes: 3, Workers: 24, Records: 4, Kinds: []*model.Kind{model.Listings}, Table: table, Calm: 80 * ms, Requests: 2000, Time: 8 * time.Second,
	}
}

func TestEveryControlAppliesToTheSource(t *testing.T) {
	for _, c := range controls {
		t.Run(c.name, func(t *testing.T) { cluster.Applies(t, c.patches...) })
	}
}
