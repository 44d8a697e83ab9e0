package commerce

// DiscountShipping lowers the delivery of an order. A cart has no method yet, so it lists the
// discount without an amount. docs/store-document.md#discounts.
const DiscountShipping DiscountKind = 2

func shippingAmount(discounting, *readyDiscount) {}

func explainShipping(discounting, *readyDiscount, *DiscountStep) {}
