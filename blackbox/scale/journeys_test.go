//go:build long

package scale

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/blackbox"
)

// journeys are tests of package blackbox that need only a service: they read no log, start no second
// Redis and look into none.
var journeys = []string{
	"TestLongWriteIsAppliedOnce", "TestLongAddressesHaveVersions",
	"TestLongAddressWriteIsAppliedOnce", "TestLongOnlyOneAccountBindsACart", "TestLongRepeatedClaim",
	"TestLongSimultaneousAddsEndAsOneLineWithTheExactSum", "TestLongSimultaneousAddsStopAtTheLineLimit",
	"TestLongSimultaneousBatchesAreEachWhole", "TestLongSimultaneousCheckoutsMakeOneOrder",
	"TestLongSimultaneousRepetitionsAreAppliedOnce", "TestLongSimultaneousRequestsMakeOneQuote",
	"TestLongThirtySimultaneousDefaultsLeaveOne",
}

// scripts are such journeys among the scripts of package blackbox.
var scripts = []string{
	"cart_email_binds", "cart_held_stock", "cart_versions", "catalogue_tags", "address_others", "checkout_last_use",
	"checkout_sold_once", "checkout_token", "configurator_routes", "discount_codes", "path_ids", "quote_of_account", "stores_apart",
}

var (
	passed       = regexp.MustCompile(`(?m)^--- PASS: (\S+)`)
	passedScript = regexp.MustCompile(`(?m)^    --- PASS: (\S+)`)
)

// The journeys of package blackbox pass through HAProxy, with three nodes in place of each one: with a
// sticky router on a cluster, and with a router that takes the nodes in turn on a Redis with sentinels.
func TestScaleJourneys(t *testing.T) {
	tests := filepath.Join(t.TempDir(), "journeys.test")
	if output, err := exec.Command("go", "test", "-c", "-vet=off", "-tags", "long", "-o", tests, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	run := func(t *testing.T, url string, balance blackbox.Balance) {
		t.Helper()
		for _, part := range []struct {
			pattern string
			passed  *regexp.Regexp
			count   int
		}{
			{"^(" + strings.Join(journeys, "|") + ")$", passed, len(journeys)},
			{"^TestScripts$/^(" + strings.Join(scripts, "|") + ")$", passedScript, len(scripts)},
		} {
			all := exec.Command(tests, "-test.v", "-test.parallel", "1", "-test.run", part.pattern)
			all.Dir = ".."
			all.Env = append(all.Environ(), "JOURNEYS_BALANCE="+string(balance), "JOURNEYS_REDIS="+url)
			output, err := all.CombinedOutput()
			if n := len(part.passed.FindAll(output, -1)); err != nil || n != part.count {
				t.Errorf("%d of %d journeys passed: %v\n%s", n, part.count, err, output)
			}
		}
	}
	t.Run("cluster", func(t *testing.T) {
		c := newCluster(t)
		await(t, "whole Redis", c.ready)
		run(t, c.url, blackbox.Sticky)
	})
	t.Run("sentinel", func(t *testing.T) {
		w := watch(t)
		await(t, "whole Redis", w.ready)
		run(t, w.url, blackbox.InTurn)
	})
}
