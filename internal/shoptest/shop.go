package shoptest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// Noon is a moment at which tests begin that have a clock of their own.
var Noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// The ids of two stores, of a group of customers and of a customer.
var (
	ShopID     = ID(0x5)
	OtherShop  = ID(0x6)
	TradeGroup = ID(0x61)
	Ada        = ID(0xada)
)

// ID makes ids that are easy to read in a failure.
func ID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

// Secret is the hash of a key or a token.
func Secret(text string) *commerce.KeyHash {
	hash := commerce.HashSecret([]byte(text))
	return &hash
}

// Object is a part of a store document.
type Object = map[string]any

// Shop is the part of a store document that tests vary.
type Shop struct {
	ID                                               uuid.UUID
	Name                                             string
	Limit                                            int    // 0: the default
	Limits                                           Object // of store.limits; nil for none
	Keys, Customers, Discounts, Categories, Webhooks []Object
	// Tracked are products whose stock carts hold.
	Tracked []uuid.UUID
}

// Keyed is a store with one key, whose name and text are "key".
func Keyed() Shop {
	return Shop{ID: ShopID, Name: "Shop", Keys: []Object{APIKey("key", "commerce:read")}}
}

// APIKey is a key whose text is its name.
func APIKey(name string, scopes ...string) Object {
	return Object{"name": name, "key": name, "scopes": append([]string{}, scopes...)}
}

// Document reads the store's document.
func (s Shop) Document(t testing.TB) *storefile.Document {
	t.Helper()
	modules, products := []string{"commerce", "customers"}, []Object{}
	for i, id := range s.Tracked {
		modules = []string{"commerce", "customers", "stock"}
		products = append(products, Object{"id": id, "name": "P", "slug": fmt.Sprint("p", i), "tax": "high", "price_amount": 100, "track_stock": true})
	}
	text, err := json.Marshal(Object{
		"format": 1, "api_keys": s.Keys, "customers": s.Customers, "discounts": s.Discounts, "categories": s.Categories, "products": products,
		"tax_rates":       []Object{{"code": "high", "rate": "21"}},
		"customer_groups": []Object{{"id": TradeGroup, "name": "Trade"}},
		"store": Object{
			"id": s.ID, "name": s.Name, "modules": modules, "webhooks": s.Webhooks,
			"rate_limit_per_minute": cmp.Or(s.Limit, commerce.DefaultRateLimit), "limits": s.Limits,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Log keeps what was logged.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// Logger writes to the log.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// Count is how often a part of a line was logged.
func (l *Log) Count(part string) int { return strings.Count(l.String(), part) }

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
