//go:build long

package blackbox_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// numbers of orders, sorted.
func numbers(orders []order) (all []int) {
	for _, o := range orders {
		all = append(all, o.Number)
	}
	slices.Sort(all)
	return all
}

// wantNumbers wants 1, 2, 3 … without a gap or a repeat.
func wantNumbers(t *testing.T, orders []order) {
	t.Helper()
	for i, n := range numbers(orders) {
		if n != i+1 {
			t.Fatalf("the orders have the numbers %v, want 1 to %s", numbers(orders), strconv.Itoa(len(orders)))
		}
	}
}

// A checkout uses an address that another node has changed.
func TestLongCheckoutUsesAddressesChangedOnAnotherNode(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base(), withShipping)
	here := start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyAll).withToken(tokenAda)
	there := start(t, options{redis: r.URL()}).client(t).withKey(keyAll).withToken(tokenAda)
	address := here.newAddress(addressBody)
	here.get(addressesPath).wantStatus(200)
	there.patch(address, `{"city":"Utrecht"}`).wantStatus(200)
	path := here.newCart()
	here.add(path, hammer, "1")
	id := strings.TrimPrefix(address, addressesPath+"/")
	got := here.checkOut(path, fmt.Sprintf(`{"shipping_method_id":%q,"shipping_address_id":%q}`, parcel, id)).wantStatus(201)
	if !strings.Contains(string(got.body), `"city":"Utrecht"`) {
		t.Errorf("%v\nwant the address of Utrecht", got)
	}
	there.remove(address).wantStatus(204)
	path = here.newCart()
	here.add(path, hammer, "1")
	here.checkOut(path, fmt.Sprintf(`{"shipping_method_id":%q,"shipping_address_id":%q}`, parcel, id)).wantStatus(422)
}
