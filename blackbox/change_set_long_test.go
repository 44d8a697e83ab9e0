//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

const (
	priceChanges = 1000
	priceClients = 16
)

// A merchant's system sends 1,000 single prices with 16 clients to two nodes, while shoppers buy on both. None is refused, and a
// change counts as seen when both nodes show its price.
func TestLongPriceChanges(t *testing.T) {
	f := newFigures(t)
	for _, size := range []int{1_000, largeProducts} {
		t.Run(fmt.Sprint(size), func(t *testing.T) { f.changePrices(t, size) })
	}
}

func (f *figures) changePrices(t *testing.T, size int) {
	r := redistest.Real(t)
	store := largeStore{id: storeBase, name: "Large", key: keyShop, products: size, price: 1000}
	imported(t, r, store.file(t))
	made := runs(t, "key", "--redis", r.URL(), "--store", storeBase, "--name", "erp", "--scopes", "catalog:manage")
	nodes := [2]client{start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)}
	for _, c := range nodes {
		c.get("me").wantStatus(http.StatusOK)
	}
	var erps [2]client
	for i := range erps {
		erps[i] = nodes[i].withKey(strings.TrimSpace(made.stdout))
	}
	v := visit(t, addBody(productID(size-1), "1", variant(largeVariantID(size-1))), nodes[:]...)
	before := nodes[0].node.memory(t, "VmRSS")
	began := time.Now()
	var mu sync.Mutex
	var answered []time.Duration
	var next, latest atomic.Int64
	var clients sync.WaitGroup
	for n := range priceClients {
		clients.Go(func() {
			erp := erps[n%2]
			for i := next.Add(1) - 1; i < priceChanges; i = next.Add(1) - 1 {
				body := fmt.Sprintf(`{"variants":[{"id":%q,"name":"V","price_amount":%d}]}`, largeVariantID(int(i)), 5000+i)
				sent := time.Now()
				erp.patch("catalog/products/"+productID(int(i)), body).wantStatus(http.StatusOK)
				latest.Store(i)
				mu.Lock()
				answered = append(answered, time.Since(sent))
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	all := time.Since(began)
	last := int(latest.Load())
	for _, c := range nodes {
		pollFor(2*followsLate, func() bool { return c.price(last) == int64(5000+last) })
	}
	seen := time.Since(began) - all
	v.leave(t)
	slices.Sort(answered)
	what := fmt.Sprintf("%d products, 1,000 single prices by 16 clients: ", size)
	f.took(what+"all are answered after", time.Minute, all)
	f.row(what+"a change, 50th and 99th percentile", "–", fmt.Sprintf("%.0f, %.0f ms", 1000*answered[len(answered)/2].Seconds(),
		1000*answered[len(answered)*99/100].Seconds()), false)
	f.took(what+"the last one is seen on both nodes after its answer", time.Second, seen)
	alone := f.alone(nodes[0].withKey(strings.TrimSpace(made.stdout)))
	f.took(what+"then one at a time, 99th percentile", 300*time.Millisecond, alone)
	f.row(what+"shoppers' requests, of them failed", "0", fmt.Sprintf("%d, %d", v.answers.Load(), len(v.failed)), len(v.failed) > 0)
	f.size(what+fmt.Sprintf("memory of the node that imports (before: %d MB)", before), 0, nodes[0].node.memory(t, "VmRSS"))
	info := r.Client().Info(t.Context(), "memory").Val()
	for _, line := range strings.Split(info, "\r\n") {
		if used, is := strings.CutPrefix(line, "used_memory_peak_human:"); is {
			f.row(what+"Redis's peak", "–", used, false)
		}
	}
}

// alone is the 99th percentile of 100 changes, one after another.
func (f *figures) alone(erp client) time.Duration {
	took := make([]time.Duration, 100)
	for i := range took {
		began := time.Now()
		erp.patch("catalog/products/"+productID(i), fmt.Sprintf(`{"price_amount":%d}`, 100+i)).wantStatus(http.StatusOK)
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// A change set may be packed; it is at most 8 MiB, as sent and unpacked.
func TestLongPackedChangeSets(t *testing.T) {
	t.Parallel()
	erp := serveFiles(t, storeFile(t, base(), managed)).withKey(keyManage)
	send := func(body []byte) answer {
		return erp.withHeader("Content-Encoding", "gzip").patch("catalog", string(body))
	}
	send(packed(t, []byte(`{"format":1,"set":{"products":[`+hammerEntry(2100)+`]}}`))).wantStatus(200)
	blanks := []byte(`{"format":1,` + strings.Repeat(" ", 8<<20) + `"set":{}}`)
	send(packed(t, blanks)).want(413, `{"message":"The request body is too large."}`)
	erp.patch("catalog", string(blanks)).want(413, `{"message":"The request body is too large."}`)
	large := []byte(`{"format":1,` + strings.Repeat(" ", 7<<20) + `"set":{}}`)
	send(packed(t, large)).wantStatus(200)
	erp.patch("catalog", string(large)).wantStatus(200)
	send([]byte("\x1f\x8bno gzip")).want(400, `{"message":"The request body is not valid JSON."}`)
}

// Prices that many clients change at once are all there, no shopper's request fails, and the sets
// share imports.
func TestLongManyChangeSetsAtOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	var products list
	for n := range 40 {
		products = append(products, object{"id": itemID(0x500 + n), "name": fmt.Sprint("P", n), "slug": fmt.Sprint("p", n), "tax": "standard", "price_amount": 1})
	}
	file := storeFile(t, base(), managed, func(document object) { document["products"] = append(document["products"].(list), products...) })
	erp := start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyManage)
	second := start(t, options{redis: r.URL()}).client(t)
	stop := make(chan struct{})
	var shoppers, clients sync.WaitGroup
	shoppers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				second.post(second.newCart()+"/lines", addBody(hammer, "1")).wantStatus(201)
			}
		}
	})
	for n := range 40 {
		clients.Go(func() {
			erp.patch("catalog/products/"+itemID(0x500+n), fmt.Sprintf(`{"price_amount":%d}`, 100+n)).wantStatus(200)
		})
	}
	clients.Wait()
	time.Sleep(time.Second)
	close(stop)
	shoppers.Wait()
	for n := range 40 {
		line := second.post(second.newCart()+"/lines", addBody(itemID(0x500+n), "1"))
		line.wantLines(201, fmt.Sprintf("P%d 1 × %d = %d", n, 100+n, 100+n))
	}
	if history := runs(t, "history", "--redis", r.URL(), "--store", storeBase).stdout; strings.Count(history, "key erp") != 1 ||
		!strings.Contains(history, "key erp, 40 changes") {
		t.Errorf("history\n%s\nwant a line of 40 changes", history)
	}
}

