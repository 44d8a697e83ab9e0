package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

const (
	categoryTools = "c1000000-0000-4000-8000-000000000001"
	voucher       = "d1000000-0000-4000-8000-000000000001"
)

// entry is the JSON text of a part of a change set.
func entry(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// changeSet is the body of a change set with these members.
func changeSet(members ...string) string { return `{"format":1,` + strings.Join(members, ",") + `}` }

// A set is judged with what it leaves: an entry may lose what names it in the same set, and two entries may swap their
// slugs. A fault elsewhere in the document has that document's path.
func TestChangeSetsAreJudgedByWhatTheyLeave(t *testing.T) {
	t.Parallel()
	erp := serveFiles(t, storeFile(t, base(), managed, func(document object) {
		document["categories"] = list{object{"id": categoryTools, "name": "Tools", "slug": "tools"}}
		products := document["products"].(list)
		for _, n := range []int{3, 9} {
			products[n].(object)["category_ids"] = list{categoryTools}
		}
		products[0].(object)["slug"], products[1].(object)["slug"] = "one", "two"
	})).withKey(keyManage)
	product := func(n int, member string, value any) string {
		p := base()["products"].(list)[n].(object)
		if n < 2 {
			p["slug"] = []string{"one", "two"}[n]
		}
		if member != "" {
			p[member] = value
		}
		return entry(t, p)
	}
	const gone = `"remove":{"categories":["` + categoryTools + `"]}`
	without := `"set":{"products":[` + product(3, "", nil) + "," + product(9, "", nil) + `]}`
	for _, row := range []struct {
		name, body string
		status     int
		faults     []string
	}{
		{"a category that products name", changeSet(gone), 422, []string{
			"products.3.category_ids.0: The products.3.category_ids.0 field is not the id of a category.",
			"products.9.category_ids.0: The products.9.category_ids.0 field is not the id of a category.",
		}},
		{"a category with one of its products", changeSet(`"set":{"products":[`+product(9, "", nil)+`]}`, gone), 422, []string{
			"products.3.category_ids.0: The products.3.category_ids.0 field is not the id of a category.",
		}},
		{"a category with both products", changeSet(without, gone), 200, nil},
		{"a slug of another product", changeSet(`"set":{"products":[` + product(0, "slug", "two") + `]}`), 422, []string{
			"set.products.0.slug: The set.products.0.slug field is a duplicate of products[1].slug.",
		}},
		{"two slugs change places", changeSet(`"set":{"products":[` + product(0, "slug", "two") + "," + product(1, "slug", "one") + `]}`), 200, nil},
	} {
		a := erp.patch("catalog", row.body).wantStatus(row.status)
		var refused struct{ Errors map[string][]string }
		_ = json.Unmarshal(a.body, &refused) // wantStatus has shown another answer
		var faults []string
		for field, messages := range refused.Errors {
			faults = append(faults, field+": "+strings.Join(messages, " | "))
		}
		slices.Sort(faults)
		if !slices.Equal(faults, row.faults) {
			t.Errorf("%s: %q\nwant %q", row.name, faults, row.faults)
		}
	}
}

// The first stock and the first uses of a set are those of what the store did not have or track. They count once.
func TestFirstNumbersOfChangeSets(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed, collected)}})
	erp, shop := n.client(t).withKey(keyManage), n.client(t).withKey(keyAll)
	item := func(stock string) string {
		return `"set":{"products":[` + entry(t, object{"id": itemID(1), "name": "New", "slug": "new", "unit": "piece", "tax": "standard", "price_amount": 100,
			"track_stock": true, "stock": stock, "requires_shipping": false}) + `]}`
	}
	used := func(n int) string {
		d := discountRow(1, "order", "D", "D", object{"value": percentOff("10"), "usage_limit": 9, "used": n})
		d["id"] = voucher
		return `"set":{"discounts":[` + entry(t, d) + `]}`
	}
	const without, withoutDiscount = `"remove":{"products":["a1000000-0000-4000-8000-000000000001"]}`, `"remove":{"discounts":["` + voucher + `"]}`
	sell := func() {
		cart := shop.newCart()
		shop.add(cart, itemID(1), "2")
		shop.checkOut(cart, `{"email":"visitor@example.com"}`).order(http.StatusCreated)
	}
	for _, step := range []struct {
		name, set string
		then      func()
		want      string // the exported stock and uses
	}{
		{"new", item("5"), nil, "5 -"},
		{"sold", "", sell, "3 -"},
		{"set again", item("9"), nil, "3 -"},
		{"removed", without, nil, "- -"},
		{"it comes back", item("7"), nil, "3 -"},
		{"a new discount", used(4), nil, "3 4"},
		{"set again", used(0), nil, "3 4"},
		{"removed", withoutDiscount, nil, "3 -"},
		{"it comes back", used(1), nil, "3 4"},
	} {
		if step.set != "" {
			erp.patch("catalog", changeSet(step.set)).wantStatus(http.StatusOK)
		}
		if step.then != nil {
			step.then()
		}
		var document struct {
			Products, Discounts []struct {
				ID    string
				Stock *string
				Used  int
			}
		}
		if err := json.Unmarshal([]byte(exports(t, r, storeBase)), &document); err != nil {
			t.Fatal(err)
		}
		stock, uses := "-", "-"
		for _, p := range document.Products {
			if p.ID == itemID(1) && p.Stock != nil {
				stock = *p.Stock
			}
		}
		for _, d := range document.Discounts {
			uses = fmt.Sprint(d.Used)
		}
		if got := stock + " " + uses; got != step.want {
			t.Errorf("%s: stock and uses %s, want %s", step.name, got, step.want)
		}
	}
}

