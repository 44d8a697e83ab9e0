package storefile

import (
	"fmt"
	"slices"
	"sort"

	"cartd/commerce"
)

// PageFinder finds the pages of the entries of a store's document.
type PageFinder struct {
	store *commerce.Store
	// ends are the numbers of entries up to the end of each page.
	ends []int
	// at has the indexes of a list's entries. The products are walked over instead for the first keys.
	at    map[string]map[string]int
	walks int
}

// maxWalks is the number of walks over the products that take less time than noting all of their keys.
const maxWalks = 16

// NewPageFinder makes the finder of a store whose pages have these numbers of entries.
func NewPageFinder(store *commerce.Store, entries []int) *PageFinder {
	f := &PageFinder{store: store, ends: make([]int, len(entries)), at: map[string]map[string]int{}}
	sum := 0
	for i, n := range entries {
		sum += n
		f.ends[i] = sum
	}
	return f
}

// Page is the index of the page that has an entry, or that of an appended entry if the store does not have it.
func (f *PageFinder) Page(key EntryKey) int {
	list := listNamed(key.List)
	if at := f.index(list, key.Key); at >= 0 {
		return f.page(f.before(list.name) + at)
	}
	return f.last(list.name)
}

// last is the index of the page with the last entry that is before one that is appended to the list; 0 if there is none.
func (f *PageFinder) last(list string) int {
	return f.page(max(0, f.before(list)+listNamed(list).len(f.store)-1))
}

// before is the number of entries before a list.
func (f *PageFinder) before(list string) (n int) {
	for i := range storedLists[:storedListAt(list)] {
		n += storedLists[i].len(f.store)
	}
	return n
}

// page is the index of the page that has the entry at a place of the sequence of all.
func (f *PageFinder) page(at int) int { return sort.SearchInts(f.ends, at+1) }

// index is the index of an entry in its list, −1 if the store does not have it.
func (f *PageFinder) index(list *storedList, key string) int {
	all := f.at[list.name]
	if all == nil && list.name == productList && f.walks < maxWalks {
		f.walks++
		id, _ := commerce.ParseID(key)
		return slices.Index(f.store.Products, f.store.Product(id))
	}
	if all == nil {
		all = make(map[string]int, list.len(f.store))
		for at := range list.len(f.store) {
			all[list.key(f.store, at)] = at
		}
		f.at[list.name] = all
	}
	if at, known := all[key]; known {
		return at
	}
	return -1
}

// MissingPages means that the texts of these pages are needed.
type MissingPages struct{ Names []PageName }

func (m *MissingPages) Error() string { return fmt.Sprintf("%d pages are missing", len(m.Names)) }

// finder finds the pages of the store's entries.
func (p *PagedStore) finder() *PageFinder {
	entries := make([]int, len(p.pages))
	for i := range p.pages {
		entries[i] = int(p.pages[i].entries)
	}
	return NewPageFinder(p.Store, entries)
}

// PagesFor are the pages whose texts Change needs, in the order of the table, but for neighbours whose entries may move.
func (p *PagedStore) PagesFor(set *ChangeSet) []PageName {
	return p.pagesOf(p.finder(), set.Touches(p.Store))
}

func (p *PagedStore) pagesOf(pages *PageFinder, keys []EntryKey) (names []PageName) {
	var at []int
	for _, key := range keys {
		at = append(at, pages.Page(key))
	}
	slices.Sort(at)
	for _, i := range slices.Compact(at) {
		names = append(names, p.Table.Pages[i])
	}
	return names
}

// EntryText is the canonical text of an entry in its page, whose text the function returns; false if the store does not have the entry
// or the caller the page.
func (p *PagedStore) EntryText(key EntryKey, text func(PageName) ([]byte, bool)) ([]byte, bool) {
	return p.entryTexts(p.finder(), text)(key)
}

// entryTexts finds texts of entries. Each page is read once.
func (p *PagedStore) entryTexts(pages *PageFinder, text func(PageName) ([]byte, bool)) func(EntryKey) ([]byte, bool) {
	read, entries := map[int]bool{}, map[EntryKey][]byte{}
	return func(key EntryKey) ([]byte, bool) {
		if at := pages.Page(key); !read[at] {
			read[at] = true
			page, ok := text(p.Table.Pages[at])
			if !ok {
				return nil, false
			}
			of, err := Entries(page)
			if err != nil { // it is the text of its name
				return nil, false
			}
			for _, e := range of {
				entries[EntryKey{e.List, e.Key}] = e.Text
			}
		}
		found, ok := entries[key]
		return found, ok
	}
}
