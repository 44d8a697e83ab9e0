package storefile

import (
	"fmt"
	"slices"
)

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
