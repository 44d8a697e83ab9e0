package commerce

// LineDetails are what a shop shows of a cart's line beside its envelope. Showing a cart, details.
type LineDetails struct {
	// Product is nil if it is gone, Variant also if the line has none.
	Product *Product
	Variant *Variant
	// Picture is the variant's first, else the product's first; nil if there is none.
	Picture *Media
	// Original is the base price or the group's, if ShowsOriginal is true.
	Original      Amount
	ShowsOriginal bool
	// Full is the line before discounts, Discount what they take off it.
	Full, Discount Amount
	// UnitNet and TotalNet are the unit price and the line's total without tax, each rounded half up by
	// itself. The cart's totals round once for each rate, and stay the truth.
	UnitNet, TotalNet Amount
}

// LineDetails returns the details of a line of the evaluated cart.
func (e *Evaluation) LineDetails(c *Cart, s *Store, view PriceView, line int) (d LineDetails) {
	l := &c.Lines[line]
	rate := l.Tax
	if d.Product = s.Product(l.ProductID); d.Product != nil {
		rate = d.Product.Tax
		d.Variant = d.Product.Variant(l.VariantID)
		d.Picture = pictureOf(d.Product, d.Variant)
		d.Original, d.ShowsOriginal = view.original(s, d.Product, d.Variant, l)
	}
	total := e.LineTotals[line]
	d.Full, _ = l.UnitPrice.Times(l.Quantity)
	d.Discount = d.Full - total
	d.UnitNet, d.TotalNet = s.WithoutTax(l.UnitPrice, rate), s.WithoutTax(total, rate)
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

// original returns the base price, or the group's in its place, and whether it is above the line's
// unit price and the store shows it.
func (v PriceView) original(s *Store, p *Product, variant *Variant, l *Line) (price Amount, shown bool) {
	if v.Hidden || l.Configuration != nil || !s.Policy.Pricing.ShowOriginalPrice {
		return 0, false
	}
	prices := &p.Prices
	if variant != nil && variant.Prices.any() {
		prices = &variant.Prices
	}
	price, found := prices.group(v.Pricing.GroupID)
	if !found && prices.Base != nil {
		price, found = *prices.Base, true
	}
	return price, found && price > l.UnitPrice
}

// WithoutTax returns an amount in the store's price basis without its tax, rounded half up.
func (s *Store) WithoutTax(a Amount, rate Percent) Amount {
	base, _ := splitTax(a, rate, s.PricesIncludeTax)
	return base
}
