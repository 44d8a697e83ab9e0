package commerce

import (
	"math/big"
	"math/bits"
)

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
