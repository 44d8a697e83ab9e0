package httpserver

import (
	"net"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/engine"
)

// trustedProxies are the peers whose X-Forwarded-For and other proxy headers are trusted.
type trustedProxies []netip.Prefix

// caller returns the address that a request without a valid key is counted under. It is the peer's
// address or, if the peer is a trusted proxy, the last address of X-Forwarded-For that is no
// trusted proxy. A peer without an IP address is 0.0.0.0. Spec: Limits, Request rate.
func (t trustedProxies) caller(peer net.Addr, header *fasthttp.RequestHeader) engine.Caller {
	nearest := addressOf(peer)
	if !t.has(nearest) {
		return engine.Caller{Addr: nearest}
	}
	lists := header.PeekAll(headerForwarded)
	for i := len(lists) - 1; i >= 0; i-- {
		for rest := string(lists[i]); rest != ""; {
			comma := strings.LastIndexByte(rest, ',')
			hop, ok := parseHop(rest[comma+1:])
			if !ok { // the entries left of a malformed one cannot be trusted
				return engine.Caller{Addr: nearest}
			}
			if nearest = hop; !t.has(hop) {
				return engine.Caller{Addr: hop, Forwarded: true}
			}
			rest = rest[:max(comma, 0)]
		}
	}
	return engine.Caller{Addr: nearest}
}

func (t trustedProxies) has(address netip.Addr) bool {
	for _, prefix := range t {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

func addressOf(peer net.Addr) netip.Addr {
	if tcp, ok := peer.(*net.TCPAddr); ok {
		if address := tcp.AddrPort().Addr(); address.IsValid() {
			return plain(address)
		}
	}
	return netip.IPv4Unspecified()
}

// parseHop reads one entry: an address, with or without brackets and port.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return plain(withPort.Addr()), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return plain(address), err == nil
}

// plain returns the only spelling of an address: no zone, no IPv4 inside IPv6.
func plain(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }
