//go:build long

package faultsuite

import (
	"math/rand/v2"
	"testing"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

// Thousands of orders and hundreds of faults, with unpaid orders that end by themselves, also at the moment of
// their payment.
func TestLongSales(t *testing.T) {
	endureSales(t, SalesPlan{
		Binary: program, Seed: number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)),
		Orders: int(number(t, "CHAOS_ORDERS", 3000)), Faults: int(number(t, "CHAOS_FAULTS", 150)),
		Table: salesFaults, Calm: 50 * ms, Uses: model.SalesUses{Spring: 700, Each: 60}, Ends: true,
	})
}

// Ten thousand orders on two nodes that are killed, as Redis is, against limits for each customer and codes for one
// order: one account in several carts, accounts and guests of one address, cancels and unpaid ends in between.
func TestLongUses(t *testing.T) {
	endureSales(t, SalesPlan{
		Binary: program, Seed: number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)),
		Orders: int(number(t, "CHAOS_ORDERS", 10_000)), Faults: int(number(t, "CHAOS_FAULTS", 60)),
		Table: faultsNamed("node killed", "Redis killed"), Calm: 50 * ms, Uses: model.SalesUses{Spring: 1500, Each: 150}, Ends: true, Nodes: 2,
	})
}

// Each control of the sellers is noticed by its check.
func TestLongTheSalesNoticeMissingSafeguards(t *testing.T) {
	for _, c := range salesControls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan := SalesPlan{Binary: cluster.Build(t, c.patches...), Seed: number(t, "CHAOS_SEED", 1), Orders: 300, Faults: 8, Table: c.table, Calm: 50 * ms,
				Uses: model.SalesUses{Spring: 50, Each: 5}, Ends: c.ends}
			if c.table == nil {
				plan.Table = salesFaults
			}
			for range seeds {
				s := RunSales(t, plan)
				if s.found(c.check) {
					t.Logf("%s", s)
					return
				}
				plan.Seed++
			}
			t.Errorf("%d runs have not noticed it", seeds)
		})
	}
}

// A node is killed between the commit that ends unpaid orders and the mark that their events wait: the
// next node delivers them. With events beside the commit they are lost.
func TestLongKilledBetweenAnEndAndItsEvents(t *testing.T) {
	killed := []cluster.Patch{
		secondsForMinutes,
		{File: "persistence/record_storage.go", Old: "import (\n", New: "import (\n	\"os\"\n	\"syscall\"\n\n"},
		{File: "persistence/record_storage.go", Old: "	if events {\n", New: "	if events {\n		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)\n"},
	}
	whole := cluster.Build(t, secondsForMinutes)
	if s := soldOnANodeThatDies(t, cluster.Build(t, killed...), whole); len(s.Violations) > 0 {
		t.Errorf("%s", s)
	}
	if s := soldOnANodeThatDies(t, cluster.Build(t, append(killed, eventsBeside...)...), whole); !s.found("every event") {
		t.Errorf("events beside the commit are not noticed: %s", s)
	}
}

// soldOnANodeThatDies sells orders on a node that kills itself when it has ended one of them, and starts
// it again as another program.
func soldOnANodeThatDies(t *testing.T, dies, next string) *Sales {
	t.Helper()
	s := newSales(t, SalesPlan{Binary: dies, Seed: 1, Uses: model.SalesUses{Spring: 3, Each: 3}, Ends: true}, 1)
	dice := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		o := s.place(dice, true)
		if o == nil {
			t.Fatalf("%s", s)
		}
		s.sold(o)
		s.leaveUnpaid(dice, o)
	}
	n := s.cluster.Nodes[0]
	if status := n.Await(); status != -1 {
		t.Fatalf("the node ended with %d, not by its own kill\n%s", status, n.Log)
	}
	n.StartAs(next)
	s.Binary = next
	s.audit(t)
	return s
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
	if taken, refused := s.lateOnes(); plan.Ends && (taken == 0 || refused == 0) {
		t.Error("the run proves little: it has to see payments that are taken and refused at the end of an order")
	}
}

// salesFaults are the faults of the sellers' runs.
var salesFaults = faultsNamed("node killed", "node stopped", "Redis killed", "connections cut", "bytes held back", "bytes delayed", "replies dropped")

// Of a payment and another, and of a cancel and a shipment, exactly one happens; a cancel returns stock
// and uses once; every change has one event.
func TestSales(t *testing.T) {
	seed := number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000))
	endureSales(t, SalesPlan{
		Binary: program, Seed: seed, Orders: int(number(t, "CHAOS_ORDERS", 100)), Faults: int(number(t, "CHAOS_FAULTS", uint64(len(salesFaults)))),
		Table: salesFaults, Calm: 50 * ms, Uses: model.SalesUses{Spring: 20, Each: 2},
	})
}
