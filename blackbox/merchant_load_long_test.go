//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// What shoppers notice of a merchant's work on a store of 100,000 products: of 40 single prices a second, and of an import in which one
// price differs.
func TestLongShoppersBesideAMerchant(t *testing.T) {
	f, r := newFigures(t), redistest.Real(t)
	store := largeStore{id: storeBase, name: "Large", key: keyShop, products: largeProducts, price: 1000}
	first := store.file(t)
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(t.TempDir(), "second.json")
	if err := os.WriteFile(second, []byte(strings.Replace(string(text), `"price_amount":1000`, `"price_amount":1001`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	imported(t, r, first, storeFile(t, another(storeOther, keyOther, nil)))
	made := runs(t, "key", "--redis", r.URL(), "--store", storeBase, "--name", "erp", "--scopes", "catalog:manage")
	shop, desk := start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)
	desk.withKey(keyShop).get("me").wantStatus(http.StatusOK)

	large := shop.withKey(keyShop)
	change := lineChanges(large, addBody(productID(0), "1", variant(largeVariantID(0))))
	alone := worst(timed(after(3*time.Second), change))
	stopCommits, answered := make(chan struct{}), make(chan int)
	go changesPrices(desk.withKey(strings.TrimSpace(made.stdout)), stopCommits, answered)
	beside := worst(timed(after(10*time.Second), change))
	close(stopCommits)
	what := "100,000 products, a line change beside 40 single prices a second: "
	f.row(what+"prices answered in 10 s", "–", strconv.Itoa(<-answered), false)
	f.grown(what, alone, beside)

	if err := r.Client().ConfigSet(t.Context(), "appendonly", "yes").Err(); err != nil {
		t.Fatal(err)
	}
	pollFor(settlesWithin, func() bool {
		return info(t, r, "aof_rewrite_in_progress") == 0 && info(t, r, "aof_rewrite_scheduled") == 0
	})
	sent, wrote := info(t, r, "total_net_input_bytes"), info(t, r, "aof_current_size")
	imported(t, r, second)
	sent, wrote = info(t, r, "total_net_input_bytes")-sent, info(t, r, "aof_current_size")-wrote
	what = "100,000 products, an import in which one price differs: "
	f.row(what+"bytes written to Redis", "under 1 MiB", fmt.Sprintf("%.3f MiB", float64(wrote)/megabyte), wrote > megabyte || wrote <= 0)
	f.row(what+"bytes sent, most of them names of items whose stock is asked for", "–", fmt.Sprintf("%.1f MiB", float64(sent)/megabyte), false)

	other := lineChanges(shop.withKey(keyOther), addBody(paper, "1"))
	alone = worst(timed(after(3*time.Second), other))
	stop, took := make(chan struct{}), make(chan []time.Duration)
	go func() { took <- timed(stop, other) }()
	for range 3 {
		imported(t, r, first)
		imported(t, r, second)
	}
	close(stop)
	f.grown("a line change of another store beside imports of 100,000 products: ", alone, worst(<-took))
}

// grown notes the 99th percentile of requests alone and beside work; it may grow by 20 ms.
func (f *figures) grown(what string, alone, beside time.Duration) {
	f.t.Helper()
	f.row(what+"99th percentile alone", "–", fmt.Sprintf("%.1f ms", 1e3*alone.Seconds()), false)
	f.row(what+"99th percentile beside it", "20 ms more", fmt.Sprintf("%.1f ms", 1e3*beside.Seconds()), late(beside-alone, 20*time.Millisecond))
}

// lineChanges makes a cart with a line and returns a change of its quantity.
func lineChanges(c client, body string) func() {
	path := c.newCart()
	line := c.post(path+"/lines", body).cart(http.StatusCreated).Lines[0].ID
	quantity := 1
	return func() {
		quantity = 3 - quantity
		c.patch(path+"/lines/"+line, fmt.Sprintf(`{"quantity":%d}`, quantity)).wantStatus(http.StatusOK)
	}
}

// timed repeats a request until it is stopped, about 200 times a second, and returns how long each took.
func timed(stop <-chan struct{}, request func()) (took []time.Duration) {
	for tick := time.Tick(5 * time.Millisecond); ; {
		select {
		case <-stop:
			return took
		case <-tick:
		}
		began := time.Now()
		request()
		took = append(took, time.Since(began))
	}
}

// after is closed after some time.
func after(d time.Duration) <-chan struct{} {
	end := make(chan struct{})
	time.AfterFunc(d, func() { close(end) })
	return end
}

// worst is the 99th percentile.
func worst(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)*99/100]
}

// changesPrices changes 40 prices a second from eight clients until it is stopped, and says how many were answered.
func changesPrices(erp client, stop <-chan struct{}, answered chan<- int) {
	const clients, rate = 8, 40
	var count atomic.Int64
	var group sync.WaitGroup
	for n := range clients {
		group.Go(func() {
			tick := time.Tick(clients * time.Second / rate)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-tick:
				}
				erp.patch("catalog/products/"+productID(1+n*1000+i), fmt.Sprintf(`{"price_amount":%d}`, 2000+i)).wantStatus(http.StatusOK)
				count.Add(1)
			}
		})
	}
	group.Wait()
	answered <- int(count.Load())
}

// info is a number that Redis tells about itself.
func info(t *testing.T, r *redistest.Server, name string) int64 {
	t.Helper()
	for line := range strings.SplitSeq(r.Client().Info(t.Context(), "everything").Val(), "\r\n") {
		if text, is := strings.CutPrefix(line, name+":"); is {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("INFO has no %s", name)
	return 0
}
