package main

import (
	"fmt"
	"slices"
	"testing"

	"cartd/commerce"
)

// The shop's policy names each server of a document's https pictures once, and no text that would say more
// than a server. Beyond 50 servers it allows all.
func TestPicturesOfTheShopsPolicy(t *testing.T) {
	t.Parallel()
	store := func(urls ...string) *commerce.Store {
		s := &commerce.Store{}
		for _, url := range urls {
			s.Products = append(s.Products, &commerce.Product{Display: commerce.Display{Media: []commerce.Media{{URL: url}}}})
		}
		return s
	}
	var many []string
	for i := range maxPictureHosts + 1 {
		many = append(many, fmt.Sprintf("https://p%d.example/a.jpg", i))
	}
	full := store(many[:maxPictureHosts]...)
	for _, c := range []struct {
		store *commerce.Store
		want  []string
	}{
		{store("https://b.example/1.jpg", "https://a.example:8443/2.jpg", "https://b.example/3.jpg"), []string{"https://a.example:8443", "https://b.example"}},
		{store("/own.jpg", "http://plain.example/1.jpg", "https://a;script-src/x", "https://*.example/x", "https://[::1]/x"), nil},
		{store(many...), []string{"https:"}},
	} {
		if got := pictureOrigins(c.store); !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
	if got := pictureOrigins(full); len(got) != maxPictureHosts {
		t.Errorf("got %d servers, want %d", len(got), maxPictureHosts)
	}
}
