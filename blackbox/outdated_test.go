package blackbox_test

import (
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A node first judges a write by what it knows of the token, its customer and the document. These
// tests change one of them after the node has learnt it.

const tokenRoam = "secret-token-roam-4e1d"

// roaming gives the token to a customer.
func roaming(customer string) func(object) {
	return func(document object) {
		c := findByID(document["customers"].(list), customer)
		c["tokens"] = append(c["tokens"].(list), token(tokenRoam, "2040-01-01T00:00:00Z"))
	}
}

// An import gives a token to another customer: a write with it changes nothing of the former one.
func TestATokenGivenToAnotherCustomer(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), roaming(tess))}}).client(t).withKey(keyAll)
	roam := shop.withToken(tokenRoam)
	former := roam.bound("tess@example.com", "3", "")
	given := roam.newCart()
	roam.request("PATCH", "contacts/me", `{}`).wantStatus(200)
	give := func(customer string) {
		t.Helper()
		if f := imports(t, r, storeFile(t, base(), roaming(customer))); f.code != 0 {
			t.Fatalf("%+v", f)
		}
		shop.get("me").wantStatus(200) // the node has the new document, and remembers the token
	}
	give(quinn)

	first := roam.once(retryKey).post("contacts/me/addresses", addressBody).wantStatus(201)
	roam.once(retryKey).post("contacts/me/addresses", addressBody).wantReplay(201).want(201, string(first.body))
	for token, want := range map[string]int{tokenTess: 0, tokenQuinn: 1} {
		if got := shop.withToken(token).book(); len(got) != want {
			t.Errorf("the customer of %s has %d addresses, want %d", token, len(got), want)
		}
	}

	give(tess)
	roam.patch(former, `{}`).wantStatus(200) // the node knows the token as tess's
	give(quinn)
	if got, _ := roam.claim(given); len(got.Lines) != 0 {
		t.Errorf("the claim took %d lines of the former customer", len(got.Lines))
	}
	shop.withToken(tokenQuinn).get(given).wantStatus(200)
	if got := shop.withToken(tokenTess).get(former).cart(200); got.Status != "active" || len(got.Lines) != 1 {
		t.Errorf("the former customer's cart is %s with %d lines", got.Status, len(got.Lines))
	}
}

// A creation is repeated under its key after its token has ended: the key's scope is that of the
// visitor as Redis knows it.
func TestACreationWithAnEndedTokenIsRepeated(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t).withKey(keyAll)
	in := shop.withToken(shop.register("leaves@example.com").Token)
	in.request("PATCH", "contacts/me", `{}`).wantStatus(200)
	in.post("contacts/logout", "").wantStatus(204)
	first := in.once(retryKey).post("commerce/carts", "{}").wantStatus(201)
	for range 2 {
		in.once(retryKey).post("commerce/carts", "{}").wantReplay(201).want(201, string(first.body))
	}
	shop.once(retryKey).post("commerce/carts", "{}").wantReplay(201).want(201, string(first.body))
}

// Whether a code is a guess is decided by the document in force.
func TestCodesOfANewDocument(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	without, with := storeFile(t, base()), storeFile(t, base(), withDiscounts)
	shop := start(t, options{redis: r.URL(), stores: []string{without}}).client(t)
	path := shop.newCart()
	for i, c := range []struct{ file, limit string }{{with, "2000000"}, {without, "20"}, {with, "2000000"}} {
		if f := imports(t, r, c.file); f.code != 0 {
			t.Fatalf("%+v", f)
		}
		r.Mini.SetTime(time.Now().Add(time.Duration(i+1) * 2 * time.Second)) // within a second the node may use the former document
		shop.attach(path, "FIVE").wantStatus(200).wantHeader("X-RateLimit-Limit", c.limit)
	}
	if left := shop.attach(path, "guess").wantStatus(200).header.Get("X-RateLimit-Remaining"); left != "18" {
		t.Errorf("after one guess and another one %s are left, want 18", left)
	}
}
