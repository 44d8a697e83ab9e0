package storefile

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// The merge of texts is the model of judging beside a store.

// Merged is a store's document after change sets.
type Merged struct {
	Store *commerce.Store
	// Settings is the canonical text of the document without keys and customers.
	Settings []byte
	// Stock and Discounts are of the entries that the sets set. They count where they are new.
	Stock     []commerce.Stocked
	Discounts []commerce.Discount
	// Removed has the number of entries that each set removed.
	Removed []int
}

// Merge applies change sets, in their order, to the text of a store's pages, and judges the result
// as an import. The error is a *Faults or ErrNoProduct. Faults in entries
// of the last set have that set's paths and lines, the others the paths of the whole document. otherSecret
// is the rule of the result's batches of codes; nil for none.
func Merge(settings []byte, sets []*ChangeSet, otherSecret BatchRule) (*Merged, error) {
	m, d, err := merge(settings, sets)
	if err != nil {
		return nil, err
	}
	read := d.read()
	d.judgeMergedSecrets(read.Store, otherSecret)
	if faults := d.faults(d.root, d.root); faults != nil {
		return nil, faults
	}
	makeReady(read.Store)
	c := canonicalWriter{}
	c.value(d.root, &documentOutline)
	merged := &Merged{Store: read.Store, Settings: c.dst, Removed: m.removed}
	var set commerce.Store
	for _, p := range read.Store.Products {
		if m.sets(productList, p.ID) {
			set.Products = append(set.Products, p)
		}
	}
	merged.Stock = set.FirstStock()
	for _, discount := range read.Store.Discounts {
		if m.sets(discountList, discount.ID) {
			merged.Discounts = append(merged.Discounts, discount)
		}
	}
	return merged, nil
}

// merge applies change sets to the text of a document. The merged document is not read yet.
func merge(text []byte, sets []*ChangeSet) (*merger, *document, error) {
	kept, err := strictjson.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	m := &merger{kept: kept, lists: map[string]*mergedList{}, removed: make([]int, len(sets)), settings: map[string]mergedEntry{}}
	for i, set := range sets {
		if err := m.apply(i, set); err != nil {
			return nil, nil, err
		}
	}
	w := &mergedText{last: sets[len(sets)-1], from: len(sets) - 1}
	w.document(m)
	root, err := strictjson.Parse(w.text)
	if err != nil {
		return nil, nil, err
	}
	d := newDocument(root)
	d.merged = w
	return m, d, nil
}

// merger merges change sets into the kept text of a document.
type merger struct {
	kept strictjson.Value
	// lists are those that a set changes, by name.
	lists map[string]*mergedList
	// settings are the members of store that a set replaces, by name.
	settings map[string]mergedEntry
	removed  []int
}

// mergedEntry is an entry with the set that it comes from, -1 for the kept document. raw is nil if
// the entry is removed.
type mergedEntry struct {
	raw      strictjson.Value
	from, at int
	// members are those that sets have replaced; nil if a set has sent the whole entry.
	members []string
}

// mergedList is one list of the document.
type mergedList struct {
	entries []mergedEntry
	index   map[string]int
}

// list returns a list that a set changes.
func (m *merger) list(list *outline) *mergedList {
	l := m.lists[list.name]
	if l != nil {
		return l
	}
	l = &mergedList{index: map[string]int{}}
	m.lists[list.name] = l
	raw, _ := m.kept.Get(list.name)
	for at, entry := range raw.Items() {
		l.index[list.keyOf(entry)] = at
		l.entries = append(l.entries, mergedEntry{raw: entry, from: -1, at: at})
	}
	return l
}

// put replaces the entry with this key, or appends one.
func (l *mergedList) put(key string, entry mergedEntry) {
	if at, known := l.index[key]; known {
		l.entries[at] = entry
		return
	}
	l.index[key] = len(l.entries)
	l.entries = append(l.entries, entry)
}

// remove removes the entry with this key. It returns false if there is none.
func (l *mergedList) remove(key string) bool {
	at, known := l.index[key]
	if known {
		l.entries[at].raw = nil
		delete(l.index, key)
	}
	return known
}

// apply applies the set with the index from.
func (m *merger) apply(from int, set *ChangeSet) error {
	if set.product != uuid.Nil {
		return m.changeProduct(from, set)
	}
	for _, list := range changeLists {
		if len(set.set[list.name])+len(set.remove[list.name]) == 0 {
			continue
		}
		l := m.list(list)
		for key := range set.remove[list.name] {
			if l.remove(key) {
				m.removed[from]++
			}
		}
		for at, entry := range set.set[list.name] {
			l.put(entry.key, mergedEntry{raw: entry.raw, from: from, at: at})
		}
	}
	for at, member := range set.settings {
		m.settings[member.key] = mergedEntry{raw: member.raw, from: from, at: at}
	}
	return nil
}

// changeProduct replaces members of one product.
func (m *merger) changeProduct(from int, set *ChangeSet) error {
	l := m.list(documentOutline.member([]byte(productList)))
	at, known := l.index[set.product.String()]
	if !known {
		return ErrNoProduct
	}
	changed := map[string]mergedEntry{}
	for name, value := range set.root.Pairs() {
		changed[name.Text()] = mergedEntry{raw: value}
	}
	delete(changed, "id") // it is the id of the path
	w := mergedText{}
	entry := &l.entries[at]
	w.object(entry.raw, changed)
	if entry.from < 0 || entry.members != nil {
		entry.members = slices.AppendSeq(append([]string{}, entry.members...), maps.Keys(changed))
	}
	entry.raw, entry.from, entry.at = strictjson.Value(w.text), from, 0
	return nil
}

// sets reports whether a set has set the entry of a list.
func (m *merger) sets(list string, id uuid.UUID) bool {
	l := m.lists[list]
	if l == nil {
		return false
	}
	at, known := l.index[id.String()]
	return known && l.entries[at].from >= 0
}

// judgeMergedSecrets refuses batches of a document without other faults by their rule; nil for none.
func (d *document) judgeMergedSecrets(store *commerce.Store, otherSecret BatchRule) {
	if otherSecret == nil || len(d.found) > 0 {
		return
	}
	list, _ := d.root.Get(discountList)
	for at, raw := range list.Items() {
		batches, _ := raw.Get("code_batches")
		for i, batch := range batches.Items() {
			if secret, _ := batch.Get("secret"); otherSecret(&store.Discounts[at], &store.Discounts[at].CodeBatches[i]) {
				value{d: d, raw: secret}.conflict(secretDiffers)
			}
		}
	}
}
