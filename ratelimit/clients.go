package ratelimit

import (
	"net/netip"
	"sync"
	"time"
)

const (
	// maxClients is how many addresses have a budget of their own at a time.
	maxClients = 100_000
	// clientWindow is how long an address counts as live after it was last seen.
	clientWindow = time.Minute
	// otherClients stands for every address beyond maxClients.
	otherClients = "*"
)

// Clients names who is counted where no API key resolves, in bounded memory. The
// zero value is ready, and safe for concurrent use.
// Spec: Limits, unauthenticated requests … are keyed by client IP.
type Clients struct {
	mu   sync.Mutex
	live recent[netip.Prefix, string] // the client → its key
}

// Key is the log that a request from addr counts in: an IPv4 address's own, an
// IPv6 address's /64's, or the one that all further clients share once too many
// are live. Requests without an address count there too.
func (c *Clients) Key(addr netip.Addr, now time.Time) string {
	client := clientOf(addr)
	if !client.IsValid() {
		return ClientKey(otherClients)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.live.use(client, now.UnixMicro(), clientWindow.Microseconds(), maxClients)
	if key == nil {
		return ClientKey(otherClients)
	}
	if *key == "" {
		*key = ClientKey(clientText(client))
	}
	return *key
}

// clientOf is the network that shares a budget: an IPv4 address, or an IPv6 /64.
func clientOf(addr netip.Addr) netip.Prefix {
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
