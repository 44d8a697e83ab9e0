package blackbox_test

import (
	"net/http"
	"strings"

	"cartd/commerce"
)

const (
	quoteCall = "POST {cart}/quote-request"

	salesOff     = `{"error":"Module not enabled: sales"}`
	unknownQuote = "bm90IGEgc2VjcmV0LCBub3QgYSBzZWNyZXQgYXQgYWw"

	// onePixel is a PNG as a data URL.
	onePixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
	// signed is the part of an accept body that signs it.
	signed = `"signature":"` + onePixel + `"`
)

// prepareQuote requests a quote of the given lines, or of a booklet, and returns its path.
func (c refusalCase) prepareQuote(shop client) string {
	shop.t.Helper()
	path := shop.newCart()
	for _, body := range c.given {
		shop.post(path+"/lines", body).wantStatus(http.StatusCreated)
	}
	if c.given == nil {
		shop.add(path, booklet, "1")
	}
	quote := shop.post(path+"/quote-request", buyer).quote(http.StatusCreated).path()
	if c.declined {
		shop.post(quote+"/decline", "").wantStatus(http.StatusOK)
	}
	return quote
}

func noQuote(token string) string {
	return `{"message":"No query results for model [Quote] ` + token + `"}`
}

// quoteCases are the refusals of quotes. The store of keyQuotes asks for signatures.
var quoteCases = []refusalCase{
	{name: "quote request with an unknown token", row: commerce.InvalidCustomerToken, call: quoteCall, token: wrongToken, status: 401, want: `{"message":"Invalid customer token."}`},
	{name: "quote request without sales", row: commerce.QuotesOff, key: keyNoSales, call: quoteCall, token: wrongToken, status: 404, want: salesOff},
	{name: "quote request without a scope", row: commerce.InvalidAbility, key: keyReader, call: "POST commerce/carts/" + unknownID + "/quote-request", status: 403,
		want: `{"message":"Invalid ability provided."}`},
	{name: "quote request without commerce", key: keyNoCommerce, call: "POST commerce/carts/" + unknownID + "/quote-request", status: 403,
		want: `{"error":"Module not enabled: commerce"}`},
	{name: "quote request of an unknown cart", call: "POST commerce/carts/" + unknownID + "/quote-request", body: buyer, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "quote request of an owned cart", row: commerce.CartOwned, owner: tokenAda, given: []string{addBody(booklet, "1")}, call: quoteCall, body: buyer,
		status: 403, want: cartOwned},
	{name: "quote request of another version", row: commerce.CartChanged, call: quoteCall,
		header: [2]string{"If-Match", `"0123456789abcdef.0123456789abcdef"`}, body: "{", status: 412, want: cartChanged},
	{name: "quote request without JSON", row: commerce.InvalidJSON, call: quoteCall, body: "[1]", status: 400, want: `{"message":"The request body is not valid JSON."}`},
	{name: "quote request of an empty cart", call: quoteCall, body: buyer, status: 422, want: oneField("lines", "The lines field is required.", "")},
	{name: "quote request with every fault", call: quoteCall, status: 422,
		body: `{"reference":"` + strings.Repeat("r", 101) + `","message":"` + strings.Repeat("m", 2001) + `","phone":"` + strings.Repeat("p", 51) + `",
			"company_name":"` + strings.Repeat("c", 256) + `","name":"` + strings.Repeat("n", 151) + `","email":"x"}`,
		want: `{"message":"The lines field is required.","errors":{"lines":["The lines field is required."],
			"email":["The email field must be a valid email address."],"name":["The name field must not be greater than 150 characters."],
			"company_name":["The company name field must not be greater than 255 characters."],"phone":["The phone field must not be greater than 50 characters."],
			"message":["The message field must not be greater than 2000 characters."],"reference":["The reference field must not be greater than 100 characters."]}}`},

	{name: "quote request with an empty list for the e-mail", given: []string{addBody(booklet, "1")}, call: quoteCall, body: `{"email":[]}`, status: 422,
		want: `{"message":"The email field is required.","errors":{"email":["The email field is required."]}}`},

	{name: "quote without sales", key: keyNoSales, call: "GET sales/quotes/by-token/" + unknownQuote, status: 403, want: salesOff},
	{name: "accept without sales", key: keyNoSales, call: "POST sales/quotes/by-token/" + unknownQuote + "/accept", status: 403, want: salesOff},
	{name: "accept without a scope", key: keyReader, call: "POST sales/quotes/by-token/" + unknownQuote + "/accept", status: 403, want: `{"message":"Invalid ability provided."}`},
	{name: "quote without a scope", key: keyWriter, call: "GET sales/quotes/by-token/" + unknownQuote, status: 403, want: `{"message":"Invalid ability provided."}`},
	{name: "unknown quote", call: "GET sales/quotes/by-token/" + unknownQuote, token: wrongToken, status: 404, want: noQuote(unknownQuote)},
	{name: "quote of no token", call: "GET commerce/quotes/by-token/" + unknownID, status: 404, want: noQuote(unknownID)},
	{name: "accept of an unknown quote", call: "POST sales/quotes/by-token/" + unknownQuote + "/accept", body: "{", status: 404, want: noQuote(unknownQuote)},
	{name: "decline of no token", call: "POST commerce/quotes/by-token/x/decline", status: 404, want: noQuote("x")},
	{name: "accept without JSON", row: commerce.InvalidJSON, call: "POST {quote}/accept", body: "{", status: 400, want: `{"message":"The request body is not valid JSON."}`},
	{name: "accept after a decline", row: commerce.QuoteNotOffered, call: "POST {quote}/accept", declined: true, body: "{", status: 409,
		want: `{"message":"This quote is not on offer.","code":"QUOTE_NOT_OFFERED"}`},
	{name: "decline after a decline", row: commerce.QuoteNotOffered, call: "POST {quote}/decline", declined: true, body: "{", status: 409,
		want: `{"message":"This quote is not on offer.","code":"QUOTE_NOT_OFFERED"}`},
	{name: "accept with a wrong idempotency key", row: commerce.IdempotencyKeyInvalid, call: "POST {quote}/accept", body: "{}",
		header: [2]string{"Idempotency-Key", strings.Repeat("k", 256)}, status: 400, want: wrongKey},
	{name: "accept with every fault", key: keyQuotes, given: []string{addBody(hammer, "1")}, call: "POST {quote}/accept", status: 422,
		body: `{"billing_address":1,"shipping_address":{"country":"NLD"},"shipping_method_id":"x","signer_name":"` + strings.Repeat("s", 151) + `","signature":1,"shipping_address_id":"x"}`,
		want: `{"message":"The signature field must be a string.","errors":{"signature":["The signature field must be a string."],
			"signer_name":["The signer name field must not be greater than 150 characters."],"shipping_method_id":["The selected shipping method id is invalid."],
			"shipping_address.name":["The shipping_address.name field is required."],"shipping_address.street":["The shipping_address.street field is required."],
			"shipping_address.postal_code":["The shipping_address.postal_code field is required."],"shipping_address.city":["The shipping_address.city field is required."],
			"shipping_address.country":["The shipping_address.country field must be 2 characters."],"billing_address":["The billing address field must be an array."]}}`},
	{name: "accept without a signature", row: commerce.SignatureRequired, key: keyQuotes, call: "POST {quote}/accept", body: `{"signature":" ","signer_name":null}`, status: 422,
		want: `{"message":"A signature is required.","code":"SIGNATURE_REQUIRED"}`},
	{name: "accept with another signature", row: commerce.SignatureInvalid, key: keyQuotes, call: "POST {quote}/accept", body: `{"signature":"data:image/png;base64,iVBORw0KGgo="}`,
		status: 422, want: `{"message":"The signature is invalid.","code":"SIGNATURE_INVALID"}`},
	{name: "accept without the stock", row: commerce.OutOfStock, key: keyGuests, given: []string{addBody(gloves, "5", variant(glovesS))}, call: "POST {quote}/accept",
		status: 409, want: `{"message":"Insufficient stock.","code":"OUT_OF_STOCK","out_of_stock":[
			{"product_id":"` + gloves + `","variant_id":"` + glovesS + `","requested":5,"available":4}]}`},
	{name: "decline for too long a reason", call: "POST {quote}/decline", body: `{"reason":"` + strings.Repeat("r", 1001) + `"}`, status: 422,
		want: oneField("reason", "The reason field must not be greater than 1000 characters.", "")},
}
