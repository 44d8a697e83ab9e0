package spelling_test

import (
	"strings"
	"testing"

	"cartd/internal/spelling"
)

func TestClosest(t *testing.T) {
	known := []string{"redis", "redis-file", "redis-timeout", "store", "stores", "demo", "price_amount", "id"}
	for word, want := range map[string]string{
		"redi": "redis", "reids": "redis", "Redis": "redis", "redis-timout": "redis-timeout", "stor": "store", "storess": "stores",
		"price_amuont": "price_amount", "priceamount": "price_amount", "price": "", "colour": "", "": "", "xy": "", "di": "id",
		"dmeo": "demo", strings.Repeat("redis", 20): "",
	} {
		if got, ok := spelling.Closest(word, known); got != want || ok != (want != "") {
			t.Errorf("Closest(%q) = %q, %v; want %q", word, got, ok, want)
		}
	}
	if got, _ := spelling.Closest("x", []string{"y", strings.Repeat("x", 100)}); got != "" {
		t.Errorf("Closest takes %q for x", got)
	}
}
