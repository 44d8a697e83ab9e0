package blackbox_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// quote is a quote as a client reads it.
type quote struct {
	ID, Status, Token string
	Number            int
	AcceptanceMode    string   `json:"acceptance_mode"`
	CustomerID        *string  `json:"customer_id"`
	OrderID           *string  `json:"order_id"`
	Reasons           []string `json:"quote_reasons"`
	Email             string
	Lines             []line
	Discounts         []discountSeen
	Totals            struct{ Subtotal, Total money }
	CreatedAt         time.Time `json:"created_at"`
	ValidUntil        time.Time `json:"valid_until"`
}

func (q quote) path() string { return "sales/quotes/by-token/" + q.Token }

// quote reads the answer of a request for a quote.
func (a answer) quote(status int) quote {
	a.t.Helper()
	var envelope struct{ Data quote }
	a.wantStatus(status).decode(&envelope)
	return envelope.Data
}

// bareQuote reads a quote by its token, or a decline.
func (a answer) bareQuote(status int) (q quote) {
	a.t.Helper()
	a.wantStatus(status).decode(&q)
	return q
}

// accepted reads the answer of an accept.
func (a answer) accepted(status int) (q quote, o order) {
	a.t.Helper()
	var both struct {
		Quote quote
		Order order
	}
	a.wantStatus(status).decode(&both)
	return both.Quote, both.Order
}

func (a answer) decode(v any) {
	a.t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		a.t.Fatalf("%v\n%v", a, err)
	}
}

// ask makes a cart of hammers and requests a quote of it.
func (c client) ask(hammers string) (path string, q quote) {
	c.t.Helper()
	path = c.newCart()
	c.add(path, hammer, hammers)
	return path, c.post(path+"/quote-request", buyer).quote(201)
}

// acceptBody is the body of an accept with delivery and, if wanted, a signature.
const (
	delivery     = `"shipping_method_id":"` + parcel + `","shipping_address":` + place
	acceptBody   = `{` + delivery + `}`
	signedAccept = `{` + signed + `,"signer_name":" Buyer ",` + delivery + `}`
)

func alreadyConverted(order string) string {
	return `{"message":"This quote has already been accepted.","code":"ALREADY_CONVERTED","order_id":` + quoted(order) + `}`
}

// turned is the base store after an import that changes every part that a quote rests on.
func turned(document object) {
	withShipping(document)
	withStock(document)
	for product, changes := range map[string]object{
		hammer: {"name": "Sledge", "sku": "S-1", "price_amount": 9999, "tax": "reduced", "active": false},
		cable:  {"price_amount": 1, "tax": "zero"},
	} {
		for member, value := range changes {
			changed(product, member, value)(document)
		}
	}
	setting("quotes", object{"enabled": false})(document)
	setting("policy", object{"identity_mode": "login_required", "min_order_value_amount": 1_000_000})(document)
	document["shipping_methods"].(list)[0].(object)["price_amount"] = 1000
}

