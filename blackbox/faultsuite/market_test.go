package faultsuite

import (
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// marketControls are builds without a safeguard of the checkout, each with the check that has to
// notice it.
var marketControls = []struct {
	name, check string
	patches     []cluster.Patch
}{
	{"usage counted outside the visit", "the usage limit", []cluster.Patch{
		{File: "persistence/order_sale.go", Old: "		if use.Limit == 0 {\n			continue\n		}\n		key", New: "		if true {\n			continue\n		}\n		key"},
		{File: "persistence/order_sale.go", Old: "		if use.Limit == 0 {\n			w.Plan.Hash(", New: "		if true {\n			w.Plan.Hash("},
		{File: "persistence/order_sale.go", Old: "w.uses {\n		if use.Limit == 0 {", New: "w.uses {\n		if true {"},
	}},
	{"stock taken without the condition", "stock adds up", []cluster.Patch{{
		File: "persistence/records/write.lua",
		Old:  "            ask.can = math.min(want, math.max(now[1] - floor - now[2] + now[3], 0))\n",
		New:  "            ask.can = op == ASK_TAKE and want or math.min(want, math.max(now[1] - floor - now[2] + now[3], 0))\n",
	}}},
	{"a limit that is twice as high", "stock adds up", []cluster.Patch{{
		File: "persistence/records/write.lua", Old: "            local floor = 0 - ARGV[a + 2]\n", New: "            local floor = 0 - 2 * ARGV[a + 2]\n",
	}}},
	{"orders without what their takes left", "orders say what waits", []cluster.Patch{{
		File: "commerce/backorder.go", Old: "	if left < 0 {\n", New: "	if left < -1_000_000 {\n",
	}}},
	{"a sequence of numbers a node", "numbers without a gap", []cluster.Patch{{
		File: "persistence/order_sale.go",
		Old:  "w.Plan.Number(records.OrderNumberKey(store))",
		New:  "w.Plan.Number(records.OrderNumberKey(store) + strconv.FormatUint(stamp.Writer, 10))",
	}}},
	{"orders under the ids of their carts", "every order readable", []cluster.Patch{{
		File: "persistence/order_sale.go",
		Old:  "records.Orders.Key(engine.RecordKey{Store: store, ID: order.ID})",
		New:  "records.Orders.Key(engine.RecordKey{Store: store, ID: order.CartID})",
	}}},
	{"compare-and-set off", "one order a cart", []cluster.Patch{compares("false")}},
	{"an accepted quote stays open", "one order a cart", []cluster.Patch{{File: "engine/kind.go", Old: "return q.Closed(r.Command, r.Now)", New: "return nil"}}},
}

func TestEveryMarketControlAppliesToTheSource(t *testing.T) {
	for _, c := range marketControls {
		t.Run(c.name, func(t *testing.T) { cluster.Applies(t, c.patches...) })
	}
}
