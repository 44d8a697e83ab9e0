package engine

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Stamp is the identity of one committed state of a record and is never used twice: a counter, the
// writer id (random for each start of a node) and the writer's own sequence number. Stamps are
// compared for equality only. A greater counter proves nothing, for Redis may have lost its last
// writes.
type Stamp struct {
	Counter  uint64
	Writer   uint64
	Sequence uint64
}

// Zero reports whether s is no stamp, so that the record does not exist.
func (s Stamp) Zero() bool { return s == Stamp{} }

// Writer is the last commit of a node other than the stamp's. It shows whether a commit with an
// unknown outcome was applied and then overtaken.
type Writer struct {
	ID       uint64
	Sequence uint64
	At       time.Time
}

// WriterMemory is the time that a record remembers a writer.
const WriterMemory = 10 * time.Minute

// RecordKey names a record: its store and its id.
type RecordKey struct{ Store, ID uuid.UUID }

// Record is a state as Redis holds it. A zero Stamp means that the record does not exist.
type Record[S any] struct {
	Stamp   Stamp
	Writers []Writer // other writers than the stamp's own
	State   S
	// Size is the length of the record's text in Redis, in bytes; 0 if it is not known.
	Size int
}

// CartRecord is a cart as Redis holds it.
type CartRecord = Record[*commerce.Cart]

// Applied reports whether the record's history contains the commit with the stamp mine.
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

// Remember returns the writers table for a commit of writer at now. It adds the old stamp's writer.
// It drops the new writer's own entry and entries older than WriterMemory.
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

// Version is the form of a record's stamp that clients see: its hash, never 0.
type Version uint64

// Version returns the version of the state that a command left. index is 0 for the last command of
// a commit and for every read.
func (s Stamp) Version(index int) Version {
	var b [32]byte
	binary.BigEndian.PutUint64(b[:], s.Counter)
	binary.BigEndian.PutUint64(b[8:], s.Writer)
	binary.BigEndian.PutUint64(b[16:], s.Sequence)
	binary.BigEndian.PutUint64(b[24:], uint64(index))
	h := fnv.New64a()
	h.Write(b[:])
	return Version(max(h.Sum64(), 1))
}

// Match is an If-Match, the versions that the record may have. A nil Match allows any.
type Match struct {
	// Any is the asterisk: the record only has to exist.
	Any      bool
	Versions []Version
}

// allows reports whether the state with a stamp meets the condition. A zero stamp belongs to a
// state that no client has seen.
func (m *Match) allows(s Stamp) bool {
	return m == nil || m.Any || !s.Zero() && slices.Contains(m.Versions, s.Version(0))
}
