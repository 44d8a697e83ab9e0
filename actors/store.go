package actors

import (
	"cartd/engine"
	"time"
)

// Store is where records live. Load and Send return at once and call back, from any
// goroutine, under no lock, Load also before it returns; each call back happens exactly
// once.
type Store[S any] interface {
	// Load reads a record. One that does not exist has a zero stamp; an error means that the
	// store did not answer, or that the record cannot be read.
	Load(key engine.RecordKey, done func(engine.Record[S], error))
	// Send sends a visit once, with the next Flush. Sending the same visit again is safe: the store
	// answers Done when the record carries the visit's stamp already. The visit is the store's
	// until it calls Done.
	Send(v *engine.Visit[S])
	// Fits judges the size of the record that takes another's place, by their states.
	// Errors: *Refusal.
	Fits(before, next S) error
	// Flush has what was sent leave the node: on the caller's goroutine, where that
	// waits until the deadline anyway and nobody else is at it.
	Flush(deadline time.Time)
	// Pack appends a record in few bytes, for as long as nobody uses it, and Unpack
	// returns the record; nothing, false: not this one, and it is loaded again.
	Pack([]byte, *engine.Record[S]) []byte
	Unpack(engine.RecordKey, string) (engine.Record[S], bool)
	// Away reports whether the store is known to be out of reach.
	Away() bool
}
