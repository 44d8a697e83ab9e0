package webhooks

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPublicAddresses(t *testing.T) {
	for _, text := range strings.Fields(`
		93.184.216.34 1.1.1.1 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.169.0.1 198.17.0.1 223.255.255.255 169.253.0.1
		2606:4700::1111 2a00:1450:4001::8a ::ffff:93.184.216.34 64:ff9b::5db8:d822 2002:5db8:d822::1`) {
		if !public(netip.MustParseAddr(text)) {
			t.Errorf("%s is refused", text)
		}
	}
	for _, text := range strings.Fields(`
		127.0.0.1 127.255.0.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.255 0.0.0.0 0.1.2.3
		192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 192.88.99.1
		:: ::1 ::127.0.0.1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:0 ::ffff:0:10.0.0.1
		fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::1 ff0e::1 100::1 2001:db8::1 2001::1 2001:10::1 3fff::1 5f00::1
		64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1::1 2002:a00:1::1 2002:c0a8:101::1`) {
		if public(netip.MustParseAddr(text)) {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestADialerRefusesAddressesItCannotParse(t *testing.T) {
	for _, address := range []string{"", "93.184.216.34", "example.org:80", "[fe80::1%lo]:80", "127.0.0.1:80"} {
		if err := refusePrivate("tcp", address, nil); err != errPrivate {
			t.Errorf("refusePrivate(%q) = %v", address, err)
		}
	}
	if err := refusePrivate("tcp6", "[2606:4700::1111]:443", nil); err != nil {
		t.Errorf("a public address: %v", err)
	}
}
