package blackbox_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/redistest"
)

// noKey marks a case that sends no Authorization header.
const noKey = "none"

// wrongToken is a customer token that no store has.
const wrongToken = "secret-token-wrong"

// refusalCase is one row of the specification's error tables as a request.
type refusalCase struct {
	name string
	row  *commerce.Refusal // the row of this refusal; nil if its text names an id or a field
	key  string            // empty for the storefront's
	// owner is the token of the account that owns the cart; empty if it is bound to none.
	owner string
	given []string // bodies of line adds that are sent first
	// call is the method and path; {cart} is a new cart's path, {line} its first line's
	// id, {address} the path of a new address of Ada's, {quote} the path of a quote of a new cart.
	call string
	// declined: {quote} is declined.
	declined bool
	token    string
	header   [2]string // a further header, sent with the given bodies too; empty if there is none
	body     string
	status   int
	want     string // the exact body
}

// oneField is the body of a refusal that names a single field; code may be empty.
func oneField(field, message, code string) string {
	body := `{"message":` + quoted(message) + `,"errors":{` + quoted(field) + `:[` + quoted(message) + `]}`
	if code != "" {
		body += `,"code":` + quoted(code)
	}
	return body + "}"
}

// fieldErrors is the body of a plain 422: pairs of field and message, in order. A repeated field
// gets a further message.
func fieldErrors(pairs ...string) string {
	var fields []string
	messages := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		if len(messages[pairs[i]]) == 0 {
			fields = append(fields, pairs[i])
		}
		messages[pairs[i]] = append(messages[pairs[i]], quoted(pairs[i+1]))
	}
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = quoted(f) + ":[" + strings.Join(messages[f], ",") + "]"
	}
	return `{"message":` + quoted(pairs[1]) + `,"errors":{` + strings.Join(members, ",") + `}}`
}

const (
	addCall    = "POST {cart}/lines"
	changeCall = "PATCH {cart}/lines/{line}"

	noProduct  = "Product is not available."
	aboveMax   = `{"message":"Quantity exceeds the per-line maximum.","code":"cart_constraint"}`
	lineLimit  = `{"message":"Cart line limit reached.","code":"cart_constraint"}`
	totalLimit = `{"message":"Cart total limit reached.","code":"cart_constraint"}`
	tooLarge   = `{"message":"The cart is too large.","code":"cart_constraint"}`
	cartOwned  = `{"message":"This cart belongs to a customer."}`
	invalid    = "INVALID_CONFIGURATION"
)

