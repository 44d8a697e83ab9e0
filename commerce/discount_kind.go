package commerce

import (
	"math/big"
	"math/bits"
	"slices"
)

// DiscountKind is a kind of discount. Its number is part of stored orders and quotes.
// Spec: discounts.
type DiscountKind uint8

// discountKind has all properties of a kind.
type discountKind struct {
	// name is the name in the API and in the store document.
	name string
	// requires are the members of a store document that a discount of the kind must have; reads are further
	// ones that it may have. Such a member is a fault at the kinds that name it in neither.
	requires, reads []string
	// eligibleAtZero is true if the kind is eligible on a cart where its amount is zero.
	eligibleAtZero bool
	// ofDelivery is true if the kind lowers the delivery of an order. A cart lists it without an
	// amount.
	ofDelivery bool
	// amount sets the amount off each line, at most the line's rest.
	amount func(d discounting, r *readyDiscount)
	// explain adds the computation of the shares to a step, which has the shares already.
	explain func(d discounting, r *readyDiscount, step *DiscountStep)
}

// discountKinds has one row for each kind.
var discountKinds = [...]discountKind{
	DiscountBogo: {
		name: "bogo", requires: []string{"buy", "get"},
		amount: bogoAmount, explain: explainBogo,
	},
	DiscountProducts: {
		name: "products", requires: []string{"value"}, reads: []string{"product_ids", "category_ids", "excluded_product_ids"},
		amount: productsAmount, explain: explainProducts,
	},
	DiscountOrder: {
		name: "order", requires: []string{"value"}, eligibleAtZero: true,
		amount: orderAmount, explain: explainOrder,
	},
	DiscountShipping: {
		name: "shipping", requires: []string{"value"}, eligibleAtZero: true, ofDelivery: true,
		amount: shippingAmount, explain: explainShipping,
	},
}

// DiscountKindNames lists the names of all kinds, in the order of their numbers.
func DiscountKindNames() (names []string) {
	for i := range discountKinds {
		names = append(names, discountKinds[i].name)
	}
	return names
}

// String returns the kind as the API spells it.
func (k DiscountKind) String() string { return discountKinds[k].name }

// Known reports whether the kind exists.
func (k DiscountKind) Known() bool { return int(k) < len(discountKinds) }

// Requires are the members that a discount of the kind must have in a store document.
func (k DiscountKind) Requires() []string { return discountKinds[k].requires }

// Refuses are the members that only other kinds have.
func (k DiscountKind) Refuses() (members []string) {
	for i := range discountKinds {
		for _, name := range slices.Concat(discountKinds[i].requires, discountKinds[i].reads) {
			if !slices.Contains(discountKinds[k].requires, name) && !slices.Contains(discountKinds[k].reads, name) && !slices.Contains(members, name) {
				members = append(members, name)
			}
		}
	}
	return members
}

// OfDelivery reports whether the kind lowers the delivery of an order, not its lines.
func (k DiscountKind) OfDelivery() bool { return discountKinds[k].ofDelivery }

// discountSequence has all kinds in the order in which they apply.
// docs/store-document.md#discounts: bogo, products, order, shipping.
var discountSequence = []DiscountKind{DiscountBogo, DiscountProducts, DiscountOrder, DiscountShipping}

// rank is the kind's position in the sequence. A lower one applies first.
func (k DiscountKind) rank() int { return slices.Index(discountSequence, k) }

// DiscountBogo takes the percentage off the units of the cheapest line, at its unit price,
// rounded once. Spec: 2026-09-17, bogo.
const DiscountBogo DiscountKind = 3

// bogo is the effect of a buy-and-get discount on a cart.
type bogo struct {
	bought Quantity // the qualifying quantity
	times  int64    // how often it qualifies
	line   int      // the cheapest line of the discount; −1 if there is none
	units  Quantity // its reduced quantity
}

func bogoAmount(d discounting, r *readyDiscount) {
	b := d.bogo(r)
	if b.line < 0 || b.units == 0 {
		return
	}
	d.reduce(b.line, min(d.Cart.Lines[b.line].UnitPrice.percentOf(b.units, r.Get.Percent), d.LineTotals[b.line]))
}

