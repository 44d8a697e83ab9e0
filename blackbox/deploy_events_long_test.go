//go:build long

package blackbox_test

import (
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A stream lives through HAProxy for longer than its time-outs of 40 s: the pings keep it open. Events
// pass at once, and a client that leaves frees its place.
func TestLongEventsThroughHAProxy(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	stores := storeFiles(t, keyShop)
	flags := []string{"--access-log"}
	one, two := start(t, options{redis: r.URL(), stores: stores, flags: flags}), start(t, options{redis: r.URL(), flags: flags})
	shop := routeTo(t, one.addr, two.addr).client(t)
	path := shop.newCart()
	s := shop.follow(path)
	s.next()
	began, pings := time.Now(), 0
	for time.Since(began) < 50*time.Second {
		select {
		case e, open := <-s.events:
			if !open || e.name != "ping" {
				t.Fatalf("after %v: %+v, open %v", time.Since(began), e, open)
			}
			pings++
		case <-time.After(20 * time.Second):
			t.Fatalf("after %v: no ping for 20 s", time.Since(began))
		}
	}
	if pings < 3 {
		t.Errorf("%d pings in 50 s", pings)
	}
	shop.eventually("/v1/ping", 200) // HAProxy has closed the idle connection
	shop.patch(path, emailBody("late@example.com")).wantStatus(200)
	changed := time.Now()
	s.shows("late@example.com")
	if took := time.Since(changed); took > otherNodeWithin {
		t.Errorf("a change showed after %v", took)
	}
	s.leave()
	poll(t, "the end of the stream at its node", func() bool {
		return strings.Contains(one.Log.String()+two.Log.String(), "/events\"")
	})
}
