package blackbox_test

import (
	"encoding/json"
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

// The store's webhooks get one event each for a request, an accept and a decline of a quote, and for an
// order, its cart and its stock. Only the event of a request has the quote's token. The lines have the
// shopper's own words with their labels.
func TestTheEventsOfSales(t *testing.T) {
	t.Parallel()
	v := newReceiver(t, takes)
	hook := func(document object) {
		events := list{"quote.requested", "quote.accepted", "quote.declined", "cart.converted", "order.placed", "stock.adjusted"}
		setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": events}})(document)
	}
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, collected, hook,
		changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving"}}))},
		flags: []string{"--webhook-allow-private"}})
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
	engraved := shop.add(bought, hammer, "1", `"properties":{"_rush":"yes","engraving":"Ada \"é\""}`).Lines[1].ID
	direct := shop.checkOut(bought, buyer)
	made := direct.order(201)
	line := `{"id":` + quoted(engraved) + `,"product_id":` + quoted(hammer) + `,"variant_id":null,"name":"Hammer","sku":"H-1","quantity":1,` +
		`"unit_price_amount":1999,"unit_price":{"amount":1999,"currency":"EUR"},"line_total":{"amount":1999,"currency":"EUR"},` +
		`"unit_price_without_tax":{"amount":1652,"currency":"EUR"},"line_total_without_tax":{"amount":1652,"currency":"EUR"},"tax_rate":21,` +
		`"variant_name":null,"unit":"piece","total_share":{"amount":1999,"currency":"EUR"},"shipped_quantity":0,"cancelled_quantity":0,` +
		`"returned_quantity":0,"refunded_quantity":0,"backordered":false,"available_from":null,` +
		`"attributes":{"configuration":null,"returnable":true,"lead_time_days":null},` +
		`"properties":{"engraving":"Ada \"é\"","_rush":"yes"},"property_labels":{"engraving":"Engraving"}}`
	if !strings.Contains(string(direct.body), line) {
		t.Errorf("%s\nhas no line %s", direct.body, line)
	}
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
		event("order.placed", `"order":`+forMerchant([]byte(order))+`,"token":`+quoted(sale.header.Get("X-Order-Token")), placed), event("quote.accepted",
			`"quote":`+string(accepted.body), placed),
		event("quote.requested", `"quote":`+string(reoffered.body)+`,"token":`+quoted(d.Token), d.CreatedAt), converted(refused, d),
		event("quote.declined", `"quote":`+string(declined.body), ended.At),
		event("stock.adjusted", `"product_id":`+quoted(cable)+`,"variant_id":null,"quantity":-1.125,"on_hand":1.375,"reason":"order"`, madeAt),
		event("stock.adjusted", `"product_id":`+quoted(hammer)+`,"variant_id":null,"quantity":-1,"on_hand":7,"reason":"order"`, madeAt),
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
