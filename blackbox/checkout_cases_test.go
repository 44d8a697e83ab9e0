package blackbox_test

const (
	checkoutCall = "POST {cart}/checkout"
	parcel       = "70000000-0000-4000-8000-000000000001" // 6.95, 21 %
	collection   = "70000000-0000-4000-8000-000000000002" // 0.00, 9 %

	buyer = `{"email":"buyer@example.com"}`
	// place is an address in the form of a checkout.
	place = `{"name":"Buyer","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`
	// delivered is the body of a checkout with delivery.
	delivered = `{"email":"Buyer@Example.com","shipping_method_id":"` + parcel + `","shipping_address":` + place + `}`

	tokenCarl = "secret-token-carl-5cc5"
	carl      = "d0000000-0000-4000-8000-000000000005" // b2b, awaiting approval
)

// withShipping gives a store two shipping methods.
func withShipping(document object) {
	document["shipping_methods"] = list{
		object{"id": parcel, "name": "Parcel", "price_amount": 695, "tax": "standard"},
		object{"id": collection, "name": "Collection", "price_amount": 0, "tax": "reduced"},
	}
}

// collected is a store without delivery.
func collected(document object) {
	for _, p := range document["products"].(list) {
		p.(object)["requires_shipping"] = false
	}
}

// unapproved adds an account that awaits approval.
func unapproved(document object) {
	document["customers"] = append(document["customers"].(list), object{
		"id": carl, "email": "carl@example.com", "kind": "b2b", "approved": false, "tokens": list{token(tokenCarl, "2040-01-01T00:00:00Z")},
	})
}