// A cart has one quote. The quote keeps its promise after an import, and becomes one order, which
// is also its cart's.
func TestAQuoteIsAccepted(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), withShipping, withDiscounts, withStock, setting("quotes", object{"enabled": true, "cart_threshold_amount": 1000, "acceptance_mode": "signature", "valid_days": 14}))
	here := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	there := start(t, options{redis: r.URL()}).client(t)
	path := here.newCart()
	here.add(path, hammer, "2")
	here.attach(path, "SHIP").wantStatus(200)
	here.wantStock("", "8 of "+hammer)
	here.checkOut(path, delivered).want(409, `{"message":"This cart requires a quote.","code":"QUOTE_REQUIRED","reasons":["cart_threshold"]}`)

	ask := `{"email":"Buyer@Example.com","name":" Buyer ","company_name":"Buyers","phone":"020","message":"Soon","reference":"RFQ 7"}`
	once := here.once("the only request")
	first := once.post(path+"/quote-request", ask)
	q := first.quote(201)
	want := func(token, answered string) string {
		return fmt.Sprintf(`{"id":%q,"number":1,%s,"acceptance_mode":"signature","currency":"EUR","cart_id":%q,"customer_id":null,"contact_id":null,
				"email":"buyer@example.com","name":"Buyer","company_name":"Buyers","phone":"020","message":"Soon","reference":"RFQ 7","metadata":null,"quote_reasons":["cart_threshold"],
				"lines":[{"id":%q,"product_id":%q,"variant_id":null,"name":"Hammer","sku":"H-1","quantity":2,"unit_price_amount":1999,
					"unit_price":{"amount":1999,"currency":"EUR"},"line_total":{"amount":3998,"currency":"EUR"},"tax_rate":21,"variant_name":null,"unit":"piece","attributes":{"configuration":null}}],
				"discounts":[],"discount_total":{"amount":0,"currency":"EUR"},
				"totals":{"subtotal":{"amount":3304,"currency":"EUR"},"tax_total":{"amount":694,"currency":"EUR"},"discount_total":{"amount":0,"currency":"EUR"},
					"total":{"amount":3998,"currency":"EUR"},"tax_breakdown":[{"rate":21,"base":3304,"tax":694}]},
				"valid_until":%q,"declined_at":null,"decline_reason":null,%s"created_at":%q}`,
			q.ID, answered, strings.TrimPrefix(path, "commerce/carts/"), q.Lines[0].ID, hammer, q.ValidUntil.Format(time.RFC3339), token, q.CreatedAt.Format(time.RFC3339))
	}
	open := `"status":"offered","order_id":null,"signer_name":null,"accepted_at":null`
	shown := `{"data":` + want(`"token":`+quoted(q.Token)+`,`, open) + `}`
	first.want(201, shown)
	if length := q.ValidUntil.Sub(q.CreatedAt); length != 14*24*time.Hour || first.header.Get("ETag") == "" || len(q.Token) != 43 {
		t.Errorf("valid for %v, with the headers %v", length, first.header)
	}
	again := once.post(path+"/quote-request", ask).want(201, shown)
	again.wantHeader("Idempotent-Replayed", "true").wantHeader("ETag", first.header.Get("ETag"))
	there.once("the only request").post(path+"/quote-request", ask).want(201, shown).wantHeader("Idempotent-Replayed", "true")
	missing := `{"message":"No query results for model [Cart] ` + strings.TrimPrefix(path, "commerce/carts/") + `"}`
	here.post(path+"/quote-request", ask).want(404, missing)
	there.checkOut(path, delivered).want(404, missing)
	here.patch(path, "{}").want(404, missing)
	explained := there.get(path + "/explain").wantStatus(200)
	if check := `"checks":[{"code":null,"message":"No query results for model [Cart] ` + strings.TrimPrefix(path, "commerce/carts/"); !strings.Contains(string(explained.body), check) {
		t.Errorf("%v\nwant %s", explained, check)
	}
	if seen := there.get(path).cart(200); seen.Status != "converted" {
		t.Errorf("the cart is %s", seen.Status)
	}
	here.wantStock("", "10 of "+hammer)

	imports(t, r, storeFile(t, base(), turned)).wantStores(t, "imported")
	poll(t, "the import on both nodes", func() bool {
		return here.post(path+"/quote-request", ask).status == 404 && string(here.post(path+"/quote-request", ask).body) == salesOff &&
			string(there.post(path+"/quote-request", ask).body) == salesOff
	})
	for _, prefix := range []string{"sales", "commerce"} {
		for _, c := range []client{here, there, here.withToken(wrongToken)} {
			got := c.get(prefix+"/quotes/by-token/"+q.Token).want(200, want("", open))
			c.withHeader("If-None-Match", got.header.Get("ETag")).get(prefix + "/quotes/by-token/" + q.Token).wantStatus(304)
		}
	}

	stale := there.withHeader("If-Match", `"0123456789abcdef.0123456789abcdef"`).once("the only accept")
	sale := stale.post(q.path()+"/accept", signedAccept)
	_, o := sale.accepted(201)
	closed := want("", fmt.Sprintf(`"status":"accepted","order_id":%q,"signer_name":"Buyer","accepted_at":%q`, o.ID, o.PlacedAt))
	ordered := fmt.Sprintf(`{"id":%q,"number":1,"cart_id":%q,"quote_id":%q,"status":"placed","currency":"EUR","email":"buyer@example.com",
			"customer_id":null,"contact_id":null,"customer_note":null,"reference":"RFQ 7","metadata":null,"placed_at":%q,
			"payment":{"status":"not_required","paid_at":null,"due_at":null},"shipment":null,"cancelled_at":null,"cancel_reason":null,
			"lines":[{"id":%q,"product_id":%q,"variant_id":null,"name":"Hammer","sku":"H-1","quantity":2,"unit_price_amount":1999,
				"unit_price":{"amount":1999,"currency":"EUR"},"line_total":{"amount":3998,"currency":"EUR"},"tax_rate":21,"variant_name":null,"unit":"piece",
				"attributes":{"configuration":null,"returnable":true,"lead_time_days":null}}],
			"discounts":[{"id":"60000000-0000-4000-8000-000000000008","name":"Three off","code":"SHIP","kind":"shipping","amount":300}],
			"discount_breakdown":[{"id":"60000000-0000-4000-8000-000000000008","name":"Three off","code":"SHIP","kind":"shipping","amount":300}],
			"shipping_method":{"id":%q,"name":"Parcel","price":{"amount":700,"currency":"EUR"},"price_with_tax":{"amount":700,"currency":"EUR"}},
			"shipping_address":{"label":null,"name":"Buyer","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL","phone":null},
			"billing_address":null,
			"totals":{"subtotal":{"amount":3304,"currency":"EUR"},"shipping_total":{"amount":579,"currency":"EUR"},"tax_total":{"amount":815,"currency":"EUR"},
				"discount_total":{"amount":0,"currency":"EUR"},"total":{"amount":4698,"currency":"EUR"},"tax_breakdown":[{"rate":21,"base":3883,"tax":815}]},
			"discount_total":{"amount":0,"currency":"EUR"}}`,
		o.ID, strings.TrimPrefix(path, "commerce/carts/"), q.ID, o.PlacedAt, q.Lines[0].ID, hammer, parcel)
	both := `{"quote":` + closed + `,"order":` + ordered + `}`
	sale.want(201, both)
	stale.post("commerce/quotes/by-token/"+q.Token+"/accept", signedAccept).want(201, both).wantHeader("Idempotent-Replayed", "true").wantHeader("ETag", sale.header.Get("ETag"))
	here.once("the only accept").post(q.path()+"/accept", "{}").want(422, keyReused)
	for _, answer := range []string{"/accept", "/decline"} {
		for _, c := range []client{here, there, here.once("another" + answer)} {
			c.post(q.path()+answer, "{").want(409, alreadyConverted(o.ID))
		}
	}
	for _, c := range []client{here, there} {
		c.get(q.path()).want(200, closed).wantHeader("ETag", here.get(q.path()).header.Get("ETag"))
		if explained := c.get(path + "/explain").wantStatus(200); !strings.HasSuffix(string(explained.body), `"checks":[]}}`) {
			t.Errorf("%v\nwant no checks", explained)
		}
	}
	if left := r.Client().HGet(t.Context(), "{"+storeBase+"}:onhand", hammer).Val(); left != "8000000" {
		t.Errorf("%s millionths of hammers are left", left)
	}
	for _, c := range []client{here, there, here.once("the only request")} {
		c.checkOut(path, "{").want(200, `{"data":`+ordered+`}`).wantHeader("Idempotent-Replayed", "true")
	}

	kept := r.Client()
	for _, key := range kept.Keys(t.Context(), "*").Val() {
		stays := strings.Contains(key, ":quote") || strings.Contains(key, ":signature")
		if ttl := kept.TTL(t.Context(), key).Val(); stays && ttl != -1 && !strings.Contains(key, "quote-answers") {
			t.Errorf("%s leaves in %v", key, ttl)
		}
		if text, err := kept.Get(t.Context(), key).Result(); strings.Contains(key, q.Token) || err == nil && strings.Contains(text, q.Token) {
			t.Errorf("the token stands in %s", key)
		}
	}
	picture, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(onePixel, "data:image/png;base64,"))
	if stored := kept.Get(t.Context(), "{"+storeBase+"}:signature:"+q.ID).Val(); stored != string(picture) {
		t.Errorf("%d bytes of the signature are kept, want %d", len(stored), len(picture))
	}
	for _, c := range []client{here, there} {
		if strings.Contains(c.node.Log.String(), q.Token) {
			t.Error("the token is logged")
		}
	}
}

