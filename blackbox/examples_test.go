package blackbox_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// update makes the tests of generated files write these files. `make openapi` sets it.
var update = flag.Bool("update", false, "write examples.json and docs/openapi.json anew")

// exampleFile has the examples of the API's description.
const exampleFile = "../httpserver/examples.json"

// exampleCall is one request of exampleCalls.
type exampleCall struct {
	id, call, body string
	// token is the customer's; key is the API key, empty for the storefront's.
	token, key string
	// keep names a value of the answer that is kept: the header at, or the member at a path of members.
	keep, at string
	// after is an operation without whose request this one is refused, or shows nothing.
	after  string
	status int
	// noJSON is true if the answer is not written into the file: it is no JSON, or is the description
	// itself. stream is true if the answer does not end.
	noJSON, stream bool
}

// apiKey returns the key of the request; empty if it needs none.
func (c *exampleCall) apiKey() string {
	switch {
	case c.key != "":
		return c.key
	case strings.Contains(c.call, " /"):
		return ""
	}
	return "demo-storefront-key"
}

// exampleCalls are the requests whose exchanges are the description's examples, one for each
// operation. They run in order on a fresh demo store. {cart} and similar words are values kept from
// earlier answers. A call without an id only prepares. samples_test.go makes commands of them.
var exampleCalls = []exampleCall{
	{id: "health", call: "GET /healthz", status: 200},
	{id: "ready", call: "GET /readyz", status: 200},
	{id: "ping", call: "GET /v1/ping", status: 200},
	{id: "readDescription", call: "GET /openapi.json", status: 200, noJSON: true},
	{id: "readDocs", call: "GET /docs", status: 200, noJSON: true},
	{id: "readDocsScript", call: "GET /docs/redoc.js", status: 200, noJSON: true},
	{id: "me", call: "GET me", status: 200},

	{id: "createCart", call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{id: "addLine", call: "POST commerce/carts/{cart}/lines", keep: "line", at: "data.lines.0.id", status: 201, body: `{
		"product_id": "10000000-0000-4000-8000-000000000101", "quantity": 1,
		"configuration": {"dimensions": {"width": 1200, "height": 1500}, "choices": ["blackout", "blackout-night", "wall-mount", "chain"]}}`},
	{id: "addLines", call: "POST commerce/carts/{cart}/lines/batch", status: 201, body: `{"lines": [
		{"product_id": "10000000-0000-4000-8000-000000000201", "quantity": 2.5}, {"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1}]}`},
	{id: "changeLine", call: "PATCH commerce/carts/{cart}/lines/{line}", body: `{"quantity": 2}`, status: 200},
	{id: "attachCode", after: "addLines", call: "POST commerce/carts/{cart}/discount", body: `{"code": "friends15"}`, status: 200},
	{id: "changeCart", call: "PATCH commerce/carts/{cart}", body: `{"email": "ada@example.com", "metadata": {"source": "newsletter", "gift": true}}`, status: 200},
	{id: "readCart", after: "addLines", call: "GET commerce/carts/{cart}", status: 200},
	{id: "explainCart", after: "addLines", call: "GET commerce/carts/{cart}/explain", status: 200},
	{id: "detachOneCode", after: "attachCode", call: "DELETE commerce/carts/{cart}/discount/Friends15", status: 200},
	{call: "POST commerce/carts/{cart}/discount", body: `{"code": "friends15"}`, status: 200},
	{id: "detachCode", after: "attachCode", call: "DELETE commerce/carts/{cart}/discount", status: 200},
	{id: "removeLine", call: "DELETE commerce/carts/{cart}/lines/{line}", status: 200},
	{id: "priceBasket", call: "POST commerce/price", status: 200, body: `{"lines": [
		{"product_id": "10000000-0000-4000-8000-000000000201", "quantity": 12}, {"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1.5}],
		"discount_codes": ["friends15"], "country": "NL"}`},
	{id: "followCart", call: "GET commerce/carts/{cart}/events", status: 200, stream: true},

	{call: "POST commerce/carts", keep: "other", at: "data.id", status: 201},
	{call: "POST commerce/carts/{other}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1}`, status: 201},
	{call: "PATCH commerce/carts/{other}", token: "demo-token-ada", body: `{"email": "ada@example.com"}`, status: 200},
	{id: "claimCart", after: "addLines", call: "POST commerce/carts/{cart}/claim?include=merge_report", token: "demo-token-ada", status: 200},
	{id: "copyCart", after: "addLines", call: "POST commerce/carts/{cart}/copy", token: "demo-token-ada", status: 201},
	{id: "listCarts", call: "GET commerce/carts", token: "demo-token-ada", status: 200},
	{id: "listShippingMethods", after: "addLines", call: "GET commerce/carts/{cart}/shipping-methods", token: "demo-token-ada", status: 200},
	{id: "keepCheckout", after: "addLines", call: "PATCH commerce/carts/{cart}/checkout", token: "demo-token-ada", status: 200, body: `{
		"email": "ada@example.com", "shipping_method_id": "70000000-0000-4000-8000-000000000001",
		"shipping_address": {"name": "Ada Lovelace", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"}}`},
	{id: "readCheckout", after: "keepCheckout", call: "GET commerce/carts/{cart}/checkout?include=checks", token: "demo-token-ada", status: 200},
	{id: "checkout", after: "addLines", call: "POST commerce/carts/{cart}/checkout", token: "demo-token-ada", keep: "order", at: "data.id", status: 201, body: `{
		"shipping_method_id": "70000000-0000-4000-8000-000000000001", "customer_note": "Please ring twice.",
		"shipping_address": {"name": "Ada Lovelace", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"}}`},
	{id: "listOrders", call: "GET commerce/orders", token: "demo-token-ada", status: 200},
	{id: "readOrder", call: "GET commerce/orders/{order}", token: "demo-token-ada", status: 200},
	{id: "copyOrder", call: "POST commerce/orders/{order}/copy", token: "demo-token-ada", status: 201},

	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines",
		body: `{"product_id": "10000000-0000-4000-8000-000000000902", "variant_id": "20000000-0000-4000-8000-000009020001", "quantity": 1}`, status: 201},
	{call: "POST commerce/carts/{cart}/checkout", keep: "token", at: "X-Order-Token", body: `{"email": "grace@example.com"}`, status: 201},
	{id: "copyOrderByToken", call: "POST commerce/orders/by-token/{token}/copy", status: 201},
	{id: "cancelOrderByToken", call: "POST commerce/orders/by-token/{token}/cancel", status: 200},
	{id: "readOrderByToken", call: "GET commerce/orders/by-token/{token}", status: 200},

	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000802", "quantity": 1}`, status: 201},
	{call: "POST commerce/carts/{cart}/checkout", token: "demo-token-ada", keep: "unpaid", at: "data.id", status: 201, body: `{}`},
	{id: "cancelOwnOrder", call: "POST commerce/orders/{unpaid}/cancel", token: "demo-token-ada", status: 200},

	{id: "readStore", call: "GET store", key: "demo-desk-key", status: 200},
	{id: "closeStore", call: "PUT store/closed", key: "demo-desk-key", body: `{"message": "Back at nine."}`, status: 200},
	{id: "openStore", after: "closeStore", call: "DELETE store/closed", key: "demo-desk-key", status: 200},
	{id: "listEntries", call: "GET catalog/document/tax_rates", key: "demo-desk-key", status: 200},
	{id: "readEntry", call: "GET catalog/document/products/10000000-0000-4000-8000-000000000901", key: "demo-desk-key", status: 200},
	{id: "listStock", call: "GET stock/levels?sku=BK-1", key: "demo-desk-key", status: 200},
	{id: "listContacts", call: "GET contacts?q=love", key: "demo-desk-key", status: 200},
	{id: "readContact", call: "GET contacts/40000000-0000-4000-8000-000000000001", key: "demo-desk-key", status: 200},
	{id: "changeContact", call: "PATCH contacts/40000000-0000-4000-8000-000000000001", key: "demo-desk-key", status: 200,
		body: `{"approved": true}`},
	{id: "readSummary", call: "GET summary?days=7", key: "demo-desk-key", status: 200},
	{id: "readDiscountUses", call: "GET catalog/discounts/60000000-0000-4000-8000-000000000001/uses", key: "demo-desk-key", status: 200},
	{id: "listWebhooks", call: "GET webhooks", key: "demo-desk-key", status: 200},
	{id: "listHistory", call: "GET history", key: "demo-desk-key", status: 200},
	{id: "listStoreCarts", call: "GET carts?customer_id=40000000-0000-4000-8000-000000000001", key: "demo-desk-key", status: 200},
	{id: "readStoreCart", call: "GET carts/{cart}?include=checks", key: "demo-desk-key", status: 200},
	{id: "listStoreOrders", call: "GET orders?status=placed", key: "demo-merchant-key", status: 200},
	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1}`, status: 201},
	{call: "POST commerce/carts/{cart}/checkout", keep: "order", at: "data.id", status: 201, body: `{"email": "ada@example.com",
		"shipping_method_id": "70000000-0000-4000-8000-000000000001",
		"shipping_address": {"name": "Ada Lovelace", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"}}`},
	{id: "payOrder", call: "POST orders/{order}/payment", key: "demo-merchant-key", body: `{"reference": "pi_3Nk", "amount": 3145}`, status: 200},
	{id: "shipOrder", after: "payOrder", call: "POST orders/{order}/shipment", key: "demo-merchant-key", status: 200,
		body: `{"carrier": "PostNL", "tracking_number": "3SABCD1234567", "tracking_url": "https://example.org/3SABCD1234567"}`},
	{id: "completeOrder", after: "shipOrder", call: "POST orders/{order}/delivered", key: "demo-merchant-key", status: 200},
	{id: "refundOrder", after: "payOrder", call: "POST orders/{order}/refund", key: "demo-merchant-key", body: `{"reference": "re_1Mx"}`, status: 200},
	{id: "readStoreOrder", call: "GET orders/{order}", key: "demo-merchant-key", status: 200},
	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 3}`, status: 201},
	{call: "POST commerce/carts/{cart}/checkout", keep: "order", at: "data.id", status: 201, body: `{"email": "ada@example.com",
		"shipping_method_id": "70000000-0000-4000-8000-000000000001",
		"shipping_address": {"name": "Ada Lovelace", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"}}`},
	{call: "POST orders/{order}/payment", key: "demo-merchant-key", keep: "book", at: "lines.0.id", body: `{"reference": "pi_3Nl", "amount": 8045}`, status: 200},
	{id: "shipPart", call: "POST orders/{order}/shipments", key: "demo-merchant-key", status: 200,
		body: `{"lines": [{"line_id": "{book}", "quantity": 2}], "carrier": "PostNL", "tracking_number": "3SABCD1234568", "reference": "parcel 1"}`},
	{id: "returnPart", after: "shipPart", call: "POST orders/{order}/returns", key: "demo-merchant-key", status: 200,
		body: `{"lines": [{"line_id": "{book}", "quantity": 1}], "reason": "Pages missing", "restock": false, "reference": "RMA 7"}`},
	{id: "refundPart", call: "POST orders/{order}/refunds", key: "demo-merchant-key", status: 200,
		body: `{"reference": "re_1My", "lines": [{"line_id": "{book}", "quantity": 1}], "reason": "Pages missing"}`},
	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000802", "quantity": 1}`, status: 201},
	{call: "POST commerce/carts/{cart}/checkout", keep: "order", at: "data.id", body: `{"email": "ada@example.com"}`, status: 201},
	{id: "cancelOrder", call: "POST orders/{order}/cancel", key: "demo-merchant-key", body: `{"reason": "Ordered twice"}`, status: 200},

	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines/batch", status: 201, body: `{"lines": [
		{"product_id": "10000000-0000-4000-8000-000000000802", "quantity": 90}, {"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1}]}`},
	{id: "requestQuote", call: "POST commerce/carts/{cart}/quote-request", keep: "quote", at: "data.token", status: 201,
		body: `{"email": "buyer@example.com", "company_name": "Hotel Zee", "reference": "RFQ 7"}`},
	{id: "readQuote", call: "GET sales/quotes/by-token/{quote}", status: 200},
	{id: "listQuoteShippingMethods", call: "GET sales/quotes/by-token/{quote}/shipping-methods?country=NL", status: 200},
	{id: "acceptQuote", call: "POST sales/quotes/by-token/{quote}/accept", status: 201, body: `{"signer_name": "A. Buyer",
		"shipping_method_id": "70000000-0000-4000-8000-000000000001",
		"shipping_address": {"name": "Hotel Zee", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"},
		"signature": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="}`},
	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000901", "quantity": 1}`, status: 201},
	{call: "POST commerce/carts/{cart}/quote-request", token: "demo-token-ada", keep: "own", at: "data.id", body: `{"reference": "RFQ 8"}`, status: 201},
	{id: "listQuotes", call: "GET sales/quotes", token: "demo-token-ada", status: 200},
	{id: "readOwnQuote", call: "GET sales/quotes/{own}", token: "demo-token-ada", status: 200},
	{call: "POST commerce/carts", keep: "cart", at: "data.id", status: 201},
	{call: "POST commerce/carts/{cart}/lines", body: `{"product_id": "10000000-0000-4000-8000-000000000802", "quantity": 90}`, status: 201},
	{call: "POST commerce/carts/{cart}/quote-request", keep: "quote", at: "data.token", body: `{"email": "buyer@example.com"}`, status: 201},
	{id: "declineQuote", call: "POST sales/quotes/by-token/{quote}/decline", body: `{"reason": "Too late for us."}`, status: 200},
	{id: "createQuote", call: "POST quotes", key: "demo-desk-key", keep: "offer", at: "id", status: 201, body: `{"email": "buyer@example.com",
		"company_name": "Hotel Zee", "lines": [{"product_id": "10000000-0000-4000-8000-000000000802", "quantity": 90, "unit_price_amount": 5500}],
		"discount": {"name": "Project", "percent": "2.5"}}`},
	{id: "writeQuote", call: "PATCH quotes/{offer}", key: "demo-desk-key", body: `{"offer_message": "Delivered within a week."}`, status: 200},
	{id: "listStoreQuotes", call: "GET quotes?state=waiting&per_page=1", key: "demo-desk-key", status: 200},
	{id: "offerQuote", call: "POST quotes/{offer}/offer", key: "demo-desk-key", keep: "quote", at: "token", status: 200,
		body: `{"expected_total_amount": 482625}`},
	{id: "requestQuoteChange", call: "POST sales/quotes/by-token/{quote}/change-request", body: `{"message": "We need 80 only."}`, status: 200},
	{id: "readStoreQuote", call: "GET quotes/{offer}", key: "demo-desk-key", status: 200},
	{id: "withdrawQuote", after: "offerQuote", call: "POST quotes/{offer}/withdraw", key: "demo-desk-key", status: 200,
		body: `{"reason": "A new offer follows."}`},
	{call: "PATCH quotes/{offer}", key: "demo-desk-key", body: `{}`, status: 200},
	{id: "dropQuoteDraft", call: "DELETE quotes/{offer}/draft", key: "demo-desk-key", status: 204},

	{id: "listProducts", call: "GET catalog/products?q=drill&per_page=2", status: 200},
	{id: "readProduct", call: "GET catalog/products/10000000-0000-4000-8000-000000000201", status: 200},
	{id: "listCategories", call: "GET catalog/categories?per_page=2", status: 200},
	{id: "readCategory", call: "GET catalog/categories/roller-blinds", status: 200},
	{id: "listRedirects", call: "GET catalog/redirects", status: 200},
	{id: "sitemap", call: "GET catalog/sitemap?per_page=2", status: 200},
	{id: "readConfigurator", call: "GET configurator/products/10000000-0000-4000-8000-000000000104/schema", status: 200},
	{id: "quoteConfiguration", call: "POST configurator/products/10000000-0000-4000-8000-000000000101/quote", status: 200,
		body: `{"dimensions": {"width": 1200, "height": 1500}, "choices": ["blackout", "blackout-night", "wall-mount", "chain"]}`},

	{id: "listAddresses", call: "GET contacts/me/addresses", token: "demo-token-ada", status: 200},
	{id: "addAddress", call: "POST contacts/me/addresses", token: "demo-token-ada", keep: "address", at: "data.id", status: 201,
		body: `{"type": "work", "name": "Ada Lovelace", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"}`},
	{id: "changeAddress", call: "PATCH contacts/me/addresses/{address}", token: "demo-token-ada",
		body: `{"is_default": true, "phone": "+31 20 555 0102"}`, status: 200},
	{id: "removeAddress", call: "DELETE contacts/me/addresses/{address}", token: "demo-token-ada", status: 204},

	{id: "listAvailability", call: "GET stock/availability?product_ids[]=10000000-0000-4000-8000-000000000301&product_ids[]=10000000-0000-4000-8000-000000000405",
		status: 200},
	{id: "adjustStock", call: "POST catalog/stock-adjustments", key: "demo-back-office-key", status: 201,
		body: `{"product_id": "10000000-0000-4000-8000-000000000301", "quantity": -2, "reason": "damaged"}`},

	{id: "changeCatalogue", call: "PATCH catalog", key: "demo-merchandising-key", status: 200, body: `{
		"format": 1, "set": {"redirects": [{"from": "/sale", "to": "/blinds", "status": 302}]}, "remove": {"redirects": ["/no-longer-there"]}}`},
	{id: "changeProduct", call: "PATCH catalog/products/10000000-0000-4000-8000-000000000901", key: "demo-merchandising-key", status: 200,
		body: `{"lead_time_days": 3}`},

	{id: "giveCodes", call: "POST catalog/discounts/60000000-0000-4000-8000-000000000020/codes", key: "demo-merchandising-key", status: 200,
		body: `{"batch": 1, "count": 2}`},

	{id: "register", call: "POST contacts/register", status: 201,
		body: `{"email": "grace@example.com", "password": "a-good-password", "first_name": "Grace", "last_name": "Hopper"}`},
	{id: "login", call: "POST contacts/login", keep: "token", at: "token", body: `{"email": "ada@example.com", "password": "northwind-ada"}`, status: 200},
	{id: "readProfile", call: "GET contacts/me", token: "demo-token-trade", status: 200},
	{id: "changeProfile", call: "PATCH contacts/me", token: "demo-token-ada", body: `{"phone": "+1 555 0100"}`, status: 200},
	{id: "logout", call: "POST contacts/logout", token: "{token}", status: 204},
	{call: "POST contacts/register", keep: "token", at: "token", status: 201,
		body: `{"email": "customer-{random}@example.com", "password": "a-good-password"}`},
	{id: "changePassword", call: "PUT contacts/me/password", token: "{token}", status: 204,
		body: `{"current_password": "a-good-password", "password": "a-better-password", "password_confirmation": "a-better-password"}`},
	{id: "putAccount", call: "PUT contacts/by-external-id/idp%7C{random}", key: "demo-login-key", keep: "account", at: "id", status: 201,
		body: `{"email": "hedy-{random}@example.com", "first_name": "Hedy", "last_name": "Lamarr"}`},
	{id: "issueToken", after: "putAccount", call: "POST contacts/{account}/tokens", key: "demo-login-key", status: 201, body: `{"expires_in_minutes": 1440}`},
	{id: "endTokens", after: "putAccount", call: "DELETE contacts/{account}/tokens", key: "demo-login-key", status: 204},
	{id: "forgotPassword", call: "POST contacts/forgot-password", body: `{"email": "ada@example.com"}`, status: 202},
	{id: "resetPassword", call: "POST contacts/reset-password", status: 204,
		body: `{"token": "{reset_token}", "email": "ada@example.com", "password": "the-next-password", "password_confirmation": "the-next-password"}`},
}

// The examples of the API's description are exchanges with a running demo store. Every operation
// has one. `make openapi` writes them.
func TestExamplesAreCurrent(t *testing.T) {
	t.Parallel()
	resets := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var event struct{ Token string }
		_ = json.NewDecoder(r.Body).Decode(&event)
		resets <- event.Token
	}))
	defer hook.Close()
	n := start(t, options{redis: "embedded", stores: []string{hookedDemo(t, hook.URL)}, flags: []string{"--webhook-allow-private"}})
	kept := map[string]string{"random": "1815"}
	shown := newStandIns(n.addr)
	var out bytes.Buffer
	out.WriteByte('{')
	for i := range exampleCalls {
		c := &exampleCalls[i]
		if c.id == "resetPassword" {
			kept["reset_token"] = <-resets
		}
		var got answer
		if !c.stream {
			method, path, _ := strings.Cut(filled(c.call, kept), " ")
			got = n.client(t).withKey(c.apiKey()).withToken(filled(c.token, kept)).request(method, path, filled(c.body, kept)).wantStatus(c.status)
		}
		if strings.HasPrefix(c.at, "X-") {
			kept[c.keep] = got.header.Get(c.at)
		} else if c.keep != "" {
			kept[c.keep] = textAt(t, got.body, c.at)
		}
		if c.id == "" {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%q:{", c.id)
		member(&out, "sample", jsonText(t, sampleOf(i)), false)
		member(&out, "request", shown.in(filled(c.body, kept)), true)
		if !c.noJSON {
			member(&out, "response", shown.in(string(got.body)), true)
		}
		out.WriteByte('}')
	}
	out.WriteByte('}')
	sameFile(t, exampleFile, indented(t, out.Bytes()))

	var description struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(n.client(t).get("/openapi.json").wantStatus(200).body, &description); err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, c := range exampleCalls {
		run[c.id] = true
	}
	for path, item := range description.Paths {
		for method, o := range item {
			if !run[o.OperationID] {
				t.Errorf("%s %s: no call of exampleCalls has the id %q", method, path, o.OperationID)
			}
		}
	}
}

// The description in docs is the one that the server answers, with the address of make run in place of
// its own.
func TestDescriptionIsCurrent(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
	served := n.client(t).get("/openapi.json").wantStatus(200).body
	sameFile(t, description, bytes.ReplaceAll(served, []byte(n.base), []byte(sampleBase)))
}

// sameFile fails the test unless a generated file has this content; with -update it writes it.
func sameFile(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := read(t, file); !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s is not current: run make openapi\n got: …%.200s\nwant: …%.200s", file, got[max(0, at-50):], want[max(0, at-50):])
	}
}

// hookedDemo is the demo store with a webhook that receives password resets.
func hookedDemo(t *testing.T, url string) string {
	t.Helper()
	text := strings.Replace(string(read(t, "../cmd/cartd/demo/store.json")), `"webhooks": []`,
		`"webhooks": [{"url": "`+url+`", "secret": "`+hookSecret+`", "events": ["contact.password_reset_requested"]}]`, 1)
	file := filepath.Join(t.TempDir(), "demo.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// filled replaces the words in braces with the kept values.
func filled(text string, kept map[string]string) string {
	for name, value := range kept {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// textAt is a text in an answer, at a path as in data.lines.0.id.
func textAt(t *testing.T, body []byte, path string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(path, ".") {
		if list, is := value.([]any); is {
			value = list[0]
		} else {
			value = value.(map[string]any)[name]
		}
	}
	return value.(string)
}

// standIns replaces the values that differ between two runs: random ids, tokens, times, the
// address.
type standIns struct {
	addr string
	ids  map[string]string
}

var (
	randomID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	documentID  = regexp.MustCompile(`^[0-9]0{7}-0000-4000-8000-|^1{8}-`)
	randomToken = regexp.MustCompile(`"token": ?"[A-Za-z0-9_-]{43}"`)
	linkToken   = regexp.MustCompile(`by-token/[A-Za-z0-9_-]{43}`)
	anyRevision = regexp.MustCompile(`"revision": ?"[0-9a-f]{16}"`)
	madeName    = regexp.MustCompile(`"(id|on)": ?"[0-9a-f]{16}"`)
	hookHost    = regexp.MustCompile(`"host": ?"127\.0\.0\.1:[0-9]+"`)
	anyTime     = regexp.MustCompile(`"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"`)
)

func newStandIns(addr string) *standIns { return &standIns{addr: addr, ids: map[string]string{}} }

func (s *standIns) in(text string) string {
	text = strings.ReplaceAll(text, s.addr, "shop.example")
	text = randomToken.ReplaceAllString(text, `"token":"`+strings.Repeat("token-", 7)+`1"`)
	text = linkToken.ReplaceAllString(text, "by-token/"+strings.Repeat("token-", 7)+"1")
	text = anyRevision.ReplaceAllString(text, `"revision": "9c1185a5c5e9fc54"`)
	text = madeName.ReplaceAllString(text, `"$1": "9c1185a5c5e9fc54"`)
	text = hookHost.ReplaceAllString(text, `"host": "hooks.example"`)
	text = anyTime.ReplaceAllString(text, `"2026-11-20T10:00:00Z"`)
	return randomID.ReplaceAllStringFunc(text, func(id string) string {
		if documentID.MatchString(id) {
			return id
		}
		if s.ids[id] == "" {
			s.ids[id] = fmt.Sprintf("f0000000-0000-4000-8000-%012d", len(s.ids)+1)
		}
		return s.ids[id]
	})
}

// member writes a member of an example, or nothing if its text is empty.
func member(out *bytes.Buffer, name, text string, further bool) {
	if text == "" {
		return
	}
	if further {
		out.WriteByte(',')
	}
	fmt.Fprintf(out, "%q:%s", name, text)
}

// jsonText writes a text as JSON.
func jsonText(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func indented(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", " "); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out.WriteByte('\n')
	return out.Bytes()
}
