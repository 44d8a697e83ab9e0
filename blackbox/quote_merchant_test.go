package blackbox_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

const (
	keyDesk   = "desk-key"
	keyReads  = "reads-key"
	home      = `{"name":"Buyer","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`
	fitting   = "a0000000-0000-4000-8000-000000000101" // 59.00, 21 %
	novel     = "a0000000-0000-4000-8000-000000000102" // 24.50, 9 %, 48 on hand
	quoteDesk = "quotes"
)

// desk is the base store whose requests for quotes wait for the merchant.
func desk(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("desk", keyDesk, "sales:manage"), apiKey("reads", keyReads, "store:read"))
	document["products"] = append(document["products"].(list),
		object{"id": fitting, "name": "Fitting", "slug": "fitting", "sku": "F", "tax": "standard", "price_amount": 5900},
		object{"id": novel, "name": "Novel", "slug": "novel", "sku": "N", "tax": "reduced", "price_amount": 2450, "track_stock": true, "stock": "48"})
	setting("quotes", object{"enabled": true, "mode": "reviewed"})(document)
}

// storeQuote is a quote as the merchant reads it.
type storeQuote struct {
	ID, Status string
	Token      *string
	Number     *int
	Version    int
	HoldUntil  *string `json:"hold_until"`
	Totals     struct{ Total money }
	OrderTotal *money `json:"order_total"`
	Draft      *struct {
		Lines             []struct{ ID string }
		LinesDiscountName string `json:"lines_discount_name"`
		Totals            struct{ Total money }
		OrderTotal        *money `json:"order_total"`
		Missing           []string
		Ready             bool
	}
	ChangeRequest *struct{ Message string } `json:"change_request"`
	History       []struct{ Event, By string }
}

func (a answer) storeQuote(status int) (q storeQuote) {
	a.t.Helper()
	a.wantStatus(status).decode(&q)
	return q
}

func (q *storeQuote) path(more string) string { return quoteDesk + "/" + q.ID + more }

func (q *storeQuote) link() string { return "sales/quotes/by-token/" + *q.Token }

