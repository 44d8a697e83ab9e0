//go:build long

package faultsuite

import (
	"math/rand/v2"
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// Each version of a quote is offered whole and accepted as it was shown, its number is used once, its stock is held and given back, and
// every change has one event.
func TestQuotes(t *testing.T) {
	endureQuotes(t, QuotesPlan{
		Binary: program, Seed: number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)), Quotes: int(number(t, "CHAOS_QUOTES", 40)),
		Faults: int(number(t, "CHAOS_FAULTS", 4)), Table: quotesFaults, Calm: 50 * ms,
	})
}

func endureQuotes(t *testing.T, plan QuotesPlan) *Quotes {
	t.Helper()
	t.Logf("CHAOS_SEED=%d", plan.Seed)
	q := RunQuotes(t, plan)
	t.Logf("%s", q)
	if len(q.Violations) > 0 {
		t.Fail()
	}
	if len(q.all) < plan.Quotes || q.faults < plan.Faults {
		t.Error("the run proves little: it has to see all its quotes and faults")
	}
	return q
}

// Thousands of quotes and hundreds of faults on two nodes.
func TestLongQuotes(t *testing.T) {
	q := endureQuotes(t, QuotesPlan{
		Binary: program, Seed: number(t, "CHAOS_SEED", rand.Uint64N(1_000_000_000)), Quotes: int(number(t, "CHAOS_QUOTES", 1500)),
		Faults: int(number(t, "CHAOS_FAULTS", 100)), Table: quotesFaults, Calm: 50 * ms,
	})
	for _, answer := range []string{
		"POST/accept 201", "POST/accept 409 QUOTE_CHANGED", "POST/accept 409 OUT_OF_STOCK", "POST/accept 410 QUOTE_EXPIRED", "POST/offer 409 OUT_OF_STOCK",
		"POST/offer 409 ALREADY_CONVERTED", "PATCH 409 QUOTE_OFFERED", "POST/withdraw 200", "POST/decline 200",
	} {
		if q.done[answer] == 0 {
			t.Errorf("the run proves little: it has to see %s", answer)
		}
	}
}

// Each control of the clerks is noticed by its check.
func TestLongTheQuotesNoticeMissingSafeguards(t *testing.T) {
	for _, c := range quotesControls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan := QuotesPlan{Binary: cluster.Build(t, c.patches...), Seed: number(t, "CHAOS_SEED", 1), Quotes: 150, Faults: 4, Table: quotesFaults, Calm: 50 * ms}
			for range seeds {
				q := RunQuotes(t, plan)
				if q.found(c.check) {
					t.Logf("%s", q)
					return
				}
				plan.Seed++
			}
			t.Errorf("%d runs have not noticed it", seeds)
		})
	}
}
