package faultsuite

import (
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// quotesFaults are the faults of the clerks' runs. Either node is killed.
var quotesFaults = append(faultsNamed("node stopped", "Redis killed", "connections cut", "bytes held back", "bytes delayed", "replies dropped"),
	Fault{Name: "either node killed", Weight: 4, Run: func(s *Storm) {
		n := s.anyNode()
		n.Kill()
		s.wait(0, 300*ms)
		n.Start()
	}})

// quotesControls are builds without a safeguard of the merchant's quotes, each with the check that has to notice it.
var quotesControls = []struct {
	name, check string
	patches     []cluster.Patch
}{
	{"an accept of any version", "the answer of a quote", []cluster.Patch{{
		File: "commerce/quote_acceptance.go", Old: "version != int64(next.Version) &&", New: "version < 0 &&",
	}}},
	{"a number for every offer", "numbers without a gap", []cluster.Patch{{
		File: "persistence/quote.go", Old: "next.Version > 0 && next.Number == 0 {", New: "next.Version > v.Before.Version {",
	}}},
	{"a withdrawal keeps its hold", "held stock", []cluster.Patch{{
		File: "commerce/quote_offer.go", Old: "	next.release()\n	next.note(HistoryWithdrawn", New: "	next.note(HistoryWithdrawn",
	}}},
	{"a hold without the condition", "stock adds up", []cluster.Patch{{
		File: "persistence/records/write.lua",
		Old:  "            ask.can = math.min(want, math.max(now[1] - floor - now[2] + now[3], 0))\n",
		New:  "            ask.can = op == ASK_TAKE and want or math.min(want, math.max(now[1] - floor - now[2] + now[3], 0))\n",
	}}},
	{"compare-and-set off", "two answers of a quote", []cluster.Patch{compares("false")}},
}

func TestEveryQuotesControlAppliesToTheSource(t *testing.T) {
	for _, c := range quotesControls {
		t.Run(c.name, func(t *testing.T) { cluster.Applies(t, c.patches...) })
	}
}
