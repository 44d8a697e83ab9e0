package commerce

import "slices"

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
