package engine

import (
	"time"

	"cartd/commerce/storefile"
)

// ChangeCatalogue carries out a change set of the store's document. Errors: *commerce.Refusal,
// *storefile.Faults, storefile.ErrNoProduct, ErrUnavailable (also *Busy), ErrUnknownOutcome.
func (e *Engine) ChangeCatalogue(r *Request, set *storefile.ChangeSet) (CatalogueChanged, error) {
	changed, err := e.storage.ChangeCatalogue(r, set)
	return changed, e.replayed(r, err == nil, err)
}

// CatalogueChanged is the store after a change set.
type CatalogueChanged struct {
	// Revision identifies the document from then on.
	Revision string
	// Products is the number of products of the store. Changed and Removed count the entries of the
	// set. None is known of a replay.
	Products, Changed, Removed int
	Replayed                   bool
}

// Busy is an ErrUnavailable that says when to come again.
type Busy struct{ After time.Duration }

func (b *Busy) Error() string { return "busy: nothing was done" }

// Is makes errors.Is find ErrUnavailable.
func (*Busy) Is(target error) bool { return target == ErrUnavailable }
