//go:build long

package scale

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cartd/bench/shopper"
)

const (
	// buyers is the number of carts of each store that get lines.
	buyers = 4
	// think is a buyer's pause between an answer and the next request.
	think = 5 * time.Millisecond
	// readEvery is the number of adds between two reads of the cart.
	readEvery = 4
	// patience bounds the time in which a request is repeated until it succeeds.
	patience = 40 * time.Second
	// recoveredAdds is the number of adds of each buyer that show that the service has recovered.
	recoveredAdds = 25
)

// tally counts what the buyers of a store notice.
type tally struct {
	requests, lost, doubled int
	failed                  map[int]int // by status; 0: the connection broke
	longest                 time.Duration
}

func (a tally) plus(b tally) tally {
	sum := tally{a.requests + b.requests, a.lost + b.lost, a.doubled + b.doubled, map[int]int{}, max(a.longest, b.longest)}
	for _, one := range []tally{a, b} {
		for status, n := range one.failed {
			sum.failed[status] += n
		}
	}
	return sum
}

func (a tally) failures() (sum int) {
	for _, n := range a.failed {
		sum += n
	}
	return sum
}

// String is the rest of a line of the table.
func (a tally) String() string {
	failed := fmt.Sprint(a.failures())
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(a.failed)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "broken"
		}
		parts = append(parts, fmt.Sprintf("%s: %d", name, a.failed[status]))
	}
	if parts != nil {
		failed += " (" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprintf(" %d | %s | %d | %d ms |", a.requests, failed, a.lost, a.longest.Milliseconds())
}

// buyer adds one unit after another to a cart of its own. It sends each request again, an add under
// its Idempotency-Key, until it succeeds.
type buyer struct {
	t     *testing.T
	shop  *shopper.Client
	store int
	path  string
	want  int // units that the cart must have: the answered adds without those that are lost
	adds  int // also names the next Idempotency-Key
	done  atomic.Int64
	tally tally
}

// buy runs until stop is closed and its last request is answered.
func (b *buyer) buy(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(think):
		}
		b.add()
		if b.adds%readEvery == 0 {
			b.read()
		}
		b.done.Add(1)
	}
}

func (b *buyer) add() {
	b.adds++
	r := shopper.Request{
		Method: "POST", Path: b.path + "/lines", Key: storeKey(b.store), Body: fmt.Sprintf(`{"product_id":%q,"quantity":1}`, product),
		Once: fmt.Sprintf("%s-add-%d", b.path[len(b.path)-36:], b.adds),
	}
	b.see(b.succeed(&r, http.StatusCreated), b.want+1)
}

func (b *buyer) read() {
	r := shopper.Request{Method: "GET", Path: b.path, Key: storeKey(b.store)}
	b.see(b.succeed(&r, http.StatusOK), b.want)
}

// succeed sends a request until its answer has the status. It returns the units in the cart.
func (b *buyer) succeed(r *shopper.Request, status int) (units int) {
	began := time.Now()
	for {
		b.tally.requests++
		a, err := b.shop.Send(r)
		if err == nil && a.Status == status {
			b.tally.longest = max(b.tally.longest, time.Since(began))
			return b.units(a)
		}
		b.tally.failed[a.Status]++
		if err == nil && a.Status < 500 || time.Since(began) > patience {
			b.t.Errorf("%s %s: %d %s (%v) after %v", r.Method, r.Path, a.Status, a.Body, err, time.Since(began))
			return b.want
		}
		time.Sleep(think)
	}
}

func (b *buyer) units(a shopper.Answer) int {
	var cart struct {
		Data struct {
			Lines []struct {
				Quantity int `json:"quantity"`
			} `json:"lines"`
		} `json:"data"`
	}
	if err := json.Unmarshal(a.Body, &cart); err != nil || len(cart.Data.Lines) > 1 {
		b.t.Errorf("a cart with one line: got %s (%v)", a.Body, err)
	}
	if len(cart.Data.Lines) == 0 {
		return 0
	}
	return cart.Data.Lines[0].Quantity
}

// see compares the units of an answer with those that the cart must have.
func (b *buyer) see(got, want int) {
	b.tally.lost += max(0, want-got)
	b.tally.doubled += max(0, got-want)
	b.want = got
}

// run lets all buyers buy while a service is disturbed, until every buyer has gone on buying
// afterwards. It returns the tallies by store.
func (s *service) run(disturb func()) (all []tally) {
	s.t.Helper()
	for _, b := range s.buyers {
		b.tally = tally{failed: map[int]int{}}
	}
	s.buyers[0].shop.Close() // the router has closed connections that were idle
	stop, running := make(chan struct{}), sync.WaitGroup{}
	for _, b := range s.buyers {
		running.Go(func() { b.buy(stop) })
	}
	s.awaitAdds()
	disturb()
	s.awaitAdds()
	close(stop)
	running.Wait()
	all = make([]tally, stores)
	for _, b := range s.buyers {
		b.read()
		all[b.store] = all[b.store].plus(b.tally)
	}
	return all
}

// awaitAdds waits until every buyer has added some units more.
func (s *service) awaitAdds() {
	s.t.Helper()
	before := make([]int64, len(s.buyers))
	for i, b := range s.buyers {
		before[i] = b.done.Load()
	}
	s.await("adds of every buyer", func() bool {
		for i, b := range s.buyers {
			if b.done.Load() < before[i]+recoveredAdds {
				return false
			}
		}
		return true
	})
}
