//go:build long

package blackbox_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/bench/shopper"
	"cartd/internal/redistest"
)

const (
	keyLook               = "secret-key-look"
	fewOrders, manyOrders = 20_000, 200_000
	quotesOfAList         = 10_000
	manyAccounts          = 100_000
	cartsOfOne            = 100
	heldCarts             = 2_000
	keptActs              = 10_000

	// mayTake25 and mayTake100 are the processor time, of the node and of Redis, that a read of so many rows may take.
	mayTake25, mayTake100 = 15 * time.Millisecond, 40 * time.Millisecond
)

// looked is the base store with many products and accounts, for a merchant who asks about it.
func looked(document object) {
	setting("quotes", object{"enabled": true, "mode": "reviewed"})(document)
	setting("webhooks", list{object{"url": "http://127.0.0.1:9/hook", "secret": hookSecret, "events": list{"order.placed", "stock.adjusted"}}})(document)
	document["api_keys"] = append(document["api_keys"].(list),
		apiKey("look", keyLook, "store:read", "sales:manage", "orders:read", "orders:write", "catalog:manage"))
	discount := discountRow(1, "order", "Voucher", "VOUCHER", object{"value": percentOff("10"), "usage_limit": 1_000_000, "usage_limit_per_customer": 1000})
	document["discounts"] = list{discount}
	products, customers := document["products"].(list), document["customers"].(list)
	for i := range largeProducts {
		products = append(products, object{
			"id": productID(i), "name": fmt.Sprint("Product number ", i), "slug": fmt.Sprint("product-", i), "sku": fmt.Sprint("P-", i),
			"description": "A thing that is sold in the shop.", "track_stock": true, "tax": "standard", "price_amount": 1250, "requires_shipping": false,
			"variants": list{object{"id": fmt.Sprintf("51000000-0000-4000-8000-%012d", i), "name": "White", "sku": fmt.Sprintf("P-%d-W", i), "stock": "9000"}},
		})
	}
	for i := range manyAccounts {
		c := object{"id": customerID(i), "email": fmt.Sprintf("customer%d@example.com", i), "external_id": fmt.Sprint("E-", i),
			"first_name": fmt.Sprint("Eva ", i), "last_name": "van Dalen"}
		if i%10 == 0 {
			c["kind"], c["approved"], c["company_name"] = "b2b", false, fmt.Sprint("Van Dijk Interieur ", i)
		}
		customers = append(customers, c)
	}
	document["products"], document["customers"] = products, customers
}

