package commerce

import (
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// MaxStock is the maximum stock on hand. It keeps every sum of stock exact in IEEE doubles (Redis's
// scripts).
const MaxStock Micros = 9_000_000_000 * 1_000_000

// microsPerThousandth converts a Quantity into Micros.
const microsPerThousandth = 1000

// Micros returns the quantity in millionths, at most MaxStock.
func (q Quantity) Micros() Micros {
	if q >= Quantity(MaxStock/microsPerThousandth) {
		return MaxStock
	}
	return Micros(q) * microsPerThousandth
}

// plus returns the sum, cut off at MaxStock, which is the maximum hold.
func (m Micros) plus(more Micros) Micros { return min(m+min(more, MaxStock), MaxStock) }

// AppendJSON writes the quantity as the shortest JSON number.
func (m Micros) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(m), microsPlaces) }

// Stocked is one stock item: a product without its variants, or a variant. Ids of products and
// variants are unique within a store, so the id alone names the item in Redis.
type Stocked struct {
	Item   uuid.UUID
	OnHand Micros // at its first import
}

// tracked returns the stock item of a product or of its variant (zero if none). It returns false if
// there is no such product or variant, or if its stock is not tracked.
func (s *Store) tracked(product, variant uuid.UUID) (uuid.UUID, bool) {
	p := s.Product(product)
	switch {
	case p == nil || !p.TrackStock:
		return uuid.Nil, false
	case variant == uuid.Nil:
		return p.ID, true
	}
	return variant, p.Variant(variant) != nil
}

// HoldsStock reports whether the store's carts can hold stock.
func (s *Store) HoldsStock() bool { return s.trackedProducts > 0 && s.Modules.Has(ModuleStock) }

// FirstStock lists the document's stock of all tracked products. It counts for items that the store
// does not have yet.
func (s *Store) FirstStock() []Stocked {
	var all []Stocked
	for _, p := range s.Products {
		if !p.TrackStock {
			continue
		}
		all = append(all, Stocked{p.ID, p.Stock})
		for i := range p.Variants {
			all = append(all, Stocked{p.Variants[i].ID, p.Variants[i].Stock})
		}
	}
	return all
}

// StockItems lists all possible stock items, tracked or not.
func (s *Store) StockItems() []uuid.UUID {
	var all []uuid.UUID
	for _, p := range s.Products {
		all = append(all, p.ID)
		for i := range p.Variants {
			all = append(all, p.Variants[i].ID)
		}
	}
	return all
}

// MaxStockIDs is the maximum number of products and variants in one request. docs/api/stock.md#rules.
const MaxStockIDs = 100

// CheckStockIDs checks the lengths of two lists: each by itself, and the second by the rest that
// the first leaves.
func CheckStockIDs(products, variants int) *Refusal {
	var faults Faults
	if products > MaxStockIDs {
		faults.Add("product_ids", MsgMaxItems("product_ids", MaxStockIDs))
	}
	if variants > MaxStockIDs {
		faults.Add("variant_ids", MsgMaxItems("variant_ids", MaxStockIDs))
	}
	if left := MaxStockIDs - products; left >= 0 && variants <= MaxStockIDs && variants > left {
		faults.Add("variant_ids", MsgMaxItems("variant_ids", left))
	}
	return faults.Refusal()
}

// StockLevel is the stock of one item at a moment.
type StockLevel struct {
	// OnHand is below zero where goods were sold ahead of it, at most by Limit unless that was lowered.
	OnHand, Limit Micros
	// Held is the quantity held by all carts, Own the asking cart's part of it.
	Held, Own Micros
}

// StockLevels are the levels of items.
type StockLevels map[uuid.UUID]StockLevel

// Available is the quantity that the asking cart could hold. After an adjustment, less may be on
// hand than is held. Available to a cart is what is free and what it holds itself.
func (l StockLevel) Available() Micros { return max(0, l.OnHand+l.Limit-l.Held+l.Own) }

