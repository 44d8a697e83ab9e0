package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Facts are what a request is judged by. Those of a write may be out of date: its visit compares
// them. Those of a read, and of a counted request, are Redis's.
type Facts struct {
	// Version is the store as it was when its facts were gathered, Store and Key are of it; all are
	// nil if the API key does not resolve.
	Version *StoreVersion
	Store   *commerce.Store
	Key     *commerce.APIKey
	// Now is Redis's time, in milliseconds: the request's clock.
	Now time.Time
	// Counted: the request is counted; Budget is then what the request limit leaves.
	Counted bool
	Budget  Budget
	// Visitor is who the customer token is, by what Redis holds of it.
	Visitor   commerce.Visitor
	TokenText TokenText
	// Entry is what is remembered under the request's Idempotency-Key; nil if nothing is known.
	Entry *IdempotencyEntry
	// Cart and Contact are what a read has found of its record. Contact is also the visitor's of a
	// checkout that may need it: its visit compares it.
	Cart    Sighting[*commerce.Cart]
	Contact Sighting[*commerce.Contact]
	// Carts are those of the visitor's account; nil unless the request is a claim.
	Carts *AccountCarts
}

// ownContact is the visitor's contact, if it was looked for.
func (f *Facts) ownContact() *commerce.Contact {
	found := f.Contact.Record
	if found == nil || !f.Visitor.Known || found.State.ID != f.Visitor.CustomerID {
		return nil
	}
	return found.State
}

// StoreVersion is a store under one head, the short text in Redis that names what counts of it. A
// node makes one for each head that it sees.
type StoreVersion struct {
	Store uuid.UUID
	// Head is the text, HeadKey its key, Log the key of the log of the store's request limit.
	Head, HeadKey, Log string
	// Clock is the one of the store's Redis.
	Clock *Clock
	// Catalogue is the store's; nil if its module is off.
	Catalogue *Catalogue
}

// TokenText is what Redis holds of a customer token and of its contact's head. Both are empty where
// there is nothing.
type TokenText struct{ Value, Contact string }

// Sighting is what a read has found of a record.
type Sighting[S any] struct {
	// Stamp is the record's; zero if there is none.
	Stamp Stamp
	// Record is the whole record if the node did not hold it, else nil.
	Record *Record[S]
}
