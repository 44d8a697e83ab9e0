package storefile

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"cartd/internal/strictjson"
)

// PageName names a page by its content: it is the first 16 bytes of the SHA-256 of the page's text.
type PageName [16]byte

// NameOf returns the name of a page with this text.
func NameOf(text []byte) PageName {
	hash := sha256.Sum256(text)
	return PageName(hash[:])
}

// String is the name as 32 hex digits.
func (n PageName) String() string { return hex.EncodeToString(n[:]) }

// Page is a run of a document's entries. Its text is a partial document in canonical form:
// {"products":[…],"redirects":[…]}.
type Page struct {
	Name PageName
	Text []byte
}

// Table names the pages of a document, in their order.
//
// The entries of a document are one sequence: those of its lists and the member store, by the names of
// the members, each list in the document's order. A page is a run of that sequence. Where a page begins
// depends on the entries and on Cut, not on the way to them.
type Table struct {
	// Cut is the mean number of entries of a page: 64, or a greater power of two.
	Cut   int
	Pages []PageName
	// Rest is the canonical text of the document without its entries. Empty lists stay there.
	Rest []byte
}

// Entry is an entry of a list, or the member store, whose key is empty.
type Entry struct {
	List, Key string
	Text      []byte // canonical
}

const (
	minCut = 64
	// maxPages is the greatest mean number of pages of an imported document.
	maxPages = 2048
	// maxPageText is the maximum length of a page of more than one entry.
	maxPageText = 256 << 10
)

// cutFor returns the least cut of a document with this number of entries.
func cutFor(entries int) int {
	cut := minCut
	for entries > cut*maxPages {
		cut *= 2
	}
	return cut
}

// storeMember is the member of a document that is one entry.
const storeMember = "store"

// pagedLists are the members of a document that have its entries, by their names.
var pagedLists = func() (lists []*outline) {
	lists = append(lists, changeLists...)
	lists = append(lists, documentOutline.member([]byte(storeMember)))
	slices.SortFunc(lists, func(a, b *outline) int { return strings.Compare(a.name, b.name) })
	return lists
}()

// pagedList returns the list with this name; nil if a document has no entries there.
func pagedList(name string) *outline {
	for _, list := range pagedLists {
		if list.name == name {
			return list
		}
	}
	return nil
}

// entriesOf iterates over the entries of a member of a document or of a page, with their text as it is there. There are
// none in a member that stays in Table.Rest.
func entriesOf(name string, value strictjson.Value) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		list := pagedList(name)
		switch {
		case list == nil:
		case name == storeMember:
			yield(Entry{List: name, Text: value})
		default:
			for _, item := range value.Items() {
				if !yield(Entry{List: name, Key: list.keyOf(item), Text: item}) {
					return
				}
			}
		}
	}
}

// Entries returns the entries of a page's text. They are parts of the text.
func Entries(text []byte) (entries []Entry, err error) {
	root, err := strictjson.Parse(text)
	if err != nil {
		return nil, err
	}
	for name, value := range root.Members() {
		if pagedList(name) == nil {
			return nil, fmt.Errorf("a page has no member %q", name)
		}
		entries = slices.AppendSeq(entries, entriesOf(name, value))
	}
	return entries, nil
}

// hash is the number that decides whether a page begins at the entry.
func (e *Entry) hash() uint64 {
	var short [128]byte
	sum := sha256.Sum256(append(append(append(short[:0], e.List...), '\n'), e.Key...))
	return binary.BigEndian.Uint64(sum[:])
}

// cutter cuts a sequence of entries into pages.
type cutter struct {
	cut, maxText int
	// emit gets the text of each page. The text is the cutter's.
	emit func(text []byte)
	// text is that of the page so far, without its end; entries is the number of its entries, list that of the last one.
	text    []byte
	entries int
	list    string
}

// beginsAt reports whether a page begins at the entry.
func (c *cutter) beginsAt(e *Entry) bool {
	switch {
	case c.entries == 0:
		return false // it began before
	case c.entries >= 4*c.cut || len(c.text)+len(c.separator(e.List))+len(e.Text)+len(pageEnd(e.List)) > c.maxText:
		return true
	}
	return c.entries >= c.cut/4 && e.hash()%uint64(c.cut) == 0
}

// add writes the next entry. It ends the page before if a page begins at the entry.
func (c *cutter) add(e *Entry) {
	if c.beginsAt(e) {
		c.end()
	}
	c.text = append(append(c.text, c.separator(e.List)...), e.Text...)
	c.entries++
	c.list = e.List
}

// separator is what stands between the text so far and an entry of a list.
func (c *cutter) separator(list string) string {
	switch {
	case c.entries == 0:
		return `{"` + list + `":` + listStart(list)
	case c.list == list:
		return ","
	}
	return strings.TrimSuffix(pageEnd(c.list), "}") + `,"` + list + `":` + listStart(list)
}

func listStart(list string) string {
	if list == storeMember {
		return ""
	}
	return "["
}

// pageEnd is the end of a page whose last entry is of the list.
func pageEnd(list string) string {
	if list == storeMember {
		return "}"
	}
	return "]}"
}

