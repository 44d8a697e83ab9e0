package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Discount is one rule that lowers the price of a cart, automatically or by code.
type Discount struct {
	ID       uuid.UUID
	Name     string
	Kind     DiscountKind
	Code     string // the document's spelling; empty if the discount is automatic
	Active   bool
	StartsAt time.Time // inclusive; zero means always
	EndsAt   time.Time // exclusive; zero means never
	// MinOrder is the minimum sum of the line totals without discounts; nil if there is none.
	MinOrder   *Amount
	GroupIDs   []uuid.UUID // empty means every visitor
	UsageLimit *int64      // orders that may use it; nil means no limit
	Used       int64       // orders that used it
	Value      DiscountValue
	ProductIDs []uuid.UUID // kind products; empty means every product
	Buy        BogoBuy
	Get        BogoGet
}

// runs reports whether now is between the discount's start and end.
func (d *Discount) runs(now time.Time) bool {
	return !now.Before(d.StartsAt) && (d.EndsAt.IsZero() || now.Before(d.EndsAt))
}

// DiscountValue is a percentage or a fixed amount.
type DiscountValue struct {
	Fixed   bool
	Amount  Amount
	Percent Percent
}

// BogoBuy is the required purchase. Empty ProductIDs mean every product.
type BogoBuy struct {
	ProductIDs  []uuid.UUID
	MinQuantity Quantity
}

// BogoGet is the reduction in return. Empty ProductIDs mean every product.
type BogoGet struct {
	ProductIDs []uuid.UUID
	Quantity   Quantity
	Percent    Percent
}
