//go:build long

package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// An id of the log is enough: its 8 characters find a cart in all stores, or the stock of a product.
func TestLongShowTakesTheCharactersOfTheLog(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock)}, flags: []string{"--access-log"}}).client(t)
	path := c.newCart()
	c.add(path, hammer, "2")
	id := path[strings.LastIndex(path, "/")+1:]
	poll(t, "line of the request", func() bool { return strings.Contains(c.node.Log.String(), "/carts/"+id[:8]) })
	for _, word := range []string{id[:8], strings.ToUpper(id[:8])} {
		operates(t, r, "show", "cart", word).wants(t, `"id": "`+id+`"`, `"operator"`)
	}
	operates(t, r, "show", "stock", hammer[:8]).wants(t, `"product_id": "`+hammer+`"`, `"cart_id": "`+id+`"`)
	operates(t, r, "show", "--store", storeBase, "stock", "H-1").wants(t, `"product_id": "`+hammer+`"`)
}