// Examples 1 to 6, 16 and 18 of the merchant's quotes, over HTTP.
func TestMerchantsQuoteOfARequest(t *testing.T) {
	t.Parallel()
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), desk)}}).client(t)
	desk := shop.withKey(keyDesk)
	cart := shop.newCart()
	shop.add(cart, fitting, "90")
	asked := shop.post(cart+"/quote-request", buyer).quote(201)
	if asked.Status != "draft" || asked.Number != 0 || asked.Token != "" || asked.Totals.Total.Amount != 531000 {
		t.Errorf("the request is %+v", asked)
	}
	q := desk.get(quoteDesk + "/" + asked.ID).storeQuote(200)
	if q.Version != 0 || q.Token != nil || q.Draft == nil || q.Draft.Totals.Total.Amount != 531000 {
		t.Errorf("the merchant reads %+v", q)
	}
	var page struct {
		Data []storeQuote
		Meta struct {
			Total      int
			NextBefore *string `json:"next_before"`
		}
	}
	desk.get(quoteDesk + "?state=waiting").wantStatus(200).decode(&page)
	if len(page.Data) != 1 || page.Data[0].ID != q.ID || page.Meta.NextBefore != nil {
		t.Errorf("waiting: %+v", page)
	}
	priced := fmt.Sprintf(`{"lines":[{"id":%q,"unit_price_amount":5500}],"discount":{"name":"Project","percent":"2.5"}}`, q.Draft.Lines[0].ID)
	q = desk.patch(q.path(""), priced).storeQuote(200)
	if q.Draft.Totals.Total.Amount != 482625 || q.Totals.Total.Amount != 531000 {
		t.Errorf("the draft is %+v", q)
	}
	q = desk.patch(q.path(""), fmt.Sprintf(`{"lines":[{"id":%q},{"name":"Measuring on site","quantity":1,"unit_price_amount":7500,"tax":"reduced"}],`+
		`"shipping":{"name":"Van","price_amount":4900,"tax":"standard"}}`, q.Draft.Lines[0].ID)).storeQuote(200)
	if q.Draft.Totals.Total.Amount != 489937 || q.Draft.OrderTotal.Amount != 494837 || !q.Draft.Ready {
		t.Errorf("the draft is %+v", q.Draft)
	}
	desk.post(q.path("/offer"), `{"expected_total_amount":489937}`).want(409, `{"message":"The cart has changed.","code":"CART_CHANGED","current_total":494837}`)
	q = desk.post(q.path("/offer"), `{"expected_total_amount":494837}`).storeQuote(200)
	if q.Status != "offered" || q.Version != 1 || q.Number == nil || *q.Number != 1 || q.Token == nil || q.OrderTotal.Amount != 494837 {
		t.Fatalf("the offer is %+v", q)
	}
	if again := desk.post(q.path("/offer"), `{}`).storeQuote(200); again.Version != 1 {
		t.Errorf("offered twice: %+v", again)
	}
	if shown := shop.get(q.link()).bareQuote(200); shown.Number != 1 || shown.Status != "offered" {
		t.Errorf("the customer reads %+v", shown)
	}
	for _, text := range []string{"Cheaper.", "Much cheaper."} {
		shop.post(q.link()+"/change-request", `{"message":"`+text+`"}`).wantStatus(200)
	}
	desk.get(quoteDesk + "?state=waiting").wantStatus(200).decode(&page)
	if len(page.Data) != 1 || page.Data[0].ChangeRequest == nil || page.Data[0].ChangeRequest.Message != "Much cheaper." {
		t.Errorf("waiting: %+v", page)
	}
	desk.patch(q.path(""), `{"discount":{"percent":"5"}}`).storeQuote(200)
	if shown := shop.get(q.link()).storeQuote(200); shown.OrderTotal.Amount != 494837 {
		t.Errorf("by token: %+v", shown)
	}
	if q = desk.post(q.path("/offer"), `{"expected_total_amount":482275}`).storeQuote(200); q.Version != 2 || *q.Number != 1 || q.ChangeRequest != nil {
		t.Errorf("the second offer is %+v", q)
	}
	for _, body := range []string{`{}`, `{"version":1}`} {
		shop.post(q.link()+"/accept", body).want(409, `{"message":"This quote has changed.","code":"QUOTE_CHANGED","current_version":2}`)
	}
	shop.post(q.link()+"/accept", `{"version":0}`).wantStatus(422)
	desk.withHeader("If-Match", `"0000000000000000"`).patch(q.path(""), `{}`).wantStatus(412)
	accept := `{"version":2,"expected_total_amount":482275,"shipping_address":` + home + `}`
	if _, o := shop.post(q.link()+"/accept", accept).accepted(201); o.Totals.Total.Amount != 482275 {
		t.Errorf("the order is %+v", o)
	}
	shop.post(q.link()+"/decline", `{}`).wantStatus(409)
	desk.patch(q.path(""), `{}`).wantStatus(409)
	if q = shop.withKey(keyReads).get(q.path("")).storeQuote(200); q.Status != "accepted" {
		t.Errorf("accepted: %+v", q)
	}
	shop.withKey(keyReads).post(quoteDesk, `{}`).wantStatus(403)
	shop.get(quoteDesk).wantStatus(403)
	var events []string
	for _, e := range q.History {
		events = append(events, e.Event+e.By)
	}
	want := []string{"requested", "offereddesk", "change_requested", "change_requested", "offereddesk", "accepted"}
	if !slices.Equal(events, want) {
		t.Errorf("the history is %v, want %v", events, want)
	}
}

// Examples 14 and 16: an offer that holds its stock, the order of numbers, drafts that go.
func TestMerchantsQuotesHoldStock(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*redistest.Server{"mini": redistest.Mini(t)} {
		t.Run(name, func(t *testing.T) { holdStock(t, r) })
	}
}

