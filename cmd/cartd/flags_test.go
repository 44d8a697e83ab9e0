package main

import (
	"math"
	"testing"

	"cartd/internal/commandline"
)

// An origin that no browser sends would allow no page, without an error.
func TestOrigins(t *testing.T) {
	for text, want := range map[string]bool{
		"https://shop.example":          true,
		"http://localhost:3000":         true,
		"http://[::1]:8080":             true,
		"https://xn--bcher-kva.example": true,
		"capacitor://localhost":         true,
		"foo":                           false,
		"*":                             false,
		"null":                          false,
		"shop.example:8080":             false,
		"https://":                      false,
		"https://:8080":                 false,
		"https://shop.example/":         false,
		"https://shop.example/cart":     false,
		"https://me@shop.example":       false,
		"https://Shop.example":          false,
		"https://bücher.example":        false,
		"https://*.shop.example":        false,
		"https://shop.example:":         false,
		"https://shop.example:443":      false,
		"http://shop.example:80":        false,
	} {
		if got := isOrigin(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestOriginsAreCollected(t *testing.T) {
	var o originFlag
	for _, value := range []string{"https://a.example, https://b.example", "https://c.example"} {
		if err := o.Set(value); err != nil {
			t.Errorf("%s: %v", value, err)
		}
	}
	if got, want := o.String(), "https://a.example,https://b.example,https://c.example"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheDefaultOfResidentFollowsGoMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]commandline.Bytes{math.MaxInt64: 1 << 30, 1 << 30: 256 << 20, 1: 1} {
		if got := defaultResident(limit); got != want {
			t.Errorf("with a limit of %d: %v, want %v", limit, got, want)
		}
	}
}
