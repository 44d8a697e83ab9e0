package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// LineDetails are what a shop shows of a cart's line beside its envelope. docs/api/carts.md#details.
type LineDetails struct {
	// Product is nil if it is gone, Variant also if the line has none.
	Product *Product
	Variant *Variant
	// Picture is the variant's first, else the product's first; nil if there is none.
	Picture *Media
	// Stored is the unit price of the last add, change or claim. Current is the one that a change of the
	// line with its own quantity would store now; it counts if HasCurrent is true.
	Stored, Current Amount
	HasCurrent      bool
	// Original is the base price or the group's, if ShowsOriginal is true.
	Original      Amount
	ShowsOriginal bool
	// Those without tax are each rounded half up by themselves, as in LineAmounts.
	StoredNet, CurrentNet, OriginalNet Amount
	LineAmounts
	// Level is the stock of the line's item, if HasLevel is true, and State what is shown of it. StockRead is
	// true if it is known which items have stock.
	Level               StockLevel
	State               StockState
	HasLevel, StockRead bool
	// Refused is the refusal of the line that a checkout would get today; nil if there is none. Without
	// CartStock it does not know about too little stock.
	Refused *Refusal
}

// CartStock is the stock that a cart can have of its items.
type CartStock struct {
	wanted []StockAsk
	levels StockLevels
}

// NewCartStock is the stock of a cart, of which the levels of its WantedItems are known.
func NewCartStock(c *Cart, s *Store, levels StockLevels) *CartStock {
	return &CartStock{c.wanted(s), levels}
}

// short reports whether less is available of an item than the whole cart asks for.
func (k *CartStock) short(item uuid.UUID) bool {
	at, asked := findAsk(k.wanted, item)
	return asked && k.levels[item].Available() < k.wanted[at].Quantity
}

// shortOf reports whether less is available of a line's items than the cart asks for.
func (k *CartStock) shortOf(l *Line, s *Store) bool {
	return slices.ContainsFunc(l.appendAsks(nil, s), func(ask StockAsk) bool { return k.short(ask.Item) })
}

// LineAmounts are the amounts of an evaluated line. Those without tax are each rounded half up by
// themselves, for display: the cart's totals round once for each rate, and stay the truth.
type LineAmounts struct {
	Rate Percent
	// Full is the line before discounts, Discount what they take off it.
	Unit, Full, Discount, Total             Amount
	UnitNet, FullNet, DiscountNet, TotalNet Amount
}

// lineAmounts returns the amounts of a line of the evaluated cart, to which a rate of tax is applied.
func (e *Evaluation) lineAmounts(line int, applied Percent) LineAmounts {
	l, t := &e.Cart.Lines[line], &e.Tax
	a := LineAmounts{Rate: t.Charged(applied), Unit: l.UnitPrice, Total: e.LineTotals[line]}
	a.Full, _ = l.UnitPrice.Times(l.Quantity)
	a.Discount = a.Full - a.Total
	a.UnitNet, a.FullNet = t.net(a.Unit, applied), t.net(a.Full, applied)
	a.DiscountNet, a.TotalNet = t.net(a.Discount, applied), t.net(a.Total, applied)
	return a
}

// LineDetails returns the details of a line of the evaluated cart, which are valid until the next call. stock is nil
// if it was not read.
func (e *Evaluation) LineDetails(s *Store, view PriceView, line int, stock *CartStock) *LineDetails {
	l, d := &e.Cart.Lines[line], &e.details
	*d = LineDetails{}
	applied := l.applied(s, &e.Tax)
	d.Stored = e.Stored.Lines[line].UnitPrice
	if d.Product = s.Product(l.ProductID); d.Product != nil {
		d.Variant = d.Product.Variant(l.VariantID)
		d.Picture = pictureOf(d.Product, d.Variant)
		d.Current, d.HasCurrent = l.current(d.Product, view.Pricing)
		d.Original, d.ShowsOriginal = view.original(s, d.Product, d.Variant, l)
	}
	d.StoredNet, d.CurrentNet, d.OriginalNet = e.Tax.net(d.Stored, applied), e.Tax.net(d.Current, applied), e.Tax.net(d.Original, applied)
	d.LineAmounts = e.lineAmounts(line, applied)
	d.Refused = l.unavailable(s, view.atCheckout(s))
	if d.StockRead = stock != nil; !d.StockRead {
		return d
	}
	if item, tracked := s.tracked(l.ProductID, l.VariantID); tracked && s.HoldsStock() && l.Configuration == nil {
		d.Level, d.HasLevel = stock.levels[item], true
		d.State = d.Level.State(s.Backorder(item).From)
	}
	if d.Refused == nil && s.HoldsStock() && stock.shortOf(l, s) {
		d.Refused = OutOfStock
	}
	return d
}

func pictureOf(p *Product, v *Variant) *Media {
	if v != nil && len(v.Media) > 0 {
		return &v.Media[0]
	}
	if len(p.Media) > 0 {
		return &p.Media[0]
	}
	return nil
}

// Pack says which quantities the line may have.
func (d *LineDetails) Pack() Pack { return d.Product.pack().Of() }

// PriceChanged reports whether the product has another price now than when the line was added or
// changed.
func (d *LineDetails) PriceChanged() bool { return d.HasCurrent && d.Current != d.Stored }

// atCheckout is the context in which a checkout prices: without the customers module it ignores tokens.
func (v PriceView) atCheckout(s *Store) Pricing {
	if !s.Modules.Has(ModuleCustomers) {
		return Pricing{Now: v.Pricing.Now}
	}
	return v.Pricing
}

// original returns the base price, or the group's in its place, and whether the store shows it: it is
// above the line's unit price, and the product has that unit price at present, for the line's quantity.
// Otherwise the line may have kept an old price, which is no reduction.
func (v PriceView) original(s *Store, p *Product, variant *Variant, l *Line) (price Amount, shown bool) {
	if v.Hidden || l.Configuration != nil || !s.Policy.Pricing.ShowOriginalPrice {
		return 0, false
	}
	prices := pricesOf(p, variant)
	price, found := prices.group(v.Pricing.GroupID)
	if !found && prices.Base != nil {
		price, found = *prices.Base, true
	}
	return price, found && price > l.UnitPrice && l.priceOrigin(p, v.Pricing).Source != FromStored
}
