package front

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var oneClient, otherClient = netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("2001:db8::/64")

// A client has its places, and waits for one of them. Others do not wait for it.
func TestClientPlaces(t *testing.T) {
	var p clientPlaces
	past, later := time.Now().Add(-time.Second), time.Now().Add(time.Minute)
	for range 8 {
		if !p.enter(oneClient, 8, past) {
			t.Fatal("a free place was refused")
		}
	}
	if p.enter(oneClient, 8, past) {
		t.Error("a ninth place was given")
	}
	if !p.enter(otherClient, 8, past) {
		t.Error("another client waits")
	}
	entered := make(chan bool)
	go func() { entered <- p.enter(oneClient, 8, later) }()
	p.leave(oneClient)
	if !<-entered {
		t.Error("a place that became free was not given")
	}
	for range 8 {
		p.leave(oneClient)
	}
	p.leave(otherClient)
	if len(p.of) != 0 {
		t.Errorf("%d clients are kept", len(p.of))
	}
}

// Many bodies of a client at once never have more places than it may.
func TestClientPlacesAtOnce(t *testing.T) {
	var p clientPlaces
	var wg sync.WaitGroup
	var inside, most atomic.Int64
	for i := range 64 {
		client := oneClient
		if i%4 == 0 {
			client = otherClient
		}
		wg.Go(func() {
			for range 20 {
				if !p.enter(client, 3, time.Now().Add(time.Minute)) {
					t.Error("no place within a minute")
					return
				}
				if client == oneClient {
					if n := inside.Add(1); n > most.Load() {
						most.Store(n)
					}
					inside.Add(-1)
				}
				p.leave(client)
			}
		})
	}
	wg.Wait()
	if most.Load() > 3 || len(p.of) != 0 {
		t.Errorf("%d bodies at once, %d clients kept; want at most 3, none", most.Load(), len(p.of))
	}
}
