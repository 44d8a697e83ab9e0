//go:build long

package faultsuite

import (
	"math/rand/v2"
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// 20,000 orders and 1,000 faults, with unpaid orders that end by themselves, also at the moment of
// their payment.
func TestLongSales(t *testing.T) {
	endureSales(t, SalesPlan{
		Binary: cluster.Build(t), Seed: number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)),
		Orders: int(number(t, "CHAOS_ORDERS", 20_000)), Faults: int(number(t, "CHAOS_FAULTS", 1000)),
		Table: salesFaults, Calm: 50 * ms, Uses: 2000, Ends: true,
	})
}
