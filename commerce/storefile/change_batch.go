package storefile

import (
	"errors"
	"slices"

	"cartd/commerce"
)

// ChangeBatch judges change sets in turn, each beside what those before it leave, and makes the pages and the store that follow once
// for all of them. A set with an error changes nothing.
type ChangeBatch struct {
	before *PagedStore
	pages  *PageFinder
	text   func(PageName) ([]byte, bool)
	stored func(EntryKey) ([]byte, bool)
	// store is what the sets so far leave, for judgements: its products may have the rates that taxes had before.
	store *commerce.Store
	// changed has the texts of entries of the store before that were set or removed, whose text is nil, by their order in keys. appended
	// are those that follow them, appendedKeys their order.
	changed, appended  map[EntryKey][]byte
	keys, appendedKeys []EntryKey
	// lists are those that the document has from now on.
	lists map[string]bool
}

// Batch begins a batch. text returns the text of a page of the table; false if the caller does not have it.
func (p *PagedStore) Batch(text func(PageName) ([]byte, bool)) *ChangeBatch {
	pages := p.finder()
	return &ChangeBatch{
		before: p, pages: pages, text: text, stored: p.entryTexts(pages, text), store: p.Store,
		changed: map[EntryKey][]byte{}, appended: map[EntryKey][]byte{}, lists: map[string]bool{},
	}
}

// Store is what the sets so far leave. It is for judgements only: its products may have the rates that taxes had before.
func (b *ChangeBatch) Store() *commerce.Store { return b.store }

// EntryText is the canonical text of an entry after the sets so far; false if there is none, or if the caller does not have its page.
func (b *ChangeBatch) EntryText(key EntryKey) ([]byte, bool) {
	if text, ok := b.appended[key]; ok {
		return text, true
	}
	if text, ok := b.changed[key]; ok {
		return text, text != nil
	}
	return b.stored(key)
}

// Add judges the next set. Errors: *Faults, ErrNoProduct, *MissingPages; *MissingTexts if a page is not what the table says.
func (b *ChangeBatch) Add(set *ChangeSet, otherSecret BatchRule) (*Judged, error) {
	missing := &MissingPages{}
	for _, name := range b.before.pagesOf(b.pages, set.Touches(b.store)) {
		if _, ok := b.text(name); !ok {
			missing.Names = append(missing.Names, name)
		}
	}
	if len(missing.Names) > 0 {
		return nil, missing
	}
	judged, err := set.JudgeBeside(&Beside{Store: b.store, Text: b.EntryText, OtherSecret: otherSecret})
	if err != nil {
		return nil, err
	}
	for _, e := range judged.Entries {
		b.change(e)
	}
	for _, list := range judged.Lists {
		b.lists[list] = true
	}
	b.store = judged.judging(b.store)
	return judged, nil
}

// change notes a changed entry.
func (b *ChangeBatch) change(e ChangedEntry) {
	_, isAppended := b.appended[e.EntryKey]
	switch {
	case isAppended && e.Text == nil:
		delete(b.appended, e.EntryKey)
		b.appendedKeys = slices.DeleteFunc(b.appendedKeys, func(key EntryKey) bool { return key == e.EntryKey })
	case isAppended || e.New:
		if b.appended[e.EntryKey] = e.Text; !isAppended {
			b.appendedKeys = append(b.appendedKeys, e.EntryKey)
		}
	default:
		if _, isChanged := b.changed[e.EntryKey]; !isChanged {
			b.keys = append(b.keys, e.EntryKey)
		}
		b.changed[e.EntryKey] = e.Text
	}
}

