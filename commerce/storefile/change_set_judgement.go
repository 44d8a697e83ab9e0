package storefile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ErrNoProduct means that the store has no product of the id that a change of one product names.
var ErrNoProduct = errors.New("the store has no such product")

// Beside is what a change set is judged by: a store as it is in memory.
type Beside struct {
	// Store is the store without faults, indexed. It is not changed.
	Store *commerce.Store
	// Text returns the canonical text of an entry of the store; false if the caller does not have it. Judge asks for entries of
	// ChangeSet.Reads only.
	Text func(EntryKey) ([]byte, bool)
	// OtherSecret is the rule of the set's batches of codes; nil for none.
	OtherSecret BatchRule
}

// EntryKey names an entry of a store's document: its list, and its id (code, from) in the form in which keys are compared. The
// settings are the entry of the list store with an empty key.
type EntryKey struct{ List, Key string }

// ChangedEntry is an entry that a change set sets or removes.
type ChangedEntry struct {
	EntryKey
	// Text is the canonical text of the entry; nil if the set removes it.
	Text []byte
	// Decoded is the entry as commerce has it, nil if the set removes it: *commerce.CustomerGroup, *TaxRate, *Category, *Product,
	// *Discount, *ShippingMethod or *Redirect; of the settings a *commerce.Store without lists.
	Decoded any
	// New entries follow the others of their list, in the order of Judged.Entries.
	New bool
}

// Judged is what a change set without faults makes of a store.
type Judged struct {
	// Entries are in the order of a canonical document's lists; those of a list in the order of the set, the removed ones last. Removed
	// entries that the store does not have are left out.
	Entries []ChangedEntry
	// Lists are the names of the lists that the set names with an entry: the document has them from now on, if only as empty lists.
	Lists []string
	// Changed is the number of entries and settings that the set sets, Removed that of the entries that it removes, Products that of
	// the products that result.
	Changed, Removed, Products int
	// Stock are the first numbers of items that the store does not have or does not track yet, Discounts the new discounts, with their
	// first uses.
	Stock     []commerce.Stocked
	Discounts []commerce.Discount
}

// MissingTexts means that the texts of these entries are needed for a judgement.
type MissingTexts struct{ Entries []EntryKey }

func (m *MissingTexts) Error() string {
	return fmt.Sprintf("the texts of %d entries are missing", len(m.Entries))
}

