package faultsuite

import (
	"math/rand/v2"
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// salesFaults are the faults of the sellers' runs.
var salesFaults = faultsNamed("node killed", "node stopped", "Redis killed", "connections cut", "bytes held back", "bytes delayed", "replies dropped")

// Of a payment and another, and of a cancel and a shipment, exactly one happens; a cancel returns stock
// and uses once; every change has one event.
func TestSales(t *testing.T) {
	seed := number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000))
	endureSales(t, SalesPlan{
		Binary: cluster.Build(t), Seed: seed, Orders: int(number(t, "CHAOS_ORDERS", 300)), Faults: int(number(t, "CHAOS_FAULTS", uint64(len(salesFaults)))),
		Table: salesFaults, Calm: 50 * ms, Uses: 40,
	})
}

func endureSales(t *testing.T, plan SalesPlan) {
	t.Helper()
	t.Logf("CHAOS_SEED=%d", plan.Seed)
	s := RunSales(t, plan)
	t.Logf("%s", s)
	if len(s.Violations) > 0 {
		t.Fail()
	}
	if len(s.sales) < plan.Orders || s.faults < plan.Faults {
		t.Error("the run proves little: it has to see all its orders and faults")
	}
}
