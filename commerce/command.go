package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Input is all that a transition may use besides the record.
type Input struct {
	Store   *Store
	Visitor Visitor
	// Now is the request's time (Redis's clock).
	Now time.Time
	// Next is the stamp counter of this change's commit.
	Next uint64
	// Came is the time of the request's arrival, by Redis's clock in milliseconds. Seen is the
	// greatest stamp counter of the record in an answer on the request's connection; 0 if there is none.
	Came time.Time
	Seen uint64
	// Others are the carts that a claim folds, in the order of folding.
	Others []*Cart
	// Contact is the visitor's, for a checkout that may need it; else nil.
	Contact *Contact
	// Customer is the contact of a quote's account, for the merchant's commands; nil if it was not read. One that is
	// not there is a guest without an address.
	Customer *Contact
	// By is the name of the request's API key.
	By string
	// Shortage has the stock and the discounts that a commit of this change found missing; nil if none
	// is known.
	Shortage *Shortage
	// Counts are counts of uses of discounts, for a change that needs them; nil if none is known.
	Counts *UseCounts
	// Folding is true if a later commit of the claim folds further carts.
	Folding bool
}

// Command is one request to change a record. S is *Cart, *Contact, *Order or *Quote.
type Command[S any] interface {
	// Locate checks the path ids below the record; nil if all exist.
	Locate(record S) *Refusal
	// Apply changes next, a private copy of the record, or refuses.
	Apply(next S, in *Input) (Effects, *Refusal)
}

// Effects are the writes of a change beside the record. Values of the type are comparable.
type Effects struct {
	// Guest is a guest customer to create if it does not exist; nil if none is needed.
	Guest *Guest
	// Made is the id that the change made besides the record's own; zero if it made none.
	Made uuid.UUID
	// Session keeps one token valid while all other sessions end; nil if no sessions end.
	Session *SessionMove
	// Event goes into the store's outbox; nil if there is none.
	Event *Event
	// Sale is a new order or quote; nil if there is none.
	Sale *Sale
	// News is an event about a quote for the store's outbox; nil if there is none.
	News *QuoteNews
	// Deleted are addresses to keep as deleted, in the order of their deletion; nil if there are none.
	Deleted *[]DeletedAddress
	// Claim is the result of a claim beside its cart; nil for other commands.
	Claim *Claim
	// Return is what a cancelled order gives back, OrderNews an event about the changed order; nil if
	// there is none.
	Return    *Return
	OrderNews *OrderNews
	// ContactNews is an event about an approved contact; nil if there is none.
	ContactNews *ContactNews
	// Uncounted has what must be counted ahead of the change, which is not to be made; nil if there is
	// nothing.
	Uncounted *Uncounted
	// Unread is the account that must be read ahead of the change, which is not to be made; zero if there is none.
	Unread uuid.UUID
}
