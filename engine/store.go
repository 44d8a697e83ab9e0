package engine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// StoreState is what a store's record says: which pages have its document, and how they came to be.
type StoreState struct {
	// Dropped is true for some time after the store was dropped. Changed is true if change sets have changed
	// the store since its last whole document, of which Hash is the SHA-256.
	Dropped, Changed bool
	Hash             [sha256.Size]byte
	// Revised is the stamp of the commit that last changed the document, At its time by Redis's clock.
	Revised Stamp
	At      time.Time
	// Products is the number of products, Limit the document's own request limit.
	Products, Limit int
	// Last is the last line of the history of imports.
	Last StoreLine
	// Ring is the page of the API keys, with the operator's settings; Secrets that of the secrets of batches
	// of codes. Zero ones are empty.
	Ring, Secrets storefile.PageName
	storefile.Table

	// Paged is the document in a node's memory; nil in a state that is only a record's. Packed returns a packed page of
	// the node's memory; nil if it does not have it.
	Paged  *storefile.PagedStore
	Packed func(storefile.PageName) []byte
	// OperatorLimit is the operator's request limit in place of the document's, as a node has it; 0 for none.
	OperatorLimit int
	// Sets are the change sets that make the state of the one before; nil in a state that was committed otherwise.
	Sets *StoreSets
	// Counts are those of the last set.
	Counts CatalogueChanged
}

// StoreLine is a line of a store's history: who has changed the document, when the line began, and how many
// change sets it counts; 0 for a whole document.
type StoreLine struct {
	By   string
	At   time.Time
	Sets int
	// Prices are changed prices of products, the first MaxPrices of the line.
	Prices []PriceChange
}

// Revision names the document. It is the version of the commit that last changed it.
func (s *StoreState) Revision() string { return RevisionOf(s.Revised) }

// RevisionOf is the revision of the document that a commit has made.
func RevisionOf(stamp Stamp) string { return fmt.Sprintf("%016x", uint64(stamp.Version(0))) }

// Named are the names of all pages that the record names.
func (s *StoreState) Named() map[storefile.PageName]bool {
	named := make(map[storefile.PageName]bool, len(s.Pages)+2)
	if s.Dropped {
		return named
	}
	for _, name := range s.Pages {
		named[name] = true
	}
	for _, name := range []storefile.PageName{s.Ring, s.Secrets} {
		if name != (storefile.PageName{}) {
			named[name] = true
		}
	}
	return named
}

// StoreSets are change sets on their way into a store's document. Each is judged beside what those before it leave.
type StoreSets struct {
	before *StoreState
	batch  *storefile.ChangeBatch
	// held are packed pages that requests have read, texts those that were unpacked.
	held, texts map[storefile.PageName][]byte
	secrets     BatchSecrets // nil until they are needed
	by          []string
	sets        int

	// Stock and Discounts are the first numbers of items and discounts that are new to the store.
	Stock     []commerce.Stocked
	Discounts []commerce.Discount
	prices    []PriceChange

	// Complete sets the others. Pages are the packed pages that enter the store, Left the bytes of those that leave it.
	Pages map[storefile.PageName][]byte
	Left  int
	// Continues is true if the line of the history is the last one, which counts these sets, too.
	Continues bool
}

// PriceChange is a changed price of a product; nil for none.
type PriceChange struct {
	Product uuid.UUID        `json:"id"`
	Old     *commerce.Amount `json:"old"`
	New     *commerce.Amount `json:"new"`
}

// MaxPrices is the number of changed prices in a line of the history.
const MaxPrices = 20

// BeginSets begins change sets of the state, which has its document in memory.
func (s *StoreState) BeginSets() *StoreSets {
	c := &StoreSets{before: s, held: map[storefile.PageName][]byte{}, texts: map[storefile.PageName][]byte{}}
	c.batch = s.Paged.Batch(c.text)
	return c
}

// Hold takes packed pages that were read.
func (c *StoreSets) Hold(pages map[storefile.PageName][]byte) { maps.Copy(c.held, pages) }

// text is the text of a page; false if no request has it, nor the node.
func (c *StoreSets) text(name storefile.PageName) ([]byte, bool) {
	if text, known := c.texts[name]; known {
		return text, true
	}
	packed := c.held[name]
	if packed == nil && c.before.Packed != nil {
		packed = c.before.Packed(name)
	}
	if packed == nil {
		return nil, false
	}
	text, err := storefile.Unpack(name, packed)
	if err != nil {
		return nil, false
	}
	c.held[name], c.texts[name] = packed, text
	return text, true
}

// Add judges a set and adds it. pages are packed pages that its request has read. Errors: *storefile.Faults,
// storefile.ErrNoProduct, *storefile.MissingPages, *EntryChanged; the set is not added then.
func (c *StoreSets) Add(change *CatalogueChange) (CatalogueChanged, error) {
	c.Hold(change.Pages)
	var rule storefile.BatchRule
	if change.Set.Sets("discounts") {
		if err := c.readSecrets(); err != nil {
			return CatalogueChanged{}, err
		}
		rule = c.secrets.Other()
	}
	if err := c.match(change); err != nil {
		return CatalogueChanged{}, err
	}
	before := c.batch.Store()
	judged, err := c.batch.Add(change.Set, rule)
	if err != nil {
		return CatalogueChanged{}, err
	}
	c.sets++
	if !slices.Contains(c.by, change.By) {
		c.by = append(c.by, change.By)
	}
	c.Stock, c.Discounts = append(c.Stock, judged.Stock...), append(c.Discounts, judged.Discounts...)
	for _, e := range judged.Entries {
		c.note(before, e.Decoded)
	}
	return CatalogueChanged{Products: len(c.batch.Store().Products), Changed: judged.Changed, Removed: judged.Removed}, nil
}