// Done makes the state after all sets, and its pages that the table before does not have. The error is a *MissingPages.
func (b *ChangeBatch) Done() (next *PagedStore, entering []Page, err error) {
	var edits []Edit
	for _, key := range b.keys {
		edits = append(edits, Edit{List: key.List, Key: key.Key, Text: b.changed[key], Page: b.pages.Page(key)})
	}
	for _, key := range b.appendedKeys {
		edits = append(edits, Edit{List: key.List, Key: key.Key, Text: b.appended[key], Appended: true, Page: b.pages.last(key.List)})
	}
	table, entering, err := b.before.Table.Recut(edits, func(name PageName) ([]byte, error) {
		page, ok := b.text(name)
		if !ok {
			return nil, b.missingBeside(edits, name)
		}
		return page, nil
	})
	for name := range b.lists {
		if left := listNamed(name).len(b.store); err == nil {
			table.Rest, err = WithEmpty(table.Rest, name, left == 0)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	next, err = b.before.Assemble(table, func(name PageName) ([]byte, error) {
		at := slices.IndexFunc(entering, func(page Page) bool { return page.Name == name })
		if at < 0 {
			return nil, errors.New("no page of the table, and none that enters")
		}
		return entering[at].Text, nil
	})
	return next, entering, err
}

// missingBeside are a page that is missing and, so that one more reading suffices, all others beside pages with edits.
func (b *ChangeBatch) missingBeside(edits []Edit, name PageName) *MissingPages {
	missing, asked := &MissingPages{[]PageName{name}}, map[PageName]bool{name: true}
	all := b.before.Table.Pages
	for i := range edits {
		for _, at := range [2]int{edits[i].Page - 1, edits[i].Page + 1} {
			if at < 0 || at >= len(all) || asked[all[at]] {
				continue
			}
			asked[all[at]] = true
			if _, known := b.text(all[at]); !known {
				missing.Names = append(missing.Names, all[at])
			}
		}
	}
	return missing
}

// judging is the store that results, for judgements: its products may have the rates that taxes had before.
func (j *Judged) judging(before *commerce.Store) *commerce.Store {
	s := *before
	for _, e := range j.Entries {
		if settings, ok := e.Decoded.(*commerce.Store); ok {
			s = *settings
			s.Groups, s.TaxRates, s.Categories, s.Products = before.Groups, before.TaxRates, before.Categories, before.Products
			s.Discounts, s.ShippingMethods, s.Redirects, s.Secret = before.Discounts, before.ShippingMethods, before.Redirects, before.Secret
		}
	}
	at := NewPageFinder(before, nil)
	s.Groups = changedList(j, "customer_groups", s.Groups, at, valueOf[commerce.CustomerGroup])
	s.TaxRates = changedList(j, "tax_rates", s.TaxRates, at, valueOf[commerce.TaxRate])
	s.Categories = changedList(j, "categories", s.Categories, at, valueOf[commerce.Category])
	s.Products = changedList(j, productList, s.Products, at, func(p any) *commerce.Product { return p.(*commerce.Product) })
	s.Discounts = changedList(j, discountList, s.Discounts, at, valueOf[commerce.Discount])
	s.ShippingMethods = changedList(j, "shipping_methods", s.ShippingMethods, at, valueOf[commerce.ShippingMethod])
	s.Redirects = changedList(j, "redirects", s.Redirects, at, valueOf[commerce.Redirect])
	s.IndexAfter(before)
	return &s
}

func valueOf[E any](decoded any) E { return *decoded.(*E) }

// changedList is a list with the changed entries; the same slice if there are none.
func changedList[E any](j *Judged, name string, all []E, before *PageFinder, value func(decoded any) E) []E {
	gone := map[int]bool{}
	isOf := func(e ChangedEntry) bool { return e.List == name }
	if !slices.ContainsFunc(j.Entries, isOf) {
		return all
	}
	next := slices.Clone(all)
	for _, e := range j.Entries {
		if !isOf(e) {
			continue
		}
		switch at := before.index(listNamed(name), e.Key); {
		case e.New:
			next = append(next, value(e.Decoded))
		case e.Decoded == nil:
			gone[at] = true
		default:
			next[at] = value(e.Decoded)
		}
	}
	if len(gone) == 0 {
		return next
	}
	kept := make([]E, 0, len(next)-len(gone))
	for at := range next {
		if !gone[at] {
			kept = append(kept, next[at])
		}
	}
	return kept
}
