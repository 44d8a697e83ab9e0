package blackbox_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// bound makes a cart of the token's account with an e-mail and lines of hammers and nails.
func (c client) bound(email, hammers, nailCount string) string {
	c.t.Helper()
	path := c.newCart()
	c.patch(path, `{"email":`+quoted(email)+`}`).wantStatus(200)
	if hammers != "" {
		c.add(path, hammer, hammers)
	}
	if nailCount != "" {
		c.add(path, nails, nailCount)
	}
	return path
}

// idOf is the cart's id in its path.
func idOf(path string) string { return strings.TrimPrefix(path, "commerce/carts/") }

// merged is an entry of a merge report.
type merged struct {
	Cart    string `json:"cart_id"`
	Moved   int
	Summed  int
	Clamped []struct {
		Line            string `json:"line_id"`
		Requested, Kept float64
	}
	Dropped []struct {
		Product  string  `json:"product_id"`
		Variant  *string `json:"variant_id"`
		Quantity float64
	}
}

// claim claims a cart and returns the answer's report.
func (c client) claim(path string) (cart, []merged) {
	c.t.Helper()
	a := c.post(path+"/claim?include=merge_report", "")
	got := a.cart(200)
	var report struct {
		Merged *[]merged `json:"merge_report"`
	}
	if err := json.Unmarshal(a.body, &report); err != nil || report.Merged == nil {
		c.t.Fatalf("%v\nwant a merge report: %v", a, err)
	}
	return got, *report.Merged
}

// indexOf is the index of an account's active carts.
func indexOf(r *redistest.Server, customer string) []string {
	return r.Client().ZRange(context.Background(), "{"+storeBase+"}:carts:"+customer, 0, -1).Val()
}

// awaitMillisecond waits until Redis's clock is a millisecond later. Carts keep whole milliseconds,
// so a node's next write of a cart then has a later time than its last one.
func awaitMillisecond(r *redistest.Server) {
	client := r.Client()
	for began := client.Time(context.Background()).Val(); client.Time(context.Background()).Val().Sub(began) < time.Millisecond; {
	}
}

// docs/api/carts.md#claim, with carts of two nodes.
func TestClaimFoldsTheOtherCarts(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	here, far := nodes[0].withToken(tokenAda), nodes[1].withToken(tokenAda)
	guest := nodes[0].newCart()
	guestLine := nodes[0].add(guest, hammer, "60").Lines[0].ID
	stranger := nodes[0].newCart() // a guest's, who gave the account's address
	nodes[0].patch(stranger, `{"email":`+quoted(adaEmail)+`}`).wantStatus(200)
	tess := nodes[0].withToken(tokenTess).bound("tess@example.com", "1", "")
	others := []string{far.bound("first@example.com", "50", ""), here.bound("second@example.com", "1", "3")}
	awaitMillisecond(r)
	here.patch(others[0], `{"metadata":{"gift":true}}`).wantStatus(200) // now the last active one
	order := indexOf(r, ada)
	slices.Sort(others)
	if slices.Sort(order); len(order) != 2 || order[0] != idOf(others[0]) || order[1] != idOf(others[1]) {
		t.Fatalf("the index has %v, want %v", order, others)
	}
	order = indexOf(r, ada)

	got, report := here.claim(guest)
	if got.ID != idOf(guest) || !strings.HasPrefix(got.plain(), "Hammer 100 × 1999 = 199900; Nails 3 ") {
		t.Errorf("the claimed cart is %+v", got)
	}
	email := "none"
	if got.Email != nil {
		email = *got.Email
	}
	if email != "first@example.com" || string(got.Metadata) != `{"gift":true}` {
		t.Errorf("e-mail %s, metadata %s; want those of the most recently active cart", email, got.Metadata)
	}
	if len(report) != 2 || report[0].Cart != order[0] || report[1].Cart != order[1] {
		t.Fatalf("report %+v, want the carts %v", report, order)
	}
	moved, requested := 0, 60.0
	for _, m := range report {
		moved += m.Moved
		for _, c := range m.Clamped {
			requested += c.Requested - c.Kept
			if c.Line != guestLine {
				t.Errorf("clamped %+v, want the claimed cart's line %s", c, guestLine)
			}
		}
	}
	if lost := requested - 60; moved != 1 || 60+51-lost != 100 {
		t.Errorf("report %+v: moved %d, lost %v; want 1 and 11", report, moved, lost)
	}
	for _, c := range nodes {
		for _, path := range others {
			c.get(path).want(403, cartOwned)
			if folded := c.withToken(tokenAda).get(path).cart(200); folded.Status != "merged" || len(folded.Lines) == 0 || folded.Email == nil {
				t.Errorf("%s is %+v, want it merged with its lines and e-mail", path, folded)
			}
			c.withToken(tokenAda).post(path+"/lines", addBody(nails, "1")).wantStatus(404)
			c.withToken(tokenAda).post(path+"/claim", "").wantStatus(404)
		}
		c.wantAccess(guest, onlyAda...)
		c.wantAccess(stranger, everyToken...)
		if c.withToken(tokenTess).get(tess).cart(200).Status != "active" {
			t.Error("another account's cart was folded")
		}
	}
	if members := indexOf(r, ada); !slices.Equal(members, []string{idOf(guest)}) {
		t.Errorf("the index has %v, want the claimed cart", members)
	}
	if again, report := far.claim(guest); len(report) != 0 || again.plain() != got.plain() {
		t.Errorf("claimed again: %+v, report %v; want nothing to change", again, report)
	}
}

// docs/api/carts.md#claim, Stock: the claimed cart holds their stock without a gap.
func TestClaimKeepsHeldStock(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock)}}).client(t).withKey(keyAll)
	ada := shop.withToken(tokenAda)
	claimed, thirsty := ada.newCart(), shop.newCart()
	ada.add(claimed, hammer, "2")
	ada.bound("a@b.co", "3", "")
	cables := ada.bound("a@b.co", "4", "")
	ada.add(cables, cable, "2.5")
	shop.add(thirsty, hammer, "5") // one is granted
	shop.wantStock("", "0 of "+hammer, "0 of "+cable)
	got, _ := ada.claim(claimed)
	if !strings.HasPrefix(got.plain(), "Hammer 9 ") {
		t.Errorf("the claimed cart is %s", got.plain())
	}
	ada.withKey(keyAll).wantStock(claimed, "9 of "+hammer, "2.5 of "+cable)
	shop.wantStock(thirsty, "1 of "+hammer, "0 of "+cable)
	held := r.Client().HGetAll(context.Background(), "{"+storeBase+"}:held").Val()
	own := r.Client().HGetAll(context.Background(), "{"+storeBase+"}:hold:"+idOf(claimed)).Val()
	if held[hammer] != "10000000" || own[hammer] != "9000000" || own[cable] != "2500000" || held[cable] != "2500000" {
		t.Errorf("held %v, by the claimed cart %v", held, own)
	}
	if holds := r.Client().ZRange(context.Background(), "{"+storeBase+"}:holds", 0, -1).Val(); len(holds) != 2 {
		t.Errorf("holds of %v, want those of the claimed cart and of another", holds)
	}
}
