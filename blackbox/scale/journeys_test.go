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
	"TestABatchIsAddedAtOnce", "TestACartIsSoldOnce", "TestACartWithLinesHasEveryField",
	"TestACheckoutWithAToken", "TestAQuoteOfAnAccount", "TestLongWriteIsAppliedOnce",
	"TestAWriteUnderAnotherVersionIsRefused", "TestLongAddressesHaveVersions", "TestAddressesOfOthersAreUnknown",
	"TestLongAddressWriteIsAppliedOnce", "TestAvailabilityOfAnothersCart", "TestCheckoutAfterTheLastUse",
	"TestCodesAreAttachedAndDetached", "TestConfiguratorQuote", "TestEveryAnswerOfACartHasItsVersion",
	"TestOnlyAnEmailBinds", "TestLongOnlyOneAccountBindsACart", "TestPathIDs", "TestLongRepeatedClaim",
	"TestLongSimultaneousAddsEndAsOneLineWithTheExactSum", "TestLongSimultaneousAddsStopAtTheLineLimit",
	"TestLongSimultaneousBatchesAreEachWhole", "TestLongSimultaneousCheckoutsMakeOneOrder",
	"TestLongSimultaneousRepetitionsAreAppliedOnce", "TestLongSimultaneousRequestsMakeOneQuote", "TestStockIsHeldByCarts",
	"TestStoresDoNotSeeEachOther", "TestLongThirtySimultaneousDefaultsLeaveOne",
}

var passed = regexp.MustCompile(`(?m)^--- PASS: (\S+)`)

// The journeys of package blackbox pass through HAProxy, with three nodes in place of each one: with a
// sticky router on a cluster, and with a router that takes the nodes in turn on a Redis with sentinels.
func TestScaleJourneys(t *testing.T) {
	tests := filepath.Join(t.TempDir(), "journeys.test")
	if output, err := exec.Command("go", "test", "-c", "-vet=off", "-tags", "long", "-o", tests, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	run := func(t *testing.T, url string, balance blackbox.Balance) {
		t.Helper()
		all := exec.Command(tests, "-test.v", "-test.parallel", "1", "-test.run", "^("+strings.Join(journeys, "|")+")$")
		all.Dir = ".."
		all.Env = append(all.Environ(), "JOURNEYS_BALANCE="+string(balance), "JOURNEYS_REDIS="+url)
		output, err := all.CombinedOutput()
		if n := len(passed.FindAll(output, -1)); err != nil || n != len(journeys) {
			t.Errorf("%d of %d journeys passed: %v\n%s", n, len(journeys), err, output)
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
