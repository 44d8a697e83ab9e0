//go:build long

package blackbox_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// largeStore has the sizes of a generated store.
type largeStore struct {
	id, name, key       string
	products, customers int
	price               int // of every product, in cents
}

// write writes the store's document.
func (s largeStore) write(out io.Writer) {
	fmt.Fprintf(out, `{"format":1,"store":{"id":%q,"name":%q,"modules":["catalog","commerce","customers"],"rate_limit_per_minute":2000000},
		"api_keys":[{"name":"storefront","key":%q,"scopes":["commerce:read","commerce:write","contacts:read"]}],
		"customer_groups":[{"id":%q,"name":"Trade"}],"tax_rates":[{"code":"standard","rate":"21"}],
		"categories":[{"id":"40000000-0000-4000-8000-000000000001","name":"C","slug":"c"}],"products":[`, s.id, s.name, s.key, groupTrade)
	for i := range s.products {
		fmt.Fprintf(out, `%s{"id":%q,"name":"Product number %d","slug":"product-%d","sku":"P-%d",
			"description":"A thing that is sold in the shop, with \"quotes\" and a line\nbreak.",
			"category_ids":["40000000-0000-4000-8000-000000000001"],"track_stock":true,"tax":"standard",
			"price_amount":%d,"group_prices":{%q:99},"tiers":[{"min_quantity":"10","price_amount":%d}],
			"variants":[{"id":"51000000-0000-4000-8000-%012d","name":"White","sku":"P-%d-W","stock":"5"}]}`,
			comma(i), productID(i), i, i, i, s.price, groupTrade, s.price-1, i, i)
	}
	io.WriteString(out, `],"customers":[`)
	for i := range s.customers {
		fmt.Fprintf(out, `%s{"id":%q,"email":"customer%d@example.com","first_name":%q,"last_name":"Lovelace","group_id":%q,
			"tokens":[{"token":%q,"expires_at":"2040-01-01T00:00:00Z"}]}`,
			comma(i), customerID(i), i, s.name, groupTrade, customerToken(i))
	}
	io.WriteString(out, "]}\n")
}

// file writes the document and returns its path.
func (s largeStore) file(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "store.json")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(f)
	s.write(out)
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func productID(i int) string { return fmt.Sprintf("50000000-0000-4000-8000-%012d", i) }

func customerID(i int) string { return fmt.Sprintf("52000000-0000-4000-8000-%012d", i) }

func customerToken(i int) string { return fmt.Sprintf("secret-token-customer-%d", i) }
