package front

import (
	"net"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"
)

// Proxies are the peers whose X-Forwarded-For and other proxy headers are trusted.
type Proxies []netip.Prefix

// Client returns the address of a request's client. It is the peer's address or, if the peer is a
// trusted proxy, the last address of X-Forwarded-For that is no trusted proxy; forwarded is then
// true. A peer without an IP address is 0.0.0.0.
func (t Proxies) Client(peer net.Addr, header *fasthttp.RequestHeader) (client netip.Addr, forwarded bool) {
	nearest := addressOf(peer)
	if !t.has(nearest) {
		return nearest, false
	}
	lists := header.PeekAll(fasthttp.HeaderXForwardedFor)
	for i := len(lists) - 1; i >= 0; i-- {
		for rest := string(lists[i]); rest != ""; {
			comma := strings.LastIndexByte(rest, ',')
			hop, ok := parseHop(rest[comma+1:])
			if !ok { // the entries left of a malformed one cannot be trusted
				return nearest, false
			}
			if nearest = hop; !t.has(hop) {
				return hop, true
			}
			rest = rest[:max(comma, 0)]
		}
	}
	return nearest, false
}

// Trusts reports whether the peer is a trusted proxy.
func (t Proxies) Trusts(peer net.Addr) bool { return t.has(addressOf(peer)) }

func (t Proxies) has(address netip.Addr) bool {
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
