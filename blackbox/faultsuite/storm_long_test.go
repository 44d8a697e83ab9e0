//go:build long

package faultsuite

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// plan is a bounded run, as in every `make test`. `make chaos` sets its size by environment
// variables.
func plan(t *testing.T, requests, faults int) Config {
	return Config{
		Seed:  number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)),
		Nodes: int(number(t, "CHAOS_NODES", 3)), Workers: 48, Records: 40,
		Kinds:    []*model.Kind{model.Carts, model.HotCarts, model.Books, model.Shelves, model.Listings},
		Table:    Faults,
		Calm:     80 * ms,
		Requests: int(number(t, "CHAOS_REQUESTS", uint64(requests))),
		Faults:   int(number(t, "CHAOS_FAULTS", uint64(faults))),
		Time:     duration(t, "CHAOS_TIME", 30*time.Second),
		Growth:   true,
	}
}

func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text, ok := os.LookupEnv(name)
	if !ok || text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func duration(t *testing.T, name string, otherwise time.Duration) time.Duration {
	t.Helper()
	text, ok := os.LookupEnv(name)
	if !ok || text == "" {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// clean runs a plan that must find no violation and must meet every fault.
func clean(t *testing.T, c Config) *Report {
	t.Helper()
	t.Logf("CHAOS_SEED=%d", c.Seed)
	r := Run(t, c)
	t.Logf("\n%s", r)
	if len(r.Violations) > 0 {
		t.Fail()
	}
	if r.Unknown == 0 || len(r.Faults) < min(len(c.Table), c.Faults) {
		t.Error("the run proves little: it has to see every kind of fault and unknown outcomes")
	}
	return r
}

// endure runs a plan that must find no violation and must meet every fault, replays,
// a reached limit and change sets.
func endure(t *testing.T, c Config) {
	t.Helper()
	if r := clean(t, c); r.Replays == 0 || r.Limited == 0 || r.Sets == 0 {
		t.Error("the run proves little: it has to see replays, a limit that is reached and change sets")
	}
}

func claimStorm(t *testing.T, requests, faults int) {
	c := claimPlan(claimFaults, number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)))
	c.Requests, c.Faults, c.Time = int(number(t, "CHAOS_REQUESTS", uint64(requests))), int(number(t, "CHAOS_FAULTS", uint64(faults))), duration(t,
		"CHAOS_TIME", 60*time.Second)
	c.Binary = program
	clean(t, c)
}

// No answered write is lost, and no command takes effect twice.
func TestStorm(t *testing.T) {
	c := plan(t, 3000, len(Faults))
	c.Binary = program
	endure(t, c)
}

// Carts are filled while claims fold them, on two nodes that are killed: no hammer is lost or
// doubled, and no cart is folded twice.
func TestClaimStorm(t *testing.T) { claimStorm(t, 2_000, len(claimFaults)) }