// changedAnswer is the body of a change of the catalogue.
type changedAnswer struct {
	Revision string `json:"revision"`
	Products *int   `json:"products"`
	Changed  *int   `json:"changed"`
	Removed  *int   `json:"removed"`
}

// A change set over HTTP is the next price of a cart, on all nodes, within a second.
func TestLongChangeSetsOverHTTP(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), managed)
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	other := start(t, options{redis: r.URL()}).client(t)
	erp := shop.withKey(keyManage)
	path := other.newCart()
	got := decoded[changedAnswer](erp.patch("catalog", `{"format":1,"store":{"id":"`+storeBase+`"},"set":{"products":[`+hammerEntry(2500)+
		`],"settings":{"name":"Tools"}},
		"remove":{"products":["`+itemID(0xfff)+`"]}}`))
	if got.Revision == "" || *got.Changed != 2 || *got.Removed != 0 || *got.Products != len(base()["products"].(list)) {
		t.Errorf("got %+v", got)
	}
	time.Sleep(time.Second) // the promise: within a second
	other.post(path+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 2500 = 2500")
	if me := erp.get("me"); !strings.Contains(string(me.body), `"name":"Tools"`) {
		t.Errorf("%v\nwant the new name", me)
	}

	erp.patch("catalog/products/"+hammer, `{"price_amount":2600,"name":"Maul"}`).wantStatus(http.StatusOK)
	erp.patch("catalog/products/"+paper, `{"active":false}`).wantStatus(http.StatusOK)
	erp.patch("catalog/products/"+paper, `{"name":"Sandpaper"}`).wantStatus(http.StatusOK) // inactive
	time.Sleep(time.Second)
	other.post(other.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Maul 1 × 2600 = 2600")

	for call, want := range map[string]answerWanted{
		"catalog/products/" + itemID(0xfff):    {404, `{"message":"No query results for model [Product] ` + itemID(0xfff) + `"}`},
		"catalog/products/hammer":              {404, `{"message":"No query results for model [Product] hammer"}`},
		"catalog/products/" + hammer + " null": {422, oneField("name", "The name field is required.", "")},
	} {
		path, rest, _ := strings.Cut(call, " ")
		body := `{"name":7}`
		if rest != "" {
			body = `{"name":null}`
		}
		erp.patch(path, body).want(want.status, want.body)
	}
}

// If-Match names the entry that a set replaces. A 412 has the entity tag of now.
func TestLongChangesOfAnEntryWithIfMatch(t *testing.T) {
	t.Parallel()
	erp := serveFiles(t, storeFile(t, base(), managed)).withKey(keyManage)
	path := "catalog/products/" + hammer
	refused := erp.withHeader("If-Match", `"0123456789abcdef"`).patch(path, `{"price_amount":-1}`)
	refused.want(412, `{"message":"The entry has changed.","code":"version_mismatch"}`)
	tag := refused.header.Get("ETag")
	erp.withHeader("If-Match", tag).patch(path, `{"price_amount":2100}`).wantStatus(200)
	erp.withHeader("If-Match", tag).patch(path, `{"price_amount":2200}`).wantStatus(412)
	erp.withHeader("If-Match", tag).patch("catalog", `{"format":1,"set":{"products":[`+hammerEntry(2300)+`]}}`).wantStatus(412)
	erp.withHeader("If-Match", "*").patch(path, `{"price_amount":2400}`).wantStatus(200)
	erp.withHeader("If-Match", `"x"`).patch("catalog", `{"format":1,"set":{"settings":{"name":"Tools"},"products":[`+hammerEntry(2500)+`]}}`).wantStatus(200)
}

// A set that meets an import waits for its end; at its deadline it is 503, and nothing was done.
func TestLongChangesWaitForAnImport(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed)}, flags: []string{"--request-timeout", "2s"}})
	erp := n.client(t).withKey(keyManage)
	erp.patch("catalog/products/"+hammer, `{"price_amount":2100}`).wantStatus(200)
	lease := "{" + storeBase + "}:import"
	r.Client().Set(t.Context(), lease, "\x01"+strings.Repeat("x", 24), 10*time.Second)
	held := erp.patch("catalog/products/"+hammer, `{"price_amount":2200}`)
	held.want(503, `{"message":"Service Unavailable"}`)
	held.wantHeader("Retry-After", "1")
	done := make(chan int)
	go func() { done <- erp.patch("catalog/products/"+hammer, `{"price_amount":2300}`).status }()
	time.Sleep(300 * time.Millisecond)
	r.Client().Del(t.Context(), lease)
	if status := <-done; status != 200 {
		t.Errorf("after the import: %d, want 200", status)
	}
	shop := erp.withKey(keyShop)
	shop.post(shop.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 2300 = 2300")
}

// With an Idempotency-Key a change set is carried out once. A replay answers the revision and nulls.
func TestLongRepeatedChangeSets(t *testing.T) {
	t.Parallel()
	merchant := serveFiles(t, storeFile(t, base(), managed)).withKey(keyManage)
	erp := merchant.withHeader("Idempotency-Key", "price-1")
	body := `{"format":1,"set":{"products":[` + hammerEntry(2100) + `]}}`
	first := decoded[changedAnswer](erp.patch("catalog", body))
	merchant.withHeader("Idempotency-Key", "price-2").patch("catalog", strings.Replace(body, "2100", "2200", 1)).wantStatus(200)
	again := erp.patch("catalog", body)
	again.wantHeader("Idempotent-Replayed", "true")
	again.want(200, `{"revision":"`+first.Revision+`","products":null,"changed":null,"removed":null}`)
	erp.patch("catalog", strings.Replace(body, "2100", "2300", 1)).wantStatus(422)
	time.Sleep(time.Second)
	shop := merchant.withKey(keyShop)
	shop.post(shop.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 2200 = 2200")
}
