package engine

import (
	"net/netip"
	"testing"

	"cartd/commerce"
)

// At most 50 watches of a client and store are open, if its address is a visitor's own: a trusted proxy
// named it, or the key may stand in a browser. So five keys do not hold all watches of a node.
func TestWatchesOfAClientAreBounded(t *testing.T) {
	browser, server := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead,
		commerce.CommerceWrite)}, &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead, commerce.CatalogWrite)}
	merchant := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead, commerce.OrdersRead)}
	for _, c := range []struct {
		name      string
		key       *commerce.APIKey
		forwarded bool
		addresses []string
		want      int
	}{
		{"a browser", browser, false, []string{"192.0.2.1"}, 50},
		{"a browser behind a trusted proxy", browser, true, []string{"192.0.2.1"}, 50},
		{"a server that names its visitors", server, true, []string{"192.0.2.1"}, 50},
		{"a server", server, false, []string{"192.0.2.1"}, 200},
		{"a merchant's server", merchant, false, []string{"192.0.2.1"}, 200},
		{"two browsers", browser, false, []string{"192.0.2.1", "192.0.2.2"}, 100},
		{"one network of IPv6", browser, false, []string{"2001:db8::1", "2001:db8::2"}, 50},
		{"two networks of IPv6", browser, true, []string{"2001:db8::1", "2001:db8:0:1::1"}, 100},
		{"five browsers", browser, false, []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"}, 200},
	} {
		watching(t, func(t *testing.T) {
			e, _, _ := watchNode()
			var open []*Watch
			add := func(store, cart int) error {
				r := watchOf(store, cart, 100_000)
				r.Key, r.Caller = c.key, Caller{Addr: netip.MustParseAddr(c.addresses[cart%len(c.addresses)]), Forwarded: c.forwarded}
				w, _, err := e.WatchCart(r, nothing)
				if err == nil {
					open = append(open, w)
				}
				return err
			}
			for cart := range 300 {
				if err := add(1, cart); err != nil && err != WatchesFull {
					t.Fatal(err)
				}
			}
			if len(open) != c.want {
				t.Errorf("%s: %d watches are open, want %d", c.name, len(open), c.want)
			}
			if err := add(2, 1); err != nil {
				t.Errorf("%s: a watch of another store: %v", c.name, err)
			}
			open[0].Close()
			if err := add(1, 0); err != nil {
				t.Errorf("%s: a watch in the place of a closed one: %v", c.name, err)
			}
			for _, w := range open {
				w.Close()
			}
			if n := len(e.watches.clients); n != 0 {
				t.Errorf("%s: %d clients are kept", c.name, n)
			}
		})
	}
}
