package storefile

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// assembled is a store with the canonical texts of its entries: a slow model of the states that change sets make.
type assembled struct {
	store *commerce.Store
	// rest are the other members of the document; keys are the entries of each list in their order.
	rest  map[string]string
	keys  map[string][]string
	texts map[EntryKey]string
}

// newAssembled takes a canonical document apart.
func newAssembled(t testing.TB, store *commerce.Store, settings string) *assembled {
	t.Helper()
	a := &assembled{store: store, rest: map[string]string{}, keys: map[string][]string{}, texts: map[EntryKey]string{}}
	root, err := strictjson.Parse([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range root.Members() {
		list := documentOutline.member([]byte(name))
		switch {
		case name == storeMember:
			a.texts[EntryKey{storeMember, ""}] = string(value)
		case list != nil && list.key() != nil:
			a.keys[name] = []string{}
			for _, entry := range value.Items() {
				a.set(EntryKey{name, list.keyOf(entry)}, string(entry))
			}
		default:
			a.rest[name] = string(value)
		}
	}
	return a
}

func (a *assembled) set(key EntryKey, text string) {
	if _, known := a.texts[key]; !known {
		a.keys[key.List] = append(a.keys[key.List], key.Key)
	}
	a.texts[key] = text
}

func (a *assembled) text(key EntryKey) ([]byte, bool) {
	text, ok := a.texts[key]
	return []byte(text), ok
}

// settings is the canonical document.
func (a *assembled) settings() string {
	members := maps.Clone(a.rest)
	members[storeMember] = a.texts[EntryKey{storeMember, ""}]
	for list, keys := range a.keys {
		var text bytes.Buffer
		for _, key := range keys {
			text.WriteString("," + a.texts[EntryKey{list, key}])
		}
		members[list] = "[" + string(bytes.TrimPrefix(text.Bytes(), []byte(","))) + "]"
	}
	text := ""
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text += "," + string(AppendText(nil, name)) + ":" + members[name]
	}
	return "{" + text[1:] + "}"
}

// after is the state after a change set.
func (a *assembled) after(j *Judged) *assembled {
	next := &assembled{rest: a.rest, keys: map[string][]string{}, texts: maps.Clone(a.texts)}
	for list, keys := range a.keys {
		next.keys[list] = slices.Clone(keys)
	}
	for _, list := range j.Lists {
		next.keys[list] = append([]string{}, next.keys[list]...)
	}
	settings := a.store
	decoded := map[EntryKey]any{}
	for i := range storedLists {
		list := &storedLists[i]
		for at := range list.len(a.store) {
			if list.name != storeMember {
				decoded[EntryKey{list.name, list.key(a.store, at)}] = list.entry(a.store, at)
			}
		}
	}
	for _, entry := range j.Entries {
		switch {
		case entry.List == storeMember:
			settings = entry.Decoded.(*commerce.Store)
			next.texts[entry.EntryKey] = string(entry.Text)
		case entry.Decoded == nil:
			delete(next.texts, entry.EntryKey)
			next.keys[entry.List] = slices.DeleteFunc(next.keys[entry.List], func(key string) bool { return key == entry.Key })
		default:
			decoded[entry.EntryKey] = entry.Decoded
			next.set(entry.EntryKey, string(entry.Text))
		}
	}
	store := *settings
	store.Groups = decodedAs[commerce.CustomerGroup](next, decoded, "customer_groups")
	store.TaxRates = decodedAs[commerce.TaxRate](next, decoded, "tax_rates")
	store.Categories = decodedAs[commerce.Category](next, decoded, "categories")
	store.Discounts = decodedAs[commerce.Discount](next, decoded, discountList)
	store.ShippingMethods = decodedAs[commerce.ShippingMethod](next, decoded, "shipping_methods")
	store.Redirects = decodedAs[commerce.Redirect](next, decoded, "redirects")
	rates := map[string]*commerce.TaxRate{}
	for _, rate := range store.TaxRates {
		rates[rate.Code] = &rate
	}
	store.Products = nil
	for _, p := range decodedAs[commerce.Product](next, decoded, productList) {
		p.Tax = rates[p.Tax.Code]
		store.Products = append(store.Products, &p)
	}
	for i := range store.ShippingMethods {
		store.ShippingMethods[i].Tax = rates[store.ShippingMethods[i].Tax.Code]
	}
	next.store = indexed(store)
	return next
}

// indexed is a store with new indexes.
func indexed(s commerce.Store) *commerce.Store {
	fresh := commerce.Store{
		ID: s.ID, Name: s.Name, Suspended: s.Suspended, Modules: s.Modules, PricesIncludeTax: s.PricesIncludeTax, RateLimit: s.RateLimit, Limits: s.Limits,
		Policy: s.Policy, Quotes: s.Quotes, StockHold: s.StockHold, PaymentTime: s.PaymentTime, Webhooks: s.Webhooks, Languages: s.Languages,
		Country: s.Country, ExportCountries: s.ExportCountries, ReverseChargeCountries: s.ReverseChargeCountries,
		Groups: s.Groups, TaxRates: s.TaxRates, Categories: s.Categories, Products: s.Products, Discounts: s.Discounts,
		ShippingMethods: s.ShippingMethods, Redirects: s.Redirects,
	}
	fresh.Index()
	return &fresh
}

// decodedAs are the entries of a list in their order.
func decodedAs[T any](a *assembled, decoded map[EntryKey]any, list string) (all []T) {
	for _, key := range a.keys[list] {
		all = append(all, *decoded[EntryKey{list, key}].(*T))
	}
	return all
}
