package storefile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"cartd/internal/strictjson"
)

// Edit is a change of one entry of a document that is pages. A key that is removed may be appended again, with two
// edits in this order.
type Edit struct {
	List, Key string
	// Text is the new entry, canonical; nil if the entry is removed.
	Text []byte
	// Appended is true if the entry becomes the last of its list.
	Appended bool
	// Page is the index in Table.Pages of the page that has the entry; of an appended entry the page with the last entry
	// that is before it now, 0 if there is none.
	Page int
}

// Recut returns the table of a document after edits, and the pages that are new in it. The appended entries of a list keep
// the order of the edits. Rest stays as it is: a caller that fills or empties a list uses WithEmpty. read returns the text of
// a page, and its error is returned: Recut reads the pages with edits, and those beside them whose entries may move.
//
// The result is the same as if the whole document were cut, with the table's Cut.
func (t *Table) Recut(edits []Edit, read func(name PageName) ([]byte, error)) (next Table, entering []Page, err error) {
	return t.recut(edits, maxPageText, read)
}

func (t *Table) recut(edits []Edit, maxText int, read func(name PageName) ([]byte, error)) (Table, []Page, error) {
	r := recutter{table: t, read: read, known: map[PageName]bool{}, olds: map[int]oldPage{}}
	r.cutter = cutter{cut: t.Cut, maxText: maxText, emit: r.page}
	return r.recut(edits)
}

// recutter goes through the pages of a table in their order and makes the next table.
type recutter struct {
	cutter
	table *Table
	read  func(name PageName) ([]byte, error)
	// edits are those of pages that it has not come to, by their pages.
	edits []Edit
	// olds are the pages of the table that it has read, by their index.
	olds map[int]oldPage
	next []PageName
	// known are the names of the table and of entering.
	known    map[PageName]bool
	entering []Page
}

// oldPage is a page that was read.
type oldPage struct {
	size    int
	entries []Entry
}

func (r *recutter) recut(edits []Edit) (Table, []Page, error) {
	for _, name := range r.table.Pages {
		r.known[name] = true
	}
	r.edits = slices.Clone(edits)
	slices.SortStableFunc(r.edits, func(a, b Edit) int { return cmp.Compare(a.Page, b.Page) })
	at := 0
	for len(r.edits) > 0 {
		from, err := r.start(at)
		if err == nil {
			r.next = append(r.next, r.table.Pages[at:from]...)
			at, err = r.run(from)
		}
		if err != nil {
			return Table{}, nil, err
		}
	}
	r.next = append(r.next, r.table.Pages[at:]...)
	return Table{Cut: r.table.Cut, Pages: r.next, Rest: r.table.Rest}, r.entering, nil
}

// page takes a new page.
func (r *recutter) page(text []byte) {
	name := NameOf(text)
	r.next = append(r.next, name)
	if !r.known[name] {
		r.known[name] = true
		r.entering = append(r.entering, Page{name, slices.Clone(text)})
	}
}

// start returns the page at which the next run begins: that of the next edit, or the one before if its end depends on the edit.
// Pages before at are cut already.
func (r *recutter) start(at int) (page int, err error) {
	page = r.edits[0].Page
	old, err := r.old(page)
	if err != nil || page == at {
		return page, err
	}
	first := &old.entries[0]
	for i := range r.edits {
		if e := &r.edits[i]; e.Page == page && !e.Appended && e.List == first.List && e.Key == first.Key && len(e.Text) < len(first.Text) {
			return page - 1, nil
		}
	}
	return page, nil
}

// old reads a page of the table.
func (r *recutter) old(page int) (oldPage, error) {
	if t, known := r.olds[page]; known {
		return t, nil
	}
	if page >= len(r.table.Pages) {
		return oldPage{}, fmt.Errorf("there is no page %d", page)
	}
	text, err := r.read(r.table.Pages[page])
	if err != nil {
		return oldPage{}, err
	}
	entries, err := Entries(text)
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("the page %s has no entries", r.table.Pages[page])
	}
	t := oldPage{len(text), entries}
	r.olds[page] = t
	return t, err
}

// run cuts anew from the beginning of a page until a page without edits begins where it did, and returns the index of that page.
func (r *recutter) run(from int) (next int, err error) {
	for page := from; page < len(r.table.Pages); page++ {
		old, err := r.old(page)
		if err != nil {
			return 0, err
		}
		edits := r.take(page)
		if page > from && len(edits) == 0 && (r.entries == 0 || r.beginsAt(&old.entries[0])) {
			r.end()
			return page, nil
		}
		made := len(r.next)
		if err := r.edit(old.entries, edits); err != nil {
			return 0, err
		}
		if page == from && len(r.next) == made && r.endsAsBefore(&old, edits) && (len(r.edits) == 0 || r.edits[0].Page > page+1) {
			r.end()
			return page + 1, nil
		}
	}
	r.end()
	return len(r.table.Pages), nil
}

// endsAsBefore reports whether the page being written, which began with this old page, certainly ends with it, too: it has
// as many entries, and is no shorter.
func (r *recutter) endsAsBefore(old *oldPage, edits []Edit) bool {
	for i := range edits {
		if edits[i].Appended || edits[i].Text == nil {
			return false
		}
	}
	return len(r.text)+len(pageEnd(r.list)) >= old.size
}

// take returns the edits of the page and removes them from those to come.
func (r *recutter) take(page int) []Edit {
	n := 0
	for n < len(r.edits) && r.edits[n].Page == page {
		n++
	}
	edits := r.edits[:n]
	r.edits = r.edits[n:]
	return edits
}

// edit adds the entries of an old page with its edits.
func (r *recutter) edit(entries []Entry, edits []Edit) error {
	type key struct{ list, key string }
	changed := map[key][]byte{}
	var appended []Entry
	for _, e := range edits {
		if e.Appended {
			appended = append(appended, Entry{e.List, e.Key, e.Text})
			continue
		}
		changed[key{e.List, e.Key}] = e.Text
	}
	slices.SortStableFunc(appended, func(a, b Entry) int { return cmp.Compare(a.List, b.List) })
	for _, e := range entries {
		for len(appended) > 0 && appended[0].List < e.List {
			r.add(&appended[0])
			appended = appended[1:]
		}
		if text, isChanged := changed[key{e.List, e.Key}]; isChanged {
			delete(changed, key{e.List, e.Key})
			e.Text = text
		}
		if e.Text != nil {
			r.add(&e)
		}
	}
	for i := range appended {
		r.add(&appended[i])
	}
	for missing := range changed {
		return fmt.Errorf("the page of %s has no entry %q", missing.list, missing.key)
	}
	return nil
}

// WithEmpty returns a table's Rest in which the list is empty, or from which it is gone because it has entries.
func WithEmpty(rest []byte, list string, empty bool) ([]byte, error) {
	root, err := strictjson.Parse(rest)
	if err != nil {
		return nil, err
	}
	var members []Entry
	for name, value := range root.Members() {
		if name != list {
			members = append(members, Entry{List: name, Text: value})
		}
	}
	if empty {
		members = append(members, Entry{List: list, Text: []byte("[]")})
	}
	slices.SortFunc(members, func(a, b Entry) int { return cmp.Compare(a.List, b.List) })
	out := bytes.Buffer{}
	j := joiner{w: &out, rest: members}
	err = j.finish()
	return out.Bytes(), err
}
