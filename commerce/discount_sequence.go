package commerce

import "slices"

// discountSequence has all kinds in the order in which they apply.
// docs/store-document.md#discounts: bogo, products, order, shipping.
var discountSequence = []DiscountKind{DiscountBogo, DiscountProducts, DiscountOrder, DiscountShipping}

// rank is the kind's position in the sequence. A lower one applies first.
func (k DiscountKind) rank() int { return slices.Index(discountSequence, k) }
