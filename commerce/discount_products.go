package commerce

import "math/big"

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
