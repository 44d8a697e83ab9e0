package commerce

import (
	"math"
	"slices"

	"github.com/google/uuid"
)

// MaxStock is the most that can be on hand, so that every sum of stock is exact
// wherever numbers are IEEE doubles (Redis's scripts).
const MaxStock Micros = 9_000_000_000 * 1_000_000

// microsPerThousandth turns a Quantity into Micros.
const microsPerThousandth = 1000

// Micros returns the quantity in millionths, at most MaxStock.
func (q Quantity) Micros() Micros {
	if q >= Quantity(MaxStock/microsPerThousandth) {
		return MaxStock
	}
	return Micros(q) * microsPerThousandth
}

// plus returns the sum, cut off at MaxStock: nobody can hold more.
func (m Micros) plus(more Micros) Micros { return min(m+min(more, MaxStock), MaxStock) }

// AppendJSON writes the quantity as the shortest JSON number.
func (m Micros) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(m), microsPlaces) }

// Stocked is one thing that stock is kept of: a product without its variants, or
// a variant. Ids of products and variants are unique within a store, so that the
// id alone names it in Redis.
type Stocked struct {
	Item   uuid.UUID
	OnHand Micros // when the store first sees it
}

// tracked returns the id under which stock of a product, or of its variant (zero:
// none), is kept. False: it is not, or there is no such product or variant.
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

// HoldsStock reports whether carts of the store can hold anything.
func (s *Store) HoldsStock() bool { return s.tracksStock && s.Modules.Has(ModuleStock) }

// FirstStock lists what the document says of stock, tracked products only. It
// counts for what the store has not seen before.
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

// StockItems lists all that stock can be kept of, tracked or not.
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

// MaxStockIDs is how many products and variants can be asked for at once.
// Stock: Availability.
const MaxStockIDs = 100

// CheckStockIDs judges how many ids two lists have: each list by itself, and the second by what the first leaves.
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
	OnHand Micros
	// Held is what carts hold, Own what of it the asking cart does.
	Held, Own Micros
}

// Available is what the asking cart could hold. An adjustment may leave less on
// hand than is held. Stock: available to a cart = free + what it holds itself.
func (l StockLevel) Available() Micros { return max(0, l.OnHand-l.Held+l.Own) }

// SumAvailable adds up what is available of some items, as far as 64 bits go.
func SumAvailable(levels []StockLevel) Micros {
	var sum Micros
	for _, l := range levels {
		sum += min(l.Available(), math.MaxInt64-sum)
	}
	return sum
}

// What a storefront shows of the stock of something. The catalogue page, Product.
const (
	StockNotTracked = "untracked"
	StockIn         = "in_stock"
	StockOut        = "out_of_stock"
)

// StockStatus is StockIn where any of some tracked items can be had.
func StockStatus(levels ...StockLevel) string {
	if SumAvailable(levels) > 0 {
		return StockIn
	}
	return StockOut
}

// Availability is one row of the stock list: what can be had of a product or of
// one of its variants.
type Availability struct {
	ProductID uuid.UUID
	VariantID uuid.UUID // zero: the product
	Tracked   bool
	// Items are what its stock is the sum of: of a product with variants all the
	// active ones, for only they can be bought. Empty where it is not tracked.
	Items []uuid.UUID
}

// Availability returns the rows of active products and of active variants, in the
// order of their ids, each once. Other ids are left out.
func (s *Store) Availability(products, variants []uuid.UUID) []Availability {
	var rows []Availability
	for _, id := range products {
		if p := s.Product(id); p != nil && p.Active {
			rows = appendRow(rows, Availability{ProductID: id, Tracked: p.TrackStock, Items: p.AppendSold(nil)})
		}
	}
	for _, id := range variants {
		p := s.productOfVariant[id]
		if p == nil || !p.Active || !p.Variant(id).Active {
			continue
		}
		row := Availability{ProductID: p.ID, VariantID: id, Tracked: p.TrackStock}
		if p.TrackStock {
			row.Items = []uuid.UUID{id}
		}
		rows = appendRow(rows, row)
	}
	return rows
}

func appendRow(rows []Availability, row Availability) []Availability {
	same := func(r Availability) bool { return r.ProductID == row.ProductID && r.VariantID == row.VariantID }
	if slices.ContainsFunc(rows, same) {
		return rows
	}
	return append(rows, row)
}

// AppendSold appends the ids under which the stock of a tracked product is kept, in the order in
// which a storefront shows them: its own, or those of its active variants, for only they can be
// bought. An untracked product has none.
func (p *Product) AppendSold(dst []uuid.UUID) []uuid.UUID {
	switch {
	case !p.TrackStock:
		return dst
	case len(p.Variants) == 0:
		return append(dst, p.ID)
	}
	for i := range p.Variants {
		if p.Variants[i].Active {
			dst = append(dst, p.Variants[i].ID)
		}
	}
	return dst
}
