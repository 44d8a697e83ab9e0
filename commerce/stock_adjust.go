package commerce

import (
	"strings"

	"github.com/google/uuid"
)

// StockDelta is a change of stock on hand in millionths, positive or negative.
type StockDelta int64

// AppendJSON writes the change as the shortest JSON number.
func (d StockDelta) AppendJSON(dst []byte) []byte { return Micros(d).AppendJSON(dst) }

// beyondStock is a change that exceeds every possible stock.
const beyondStock = StockDelta(MaxStock + 1)

// parseStockDelta reads the quantity of an adjustment: a JSON number by its value; a JSON string by
// its text, a plain decimal with an optional minus. It has at most 3 decimals. A quantity that
// exceeds every stock is cut off at beyondStock.
func parseStockDelta(isString bool, text string) (StockDelta, []QuantityFault) {
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

// scanSigned reads a plain decimal with an optional minus. Its decimals count as written.
func scanSigned(text string) (number, bool) {
	var n number
	text, n.negative = strings.CutPrefix(text, "-")
	d, ok := cutDecimal(text)
	n.whole, n.fraction = d.whole, d.fraction
	n.measure(0)
	n.decimals = int64(len(d.fraction))
	return n, ok
}

// StockDelta checks the quantity of an adjustment, which must not be zero.
func (f *Faults) StockDelta(field string, isString bool, text string) StockDelta {
	delta, faults := parseStockDelta(isString, text)
	f.addQuantity(field, faults)
	if delta == 0 && faults == nil {
		f.Add(field, MsgIn(field))
	}
	return delta
}

// MaxStockReason is the maximum number of code points in the reason of an adjustment.
const MaxStockReason = 255

// StockAdjustment is a requested change of stock on hand. docs/api/stock.md#rules.
type StockAdjustment struct {
	ProductID, VariantID uuid.UUID
	VariantSent          bool
	Quantity             StockDelta
	// Reason is the caller's; nil if none was sent.
	Reason *string
}

// Item returns the stock item of the adjustment. Unlike a cart's line, it may be inactive, and its
// faults are validation. Spec: Errors, plain input validation has no code.
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
