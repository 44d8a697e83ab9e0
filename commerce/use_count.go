package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// CountedUses is how often an account had used a code's discount when the code was attached, or when the
// cart was bound to the account. docs/api/discounts.md#limits.
type CountedUses struct {
	Account uuid.UUID
	Uses    int64
}

// KnownUses are how often discounts have been used, by an account or by a code of a batch.
type KnownUses struct {
	// Counts has an entry for each of Uses, which have neither Limit nor Lasting.
	Uses   []Use
	Counts []int64
}

// Uncounted are the uses that have to be counted ahead of a change.
type Uncounted struct{ Uses []Use }

// countUses keeps with the codes how often the visitor's account has used their discounts, if these have
// a limit for each customer, and how often a code of a batch has been used. It returns what has to be
// counted first; nil if all is known.
func (in *Input) countUses(codes []AttachedCode) *Uncounted {
	account := uuid.Nil
	if in.Visitor.Known && in.Store.Modules.Has(ModuleCustomers) {
		account = in.Visitor.CustomerID
	}
	needs, missing := &Uncounted{}, false
	count := func(use Use) int64 {
		if !slices.Contains(needs.Uses, use) {
			needs.Uses = append(needs.Uses, use)
		}
		n, known := in.Uses.of(use)
		missing = missing || !known
		return n
	}
	for i := range codes {
		codes[i].Counted, codes[i].Used = CountedUses{}, 0
		d, of := in.Store.discountByCode(codes[i].Code)
		if d == nil {
			continue
		}
		if of.Batch != nil {
			codes[i].Used = count(Use{Discount: d.ID, Counter: CountCode, Field: of.field()})
		}
		if account != uuid.Nil && d.CustomerLimit != nil {
			codes[i].Counted = CountedUses{account, count(Use{Discount: d.ID, Counter: CountCustomer, Field: account.String()})}
		}
	}
	if !missing {
		return nil
	}
	return needs
}

func (u *KnownUses) of(use Use) (count int64, known bool) {
	if u == nil {
		return 0, false
	}
	at := slices.Index(u.Uses, use)
	if at < 0 {
		return 0, false
	}
	return u.Counts[at], true
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
