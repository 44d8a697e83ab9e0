package engine

import (
	"time"

	"cartd/commerce"
)

// Facts are what a request is judged by: one Redis round trip's worth, all of one moment.
type Facts struct {
	// Presumed is not nil if Redis was not asked yet. Now is then the node's estimate of
	// Redis's clock, the sightings are what the node holds, and the request is counted with its
	// commit, if Redis agrees with all of it. Nothing but that commit's success, or that it
	// exceeds the request limit, may be answered (ErrPresumed).
	Presumed *Presumption
	// Now is Redis's time, in milliseconds: the request's clock. Latest is, of presumed facts,
	// the latest that Now can have been.
	Now, Latest time.Time
	Budget      Budget
	// Store and Key are nil if the API key does not resolve.
	Store   *commerce.Store
	Key     *commerce.APIKey
	Visitor commerce.Visitor
	// Cart is the cart in the path, if the request names one.
	Cart Sighting[*commerce.Cart]
	// Contact is the token's, if it was asked for and the token resolves.
	Contact Sighting[*commerce.Contact]
	// Entry is what is remembered under the request's Idempotency-Key; nil if nothing is.
	Entry *IdempotencyEntry
}

// Presumption is a store as a node knows it. A node makes one for each version of a store.
type Presumption struct {
	// Head is the store's head, HeadKey its key, Log the key of the log of its request limit.
	Head, HeadKey, Log string
	Limit              int
}

// Sighting is what admission saw of a record.
type Sighting[S any] struct {
	// Stamp is the record's stamp at admission; zero if there is no record.
	Stamp Stamp
	// Record is the whole record if the node did not hold it, else nil.
	Record *Record[S]
	// Unread is true if admission did not look, so that only a load can tell.
	Unread bool
}
