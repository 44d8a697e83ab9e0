//go:build long

package blackbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

const (
	dueSteps   = 20 // times within the minute at which orders fall due
	dueMinutes = 3
	// endsASecond is the maximum number of unpaid orders of a store that end in a second.
	endsASecond = 200
	otherRate   = 100 // requests a second of the other store
)

// tally counts the events that it receives. Each must have an id of its own, and each order one end.
type tally struct {
	*httptest.Server

	mu     sync.Mutex
	ids    map[string]bool
	counts map[string]int // of events by name and reason
	ended  map[string]int // ends by order
	last   time.Time      // of the last event
}

func newTally(t *testing.T) *tally {
	v := &tally{ids: map[string]bool{}, counts: map[string]int{}, ended: map[string]int{}}
	v.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var e struct {
			Event, Reason string
			Order         struct{ ID string }
		}
		if err == nil {
			err = json.Unmarshal(body, &e)
		}
		if err != nil {
			t.Error(err)
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		if id := r.Header.Get("webhook-id"); !v.ids[id] {
			v.ids[id], v.last = true, time.Now()
			v.counts[strings.TrimSpace(e.Event+" "+e.Reason)]++
			if e.Event == "order.cancelled" {
				v.ended[e.Order.ID]++
			}
		}
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *tally) count(event string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.counts[event]
}

// copyOrder writes copies of an unpaid order straight into Redis, each with a number of its own.
func copyOrder(t *testing.T, client *redis.Client, o order, copies int) {
	t.Helper()
	ctx, tag := context.Background(), "{"+storeBase+"}:"
	text := client.Get(ctx, tag+"order:"+o.ID).Val()
	due := client.ZScore(ctx, tag+"due", o.ID).Val()
	body, ok := strings.CutSuffix(text, strconv.Itoa(o.Number))
	if !ok || due == 0 {
		t.Fatalf("order %d is %q, due at %v", o.Number, text, due)
	}
	number := int(client.LLen(ctx, tag+"orders").Val())
	pipe := client.Pipeline()
	for range copies {
		number++
		id := uuid.NewString()
		pipe.Set(ctx, tag+"order:"+id, body+strconv.Itoa(number), 0)
		pipe.RPush(ctx, tag+"orders", id)
		pipe.ZAdd(ctx, tag+"due", redis.Z{Score: due, Member: id})
	}
	pipe.Set(ctx, tag+"order-number", number, 0)
	if _, err := pipe.Exec(ctx); err != nil {
		t.Fatal(err)
	}
}

// load is a steady load of line changes on another store. Latencies count from the intended time.
type load struct {
	mu     sync.Mutex
	took   []time.Duration
	failed int
}

// change sends line changes until stop is closed.
func (l *load) change(c client, path, line string, stop chan struct{}) {
	var all sync.WaitGroup
	defer all.Wait()
	for n, began := 0, time.Now(); ; n++ {
		at := began.Add(time.Duration(n) * time.Second / otherRate)
		select {
		case <-stop:
			return
		case <-time.After(time.Until(at)):
		}
		all.Go(func() {
			o := c.outcome("PATCH", path+"/lines/"+line, fmt.Sprintf(`{"quantity":%d}`, 1+n%9))
			l.mu.Lock()
			defer l.mu.Unlock()
			l.took = append(l.took, time.Since(at))
			if o.err != nil || o.status != 200 {
				l.failed++
			}
		})
	}
}

// figures returns the percentiles and the failures since the last call, as text.
func (l *load) figures() (text string, failed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.took)
	at := func(share float64) time.Duration {
		return l.took[int(share*float64(len(l.took)-1))].Round(10 * time.Microsecond)
	}
	text, failed = fmt.Sprintf("%v · %v · %v, %d failed of %d", at(.5), at(.99), at(1), l.failed, len(l.took)), l.failed
	l.took, l.failed = nil, 0
	return text, failed
}