// EntryTag is the entity tag of an entry: the first 16 hexadecimal digits of the SHA-256 of its canonical text, in quotes.
func EntryTag(text []byte) string {
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// Single returns the only entry that the set sets, which If-Match may name; false if it sets another number of entries.
func (c *ChangeSet) Single() (key EntryKey, ok bool) {
	set := c.sets()
	if len(set) != 1 {
		return EntryKey{}, false
	}
	return set[0], true
}

// sets are the entries that the set sets.
func (c *ChangeSet) sets() (all []EntryKey) {
	if c.product != uuid.Nil {
		return []EntryKey{{productList, c.product.String()}}
	}
	for _, list := range changeLists {
		for _, entry := range c.set[list.name] {
			all = append(all, EntryKey{list.name, entry.key})
		}
	}
	if len(c.settings) > 0 {
		all = append(all, EntryKey{storeMember, ""})
	}
	return all
}

// maxLost is the number of stored entries that are read for the faults of their references.
const maxLost = commerce.MaxFaults

// Reads are the entries whose texts Judge asks for: the product of a change of one product, the settings if the set changes them,
// and the first entries that name what it removes.
func (c *ChangeSet) Reads(store *commerce.Store) (keys []EntryKey) {
	for _, r := range c.reads(besideSet(store, c)) {
		keys = append(keys, r.key)
	}
	return keys
}

// Touches are the entries of Reads, those that the set sets, new ones too, and those of the store that it removes: the pages of all of
// them (PageFinder.Page) are needed for the next state of the document.
func (c *ChangeSet) Touches(store *commerce.Store) (keys []EntryKey) {
	s := besideSet(store, c)
	known := map[EntryKey]bool{}
	add := func(key EntryKey) {
		if !known[key] {
			known[key], keys = true, append(keys, key)
		}
	}
	for _, r := range c.reads(s) {
		add(r.key)
	}
	for _, key := range c.sets() {
		add(key)
	}
	for i := range storedLists {
		for _, key := range s.removes(c, storedLists[i].name) {
			add(key)
		}
	}
	return keys
}

// removes are the entries of a list of the store that the set removes.
func (s *stored) removes(c *ChangeSet, list string) (all []EntryKey) {
	for _, key := range slices.Sorted(maps.Keys(c.remove[list])) {
		if s.has(list, key) {
			all = append(all, EntryKey{list, key})
		}
	}
	return all
}

// readEntry is an entry whose text is read.
type readEntry struct {
	key  EntryKey
	list *storedList
	// at is the index of the entry in the document that results.
	at int
	// isComposed is true if the set replaces members of the entry.
	isComposed bool
}

// reads are the entries whose texts are read, in the order of the document.
func (c *ChangeSet) reads(s *stored) (all []readEntry) {
	if c.product != uuid.Nil {
		return []readEntry{{EntryKey{productList, c.product.String()}, listNamed(productList), 0, true}}
	}
	setsSettings := len(c.settings) > 0
	for _, l := range s.lost() {
		switch {
		case setsSettings && l.list.name == storeMember: // read below
		case len(all) < maxLost:
			all = append(all, readEntry{EntryKey{l.list.name, l.list.key(s.store, l.at)}, l.list, l.result, false})
		default:
			s.lostCount += l.count
		}
	}
	if setsSettings {
		at, _ := slices.BinarySearchFunc(all, storeMember, func(r readEntry, name string) int { return cmp.Compare(r.key.List, name) })
		all = slices.Insert(all, at, readEntry{EntryKey{storeMember, ""}, listNamed(storeMember), 0, true})
	}
	if c.judgesRates() {
		all = append(all, s.withCountries()...)
	}
	return all
}

// judgement is the judgement of one set.
type judgement struct {
	*document
	set    *ChangeSet
	beside *Beside
	read   Document
	reads  []readEntry
	// text is the set's text, followed by those of the entries that are read. parts has a part for each of these texts.
	text  strictjson.Value
	parts []textPart
}

// JudgeBeside judges a change set beside a store. It costs the time of the set, and that of a walk over the store if the set removes
// what others may name. Errors: *Faults, ErrNoProduct, *MissingTexts.
//
// The faults of the set have its paths and lines and come first, in its order; those elsewhere in the document that results follow,
// in the order of the document.
func (c *ChangeSet) JudgeBeside(beside *Beside) (*Judged, error) {
	if c.product != uuid.Nil && beside.Store.Product(c.product) == nil {
		return nil, ErrNoProduct
	}
	s := besideSet(beside.Store, c)
	j := &judgement{set: c, beside: beside, reads: c.reads(s)}
	if missing := j.gather(s); missing != nil {
		return nil, missing
	}
	j.readSet()
	j.readAgain()
	j.judgeRates()
	if faults := j.faults(); faults != nil {
		return nil, faults
	}
	if j.judgeSecrets(); len(j.found) > 0 {
		return nil, j.faults()
	}
	return j.result(), nil
}

// gather puts all texts into one, so that the offset of a value says where it is from.
func (j *judgement) gather(s *stored) error {
	size, texts, missing := len(j.set.root), make([][]byte, len(j.reads)), &MissingTexts{}
	for i, r := range j.reads {
		text, ok := j.beside.Text(r.key)
		if !ok {
			missing.Entries = append(missing.Entries, r.key)
		}
		texts[i] = text
		size += len(text)
	}
	if len(missing.Entries) > 0 {
		return missing
	}
	text := append(make([]byte, 0, size), j.set.root...)
	for _, t := range texts {
		text = append(text, t...)
	}
	j.text = text
	j.document = newDocument(j.text)
	s.answer(j.document)
	j.storedFrom = len(j.set.root)
	outlineOfSet := &changeSetOutline
	if j.set.product != uuid.Nil {
		outlineOfSet = documentOutline.member([]byte(productList))
	}
	j.parts = []textPart{{j.text[:j.storedFrom], position{of: outlineOfSet}}}
	from := j.storedFrom
	for i, r := range j.reads {
		path := r.list.path(r.at)
		if j.set.product != uuid.Nil {
			path = ""
		}
		j.parts = append(j.parts, textPart{j.text[from : from+len(texts[i])], position{path: path, of: documentOutline.member([]byte(r.key.List))}})
		from += len(texts[i])
	}
	return nil
}

// changeSetOutline has the marks of a change set.
var changeSetOutline = outline{members: []outline{
	{name: "set", members: append(slices.Clone(documentOutline.members), settingsOutline.named("settings"))},
}}

// readSet reads the set's entries by the rows of a document, and then what the set changes as a whole.
func (j *judgement) readSet() {
	j.read.Store = &commerce.Store{}
	for i, r := range j.reads {
		if r.isComposed {
			j.composed = &composed{stored: j.parts[i+1].value, sent: j.parts[0].value}
		}
	}
	if j.set.product != uuid.Nil {
		p := &commerce.Product{}
		product.Read(value{d: j.document, raw: j.composed.stored}, p)
		j.read.Store.Products = []*commerce.Product{p}
		j.judgeProducts(value{d: j.document})
		return
	}
	set, _ := j.parts[0].value.Get("set")
	if j.composed != nil {
		j.composed.sent, _ = set.Get("settings")
	}
	for _, r := range documentRows {
		if len(r.Described) == 0 || isApart(r) { // a rule of whole documents
			continue
		}
		name := r.Described[0].Name
		raw, sent := set.Get(name)
		if name == storeMember {
			raw, sent = nil, j.composed != nil
			if sent {
				raw = j.composed.stored
			}
		}
		if sent && raw.Kind() != strictjson.Null {
			j.open = append(j.open, given{name: []byte(name), value: raw})
			one := value{d: j.document}.opened(0)
			r.Read(one, &j.read)
			one.leave()
		}
	}
}

// readAgain reads the stored entries that name what the set removes.
func (j *judgement) readAgain() {
	j.kept, j.again = true, true
	for i, r := range j.reads {
		if !r.isComposed {
			r.list.again(j.document, value{d: j.document, raw: j.parts[i+1].value})
		}
	}
	j.kept, j.again = false, false
}

// judgeSecrets refuses batches by their rule. The set has no other fault.
func (j *judgement) judgeSecrets() {
	if j.beside.OtherSecret == nil {
		return
	}
	set, _ := j.parts[0].value.Get("set")
	list, _ := set.Get(discountList)
	for at, raw := range list.Items() {
		discount := &j.read.Store.Discounts[at]
		batches, _ := raw.Get("code_batches")
		for i, batch := range batches.Items() {
			if secret, _ := batch.Get("secret"); j.beside.OtherSecret(discount, &discount.CodeBatches[i]) {
				value{d: j.document, raw: secret}.conflict(secretDiffers)
			}
		}
	}
}

// faults are all faults, those of the set first; nil if there are none.
func (j *judgement) faults() *Faults {
	if len(j.found)+len(j.elsewhere)+j.stored.lostCount == 0 {
		return nil
	}
	j.sort()
	ofSet, _ := slices.BinarySearchFunc(j.found, j.storedFrom, func(f found, at int) int { return cmp.Compare(f.at, at) })
	all := j.located(j.text[:j.storedFrom], j.text, j.parts)
	elsewhere := j.elsewhere
	for i, f := range j.found[ofSet:] {
		part, at := 1, len(j.parts[0].value)
		for ; f.at >= at+len(j.parts[part].value); part++ {
			at += len(j.parts[part].value)
		}
		r := &j.reads[part-1]
		elsewhere = append(elsewhere, storedFault{r.key.List, r.at, all[ofSet+i]})
	}
	slices.SortStableFunc(elsewhere, func(a, b storedFault) int {
		return cmp.Or(cmp.Compare(storedListAt(a.list), storedListAt(b.list)), cmp.Compare(a.at, b.at))
	})
	kept := all[:ofSet:ofSet]
	for _, f := range elsewhere {
		kept = append(kept, f.Fault)
	}
	return &Faults{kept: kept, more: j.dropped + j.stored.lostCount}
}
