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
	// Seen is the stamp counter of the record when the request was admitted, Next
	// the counter that the commit of this change will carry.
	Seen, Next uint64
}

// Command is one request to change a record. S is *Cart or *Contact.
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
	// Deleted are addresses that are retained, in the order of their deletion; nil if none.
	Deleted *[]DeletedAddress
}

// Guest is a customer row made by e-mail capture.
type Guest struct {
	ID    uuid.UUID
	Email string
	At    time.Time
}
