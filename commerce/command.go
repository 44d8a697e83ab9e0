package commerce

import (
	"slices"
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

// Sight is what a request knew when it came. Spec: Line behaviour 2.
type Sight struct {
	// Unanswered are the stamp counters of the node's own commits that were answered after the
	// request began.
	Unanswered []uint64
	// First is the stamp counter of the state that the request was first judged against, Came when
	// it came.
	First uint64
	Came  time.Time
}

// simultaneous is for how long before a request came another node may have made a line without
// which the request was first judged.
const simultaneous = 250 * time.Millisecond

// missed reports whether an add that finds a line was sent at the same time as the one that made
// it. A line of its own batch has no counter yet.
func (in *Input) missed(l *Line) bool {
	switch {
	case l.Born == 0:
		return false
	case l.Born == in.Next || slices.Contains(in.Sight.Unanswered, l.Born):
		return true
	}
	return l.Born > in.Sight.First && !l.Made.Before(in.Sight.Came.Add(-simultaneous))
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
	// Sale is an order to be written; nil if nothing is sold.
	Sale *Sale
	// Deleted are addresses that are retained, in the order of their deletion; nil if none.
	Deleted *[]DeletedAddress
	// Claim is what a claim changes beside its cart; nil if none.
	Claim *Claim
}

// Guest is a customer row made by e-mail capture.
type Guest struct {
	ID    uuid.UUID
	Email string
	At    time.Time
}
