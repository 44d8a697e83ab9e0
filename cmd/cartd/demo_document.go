package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

//go:embed demo/store.json
var demoStore []byte

// demoKeys are the keys that a merchant's document gets for the demo. They are public.
var demoKeys = []demoKey{
	{Name: "cartd demo: shop", Key: demoShopKey, Scopes: []string{
		"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read", "sales:read", "sales:write",
	}},
	{Name: "cartd demo: merchant", Key: demoMerchantKey, Scopes: []string{"orders:read", "orders:write"}},
	{Name: "cartd demo: desk", Key: demoDeskKey, Scopes: deskScopes.Names()},
}

type demoKey struct {
	Name    string   `json:"name"`
	Key     string   `json:"key"`
	Scopes  []string `json:"scopes"`
	Revoked bool     `json:"revoked"`
}

// demoWebhook is the only webhook of a document that the demo shows: those of a merchant would take its
// orders for real ones.
type demoWebhook struct {
	URL    string   `json:"url"`
	Secret string   `json:"secret"`
	Events []string `json:"events"`
}

// ownCatalogue reports whether the demo shows a document of --store, not Northwind Blinds.
func (c *serveConfig) ownCatalogue() bool { return c.demo && len(c.stores) > 0 }

// hasMailbox reports whether the demo shows mails, which let a reader log in as any customer.
func (c *serveConfig) hasMailbox() bool { return c.demo && (!c.ownCatalogue() || c.demoMailbox) }

// readDemo reads a file as the document that the demo shows.
func readDemo(config *serveConfig, file string, hook demoWebhook) (*storefile.Document, error) {
	data, err := config.maxDocument.readAll("store document", file, func(string, ...any) {})
	if err != nil {
		return nil, err
	}
	hooks := []demoWebhook{}
	if config.hasMailbox() {
		hooks = append(hooks, hook)
	}
	return shownDocument(data, hooks)
}

// shownDocument reads a document and gives it the demo's keys and webhooks. Its hash is that of the
// document with the keys: the webhook is another one at each start, and that is no other document.
func shownDocument(data []byte, hooks []demoWebhook) (*storefile.Document, error) {
	plain, err := storefile.Parse(data)
	if err != nil {
		return nil, err
	}
	shown, added, err := withDemoParts(data, hooks)
	if err != nil {
		return nil, err
	}
	doc, err := storefile.Parse(shown)
	if err != nil {
		return nil, fmt.Errorf("with the demo's keys: %w", err)
	}
	if doc.Hash = plain.Hash; added {
		doc.Hash = sha256.Sum256(append(plain.Hash[:], "demo"...))
	}
	return doc, nil
}

// withDemoParts returns the text of a document with the demo's webhook and keys, and whether it had not
// all of the keys.
func withDemoParts(data []byte, hooks []demoWebhook) (text []byte, added bool, err error) {
	var root, store map[string]json.RawMessage
	var keys []json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &root); err != nil {
		return nil, false, err
	}
	if err := json.Unmarshal(root["store"], &store); err != nil {
		return nil, false, err
	}
	if own := root["api_keys"]; own != nil {
		if err := json.Unmarshal(own, &keys); err != nil {
			return nil, false, err
		}
	}
	for _, key := range demoKeys {
		if !slices.ContainsFunc(keys, key.is) {
			keys, added = append(keys, mustJSON(key)), true
		}
	}
	store["webhooks"] = mustJSON(hooks)
	root["api_keys"], root["store"] = mustJSON(keys), mustJSON(store)
	return mustJSON(root), added, nil
}

// is reports whether a document's entry is this key.
func (k demoKey) is(entry json.RawMessage) bool {
	var own demoKey
	return json.Unmarshal(entry, &own) == nil && own.Key == k.Key
}

func mustJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts, and JSON that was read
	}
	return text
}

// maxPictureHosts is the number of servers that the shop's policy names; beyond it all are allowed.
const maxPictureHosts = 50

// pictureHost is a host that a policy can name. Others, which may have a semicolon, are left out.
var pictureHost = regexp.MustCompile(`^[A-Za-z0-9.-]+(?::[0-9]+)?$`)

// pictureOrigins returns the servers of a document's pictures, as a policy of a page names them.
func pictureOrigins(store *commerce.Store) []string {
	origins := map[string]bool{}
	note := func(all []commerce.Media) {
		for _, one := range all {
			if at, err := url.Parse(one.URL); err == nil && at.Scheme == "https" && pictureHost.MatchString(at.Host) && len(origins) <= maxPictureHosts {
				origins["https://"+at.Host] = true
			}
		}
	}
	for _, product := range store.Products {
		note(product.Media)
		for _, variant := range product.Variants {
			note(variant.Media)
		}
	}
	for _, category := range store.Categories {
		note(category.Media)
	}
	if len(origins) > maxPictureHosts {
		return []string{"https:"}
	}
	return slices.Sorted(maps.Keys(origins))
}

// demoStart is the start of the demo in its document. demoMoments are the moments in it that follow the
// start of the program: a sale begins ten minutes after it and lasts an hour.
var demoStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var demoMoments = []time.Duration{10 * time.Minute, 70 * time.Minute}

// demoDocument is the demo store of a program that starts now. It has the hash of the embedded document:
// a further node, and a start with the Redis of an earlier one, leave the store as it is.
func demoDocument(now time.Time, hook demoWebhook) (*storefile.Document, error) {
	embedded, err := storefile.Parse(demoStore)
	if err != nil {
		return nil, err
	}
	text := demoStore
	for _, after := range demoMoments {
		moment := func(start time.Time) []byte { return []byte(start.Add(after).UTC().Format(time.RFC3339)) }
		text = bytes.ReplaceAll(text, moment(demoStart), moment(now))
	}
	demo, err := shownDocument(text, []demoWebhook{hook})
	if err == nil {
		demo.Hash = embedded.Hash
	}
	return demo, err
}