func holdStock(t *testing.T, r *redistest.Server) {
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), desk)}}).client(t)
	desk := shop.withKey(keyDesk)
	available := func(want float64) {
		t.Helper()
		var seen struct{ Data []struct{ Available float64 } }
		shop.get("stock/availability?product_ids[]=" + novel).wantStatus(200).decode(&seen)
		if seen.Data[0].Available != want {
			t.Errorf("available %v, want %v", seen.Data[0].Available, want)
		}
	}
	shop.add(shop.newCart(), novel, "40")
	body := `{"email":"a@b.co","hold_stock":true,"shipping":{"name":"Van","price_amount":0,"tax":"standard"},"lines":[{"product_id":%q,"quantity":10}]}`
	a := desk.post(quoteDesk, fmt.Sprintf(body, novel)).storeQuote(201)
	desk.post(a.path("/offer"), `{}`).want(409,
		`{"message":"Insufficient stock.","code":"OUT_OF_STOCK","out_of_stock":[{"product_id":"`+novel+`","variant_id":null,"requested":10,"available":8}]}`)
	available(8)
	desk.patch(a.path(""), fmt.Sprintf(`{"lines":[{"id":%q,"quantity":8}]}`, a.Draft.Lines[0].ID)).storeQuote(200)
	a = desk.post(a.path("/offer"), `{}`).storeQuote(200)
	if available(0); *a.Number != 1 || a.HoldUntil == nil {
		t.Errorf("offered: %+v", a)
	}
	desk.post(a.path("/withdraw"), `{"reason":"Later"}`).storeQuote(200)
	available(8)
	desk.post(a.path("/offer"), `{}`).want(409, `{"message":"There is no draft to offer.","code":"QUOTE_DRAFT_MISSING"}`)
	desk.patch(a.path(""), `{}`).storeQuote(200)
	if a = desk.post(a.path("/offer"), `{}`).storeQuote(200); a.Version != 2 {
		t.Errorf("offered again: %+v", a)
	}
	available(0)
	shop.post(a.link()+"/accept", `{"version":2,"shipping_address":`+home+`}`).accepted(201)
	available(0)
	write := `{"email":"a@b.co","lines":[{"name":"Work","quantity":1,"unit_price_amount":100,"tax":"standard"}]}`
	key := desk.withHeader("Idempotency-Key", "the only quote")
	b := key.post(quoteDesk, write).storeQuote(201)
	if again := key.post(quoteDesk, write).storeQuote(201); again.ID != b.ID {
		t.Errorf("made twice: %v, %v", b.ID, again.ID)
	}
	key.post(quoteDesk, `{}`).wantStatus(422)
	c := desk.post(quoteDesk, fmt.Sprintf(`{"from":{"quote_id":%q}}`, b.ID)).storeQuote(201)
	if c.Draft.Totals.Total.Amount != 100 {
		t.Errorf("the copy is %+v", c)
	}
	desk.post(quoteDesk, `{"from":{}}`).wantStatus(422)
	desk.post(quoteDesk, `{"from":{"order_id":"`+unknownID+`"}}`).wantStatus(404)
	if c = desk.post(c.path("/offer"), `{}`).storeQuote(200); *c.Number != 2 {
		t.Errorf("offered: %+v", c)
	}
	desk.patch(b.path(""), `{"valid_until":"2099-01-01T00:00:00Z"}`).storeQuote(200)
	if b = desk.post(b.path("/offer"), `{}`).storeQuote(200); *b.Number != 3 {
		t.Errorf("offered: %+v", b)
	}
	numbers := func(query string) (all []int) {
		for before := ""; ; {
			var page struct {
				Data []storeQuote
				Meta struct {
					NextBefore *string `json:"next_before"`
				}
			}
			desk.get(quoteDesk + query + before).wantStatus(200).decode(&page)
			for _, q := range page.Data {
				all = append(all, *q.Number)
			}
			if page.Meta.NextBefore == nil {
				return all
			}
			before = "&before=" + *page.Meta.NextBefore
		}
	}
	for query, want := range map[string][]int{
		"?per_page=1": {3, 2, 1}, "?per_page=2": {3, 2, 1}, "?number=2": {2}, "?number=9": nil, "?state=offered&per_page=1": {2, 3}, "?email=a@b.co": {1, 2, 3},
		"?email=x@b.co": nil, "?customer_id=" + ada: nil,
	} {
		got := numbers(query)
		if strings.HasPrefix(query, "?email") { // the newest first, of which two may be of one millisecond
			slices.Sort(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: numbers %v, want %v", query, got, want)
		}
	}
	desk.get(quoteDesk + "?state=sold").wantStatus(422)
	desk.get(quoteDesk + "?state=waiting&before=x").wantStatus(422)
	d := desk.post(quoteDesk, `{}`).storeQuote(201)
	desk.remove(d.path("/draft")).wantStatus(204)
	desk.get(d.path("")).wantStatus(404)
	desk.remove(d.path("/draft")).wantStatus(404)
	path := shop.newCart()
	shop.add(path, fitting, "1")
	e := shop.post(path+"/quote-request", buyer).quote(201)
	desk.remove(quoteDesk+"/"+e.ID+"/draft").want(409, `{"message":"A customer has asked for this quote.","code":"QUOTE_REQUESTED"}`)
	if gone := desk.post(quoteDesk+"/"+e.ID+"/withdraw", "").storeQuote(200); gone.Status != "withdrawn" || gone.Number != nil {
		t.Errorf("withdrawn: %+v", gone)
	}
}

