package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Input is everything besides the record that a transition may look at.
type Input struct {
	Store   *Store
	Visitor Visitor
	// Now is the request's time (Redis's clock).
	Now time.Time
	// Next is the stamp counter that the commit of this change will carry.
	Next uint64
	// Sight is what the request can have seen of lines that others have made.
	Sight Sight
	// Others are the carts that a claim folds, in the order of folding.
	Others []*Cart
	// Contact is the visitor's, where a checkout may need it; nil: none.
	Contact *Contact
	// Shortage is what a commit of this change found too little of; nil: nothing is known.
	Shortage *Shortage
}

// Command is one request to change a record. S is *Cart, *Contact or *Quote.
type Command[S any] interface {
	// Locate checks the path ids below the record. Nil if all of them are there.
	Locate(record S) *Refusal
	// Apply changes next, a private copy of the record, or refuses.
	Apply(next S, in *Input) (Effects, *Refusal)
}

// Effects are what a change writes beside the record. They can be compared.
type Effects struct {
	// Guest is a guest customer to create if there is none yet; nil if none is needed.
	Guest *Guest
	// Made is the id that the change made beside the record's own; zero if none.
	Made uuid.UUID
	// Session carries a token over the end of all sessions; nil if none.
	Session *SessionMove
	// Event goes into the store's outbox; nil if none.
	Event *Event
	// Sale is an order, or a quote, to be written; nil if there is none.
	Sale *Sale
	// News go into the store's outbox; nil if nothing is told of a quote.
	News *QuoteNews
	// Deleted are addresses that are retained, in the order of their deletion; nil if none.
	Deleted *[]DeletedAddress
	// Claim is what a claim changes beside its cart; nil if none.
	Claim *Claim
}
