package front

import (
	"net"
	"net/netip"
	"testing"

	"github.com/valyala/fasthttp"
)

func TestCallerAddress(t *testing.T) {
	trusted := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, row := range []struct {
		name, peer string
		forwarded  []string
		want       string
		named      bool // by a trusted proxy
	}{
		{"a stranger", "203.0.113.7", nil, "203.0.113.7", false},
		{"a stranger with a forged header", "203.0.113.7", []string{"198.51.100.1"}, "203.0.113.7", false},
		{"a proxy without the header", "10.1.1.1", nil, "10.1.1.1", false},
		{"a proxy with an empty header", "10.1.1.1", []string{""}, "10.1.1.1", false},
		{"one client", "10.1.1.1", []string{"198.51.100.1"}, "198.51.100.1", true},
		{"a client with a forged header", "10.1.1.1", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1", true},
		{"proxies in a row", "10.1.1.1", []string{"1.1.1.1,198.51.100.1 , 10.2.2.2,10.3.3.3"}, "198.51.100.1", true},
		{"several headers", "10.1.1.1", []string{"198.51.100.1", "10.2.2.2"}, "198.51.100.1", true},
		{"only proxies", "10.1.1.1", []string{"10.4.4.4, 10.2.2.2"}, "10.4.4.4", false},
		{"garbage", "10.1.1.1", []string{"198.51.100.1, unknown, 10.2.2.2"}, "10.2.2.2", false},
		{"a comma at the end", "10.1.1.1", []string{"198.51.100.1,"}, "10.1.1.1", false},
		{"with a port", "10.1.1.1", []string{"198.51.100.1:4711"}, "198.51.100.1", true},
		{"IPv6", "fd00::1", []string{"2001:db8::7"}, "2001:db8::7", true},
		{"IPv6 in brackets", "fd00::1", []string{"[2001:db8::7]"}, "2001:db8::7", true},
		{"IPv6 with a port", "fd00::1", []string{"[2001:db8::7]:4711"}, "2001:db8::7", true},
		{"IPv4 inside IPv6", "::ffff:10.1.1.1", []string{"::ffff:198.51.100.1"}, "198.51.100.1", true},
		{"a zone", "10.1.1.1", []string{"fe80::1%eth0"}, "fe80::1", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			var header fasthttp.RequestHeader
			for _, value := range row.forwarded {
				header.Add("X-Forwarded-For", value)
			}
			peer := &net.TCPAddr{IP: net.ParseIP(row.peer), Port: 1}
			want := netip.MustParseAddr(row.want)
			if got, forwarded := trusted.Client(peer, &header); got != want || forwarded != row.named {
				t.Errorf("Client(%s, %q) = %v, %v; want %v, %v", row.peer, row.forwarded, got, forwarded, want, row.named)
			}
		})
	}
}
