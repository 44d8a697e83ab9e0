//go:build long

package hostile

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"cartd/bench/shopper"
)

// Unread answers: explanations of a cart of 500 lines under 500 automatic discounts, on more and more
// connections. The attacked store is refused at its share of --answer-bytes.
func TestLongUnreadExplanations(t *testing.T) {
	var discounts []object
	for i := range 500 {
		discounts = append(discounts, object{"id": fmt.Sprintf("d0000000-0000-4000-8000-%012d", i), "name": "D", "kind": "products",
			"value": object{"type": "percent", "percent": "1"}})
	}
	g := attack(t, productsOf(500, 0), discounts, "--answer-bytes", "16MiB")
	cart, other := g.newCart(attacker, 500), g.newCart(victim, 1)
	discount := "/explain?discount_id=d0000000-0000-4000-8000-000000000000"
	size := len(g.want(http.StatusOK, shopper.Request{Method: "GET", Path: cart + "/explain"}).Body)
	if one := len(g.want(http.StatusOK, shopper.Request{Method: "GET", Path: cart + discount}).Body); size > 1<<20 || one > 1<<20 {
		t.Errorf("an explanation has %d bytes, of one discount %d", size, one)
	}
	var unread []net.Conn
	for range 110 {
		unread = append(unread, g.open(head("GET", cart+"/explain", attacker)+head("GET", cart+"/explain", attacker)+head("GET", cart+"/explain", attacker)))
	}
	g.wantOthersServed(other, 2*time.Second)
	if used := g.maxMemory(); used > 300<<20 {
		t.Errorf("the node has used %d MiB", used>>20)
	}
	for _, c := range unread {
		c.Close()
	}
	g.eventually("the attacked store is served again", func() bool {
		return g.send(shopper.Request{Method: "GET", Path: cart + "/explain"}).Status == http.StatusOK
	})
}

// Pages of a hundred products with a thousand variants each: a row has 50 of them, and the stock of
// all is read in turns with other stores' requests.
func TestLongPagesOfManyVariants(t *testing.T) {
	g := attack(t, productsOf(40, 1000), nil)
	other := g.newCart(victim, 0)
	a := g.want(http.StatusOK, shopper.Request{Method: "GET", Path: "/v1/api/catalog/products?per_page=100"})
	if len(a.Body) > 2<<20 {
		t.Errorf("a page has %d bytes", len(a.Body))
	}
	stop := g.keepReading("/v1/api/catalog/products?per_page=100", 4)
	g.wantOthersServed(other, 2*time.Second) // of the embedded store, whose scripts are slow
	stop()
}
