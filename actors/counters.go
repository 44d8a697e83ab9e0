package actors

import (
	"sync/atomic"

	"cartd/engine"
)

// Counters are a node's counts since its start, of all kinds of records together.
type Counters struct {
	// Outcomes counts the sendings of visits by their outcomes.
	Outcomes [engine.Unknown + 1]atomic.Uint64
	// Visits are sent for the first time, with Visited requests together, or sent again as Resends
	// because the outcome was not known.
	Visits, Visited, Resends atomic.Uint64
	// Hits are reads that the node's own record answered, Loads those that brought the record along,
	// Reloads those that had to read it once more.
	Hits, Loads, Reloads atomic.Uint64
	// Passivated records were packed because they were idle. Evicted ones left the memory to make
	// room; a packed one counts there again.
	Passivated, Evicted atomic.Uint64
	// MailboxFull are requests that found no room in a record's mailbox.
	MailboxFull atomic.Uint64
}

// Counters are those of the actors of all kinds of record together.
func (c *Carts) Counters() *Counters { return &c.directory.env.counters }

// ResidentBytes is the memory of the records, of all kinds together, and its limit.
func (c *Carts) ResidentBytes() (bytes, limit int64) {
	return c.directory.env.budget.bytes.Load(), c.directory.env.budget.limit
}
