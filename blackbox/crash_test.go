package blackbox_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// durable starts a Redis with the documented profile: every answered write is on
// its disk.
func durable(t *testing.T) *redistest.Server {
	t.Helper()
	return redistest.Real(t, "--appendonly", "yes", "--appendfsync", "always")
}

// fill makes a cart with something in every field and returns its path.
func (c client) fill() string {
	c.t.Helper()
	path := c.newCart()
	c.add(path, hammer, "2")
	c.add(path, cable, "2.345")
	c.add(path, gloves, "1", variant(glovesM))
	c.patch(path, `{"email":"new@example.com","metadata":{"n":1.10,"s":"x","nothing":null}}`).wantStatus(http.StatusOK)
	return path
}

// An answered write survives any crash: of the node, of Redis, of both.
func TestACartIsTheSameByteForByteAfterACrash(t *testing.T) {
	t.Parallel()
	r := durable(t)
	files := storeFiles(t, keyShop)
	for _, c := range []struct {
		name  string
		crash func(n *node)
	}{
		{"the node", func(n *node) { n.Kill() }},
		{"the node, then Redis", func(n *node) { n.Kill(); r.Restart() }},
		{"Redis, then the node", func(n *node) { r.Restart(); n.Kill() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := start(t, options{redis: r.URL(), stores: files})
			shop := n.client(t)
			path := shop.fill()
			last := shop.post(path+"/lines", addBody(hammer, "3")).wantStatus(http.StatusCreated)
			before := shop.get(path).want(http.StatusOK, string(last.body))
			c.crash(n)
			shop = shop.on(start(t, options{redis: r.URL(), stores: files}))
			if after := shop.get(path); string(after.body) != string(before.body) {
				t.Errorf("%v\nwant, byte for byte: %s", after, before.body)
			}
			shop.add(path, hammer, "1") // and it goes on
		})
	}
}

// Redis dies and comes back under a node that goes on.
func TestACartIsTheSameAfterRedisAloneCrashes(t *testing.T) {
	t.Parallel()
	r := durable(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := shop.fill()
	before := shop.get(path)
	r.Restart()
	after := shop.eventually(path, http.StatusOK)
	if string(after.body) != string(before.body) {
		t.Errorf("%v\nwant, byte for byte: %s", after, before.body)
	}
}

// load is a crowd that adds single hammers until it is stopped, and counts.
type load struct {
	asked, answered atomic.Int64
	stopped         atomic.Bool
}

// crowd is how many visitors add at once in a load.
const crowd = 16

// run adds until stopped; a connection that breaks is what the test is about.
func (l *load) run(c client, path string) {
	for !l.stopped.Load() {
		l.asked.Add(1)
		a, err := c.try("POST", path+"/lines", addBody(hammer, "1"))
		if err == nil && a.status == http.StatusCreated {
			l.answered.Add(1)
		}
		if err != nil {
			return
		}
	}
}

// Killed in the middle of a load: every answered add is there, and none twice.
func TestNoAnsweredAddIsLostInTheMiddleOfALoad(t *testing.T) {
	t.Parallel()
	r := durable(t)
	files := storeFiles(t, keyWide)
	for _, c := range []struct {
		name  string
		crash func(n *node)
	}{
		{"the node", func(n *node) { n.Kill() }},
		{"Redis, then the node", func(n *node) { r.Kill(); n.Kill(); r.Restart() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := start(t, options{redis: r.URL(), stores: files})
			shop := n.client(t).withKey(keyWide)
			path := shop.newCart()
			var l load
			done := make(chan struct{})
			go func() {
				defer close(done)
				together(crowd, func(int) struct{} { l.run(shop, path); return struct{}{} })
			}()
			poll(t, "200 answered adds", func() bool { return l.answered.Load() >= 200 })
			c.crash(n)
			l.stopped.Store(true)
			<-done
			after := start(t, options{redis: r.URL(), stores: files}).client(t).withKey(keyWide)
			wantBetween(t, after.get(path), l.answered.Load(), l.asked.Load())
		})
	}
}

// wantBetween wants one line with at least every answered and at most every asked unit.
func wantBetween(t *testing.T, a answer, answered, asked int64) {
	t.Helper()
	c := a.cart(http.StatusOK)
	if len(c.Lines) != 1 {
		t.Fatalf("%v\nwant: one line", a)
	}
	q, err := c.Lines[0].Quantity.Int64()
	if err != nil || q < answered || q > asked {
		t.Errorf("%v\nwant: between %d answered and %d asked units", a, answered, asked)
	}
}

// SIGTERM: finish what is in flight, exit 0.
func TestTerminationFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)})
	shop := n.client(t)
	path := shop.newCart()
	r.Pause() // the add stays in flight
	inFlight := shop.begin("POST", path+"/lines", addBody(hammer, "1"))
	for range 3 {
		shop.get("/v1/ping").wantStatus(http.StatusOK) // the node reads its connections
	}
	n.send(t, syscall.SIGTERM)
	shop.untilRefused()
	r.Resume()
	if code := n.Await(); code != 0 {
		t.Errorf("SIGTERM: exit status %d, want 0\n%s", code, n.Log)
	}
	o := <-inFlight
	if o.err != nil {
		t.Fatalf("%s: %v; want the answer\n%s", o.call, o.err, n.Log)
	}
	o.wantLines(http.StatusCreated, "Hammer 1 × 1999 = 1999")
}

// An idle node stops at once.
func TestAnIdleNodeExitsWithZero(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop)})
	n.client(t).get("me").wantStatus(http.StatusOK)
	if code := n.Stop(); code != 0 {
		t.Errorf("SIGTERM: exit status %d, want 0\n%s", code, n.Log)
	}
}

// Carts answered before SIGTERM are there after the next start.
func TestCartsSurviveATermination(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	files := storeFiles(t, keyShop)
	first := start(t, options{redis: r.URL(), stores: files})
	paths := make([]string, 5)
	want := make([]string, len(paths))
	for i := range paths {
		paths[i] = first.client(t).newCart()
		want[i] = fmt.Sprintf("Hammer %d × 1999 = %d", i+1, (i+1)*1999)
		first.client(t).post(paths[i]+"/lines", addBody(hammer, fmt.Sprint(i+1))).wantLines(201, want[i])
	}
	first.Stop()
	again := start(t, options{redis: r.URL(), stores: files}).client(t)
	for i := range paths {
		again.get(paths[i]).wantLines(http.StatusOK, want[i])
	}
}
