package engine

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Kind is one kind of record, but for its storage: how it is judged, and what a node holds in memory.
type Kind[S any] struct {
	// Name is in the keys of the records, and in the metrics.
	Name string
	// ID is the record that a request names. Show returns a reply with a state.
	ID   func(*Request) uuid.UUID
	Show func(Reply, S) Reply
	// Written is the time of a state's last write, by the storage's clock.
	Written func(S) time.Time
	// Memory is the measured memory of a byte of a record's text, with short texts: the texts stay in
	// memory, and structs point into them. Long texts take less.
	Memory int

	// absent reports whether the record does not exist at a time; missing is the refusal then.
	absent  func(record S, now time.Time) bool
	missing func(*Request) *commerce.Refusal
	// owner refuses a visitor without access to the record; nil if everyone has access.
	owner func(record S, r *Request) *commerce.Refusal
	// closed is the refusal of writes to a record that is closed; nil if it is open. done reports
	// whether a closed record has the command's effect already. Both are nil if no record closes.
	closed func(r *Request, record S) *commerce.Refusal
	done   func(record S, command commerce.Command[S]) bool
	// stale is the refusal if If-Match names another version.
	stale  *commerce.Refusal
	change func(record S, command commerce.Command[S], in *commerce.Input) (S, commerce.Effects, *commerce.Refusal)
	// same reports whether a write has changed nothing but its time; nil if reflect.DeepEqual tells.
	same func(before, next S) bool
	// alone reports whether no other command may share a command's visit; nil if each may.
	alone func(command any) bool
	// Complete makes what a commit needs of the state after its last command, whose requests then have its error; nil if
	// nothing is to be made. Rest is the pause after a commit; 0 for none.
	Complete func(next S, stamp Stamp, now time.Time) (S, error)
	Rest     time.Duration
	// part refuses a replay if its part of the record is gone; nil if records have no parts.
	part func(record S, id uuid.UUID) *commerce.Refusal
}

// The kinds of record. Their texts, the hooks of their visits and what an erasure leaves of them are in the
// rows of persistence.
var (
	CartKind = &Kind[*commerce.Cart]{
		Name: "cart", Memory: 4,
		ID:      func(r *Request) uuid.UUID { return r.CartID },
		Show:    func(reply Reply, c *commerce.Cart) Reply { reply.Cart = c; return reply },
		Written: func(c *commerce.Cart) time.Time { return c.UpdatedAt },
		absent:  func(c *commerce.Cart, now time.Time) bool { return c == nil || c.Expired(now) },
		missing: func(r *Request) *commerce.Refusal { return commerce.NotFound("Cart", r.CartID.String()) },
		owner:   func(c *commerce.Cart, r *Request) *commerce.Refusal { return c.CheckOwner(r.Store, &r.Visitor) },
		closed:  closedCart,
		done:    checkedOut,
		stale:   commerce.CartChanged,
		change:  commerce.ChangeCart,
		alone:   sellsOrClaims,
	}
	ContactKind = &Kind[*commerce.Contact]{
		Name: "contact", Memory: 6,
		ID:      func(r *Request) uuid.UUID { return r.ContactID },
		Show:    func(reply Reply, c *commerce.Contact) Reply { reply.Contact = c; return reply },
		Written: func(c *commerce.Contact) time.Time { return c.UpdatedAt },
		absent:  none[commerce.Contact],
		missing: func(*Request) *commerce.Refusal { return commerce.InvalidCustomerToken },
		owner:   checkSession,
		stale:   commerce.AddressBookChanged,
		change:  commerce.ChangeContact,
		same:    sameContact,
		part:    findAddress,
	}
	// A visitor needs only the quote's token.
	QuoteKind = &Kind[*commerce.Quote]{
		Name: "quote", Memory: 4,
		ID:      func(r *Request) uuid.UUID { return r.QuoteID },
		Show:    func(reply Reply, q *commerce.Quote) Reply { reply.Quote = q; return reply },
		Written: (*commerce.Quote).WrittenAt,
		absent:  none[commerce.Quote],
		missing: missingQuote,
		closed:  closedQuote,
		stale:   commerce.QuoteStale,
		change:  commerce.ChangeQuote,
		alone:   sellsOrOffers,
	}
	// On a route that needs no customer token, the API key's scopes, or the order's token, decide alone.
	OrderKind = &Kind[*commerce.Order]{
		Name: "order", Memory: 4,
		ID:      func(r *Request) uuid.UUID { return r.OrderID },
		Show:    func(reply Reply, o *commerce.Order) Reply { reply.Order = o; return reply },
		Written: (*commerce.Order).WrittenAt,
		absent:  none[commerce.Order],
		missing: func(r *Request) *commerce.Refusal { return commerce.NotFound("Order", r.OrderID.String()) },
		owner:   checkOrderOwner,
		stale:   commerce.OrderChanged,
		change:  commerce.ChangeOrder,
	}
	// The API key's scopes decide alone. JudgeStore has the change.
	StoreKind = &Kind[*StoreState]{
		Name: "store", Memory: 1,
		ID:      func(*Request) uuid.UUID { return uuid.Nil },
		Show:    func(reply Reply, s *StoreState) Reply { reply.Document = s; return reply },
		Written: func(s *StoreState) time.Time { return s.At },
		absent:  none[StoreState],
		missing: func(*Request) *commerce.Refusal { return commerce.Unauthenticated },
		Complete: func(next *StoreState, stamp Stamp, now time.Time) (*StoreState, error) {
			return next.Sets.Complete(stamp, now)
		},
		Rest: 50 * time.Millisecond,
	}
)

