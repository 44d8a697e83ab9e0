package engine

import "time"

// Commit is one compare-and-set: Next takes the place of the record with the
// stamp Expect (zero: of none), together with its effects, or nothing happens.
type Commit[S any] struct {
	Key    RecordKey
	Expect Stamp
	Next   Record[S]
	// Before is the state in whose place Next comes; zero: of no record.
	Before  S
	Effects []Effects
	// Requests is how many wait for it.
	Requests int
	// Presumed is what its requests were judged under without Redis; such a commit has no
	// effects. Uncounted is how many of them the request limit has still to count, all or
	// none. nil, 0: Redis admitted them.
	Presumed  *Presumption
	Uncounted int
	// Claim is called right before the first sending leaves the node. False: a
	// command in it has given up, so do not send it (NotSent).
	Claim func() bool
	// Done receives the outcome of each sending; the store is through with the commit then.
	Done func(Outcome[S])
	// SentAt is when Send was first called, by the node's monotonic clock.
	SentAt time.Time
}

// Outcome is what became of one sending.
type Outcome[S any] struct {
	Kind OutcomeKind
	// Current is the record that stands in the way, with Conflicted; with Committed
	// it is the commit's own where the store has made up a part of it (what was
	// granted of stock), else zero.
	Current Record[S]
	// Entries are what is remembered under the commit's idempotency keys, in the
	// order of its effects that carry one; only with Conflicted. Nil: nothing.
	Entries []*IdempotencyEntry
	// Budget is that of the first request counted with the commit, of which each
	// further one leaves one less; with Conflicted it is so where the commit was done
	// before; with Exceeded it is that of the requests beyond the first Within, zero
	// where only an admission can tell.
	Budget Budget
	Within int
}

// OutcomeKind says what is known after a sending.
type OutcomeKind uint8

const (
	// Committed: the record carries the commit's stamp, durably.
	Committed OutcomeKind = iota
	// Conflicted: the record carries another stamp, or there is none.
	Conflicted
	// Exceeded: the requests are more than the request limit leaves; nothing was done,
	// nor counted with the commit.
	Exceeded
	// Superseded: the store is another one than was presumed; nothing was done or counted.
	Superseded
	// NotSent: Claim said no.
	NotSent
	// Refused: this sending certainly had no effect.
	Refused
	// Unknown: this sending may have had its effect.
	Unknown
)
