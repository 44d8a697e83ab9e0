package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Discount is one rule that takes something off, automatically or by code.
type Discount struct {
	ID       uuid.UUID
	Name     string
	Kind     DiscountKind
	Code     string // the document's spelling; empty: automatic
	Active   bool
	StartsAt time.Time // inclusive; zero: always
	EndsAt   time.Time // exclusive; zero: never
	// MinOrder is compared with the sum of the line totals before any discount; nil: none.
	MinOrder   *Amount
	GroupIDs   []uuid.UUID // empty: everybody
	UsageLimit *int64      // orders that may use it; nil: no limit
	Used       int64       // orders that used it
	Value      DiscountValue
	ProductIDs []uuid.UUID // kind products; empty: every product
	Buy        BogoBuy
	Get        BogoGet
}

// NextChange is when the next active discount begins or ends after now; zero: never.
func (s *Store) NextChange(now time.Time) (next time.Time) {
	for i := range s.Discounts {
		d := &s.Discounts[i]
		if !d.Active {
			continue
		}
		for _, change := range [...]time.Time{d.StartsAt, d.EndsAt} {
			if change.After(now) && (next.IsZero() || change.Before(next)) {
				next = change
			}
		}
	}
	return next
}

// DiscountValue is a percentage or a fixed amount.
type DiscountValue struct {
	Fixed   bool
	Amount  Amount
	Percent Percent
}

// BogoBuy is what has to be bought. Empty ProductIDs: every product.
type BogoBuy struct {
	ProductIDs  []uuid.UUID
	MinQuantity Quantity
}

// BogoGet is what is reduced in return. Empty ProductIDs: every product.
type BogoGet struct {
	ProductIDs []uuid.UUID
	Quantity   Quantity
	Percent    Percent
}
