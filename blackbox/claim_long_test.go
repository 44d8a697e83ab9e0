//go:build long

package blackbox_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// docs/decisions.md#errors, Same request. The comparison of a key's requests ignores the query string.
func TestLongRepeatedClaim(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	ada := nodes[0].withToken(tokenAda)
	path := ada.newCart()
	ada.bound("a@b.co", "2", "")
	first := ada.once(retryKey).post(path+"/claim", "").wantStatus(200).wantHeader("Idempotent-Replayed", "")
	other := ada.bound("a@b.co", "1", "")
	for _, c := range nodes {
		again := c.withToken(tokenAda).once(retryKey).post(path+"/claim?include=merge_report", "").wantReplay(200)
		again.wantHeader("ETag", first.header.Get("ETag"))
		if !strings.HasSuffix(string(again.body), `,"merge_report":[]}`) {
			t.Errorf("%v\nwant an empty report", again)
		}
	}
	if ada.get(other).cart(200).Status != "active" {
		t.Error("a replay has folded a cart")
	}
	tag := ada.get(path).header.Get("ETag")
	ada.ifMatch(tag).post(path+"/claim", "").wantLines(200, "Hammer 3 × 1999 = 5997")
}

// docs/api/carts.md#claim, Many carts: more than a commit takes, under one key and one If-Match.
func TestLongClaimOfManyCarts(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	const many = 70
	nodes := pair(t, r, keyShop)
	here, far := nodes[0].withToken(tokenAda), nodes[1].withToken(tokenAda)
	path := here.newCart()
	for i := range many {
		nodes[i%2].withToken(tokenAda).bound(fmt.Sprintf("%d@b.co", i), "1", "")
	}
	order := indexOf(r, ada)
	latest := here.bound("latest@b.co", "1", "")
	gone := order[5]
	r.Client().Del(context.Background(), "{"+storeBase+"}:cart:"+gone) // as if it had expired
	tag := here.get(path).header.Get("ETag")
	got, report := here.once(retryKey).ifMatch(tag).claim(path)
	if got.plain() != fmt.Sprintf("Hammer %d × 1999 = %d", many, many*1999) || *got.Email != "latest@b.co" {
		t.Errorf("the claimed cart is %s of %s", got.plain(), *got.Email)
	}
	order = append(slices.DeleteFunc(order, func(id string) bool { return id == gone }), idOf(latest))
	if !slices.EqualFunc(report, order, func(m merged, id string) bool { return m.Cart == id && m.Moved+m.Summed == 1 }) {
		t.Errorf("report %+v, want the carts %v", report, order)
	}
	for _, id := range order {
		if status := far.get("commerce/carts/" + id).cart(200).Status; status != "merged" {
			t.Errorf("%s is %s", id, status)
		}
	}
	if members := indexOf(r, ada); !slices.Equal(members, []string{idOf(path)}) {
		t.Errorf("the index has %v, want the claimed cart", members)
	}
	far.once(retryKey).ifMatch(tag).post(path+"/claim", "").wantReplay(200)
}

// docs/design.md#commands-over-several-records: a conflict is never judged again by the memory that
// lost. The node that claims has older states of all carts, around the numbers of carts that one and
// two commits take.
func TestLongClaimByANodeWithOldMemory(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	here, far := nodes[0].withToken(tokenAda), nodes[1].withToken(tokenAda)
	for _, many := range []int{32, 33, 65} {
		for _, claimed := range []bool{false, true} { // true: the claimed cart is a member of the index, too
			path := here.newCart()
			if claimed {
				here.claim(path)
			}
			for n := range many {
				far.add(here.bound(fmt.Sprintf("%d@b.co", n), "", ""), hammer, "1")
			}
			got, report := here.claim(path)
			if want := fmt.Sprintf("Hammer %d × 1999 = %d", many, many*1999); got.plain() != want || len(report) != many {
				t.Errorf("%d carts: %s, %d of them folded; want %s", many, got.plain(), len(report), want)
			}
			r.Client().Del(context.Background(), "{"+storeBase+"}:carts:"+ada)
			here, far = far, here // the next round claims on the other node
		}
	}
}

// A claim of 31 carts takes less than 10 ms with a real Redis.
func TestLongClaimOf31CartsIsFast(t *testing.T) {
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t).withKey(keyAll)
	fastest := time.Hour
	for round := range 5 {
		owner := shop.withToken(shop.register(fmt.Sprintf("fast-%d@example.com", round)).Token)
		for range 31 {
			owner.bound("a@b.co", "1", "2")
		}
		path := owner.newCart()
		began := time.Now()
		owner.post(path+"/claim", "").wantStatus(http.StatusOK)
		fastest = min(fastest, time.Since(began))
	}
	if t.Logf("a claim of 31 carts: %v", fastest); fastest > 10*time.Millisecond {
		t.Errorf("a claim of 31 carts took %v, want at most 10ms", fastest)
	}
}