// copyRecord writes n copies of a record straight into Redis, under ids of their own, in pipelines; list adds a copy to the lists that
// have it. A record that ends with its number, and what ends that, gets a number of its own: the next after from.
func copyRecord(t *testing.T, client *redis.Client, kind, id string, n, from int, list func(pipe redis.Pipeliner, id string)) {
	t.Helper()
	ctx, key := context.Background(), "{"+storeBase+"}:"+kind+":"
	text := client.Get(ctx, key+id).Val()
	number := strings.TrimRight(text, "\n")
	body, end := strings.TrimRight(number, "0123456789"), text[len(number):]
	if body == number || from == 0 {
		t.Fatalf("%s %s is %q", kind, id, text)
	}
	expires := max(0, client.TTL(ctx, key+id).Val())
	const atOnce = 2000
	pipe := client.Pipeline()
	for i := range n {
		copied, numbered := uuid.NewString(), text
		if from > 0 {
			numbered = body + strconv.Itoa(from+1+i) + end
		}
		pipe.Set(ctx, key+copied, numbered, expires)
		list(pipe, copied)
		if (i+1)%atOnce == 0 || i+1 == n {
			if _, err := pipe.Exec(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// looker measures the merchant's reads of a store.
type looker struct {
	t      *testing.T
	desk   client
	redis  *redis.Client
	orders string // how many the store has
	rows   []string
}

// took is the processor time of the node and of Redis since their start.
func (l *looker) took() (node, redisdb time.Duration) {
	info := l.redis.Info(context.Background(), "cpu").Val()
	for _, name := range []string{"used_cpu_sys", "used_cpu_user"} {
		seconds, err := strconv.ParseFloat(redistest.InfoField(info, name), 64)
		if err != nil {
			l.t.Fatal(err)
		}
		redisdb += time.Duration(seconds * float64(time.Second))
	}
	return cpu(l.t, l.desk.node.Cmd.Process.Pid), redisdb
}

// read notes what a read costs, and fails if that is late for a number of rows. rows is the least number of rows of the page; -1 for
// an answer without rows.
func (l *looker) read(path string, rows int, most time.Duration) (p cursorPage) {
	l.t.Helper()
	first := l.desk.get(path).wantStatus(200)
	if rows >= 0 {
		first.decode(&p)
	}
	name := path
	if at := strings.Index(path, "&ids[]="); at > 0 {
		name = path[:at] + "&…&" + path[strings.LastIndex(path, "&")+1:]
	}
	if len(p.Data) < rows {
		l.t.Errorf("%s has %d rows, want at least %d: %s", name, len(p.Data), rows, short(string(first.body)))
	}
	call := l.desk.call("GET", path, "")
	node, inRedis := l.series(call)
	for range 2 { // the best of three series: what else the machine does only adds to it
		nodeAgain, inRedisAgain := l.series(call)
		node, inRedis = min(node, nodeAgain), min(inRedis, inRedisAgain)
	}
	l.rows = append(l.rows, fmt.Sprintf("| `GET %s` | %s | %d | %d KB | %.2f | %.2f | %.2f |", name, l.orders, len(p.Data), len(first.body)/1000,
		ms(node), ms(inRedis), ms(node+inRedis)))
	if late(node+inRedis, most) {
		l.t.Errorf("GET %s, %s orders: %v of the node and %v of Redis, at most %v", name, l.orders, node, inRedis, most)
	}
	return p
}

// series sends a call until it has taken costTicks of the node's processor time, and returns what one call takes.
func (l *looker) series(call *shopper.Request) (node, inRedis time.Duration) {
	l.t.Helper()
	node, inRedis = l.took()
	times := time.Duration(0)
	for enough := node + costTicks; times < 5 || cpu(l.t, l.desk.node.Cmd.Process.Pid) < enough && times < 300; times++ {
		if got, err := l.desk.node.way.Send(call); err != nil || got.Status != 200 {
			l.t.Fatalf("%s: %d, %v", call.Path, got.Status, err)
		}
	}
	nodeAfter, redisAfter := l.took()
	return (nodeAfter - node) / times, (redisAfter - inRedis) / times
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// walk reads a list that looks for something to its end, and fails if a page costs too much on average. It returns the number of
// rows and pages.
func (l *looker) walk(path string, most time.Duration) (rows, pages int) {
	l.t.Helper()
	node, inRedis := l.took()
	for after := ""; ; {
		var p cursorPage
		l.desk.get(path + after).wantStatus(200).decode(&p)
		rows, pages = rows+len(p.Data), pages+1
		switch {
		case p.Meta.NextAfter != nil:
			after = "&after=" + fmt.Sprint(p.Meta.NextAfter)
		case p.Meta.NextBefore != nil:
			after = fmt.Sprintf("&before=%.0f", p.Meta.NextBefore)
		default:
			nodeAfter, redisAfter := l.took()
			node, inRedis = (nodeAfter-node)/time.Duration(pages), (redisAfter-inRedis)/time.Duration(pages)
			l.rows = append(l.rows, fmt.Sprintf("| `GET %s`, each of %d pages | %s | %d | – | %.2f | %.2f | %.2f |", path, pages, l.orders, rows,
				ms(node), ms(inRedis), ms(node+inRedis)))
			if late(node+inRedis, most) {
				l.t.Errorf("GET %s, %s orders, %d pages: %v of the node and %v of Redis each, at most %v", path, l.orders, pages, node, inRedis, most)
			}
			return rows, pages
		}
	}
}

// costTicks is the processor time of a node, which the system counts in 10 ms, from which a read's cost is told.
const costTicks = 150 * time.Millisecond

// No read of the merchant's takes much of the processor, whatever the store has: 25 rows 15 ms, 100 rows 40 ms. A page that looks
// for something ends early, and the next ones go on.
func TestLongMerchantReadsCost(t *testing.T) {
	r := redistest.Real(t)
	db, ctx, tag := r.Client(), context.Background(), "{"+storeBase+"}:"
	file := storeFile(t, base(), withStock, collected, looked)
	if f := finish(t, "", nil, nil, 5*time.Minute, "import", "--redis", r.URL(), file); f.code != 0 {
		t.Fatalf("%+v", f)
	}
	n := start(t, options{redis: r.URL(), flags: []string{"--webhook-allow-private"}})
	shop, desk := n.client(t), n.client(t).withKey(keyLook)
	account := shop.withKey(keyAll).withToken(tokenAda)
	l := looker{t: t, desk: desk, redis: db}
	t.Cleanup(func() {
		fmt.Printf("\n| read | orders | rows | answer | node ms | Redis ms | both ms |\n| --- | --- | --- | --- | --- | --- | --- |\n%s\n",
			strings.Join(l.rows, "\n"))
	})

	// Carts with holds of one item; an account's carts; a cart of 100 lines.
	held := levelsItem(0)
	for range heldCarts {
		shop.add(shop.newCart(), productID(0), "1", variant(held))
	}
	var cart string
	for range cartsOfOne {
		cart = account.bound(adaEmail, "", "1")
	}
	large := account.newCart()
	for i := range 99 {
		account.add(large, productID(i), "1", variant(levelsItem(i)))
	}

	// Quotes, each with four lines and a draft.
	ask := func() string {
		cart := shop.newCart()
		for i := range 4 {
			shop.add(cart, productID(i), "2", variant(levelsItem(i)))
		}
		return shop.post(cart+"/quote-request", buyer).quote(201).ID
	}
	waiting := ask()
	offered := desk.get("quotes/" + ask()).storeQuote(200)
	offered = desk.patch(offered.path(""), `{"discount":{"percent":"5"},"shipping":{"name":"Van","price_amount":4900,"tax":"standard"}}`).storeQuote(200)
	offered = desk.post(offered.path("/offer"), fmt.Sprintf(`{"expected_total_amount":%d}`, offered.Draft.OrderTotal.Amount)).storeQuote(200)
	desk.patch(offered.path(""), `{"discount":{"percent":"6"}}`).wantStatus(200)
	since := db.ZScore(ctx, tag+"quote-waiting", waiting).Val()
	copyRecord(t, db, "quote", waiting, quotesOfAList, -1, func(pipe redis.Pipeliner, id string) {
		pipe.ZAdd(ctx, tag+"quote-waiting", redis.Z{Score: since, Member: id})
	})
	until := db.ZScore(ctx, tag+"quote-offered", offered.ID).Val()
	copyRecord(t, db, "quote", offered.ID, quotesOfAList, 1, func(pipe redis.Pipeliner, id string) {
		pipe.ZAdd(ctx, tag+"quote-offered", redis.Z{Score: until, Member: id})
		pipe.RPush(ctx, tag+"quote-list", id)
	})

	// The history and the sales.
	desk.patch("contacts/"+bob, `{"approved":true}`).wantStatus(200)
	act := db.LIndex(ctx, tag+"acts", -1).Val()
	if act == "" {
		t.Fatal("the history has no act")
	}
	acts := make([]any, keptActs)
	for i := range acts {
		acts[i] = act
	}
	if err := db.RPush(ctx, tag+"acts", acts...).Err(); err != nil {
		t.Fatal(err)
	}
	for day := range 31 {
		for hour := range 24 {
			for _, counter := range []string{" orders", " amount", " cancelled", " cancelled_amount"} {
				key := tag + "sales:" + time.Now().UTC().AddDate(0, 0, -day).Format(time.DateOnly)
				if err := db.HSet(ctx, key, fmt.Sprintf("%02d%s", hour, counter), 1234567).Err(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}

	// Orders: one of an account, one of a guest, and their copies.
	bought := func(c client, body string) string {
		cart := c.newCart()
		for i := range 4 {
			c.add(cart, productID(i), "2", variant(levelsItem(i)))
		}
		return c.checkOut(cart, body).order(201).ID
	}
	both := []string{bought(account, "{}"), bought(shop, buyer)}
	lists := make([]string, 2)
	for _, key := range db.Keys(ctx, tag+"orders:*").Val() {
		for i, id := range both {
			if db.ZScore(ctx, key, id).Err() == nil {
				lists[i] = key
			}
		}
	}
	placed := db.ZScore(ctx, lists[0], both[0]).Val()
	orders := len(both)
	fill := func(upTo int) {
		for i := range both { // a tenth belongs to the account, a tenth to the guest; no read asks for the others
			few := (upTo - orders) / (2 - i)
			copied := 0
			copyRecord(t, db, "order", both[i], few, orders, func(pipe redis.Pipeliner, id string) {
				pipe.RPush(ctx, tag+"orders", id)
				if copied++; copied%5 == 0 {
					pipe.ZAdd(ctx, lists[i], redis.Z{Score: placed, Member: id})
				}
			})
			orders += few
		}
		db.Set(ctx, tag+"order-number", orders, 0)
	}
	today := time.Now().UTC().Format(time.DateOnly)

	// A page that looks for something, or has 100 rows of orders, is measured with few orders and with many.
	for _, many := range []int{fewOrders, manyOrders} {
		fill(many)
		l.orders = strconv.Itoa(many)
		for _, c := range []struct {
			rows int
			most time.Duration
		}{{25, mayTake25}, {100, mayTake100}} {
			size := fmt.Sprint("per_page=", c.rows)
			for _, query := range []string{
				"", "email=" + adaEmail, "email=buyer@example.com", "customer_id=" + ada, "sort=newest", "sort=newest&email=" + adaEmail,
				"sort=newest&status=placed", "sort=newest&placed_from=" + today, "after=" + strconv.Itoa(many/2),
			} {
				l.read("orders?"+query+"&"+size, c.rows, c.most)
			}
			// The page looks at up to 1,000 orders and finds none.
			for _, query := range []string{"sort=newest&status=cancelled", "sort=newest&placed_from=2090-01-01", "sort=newest&payment_status=paid&email=" + adaEmail} {
				if p := l.read("orders?"+query+"&"+size, 0, c.most); p.Meta.NextBefore == nil || len(p.Data) > 0 {
					t.Errorf("%s: %d rows, next %v", query, len(p.Data), p.Meta.NextBefore)
				}
			}
			for _, query := range []string{"q=van", "q=van%20dalen%20eva%209", "q=van%20dijk", "awaiting=true"} {
				l.read("contacts?"+query+"&"+size, c.rows, c.most)
			}
			for _, query := range []string{"state=all", "state=waiting", "state=offered", "email=buyer@example.com"} {
				rows := c.rows
				if query == "email=buyer@example.com" { // two seeds
					rows = 1
				}
				l.read("quotes?"+query+"&"+size, rows, c.most)
			}
			l.read("carts?customer_id="+ada+"&"+size, c.rows, c.most)
			l.read("carts?short="+idOf(cart)[:8]+"&"+size, 0, c.most)
			l.read("stock/levels?below=9999999&"+size, c.rows, c.most)
			l.read("stock/levels?below=1&after="+levelsItem(largeProducts-3000)+"&"+size, 0, c.most)
			for list, rows := range map[string]int{"products?": c.rows, "products?q=number&": 25, "products?q=P-77&": 1} {
				l.read("catalog/document/"+list+size, rows, c.most)
			}
			ids := make([]string, c.rows)
			for i := range ids {
				ids[i] = "ids[]=" + productID(i*900)
			}
			l.read("stock/levels?"+strings.Join(ids, "&")+"&"+size, c.rows, c.most)
		}
		l.read("orders?number="+strconv.Itoa(many/2), 1, mayTake25)
		for _, query := range []string{"email=" + adaEmail, "email=buyer@example.com", "email=nobody@example.com", "external_id=E-77"} {
			l.read("contacts?"+query, 0, mayTake25)
		}
		l.read("contacts/"+customerID(77), -1, mayTake25)
		l.read("stock/levels?sku=P-99999-W", 1, mayTake25)
		for _, item := range []string{held, levelsItem(50), levelsItem(70_000)} { // held by all carts, by one that expires last, by none
			l.read("stock/levels?ids[]="+item, 1, mayTake25)
		}
		l.read("quotes/"+offered.ID, -1, mayTake25)
		l.read("quotes?number=5000", 1, mayTake25)
		l.read("carts/"+idOf(cart)+"?include=details,stock,explain,checks", -1, mayTake25)
		l.read("carts/"+idOf(large)+"?include=details,stock,explain,checks", -1, mayTake100)
		l.read("catalog/document/products/"+productID(50_000), -1, mayTake25)
		l.read("catalog/document/discounts", 1, mayTake25)
		l.read("catalog/discounts/60000000-0000-4000-8000-000000000001/uses?code=VOUCHER&customer_id="+ada, -1, mayTake25)
		for _, path := range []string{"webhooks", "summary?days=31", "store"} {
			l.read(path, -1, mayTake25)
		}
		l.read("history", 100, mayTake100)
	}

	// Pages that find nothing end early, and the last one says so.
	if rows, pages := l.walk("catalog/document/products?q=no%20such%20part", mayTake25); rows != 0 || pages < 2 {
		t.Errorf("%d products on %d pages", rows, pages)
	}
	if rows, pages := l.walk("catalog/document/products?q=number%2077&per_page=100", mayTake100); rows != 1111 || pages < 12 {
		t.Errorf("%d products on %d pages", rows, pages)
	}
	if rows, pages := l.walk("stock/levels?below=1", mayTake25); rows != 3 || pages < largeProducts/2000 {
		t.Errorf("%d items on %d pages", rows, pages)
	}
	if rows, pages := l.walk("orders?sort=newest&status=cancelled", mayTake25); rows != 0 || pages < manyOrders/1000 {
		t.Errorf("%d orders on %d pages", rows, pages)
	}
	if rows, _ := l.walk("carts?short="+idOf(cart)[:8], mayTake25); rows != 1 {
		t.Errorf("%d carts", rows)
	}
}

// levelsItem is the variant of a product of looked.
func levelsItem(i int) string { return fmt.Sprintf("51000000-0000-4000-8000-%012d", i) }