// The request of a quote counts the usage of its discounts, also of those on the delivery; its accept
// does not count it again.
func TestUsageOfAQuote(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base(), withShipping, func(document object) {
		document["discounts"] = list{
			discountRow(1, "order", "First", "FIRST", object{"value": percentOff("10"), "usage_limit": 1}),
			discountRow(2, "shipping", "Post", "", object{"value": percentOff("50"), "usage_limit": 1}),
		}
	})
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	wantUsed := func(when string) {
		t.Helper()
		if used := r.Client().HVals(t.Context(), "{"+storeBase+"}:usage").Val(); len(used) != 2 || used[0] != "1" || used[1] != "1" {
			t.Errorf("after the %s the discounts are used %q times, want once each", when, used)
		}
	}
	path := shop.newCart()
	shop.add(path, hammer, "1")
	shop.attach(path, "first").wantStatus(200)
	q := shop.post(path+"/quote-request", buyer).quote(201)
	wantUsed("request")
	if a := shop.attach(shop.newCart(), "FIRST"); !strings.Contains(string(a.body), `"discount_code_error":"usage_limit"`) {
		t.Errorf("after the last use: %v", a)
	}
	if _, o := shop.post(q.path()+"/accept", acceptBody).accepted(201); len(o.Discounts) != 2 {
		t.Errorf("the order has %+v", o.Discounts)
	}
	wantUsed("accept")
}

