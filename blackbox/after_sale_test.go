package blackbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const keyOffice = "office-key"

// office adds the key of the merchant's own systems, and orders that must be paid.
func office(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("office", keyOffice, "orders:read", "orders:write"))
	setting("orders", object{"payment_minutes": 60})(document)
}

// soldOrder is an order as the merchant sees it.
type soldOrder struct {
	ID, Status string
	Number     int
	Payment    struct {
		Status    string
		Reference *string
		PaidAt    *string `json:"paid_at"`
		DueAt     *string `json:"due_at"`
	}
	Shipment     *struct{ Carrier *string }
	CancelReason *string `json:"cancel_reason"`
	Restocked    bool
	Lines        []line
	Totals       struct{ Total money }
}

func (a answer) soldOrder() (o soldOrder) {
	a.t.Helper()
	if err := json.Unmarshal(a.wantStatus(200).body, &o); err != nil || o.ID == "" {
		a.t.Fatalf("%v\nwant an order: %v", a, err)
	}
	return o
}

// A cancel returns stock and leaves the cart sold; a late checkout of the cart answers the cancelled
// order. The list goes on by number.
func TestCancelledOrders(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock, collected, office)}})
	shop, merchant := n.client(t).withToken(tokenAda), n.client(t).withKey(keyOffice)
	var sold []order
	for range 3 {
		path := shop.newCart()
		shop.add(path, hammer, "2")
		sold = append(sold, shop.checkOut(path, "{}").order(201))
	}
	got := merchant.post("orders/"+sold[1].ID+"/cancel", `{"reason":"Called"}`).soldOrder()
	if got.Status != "cancelled" || *got.CancelReason != "Called" || !got.Restocked || got.Payment.Status != "due" {
		t.Errorf("cancelled: %+v", got)
	}
	if got := merchant.post("orders/"+sold[2].ID+"/cancel", `{"restock":false}`).soldOrder(); got.Restocked {
		t.Errorf("without its stock: %+v", got)
	}
	shop.wantStock("", "6 of "+hammer)
	late := shop.checkOut("commerce/carts/"+sold[1].CartID, "{}").wantStatus(200)
	if !strings.Contains(string(late.body), `"status":"cancelled"`) || !strings.Contains(string(late.body), `"cancel_reason":null`) {
		t.Errorf("the checkout again: %v", late)
	}
	type page struct {
		Data  []soldOrder
		Links struct{ Prev, Next *string }
		Meta  struct {
			Total     int
			NextAfter *int `json:"next_after"`
		}
	}
	p := decoded[page](merchant.get("orders?per_page=2&page=7"))
	if len(p.Data) != 2 || p.Data[0].Number != 1 || p.Meta.Total != 3 || *p.Meta.NextAfter != 2 || p.Links.Prev != nil || !strings.HasSuffix(*p.Links.Next, "/orders?per_page=2&after=2") {
		t.Errorf("the first page is %+v, next %v", p, p.Links.Next)
	}
	if p := decoded[page](merchant.get("orders?per_page=2&after=2")); len(p.Data) != 1 || p.Data[0].Number != 3 || p.Meta.NextAfter != nil || p.Links.Next != nil {
		t.Errorf("the last page is %+v", p)
	}
	if p := decoded[page](merchant.get("orders?status=cancelled&payment_status=due")); len(p.Data) != 2 || p.Meta.Total != 3 {
		t.Errorf("the cancelled ones are %+v", p)
	}
	merchant.get("orders?status=paid&payment_status=x&after=x").want(422, fieldErrors("after", "The after field must be an integer.",
		"status", "The selected status is invalid.", "payment_status", "The selected payment status is invalid."))

	if out := operates(t, r, "orders", "--store", storeBase, "--status", "cancelled").wants(t); strings.Count(out, "\n") != 2 {
		t.Errorf("the cancelled orders are %s", out)
	}
	operates(t, r, "show", "order", sold[1].ID).wants(t, `"status": "cancelled"`, "Called", `"quantity": 2`, `"item": "`+hammer)
	operates(t, r, "orders", "--store", storeBase, "--next", "9").wants(t, "left out the numbers 4 to 8: the next order gets the number 9\n")
	if last := shop.sell("{}"); last.Number != 9 {
		t.Errorf("the next order has the number %d", last.Number)
	}
	for since, want := range map[string]int{sold[2].ID + "@" + sold[2].PlacedAt: 1, sold[0].ID + "@2040-01-01T00:00:00Z": 3, unknownID + "@2020-01-01T00:00:00Z": 4, unknownID + "@2040-01-01T00:00:00Z": 0, "8": 1} {
		if got := strings.Count(operates(t, r, "orders", "--store", storeBase, "--since", since).wants(t), "\n"); got != want {
			t.Errorf("since %s: %d orders, want %d", since, got, want)
		}
	}
}
