package records

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"cartd/engine"
)

// NewWriter makes a writer's id for stamps: 64 random bits.
func NewWriter() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}

// Writer stamps changes of records that no actor makes: those of an operator's command, of an import,
// and of the end of unpaid orders. Its id is its own, because a record's actor is another writer.
type Writer struct{ id, sequence uint64 }

// MakeWriter makes a writer with a fresh id.
func MakeWriter() *Writer { return &Writer{id: NewWriter()} }

// Next is the record that replaces an old one. Its stamp is the writer's next one.
func Next[S any](w *Writer, old *engine.Record[S], state S, now time.Time) engine.Record[S] {
	return engine.Record[S]{Stamp: w.After(old.Stamp), Writers: old.Remember(w.id, now), State: state}
}

// ID is the writer's id.
func (w *Writer) ID() uint64 { return w.id }

// After is the writer's next stamp, for the record that replaces one with the stamp old.
func (w *Writer) After(old engine.Stamp) engine.Stamp {
	w.sequence++
	return engine.Stamp{Counter: old.Counter + 1, Writer: w.id, Sequence: w.sequence}
}
