package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Quotes serves admitted requests on quotes.
type Quotes struct{ records[*commerce.Quote] }

// NewQuotes starts a directory of quotes. It shares the actor system, stamps and budget of the
// carts. Close it first, then the carts.
func NewQuotes(storage Storage[*commerce.Quote], carts *Carts) *Quotes {
	return &Quotes{newRecords(carts.directory.env.node, storage, engine.QuoteKind, (*commerce.Quote).WrittenAt, quoteMemory, nil)}
}

// Read returns a quote from the store; nil if there is none. Errors: engine.ErrUnavailable.
func (q *Quotes) Read(key engine.RecordKey, deadline time.Time) (*engine.Record[*commerce.Quote], error) {
	return q.fetch(key, deadline)
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (q *Quotes) Change(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, q.judge)
	_, r.alone = asked.Command.(*commerce.AcceptQuote)
	a, err := q.serve(engine.RecordKey{Store: asked.Store.ID, ID: asked.QuoteID}, r)
	reply := engine.Reply{Quote: a.state, Stamp: a.stamp, Size: a.size, CommitIndex: a.commitIndex, Replayed: a.replayed, Facts: a.facts}
	reply.Order, _ = a.made()
	return reply, err
}