// noRecord is the kind of a request without a record, or whose record is not read yet.
var noRecord = &Kind[struct{}]{}

// none reports that there is no record.
func none[T any](record *T, _ time.Time) bool { return record == nil }

// sellsOrClaims reports whether a command of a cart writes other records, too.
func sellsOrClaims(command any) bool {
	switch command.(type) {
	case commerce.ClaimCart, *commerce.Checkout, *commerce.RequestQuote:
		return true
	}
	return false
}

// closedQuote is the refusal of writes to a quote that is gone or has become an order. The repetition of the request that deleted it is
// answered as the request was.
func closedQuote(r *Request, q *commerce.Quote) *commerce.Refusal {
	if q.Gone {
		return missingQuote(r)
	}
	return q.Closed(r.Command, r.Now)
}

// missingQuote names the quote as the path does.
func missingQuote(r *Request) *commerce.Refusal {
	if r.QuoteToken == "" {
		return commerce.NotFound("Quote", r.QuoteID.String())
	}
	return commerce.QuoteNotFound(r.QuoteToken)
}

// sellsOrOffers reports whether a command of a quote writes other records, or may fall short of stock.
func sellsOrOffers(command any) bool {
	switch command.(type) {
	case *commerce.AcceptQuote, *commerce.OfferQuote:
		return true
	}
	return false
}

// Key is the key of the record that a request names.
func (k *Kind[S]) Key(r *Request) RecordKey { return RecordKey{r.Store.ID, k.ID(r)} }

// sameContact reports whether a write of a contact has changed nothing but its time.
func sameContact(before, next *commerce.Contact) bool {
	was, is := *before, *next
	was.UpdatedAt, was.Addresses, is.Addresses = is.UpdatedAt, nil, nil
	return slices.Equal(before.Addresses, next.Addresses) && reflect.DeepEqual(&was, &is)
}

// acts reports whether a change stands in the store's history.
func (k *Kind[S]) acts(before, next S) bool {
	if k.same != nil {
		return !k.same(before, next)
	}
	return !reflect.DeepEqual(before, next)
}

// Alone reports whether no other command may share a command's visit.
func (k *Kind[S]) Alone(command any) bool { return k.alone != nil && k.alone(command) }
