package httpserver

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"cartd/httpserver/site"
)

// answerOwn answers a file with the server's address as the client knows it. The first clients of an address
// have the file packed.
func (s *Server) answerOwn(x *exchange, f *site.OwnFile) error {
	if s.proxies().Trusts(x.ctx.RemoteAddr()) {
		x.vary(variesByProxy)
	}
	if err := x.beginMaking(); err != nil {
		return err
	}
	return x.answerFile(f.At(s.ownOrigin(x)))
}

var variesByProxy = []byte("X-Forwarded-Host, X-Forwarded-Proto")

// ownOrigin returns the address at which the client reached the server: a trusted proxy's
// X-Forwarded-Host (the first one, if several proxies wrote it) and X-Forwarded-Proto, else the Host
// header. Samples are pasted into shells, so a host that is none is replaced by the connection's own
// address.
func (s *Server) ownOrigin(x *exchange) string {
	host := string(x.ctx.Host())
	if s.proxies().Trusts(x.ctx.RemoteAddr()) {
		first, _, _ := strings.Cut(string(x.ctx.Request.Header.Peek(headerForwardedHost)), ",")
		if first = strings.TrimSpace(first); isHost(first) {
			host = first
		}
	}
	if !isHost(host) {
		host = x.ctx.LocalAddr().String()
	}
	return s.scheme(x.ctx) + "://" + host
}

// hostName is a name or an IPv4 address, with a port or without.
var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)

// isHost reports whether a text is a host with an optional port.
func isHost(text string) bool {
	if len(text) > 255 {
		return false
	}
	if strings.HasPrefix(text, "[") {
		address, port, found := strings.Cut(text, "]:")
		if !found {
			address = strings.TrimSuffix(text, "]")
		} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		ip, err := netip.ParseAddr(address[1:])
		return err == nil && ip.Is6() && ip.Zone() == "" && (found || address != text)
	}
	return hostName.MatchString(text)
}
