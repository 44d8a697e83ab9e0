//go:build long

package faultsuite

import (
	"slices"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

func TestLongTheSuiteNoticesEveryMissingSafeguard(t *testing.T) {
	for _, c := range controls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			binary, seed := cluster.Build(t, c.patches...), number(t, "CHAOS_SEED", 1)
			for range seeds {
				r := c.run(t, binary, seed)
				if r.found(effectChecks) {
					t.Logf("\n%s", r)
					return
				}
				seed++
			}
			t.Errorf("%d runs have not noticed it", seeds)
		})
	}
}

func (c *control) run(t *testing.T, binary string, seed uint64) *Report {
	t.Helper()
	plan := controlPlan
	if c.plan != nil {
		plan = c.plan
	}
	config := plan(c.table, seed)
	config.Binary = binary
	return Run(t, config)
}

// effectChecks are the checks of the commands' effects. One of them has to fail, because the
// others may fail for other reasons.
var effectChecks = []string{"a linear order", "every unit accounted for", "stock adds up", "the request limit", "every set in the history"}

// found reports whether one of the checks failed.
func (r *Report) found(checks []string) bool {
	for i := range r.Violations {
		if slices.Contains(checks, r.Violations[i].Check) {
			return true
		}
	}
	return false
}

// controlPlan is a short run that shows the missing safeguard.
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

// seeds is the maximum number of runs in which a control must be noticed.
const seeds = 6

// The claims' run at its full length.
func TestLongClaimStorm(t *testing.T) { claimStorm(t, 20_000, 2*len(claimFaults)) }

// Each control of the market is noticed by its check.
func TestLongTheMarketNoticesMissingSafeguards(t *testing.T) {
	for _, c := range marketControls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			binary, seed := cluster.Build(t, c.patches...), number(t, "CHAOS_SEED", 1)
			for range seeds {
				m := RunMarket(t, binary, seed, 3*time.Second)
				if m.found(c.check) {
					t.Logf("%s", m)
					return
				}
				seed++
			}
			t.Errorf("%d runs have not noticed it", seeds)
		})
	}
}

// claimFaults are the faults in a run of claims.
var claimFaults = faultsNamed("node killed", "Redis killed", "connections cut", "bytes held back", "replies dropped")