// The uses of a batch's codes are counted by its number: they expire once the batch has left, and last again with it. Another
// secret is a fault, and a batch without one keeps its own.
func TestBatchesOfChangeSets(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed, collected)}})
	erp, shop := n.client(t).withKey(keyManage), n.client(t).withKey(keyAll)
	const first, other = "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg==", "whsec_QmF0Y2ggMSBvZiB0aGUgcmFpbHMuIE5vLg=="
	discount := func(batches ...any) string {
		d := object{"id": voucher, "name": "Voucher", "kind": "order", "value": percentOff("10")}
		if batches != nil {
			d["code_batches"] = batches
		}
		return changeSet(`"set":{"discounts":[` + entry(t, d) + `]}`)
	}
	batch := func(more ...any) object {
		b := object{"number": 1, "prefix": "SPRING"}
		if len(more) > 0 {
			b["secret"] = more[0]
		}
		return b
	}
	const faulty = "set.discounts.0.code_batches.0.secret"
	erp.patch("catalog", discount(batch())).want(422, oneField(faulty, "The "+faulty+" field is required.", ""))
	erp.patch("catalog", discount(batch(first))).wantStatus(http.StatusOK)
	codes := decoded[struct{ Codes []string }](erp.post("catalog/discounts/"+voucher+"/codes", `{"batch":1,"count":1}`)).Codes
	cart := shop.newCart()
	shop.add(cart, hammer, "1")
	shop.attach(cart, codes[0]).wantStatus(http.StatusOK)
	shop.checkOut(cart, `{"email":"visitor@example.com"}`).order(http.StatusCreated)
	lasts := func(when string, want time.Duration) {
		t.Helper()
		keys := r.Client().Keys(t.Context(), "{"+storeBase+"}:uses:"+voucher+"*").Val()
		if len(keys) != 1 {
			t.Fatalf("%s: counters %q, want one", when, keys)
		}
		if ttl := r.Client().TTL(t.Context(), keys[0]).Val(); ttl.Round(time.Hour) != want {
			t.Errorf("%s: the counters expire in %v, want %v", when, ttl, want)
		}
	}
	const never = 0 // TTL answers −1 ns
	lasts("in the document", never)
	erp.patch("catalog", discount()).wantStatus(http.StatusOK)
	lasts("without the batch", 400*24*time.Hour)
	erp.patch("catalog", discount(batch(other))).want(422,
		oneField(faulty, "The "+faulty+" field is not the secret that the number had before: give the new codes another number.", ""))
	erp.patch("catalog", discount(batch())).want(422, oneField(faulty, "The "+faulty+" field is required.", ""))
	lasts("after refusals", 400*24*time.Hour)
	erp.patch("catalog", discount(batch(first))).wantStatus(http.StatusOK)
	lasts("with the batch again", never)
	erp.patch("catalog", discount(batch())).wantStatus(http.StatusOK)
	cart = shop.newCart()
	shop.add(cart, hammer, "1")
	if a := shop.attach(cart, codes[0]).wantStatus(http.StatusOK); !strings.Contains(string(a.body), `"discount_code_error":"usage_limit"`) {
		t.Errorf("%v\nwant the code to be used up", a)
	}
}

