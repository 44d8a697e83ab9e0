//go:build long

package blackbox_test

import (
	"fmt"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// endsAtItsDeadline is false if the machine is too busy for this time-out: the write was not sent
// in time, or an answer came late.
func endsAtItsDeadline(t *testing.T, timeout time.Duration) bool {
	t.Helper()
	const slack = 500 * time.Millisecond
	r := redistest.Mini(t)
	shop := start(t, options{
		redis: r.URL(), stores: storeFiles(t, keyShop),
		flags: []string{"--request-timeout", timeout.String(), "--redis-timeout", "10s"},
	}).client(t)
	sent, unsent := shop.newCart(), shop.newCart()
	h := interceptCommits(t, r).hold(t)
	began := time.Now()
	first := shop.once(retryKey).begin("POST", sent+"/lines", addBody(hammer, "1"))
	select {
	case <-h.arrived:
	case early := <-first:
		early.want(503, `{"message":"Service Unavailable"}`)
		return false
	}
	second := time.Now()
	shop.once(retryKey).post(unsent+"/lines", addBody(hammer, "1")).want(503, `{"message":"Service Unavailable"}`).wantHeader("Retry-After", "1")
	took := time.Since(second)
	if took < timeout {
		t.Errorf("503 after %v, want %v", took, timeout)
	}
	(<-first).want(504, `{"message":"Gateway Timeout"}`)
	late := took > timeout+slack || time.Since(began) > timeout+2*slack
	h.release <- true
	shop.eventually("/readyz", 200)
	shop.once(retryKey).post(sent+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")
	shop.get(unsent).wantLines(200)
	shop.once(retryKey).post(unsent+"/lines", addBody(hammer, "1")).wantHeader("Idempotent-Replayed", "").wantLines(201, "Hammer 1 × 1999 = 1999")
	return !late
}

// A repeated write has its first status and the cart in its present state.
func TestLongWriteIsAppliedOnce(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Mini(t), keyShop)
	for _, c := range repeatable {
		path, method, at := nodes[0].hammers(c.call)
		first := nodes[0].once(retryKey).request(method, at, c.body).wantStatus(c.status).wantHeader("Idempotent-Replayed", "")
		for i := range 4 {
			again := nodes[i%2].once(retryKey).request(method, at, c.body).wantReplay(c.status)
			again.want(c.status, string(first.body)).wantHeader("ETag", first.header.Get("ETag"))
		}
		if got := nodes[1].get(path).cart(200).plain(); got != c.want {
			t.Errorf("%s: the cart holds %q, want %q", c.call, got, c.want)
		}
		nodes[1].add(path, paper, "1")
		now := nodes[0].get(path)
		nodes[0].once(retryKey).request(method, at, c.body).wantReplay(c.status).want(c.status, string(now.body))
	}
}

// One request many times at once, on one node and on two, is applied once.
func TestLongSimultaneousRepetitionsAreAppliedOnce(t *testing.T) {
	nodes := freshPair(t)
	for _, c := range repeatable {
		for n := 1; n <= 2; n++ {
			path, method, at := nodes[0].hammers(c.call)
			fresh := 0
			for _, o := range together(12, func(i int) outcome { return nodes[i%n].once(retryKey).outcome(method, at, c.body) }) {
				if o.err != nil {
					t.Fatal(o.err)
				}
				if o.wantStatus(c.status).header.Get("Idempotent-Replayed") == "" {
					fresh++
				}
			}
			if got := nodes[1].get(path).cart(200).plain(); got != c.want || fresh != 1 {
				t.Errorf("%s on %d nodes: applied %d times, the cart holds %q; want once and %q", c.call, n, fresh, got, c.want)
			}
		}
	}
}

// A node dies in the middle of a request, either with its commit done or not. Another node answers
// the repetition.
func TestLongAnotherNodeAnswersTheRepetitionAfterAKill(t *testing.T) {
	t.Parallel()
	for _, applied := range []bool{false, true} {
		t.Run(fmt.Sprintf("applied %v", applied), func(t *testing.T) {
			r := redistest.Mini(t)
			shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
			path := shop.newCart()
			c := interceptCommits(t, r)
			arrived, killed := make(chan struct{}), make(chan struct{})
			c.set(func(args []string) bool {
				c.set(nil)
				if applied {
					c.run(args)
				}
				close(arrived)
				<-killed
				return false
			})
			open := shop.once(retryKey).begin("POST", path+"/lines", addBody(hammer, "1"))
			<-arrived
			shop.node.Kill()
			close(killed)
			if o := <-open; o.err == nil {
				t.Fatalf("%v\nwant: no answer", o.answer)
			}
			shop = shop.on(start(t, options{redis: r.URL()}))
			again := shop.once(retryKey).post(path+"/lines", addBody(hammer, "1"))
			again.wantLines(201, "Hammer 1 × 1999 = 1999")
			if replayed := again.header.Get("Idempotent-Replayed") == "true"; replayed != applied {
				t.Errorf("%v\nreplayed %v, want %v", again, replayed, applied)
			}
			shop.once(retryKey).post(path+"/lines", addBody(hammer, "1")).wantReplay(201).wantLines(201, "Hammer 1 × 1999 = 1999")
		})
	}
}

// At --request-timeout a sent write is 504. A write that was not sent is 503 and never happens.
func TestLongRequestEndsAtItsDeadline(t *testing.T) {
	for timeout := 300 * time.Millisecond; !endsAtItsDeadline(t, timeout); timeout *= 3 {
		if timeout > 3*time.Second {
			t.Fatalf("late, or nothing was sent, with a --request-timeout of %v too", timeout)
		}
	}
}
