//go:build long

package faultsuite

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Sixteen shoppers on two nodes: only stock that exists is sold, the code is used at most as often
// as it may, the numbers have no gap, and every answered order can be read.
func TestMarket(t *testing.T) {
	seed := number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000))
	t.Logf("CHAOS_SEED=%d", seed)
	m := RunMarket(t, program, seed, duration(t, "CHAOS_MARKET_TIME", 4*time.Second))
	t.Logf("%s", m)
	if len(m.Violations) > 0 {
		t.Fail()
	}
	if len(m.answered) < 20 || len(m.quotes) < 10 || m.kills == 0 {
		t.Error("the run proves little: it has to see orders, quotes and killed nodes")
	}
}
