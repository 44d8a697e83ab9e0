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

// Page is the index of the page that has an entry; of one that the store does not have the page with the last entry that is before
// it once it is appended, 0 if there is none.
func (f *PageFinder) Page(key EntryKey) int {
	at := 0 // the place in the sequence of all entries
	for i := range storedLists {
		list := &storedLists[i]
		n := list.len(f.store)
		if list.name != key.List {
			at += n
			continue
		}
		if in := f.index(list, key.Key); in >= 0 {
			at += in
		} else {
			at += n - 1
		}
		break
	}
	return sort.SearchInts(f.ends, max(at, 0)+1)
}

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

// Edits are those of the table of the document's pages.
func (j *Judged) Edits(pages *PageFinder) []Edit {
	edits := make([]Edit, len(j.Entries))
	for i, e := range j.Entries {
		edits[i] = Edit{List: e.List, Key: e.Key, Text: e.Text, Appended: e.New, Page: pages.Page(e.EntryKey)}
	}
	return edits
}

// Rest is the Table.Rest that follows one of the document of a store. The document has each list that the set names, if only as an
// empty one.
func (j *Judged) Rest(store *commerce.Store, rest []byte) ([]byte, error) {
	var err error
	for _, name := range j.Lists {
		before := listNamed(name).len(store)
		left := before
		for _, e := range j.Entries {
			switch {
			case e.List == name && e.New:
				left++
			case e.List == name && e.Text == nil:
				left--
			}
		}
		if (before == 0 || left == 0) && err == nil {
			rest, err = WithEmpty(rest, name, left == 0)
		}
	}
	return rest, err
}
