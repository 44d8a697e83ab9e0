package webhooks

import (
	"errors"
	"net/netip"
	"syscall"
)

// errPrivate means that a receiver's name resolves to an address that is not public.
var errPrivate = errors.New("the address is not public")

// notPublic are the special-purpose networks of the IANA registries for which netip has no
// method. No receiver on the Internet can be in them.
var notPublic = prefixes(
	"0.0.0.0/8",       // this network
	"100.64.0.0/10",   // carriers' NAT
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relays
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"240.0.0.0/4",     // reserved, broadcast
	"64:ff9b:1::/48",  // NAT64 of a local network
	"100::/64",        // discarded
	"2001::/23",       // protocol assignments, Teredo
	"2001:db8::/32",   // documentation
	"3fff::/20",       // documentation
	"5f00::/16",       // segment routing
	"fec0::/10",       // site-local
)

// embeddings are the IPv6 networks whose addresses contain an IPv4 address, and its first byte.
var embeddings = []struct {
	in   netip.Prefix
	from int
}{
	{netip.MustParsePrefix("::/96"), 12},           // IPv4-compatible
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // IPv4-translated
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4
}

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether an address can belong to a receiver on the Internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() { // neither loopback, link-local, multicast nor unspecified
		return false
	}
	for _, network := range notPublic {
		if network.Contains(a) {
			return false
		}
	}
	for _, e := range embeddings {
		if e.in.Contains(a) {
			bytes := a.As16()
			return public(netip.AddrFrom4([4]byte(bytes[e.from : e.from+4])))
		}
	}
	return true
}

// refusePrivate checks the address that a dialer connects to, after the name was resolved. A name
// that resolves to another address the next time cannot pass.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !public(at.Addr()) {
		return errPrivate
	}
	return nil
}
