package actors

import (
	"time"

	"cartd/engine"
)

// Storage keeps the records. Load and Send return at once and call back exactly once, from any
// goroutine, under no lock. Load may call back inside the call.
type Storage[S any] interface {
	// Kind is the kind of the records.
	Kind() *engine.Kind[S]
	// Load reads a record. A missing record has a zero stamp. An error means that the storage did not
	// answer, or that the record cannot be read.
	Load(key engine.RecordKey, done func(engine.Record[S], error))
	// Send sends a visit once, with the next Flush. The same visit may be sent again: the storage
	// answers Done if the record carries the visit's stamp already. The visit belongs to the storage
	// until it calls Done.
	Send(v *engine.Visit[S])
	// Flush sends all waiting visits: on the caller's goroutine, if the caller waits until the
	// deadline anyway and no other goroutine is sending.
	Flush(deadline time.Time)
	// Pack appends an idle record in few bytes, or nothing if it cannot be packed. Unpack returns the
	// record; false if it has to be loaded again.
	Pack([]byte, *engine.Record[S]) []byte
	Unpack(engine.RecordKey, string) (engine.Record[S], bool)
	// Away reports whether the storage is known to be unreachable.
	Away() bool
}

// presenter is a storage of records that the node has in memory by its own means, with what requests are judged by: the
// stores'. An actor takes the record for each batch, and keeps none.
type presenter[S any] interface {
	// Present returns the record, and sets the facts of requests by it: their store, key and version. It is nil if the
	// node does not have the record, or not wholly: the requests then end with engine.ErrOutdated.
	Present(key engine.RecordKey, requests []*engine.Request) *engine.Record[S]
}