// cpu is the processor time of a process.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// dueOrders is the number of orders that fall due: DUE_ORDERS, or 10,000.
func dueOrders(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DUE_ORDERS")
	if text == "" {
		return 10_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < dueSteps || n%dueSteps != 0 {
		t.Fatalf("DUE_ORDERS=%s is not a multiple of %d", text, dueSteps)
	}
	return n
}

// Many unpaid orders fall due within a minute. They end at the documented rate, every end has its
// events, and another store is served as before.
func TestLongManyOrdersFallDue(t *testing.T) {
	orders := dueOrders(t)
	r := redistest.Real(t)
	client, ctx, tag := r.Client(), context.Background(), "{"+storeBase+"}:"
	v := newTally(t)
	hook := setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": list{"order.cancelled", "stock.adjusted"}}})
	file := storeFile(t, base(), changed(nails, "track_stock", true), changed(nails, "stock", "1000"), collected, office,
		setting("orders", object{"payment_minutes": dueMinutes}), hook)
	n := start(t, options{redis: r.URL(), stores: append([]string{file}, storeFiles(t, keyOther)...), flags: []string{"--webhook-allow-private"}})
	other := start(t, options{redis: r.URL(), flags: []string{"--webhook-allow-private"}})

	began := time.Now()
	for step := range dueSteps {
		<-time.After(time.Until(began.Add(time.Duration(step) * time.Minute / dueSteps)))
		shop := n.client(t)
		path := shop.newCart()
		shop.add(path, nails, "1")
		copyOrder(t, client, shop.checkOut(path, buyer).order(201), orders/dueSteps-1)
	}
	if waiting := client.ZCard(ctx, tag+"due").Val(); waiting != int64(orders) {
		t.Fatalf("%d orders are due", waiting)
	}

	// Another store, on the other node.
	shop := other.client(t).withKey(keyOther)
	path := shop.newCart()
	line := shop.add(path, paper, "1").Lines[0].ID
	var others load
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { others.change(shop, path, line, stop) })
	seconds := func() (redisCPU, nodes float64) {
		for _, name := range []string{"used_cpu_sys", "used_cpu_user"} {
			s, _ := strconv.ParseFloat(redistest.InfoField(client.Info(ctx, "cpu").Val(), name), 64)
			redisCPU += s
		}
		return redisCPU, (cpu(t, n.Cmd.Process.Pid) + cpu(t, other.Cmd.Process.Pid)).Seconds()
	}
	<-time.After(5 * time.Second) // the load is steady
	_, _ = others.figures()
	redisBefore, nodesBefore := seconds()
	quiet := time.Now()
	first := began.Add(dueMinutes * time.Minute)
	<-time.After(time.Until(first.Add(-5 * time.Second)))
	redisQuiet, nodesQuiet := seconds()
	before, _ := others.figures()
	calm := time.Since(quiet).Seconds()
	busy := time.Now()

	var longest, memory int64
	sample := func() (left int64) {
		queues := []string{tag + "outbox"}
		for _, receiver := range client.ZRange(ctx, tag+"webhooks", 0, -1).Val() {
			queues = append(queues, tag+"webhook:"+receiver)
		}
		for _, key := range queues {
			longest = max(longest, client.LLen(ctx, key).Val())
		}
		used, _ := strconv.ParseInt(redistest.InfoField(client.Info(ctx, "memory").Val(), "used_memory"), 10, 64)
		memory = max(memory, used)
		return client.ZCard(ctx, tag+"due").Val()
	}
	for limit := time.Now().Add(25 * time.Minute); sample() > 0; <-time.After(time.Second) {
		if time.Now().After(limit) {
			t.Fatal("the orders do not end")
		}
	}
	lastEnd := time.Now()
	during, failed := others.figures()
	redisBusy, nodesBusy := seconds()
	took := time.Since(busy).Seconds()
	for limit := time.Now().Add(5 * time.Minute); v.count("order.cancelled") < orders || v.count("stock.adjusted cancel") < orders; <-time.After(time.Second) {
		if time.Now().After(limit) {
			t.Fatalf("the events are %v", v.counts)
		}
	}
	close(stop)
	all.Wait()

	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.ended) != orders || v.counts["order.cancelled"] != orders || v.counts["stock.adjusted cancel"] != orders || len(v.counts) != 3 {
		t.Errorf("%d orders have an event, the events are %v", len(v.ended), v.counts)
	}
	if left := client.HGet(ctx, tag+"onhand", nails).Val(); left != strconv.Itoa(1000-dueSteps+orders)+"000000" {
		t.Errorf("on hand are %s", left)
	}
	f := newFigures(t)
	rate := float64(orders) / lastEnd.Sub(first).Seconds()
	f.row("ends a second", fmt.Sprintf("at most %d", endsASecond), fmt.Sprintf("%.0f", rate), rate > endsASecond)
	f.row("from the first due time to the last end", "–", fmt.Sprintf("%.0f s", lastEnd.Sub(first).Seconds()), false)
	f.row("from the last end to its last event", "–", fmt.Sprintf("%.1f s", v.last.Sub(lastEnd).Seconds()), false)
	f.row("events at the receiver, a second", "–", fmt.Sprintf("%.0f", float64(2*orders)/v.last.Sub(first).Seconds()), false)
	f.row("the most deliveries that waited in a queue", "under 50000", strconv.FormatInt(longest, 10), longest >= 50_000)
	f.row("Redis's processor: before · while they end", "–", fmt.Sprintf("%.1f %% · %.1f %%", 100*(redisQuiet-redisBefore)/calm, 100*(redisBusy-redisQuiet)/took),
		false)
	f.row("both nodes' processors: before · while they end", "–",
		fmt.Sprintf("%.1f %% · %.1f %%", 100*(nodesQuiet-nodesBefore)/calm, 100*(nodesBusy-nodesQuiet)/took), false)
	f.row("Redis's memory at most", "–", fmt.Sprintf("%d MB", memory/megabyte), false)
	f.row(fmt.Sprintf("another store's %d line changes a second, p50 · p99 · longest: before", otherRate), "–", before, false)
	f.row("the same while they end", "none fails", during, failed > 0)
}
