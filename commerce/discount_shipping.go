package commerce

// DiscountShipping takes something off the delivery of an order. On a cart, where no method is
// chosen yet, it is listed with nothing. Store document, Discounts.
const DiscountShipping DiscountKind = 2

func shippingAmount(discounting, *readyDiscount) {}

func explainShipping(discounting, *readyDiscount, *DiscountStep) {}
