package storefile

import (
	"bytes"
	"cmp"
	"slices"

	"cartd/internal/strictjson"
)

// Cut cuts the canonical text of a document without api_keys and customers. cut is that of the table; 0 for that of a new
// document.
func Cut(document []byte, cut int) (*Paged, error) {
	entries, rest, err := sequence(document)
	if err != nil {
		return nil, err
	}
	p := &Paged{Table: Table{Cut: cmp.Or(cut, cutFor(len(entries))), Rest: rest}}
	p.cut(entries, maxPageText, p.pack())
	return p, nil
}

// sequence returns a document's entries and the canonical text without them.
func sequence(document []byte) (entries []Entry, rest []byte, err error) {
	root, err := strictjson.Parse(document)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	others := joiner{w: &out}
	for name, value := range root.Members() {
		before := len(entries)
		if entries = slices.AppendSeq(entries, entriesOf(name, value)); len(entries) == before {
			others.rest = append(others.rest, Entry{List: name, Text: value})
		}
	}
	err = others.finish()
	return entries, out.Bytes(), err
}

// cut appends the pages of entries to the table.
func (t *Table) cut(entries []Entry, maxText int, emit func(Page)) {
	c := t.cutter(maxText, emit)
	for i := range entries {
		c.add(&entries[i])
	}
	c.end()
}
