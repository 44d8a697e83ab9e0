package blackbox_test

import (
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// roundTrips counts the round trips of nodes to Redis.
type roundTrips struct {
	t    *testing.T
	url  string
	made atomic.Int64
	// delay is the time for which answers are held back.
	delay atomic.Int64
}

// countRoundTrips starts a proxy to a Redis.
func countRoundTrips(t *testing.T, r *redistest.Server) *roundTrips {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	c := &roundTrips{t: t, url: "redis://" + listener.Addr().String() + "/0"}
	go func() {
		for {
			node, err := listener.Accept()
			if err != nil {
				return
			}
			redis, err := net.Dial("tcp", r.Addr())
			if err != nil {
				node.Close()
				continue
			}
			c.join(node, redis)
		}
	}()
	return c
}

// join copies the bytes of two connections. The first bytes to Redis after an answer begin a round trip.
func (c *roundTrips) join(node, redis net.Conn) {
	var answered atomic.Bool
	answered.Store(true)
	pass := func(from, to net.Conn, sent func()) {
		defer from.Close()
		defer to.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := from.Read(buffer)
			if n > 0 {
				sent()
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
	go pass(node, redis, func() {
		if answered.Swap(false) {
			c.made.Add(1)
		}
	})
	go pass(redis, node, func() {
		time.Sleep(time.Duration(c.delay.Load()))
		answered.Store(true)
	})
}

// want makes a call several times and compares its minimum number of round trips, for a node's own work counts too,
// and a long answer in pieces counts more than once while the machine is busy.
func (c *roundTrips) want(name string, want int64, call func()) {
	c.t.Helper()
	c.wantOf(name, want, func() func() { return call })
}

// wantOf is want for a call that needs a preparation each time.
func (c *roundTrips) wantOf(name string, want int64, prepare func() func()) {
	c.t.Helper()
	fewest := int64(1 << 30)
	for try := 0; try < 4 || try < 20 && fewest > want; try++ {
		call := prepare()
		before := c.made.Load()
		call()
		fewest = min(fewest, c.made.Load()-before)
	}
	if fewest != want {
		c.t.Errorf("%s: %d round trips, want %d", name, fewest, want)
	}
}

// The number of round trips of each kind of request.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	c := countRoundTrips(t, r)
	file := storeFile(t, base(), withDiscounts, withCustomerLimit, withStock, withShipping, withManyVariants)
	here := start(t, options{redis: c.url, stores: []string{file}}).client(t).withKey(keyAll)
	far := start(t, options{redis: r.URL()}).client(t).withKey(keyAll)
	far.get("me").wantStatus(200)
	n := 0
	once := func() client { n++; return here.once(fmt.Sprintf("%s %d", retryKey, n)) }
	path := here.newCart()
	add := func(c client) { c.post(path+"/lines", addBody(nails, "1")).wantStatus(201) }
	add(here)

	c.want("read", 1, func() { here.get(path).wantStatus(200) })
	c.want("read with details", 1, func() { here.get(path + "?include=details").wantStatus(200) })
	c.want("write", 1, func() { add(here) })
	c.want("write with details", 1, func() { here.post(path+"/lines?include=details", addBody(nails, "1")).wantStatus(201) })
	c.want("write with a key", 1, func() { add(once()) })
	ada := here.withToken(tokenAda)
	add(ada)
	c.want("write with a token", 1, func() { add(ada) })
	c.want("write of a cart with stock", 1, func() { here.post(path+"/lines", addBody(cable, "0.001")).wantStatus(201) })
	c.want("creation", 1, func() { here.newCart() })
	c.want("creation with a key", 1, func() { once().post("commerce/carts", "").wantStatus(201) })
	ada.newAddress(placed("work", "One", false))
	c.want("write of a contact", 1, func() { ada.newAddress(placed("work", "Two", false)) })
	c.want("read of a contact", 1, func() { ada.get(addressesPath).wantStatus(200) })

	for _, row := range []struct {
		name, path string
		want       int64
	}{
		{"page of an untracked product", "catalog/products/nails", 1},
		{"page of untracked products", "catalog/products?q=drill", 1},
		{"page of a tracked product", "catalog/products/hammer", 2},
		{"page of 100 tracked products with 2,000 variants", "catalog/products?q=item&per_page=100", 2},
		{"sitemap", "catalog/sitemap?per_page=1000", 1},
	} {
		c.want(row.name, row.want, func() { here.get(row.path).wantStatus(200) })
		tag := here.get(row.path).header.Get("ETag")
		c.want(row.name+", 304", row.want, func() { here.ifNoneMatch(tag).get(row.path).wantStatus(304) })
	}

	c.want("page of an untracked product with a token", 1, func() { ada.get("catalog/products/nails").wantStatus(200) })

	c.want("attaching a code", 2, func() { here.attach(path, "Ten10").wantStatus(200) })
	c.want("attaching an unknown code", 2, func() { here.attach(path, "guess").wantStatus(200) })
	c.want("write of a cart with a code", 1, func() { add(here) })
	c.want("attaching a code with a limit for each customer", 2, func() { here.attach(path, "EACH").wantStatus(200) })
	c.want("attaching it with a token", 3, func() { ada.attach(path, "EACH").wantStatus(200) })
	c.want("attaching another code with a token", 2, func() { ada.attach(path, "Ten10").wantStatus(200) })
	c.wantOf("PATCH that binds a cart with such a code", 2, func() func() {
		path := here.newCart()
		here.attach(path, "EACH").wantStatus(200)
		return func() { ada.patch(path, `{"email":"ada@example.com"}`).wantStatus(200) }
	})
	c.wantOf("PATCH that binds a cart with another code", 1, func() func() {
		path := here.newCart()
		here.attach(path, "Ten10").wantStatus(200)
		return func() { ada.patch(path, `{"email":"ada@example.com"}`).wantStatus(200) }
	})
	gone := "commerce/carts/" + unknownID
	c.want("a try that is taken back", 3, func() { here.attach(gone, "guess").wantStatus(404) })

	c.wantOf("cold write", 2, func() func() {
		path := far.newCart()
		return func() { here.post(path+"/lines", addBody(nails, "1")).wantStatus(201) }
	})
	c.wantOf("cold token", 2, func() func() {
		token := far.login(adaEmail, adaPassword).signedIn(200).Token
		return func() { add(here.withToken(token)) }
	})
	c.wantOf("record changed by another node", 2, func() func() {
		far.post(path+"/lines", addBody(nails, "1")).wantStatus(201)
		return func() { add(here) }
	})
	c.wantOf("replay", 1, func() func() {
		again := once()
		add(again)
		return func() { add(again) }
	})

	filled := func(c client, product string) func() func() {
		return func() func() {
			path := here.newCart()
			here.post(path+"/lines", addBody(product, "1")).wantStatus(201)
			return func() { c.checkOut(path, buyer).wantStatus(201) }
		}
	}
	c.wantOf("checkout", 1, filled(here, booklet))
	c.wantOf("checkout with a token", 1, filled(ada, booklet))
	address := strings.TrimPrefix(ada.newAddress(addressBody), addressesPath+"/")
	c.wantOf("checkout with an address of the book", 1, func() func() {
		path := here.newCart()
		here.post(path+"/lines", addBody(hammer, "1")).wantStatus(201)
		return func() {
			ada.checkOut(path, `{"shipping_method_id":"`+parcel+`","shipping_address_id":"`+address+`"}`).wantStatus(201)
		}
	})
	c.wantOf("checkout after another node has changed the book", 2, func() func() {
		path := here.newCart()
		here.post(path+"/lines", addBody(booklet, "1")).wantStatus(201)
		far.withToken(tokenAda).patch(addressesPath+"/"+address, `{"label":null}`).wantStatus(200)
		return func() { ada.checkOut(path, "{}").wantStatus(201) }
	})
	c.wantOf("checkout without the stock", 1, func() func() {
		path := here.newCart()
		here.post(path+"/lines", addBody(gloves, "1", variant(glovesM))).wantStatus(201)
		return func() { here.checkOut(path, delivered).wantStatus(409) }
	})
	sold := here.newCart()
	here.post(sold+"/lines", addBody(booklet, "1")).wantStatus(201)
	order := ada.checkOut(sold, "{}").order(201).ID
	c.want("repeated checkout", 2, func() { ada.checkOut(sold, "").wantStatus(200) })
	c.want("order", 2, func() { ada.get("commerce/orders/" + order).wantStatus(200) })
	c.want("copy of an order", 3, func() { ada.post("commerce/orders/"+order+"/copy", "").wantStatus(201) })
	linked := ada.checkOut(sold, "").wantStatus(200).header.Get("X-Order-Token")
	c.want("order of a token", 2, func() { here.get("commerce/orders/by-token/" + linked).wantStatus(200) })
	c.want("order of a forged token", 1, func() { here.get("commerce/orders/by-token/" + strings.Repeat("A", 64)).wantStatus(404) })
	c.want("copy of a token's order", 3, func() { here.post("commerce/orders/by-token/"+linked+"/copy", "").wantStatus(201) })
	c.want("copy of a cart", 2, func() { here.post(path+"/copy", "").wantStatus(201) })
	c.want("details", 1, func() { here.get(path + "?include=details").wantStatus(200) })
	c.want("deliveries of a cart", 1, func() { here.get(path + "/shipping-methods?country=NL").wantStatus(200) })
	c.want("list of carts", 5, func() { ada.get("commerce/carts").wantStatus(200) })
	c.want("list of orders", 5, func() { ada.get("commerce/orders?placed_from=2020-01-01").wantStatus(200) })

	kept := here.newCart()
	here.post(kept+"/lines", addBody(booklet, "1")).wantStatus(201)
	keep := func(c client, body string) { c.patch(kept+"/checkout", body).wantStatus(200) }
	c.want("PATCH of a kept checkout", 1, func() { keep(here, delivered) })
	c.want("PATCH of a kept checkout with a token", 1, func() { keep(ada, `{"customer_note":"Ring"}`) })
	c.want("kept checkout", 1, func() { here.get(kept + "/checkout").wantStatus(200) })
	c.want("kept checkout with checks, nothing tracked", 1, func() { here.get(kept + "/checkout?include=checks").wantStatus(200) })
	c.want("PATCH of a kept checkout with checks, nothing tracked", 1, func() {
		here.patch(kept+"/checkout?include=checks", `{"reference":"R"}`).wantStatus(200)
	})
	c.want("explanation, nothing tracked", 1, func() { here.get(kept + "/explain").wantStatus(200) })
	here.post(kept+"/lines", addBody(cable, "0.001")).wantStatus(201)
	c.want("kept checkout with stock", 1, func() { here.get(kept + "/checkout").wantStatus(200) })
	c.want("kept checkout with checks and stock", 2, func() { here.get(kept + "/checkout?include=checks").wantStatus(200) })
	c.want("PATCH of a kept checkout with checks and stock", 2, func() {
		here.patch(kept+"/checkout?include=checks", `{"reference":"R"}`).wantStatus(200)
	})
	keep(ada, `{"email":"ada@example.com"}`)
	ada.get(addressesPath).wantStatus(200) // another node has changed it
	c.want("PATCH of a kept checkout with an address of the book", 1, func() {
		keep(ada, `{"shipping_address_id":"`+address+`"}`)
	})
	c.want("explanation with stock", 2, func() { here.get(path + "/explain").wantStatus(200) })
	c.wantOf("checkout of what is kept", 1, func() func() {
		path := here.newCart()
		here.post(path+"/lines", addBody(booklet, "1")).wantStatus(201)
		here.patch(path+"/checkout", buyer).wantStatus(200)
		return func() { here.checkOut(path, "{}").wantStatus(201) }
	})

	asked := func() (path string, q quote) {
		path = here.newCart()
		here.post(path+"/lines", addBody(booklet, "1")).wantStatus(201)
		return path, here.post(path+"/quote-request", buyer).quote(201)
	}
	c.wantOf("quote request", 1, func() func() {
		path := here.newCart()
		here.post(path+"/lines", addBody(booklet, "1")).wantStatus(201)
		return func() { here.post(path+"/quote-request", buyer).wantStatus(201) }
	})
	c.wantOf("quote", 3, func() func() {
		_, q := asked()
		return func() { here.get(q.path()).wantStatus(200) }
	})
	c.wantOf("deliveries of a quote", 3, func() func() {
		_, q := asked()
		return func() { here.get(q.path() + "/shipping-methods?country=NL").wantStatus(200) }
	})
	own := here.newCart()
	here.post(own+"/lines", addBody(booklet, "1")).wantStatus(201)
	ownQuote := ada.post(own+"/quote-request", "{}").quote(201).ID
	c.want("list of quotes", 5, func() { ada.get("sales/quotes").wantStatus(200) })
	c.want("quote of an account", 2, func() { ada.get("sales/quotes/" + ownQuote).wantStatus(200) })
	c.want("quote of no token", 1, func() { here.get("sales/quotes/by-token/x").wantStatus(404) })
	c.want("quote of an unknown token", 2, func() { here.get("sales/quotes/by-token/" + unknownQuote).wantStatus(404) })
	for _, answer := range []string{"accept", "decline"} {
		c.wantOf(answer+" of a quote", 3, func() func() {
			_, q := asked()
			here.get(q.path()).wantStatus(200)
			return func() { here.post(q.path()+"/"+answer, "") }
		})
		c.wantOf("cold "+answer+" of a quote", 4, func() func() {
			_, q := asked()
			return func() { here.post(q.path()+"/"+answer, "") }
		})
	}
	quoted, q := asked()
	here.post(q.path()+"/accept", "").wantStatus(201)
	c.want("checkout of an accepted quote's cart", 3, func() { here.checkOut(quoted, "").wantStatus(200) })

	claim := func(node client) func() func() { // of a cart that the node has changed
		return func() func() {
			node.withToken(tokenAda).bound("ada@example.com", "1", "")
			claimed := here.newCart()
			return func() { ada.post(claimed+"/claim", "").wantStatus(200) }
		}
	}
	ada.post(here.newCart()+"/claim", "").wantStatus(200)
	c.wantOf("claim of one other cart", 2, claim(here))
	c.wantOf("claim of a cart of another node", 3, claim(far))
	c.wantOf("claim of one other cart by a cart with a code that has a limit for each customer", 3, func() func() {
		ada.bound("ada@example.com", "1", "")
		claimed := here.newCart()
		here.attach(claimed, "EACH").wantStatus(200)
		return func() { ada.post(claimed+"/claim", "").wantStatus(200) }
	})

	line := here.get(path).cart(200).Lines[0].ID
	bound := here.newCart()
	ada.patch(bound, `{"email":"ada@example.com"}`).wantStatus(200)
	used := once()
	add(used)
	for _, row := range []struct {
		name string
		want int
		call func() answer
	}{
		{"403", 403, func() answer { return here.post(bound+"/lines", addBody(nails, "1")) }},
		{"404 of a line", 404, func() answer { return here.remove(path + "/lines/" + unknownID) }},
		{"412", 412, func() answer {
			return here.withHeader("If-Match", `"1.1"`).patch(path+"/lines/"+line, `{"quantity":1}`)
		}},
		{"422", 422, func() answer { return here.post(path+"/lines", addBody(unknownID, "1")) }},
		{"422 of a key", 422, func() answer { return used.post(path+"/lines", addBody(nails, "2")) }},
		{"400", 400, func() answer { return here.post(path+"/lines", "{") }},
	} {
		c.want(row.name, 1, func() { row.call().wantStatus(row.want) })
	}
}

// withCustomerLimit adds a code that each customer may use a number of times.
func withCustomerLimit(document object) {
	document["discounts"] = append(document["discounts"].(list),
		discountRow(90, "order", "Each", "EACH", object{"value": percentOff("1"), "usage_limit_per_customer": 1000}))
}

// withManyVariants adds 100 tracked products with 20 variants each.
func withManyVariants(document object) {
	goods := document["products"].(list)
	for i := range 100 {
		goods = append(goods, tracked(i, strings.Fields(strings.Repeat("1 0 ", 10))...))
	}
	document["products"] = goods
}