// A page that leaves the record has a minute for those who read it; one that comes back lasts. The record has 69 bytes of head.
func TestPagesOfChangeSetsInRedis(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	erp := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed)}}).client(t).withKey(keyManage)
	expiries := func() map[string]time.Duration {
		all := map[string]time.Duration{}
		for _, key := range r.Client().Keys(t.Context(), "{"+storeBase+"}:page:*").Val() {
			all[key] = r.Client().PTTL(t.Context(), key).Val()
		}
		return all
	}
	rename := func(name string) {
		t.Helper()
		erp.patch("catalog", changeSet(`"set":{"settings":{"name":"`+name+`"}}`)).wantStatus(http.StatusOK)
	}
	before := expiries()
	rename("Other")
	other := expiries()
	var left, entered []string
	for key, ttl := range other {
		_, was := before[key]
		switch {
		case !was && ttl < 0:
			entered = append(entered, key)
		case was && ttl > 50*time.Second && ttl <= time.Minute:
			left = append(left, key)
		case ttl >= 0:
			t.Errorf("%s expires in %v", key, ttl)
		}
	}
	if len(left) != 1 || len(entered) != 1 || len(other) != len(before)+1 {
		t.Fatalf("pages\n%v\nafter a change of the name\n%v\nwant one that left and one that entered", before, other)
	}
	rename("Base Tools")
	if back := expiries(); back[left[0]] >= 0 || back[entered[0]] <= 50*time.Second || len(back) != len(other) {
		t.Errorf("with the name again %v, want %s to last and %s to expire", back, left[0], entered[0])
	}
	if head := r.Client().Get(t.Context(), "{"+storeBase+"}:head").Val(); len(head) != len("2000000 ")+48+1+16 {
		t.Errorf("the head %q has %d bytes", head, len(head))
	}
}

// A change counts at every node with its next request; a kept price of a cart stays.
func TestChangedPriceIsTheNextOneOfEveryNode(t *testing.T) {
	t.Parallel()
	for prices, follows := range map[string]bool{"follow": true, "keep": false} {
		r := redistest.Real(t)
		a := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed, setting("policy", object{"line_prices": prices}))}}).client(t)
		b := start(t, options{redis: r.URL()}).client(t)
		cart := b.newCart()
		b.add(cart, hammer, "1")
		for price := 2100; price < 2110; price++ {
			a.withKey(keyManage).patch("catalog/products/"+hammer, fmt.Sprintf(`{"price_amount":%d}`, price)).wantStatus(http.StatusOK)
			want := 1999
			if follows {
				want = price
			}
			b.get(cart).wantLines(http.StatusOK, fmt.Sprintf("Hammer 1 × %d = %d", want, want))
			if got := b.priceOf(hammer); got != price {
				t.Errorf("%s: a new cart of the other node has %d at its first request, want %d", prices, got, price)
			}
		}
	}
}
