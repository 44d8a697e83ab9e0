package ratelimit

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// address is the i-th of many IPv4 addresses.
func address(i int) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(10<<24+i))))
}

func TestClientsAreKeyedByAddressAndIPv6Network(t *testing.T) {
	var c Clients
	for addr, want := range map[string]string{
		"192.0.2.7":               "grants:client:192.0.2.7",
		"::ffff:192.0.2.7":        "grants:client:192.0.2.7",
		"2001:db8:1:2::1":         "grants:client:2001:db8:1:2::/64",
		"2001:db8:1:3::1":         "grants:client:2001:db8:1:3::/64",
		"fe80::1%eth0":            "grants:client:fe80::/64",
		"::ffff:192.0.2.7%lo":     "grants:client:192.0.2.7",
		"2001:db8:1:2::c000:0207": "grants:client:2001:db8:1:2::/64",
	} {
		for range 2 {
			if got := c.Key(netip.MustParseAddr(addr), noon); got != want {
				t.Errorf("Key(%s) = %q, want %q", addr, got, want)
			}
		}
	}
	if got := c.Key(netip.Addr{}, noon); got != "grants:client:*" {
		t.Errorf("Key(no address) = %q, want the shared one", got)
	}
}

func TestClientsBeyondTheBoundShareOneBudget(t *testing.T) {
	var c Clients
	for i := range maxClients {
		want := clientKey(address(i).String())
		if got := c.Key(address(i), noon.Add(time.Duration(i)*time.Microsecond)); got != want {
			t.Fatalf("client %d: Key = %q, want %q", i, got, want)
		}
	}
	late := noon.Add(clientWindow - time.Microsecond)
	wantKey(t, &c, maxClients, late, otherClients)
	wantKey(t, &c, maxClients+1, late, otherClients)
	wantKey(t, &c, 1, late, address(1).String())
	// A client that was not seen for a window makes room for another one.
	later := noon.Add(clientWindow)
	wantKey(t, &c, maxClients, later, address(maxClients).String())
	wantKey(t, &c, maxClients+1, later, otherClients)
	inOrder := 0
	for u := c.live.order.next; u != &c.live.order; u = u.next {
		inOrder++
	}
	if got := len(c.live.byKey); got != maxClients || inOrder != got {
		t.Errorf("%d clients are kept, %d in order; want %d", got, inOrder, maxClients)
	}
}

func TestClientsLeaveWhenTheClockWasFarAhead(t *testing.T) {
	var c Clients
	c.Key(address(0), noon.Add(24*time.Hour))
	c.Key(address(1), noon)
	if got := len(c.live.byKey); got != 1 {
		t.Errorf("%d clients are kept, want only the one of today", got)
	}
}

func TestClientsAreSafeForConcurrentUse(t *testing.T) {
	var c Clients
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 2000 {
				wantKey(t, &c, i%50, noon.Add(time.Duration(i)*time.Second), address(i%50).String())
			}
		})
	}
	wg.Wait()
}

func wantKey(t *testing.T, c *Clients, i int, now time.Time, client string) {
	t.Helper()
	if got, want := c.Key(address(i), now), clientKey(client); got != want {
		t.Errorf("client %d at %v: Key = %q, want %q", i, now, got, want)
	}
}

func BenchmarkClientsKey(b *testing.B) {
	var c Clients
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Key(address(i%maxClients), noon)
	}
}
