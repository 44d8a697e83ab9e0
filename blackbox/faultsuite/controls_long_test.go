//go:build long

package faultsuite

import (
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
)

func TestLongTheSuiteNoticesEveryMissingSafeguard(t *testing.T) { notices(t, controls) }

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
