package blackbox_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

const (
	// retryKey is a key that every route accepts.
	retryKey  = "5f0c6f0e8f3a4a539b1a3a1c5d0e7f11"
	keyReused = `{"message":"The idempotency key was used for another request.","code":"idempotency_key_reused"}`
	wrongKey  = `{"message":"The idempotency key is not valid."}`
)

// once sends requests with an Idempotency-Key.
func (c client) once(key string) client { return c.withHeader("Idempotency-Key", key) }

// wantReplay wants the replayed answer of an earlier request.
func (a answer) wantReplay(status int) answer {
	a.t.Helper()
	return a.wantStatus(status).wantHeader("Idempotent-Replayed", "true")
}

// repeatable are the writes, each on a cart with two hammers; {line} is their line.
var repeatable = []struct {
	call, body string
	status     int
	want       string // the lines afterwards
}{
	{"POST {cart}/lines", addBody(hammer, "1"), 201, "Hammer 3 × 1999 = 5997"},
	{"PATCH {cart}/lines/{line}", `{"quantity":5}`, 200, "Hammer 5 × 1999 = 9995"},
	{"DELETE {cart}/lines/{line}", "", 200, ""},
	{"PATCH {cart}", `{"email":"new@example.com"}`, 200, "Hammer 2 × 1999 = 3998"},
	{"POST {cart}/lines/batch", batchBody(addBody(hammer, "1"), addBody(hammer, "2")), 201, "Hammer 5 × 1999 = 9995"},
	{"POST {cart}/discount", `{"code":"new"}`, 200, "Hammer 2 × 1999 = 3998"},
	{"DELETE {cart}/discount", "", 200, "Hammer 2 × 1999 = 3998"},
}

// hammers makes a cart with two hammers and puts its ids into a call.
func (c client) hammers(call string) (path, method, at string) {
	c.t.Helper()
	path = c.newCart()
	line := c.add(path, hammer, "2").Lines[0].ID
	method, at, _ = strings.Cut(strings.NewReplacer("{cart}", path, "{line}", line).Replace(call), " ")
	return path, method, at
}

// A repeated write has its first status and the cart in its present state.
func TestAWriteIsAppliedOnce(t *testing.T) {
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
func TestSimultaneousRepetitionsAreAppliedOnce(t *testing.T) {
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
func TestAnotherNodeAnswersTheRepetitionAfterAKill(t *testing.T) {
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

// Clients that hang up do not fill a mailbox. Their repetitions are answered.
func TestClientsThatHungUpMayRepeat(t *testing.T) {
	t.Parallel()
	const mailbox, clients = 4, 10
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--mailbox", fmt.Sprint(mailbox)}}).client(t)
	path := shop.newCart()
	h := interceptCommits(t, r).hold(t)
	var calls [clients]*inFlight
	for i := range calls {
		calls[i] = shop.once(fmt.Sprint("client ", i)).open("POST", path+"/lines", addBody(hammer, "1"))
	}
	<-h.arrived
	for _, call := range calls {
		call.HangUp()
	}
	h.release <- true
	for i := range clients {
		poll(t, "place in the mailbox", func() bool {
			return shop.once(fmt.Sprint("client ", i)).post(path+"/lines", addBody(hammer, "1")).status == http.StatusCreated
		})
	}
	shop.get(path).wantLines(200, fmt.Sprintf("Hammer %d × 1999 = %d", clients, clients*1999))
}

// At --request-timeout a sent write is 504. A write that was not sent is 503 and never happens.
func TestARequestEndsAtItsDeadline(t *testing.T) {
	for timeout := 300 * time.Millisecond; !endsAtItsDeadline(t, timeout); timeout *= 3 {
		if timeout > 3*time.Second {
			t.Fatalf("late, or nothing was sent, with a --request-timeout of %v too", timeout)
		}
	}
}

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

// Redis keeps a hash, a status, a stamp and an id of a request for a day, but neither its answer
// nor a secret.
func TestRedisKeepsLittleOfARequest(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := shop.newCart()
	const secret = "secret-idempotency-key"
	shop.withToken(tokenAda).once(secret).post(path+"/lines", addBody(hammer, "1")).wantStatus(201)
	shop.withToken(tokenAda).once(secret).post("commerce/carts", "").wantStatus(201)
	client, ctx := r.Client(), context.Background()
	all, err := client.Keys(ctx, "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, key := range all {
		value, _ := client.Get(ctx, key).Result() // empty if the key is no string
		if strings.Contains(key+value, secret) || strings.Contains(key+value, tokenAda) {
			t.Errorf("%s shows a secret", key)
		}
		if !strings.HasPrefix(key, "{"+storeBase+"}:once:") {
			continue
		}
		kept++
		if ttl := client.PTTL(ctx, key).Val(); len(value) > 80 || ttl > 24*time.Hour || ttl < 24*time.Hour-time.Minute {
			t.Errorf("%s: %d bytes for %v, want at most 80 for a day", key, len(value), ttl)
		}
	}
	if kept != 2 {
		t.Errorf("%d requests are remembered, want 2", kept)
	}
}
