package engine

import (
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/ratelimit"
)

// Facts are all that a request is judged by. A write's facts may be out of date: its visit compares
// them. The facts of a read, and of a counted request, come from Redis.
type Facts struct {
	// Version is the store at the time of reading; Store and Key belong to it. All three are nil if
	// the API key does not resolve.
	Version *StoreVersion
	Store   *commerce.Store
	Key     *commerce.APIKey
	// Now is Redis's time, in milliseconds: the request's clock.
	Now time.Time
	// Came is the time of a write's arrival by the same clock, in milliseconds.
	Came time.Time
	// Counted is true if the request is counted. Budget is then the rest of the request limit.
	Counted bool
	Budget  Budget
	// Visitor is the customer that the token resolves to; TokenText has the values in Redis that show
	// it.
	Visitor   commerce.Visitor
	TokenText TokenText
	// Entry is the idempotency entry of the request's key; nil if none is known.
	Entry *IdempotencyEntry
	// Cart and Contact are the record of a read. For a checkout that may need it, Contact is the
	// visitor's, and the visit compares it. For a change of an account it is the one that the request
	// has found.
	Cart    Sighting[*commerce.Cart]
	Contact Sighting[*commerce.Contact]
	// Carts are those of the visitor's account; nil unless the request is a claim.
	Carts *AccountCarts
	// Customer is the contact of a quote's account, for the merchant's commands; nil if it was not read. The visit
	// compares it. One that is not there is a guest, without a stamp.
	Customer *Record[*commerce.Contact]
	// Counts are counts of uses of discounts, if the change needs them. No visit compares them: a sale
	// counts again.
	Counts *commerce.UseCounts
}

// Beyond is how far beyond the store's request limit the request may go.
func (f *Facts) Beyond() int {
	if f.Version == nil {
		return 0
	}
	return f.Key.Beyond(f.Version.Limit)
}

// ownContact is the visitor's contact; nil if it was not read.
func (f *Facts) ownContact() *commerce.Contact {
	found := f.Contact.Record
	if found == nil || !f.Visitor.Known || found.State.ID != f.Visitor.CustomerID {
		return nil
	}
	return found.State
}

// customer is the contact of Customer; nil if it was not read.
func (f *Facts) customer() *commerce.Contact {
	if f.Customer == nil {
		return nil
	}
	return f.Customer.State
}

// StoreVersion is a store under one head, the short text in Redis that names the version in force.
// A node makes one for each new head.
type StoreVersion struct {
	Store uuid.UUID
	// Head is the text and HeadKey its key. Log is the key of the request limit's log.
	Head, HeadKey, Log string
	// Limit is the request limit under the head.
	Limit int
	// Clock is that of the store's Redis.
	Clock *Clock
	// Catalogue is nil if the store's module is off.
	Catalogue *Catalogue
	// InForce is the time of the last answer under the head, by the node's clock; nil while the store has older settings.
	InForce *atomic.Int64
}

// TokenText is the value in Redis of a customer token and the head of its contact. Both are empty
// if there is none.
type TokenText struct{ Value, Contact string }

// Sighting is a record as a read found it.
type Sighting[S any] struct {
	// Stamp is the record's; zero if there is none.
	Stamp Stamp
	// Record is the whole record: as read, or the one in the node's memory with this stamp; nil if the
	// node has another one.
	Record *Record[S]
	// Resident is true if Record was in the node's memory.
	Resident bool
}

// Budget is the state of a limit after a request.
// Spec: Limits, Rate-limit headers.
type Budget = ratelimit.Decision

// Clock is the time of one Redis: the newest answer plus the duration since. It goes back only if
// Redis's own clock does. The zero value has no time yet.
type Clock struct{ last atomic.Pointer[reading] }

// reading is a time of Redis and the node's time of its arrival.
type reading struct{ redis, arrived time.Time }

func (r *reading) at(moment time.Time) time.Time { return r.redis.Add(moment.Sub(r.arrived)) }

// Drift is the maximum difference between Redis's time and the time that a visit was judged at.
const Drift = 250 * time.Millisecond

// Hear adopts a time from Redis's answer to a command sent at asked. It ignores a time earlier than
// the measured one, unless the difference shows that Redis's clock was set back.
func (c *Clock) Hear(redis, asked time.Time) {
	next := &reading{redis, time.Now()}
	for {
		last := c.last.Load()
		if last != nil && !last.at(next.arrived).Before(redis) && last.at(asked).Sub(redis) < Drift {
			return
		}
		if c.last.CompareAndSwap(last, next) {
			return
		}
	}
}

// Now is Redis's time; false if Redis has not answered yet.
func (c *Clock) Now() (time.Time, bool) { return c.At(time.Now()) }

// At is Redis's time at a moment of the node's clock; false if Redis has not answered yet.
func (c *Clock) At(moment time.Time) (time.Time, bool) {
	last := c.last.Load()
	if last == nil {
		return time.Time{}, false
	}
	return last.at(moment), true
}
