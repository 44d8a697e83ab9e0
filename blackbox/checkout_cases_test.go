package blackbox_test

import "cartd/commerce"

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

// checkoutCases are the refusals of a checkout. In the base store only the booklet and the crane
// need no delivery.
var checkoutCases = []refusalCase{
	{name: "checkout with an unknown token", row: commerce.InvalidCustomerToken, call: checkoutCall, token: wrongToken, status: 401,
		want: `{"message":"Invalid customer token."}`},
	{name: "checkout of an unknown cart", call: "POST commerce/carts/" + unknownID + "/checkout", body: buyer, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "checkout of an owned cart", row: commerce.CartOwned, owner: tokenAda, given: []string{addBody(booklet, "1")}, call: checkoutCall, body: buyer,
		status: 403, want: cartOwned},
	{name: "checkout of another version", row: commerce.CartChanged, call: checkoutCall,
		header: [2]string{"If-Match", `"0123456789abcdef.0123456789abcdef"`}, body: "{", status: 412, want: cartChanged},
	{name: "checkout without JSON", row: commerce.InvalidJSON, call: checkoutCall, body: "{", status: 400,
		want: `{"message":"The request body is not valid JSON."}`},
	{name: "checkout of an empty cart", call: checkoutCall, body: buyer, status: 422, want: oneField("lines", "The lines field is required.", "")},
	{name: "checkout with empty lists and objects", given: []string{addBody(hammer, "1")}, call: checkoutCall,
		body: `{"email":[],"shipping_method_id":{},"shipping_address":{},"shipping_address_id":[],"billing_address_id":{}}`, status: 422,
		want: `{"message":"The email field is required.","errors":{"email":["The email field is required."],
			"shipping_method_id":["The shipping method id field is required."],"shipping_address":["The shipping address field is required."],
			"shipping_address_id":["The shipping address id field must be a string."],"billing_address_id":["The billing address id field must be a string."]}}`},
	{name: "checkout with an empty list that is not needed", given: []string{addBody(booklet, "1")}, call: checkoutCall,
		body: `{"email":"buyer@example.com","shipping_method_id":[]}`, status: 422, want: oneField("shipping_method_id", "The shipping method id field must be a string.", "")},
	{name: "checkout without a login", row: commerce.LoginRequired, key: keyExcludingTax, given: []string{addBody(booklet, "1")}, call: checkoutCall, body: buyer,
		status: 422, want: `{"message":"Log in to check out.","code":"login_required"}`},
	{name: "checkout with a login", row: commerce.GuestsOnly, key: keyGuests, given: []string{addBody(booklet, "1")}, call: checkoutCall, token: tokenAda, body: buyer,
		status: 422, want: `{"message":"This store takes guest orders only.","code":"guest_only"}`},
	{name: "checkout of an account that awaits approval", row: commerce.ApprovalRequired, key: keyConsumers, given: []string{addBody(booklet, "1")}, call: checkoutCall, token: tokenCarl,
		body: buyer, status: 422, want: `{"message":"This account is awaiting approval.","code":"b2b_approval_required"}`},
	{name: "checkout of a business", row: commerce.ConsumersOnly, key: keyConsumers, given: []string{addBody(booklet, "1")}, call: checkoutCall, token: tokenBob, body: buyer,
		status: 422, want: `{"message":"This store serves consumers only.","code":"b2c_only"}`},
	{name: "checkout of a consumer", row: commerce.BusinessesOnly, key: keyExcludingTax, given: []string{addBody(booklet, "1")}, call: checkoutCall, token: tokenAda,
		body: buyer, status: 422, want: `{"message":"This store serves businesses only.","code":"b2b_only"}`},
	{name: "checkout below the minimum", row: commerce.MinOrderNotReached, key: keyExcludingTax, given: []string{addBody(booklet, "1")}, call: checkoutCall, token: tokenBob,
		body: buyer, status: 422, want: `{"message":"The minimum order value is not reached.","code":"min_order_value"}`},
	{name: "checkout that requires a quote", row: commerce.QuoteRequired, given: []string{addBody(crane, "1")}, call: checkoutCall, body: buyer, status: 409,
		want: `{"message":"This cart requires a quote.","code":"QUOTE_REQUIRED","reasons":["product_purchasability"]}`},
	{name: "checkout at another total", row: commerce.TotalChanged, given: []string{addBody(booklet, "1")}, call: checkoutCall,
		body: `{"email":"buyer@example.com","expected_total_amount":1}`, status: 409, want: `{"message":"The cart has changed.","code":"CART_CHANGED","current_total":1055}`},
	{name: "checkout without the stock", row: commerce.OutOfStock, key: keyGuests, given: []string{addBody(hammer, "11"), addBody(cable, "2.625")}, call: checkoutCall,
		body: buyer, status: 409, want: `{"message":"Insufficient stock.","code":"OUT_OF_STOCK","out_of_stock":[
			{"product_id":"` + hammer + `","variant_id":null,"requested":11,"available":10},{"product_id":"` + cable + `","variant_id":null,"requested":2.625,"available":2.5}]}`},
	{name: "orders without a token", row: commerce.InvalidCustomerToken, call: "GET commerce/orders", status: 401, want: `{"message":"Invalid customer token."}`},
	{name: "orders of no status", call: "GET commerce/orders?status=sent&placed_from=tomorrow&placed_to=2026-02-30", token: tokenAda, status: 422,
		want: `{"message":"The selected status is invalid.","errors":{"status":["The selected status is invalid."],
			"placed_from":["The placed from field must be a valid date."],"placed_to":["The placed to field must be a valid date."]}}`},
	{name: "unknown order", call: "GET commerce/orders/" + unknownID, token: tokenAda, status: 404,
		want: `{"message":"No query results for model [Order] ` + unknownID + `"}`},
}
