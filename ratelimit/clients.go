package ratelimit

import (
	"net/netip"
	"sync"
	"time"
)

const (
	// maxClients is the number of addresses that have a budget of their own at a time.
	maxClients = 100_000
	// clientWindow is the time for which an address keeps its budget after its last request.
	clientWindow = time.Minute
	// otherClients stands for every address beyond maxClients.
	otherClients = "*"
)

// Clients names the logs of requests whose API key resolves to no store. Its memory is bounded.
// The zero value is ready and safe for concurrent use.
// Spec: Limits, unauthenticated requests … are keyed by client IP.
type Clients struct {
	mu   sync.Mutex
	live recent[netip.Prefix, string] // the client → its key
}

// Key returns the log in which a request from addr counts. An IPv4 address has a log of its
// own, and so has each IPv6 /64. Addresses beyond maxClients, and requests without an address,
// share one log.
func (c *Clients) Key(addr netip.Addr, now time.Time) string {
	client := Network(addr)
	if !client.IsValid() {
		return clientKey(otherClients)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.live.use(client, now.UnixMicro(), clientWindow.Microseconds(), maxClients)
	if key == nil {
		return clientKey(otherClients)
	}
	if *key == "" {
		*key = clientKey(clientText(client))
	}
	return *key
}

// Network is the network that shares a budget: an IPv4 address, or an IPv6 /64.
func Network(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap()
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	client, _ := addr.Prefix(bits) // fails for the zero address, with the zero prefix
	return client
}

func clientText(client netip.Prefix) string {
	if client.Addr().Is4() {
		return client.Addr().String()
	}
	return client.String()
}
