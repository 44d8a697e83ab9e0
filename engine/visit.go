package engine

import (
	"time"

	"cartd/commerce"
)

// Visit replaces the record with the stamp Seen (zero if there is none) by Next and writes the effects,
// if all facts of its requests still hold; else it does nothing: docs/design.md#a-visit.
type Visit[S any] struct {
	Key     RecordKey
	Version *StoreVersion
	Seen    Stamp
	// Writes is true if the visit replaces the record; else it only compares.
	Writes bool
	Next   Record[S]
	// Next comes in the place of the state Before, which is zero if there is no record, and whose text
	// has SeenSize bytes.
	Before   S
	SeenSize int
	Effects  []Effects
	// Requests are the ones that the visit answers. It compares their facts and counts those not
	// counted yet.
	Requests []*Request
	// Judged is the time of the judgement by Redis's clock. Tolerance is the maximum difference from
	// it when the visit arrives. Deadline is the last one of the requests, by the node's clock.
	Judged    time.Time
	Tolerance time.Duration
	Deadline  time.Time
	// Resent is true if an earlier sending may have had its effect.
	Resent bool
	// MaySend is called at the moment when a sending leaves the node. If it returns false, a command has
	// given up, and the visit must not be sent (NotSent).
	MaySend func() bool
	// Done receives the outcome of each sending. The store does not use the visit after that.
	Done func(Outcome[S])
	// SentAt is the time of the first sending, by the node's monotonic clock.
	SentAt time.Time
}

// Ending is how one sending of a visit ended.
type Ending struct {
	Kind OutcomeKind
	// Counted is true if the requests are counted. Budget is that of the first request that was
	// counted here; each further one leaves one less. With OverLimit it is the budget of the requests
	// beyond the first Within.
	Counted bool
	Budget  Budget
	Within  int
}

// Outcome is the result of one sending.
type Outcome[S any] struct {
	Ending
	// Current is the record in Redis, with OtherRecord and OtherFacts. With Done it is the visit's own
	// record if the storage has added a part to it, else zero.
	Current Record[S]
	// Facts are the current values of the compared facts, one for each request; only with OtherFacts.
	Facts []VisitedFacts
	// Shortage has the missing stock and the used-up discounts, with Short.
	Shortage *commerce.Shortage
	// Number is the number given to a sale, with Done; 0 if there is none or it is not known.
	Number int64
	// Ahead are the takes of the sold order's items with a limit, with what they left on hand; with Number.
	Ahead []commerce.AheadTake
}

// VisitedFacts are one request's facts as a visit returned them.
type VisitedFacts struct {
	Visitor   commerce.Visitor
	TokenText TokenText
	Entry     *IdempotencyEntry
	// Carts are those of a claim; nil if the visit did not read them.
	Carts *AccountCarts
	// Contact is the visitor's, if the visit compared it; else nil.
	Contact *Record[*commerce.Contact]
	// Unknown is true if the visitor, or the list of carts, has to be read again.
	Unknown bool
}

// OutcomeKind is the kind of an outcome.
type OutcomeKind uint8

const (
	// Done: all facts held, and the record durably carries the visit's stamp.
	Done OutcomeKind = iota
	// OtherRecord: the record carries another stamp or does not exist; nothing was counted.
	OtherRecord
	// OtherFacts: a compared fact is different.
	OtherFacts
	// Short: stock is missing, or a discount is used up. Nothing was done.
	Short
	// OverLimit: the requests exceed the rest of the request limit; nothing was counted.
	OverLimit
	// OtherHead: the store has another head. TooLate: Redis's time is too far from the judgement's.
	// Nothing was done or counted, and no earlier sending can have an effect any more.
	OtherHead
	TooLate
	// Held: an import of the store's document runs. Nothing was done; the requests are counted.
	Held
	// Broken: the record, or a value beside it, cannot be read.
	Broken
	// TooLarge: the store has grown too fast; nothing was sent.
	TooLarge
	// NotSent: MaySend returned false.
	NotSent
	// Refused: this sending certainly had no effect.
	Refused
	// Unknown: this sending may have had its effect.
	Unknown
)