// note takes over the secrets of a discount, and a changed price.
func (c *StoreSets) note(before *commerce.Store, decoded any) {
	switch e := decoded.(type) {
	case *commerce.Discount:
		c.secrets.Add(e)
	case *commerce.Product:
		price := PriceChange{Product: e.ID, New: e.Prices.Base}
		if was := before.Product(e.ID); was != nil {
			price.Old = was.Prices.Base
		}
		if !samePrice(price.Old, price.New) {
			c.prices = withPrice(c.prices, price)
		}
	}
}

// withPrice adds a changed price to those of a line. A price that changes again keeps the first old one.
func withPrice(all []PriceChange, changed PriceChange) []PriceChange {
	if at := slices.IndexFunc(all, func(p PriceChange) bool { return p.Product == changed.Product }); at >= 0 {
		all[at].New = changed.New
	} else if len(all) < MaxPrices {
		all = append(all, changed)
	}
	return all
}

func samePrice(a, b *commerce.Amount) bool { return a == b || a != nil && b != nil && *a == *b }

// readSecrets reads the secrets of batches. Errors: *storefile.MissingPages.
func (c *StoreSets) readSecrets() error {
	if c.secrets != nil {
		return nil
	}
	var text []byte
	if name := c.before.Secrets; name != (storefile.PageName{}) {
		var known bool
		if text, known = c.text(name); !known {
			return &storefile.MissingPages{Names: []storefile.PageName{name}}
		}
	}
	var err error
	c.secrets, err = ReadBatchSecrets(text)
	return err
}

// match compares If-Match. Errors: *EntryChanged, *storefile.MissingPages.
func (c *StoreSets) match(change *CatalogueChange) error {
	if change.Tags == nil {
		return nil
	}
	key, single := change.Set.Single()
	if !single {
		return nil
	}
	names := c.before.Paged.PagesFor(change.Set)
	for _, name := range names {
		if _, known := c.text(name); !known {
			return &storefile.MissingPages{Names: names}
		}
	}
	text, known := c.batch.EntryText(key)
	switch {
	case !known:
		return &EntryChanged{}
	case slices.Contains(change.Tags, storefile.EntryTag(text)), slices.Contains(change.Tags, "*"):
		return nil
	}
	return &EntryChanged{Tag: storefile.EntryTag(text)}
}

// EntryChanged means that an entry does not have the entity tag that If-Match names. Tag is that of now; empty if the
// store does not have the entry.
type EntryChanged struct{ Tag string }

func (*EntryChanged) Error() string { return commerce.EntryChanged.Message }

// sameLine is how long the sets of one key are a line of the history, from its first set.
const sameLine = time.Minute

// Growth is the length of the pages that enter less those that leave.
func (c *StoreSets) Growth() int {
	growth := -c.Left
	for _, packed := range c.Pages {
		growth += len(packed)
	}
	return growth
}

// Complete returns the state after the sets, whose commit has this stamp and time. Errors: *storefile.MissingPages.
func (c *StoreSets) Complete(stamp Stamp, at time.Time) (*StoreState, error) {
	paged, entering, err := c.batch.Done()
	if err != nil {
		return nil, err
	}
	next := *c.before
	next.Dropped, next.Changed, next.Revised, next.At = false, true, stamp, at
	next.Products, next.Limit, next.Table = len(paged.Store.Products), paged.Store.RateLimit, paged.Table
	next.Paged, next.Sets = paged, c
	next.Last = StoreLine{By: strings.Join(c.by, ", "), At: at, Sets: c.sets}
	if last := c.before.Last; last.Sets > 0 && last.By == next.Last.By && at.Sub(last.At) < sameLine {
		c.Continues = true
		next.Last.At, next.Last.Sets, next.Last.Prices = last.At, last.Sets+c.sets, slices.Clone(last.Prices)
	}
	for _, price := range c.prices {
		next.Last.Prices = withPrice(next.Last.Prices, price)
	}
	var packer storefile.Packer
	c.Pages = map[storefile.PageName][]byte{}
	for _, page := range entering {
		c.Pages[page.Name] = packer.Pack(page)
	}
	if text := c.secrets.Text(); text != nil {
		page := storefile.Page{Name: storefile.NameOf(text), Text: text}
		if next.Secrets = page.Name; page.Name != c.before.Secrets {
			c.Pages[page.Name] = packer.Pack(page)
		}
	}
	stays := next.Named()
	c.Left = 0
	for name := range c.texts {
		if !stays[name] {
			c.Left += len(c.held[name])
		}
	}
	c.batch, c.texts, c.held = nil, nil, nil // their memory leaves with the judgement
	return &next, nil
}
