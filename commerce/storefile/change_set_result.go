package storefile

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	engine "cartd/commerce/configurator"
	"cartd/internal/strictjson"
)

// result is what the set makes of the store. It has no faults.
func (j *judgement) result() *Judged {
	store, set := j.read.Store, j.set
	r := &Judged{Changed: set.Changed, Products: len(j.beside.Store.Products)}
	makeEngines(store.Products)
	for i := range storedLists {
		list := &storedLists[i]
		switch {
		case list.name == storeMember && len(set.settings) > 0:
			settings := *store
			settings.Groups, settings.TaxRates, settings.Categories, settings.Products = nil, nil, nil, nil
			settings.Discounts, settings.ShippingMethods, settings.Redirects = nil, nil, nil
			r.Entries = append(r.Entries, ChangedEntry{EntryKey{storeMember, ""}, j.canonical(j.composed.stored, list), &settings, false})
		case list.name == productList && set.product != uuid.Nil:
			key := EntryKey{productList, set.product.String()}
			r.Entries = append(r.Entries, ChangedEntry{key, j.canonical(j.composed.stored, list), store.Products[0], false})
		case len(set.set[list.name])+len(set.remove[list.name]) > 0:
			r.Lists = append(r.Lists, list.name)
			j.addList(r, list)
		}
	}
	for _, entry := range r.Entries {
		j.addFirst(r, entry)
	}
	return r
}

// addList adds the entries of a list that the set sets, and those that it removes.
func (j *judgement) addList(r *Judged, list *storedList) {
	all, _ := j.parts[0].value.Get("set")
	raw, _ := all.Get(list.name)
	for at, value := range raw.Items() {
		key := EntryKey{list.name, j.set.set[list.name][at].key}
		r.Entries = append(r.Entries, ChangedEntry{key, j.canonical(value, list), list.entry(j.read.Store, at), !j.stored.has(list.name, key.Key)})
	}
	for _, key := range j.stored.removes(j.set, list.name) {
		r.Entries = append(r.Entries, ChangedEntry{EntryKey: key})
		r.Removed++
	}
}

// canonical is the canonical text of an entry.
func (j *judgement) canonical(entry strictjson.Value, list *storedList) []byte {
	w := canonicalWriter{composed: j.composed, keptSecrets: j.secrets}
	w.value(entry, documentOutline.member([]byte(list.name)))
	return slices.Clip(w.dst)
}

// addFirst adds the first numbers of an entry that the store has not counted yet.
func (j *judgement) addFirst(r *Judged, entry ChangedEntry) {
	switch e := entry.Decoded.(type) {
	case *commerce.Product:
		if entry.New {
			r.Products++
		}
		before := j.beside.Store.Product(e.ID)
		tracked := before != nil && before.TrackStock
		for _, item := range (&commerce.Store{Products: []*commerce.Product{e}}).FirstStock() {
			if !tracked || item.Item != e.ID && before.Variant(item.Item) == nil {
				r.Stock = append(r.Stock, item)
			}
		}
	case *commerce.Discount:
		if entry.New {
			r.Discounts = append(r.Discounts, *e)
		}
	case nil:
		if entry.List == productList {
			r.Products--
		}
	}
}

// makeEngines builds the engines of the products' configurators, so that requests only look them up.
func makeEngines(products []*commerce.Product) {
	for _, p := range products {
		if p.Configurator != nil {
			p.Configurator.Engine = engine.New(p.ID, p.Configurator)
		}
	}
}
