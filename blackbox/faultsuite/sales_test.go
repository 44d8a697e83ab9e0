package faultsuite

import (
	"testing"

	"cartd/blackbox/faultsuite/cluster"
)

// secondsForMinutes: an order that may be unpaid for a minute ends after a second.
var secondsForMinutes = cluster.Patch{
	File: "commerce/payment.go", Old: "return time.Duration(minutes) * time.Minute", New: "return time.Duration(minutes) * time.Second",
}

// slowEnds leaves time for a payment between the reading of unpaid orders and the commit of their ends.
var slowEnds = cluster.Patch{
	File: "persistence/unpaid/batch.go", Old: "	results, err := b.commit(", New: "	time.Sleep(300 * time.Millisecond)\n	results, err := b.commit(",
}

// eventsBeside are patches under which the events of an order are written beside its commit.
var eventsBeside = []cluster.Patch{
	{File: "persistence/outbox/outbox.go", Old: "import (\n", New: "import (\n	\"context\"\n	\"strings\"\n"},
	{File: "persistence/outbox/outbox.go", Old: "	return &Outbox{\n", New: "	beside = client\n	return &Outbox{\n"},
	{
		File: "persistence/outbox/outbox.go",
		Old:  "// Write writes an event",
		New:  "var beside *redisdb.Client\n\n// Write writes an event",
	},
	{
		File: "persistence/outbox/outbox.go",
		Old:  "	if len(e.MadeAt) == 0 {\n",
		New: "	if len(e.MadeAt) == 0 && strings.HasPrefix(e.Name, \"order.\") {\n" +
			"		time.AfterFunc(20*time.Millisecond, func() { beside.Redis.RPush(context.Background(), Key(store), text) })\n		return\n	}\n	if len(e.MadeAt) == 0 {\n",
	},
}

// salesControls are builds without a safeguard of what comes after a sale, each with the check that has
// to notice it.
var salesControls = []struct {
	name, check string
	patches     []cluster.Patch
	// table has the faults that need the safeguard; nil for all.
	table []Fault
	// ends: unpaid orders end within the run.
	ends bool
}{
	{"compare-and-set off: payments", "two payments", []cluster.Patch{compares("false")}, nil, false},
	{"compare-and-set off: shipments", "cancel against shipment", []cluster.Patch{compares("false")}, nil, false},
	{"compare-and-set off: ends", "payment against the end", []cluster.Patch{compares("false"), secondsForMinutes, slowEnds}, faultsNamed("bytes delayed"), true},
	{"a shipped order can be cancelled", "cancel against shipment",
		[]cluster.Patch{{File: "commerce/cancel.go", Old: "	case next.last(PartShipment) != nil && next.ArchivedAt.IsZero():\n", New: "	case false:\n"}}, nil, false},
	{"a cancel is done again", "stock adds up", []cluster.Patch{{
		File: "commerce/cancel.go", Old: "	case next.Status == OrderCancelled:\n		return Effects{}, nil\n", New: "",
	}}, nil, false},
	{"the recorded payment is refused", "an answer", []cluster.Patch{{
		File: "commerce/payment.go", New: "case false:",
		Old: "case paid && (next.Payment.Reference == p.Reference || next.Payment.Reference == ErasedReference(p.Reference)):",
	}}, nil, false},
	{"a refund is refused again", "an answer",
		[]cluster.Patch{{File: "commerce/refund.go", Old: "	case PaymentIsRefunded:\n		return Effects{}, nil\n	case PaymentIsPaid,",
			New: "	case PaymentIsPaid,"}}, nil, false},
	{"a shipment is announced again", "no other event", []cluster.Patch{{
		File: "commerce/shipment.go", Old: "if last != nil && len(left) == 0 && last.ShipmentDetails == s.ShipmentDetails {", New: "if false {",
	}}, nil, false},
	{"a delivery is announced again", "no other event", []cluster.Patch{{
		File: "commerce/shipment.go", Old: "	switch {\n	case next.Status == OrderCompleted:\n", New: "	switch {\n	case false:\n",
	}}, nil, false},
	{"the reference of a part is forgotten", "parts", []cluster.Patch{{
		File: "commerce/part.go", Old: "	return p.Kind == kind && reference != \"\" &&", New: "	return false && p.Kind == kind && reference != \"\" &&",
	}}, nil, false},
	{"more than is left is shipped, cancelled and returned", "parts", []cluster.Patch{{
		File: "commerce/part.go", Old: "l.Quantity > left {", New: "false && l.Quantity > left {",
	}}, nil, false},
	{"uses stay used", "uses add up", []cluster.Patch{{File: "persistence/order_sale.go", Old: "range back.Uses {", New: "range back.Uses[:0] {"}}, nil, false},
	{"uses of a quote come back", "uses add up", []cluster.Patch{{File: "commerce/cancel.go", Old: "if o.QuoteID == uuid.Nil {", New: "if true {"}}, nil, false},
	{"a use is counted beyond the limit", "uses of a customer", []cluster.Patch{{
		File: "persistence/records/write.lua", Old: "            ask.can = math.min(want, math.max(ARGV[a + 2] - now[1], 0))\n",
		New: "            ask.can = op == ASK_USE and want or math.min(want, math.max(ARGV[a + 2] - now[1], 0))\n",
	}}, nil, false},
	{"a guest's address does not count for an account", "uses of a customer", []cluster.Patch{{
		File: "commerce/discount_use.go", Old: "		own.Field = t.store.GuestID(email).String()\n",
		New: "		if own.Field != \"\" {\n			continue\n		}\n		own.Field = t.store.GuestID(email).String()\n",
	}}, nil, false},
	{"uses of customers stay used", "uses of a customer", []cluster.Patch{{
		File: "commerce/cancel.go", Old: "		r.Uses = append(r.Uses, o.Uses...)\n", New: "",
	}}, nil, false},
	{"a cancelled order is counted with each change", "sales add up", []cluster.Patch{{
		File: "persistence/order_sale.go", Old: " && v.Before.Status != commerce.OrderCancelled {", New: " {",
	}}, nil, false},
	{"a sale is counted beside its commit", "sales add up", []cluster.Patch{
		{File: "persistence/order_sale.go", Old: "import (\n", New: "import (\n	\"context\"\n"},
		{File: "persistence/order_sale.go", Old: "	w.Plan.Hash(\"HINCRBY\", key, hour+number, \"1\")\n",
			New: "	go w.db.client.Redis.HIncrBy(context.Background(), key, hour+number, 1)\n"},
	}, nil, false},
	{"reverse charge for every account", "taxes", []cluster.Patch{{
		File: "commerce/tax.go", Old: "	case v.Known && v.ReverseCharge && ", New: "	case v.Known && ",
	}}, nil, false},
	{"a sale does not compare the account", "taxes", []cluster.Patch{{
		File: "persistence/visit_encode.go", Old: "from, records.HeadFrom+records.ContactHeadSize-1, want)", New: "from, from-1, want[:0])",
	}}, nil, false},
	{"events beside the commit", "every event", eventsBeside, nil, false},
	{"unpaid orders do not end", "payment against the end", []cluster.Patch{secondsForMinutes, {
		File: "persistence/unpaid/unpaid.go", Old: "	begins := due && u.begin(store)\n", New: "	begins := false\n",
	}}, nil, true},
}

func TestEverySalesControlAppliesToTheSource(t *testing.T) {
	for _, c := range salesControls {
		t.Run(c.name, func(t *testing.T) { cluster.Applies(t, c.patches...) })
	}
}
