//go:build long

package blackbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// leaseOther is the key of the crowded store's import lease.
const leaseOther = "{" + storeOther + "}:import"

// expireLease ends the lease of a killed import early.
func expireLease(client *redis.Client) { client.Del(context.Background(), leaseOther) }

// lease names the running import of the crowded store.
func lease(client *redis.Client) string {
	return client.Get(context.Background(), leaseOther).Val()
}

const crowdSize = 5000

// exportedNames are the first names of the first customers in an export.
func exportedNames(t *testing.T, r *redistest.Server) map[string]int {
	t.Helper()
	count := map[string]int{}
	for line := range strings.Lines(exports(t, r, storeOther)) {
		if _, rest, ok := strings.Cut(line, `"first_name":"`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			count[name]++
		}
	}
	return count
}

// killedImport runs an import and kills it after a random number of its writes. Almost all of the
// writes are customers. True: the import was complete all the same.
func killedImport(t *testing.T, r *redistest.Server, file string) bool {
	t.Helper()
	cmd := exec.Command(binary, "import", "--redis", r.URL(), file)
	cmd.Env = []string{}
	client := r.Client()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	poll(t, "import under way", func() bool { return lease(client) != "" })
	last := recordWrites(t, client) + rand.IntN(crowdSize)
	poll(t, "import's write", func() bool { return lease(client) == "" || recordWrites(t, client) >= last })
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	ended := lease(client) == ""
	expireLease(client)
	return ended
}

// crowded is a store with so many customers that its import takes a while.
func crowded(name string, price int) largeStore {
	return largeStore{id: storeOther, name: name, key: keyOther, products: 50, customers: crowdSize, price: price}
}

// A killed import leaves settings and catalogue unchanged, and each customer either unchanged or
// imported. A second import of the same document completes it. An import of the old document undoes
// it.
func TestLongKilledImport(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	old, changed := crowded("Old", 1000).file(t), crowded("New", 2000).file(t)
	imports(t, r, old).wantStores(t, "imported")
	shop := start(t, options{redis: r.URL()}).client(t).withKey(keyOther)
	mixed := 0 // the imports that were killed while they wrote customers
	for i := 0; mixed < 2; i++ {
		if i == 8 {
			t.Fatalf("%d of 8 imports were killed among the customers: the test shows too little", mixed)
		}
		ended := killedImport(t, r, changed)
		names := exportedNames(t, r)
		if names["Old"]+names["New"] != crowdSize {
			t.Fatalf("killed %d: %v, want %d customers, each old or imported", i, names, crowdSize)
		}
		if me := shop.get("me"); !ended && !strings.Contains(string(me.body), `"name":"Old"`) {
			t.Errorf("killed %d: %v\nwant: the settings as they were", i, me)
		}
		finish, name := changed, "New"
		if names["New"] > 0 && names["Old"] > 0 {
			mixed++
			if mixed%2 == 0 {
				finish, name = old, "Old" // the import of the old document
			}
		}
		imports(t, r, finish).wantStores(t, fmt.Sprintf("%q", name))
		if names := exportedNames(t, r); names[name] != crowdSize {
			t.Errorf("after killing %d and importing %s: %v, want all %s", i, name, names, name)
		}
		imports(t, r, old).wantStores(t, `"Old"`)
		poll(t, "the old settings", func() bool { return strings.Contains(string(shop.get("me").body), `"name":"Old"`) })
	}
}

// If Redis dies, its import ends with one line. A second import completes it.
func TestLongImportWhoseRedisDies(t *testing.T) {
	t.Parallel()
	r := durable(t)
	old, changed := crowded("Old", 1000).file(t), crowded("New", 2000).file(t)
	imports(t, r, old).wantStores(t, "imported")
	result := make(chan finished, 1)
	go func() { result <- runs(t, "import", "--redis", r.URL(), changed) }()
	client := r.Client()
	poll(t, "import under way", func() bool { return lease(client) != "" })
	r.Restart()
	if f := <-result; f.code != 0 { // else Redis was back within the import's patience
		f.wantOneLine(t, storeOther, "import again")
		if f.stdout != "" {
			t.Errorf("cartd %v says %q", f.args, f.stdout)
		}
	}
	expireLease(client)
	imports(t, r, changed).wantStores(t, "New")
	if names := exportedNames(t, r); names["New"] != crowdSize {
		t.Errorf("after repeating it: %v, want all New", names)
	}
}

