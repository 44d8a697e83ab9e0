package engine

import (
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// CatalogueChange is the command of a change set.
type CatalogueChange struct {
	// Set is nil if Request.Fault says why there is none.
	Set *storefile.ChangeSet
	// Product is the product in the path; zero if the path names none.
	Product uuid.UUID
	// By is who changes the store, for its history.
	By string
	// Tags are the entity tags of If-Match, as sent; nil if it was not sent. They are compared if the set sets one entry.
	Tags []string
	// Pages are packed pages that the request has read.
	Pages map[storefile.PageName][]byte
}

// Locate finds the product in the path.
func (c *CatalogueChange) Locate(s *StoreState) *commerce.Refusal {
	if c.Product == uuid.Nil {
		return nil
	}
	store := s.Paged.Store
	if s.Sets != nil {
		store = s.Sets.batch.Store()
	}
	if store.Product(c.Product) == nil {
		return commerce.NotFound("Product", c.Product.String())
	}
	return nil
}

// Apply is part of commerce.Command. StoreKind judges by StoreSets.Add.
func (c *CatalogueChange) Apply(*StoreState, *commerce.Input) (commerce.Effects, *commerce.Refusal) {
	return commerce.Effects{}, nil
}

// JudgeStore judges a change set in the order of all writes. Errors: *commerce.Refusal, *EntryChanged,
// *storefile.MissingPages, which are to be read first.
func JudgeStore(r *Request, v *View[*StoreState]) (Change[*StoreState], error) {
	var failed error
	judged := *StoreKind
	judged.change = func(s *StoreState, command commerce.Command[*StoreState], _ *commerce.Input) (*StoreState, commerce.Effects, *commerce.Refusal) {
		next := *s
		if next.Sets == nil {
			next.Sets = s.BeginSets()
		}
		next.Counts, failed = next.Sets.Add(command.(*CatalogueChange))
		return &next, commerce.Effects{}, nil
	}
	change, refusal := Judge(&judged, r, v)
	var faults *storefile.Faults
	switch {
	case refusal != nil:
		return change, refusal
	case errors.As(failed, &faults):
		return Change[*StoreState]{}, faults.Refusal()
	case errors.Is(failed, storefile.ErrNoProduct):
		return Change[*StoreState]{}, commerce.NotFound("Product", r.Command.(*CatalogueChange).Product.String())
	}
	if failed != nil {
		return Change[*StoreState]{}, failed
	}
	return change, nil
}

// ChangeCatalogue carries out Request.Command, a *CatalogueChange. Errors: *commerce.Refusal, *EntryChanged,
// ErrUnavailable, ErrUnknownOutcome. The facts are those of the last judgement; nil if there was none.
func (e *Engine) ChangeCatalogue(r *Request) (changed CatalogueChanged, facts *Facts, err error) {
	change := r.Command.(*CatalogueChange)
	change.By = "key " + r.Key.Name
	var missing *storefile.MissingPages
	for {
		names := []storefile.PageName(nil)
		if missing != nil {
			names = missing.Names
		}
		reply := Reply{}
		if err = e.storage.ReadPages(r, change, names); err == nil {
			reply, err = e.stores.Change(r)
		}
		if reply.Facts != nil { // a visit may have counted the request
			facts = reply.Facts
			r.Counted, r.Budget = facts.Counted, facts.Budget
		}
		switch {
		case errors.As(err, &missing):
		case errors.Is(err, ErrOutdated):
			missing = nil
			if err = e.refresh(r); err != nil {
				return changed, &r.Facts, err
			}
		case err != nil:
			return changed, facts, err
		default:
			return reply.changed(), facts, e.replayed(r, reply.Replayed, nil)
		}
	}
}

// changed is the answer to a change set.
func (r *Reply) changed() CatalogueChanged {
	stamp := r.Stamp
	if !r.Replayed {
		changed := r.Document.Counts
		changed.Revision = RevisionOf(stamp)
		return changed
	}
	if entry := r.Facts.Entry; entry != nil {
		stamp = entry.Stamp
	}
	return CatalogueChanged{Revision: RevisionOf(stamp), Replayed: true}
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