// end ends the page, unless it is empty.
func (c *cutter) end() {
	if c.entries == 0 {
		return
	}
	c.emit(append(c.text, pageEnd(c.list)...))
	c.text, c.entries, c.list = c.text[:0], 0, ""
}

// Paged is a document as pages, without api_keys and customers.
type Paged struct {
	Table
	// Packed are the pages as they are stored, in the order of the table.
	Packed [][]byte
}

// pack returns a function that adds a page.
func (p *Paged) pack() func(Page) {
	var packer Packer
	return func(page Page) { p.Packed = append(p.Packed, packer.Pack(page)) }
}

// Settings is the canonical text of the document.
func (p *Paged) Settings() ([]byte, error) {
	packed := make(map[PageName][]byte, len(p.Pages))
	for i, name := range p.Pages {
		packed[name] = p.Packed[i]
	}
	var text bytes.Buffer
	err := p.Join(&text, func(name PageName) ([]byte, error) { return Unpack(name, packed[name]) })
	return text.Bytes(), err
}

// cutter returns a cutter that appends pages to the table. A page's text is valid until emit returns.
func (t *Table) cutter(maxText int, emit func(Page)) *cutter {
	return &cutter{cut: t.Cut, maxText: maxText, emit: func(text []byte) {
		p := Page{NameOf(text), text}
		t.Pages = append(t.Pages, p.Name)
		emit(p)
	}}
}

// Join writes the canonical document of the table: its pages, whose texts the function returns, and Rest.
func (t *Table) Join(w io.Writer, text func(name PageName) ([]byte, error)) error {
	rest, err := strictjson.Parse(t.Rest)
	if err != nil {
		return err
	}
	j := joiner{w: w}
	for name, value := range rest.Members() {
		j.rest = append(j.rest, Entry{List: name, Text: value})
	}
	for _, name := range t.Pages {
		page, err := text(name)
		if err != nil {
			return err
		}
		root, err := strictjson.Parse(page)
		if err != nil {
			return err
		}
		for list, value := range root.Members() {
			j.add(list, value)
		}
	}
	return j.finish()
}

// joiner writes a document from its pages.
type joiner struct {
	w   io.Writer
	err error
	// rest are the members of Table.Rest that are not written yet.
	rest []Entry
	// list is the list whose entries are being written; empty if there is none.
	list string
	// end is the end of a document that has only what is written so far; empty at the beginning.
	end string
}

func (j *joiner) write(texts ...[]byte) {
	for _, text := range texts {
		if j.err == nil {
			_, j.err = j.w.Write(text)
		}
	}
}

// add writes a member of a page: all of it, or the next entries of a list.
func (j *joiner) add(name string, value strictjson.Value) {
	if name == j.list {
		j.write([]byte(","), value[1:len(value)-1])
		return
	}
	for len(j.rest) > 0 && j.rest[0].List < name {
		j.restMember()
	}
	if name == storeMember {
		j.member(name, value, "")
		return
	}
	j.member(name, value[:len(value)-1], "]")
	j.list = name
}

func (j *joiner) restMember() {
	j.member(j.rest[0].List, j.rest[0].Text, "")
	j.rest = j.rest[1:]
}

// member writes a member whose value may still be open: end ends it.
func (j *joiner) member(name string, value []byte, end string) {
	before := "{"
	if j.end != "" {
		before = strings.TrimSuffix(j.end, "}") + ","
	}
	j.write([]byte(before), AppendText(nil, name), []byte(":"), value)
	j.list, j.end = "", end+"}"
}

// finish writes the rest of the document.
func (j *joiner) finish() error {
	for len(j.rest) > 0 {
		j.restMember()
	}
	if j.end == "" {
		j.end = "{}"
	}
	j.write([]byte(j.end))
	return j.err
}

// pageFormat is the first byte of a packed page. The text follows as raw deflate.
const pageFormat = 1

// Packer packs pages, one after another. The zero value is ready.
type Packer struct{ w *flate.Writer }

// Pack returns the page as it is stored.
func (p *Packer) Pack(page Page) []byte {
	out := bytes.NewBuffer([]byte{pageFormat})
	if p.w == nil {
		p.w, _ = flate.NewWriter(nil, flate.BestSpeed) // fails only for unknown levels
	}
	p.w.Reset(out)
	p.w.Write(page.Text)
	p.w.Close()
	return out.Bytes()
}

// inflaters are unused readers of deflate: each has a window of 32 KiB, many times a small page.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// errPageFormat means that a later release has written a page.
var errPageFormat = errors.New("the page has an unknown format")

// Unpack returns the text of a stored page. It is an error if that is not the text of the name.
func Unpack(name PageName, packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != pageFormat {
		return nil, errPageFormat
	}
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	r.(flate.Resetter).Reset(bytes.NewReader(packed[1:]), nil)
	text, err := io.ReadAll(r)
	if err == nil && NameOf(text) != name {
		err = errors.New("it has another text than its name says")
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return text, nil
}
