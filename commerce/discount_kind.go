package commerce

// DiscountKind is what a discount works on. Its number stands in stored orders and quotes.
// Spec: discounts.
type DiscountKind uint8

// discountKind is what there is to know of a kind.
type discountKind struct {
	// name is the API's and the store document's.
	name string
	// order is the kind's place among the kinds when discounts apply. Lower applies first.
	order int
	// requires are the members that a store document's discount of the kind must have.
	requires []string
	// eligibleAtZero: the kind is eligible on a cart where it takes nothing off.
	eligibleAtZero bool
	// ofDelivery: an order takes it off its delivery. A cart lists it with nothing.
	ofDelivery bool
	// amount takes something off each line, never more than is left of it.
	amount func(d discounting, r *readyDiscount)
	// explain notes how the shares of a step came about. The step has them already.
	explain func(d discounting, r *readyDiscount, step *DiscountStep)
}

// discountKinds has a row for each kind.
// Store document, Discounts: they apply in the order bogo, products, order, shipping.
var discountKinds = [...]discountKind{
	DiscountBogo: {
		name: "bogo", order: 0, requires: []string{"buy", "get"},
		amount: bogoAmount, explain: explainBogo,
	},
	DiscountProducts: {
		name: "products", order: 1, requires: []string{"value"},
		amount: productsAmount, explain: explainProducts,
	},
	DiscountOrder: {
		name: "order", order: 2, requires: []string{"value"}, eligibleAtZero: true,
		amount: orderAmount, explain: explainOrder,
	},
	DiscountShipping: {
		name: "shipping", order: 3, requires: []string{"value"}, eligibleAtZero: true, ofDelivery: true,
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

// Known reports whether there is such a kind.
func (k DiscountKind) Known() bool { return int(k) < len(discountKinds) }

// Requires are the members that a store document's discount of the kind must have.
func (k DiscountKind) Requires() []string { return discountKinds[k].requires }

// OfDelivery reports whether an order takes the kind off its delivery, not off its lines.
func (k DiscountKind) OfDelivery() bool { return discountKinds[k].ofDelivery }
