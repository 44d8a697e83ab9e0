package commerce

import "math/bits"

// cut is what one discount takes off one line.
type cut struct {
	line   int
	amount Amount
	// rest is the remainder of an order discount's share.
	rest uint64
}

func (e *Evaluation) cutTotal() (sum Amount) {
	for i := range e.cuts {
		sum += e.cuts[i].amount
	}
	return sum
}

// measure finds what a discount takes off each line, nothing below zero. Shipping
// is not chosen on a cart. Store document, Discounts.
func (d *discounting) measure(r *readyDiscount) {
	d.cuts = d.cuts[:0]
	switch r.Kind {
	case DiscountBogo:
		d.measureBogo(r)
	case DiscountProducts:
		d.measureProducts(r)
	case DiscountOrder:
		left := d.left()
		d.spread(r.Value.off(left), left)
	}
}

// left is what the discounts so far left of all lines.
func (d *discounting) left() Amount { return d.before - d.DiscountTotal }

// off is what the value takes off an amount.
func (v *DiscountValue) off(a Amount) Amount {
	if v.Fixed {
		return min(v.Amount, a)
	}
	return a.Percent(v.Percent)
}

// measureProducts takes a percentage off what is left of each line, or a fixed
// amount off each whole unit.
func (d *discounting) measureProducts(r *readyDiscount) {
	for i, left := range d.LineTotals {
		if !within(d.named[i], r.products) {
			continue
		}
		amount := left.Percent(r.Value.Percent)
		if r.Value.Fixed {
			units := d.cart.Lines[i].Quantity
			amount, _ = r.Value.Amount.Times(units - units%One)
			amount = min(amount, left)
		}
		d.cuts = append(d.cuts, cut{line: i, amount: amount})
	}
}

// bogo is what a buy-and-get discount comes to on a cart.
type bogo struct {
	bought Quantity // the qualifying quantity
	times  int64    // how often it qualifies
	line   int      // the cheapest line that is reduced; −1: none
	units  Quantity // how much of it
}

// measureBogo takes the percentage off the units of the cheapest line, at its unit
// price, rounded once. Spec: 2026-09-17, bogo.
func (d *discounting) measureBogo(r *readyDiscount) {
	b := d.bogo(r)
	if b.line < 0 || b.units == 0 {
		return
	}
	amount := min(d.cart.Lines[b.line].UnitPrice.percentOf(b.units, r.Get.Percent), d.LineTotals[b.line])
	d.cuts = append(d.cuts, cut{line: b.line, amount: amount})
}

func (d *discounting) bogo(r *readyDiscount) bogo {
	b := bogo{line: -1}
	lines := d.cart.Lines
	for i := range lines {
		if within(d.named[i], r.buy) {
			b.bought = b.bought.Add(lines[i].Quantity)
		}
		if within(d.named[i], r.get) && (b.line < 0 || lines[i].UnitPrice < lines[b.line].UnitPrice) {
			b.line = i
		}
	}
	if b.line < 0 {
		return b
	}
	b.times = int64(b.bought / r.Buy.MinQuantity)
	b.units = lines[b.line].Quantity
	if high, low := bits.Mul64(uint64(b.times), uint64(r.Get.Quantity)); high == 0 && low < uint64(b.units) {
		b.units = Quantity(low)
	}
	return b
}

// percentOf returns p percent of the price of a quantity, rounded half up once.
func (a Amount) percentOf(q Quantity, p Percent) Amount {
	high, low := bits.Mul64(uint64(a), uint64(q))
	if high > 0 {
		return MaxAmount
	}
	part, _ := Amount(low).scale(uint64(p), uint64(One)*uint64(Hundred))
	return part
}

// spread divides an amount over the lines in proportion to what is left of each, by
// largest remainder: the parts add up to the minor unit. sum is what is left of all
// lines, amount at most that.
func (d *discounting) spread(amount, sum Amount) {
	if amount == 0 {
		return
	}
	missing := amount
	for i, left := range d.LineTotals {
		high, low := bits.Mul64(uint64(amount), uint64(left))
		share, rest := bits.Div64(high, low, uint64(sum))
		missing -= Amount(share)
		d.cuts = append(d.cuts, cut{line: i, amount: Amount(share), rest: rest})
	}
	giveLargest(d.cuts, int(missing))
}

// giveLargest gives one minor unit to each of the n cuts with the largest remainder,
// of equal ones to the earlier. n is less than the number of cuts.
func giveLargest(cuts []cut, n int) {
	if n == 0 {
		return
	}
	least, equal := nthLargest(cuts, n)
	for i := range cuts {
		switch c := &cuts[i]; {
		case c.rest > least:
			c.amount++
		case c.rest == least && equal > 0:
			c.amount++
			equal--
		}
	}
}

// nthLargest returns the nth largest remainder, and how many of the n largest are
// equal to it. It looks at one byte after the other, so that its work grows with the
// number of lines and not faster.
func nthLargest(cuts []cut, n int) (nth uint64, equal int) {
	const digit = 8
	all := uint64(0)
	for i := range cuts {
		all |= cuts[i].rest
	}
	for shift := bits.Len64(all) / digit * digit; shift >= 0; shift -= digit {
		var counts [1 << digit]int32
		for i := range cuts {
			if rest := cuts[i].rest; rest>>shift>>digit == nth {
				counts[rest>>shift&(1<<digit-1)]++
			}
		}
		at := len(counts) - 1
		for n > int(counts[at]) {
			n -= int(counts[at])
			at--
		}
		nth = nth<<digit | uint64(at)
	}
	return nth, n
}
