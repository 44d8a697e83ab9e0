package blackbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// order is an order as a client reads it.
type order struct {
	ID         string
	Number     int
	CartID     string `json:"cart_id"`
	Email      string
	CustomerID *string `json:"customer_id"`
	PlacedAt   string  `json:"placed_at"`
	Lines      []line
	LinesCount int `json:"lines_count"`
	Discounts  []discountSeen
	Totals     struct {
		Subtotal, Total money
		ShippingTotal   money `json:"shipping_total"`
		TaxTotal        money `json:"tax_total"`
		DiscountTotal   money `json:"discount_total"`
	}
}

// order reads the answer of a checkout with the given status.
func (a answer) order(status int) order {
	a.t.Helper()
	a.wantStatus(status)
	var envelope struct{ Data order }
	if err := json.Unmarshal(a.body, &envelope); err != nil || envelope.Data.ID == "" {
		a.t.Fatalf("%v\nwant an order: %v", a, err)
	}
	return envelope.Data
}

func (c client) checkOut(path, body string) answer {
	c.t.Helper()
	return c.post(path+"/checkout", body)
}

// withLimit gives a store a code that three orders may use.
func withLimit(document object) {
	document["discounts"] = list{discountRow(1, "order", "First three", "THREE", object{"value": percentOff("10"), "usage_limit": 3})}
}

// After the last use of a code a node sells the next cart without it. A client that expects the
// former total is refused.
func TestCheckoutAfterTheLastUse(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withLimit)}}).client(t)
	other := start(t, options{redis: r.URL()}).client(t)
	var paths []string
	for range 6 {
		path := shop.newCart()
		shop.add(path, booklet, "1")
		shop.attach(path, "THREE").wantStatus(200)
		paths = append(paths, path)
	}
	for _, path := range paths[:3] {
		if sold := shop.checkOut(path, buyer).order(201); len(sold.Discounts) != 1 {
			t.Errorf("within the limit: %+v", sold.Discounts)
		}
	}
	for i, node := range []client{other, shop} { // neither the node that made the last order nor another refuses
		if sold := node.checkOut(paths[3+i], buyer).order(201); len(sold.Discounts) != 0 || sold.Totals.Total.Amount != 1055 {
			t.Errorf("beyond the limit: %+v at %+v", sold.Discounts, sold.Totals)
		}
	}
	shop.checkOut(paths[5], `{"email":"buyer@example.com","expected_total_amount":950}`).
		want(409, `{"message":"The cart has changed.","code":"CART_CHANGED","current_total":1055}`)
}

// A cart is sold once. Every later checkout answers with its order, on each node, and no write
// changes the cart any more.
func TestACartIsSoldOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), withShipping, withDiscounts, withStock)
	here := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	there := start(t, options{redis: r.URL()}).client(t)
	path := here.newCart()
	here.add(path, hammer, "2")
	here.attach(path, "Ten10").wantStatus(200)
	once := here.once("the only checkout")
	first := once.checkOut(path, delivered)
	sold := first.order(201)
	want := fmt.Sprintf(`{"data":{"id":%q,"number":1,"cart_id":%q,"quote_id":null,"status":"placed","currency":"EUR","email":"buyer@example.com",
			"customer_id":null,"contact_id":null,"customer_note":null,"reference":null,"metadata":null,"placed_at":%q,
			"payment":{"status":"not_required","paid_at":null,"due_at":null},"shipment":null,"cancelled_at":null,"cancel_reason":null,
			"lines":[{"id":%q,"product_id":%q,"variant_id":null,"name":"Hammer","sku":"H-1","quantity":2,"unit_price_amount":1999,
				"unit_price":{"amount":1999,"currency":"EUR"},"line_total":{"amount":3598,"currency":"EUR"},"tax_rate":21,"variant_name":null,"unit":"piece",
				"attributes":{"configuration":null,"returnable":true,"lead_time_days":null}}],
			"discounts":[{"id":"60000000-0000-4000-8000-000000000004","name":"Ten","code":"Ten10","kind":"order","amount":400}],
			"discount_breakdown":[{"id":"60000000-0000-4000-8000-000000000004","name":"Ten","code":"Ten10","kind":"order","amount":400}],
			"shipping_method":{"id":%q,"name":"Parcel","price":{"amount":695,"currency":"EUR"},"price_with_tax":{"amount":695,"currency":"EUR"}},
			"shipping_address":{"label":null,"name":"Buyer","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL","phone":null},
			"billing_address":null,
			"totals":{"subtotal":{"amount":2974,"currency":"EUR"},"shipping_total":{"amount":574,"currency":"EUR"},"tax_total":{"amount":745,"currency":"EUR"},
				"discount_total":{"amount":400,"currency":"EUR"},"total":{"amount":4293,"currency":"EUR"},"tax_breakdown":[{"rate":21,"base":3548,"tax":745}]},
			"discount_total":{"amount":400,"currency":"EUR"}}}`,
		sold.ID, strings.TrimPrefix(path, "commerce/carts/"), sold.PlacedAt, sold.Lines[0].ID, hammer, parcel)
	first.want(201, want)
	if first.header.Get("Idempotent-Replayed") != "" || first.header.Get("ETag") == "" {
		t.Errorf("the first answer has %v", first.header)
	}

	again := once.checkOut(path, delivered).want(201, want)
	again.wantHeader("Idempotent-Replayed", "true").wantHeader("ETag", first.header.Get("ETag"))
	capitals := "commerce/carts/" + strings.ToUpper(strings.TrimPrefix(path, "commerce/carts/"))
	for name, repeated := range map[string]answer{
		"an id in capitals":        here.checkOut(capitals, ""),
		"another body":             here.checkOut(path, "{"),
		"a reused key":             once.checkOut(path, "{}"),
		"another key":              here.once("another").checkOut(path, delivered),
		"a version":                here.withHeader("If-Match", `"0123456789abcdef.0123456789abcdef"`).checkOut(path, ""),
		"a wrong key":              here.once(strings.Repeat("k", 300)).checkOut(path, delivered),
		"another node":             there.checkOut(path, `{"expected_total_amount":0}`),
		"another customer's token": here.withToken(tokenAda).checkOut(path, ""),
	} {
		repeated.t = t
		if repeated.want(200, want).wantHeader("Idempotent-Replayed", "true"); t.Failed() {
			t.Fatalf("repeated with %s", name)
		}
	}
	here.withToken(wrongToken).checkOut(path, delivered).wantStatus(401)

	missing := `{"message":"No query results for model [Cart] ` + strings.TrimPrefix(path, "commerce/carts/") + `"}`
	for _, write := range []answer{
		here.post(path+"/lines", addBody(hammer, "1")), there.patch(path, "{}"), here.attach(path, "FIVE"), here.remove(path + "/discount"),
		there.remove(path + "/lines/" + sold.Lines[0].ID), here.patch(path+"/lines/"+sold.Lines[0].ID, `{"quantity":1}`),
	} {
		write.want(404, missing)
	}
	for _, c := range []client{here, there} {
		if seen := c.get(path).cart(200); seen.Status != "converted" || len(seen.Lines) != 1 {
			t.Errorf("the cart is %+v", seen)
		}
		c.get(path + "/shipping-methods").wantStatus(200)
	}
	here.wantStock("", "8 of "+hammer)
}