// refusalCases are the tables Cart errors, POST line errors, PATCH line errors,
// DELETE line errors and Errors of the specification, row by row.
var refusalCases = []refusalCase{
	// Spec: Errors.
	{name: "no key", row: commerce.Unauthenticated, key: noKey, call: "GET me", status: 401, want: `{"message":"Unauthenticated."}`},
	{name: "store suspended", row: commerce.TenantSuspended, key: keySuspended, call: "GET me", status: 403,
		want: `{"message":"Tenant suspended.","code":"tenant_suspended"}`},
	{name: "scope missing", row: commerce.InvalidAbility, key: keyReader, call: "POST commerce/carts", status: 403,
		want: `{"message":"Invalid ability provided."}`},
	{name: "module disabled", key: keyNoCommerce, call: "POST commerce/carts", status: 403, want: `{"error":"Module not enabled: commerce"}`},
	{name: "rate limit exceeded", row: commerce.TooManyAttempts, key: keyTight, call: "GET {cart}", status: 429, want: `{"message":"Too Many Attempts."}`},
	{name: "unknown route", call: "GET foo", status: 404, want: `{"message":"The route v1/api/foo could not be found."}`},
	{name: "body that is no JSON", row: commerce.InvalidJSON, call: "PATCH {cart}", body: `{"email":`, status: 400,
		want: `{"message":"The request body is not valid JSON."}`},
	{name: "body too large", row: commerce.BodyTooLarge, call: "PATCH {cart}", body: strings.Repeat(" ", maxBody+1), status: 413,
		want: `{"message":"The request body is too large."}`},

	// docs/api/retries.md#repeated-and-conditional-requests.
	{name: "wrong idempotency key", row: commerce.IdempotencyKeyInvalid, call: "PATCH {cart}", header: [2]string{"Idempotency-Key", strings.Repeat("k", 256)},
		body: `{"email":`, status: 400, want: wrongKey},
	{name: "idempotency key of another request", row: commerce.IdempotencyKeyReused, given: []string{addBody(hammer, "1")}, call: addCall,
		header: [2]string{"Idempotency-Key", "k"}, body: addBody(hammer, "2"), status: 422, want: keyReused},
	{name: "another version", row: commerce.CartChanged, call: "PATCH {cart}", header: [2]string{"If-Match", `"0123456789abcdef.0123456789abcdef"`},
		body: `{"email":`, status: 412, want: cartChanged},

	// Spec: Cart errors.
	{name: "read of an unknown cart", call: "GET commerce/carts/" + unknownID, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "change of an unknown cart", call: "PATCH commerce/carts/" + unknownID, body: `{"email":"a@b"}`, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "read of an owned cart", row: commerce.CartOwned, owner: tokenAda, call: "GET {cart}", status: 403, want: cartOwned},
	{name: "change of an owned cart", row: commerce.CartOwned, owner: tokenAda, call: "PATCH {cart}", body: `{"metadata":null}`, status: 403, want: cartOwned},
	{name: "invalid e-mail", call: "PATCH {cart}", body: `{"email":"nobody"}`, status: 422,
		want: oneField("email", "The email field must be a valid email address.", "")},
	{name: "metadata that is no map", call: "PATCH {cart}", body: `{"metadata":[1]}`, status: 422,
		want: oneField("metadata", "The metadata field must be an array.", "")},

	// Spec: POST line errors.
	{name: "unknown product", row: commerce.ProductUnavailable, call: addCall, body: addBody(unknownID, "1"), status: 422, want: oneField("product_id", noProduct, "")},
	{name: "product without a price", row: commerce.NotPurchasable, call: addCall, body: addBody(mystery, "1"), status: 422,
		want: oneField("product_id", noProduct, "NOT_PURCHASABLE")},
	{name: "capability inactive", row: commerce.CapabilityInactive, key: keyNoConfigurator, call: addCall, body: addBody(blind, "1", unpriced), status: 422,
		want: oneField("product_id", noProduct, "CAPABILITY_INACTIVE")},
	{name: "variant omitted", row: commerce.ChooseVariant, call: addCall, body: addBody(gloves, "1"), status: 422,
		want: oneField("variant_id", "Choose a variant for this product.", invalid)},
	{name: "inactive variant", row: commerce.VariantUnavailable, call: addCall, body: addBody(gloves, "1", variant(glovesL)), status: 422,
		want: oneField("variant_id", "Variant is not available.", invalid)},
	{name: "variant of a product without variants", row: commerce.NoVariants, call: addCall, body: addBody(hammer, "1", variant(glovesS)), status: 422,
		want: oneField("variant_id", "This product has no variants.", invalid)},
	{name: "variant of a product made to measure", row: commerce.ConfigurableHasNoVariants, call: addCall, body: addBody(blind, "1", variant(glovesS), unpriced), status: 422,
		want: oneField("variant_id", "Configurable products have no variants.", invalid)},
	{name: "made to measure without configuration", row: commerce.ConfigurationMissing, call: addCall, body: addBody(blind, "1"), status: 422,
		want: oneField("configuration", "Configure this product before adding it.", invalid)},
	{name: "configuration of a standard product", row: commerce.NotConfigurable, call: addCall, body: addBody(hammer, "1", `"configuration":{"dimensions":{}}`), status: 422,
		want: oneField("configuration", "This product is not configurable.", invalid)},
	{name: "configuration without a price", row: commerce.NoConfiguredPrice, call: addCall, body: addBody(blind, "1", unpriced), status: 422,
		want: oneField("configuration", "No price is available for this configuration.", invalid)},
	{name: "configuration of the wrong shape", row: commerce.ConfigurationInvalid, call: addCall,
		body: addBody(blind, "1", `"configuration":{"dimensions":{"width":1000,"height":1000},"choices":"linen"}`), status: 422,
		want: oneField("configuration", "The configuration is invalid.", invalid)},
	{name: "half a piece", row: commerce.QuantityNotWhole, call: addCall, body: addBody(hammer, "0.5"), status: 422,
		want: oneField("quantity", "The quantity must be a whole number.", "")},
	{name: "quantity missing", call: addCall, body: `{"product_id":"` + hammer + `"}`, status: 422, want: oneField("quantity", "The quantity field is required.", "")},
	{name: "quantity above the maximum", row: commerce.QuantityAboveMaximum, call: addCall, body: addBody(hammer, "101"), status: 422, want: aboveMax},
	{name: "one line too many", row: commerce.LineLimitReached, key: keySmall, given: []string{addBody(hammer, "1"), addBody(nails, "1")},
		call: addCall, body: addBody(cable, "1"), status: 422, want: lineLimit},
	{name: "total beyond exact integers", row: commerce.TotalLimitReached, key: keyWide, call: addCall, body: addBody(gold, "10000"), status: 422, want: totalLimit},
	{name: "line that makes the cart too large", row: commerce.CartTooLarge, key: keyLongSKUs, given: []string{addBody(hammer, "1")},
		call: addCall, body: addBody(nails, "1"), status: 422, want: tooLarge},
	{name: "add to an unknown cart", call: "POST commerce/carts/" + unknownID + "/lines", body: addBody(hammer, "1"), status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "add to an owned cart", row: commerce.CartOwned, owner: tokenAda, call: addCall, body: addBody(hammer, "1"), status: 403, want: cartOwned},

	// Spec: PATCH line errors.
	{name: "change without quantity", given: []string{addBody(hammer, "1")}, call: changeCall, body: `{}`, status: 422,
		want: oneField("quantity", "The quantity field is required.", "")},
	{name: "change to half a piece", row: commerce.QuantityNotWhole, given: []string{addBody(hammer, "1")}, call: changeCall, body: `{"quantity":1.5}`, status: 422,
		want: oneField("quantity", "The quantity must be a whole number.", "")},
	{name: "change above the maximum", row: commerce.QuantityAboveMaximum, given: []string{addBody(hammer, "1")}, call: changeCall, body: `{"quantity":101}`, status: 422, want: aboveMax},
	{name: "change beyond exact integers", row: commerce.TotalLimitReached, key: keyWide, given: []string{addBody(gold, "1")},
		call: changeCall, body: `{"quantity":10000}`, status: 422, want: totalLimit},
	{name: "change in an unknown cart", call: "PATCH commerce/carts/" + unknownID + "/lines/" + unknownID, body: `{"quantity":1}`, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "change of a line that is not there", call: "PATCH {cart}/lines/" + unknownID, body: `{"quantity":1}`, status: 404,
		want: `{"message":"No query results for model [CartLine] ` + unknownID + `"}`},
	{name: "change of an owned cart's line", row: commerce.CartOwned, owner: tokenAda, given: []string{addBody(hammer, "1")},
		call: changeCall, body: `{"quantity":1}`, status: 403, want: cartOwned},

	// Spec: DELETE line errors.
	{name: "removal from an unknown cart", call: "DELETE commerce/carts/" + unknownID + "/lines/" + unknownID, status: 404,
		want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
	{name: "removal of a line that is not there", call: "DELETE {cart}/lines/" + unknownID, status: 404,
		want: `{"message":"No query results for model [CartLine] ` + unknownID + `"}`},
	{name: "removal from an owned cart", row: commerce.CartOwned, owner: tokenAda, given: []string{addBody(hammer, "1")},
		call: "DELETE {cart}/lines/{line}", status: 403, want: cartOwned},
}

func TestEveryRowOfTheErrorTables(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	shop := start(t, options{redis: s.URL(), stores: storeFiles(t)}).client(t)
	for _, c := range slices.Concat(refusalCases, contactCases, stockCases, claimCases, checkoutCases, quoteCases) {
		t.Run(c.name, func(t *testing.T) { c.run(shop.in(t)) })
	}
}

func (c refusalCase) run(shop client) {
	switch c.key {
	case "":
	case noKey:
		shop = shop.withKey("")
	default:
		shop = shop.withKey(c.key)
	}
	method, path, _ := strings.Cut(c.call, " ")
	if strings.Contains(path, "{cart}") {
		path = c.prepare(shop, path)
	}
	if strings.Contains(path, "{quote}") {
		path = strings.ReplaceAll(path, "{quote}", c.prepareQuote(shop))
	}
	if strings.Contains(path, "{address}") {
		path = strings.ReplaceAll(path, "{address}", shop.withToken(tokenAda).newAddress(addressBody))
	}
	if c.header[0] != "" {
		shop = shop.withHeader(c.header[0], c.header[1])
	}
	shop.withToken(c.token).request(method, path, c.body).want(c.status, c.want)
}

// prepare makes the cart of a case and returns the call's path with its ids.
func (c refusalCase) prepare(shop client, path string) string {
	shop.t.Helper()
	cartPath := shop.newCart()
	lineID := ""
	for _, body := range c.given {
		shop := shop
		if c.header[0] != "" {
			shop = shop.withHeader(c.header[0], c.header[1])
		}
		lineID = shop.post(cartPath+"/lines", body).cart(http.StatusCreated).Lines[0].ID
	}
	if c.owner != "" {
		shop.withToken(c.owner).patch(cartPath, `{"email":"owner@example.com"}`).wantStatus(http.StatusOK)
	}
	return strings.NewReplacer("{cart}", cartPath, "{line}", lineID).Replace(path)
}

func TestEveryRefusalHasACase(t *testing.T) {
	t.Parallel()
	named := map[*commerce.Refusal]bool{}
	for _, c := range slices.Concat(refusalCases, contactCases, stockCases, claimCases, checkoutCases, quoteCases) {
		named[c.row] = true
	}
	for _, row := range []*commerce.Refusal{
		commerce.AlreadyConverted, commerce.QuoteExpired, // TestAQuoteIsAccepted, TestAQuoteExpires
		commerce.StoreTooLarge, // TestAStoreThatIsTooLargeForChangeSets
		// TestAfterTheSale, commerce's TestWhatAnOrderAllows
		commerce.OrderChanged, commerce.OrderIsCancelled, commerce.AlreadyPaid, commerce.AmountDiffers, commerce.OrderIsShipped,
		commerce.OrderIsCompleted, commerce.NotPaid, commerce.PaymentDue, commerce.OrderIsRefunded, commerce.NotShipped,
	} {
		named[row] = true
	}
	for _, row := range commerce.Refusals() {
		if !named[row] {
			t.Errorf("no case produces the row %q (code %q)", row.Message, row.Code)
		}
	}
}