// Now is the available quantity that is there already.
func (l StockLevel) Now() Micros { return max(0, l.OnHand-l.Held+l.Own) }

// State is what a storefront shows of an item that is expected on a day.
func (l StockLevel) State(from Date) StockState {
	switch {
	case l.Now() > 0:
		return StockState{Status: StockIn}
	case l.Available() > 0:
		return StockState{StockBackorder, from}
	}
	return StockState{}
}

// StockStatus is a stock status on a storefront: docs/api/catalogue.md#products.
type StockStatus uint8

// The statuses; that of several items is the greatest.
const (
	StockOut StockStatus = iota
	StockBackorder
	StockIn
	StockNotTracked
	stockStatusCount
)

var stockStatusNames = [stockStatusCount]string{"out_of_stock", "backorder", "in_stock", "untracked"}

// String returns the status as the API spells it.
func (s StockStatus) String() string { return stockStatusNames[s] }

// StockStatusNames are all names of a stock status.
func StockStatusNames() []string { return slices.Clone(stockStatusNames[:]) }

// StockState is the status of one or of several items, with the earliest day on which goods are expected; zero
// unless the status is StockBackorder.
type StockState struct {
	Status StockStatus
	From   Date
}

// Join adds the state of another item.
func (s *StockState) Join(other StockState) {
	switch {
	case other.Status > s.Status:
		*s = other
	case other.Status == s.Status:
		s.From = s.From.earlier(other.From)
	}
}

// Plus is a sum of stock, cut off at 64 bits.
func (m Micros) Plus(more Micros) Micros { return m + min(more, math.MaxInt64-m) }

// Availability is one row of the stock list, for a product or for a variant.
type Availability struct {
	ProductID uuid.UUID
	VariantID uuid.UUID // zero for a product
	// Product has the stock items of the row: see EachItem. It is nil if the stock is not tracked.
	Product *Product
}

// EachItem yields the stock items of the row: the variant, or those that are sold of the product.
func (r *Availability) EachItem(yield func(uuid.UUID) bool) {
	switch {
	case r.Product == nil:
	case r.VariantID != uuid.Nil:
		yield(r.VariantID)
	default:
		r.Product.Sold(yield)
	}
}

// Items is the number of the row's stock items.
func (r *Availability) Items() (n int) {
	for range r.EachItem {
		n++
	}
	return n
}

// Availability returns the rows of active products and of active variants, in the order of the
// given ids, each once. Other ids are left out.
func (s *Store) Availability(products, variants []uuid.UUID) []Availability {
	var rows []Availability
	for _, id := range products {
		if p := s.Product(id); p != nil && p.Active {
			rows = appendRow(rows, Availability{ProductID: id, Product: s.shownStock(p)})
		}
	}
	for _, id := range variants {
		p := s.productOfVariant.Get(id)
		if p == nil || !p.Active || !p.Variant(id).Active {
			continue
		}
		rows = appendRow(rows, Availability{ProductID: p.ID, VariantID: id, Product: s.shownStock(p)})
	}
	return rows
}

// shownStock returns the product if its stock is shown, else nil.
func (s *Store) shownStock(p *Product) *Product {
	if !s.ShowsStock(p) {
		return nil
	}
	return p
}

func appendRow(rows []Availability, row Availability) []Availability {
	same := func(r Availability) bool { return r.ProductID == row.ProductID && r.VariantID == row.VariantID }
	if slices.ContainsFunc(rows, same) {
		return rows
	}
	return append(rows, row)
}

// Sold yields the stock items of a tracked product, in a storefront's order: its own id, or those of
// its active variants, for only they can be bought.
func (p *Product) Sold(yield func(uuid.UUID) bool) {
	if len(p.Variants) == 0 {
		yield(p.ID)
		return
	}
	for i := range p.Variants {
		if p.Variants[i].Active && !yield(p.Variants[i].ID) {
			return
		}
	}
}

// SoldItems is the number of the items that Sold yields.
func (p *Product) SoldItems() (n int) {
	for range p.Sold {
		n++
	}
	return n
}

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
