package commerce

import "math/big"

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
