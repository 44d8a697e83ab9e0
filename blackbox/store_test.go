package blackbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// object and list are JSON values of a store document.
type (
	object = map[string]any
	list   = []any
)

// Products of every test store.
const (
	hammer  = "a0000000-0000-4000-8000-000000000001" // 19.99, 21 %
	nails   = "a0000000-0000-4000-8000-000000000002" // 5.00, from 10 on 4.50, from 50 on 4.00
	drill   = "a0000000-0000-4000-8000-000000000003" // 100.00, trade 80.00; from 5 on 95.00, trade 75.00
	gloves  = "a0000000-0000-4000-8000-000000000004" // variants
	boots   = "a0000000-0000-4000-8000-000000000005" // variants, all inactive
	cable   = "a0000000-0000-4000-8000-000000000006" // 3.33 a metre
	crane   = "a0000000-0000-4000-8000-000000000007" // 1,000.00, needs a quote
	blind   = "a0000000-0000-4000-8000-000000000008" // made to measure
	mystery = "a0000000-0000-4000-8000-000000000009" // has no price
	relic   = "a0000000-0000-4000-8000-00000000000a" // inactive
	bulk    = "a0000000-0000-4000-8000-00000000000b" // sold only from 10 on, at 1.00
	sample  = "a0000000-0000-4000-8000-00000000000c" // 0.00, 0 %
	paper   = "a0000000-0000-4000-8000-00000000000d" // 10.90, 9 %
	booklet = "a0000000-0000-4000-8000-00000000000e" // 10.55, 5.5 %
	gold    = "a0000000-0000-4000-8000-00000000000f" // 10,000,000,000.00, the highest price there is

	unknownID = "a0000000-0000-4000-8000-0000000000ff" // no record has this id
)

// Variants of gloves and boots.
const (
	glovesS  = "b0000000-0000-4000-8000-000000000001" // 12.00, own SKU
	glovesM  = "b0000000-0000-4000-8000-000000000002" // price and SKU of the product
	glovesL  = "b0000000-0000-4000-8000-000000000003" // inactive
	glovesXL = "b0000000-0000-4000-8000-000000000004" // only a tier, from 10 on
	bootsOne = "b0000000-0000-4000-8000-000000000005" // inactive
)

// Customer groups and customers.
const (
	groupTrade = "c0000000-0000-4000-8000-000000000001"
	groupQuote = "c0000000-0000-4000-8000-000000000002" // its carts need a quote

	ada   = "d0000000-0000-4000-8000-000000000001" // b2c
	tess  = "d0000000-0000-4000-8000-000000000002" // b2c, trade
	bob   = "d0000000-0000-4000-8000-000000000003" // b2b
	quinn = "d0000000-0000-4000-8000-000000000004" // b2c, groupQuote

	adaEmail = "ada@example.com"

	tokenAda     = "secret-token-ada-5f1c"
	tokenExpired = "secret-token-ada-expired-77aa"
	tokenTess    = "secret-token-tess-90d2"
	tokenBob     = "secret-token-bob-1be4"
	tokenQuinn   = "secret-token-quinn-c3c3"

	adaPassword = "secret-password-ada-2b8d"
	// adaHash is bcrypt of cost 4: a store imports without hashing, and a login checks it fast.
	adaHash     = "$2a$04$CLt73GBb9E567k00Htv5u.U48gzfz62IwxqkaxBi0h5uDSG3JZoB."
	newPassword = "secret-password-new-4e4e"
)

// secrets are the texts that no log may show: every key, token and password of the test stores.
var secrets = []string{
	"secret-key-", "secret-token-", "secret-password-",
}

// base is the store document of nearly all tests: every kind of product, customer and key, no
// discounts, and a very high request limit.
func base() object {
	return object{
		"format":          1,
		"store":           baseStore(),
		"api_keys":        baseKeys(),
		"customer_groups": list{object{"id": groupTrade, "name": "Trade"}, object{"id": groupQuote, "name": "By quote"}},
		"customers":       baseCustomers(),
		"tax_rates":       baseTaxRates(),
		"products":        baseProducts(),
	}
}

func baseStore() object {
	return object{
		"id":                    storeBase,
		"name":                  "Base Tools",
		"modules":               list{"catalog", "commerce", "configurator", "sales", "stock", "objects", "customers"},
		"rate_limit_per_minute": 2_000_000,
		"quotes":                object{"enabled": true, "customer_group_ids": list{groupQuote}},
	}
}

func baseKeys() list {
	return list{
		apiKey("storefront", keyShop, "commerce:read", "commerce:write"),
		apiKey("everything", keyAll, allScopes...),
		apiKey("reader", keyReader, "commerce:read"),
		apiKey("writer", keyWriter, "commerce:write"),
		apiKey("nothing", keyNothing),
		object{"name": "revoked", "key": keyRevoked, "scopes": allScopes, "revoked": true},
	}
}

var allScopes = []string{
	"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read",
	"catalog:write", "sales:read", "sales:write", "customers:read", "customers:write",
}

func apiKey(name, key string, scopes ...string) object {
	return object{"name": name, "key": key, "scopes": append([]string{}, scopes...)}
}

func baseCustomers() list {
	return list{
		object{
			"id": ada, "email": adaEmail, "first_name": "Ada", "password_hash": adaHash, "tokens": list{
				token(tokenAda, "2040-01-01T00:00:00Z"), token(tokenExpired, "2020-01-01T00:00:00Z"),
			},
		},
		object{"id": tess, "email": "tess@example.com", "group_id": groupTrade, "tokens": list{token(tokenTess, "2040-01-01T00:00:00Z")}},
		object{"id": bob, "email": "bob@example.com", "kind": "b2b", "company_name": "Bob & Co", "tokens": list{token(tokenBob, "2040-01-01T00:00:00Z")}},
		object{"id": quinn, "email": "quinn@example.com", "group_id": groupQuote, "tokens": list{token(tokenQuinn, "2040-01-01T00:00:00Z")}},
	}
}

func token(text, expires string) object { return object{"token": text, "expires_at": expires} }

func baseTaxRates() list {
	return list{
		object{"code": "standard", "rate": "21"},
		object{"code": "reduced", "rate": "9"},
		object{"code": "books", "rate": "5.5"},
		object{"code": "zero", "rate": "0"},
	}
}

// storeFile writes the document with the changes made to it and returns its path.
func storeFile(t testing.TB, document object, changes ...func(object)) string {
	t.Helper()
	for _, change := range changes {
		change(document)
	}
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		t.Fatalf("encoding a store document: %v", err)
	}
	file := filepath.Join(t.TempDir(), "store.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// setting changes one member of the document's store object.
func setting(name string, value any) func(object) {
	return func(document object) { document["store"].(object)[name] = value }
}

// without switches a module off.
func without(module string) func(object) {
	return func(document object) {
		store := document["store"].(object)
		var kept list
		for _, m := range store["modules"].(list) {
			if m != module {
				kept = append(kept, m)
			}
		}
		store["modules"] = kept
	}
}

// changed sets one member of a product.
func changed(product, name string, value any) func(object) {
	return func(document object) { findByID(document["products"].(list), product)[name] = value }
}

// withPassword gives a customer a password in place of a hash.
func withPassword(id, password string) func(object) {
	return func(document object) {
		customer := findByID(document["customers"].(list), id)
		delete(customer, "password_hash")
		customer["password"] = password
	}
}

func findByID(rows list, id string) object {
	for _, row := range rows {
		if row.(object)["id"] == id {
			return row.(object)
		}
	}
	panic("no entry " + id) // the base store lacks the entry that the test names
}
