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

// AccountUses are an account's uses of some discounts.
type AccountUses struct {
	Account uuid.UUID
	// Uses has an entry for each of Discounts.
	Discounts []uuid.UUID
	Uses      []int64
}

// Uncounted are the discounts whose uses by an account have to be counted ahead of a change.
type Uncounted struct {
	Account   uuid.UUID
	Discounts []uuid.UUID
}

// countUses keeps with the codes how often the visitor's account has used their discounts, if these have
// a limit for each customer. It returns what has to be counted first; nil if all is known.
func (in *Input) countUses(codes []AttachedCode) *Uncounted {
	if !in.Visitor.Known || !in.Store.Modules.Has(ModuleCustomers) {
		return nil
	}
	account := in.Visitor.CustomerID
	var missing []uuid.UUID
	for i := range codes {
		codes[i].Counted = CountedUses{}
		d, _ := in.Store.discountByCode(codes[i].Code)
		if d == nil || d.CustomerLimit == nil {
			continue
		}
		if uses, known := in.Uses.of(account, d.ID); known {
			codes[i].Counted = CountedUses{account, uses}
		} else if !slices.Contains(missing, d.ID) {
			missing = append(missing, d.ID)
		}
	}
	if missing == nil {
		return nil
	}
	return &Uncounted{account, missing}
}

func (u *AccountUses) of(account, discount uuid.UUID) (uses int64, known bool) {
	if u == nil || u.Account != account {
		return 0, false
	}
	at := slices.Index(u.Discounts, discount)
	if at < 0 {
		return 0, false
	}
	return u.Uses[at], true
}

// usedUpBy reports whether an account has used a code's discount as often as it may. Other visitors' uses
// are counted in the sale.
func (c *AttachedCode) usedUpBy(account uuid.UUID, d *Discount) bool {
	return d.CustomerLimit != nil && account != uuid.Nil && c.Counted.Account == account && c.Counted.Uses >= *d.CustomerLimit
}