// Example 7: an offer against an accept, on two nodes. In some rounds the offer gives the accept a lead.
func TestOfferAgainstAccept(t *testing.T) {
	t.Parallel()
	offersAgainstAccepts(t, redistest.Mini(t), 40)
}

func offersAgainstAccepts(t *testing.T, r *redistest.Server, rounds int) {
	file := storeFile(t, base(), desk, setting("rate_limit_per_minute", 1_000_000))
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}, flags: []string{"--trusted-proxies", "127.0.0.1"}}).client(t)
	}
	won := map[string]int{}
	for round := range rounds {
		shop, desk := nodes[round%2], nodes[1-round%2].withKey(keyDesk)
		q := desk.post(quoteDesk, `{"email":"a@b.co","lines":[{"name":"Work","quantity":1,"unit_price_amount":494837,"tax":"standard"}]}`).storeQuote(201)
		q = desk.post(q.path("/offer"), `{}`).storeQuote(200)
		line := desk.patch(q.path(""), `{}`).storeQuote(200).Draft.Lines[0].ID
		desk.patch(q.path(""), fmt.Sprintf(`{"lines":[{"id":%q,"unit_price_amount":482275}]}`, line)).storeQuote(200)
		var accepted, offered answer
		var both sync.WaitGroup
		both.Go(func() {
			accepted, _ = shop.withHeader("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", round/250, round%250)).try("POST", q.link()+"/accept", `{"version":1}`)
		})
		both.Go(func() {
			for range round % 4 {
				_, _ = desk.try("GET", q.path(""), "") // the lead
			}
			offered, _ = desk.try("POST", q.path("/offer"), `{"expected_total_amount":482275}`)
		})
		both.Wait()
		version, status, total := 1, "accepted", 494837
		switch {
		case accepted.status == 201 && offered.status == 409:
			_, o := accepted.accepted(201)
			offered.want(409, alreadyConverted(o.ID))
			if o.Totals.Total.Amount != 494837 {
				t.Errorf("round %d: an order of %d", round, o.Totals.Total.Amount)
			}
			won["accept"]++
		case accepted.status == 409 && offered.status == 200:
			accepted.want(409, `{"message":"This quote has changed.","code":"QUOTE_CHANGED","current_version":2}`)
			version, status, total = 2, "offered", 482275
			won["offer"]++
		default:
			t.Fatalf("round %d: %v, %v", round, accepted, offered)
		}
		for _, c := range nodes {
			if seen := c.withKey(keyDesk).get(q.path("")).storeQuote(200); seen.Version != version || seen.Status != status || seen.Totals.Total.Amount != int64(total) {
				t.Errorf("round %d: %+v, want version %d, %s", round, seen, version, status)
			}
		}
	}
	if t.Log(won); won["accept"] == 0 || won["offer"] == 0 {
		t.Errorf("of %d rounds %v have won: it proves little", rounds, won)
	}
}