// Two imports of a store at the same time leave the whole document of one of them. If one notices
// the other, it is refused.
func TestLongTwoImportsAtTheSameTime(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	files := []string{crowded("One", 1000).file(t), crowded("Two", 2000).file(t)}
	for range 2 {
		ended := 0
		for _, f := range together(2, func(i int) finished { return runs(t, "import", "--redis", r.URL(), files[i]) }) {
			if f.code == 0 {
				ended++
				f.wantStores(t, storeOther)
			} else {
				f.stderr = f.stderr[strings.LastIndex(strings.TrimSpace(f.stderr), "\n")+1:] // a busy machine shows the progress first
				f.wantOneLine(t, storeOther, "another import is running")
			}
		}
		if ended == 0 {
			t.Error("both imports were refused")
		}
		exported := exports(t, r, storeOther)
		names := exportedNames(t, r)
		one, two := strings.Contains(exported, `"name": "One"`), strings.Contains(exported, `"name": "Two"`)
		if one == two || one && names["One"] != crowdSize || two && names["Two"] != crowdSize {
			t.Errorf("one %v, two %v, customers %v; want one of the two, whole", one, two, names)
		}
	}
}

func TestLongImportIsRefusedWhileAnotherRuns(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, another(storeOther, keyOther, nil))
	r.Client().Set(context.Background(), leaseOther, "\x01"+strings.Repeat("x", 24), time.Minute) // as a running import sets it
	before := stored(t, r.Client())
	f := imports(t, r, file)
	f.wantOneLine(t, storeOther, "another import is running")
	if f.stdout != "" {
		t.Errorf("cartd %v says %q", f.args, f.stdout)
	}
	wantStored(t, r.Client(), before)
}

// Nodes that start at the same time with one document all serve it: one imports, the others wait.
func TestLongStartWaitsForARunningImport(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, another(storeOther, keyOther, nil))
	r.Client().Set(context.Background(), leaseOther, "7", time.Second)
	start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyOther).get("me").wantStatus(200)
	if lease(r.Client()) != "" {
		t.Error("the node did not wait for the lease")
	}
}

// A stopped import holds its lease: sets at every node are 503 at their deadline, and nothing of them was done. Once it is
// killed, the lease ends within 15 seconds, sets are carried out, and an import of the same document is not "unchanged".
func TestLongStoppedImport(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	old, changed := crowded("Old", 1000).file(t), crowded("New", 2000).file(t)
	imports(t, r, old).wantStores(t, "imported")
	made := runs(t, "key", "--redis", r.URL(), "--store", storeOther, "--name", "erp", "--scopes", "catalog:manage")
	var erps [2]client
	for i := range erps {
		n := start(t, options{redis: r.URL(), flags: []string{"--request-timeout", "1s"}})
		erps[i] = n.client(t).withKey(strings.TrimSpace(made.stdout))
		erps[i].patch("catalog/products/"+productID(i), `{"price_amount":1500}`).wantStatus(200)
	}
	cmd := exec.Command(binary, "import", "--redis", r.URL(), changed)
	cmd.Env = []string{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	client := r.Client()
	poll(t, "import under way", func() bool { return lease(client) != "" })
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	stopped := time.Now()
	for i, erp := range erps {
		held := erp.patch("catalog/products/"+productID(i), `{"price_amount":1600}`)
		held.want(503, `{"message":"Service Unavailable"}`)
		held.wantHeader("Retry-After", "1")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	for i, erp := range erps {
		if !pollFor(20*time.Second-time.Since(stopped), func() bool {
			return erp.patch("catalog/products/"+productID(i), `{"price_amount":1700}`).status == 200
		}) {
			t.Errorf("node %d: a set is not carried out 20 s after the import was stopped", i)
		}
	}
	for i := range erps {
		if price := exportedPrice(t, r, i); price != 1700 {
			t.Errorf("product %d has the price %d, want 1700", i, price)
		}
	}
	imports(t, r, changed).wantStores(t, "imported")
	if names := exportedNames(t, r); names["New"] != crowdSize {
		t.Errorf("after the import: %v, want all New", names)
	}
}

// exportedPrice is the price of a product in an export of the crowded store.
func exportedPrice(t *testing.T, r *redistest.Server, n int) (price int) {
	t.Helper()
	var document struct {
		Products []struct {
			ID    string
			Price int `json:"price_amount"`
		}
	}
	if err := json.Unmarshal([]byte(exports(t, r, storeOther)), &document); err != nil {
		t.Fatal(err)
	}
	for _, p := range document.Products {
		if p.ID == productID(n) {
			price = p.Price
		}
	}
	return price
}
