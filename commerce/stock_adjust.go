package commerce

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// StockDelta is a change of stock on hand in millionths, of either sign.
type StockDelta int64

// AppendJSON writes the change as the shortest JSON number.
func (d StockDelta) AppendJSON(dst []byte) []byte {
	if d < 0 {
		dst, d = append(dst, '-'), -d
	}
	return Micros(d).AppendJSON(dst)
}

// beyondStock is a change that is too large for any stock, whatever is on hand.
const beyondStock = StockDelta(2 * MaxStock)

// ParseStockDelta reads the quantity of an adjustment: a JSON number, whose text it
// gets, by its value; a JSON string by its text, a plain decimal behind an optional
// minus. At most 3 decimals; what no stock could bear is cut off. Nil: no faults.
func ParseStockDelta(isString bool, text string) (StockDelta, []QuantityFault) {
	n, ok := scanNumber(text)
	if isString {
		n, ok = scanSigned(text)
	}
	switch {
	case !ok:
		return 0, []QuantityFault{NotANumber}
	case n.decimals > quantityPlaces:
		return 0, []QuantityFault{TooManyDecimals}
	case n.zero():
		return 0, nil
	}
	delta := beyondStock
	if n.magnitude <= int64(len("9000000000")) {
		delta = StockDelta(Quantity(n.thousandths()).Micros())
		if n.thousandths() > int64(MaxStock/microsPerThousandth) {
			delta = beyondStock
		}
	}
	if n.negative {
		delta = -delta
	}
	return delta, nil
}

// scanSigned reads a plain decimal with an optional minus; its decimals count as
// they are written.
func scanSigned(text string) (number, bool) {
	var n number
	text, n.negative = strings.CutPrefix(text, "-")
	d, ok := cutDecimal(text)
	n.whole, n.fraction = d.whole, d.fraction
	n.measure(0)
	n.decimals = int64(len(d.fraction))
	return n, ok
}

// StockAdjustment asks for a change of stock on hand. Stock: Adjustment.
type StockAdjustment struct {
	ProductID, VariantID uuid.UUID
	VariantSent          bool
	Quantity             StockDelta
	// Reason is the caller's; nil if none was given.
	Reason *string
}

// Item returns the id of what is to be adjusted. Unlike a cart's line it may be
// inactive; what is wrong with it is validation. Spec: Errors, plain input validation
// has no code.
func (a *StockAdjustment) Item(s *Store) (uuid.UUID, *Refusal) {
	p := s.Product(a.ProductID)
	switch {
	case p == nil:
		return uuid.Nil, ProductUnavailable
	case len(p.Variants) == 0 && a.VariantSent:
		return uuid.Nil, NoVariants.Plain()
	case len(p.Variants) > 0 && !a.VariantSent:
		return uuid.Nil, ChooseVariant.Plain()
	case a.VariantSent && p.Variant(a.VariantID) == nil:
		return uuid.Nil, VariantUnavailable.Plain()
	}
	item, tracked := s.tracked(a.ProductID, a.VariantID)
	if !tracked {
		return uuid.Nil, StockUntracked
	}
	return item, nil
}

// Apply returns what is on hand after the adjustment. It may leave less than carts
// hold. Stock: on hand never goes below zero.
func (a *StockAdjustment) Apply(onHand Micros) (Micros, *Refusal) {
	after := onHand + Micros(a.Quantity)
	switch {
	case after < 0:
		return 0, StockBelowZero
	case after > MaxStock:
		return 0, StockAboveMaximum
	}
	return after, nil
}

// Event is the adjustment as the store's webhooks are told of it; nil: none of them
// wants to be. Stock: stock.adjusted.
func (a *StockAdjustment) Event(s *Store, now time.Time, onHand Micros) *Event {
	if !s.Wants(EventStockAdjusted) {
		return nil
	}
	var variant *uuid.UUID
	if a.VariantID != uuid.Nil {
		variant = &a.VariantID
	}
	body, err := json.Marshal(struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		ProductID  uuid.UUID       `json:"product_id"`
		VariantID  *uuid.UUID      `json:"variant_id"`
		Quantity   json.RawMessage `json:"quantity"`
		OnHand     json.RawMessage `json:"on_hand"`
		Reason     *string         `json:"reason"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{
		EventStockAdjusted, s.ID, a.ProductID, variant, a.Quantity.AppendJSON(nil),
		onHand.AppendJSON(nil), a.Reason, now.UTC().Truncate(time.Second),
	})
	if err != nil {
		panic(err) // ids, texts, numbers and a time of this age
	}
	return &Event{Name: EventStockAdjusted, Body: body}
}
