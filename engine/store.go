package engine

import (
	"crypto/sha256"
	"fmt"
	"time"

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
