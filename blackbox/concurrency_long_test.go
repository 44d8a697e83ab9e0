//go:build long

package blackbox_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// outcome is an answer, or the error in place of it.
type outcome struct {
	answer
	err error
}

func (c client) outcome(method, path, body string) outcome {
	a, err := c.try(method, path, body)
	return outcome{a, err}
}

var setCalls = regexp.MustCompile(`cmdstat_set:calls=(\d+)`)

// recordWrites counts the SET commands that Redis ran, those of scripts included. Every commit of a
// cart is one.
func recordWrites(t *testing.T, client *redis.Client) int {
	t.Helper()
	info, err := client.Info(context.Background(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	found := setCalls.FindStringSubmatch(info)
	if found == nil {
		t.Fatalf("Redis counts no SET: the commits of carts are not seen\n%s", info)
	}
	calls, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// together runs f n times at once and returns the results.
func together[T any](n int, f func(i int) T) []T {
	got := make([]T, n)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-begin
			got[i] = f(i)
		})
	}
	close(begin)
	all.Wait()
	return got
}

func (c client) addRepeatedly(path string, n int) []error {
	var errs []error
	for range n {
		o := c.outcome("POST", path+"/lines", addBody(hammer, "1"))
		if o.err != nil || o.status != http.StatusCreated {
			errs = append(errs, fmt.Errorf("%v (%v)", o.answer, o.err))
		}
	}
	return errs
}

// wantOneConsistentLine wants a 201 whose cart agrees with itself: one line of at most this many
// units, at 1999 each.
func wantOneConsistentLine(t *testing.T, o outcome, maximum int64) {
	t.Helper()
	if o.err != nil {
		t.Errorf("%s: %v", o.call, o.err)
		return
	}
	c, err := o.parseCart()
	if o.status != http.StatusCreated || err != nil || len(c.Lines) != 1 {
		t.Errorf("%v\nwant: 201 and one line", o.answer)
		return
	}
	q, err := c.Lines[0].Quantity.Int64()
	if err != nil || q < 1 || q > maximum || c.Lines[0].LineTotal.Amount != q*1999 || c.Totals.Total.Amount != q*1999 {
		t.Errorf("%v\nwant: between 1 and %d units, and a total that agrees", o.answer, maximum)
	}
}

// freshPair is two nodes on a Redis of their own, for a test beside others.
func freshPair(t *testing.T) [2]client {
	t.Parallel()
	return pair(t, redistest.Real(t), keyShop)
}

// Spec: Line behaviour 2. No two simultaneous adds lose or double a line.
func TestLongSimultaneousAddsEndAsOneLineWithTheExactSum(t *testing.T) {
	t.Parallel()
	const adds = 200
	r := redistest.Real(t)
	nodes := pair(t, r, keyWide)
	for _, c := range []struct {
		name  string
		nodes int
	}{{"one node", 1}, {"two nodes", 2}} {
		t.Run(c.name, func(t *testing.T) {
			path := nodes[0].in(t).newCart()
			for _, o := range together(adds, func(i int) outcome {
				return nodes[i%c.nodes].in(t).outcome("POST", path+"/lines", addBody(hammer, "1"))
			}) {
				wantOneConsistentLine(t, o, adds)
			}
			for _, node := range nodes {
				node.in(t).get(path).wantLines(200, fmt.Sprintf("Hammer %d × 1999 = %d", adds, adds*1999))
			}
		})
	}
}

// Spec: Line behaviour 2: each add is folded, clamped or refused, and the line never holds more than
// the maximum.
func TestLongSimultaneousAddsStopAtTheMaximum(t *testing.T) {
	t.Parallel()
	const adds, maximum = 200, 100
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	path := nodes[0].newCart()
	added := 0
	for _, o := range together(adds, func(i int) outcome { return nodes[i%2].outcome("POST", path+"/lines", addBody(hammer, "1")) }) {
		if o.status == http.StatusCreated {
			added++
			wantOneConsistentLine(t, o, maximum)
		} else if diff := o.differs(422, aboveMax); o.err != nil || diff != "" {
			t.Errorf("%v (%v)\nwant: 201 or %s", o.answer, o.err, aboveMax)
		}
	}
	if added < maximum {
		t.Errorf("%d of %d adds were accepted, want at least %d", added, adds, maximum)
	}
	nodes[1].get(path).wantLines(200, "Hammer 100 × 1999 = 199900")
	nodes[0].post(path+"/lines", addBody(hammer, "1")).want(422, aboveMax) // no other add is under way
}

// Simultaneous adds of different products never exceed max_lines.
func TestLongSimultaneousAddsStopAtTheLineLimit(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Real(t), keySmall)
	path := nodes[0].newCart()
	products := []string{hammer, nails, drill, cable, paper, booklet, sample, crane}
	created := 0
	for _, o := range together(len(products), func(i int) outcome {
		return nodes[i%2].outcome("POST", path+"/lines", addBody(products[i], "1"))
	}) {
		if o.status == http.StatusCreated {
			created++
		} else if diff := o.differs(422, lineLimit); o.err != nil || diff != "" {
			t.Errorf("%v (%v)\nwant: 201 or %s", o.answer, o.err, lineLimit)
		}
	}
	if got := nodes[1].get(path).cart(200).Lines; created != 2 || len(got) != 2 {
		t.Errorf("%d adds were accepted and %d lines are there, want 2 and 2", created, len(got))
	}
}

// One commit of a busy cart answers many adds.
func TestLongBusyCartAnswersManyAddsWithOneCommit(t *testing.T) {
	t.Parallel()
	const visitors, each = 32, 10
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyWide)}).client(t).withKey(keyWide)
	path := shop.newCart()
	before := recordWrites(t, r.Client())
	for _, errs := range together(visitors, func(int) []error { return shop.addRepeatedly(path, each) }) {
		for _, err := range errs {
			t.Error(err)
		}
	}
	shop.get(path).wantLines(200, fmt.Sprintf("Hammer %d × 1999 = %d", visitors*each, visitors*each*1999))
	if commits := recordWrites(t, r.Client()) - before; commits >= visitors*each {
		t.Errorf("%d adds took %d commits, want fewer", visitors*each, commits)
	}
}
