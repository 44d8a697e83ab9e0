package front

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var oneClient, otherClient = netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("2001:db8::/64")

// A client has its bytes, and waits for them in the order of arrival. Others do not wait for it. One body may
// be larger than the share, alone.
func TestClientPlaces(t *testing.T) {
	p := clientPlaces{share: 800}
	past, later := time.Now().Add(-time.Second), time.Now().Add(time.Minute)
	for range 8 {
		if !p.enter(oneClient, 100, past) {
			t.Fatal("free bytes were refused")
		}
	}
	if p.enter(oneClient, 1, past) {
		t.Error("more than the share was given")
	}
	if !p.enter(otherClient, 3000, past) || p.enter(otherClient, 1, past) {
		t.Error("a large body is not let in alone")
	}
	large, small := make(chan bool, 1), make(chan bool, 1)
	go func() { large <- p.enter(oneClient, 3000, later) }()
	p.awaitWaiting(oneClient, 1)
	go func() { small <- p.enter(oneClient, 100, later) }()
	p.awaitWaiting(oneClient, 2)
	for range 8 {
		if len(large)+len(small) > 0 {
			t.Fatal("a body was let in beside others, or ahead of an earlier one")
		}
		p.leave(oneClient, 100)
	}
	if !<-large || len(small) > 0 {
		t.Error("the large body was not let in alone")
	}
	p.leave(oneClient, 3000)
	if !<-small {
		t.Error("bytes that became free were not given")
	}
	p.leave(oneClient, 100)
	p.leave(otherClient, 3000)
	if len(p.of) != 0 {
		t.Errorf("%d clients are kept", len(p.of))
	}
}

// A body that gives up lets those behind it go on.
func TestABodyThatGivesUpIsNotInTheWay(t *testing.T) {
	p := clientPlaces{share: 800}
	p.enter(oneClient, 100, time.Now())
	gone, behind := make(chan bool, 1), make(chan bool, 1)
	go func() { gone <- p.enter(oneClient, 800, time.Now().Add(50*time.Millisecond)) }()
	p.awaitWaiting(oneClient, 1)
	go func() { behind <- p.enter(oneClient, 100, time.Now().Add(time.Minute)) }()
	if <-gone || !<-behind {
		t.Error("the first body was let in, or the one behind it was not")
	}
	p.leave(oneClient, 100)
	p.leave(oneClient, 100)
	if len(p.of) != 0 {
		t.Errorf("%d clients are kept", len(p.of))
	}
}

func (p *clientPlaces) awaitWaiting(client netip.Prefix, n int) {
	for {
		p.mu.Lock()
		waiting := 0
		if own := p.of[client]; own != nil {
			waiting = len(own.waiting)
		}
		p.mu.Unlock()
		if waiting == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Many bodies of a client at once never have more bytes than it may.
func TestClientPlacesAtOnce(t *testing.T) {
	p := clientPlaces{share: 300}
	var wg sync.WaitGroup
	var inside, most atomic.Int64
	for i := range 64 {
		client, bytes := oneClient, 1+i*4
		if i%4 == 0 {
			client = otherClient
		}
		wg.Go(func() {
			for range 20 {
				if !p.enter(client, bytes, time.Now().Add(time.Minute)) {
					t.Error("not let in within a minute")
					return
				}
				if client == oneClient {
					for n := inside.Add(int64(bytes)); ; {
						if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
							break
						}
					}
					inside.Add(-int64(bytes))
				}
				p.leave(client, bytes)
			}
		})
	}
	wg.Wait()
	if most.Load() > 300 || len(p.of) != 0 {
		t.Errorf("%d bytes at once, %d clients kept; want at most 300, none", most.Load(), len(p.of))
	}
}