// A signature of 2,097,152 bytes is kept whole. Only an accept may have a body of 3 MB.
func TestTheSizeOfASignature(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyQuotes)})
	shop := n.client(t).withKey(keyQuotes)
	path := shop.newCart()
	shop.add(path, booklet, "1")
	q := shop.post(path+"/quote-request", buyer).quote(201)
	const maxSize = 2 << 20
	picture, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(onePixel, "data:image/png;base64,"))
	picture = append(picture, make([]byte, maxSize-len(picture))...)
	full := `{"signature":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(picture) + `"}`
	shop.post(q.path()+"/accept", full+strings.Repeat(" ", 3<<20-len(full)-1)+"x").wantStatus(400) // as much as a body may be
	shop.post(q.path()+"/accept", full+strings.Repeat(" ", 3<<20-len(full)+1)).wantStatus(413)
	shop.post(q.path()+"/decline", full).want(413, `{"message":"The request body is too large."}`)
	shop.post("commerce/quotes/by-token/"+q.Token+"/accept", full).wantStatus(201)
	if kept := r.Client().StrLen(t.Context(), "{"+storeQuotes+"}:signature:"+q.ID).Val(); kept != maxSize {
		t.Errorf("%d bytes are kept, want %d", kept, maxSize)
	}
}

// The store's webhooks get one event each for a request, an accept and a decline of a quote, and for an
// order, its cart and its stock. Only the event of a request has the quote's token.
func TestTheEventsOfSales(t *testing.T) {
	t.Parallel()
	v := newReceiver(t, takes)
	hook := func(document object) {
		events := list{"quote.requested", "quote.accepted", "quote.declined", "cart.converted", "order.placed", "stock.adjusted"}
		setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": events}})(document)
	}
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, collected, hook)}, flags: []string{"--webhook-allow-private"}})
	shop := n.client(t)
	path, q := shop.ask("2")
	offered := shop.get(q.path()).wantStatus(200)
	sale := shop.post(q.path()+"/accept", "").wantStatus(201)
	accepted := shop.get(q.path()).wantStatus(200)
	_, o := sale.accepted(201)
	_, order, _ := strings.Cut(strings.TrimSuffix(string(sale.body), "}"), `,"order":`)
	refused, d := shop.ask("1")
	reoffered := shop.get(d.path()).wantStatus(200)
	declined := shop.post(d.path()+"/decline", "").wantStatus(200)
	bought := shop.newCart()
	shop.add(bought, cable, "1.125")
	direct := shop.checkOut(bought, buyer)
	made := direct.order(201)
	event := func(name, rest string, at time.Time) string {
		return `{"event":` + quoted(name) + `,"store_id":` + quoted(storeBase) + "," + rest + `,"occurred_at":` + quoted(at.Format(time.RFC3339)) + "}"
	}
	converted := func(path string, q quote) string {
		return event("cart.converted", `"cart_id":`+quoted(strings.TrimPrefix(path, "commerce/carts/"))+`,"order_id":null,"quote_id":`+quoted(q.ID), q.CreatedAt)
	}
	placed, _ := time.Parse(time.RFC3339, o.PlacedAt)
	madeAt, _ := time.Parse(time.RFC3339, made.PlacedAt)
	var ended struct {
		At time.Time `json:"declined_at"`
	}
	declined.decode(&ended)
	want := []string{
		event("quote.requested", `"quote":`+string(offered.body)+`,"token":`+quoted(q.Token), q.CreatedAt), converted(path, q),
		event("stock.adjusted", `"product_id":`+quoted(hammer)+`,"variant_id":null,"quantity":-2,"on_hand":8,"reason":"order"`, placed),
		event("order.placed", `"order":`+forMerchant([]byte(order))+`,"token":`+quoted(sale.header.Get("X-Order-Token")), placed), event("quote.accepted", `"quote":`+string(accepted.body), placed),
		event("quote.requested", `"quote":`+string(reoffered.body)+`,"token":`+quoted(d.Token), d.CreatedAt), converted(refused, d),
		event("quote.declined", `"quote":`+string(declined.body), ended.At),
		event("stock.adjusted", `"product_id":`+quoted(cable)+`,"variant_id":null,"quantity":-1.125,"on_hand":1.375,"reason":"order"`, madeAt),
		event("order.placed", `"order":`+forMerchant(direct.body[len(`{"data":`):len(direct.body)-1])+`,"token":`+quoted(direct.header.Get("X-Order-Token")), madeAt),
		event("cart.converted", `"cart_id":`+quoted(idOf(bought))+`,"order_id":`+quoted(made.ID)+`,"quote_id":null`, madeAt),
	}
	poll(t, "all events", func() bool { return len(v.events()) >= len(want) })
	got := v.events()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, e := range got {
		if has := strings.Contains(e, q.Token) || strings.Contains(e, d.Token); has != strings.HasPrefix(e, `{"event":"quote.requested"`) {
			t.Errorf("has a quote's token: %v: %s", has, e)
		}
	}
}
