package blackbox_test

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
)

// The stores of the tests and their keys.
const (
	storeBase         = "e0000000-0000-4000-8000-000000000001"
	storeOther        = "e0000000-0000-4000-8000-000000000002"
	storeSuspended    = "e0000000-0000-4000-8000-000000000003"
	storeNoCommerce   = "e0000000-0000-4000-8000-000000000004"
	storeNoConfigure  = "e0000000-0000-4000-8000-000000000005"
	storeNoCustomers  = "e0000000-0000-4000-8000-000000000006"
	storeSmall        = "e0000000-0000-4000-8000-000000000007"
	storeWide         = "e0000000-0000-4000-8000-000000000008"
	storeTight        = "e0000000-0000-4000-8000-000000000009"
	storeExcludingTax = "e0000000-0000-4000-8000-00000000000a"
	storeQuotes       = "e0000000-0000-4000-8000-00000000000b"
	storeNoSales      = "e0000000-0000-4000-8000-00000000000c"
	storeFull         = "e0000000-0000-4000-8000-00000000000d"
	storeLongSKUs     = "e0000000-0000-4000-8000-00000000000e"
	storeGuests       = "e0000000-0000-4000-8000-00000000000f"
	storeConsumers    = "e0000000-0000-4000-8000-000000000010"

	// Keys of the base store.
	keyShop    = "secret-key-shop-1f0a"
	keyAll     = "secret-key-all-22b7"
	keyReader  = "secret-key-reader-83ce"
	keyWriter  = "secret-key-writer-4d19"
	keyNothing = "secret-key-nothing-5a50"
	keyRevoked = "secret-key-revoked-6e6e"

	// One key with every scope for each other store.
	keyOther          = "secret-key-other-01"
	keySuspended      = "secret-key-suspended-02"
	keyNoCommerce     = "secret-key-no-commerce-03"
	keyNoConfigurator = "secret-key-no-configurator-04"
	keyNoCustomers    = "secret-key-no-customers-05"
	keySmall          = "secret-key-small-06"
	keyWide           = "secret-key-wide-07"
	keyTight          = "secret-key-tight-08"
	keyExcludingTax   = "secret-key-excluding-09"
	keyQuotes         = "secret-key-quotes-10"
	keyNoSales        = "secret-key-no-sales-11"
	keyFull           = "secret-key-full-13"
	keyLongSKUs       = "secret-key-long-skus-14"
	keyGuests         = "secret-key-guests-15"
	keyConsumers      = "secret-key-consumers-16"
)

// otherStores are copies of the base store, each with one change.
var otherStores = []struct {
	id, key string
	changes []func(object)
}{
	{storeOther, keyOther, nil},
	{storeSuspended, keySuspended, changes(setting("suspended", true), without("commerce"))},
	{storeNoCommerce, keyNoCommerce, changes(without("commerce"))},
	{storeNoConfigure, keyNoConfigurator, changes(without("configurator"))},
	{storeNoCustomers, keyNoCustomers, changes(without("customers"))},
	{storeSmall, keySmall, changes(setting("policy", object{"max_lines": 2, "max_quantity_per_line": 5}))},
	{storeWide, keyWide, changes(setting("policy", object{"max_quantity_per_line": 100000}))},
	{storeTight, keyTight, changes(setting("rate_limit_per_minute", 1))},
	{storeExcludingTax, keyExcludingTax, changes(setting("prices_include_tax", false), exPolicy)},
	{storeQuotes, keyQuotes, changes(setting("quotes", quoteSettings()))},
	{storeNoSales, keyNoSales, changes(setting("quotes", quoteSettings()), without("sales"))},
	{storeFull, keyFull, changes(fullBook)},
	{storeLongSKUs, keyLongSKUs, changes(withDiscounts, longSKUs)},
	{storeGuests, keyGuests, changes(setting("policy", object{"identity_mode": "guest_only"}), withStock, collected)},
	{storeConsumers, keyConsumers, changes(setting("policy", object{"audience": "b2c_only"}), unapproved, collected)},
}

func changes(all ...func(object)) []func(object) { return all }

// fullBook gives Ada the maximum number of addresses.
func fullBook(document object) {
	var book list
	for i := range maxAddresses {
		book = append(book, object{
			"name": fmt.Sprintf("Place %d", i), "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL",
		})
	}
	findByID(document["customers"].(list), ada)["addresses"] = book
}

// exPolicy sets every optional field of the policy to a value that is not its default.
func exPolicy(document object) {
	setting("policy", object{
		"identity_mode": "login_required", "audience": "b2b_only", "min_order_value_amount": 2500,
		"max_lines": 7, "max_quantity_per_line": 50, "pricing": object{
			"guest_price_visibility": "hidden", "vat_display": "ex",
			"show_original_price": false, "show_tier_table": false,
		},
	})(document)
}

// quoteSettings set the threshold to exactly two hammers, and ask for a signature.
func quoteSettings() object {
	return object{"enabled": true, "cart_threshold_amount": 3998, "customer_group_ids": list{groupQuote}, "acceptance_mode": "signature"}
}

// another is the base store with another id and one key that has every scope.
func another(id, key string, changes []func(object)) object {
	document := base()
	setting("id", id)(document)
	document["api_keys"] = list{apiKey("everything", key, allScopes...)}
	for _, change := range changes {
		change(document)
	}
	return document
}

// storeFiles writes the documents of the stores with these keys, or of all stores if none is given.
func storeFiles(t *testing.T, keys ...string) []string {
	t.Helper()
	wanted := map[string]bool{}
	for _, key := range keys {
		wanted[key] = true
	}
	var files []string
	if len(keys) == 0 || wanted[keyShop] {
		files = append(files, storeFile(t, base()))
	}
	for _, s := range otherStores {
		if len(keys) == 0 || wanted[s.key] {
			files = append(files, storeFile(t, another(s.id, s.key, s.changes)))
		}
	}
	return files
}

// serve starts a node on a fresh miniredis with the stores of these keys, and returns a client with
// the first key.
func serve(t *testing.T, keys ...string) client {
	t.Helper()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keys...)})
	return n.client(t).withKey(keys[0])
}
