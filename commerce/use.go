package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// Counter is one of the ways in which the uses of a discount are counted and limited.
type Counter uint8

const (
	// CountAll counts the uses of a discount: usage_limit.
	CountAll Counter = iota
	// CountCustomer counts those of one customer, by the id of the account or the guest:
	// usage_limit_per_customer.
	CountCustomer
	// CountCode counts those of one code of a batch: uses.
	CountCode
	counterCount
)

var counterNames = [counterCount]string{"all", "customer", "code"}

// String is the counter's name in metrics.
func (c Counter) String() string { return counterNames[c] }

// Known reports whether c is a counter.
func (c Counter) Known() bool { return c < counterCount }

// CounterNames are the names of all counters, in their order.
func CounterNames() []string { return slices.Clone(counterNames[:]) }

// Use is one use of a discount in one of its counters.
type Use struct {
	Discount uuid.UUID
	Counter  Counter
	// Field is what the counter counts by; empty for CountAll.
	Field string
	// Limit is the maximum of the count; 0 if there is none.
	Limit int64
	// Lasting is true if the count must not expire while a document names the discount.
	Lasting bool
}

// uses are the uses of discounts that an order or a quote of a customer counts. They are those of the
// account, if there is one, and of the guest with the e-mail address, so that a limit for each customer
// holds for a shopper who comes with and without a token. docs/api/discounts.md#limits.
func (t *evaluatedCart) uses(counted []OrderDiscount, customer Binding, email string) (all []Use) {
	for i := range t.Discounts {
		applied := &t.Discounts[i]
		d := applied.Discount
		if !slices.ContainsFunc(counted, func(o OrderDiscount) bool { return o.ID == d.ID }) {
			continue
		}
		common := Use{Discount: d.ID}
		if d.UsageLimit != nil {
			common.Limit = *d.UsageLimit
		}
		all = append(all, common)
		if of := applied.BatchCode; of.Batch != nil {
			all = append(all, Use{Discount: d.ID, Counter: CountCode, Field: of.field(), Limit: of.Batch.Uses, Lasting: true})
		}
		if d.CustomerLimit == nil {
			continue
		}
		own := Use{Discount: d.ID, Counter: CountCustomer, Limit: *d.CustomerLimit, Lasting: len(d.CodeBatches) > 0}
		if customer.Bound() && !customer.Guest {
			own.Field = customer.ID.String()
			all = append(all, own)
		}
		own.Field = t.store.GuestID(email).String()
		all = append(all, own)
	}
	return all
}

// keptUses are the uses that an order's record has. Those of CountAll are known by the order's
// discounts.
func keptUses(all []Use) (kept []Use) {
	for _, use := range all {
		if use.Counter != CountAll {
			kept = append(kept, Use{Discount: use.Discount, Counter: use.Counter, Field: use.Field})
		}
	}
	return kept
}