func (d *discounting) bogo(r *readyDiscount) bogo {
	b := bogo{line: -1}
	lines := d.Cart.Lines
	for i := range lines {
		if r.buy.within(d.lists[i]) {
			b.bought = b.bought.Add(lines[i].Quantity)
		}
		if r.get.within(d.lists[i]) && (b.line < 0 || lines[i].UnitPrice < lines[b.line].UnitPrice) {
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

func explainBogo(d discounting, r *readyDiscount, step *DiscountStep) {
	b := d.bogo(r)
	price := d.Cart.Lines[b.line].UnitPrice
	step.Bogo = &BogoStep{
		Bought: b.bought, Minimum: r.Buy.MinQuantity, Each: r.Get.Quantity,
		Times: b.times, Units: b.units, UnitPrice: price,
	}
	if len(step.Shares) == 0 {
		return
	}
	multiply, by := reduced(r.Get.Percent, Hundred)
	multiply.Mul(multiply, big.NewInt(int64(b.units)))
	step.Shares[0].Division = divide(int64(price), multiply, by.Mul(by, big.NewInt(int64(One))))
}

// DiscountProducts takes a percentage off the rest of each line of its products, or a fixed amount
// off each whole unit. docs/store-document.md#discounts.
const DiscountProducts DiscountKind = 1

func productsAmount(d discounting, r *readyDiscount) {
	for i, left := range d.LineTotals {
		if !r.products.within(d.lists[i]) {
			continue
		}
		amount := left.Percent(r.Value.Percent)
		if r.Value.Fixed {
			units := d.Cart.Lines[i].Quantity
			amount, _ = r.Value.Amount.Times(units - units%One)
			amount = min(amount, left)
		}
		d.reduce(i, amount)
	}
}

func explainProducts(_ discounting, r *readyDiscount, step *DiscountStep) {
	for i := range step.Shares {
		share := &step.Shares[i]
		if r.Value.Fixed {
			share.Division = divide(int64(r.Value.Amount), big.NewInt(int64(share.Line.Quantity/One)), big.NewInt(1))
		} else {
			share.Division = percentStep(share.Before, r.Value.Percent)
		}
	}
}

// DiscountOrder lowers the rest of the whole cart. The amount is allocated over the lines.
// docs/store-document.md#discounts.
const DiscountOrder DiscountKind = 0

func orderAmount(d discounting, r *readyDiscount) {
	left := d.left()
	d.allocate(r.Value.off(left), left)
}

func explainOrder(_ discounting, r *readyDiscount, step *DiscountStep) {
	if !r.Value.Fixed {
		whole := percentStep(step.Before, r.Value.Percent)
		step.Whole = &whole
	}
	for i := range step.Shares {
		share := &step.Shares[i]
		share.Division = divide(int64(share.Before), big.NewInt(int64(step.Amount)), big.NewInt(int64(step.Before)))
		share.Extra = int64(share.Amount) - share.Quotient.Int64()
	}
}

// DiscountShipping lowers the delivery of an order. A cart has no method yet, so it lists the
// discount without an amount. docs/store-document.md#discounts.
const DiscountShipping DiscountKind = 2

func shippingAmount(discounting, *readyDiscount) {}

func explainShipping(discounting, *readyDiscount, *DiscountStep) {}

// lineDiscount is one discount's amount off one line.
type lineDiscount struct {
	line   int
	amount Amount
	// rest is the remainder of an allocated share.
	rest uint64
}

// amount is the current discount's amount off all lines.
func (e *Evaluation) amount() (sum Amount) {
	for i := range e.lineDiscounts {
		sum += e.lineDiscounts[i].amount
	}
	return sum
}

// reduce adds an amount off a line to the current discount.
func (e *Evaluation) reduce(line int, amount Amount) {
	e.lineDiscounts = append(e.lineDiscounts, lineDiscount{line: line, amount: amount})
}

// left is the sum of all lines after the earlier discounts.
func (d *discounting) left() Amount { return d.undiscounted - d.DiscountTotal }

// off is the value's reduction of an amount.
func (v *DiscountValue) off(a Amount) Amount {
	if v.Fixed {
		return min(v.Amount, a)
	}
	return a.Percent(v.Percent)
}

// allocate divides an amount over the lines in proportion to the rest of each, by largest
// remainder: the parts add up to the minor unit. sum is the rest of all lines, which is at least
// amount.
func (d *discounting) allocate(amount, sum Amount) {
	if amount == 0 {
		return
	}
	missing := amount
	for i, left := range d.LineTotals {
		high, low := bits.Mul64(uint64(amount), uint64(left))
		share, rest := bits.Div64(high, low, uint64(sum))
		missing -= Amount(share)
		d.lineDiscounts = append(d.lineDiscounts, lineDiscount{line: i, amount: Amount(share), rest: rest})
	}
	giveLargest(d.lineDiscounts, int(missing))
}

// spread divides an amount in proportion to weights by largest remainder, the earlier one first: the parts add up
// to the amount. An amount above 0 needs a weight above 0.
func spread(amount Amount, weights []Amount) []Amount {
	parts, sum := make([]Amount, len(weights)), sumOf(weights)
	if amount == 0 || sum == 0 {
		return parts
	}
	shares, missing := make([]lineDiscount, len(weights)), amount
	for i, weight := range weights {
		high, low := bits.Mul64(uint64(amount), uint64(weight))
		part, rest := bits.Div64(high, low, uint64(sum))
		missing -= Amount(part)
		shares[i] = lineDiscount{amount: Amount(part), rest: rest}
	}
	giveLargest(shares, int(missing))
	for i := range shares {
		parts[i] = shares[i].amount
	}
	return parts
}

// giveLargest gives one minor unit to each of the n shares with the largest remainders. Of equal
// remainders, the earlier line comes first. n is less than the number of shares.
func giveLargest(shares []lineDiscount, n int) {
	if n == 0 {
		return
	}
	smallest, equal := nthLargest(shares, n)
	for i := range shares {
		switch c := &shares[i]; {
		case c.rest > smallest:
			c.amount++
		case c.rest == smallest && equal > 0:
			c.amount++
			equal--
		}
	}
}

// nthLargest returns the nth largest remainder, and how many of the n largest equal it. It is a
// radix selection, one byte at a time, so the work is linear in the number of lines.
func nthLargest(shares []lineDiscount, n int) (nth uint64, equal int) {
	const digit = 8
	all := uint64(0)
	for i := range shares {
		all |= shares[i].rest
	}
	for shift := bits.Len64(all) / digit * digit; shift >= 0; shift -= digit {
		var counts [1 << digit]int32
		for i := range shares {
			if rest := shares[i].rest; rest>>shift>>digit == nth {
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
