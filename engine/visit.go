package engine

import (
	"time"

	"cartd/commerce"
)

// Visit is what becomes of a record: Next takes the place of the record with the stamp Seen (zero:
// of none) together with its effects, if everything stands that its requests were judged by; else
// nothing happens. Design: A visit.
type Visit[S any] struct {
	Key     RecordKey
	Version *StoreVersion
	Seen    Stamp
	// Writes: the record is replaced; else the visit only compares.
	Writes bool
	Next   Record[S]
	// Before is the state in whose place Next comes; zero: of no record.
	Before  S
	Effects []Effects
	// Requests are those that it answers: what they were judged by is compared, and those are
	// counted that are not.
	Requests []*Request
	// Judged is the time of the judgement, by Redis's clock, Tolerance by how much that may differ
	// when the visit gets there, Deadline the last one of the requests, by the node's clock.
	Judged    time.Time
	Tolerance time.Duration
	Deadline  time.Time
	// Resent: an earlier sending may have had its effect.
	Resent bool
	// Claim is called right before a sending leaves the node. False: a command in it has given up,
	// so do not send it (NotSent).
	Claim func() bool
	// Done receives the outcome of each sending; the store is through with the visit then.
	Done func(Outcome[S])
	// SentAt is when it was first sent, by the node's monotonic clock.
	SentAt time.Time
}

// Outcome is what became of one sending.
type Outcome[S any] struct {
	Kind OutcomeKind
	// Current is the record that stands in the way, with OtherRecord and OtherFacts; with Done it is
	// the visit's own if the store has made a part of it, else zero.
	Current Record[S]
	// Facts are those that were compared, as they are now, of each request; only with OtherFacts.
	Facts []VisitedFacts
	// Counted: the requests are counted. Budget is that of the first that was, of which each further
	// one leaves one less; with OverLimit that of the requests beyond the first Within.
	Counted bool
	Budget  Budget
	Within  int
	// Shortage is what there is too little of, with Short.
	Shortage *commerce.Shortage
	// Number is the one that a sale was given, with Done; 0 if it was given none, or is not known.
	Number int64
}

// VisitedFacts are what a visit has returned of one request's facts.
type VisitedFacts struct {
	Visitor   commerce.Visitor
	TokenText TokenText
	Entry     *IdempotencyEntry
	// Carts are those of a claim; nil if they were not looked at.
	Carts *AccountCarts
	// Contact is the visitor's, if the visit compared it; else nil.
	Contact *Record[*commerce.Contact]
	// Unknown: who the visitor is, or which carts there are, cannot be told without another look.
	Unknown bool
}

// OutcomeKind says what is known after a sending.
type OutcomeKind uint8

const (
	// Done: everything stood, and the record carries the visit's stamp, durably.
	Done OutcomeKind = iota
	// OtherRecord: the record carries another stamp, or there is none; nothing was counted.
	OtherRecord
	// OtherFacts: something that was compared is different.
	OtherFacts
	// Short: there is too little of what the visit takes. Nothing was done.
	Short
	// OverLimit: the requests are more than the request limit leaves; nothing was counted.
	OverLimit
	// OtherHead: the store has another head, and TooLate: Redis's time is another one. Nothing was
	// done or counted, nor will be by an earlier sending.
	OtherHead
	TooLate
	// Broken: the record, or something beside it, cannot be read.
	Broken
	// NotSent: Claim said no.
	NotSent
	// Refused: this sending certainly had no effect.
	Refused
	// Unknown: this sending may have had its effect.
	Unknown
)

// MaxResendPause is the longest pause before a sending whose outcome is unknown is sent again.
const MaxResendPause = 250 * time.Millisecond

// ResendPause is the pause after a number of sendings. It doubles from 5 ms, so a waiting request
// is answered soon after Redis answers, and does not give up long before its deadline.
func ResendPause(sendings int) time.Duration {
	return min(5*time.Millisecond<<min(sendings-1, 10), MaxResendPause)
}
