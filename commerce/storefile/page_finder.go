package storefile

import (
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
