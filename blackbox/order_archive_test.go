package blackbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Completed and cancelled orders go into a file, whole. What stays of them answers every member in lists
// and reads, takes less memory, and has the merchant's commands go by its status. Placed orders stay whole.
func TestOldOrdersAreArchived(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), office, withShipping, collected)}})
	guest := n.client(t)
	ada, merchant := guest.withToken(tokenAda), guest.withKey(keyOffice)
	cart := ada.newCart()
	for _, product := range []string{hammer, nails, booklet} {
		ada.add(cart, product, "2")
	}
	completed := ada.checkOut(cart, `{"shipping_method_id":"`+parcel+`","shipping_address":`+place+`,"billing_address":`+place+
		`,"customer_note":"Ring twice, please."}`).order(201)
	cancelled, placed := ada.sell(buyer), ada.sell(buyer)
	path := func(o order) string { return "/v1/api/orders/" + o.ID }
	merchant.post(path(completed)+"/payment", fmt.Sprintf(`{"reference":"pi_1","amount":%d}`, completed.Totals.Total.Amount)).wantStatus(200)
	merchant.post(path(completed)+"/shipment", `{"carrier":"Post"}`).wantStatus(200)
	merchant.post(path(completed)+"/delivered", ``).wantStatus(200)
	merchant.post(path(cancelled)+"/cancel", `{"reason":"moved house"}`).wantStatus(200)
	whole := string(merchant.get(path(completed)).body)
	key := "{" + storeBase + "}:order:" + completed.ID
	before := r.Client().MemoryUsage(context.Background(), key).Val()

	out := filepath.Join(t.TempDir(), "old.jsonl")
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.DateOnly)
	archive := func(file string) finished {
		return operates(t, r, "orders", "--store", storeBase, "--archive-before", tomorrow, "--out", file, "--yes")
	}
	archive(out).wants(t, "archived: 2 orders placed before "+tomorrow)
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	if len(lines) != 2 || lines[0] != whole {
		t.Errorf("the file has\n%s\nwant the two orders, the first one\n%s", file, whole)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode: %v %v, want 0600", info.Mode(), err)
	}
	after := r.Client().MemoryUsage(context.Background(), key).Val()
	t.Logf("an order of three lines and two addresses: %d bytes of Redis before, %d after", before, after)
	if after >= before/2 {
		t.Errorf("an order takes %d bytes of Redis, archived %d", before, after)
	}

	stub := merchant.get(path(completed)).wantStatus(200)
	var got, had map[string]any
	if json.Unmarshal(stub.body, &got) != nil || json.Unmarshal([]byte(whole), &had) != nil {
		t.Fatalf("no JSON: %s", stub.body)
	}
	if at, err := time.Parse(time.RFC3339, got["archived_at"].(string)); err != nil || time.Since(at) > time.Hour {
		t.Errorf("archived_at %v, %v", got["archived_at"], err)
	}
	for name, value := range had {
		switch stays, there := got[name]; {
		case !there:
			t.Errorf("an archived order has no member %s", name)
		case stays == nil:
		case name == "parts":
			for i, stub := range stays.([]any) {
				stub, whole := stub.(map[string]any), value.([]any)[i].(map[string]any)
				for _, member := range []string{"id", "kind", "at", "shipping", "amount"} {
					if stub[member] != whole[member] {
						t.Errorf("%s of an archived part is %v, was %v", member, stub[member], whole[member])
					}
				}
				for _, gone := range []string{"carrier", "tracking_number", "reason"} {
					if stub[gone] != nil || len(stub["lines"].([]any)) > 0 {
						t.Errorf("an archived part has %v, lines %v", stub[gone], stub["lines"])
					}
				}
			}
		case name == "lines" || name == "discounts" || name == "discount_breakdown":
			if len(stays.([]any)) != 0 {
				t.Errorf("%s of an archived order: %v", name, stays)
			}
		case name == "totals":
			if a, b := stays.(map[string]any)["total"], value.(map[string]any)["total"]; a.(map[string]any)["amount"] != b.(map[string]any)["amount"] {
				t.Errorf("the total is %v, was %v", a, b)
			}
		case name != "payment" && name != "discount_total" && !reflect.DeepEqual(stays, value):
			t.Errorf("%s of an archived order: %v, was %v", name, stays, value)
		}
	}
	for _, gone := range []string{"email", "shipping_address", "billing_address", "shipment", "shipping_method"} {
		if got[gone] != nil {
			t.Errorf("an archived order has %s %v", gone, got[gone])
		}
	}
	ada.get("/v1/api/commerce/orders").wantStatus(200).has(`"number":3`, `"number":2`, `"number":1`, `"archived_at"`)
	ada.get("/v1/api/commerce/orders/" + completed.ID).has(`"lines":[]`)
	merchant.get("/v1/api/orders").has(`"archived_at"`)
	if text := string(merchant.get(path(placed)).body); strings.Contains(text, "archived_at") || strings.Contains(text, `"lines":[]`) {
		t.Errorf("a placed order: %s", text)
	}

	ada.post("/v1/api/commerce/orders/"+completed.ID+"/copy", ``).wantStatus(409).has(`"code":"ORDER_ARCHIVED"`)
	merchant.post(path(completed)+"/payment", `{"reference":"pi_1","amount":1}`).wantStatus(200)
	merchant.post(path(completed)+"/cancel", ``).wantStatus(409).has(`ORDER_COMPLETED`)
	merchant.post(path(completed)+"/shipment", `{"carrier":"Other"}`).wantStatus(409).has(`ORDER_ARCHIVED`)
	merchant.post(path(completed)+"/refunds", `{"reference":"re_0","shipping":true}`).wantStatus(409).has(`ORDER_ARCHIVED`)
	merchant.post(path(completed)+"/returns", `{"lines":[{"line_id":"`+parcel+`","quantity":1}]}`).wantStatus(409).has(`ORDER_ARCHIVED`)
	for range 2 {
		merchant.post(path(completed)+"/refunds", `{"reference":"re_0","amount":100}`).wantStatus(200).has(`"refunded_amount":100`, `"tax_breakdown":[]`)
	}
	merchant.post(path(completed)+"/refund", `{"reference":"re_1"}`).wantStatus(200).has(`"status":"refunded"`)
	merchant.post(path(cancelled)+"/cancel", ``).wantStatus(200)
	merchant.post(path(cancelled)+"/payment", `{"reference":"pi_2","amount":1}`).wantStatus(409).has(`ORDER_CANCELLED`)

	// The file is never written over; a second run finds no more of them.
	if f := archive(out); f.code == 0 || !strings.Contains(f.stderr, "nothing was archived") {
		t.Errorf("over an old file: exit %d, %s", f.code, f.stderr)
	}
	archive(out+"2").wants(t, "archived: 0 orders")
	if _, err := os.Stat(out + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run that archived nothing left a file: %v", err)
	}
}

// has fails the test unless the body has the texts.
func (a answer) has(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(a.body), text) {
			a.t.Errorf("%v\nwant %s in it", a, text)
		}
	}
}
