package front

import "testing"

func TestHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"shop.example": true, "Shop.Example:8080": true, "localhost": true, "my_service:80": true, "x.": true, "x:": true, "127.0.0.1:1": true,
		"xn--bcher-kva.example": true, "[::1]": true, "[::1]:8080": true, "[2001:db8::1]:": true, "x:65535": true,
		"a b": false, "a/b": false, "a,b": false, "a@b": false, "http://x": false, "a?b": false, "a#b": false, "a%41": false, "a\\b": false, "\"": false,
		"<x>": false, "bücher.example": false, "a\tb": false, ":80": false, "x:y": false, "x:-1": false, "x:+1": false, "x:65536": false, "x:1:2": false,
		"::1": false, "[::1": false, "::1]": false, "[]": false, "[x]": false, "[127.0.0.1]": false, "[::1]x": false, "[::1]]": false, "x[::1]": false,
	} {
		if got := validHost([]byte(host)); got != want {
			t.Errorf("%q: got %v, want %v", host, got, want)
		}
	}
}

// The host of a request target is checked as that of the header.
func TestTargets(t *testing.T) {
	for target, want := range map[string]bool{
		"/v1/ping": true, "/": true, "*": true, "http://shop.example/v1/ping": true, "http://[::1]:80?page=1": true, "//shop.example/v1/ping": true,
		"/v1//ping": true, "/v1?next=http://a@b/": true, "http://a\"b/v1/ping": false, "http://a<b>/": false, "http://user@shop.example/v1/ping": false,
		"//a b/v1": false, "http:///v1/ping": false, "http://": false, "//": false, "http://a%41/": false,
	} {
		if got := validTarget([]byte(target)); got != want {
			t.Errorf("%q: got %v, want %v", target, got, want)
		}
	}
}
