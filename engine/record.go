package engine

import (
	"cartd/commerce"
	"time"

	"github.com/google/uuid"
)

// Stamp names one committed state of a record and is never used twice: a
// counter, the writer's start id (random for each start of a node) and the
// writer's own sequence number. Stamps are compared for equality only: a greater
// counter proves nothing, for Redis may have lost a tail.
type Stamp struct {
	Counter  uint64
	Writer   uint64
	Sequence uint64
}

// Zero reports whether s is no stamp: the record does not exist.
func (s Stamp) Zero() bool { return s == Stamp{} }

// Writer is the last commit of a node that a record remembers, beside the one in
// its stamp. It tells a commit that was applied and then overtaken from one that
// never can be.
type Writer struct {
	ID       uint64
	Sequence uint64
	At       time.Time
}

// WriterMemory is how long a record remembers a writer.
const WriterMemory = 10 * time.Minute

// RecordKey names a record: its store and its id.
type RecordKey struct{ Store, ID uuid.UUID }

// Record is a state as Redis holds it. A zero Stamp means that there is none.
type Record[S any] struct {
	Stamp   Stamp
	Writers []Writer // other writers than the stamp's own
	State   S
}

// CartRecord is a cart as Redis holds it.
type CartRecord = Record[*commerce.Cart]

// Applied reports whether the commit that carried the stamp mine is part of the
// record's history.
func (r *Record[S]) Applied(mine Stamp) bool {
	if r.Stamp.Writer == mine.Writer {
		return r.Stamp.Sequence >= mine.Sequence
	}
	for _, w := range r.Writers {
		if w.ID == mine.Writer {
			return w.Sequence >= mine.Sequence
		}
	}
	return false
}

// Remember returns the writers table for the record that replaces r with a
// commit of writer at now: the old stamp's writer joins, entries older than
// WriterMemory and the new writer's own leave.
func (r *Record[S]) Remember(writer uint64, now time.Time) []Writer {
	var kept []Writer
	for _, w := range r.Writers {
		if w.ID != writer && w.ID != r.Stamp.Writer && now.Sub(w.At) < WriterMemory {
			kept = append(kept, w)
		}
	}
	if !r.Stamp.Zero() && r.Stamp.Writer != writer {
		kept = append(kept, Writer{ID: r.Stamp.Writer, Sequence: r.Stamp.Sequence, At: now})
	}
	return kept
}