// A valid token binds the order and the cart to its account. The order uses the account's addresses
// and e-mail.
func TestACheckoutWithAToken(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withShipping)).withKey(keyAll)
	tokens := shop.withToken(tokenAda)
	address := strings.TrimPrefix(tokens.newAddress(`{"label":"Home","name":"Ada","street":"Dam 2","postal_code":"1","city":"A","country":"NL"}`), addressesPath+"/")
	path := shop.newCart()
	shop.add(path, hammer, "1")
	body := fmt.Sprintf(`{"shipping_method_id":%q,"shipping_address_id":%q,"billing_address_id":%q,"billing_address":null}`, parcel, address, address)
	shop.withToken(tokenTess).checkOut(path, body).want(422, fieldErrors("shipping_address_id", "The selected shipping address id is invalid.",
		"billing_address_id", "The selected billing address id is invalid."))
	sold := tokens.checkOut(path, body).order(201)
	if sold.Email != adaEmail || sold.CustomerID == nil || *sold.CustomerID != ada {
		t.Errorf("the order is %+v", sold)
	}
	shop.checkOut(path, body).want(403, cartOwned)
	shop.get(path).want(403, cartOwned)
	got := tokens.get("commerce/orders/" + sold.ID).wantStatus(200)
	for _, name := range []string{"shipping_address", "billing_address"} {
		if want := `"` + name + `":{"label":"Home","name":"Ada","street":"Dam 2","postal_code":"1","city":"A","country":"NL","phone":null}`; !strings.Contains(string(got.body), want) {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
}

// Without the customers module a sale ignores a token, even a bad one, and its account's e-mail.
func TestACheckoutWithoutTheCustomersModule(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyNoCustomers)
	for _, token := range []string{tokenAda, wrongToken} {
		shop := shop.withToken(token)
		if sold := shop.sell(buyer); sold.CustomerID != nil {
			t.Errorf("with the token %q the order is %+v", token, sold)
		}
		path := shop.newCart()
		shop.add(path, booklet, "1")
		for _, sale := range []string{"/checkout", "/quote-request"} {
			shop.post(path+sale, "{}").want(422, oneField("email", "The email field is required.", ""))
		}
	}
	shop.withToken(tokenAda).get("commerce/orders").wantStatus(200)
	shop.withToken(wrongToken).get("commerce/orders").wantStatus(401)
}

// The checks of a cart show the refusals of its checkout in advance.
func TestChecksShowTheRefusalsOfTheCheckout(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withStock, collected))
	path := shop.newCart()
	shop.add(path, hammer, "11")
	shop.add(path, crane, "1")
	body := string(shop.get(path + "/explain").wantStatus(200).body)
	want := `"checks":[{"code":"QUOTE_REQUIRED","message":"This cart requires a quote.","line_id":null,"product_id":null,"variant_id":null,"requested":null,"available":null},` +
		`{"code":"OUT_OF_STOCK","message":"Insufficient stock.","line_id":null,"product_id":` + quoted(hammer) + `,"variant_id":null,"requested":11,"available":10}]}}`
	if !strings.HasSuffix(body, want) {
		t.Errorf("got %s\nwant %s", body, want)
	}
}
