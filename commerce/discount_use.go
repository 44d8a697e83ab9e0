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

// CountedUses is how often an account had used a code's discount when the code was attached, or when the
// cart was bound to the account. docs/api/discounts.md#limits.
type CountedUses struct {
	Account uuid.UUID
	Uses    int64
}

// UseCounts are counts of some uses, read ahead of a change.
type UseCounts struct {
	Uses []Use
	// Counts has an entry for each of Uses.
	Counts []int64
}

// Uncounted are the uses whose counts have to be read ahead of a change.
type Uncounted struct{ Uses []Use }

// Shortage has the stock and the uses of discounts that a commit found missing.
type Shortage struct {
	// Stock are the items with less available than Quantity. Granted is the available quantity.
	Stock []StockAsk
	// Used are the uses whose counters have reached their limits.
	Used []Use
}

// Join adds the uses that an earlier commit of the same change found missing. The cart without them may
// have other discounts, whose limits are reached too.
func (s *Shortage) Join(earlier *Shortage) {
	if earlier == nil {
		return
	}
	for _, use := range earlier.Used {
		if !slices.Contains(s.Used, use) {
			s.Used = append(s.Used, use)
		}
	}
}

// usedUp reports whether a commit found that a discount has reached one of its limits. The limit of a
// code of a batch counts for that code only.
func (s *Shortage) usedUp(discount uuid.UUID, coded *codedDiscount) bool {
	return s != nil && slices.ContainsFunc(s.Used, func(use Use) bool {
		return use.Discount == discount && (use.Counter != CountCode || coded != nil && coded.of.Batch != nil && use.Field == coded.of.field())
	})
}

// reached has the counters in which a commit found a discount at its limit.
func (s *Shortage) reached(discount uuid.UUID) (all Set[Counter]) {
	for _, use := range s.Used {
		if use.Discount == discount {
			all = all.With(use.Counter)
		}
	}
	return all
}

func (s *Shortage) available(item uuid.UUID) (Micros, bool) {
	if s == nil {
		return 0, false
	}
	for _, ask := range s.Stock {
		if ask.Item == item {
			return ask.Granted, true
		}
	}
	return 0, false
}

// countUses keeps with the codes how often the visitor's account has used their discounts, if these have
// a limit for each customer, and how often a code of a batch has been used. It returns what has to be
// counted first; nil if all is known.
func (in *Input) countUses(codes []AttachedCode) *Uncounted {
	account, byAccount := in.Visitor.CustomerID, in.Visitor.Known && in.Store.Modules.Has(ModuleCustomers)
	var uses []Use
	for i := range codes {
		codes[i].Used = 0
		if byAccount { // else what was counted for an account stays
			codes[i].Counted = CountedUses{}
		}
		d, of := in.Store.discountByCode(codes[i].Code)
		if d == nil {
			continue
		}
		if of.Batch != nil {
			use := Use{Discount: d.ID, Counter: CountCode, Field: of.field(), Limit: of.Batch.Uses, Lasting: true}
			codes[i].Used, _ = in.Counts.of(use)
			uses = append(uses, use)
		}
		if !byAccount || d.CustomerLimit == nil {
			continue
		}
		use := Use{Discount: d.ID, Counter: CountCustomer, Field: account.String(), Limit: *d.CustomerLimit}
		if count, known := in.Counts.of(use); known {
			codes[i].Counted = CountedUses{account, count}
		}
		uses = append(uses, use)
	}
	return in.uncounted(uses)
}

// uncounted are the uses by customers and codes whose counts are not known; nil if all are.
func (in *Input) uncounted(uses []Use) *Uncounted {
	var missing []Use
	for _, use := range uses {
		if _, known := in.Counts.of(use); !known && use.Counter != CountAll && !slices.Contains(missing, use) {
			missing = append(missing, use)
		}
	}
	if missing == nil {
		return nil
	}
	return &Uncounted{missing}
}

func (c *UseCounts) of(use Use) (count int64, known bool) {
	if c == nil {
		return 0, false
	}
	at := slices.IndexFunc(c.Uses, func(other Use) bool {
		return other.Discount == use.Discount && other.Counter == use.Counter && other.Field == use.Field
	})
	if at < 0 {
		return 0, false
	}
	return c.Counts[at], true
}

// shortage is the one that a commit found, with the uses that are known to have reached their limits.
func (in *Input) shortage() *Shortage {
	if in.Counts == nil {
		return in.Shortage
	}
	s := &Shortage{}
	if in.Shortage != nil {
		s.Stock = in.Shortage.Stock
	}
	for i, use := range in.Counts.Uses {
		if in.Counts.Counts[i] >= use.Limit {
			s.Used = append(s.Used, use)
		}
	}
	s.Join(in.Shortage)
	return s
}

// usedUpBy reports whether an account has used a code's discount as often as it may. Other visitors' uses
// are counted in the sale.
func (c *AttachedCode) usedUpBy(account uuid.UUID, d *Discount) bool {
	return d.CustomerLimit != nil && account != uuid.Nil && c.Counted.Account == account && c.Counted.Uses >= *d.CustomerLimit
}

// usedUp reports whether the code of a batch had been used as often as it may when it was attached.
func (c *codedDiscount) usedUp(codes []AttachedCode) bool {
	return c.of.Batch != nil && codes[c.code].Used >= c.of.Batch.Uses
}
