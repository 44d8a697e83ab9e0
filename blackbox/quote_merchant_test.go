package blackbox_test

import (
	"fmt"
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
