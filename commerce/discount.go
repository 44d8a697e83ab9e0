package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Discount is one rule that lowers the price of a cart, automatically or by code.
type Discount struct {
	ID        uuid.UUID
	Name      string
	Kind      DiscountKind
	Code      string // the document's spelling; empty if there is none
	Active    bool
	Exclusive bool      // applies alone on the goods, or not at all
	StartsAt  time.Time // inclusive; zero means always
	EndsAt    time.Time // exclusive; zero means never
	// MinOrder is the minimum sum of the line totals without discounts; nil if there is none.
	MinOrder   *Amount
	GroupIDs   []uuid.UUID // empty means every visitor
	UsageLimit *int64      // orders that may use it; nil means no limit
	Used       int64       // orders that used it
	// CustomerLimit is the number of orders of one customer that may use it; nil means no limit. Only a
	// discount with codes has one.
	CustomerLimit *int64
	// CodeBatches are batches of codes, beside Code. A discount with neither is automatic.
	CodeBatches  []CodeBatch
	Value        DiscountValue
	ProductRange // kind products
	Buy          BogoBuy
	Get          BogoGet
}

// Discount returns the discount with the id, active or not, or nil.
func (s *Store) Discount(id uuid.UUID) *Discount {
	return find(s.Discounts, func(d *Discount) bool { return d.ID == id })
}

// runs reports whether now is between the discount's start and end.
func (d *Discount) runs(now time.Time) bool {
	return !now.Before(d.StartsAt) && (d.EndsAt.IsZero() || now.Before(d.EndsAt))
}

// Automatic reports whether the discount applies without a code.
func (d *Discount) Automatic() bool { return d.Code == "" && len(d.CodeBatches) == 0 }

// DiscountValue is a percentage or a fixed amount.
type DiscountValue struct {
	Fixed   bool
	Amount  Amount
	Percent Percent
}

// BogoBuy is the required purchase.
type BogoBuy struct {
	ProductRange
	MinQuantity Quantity
}

// BogoGet is the reduction in return.
type BogoGet struct {
	ProductRange
	Quantity Quantity
	Percent  Percent
}
