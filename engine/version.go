package engine

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Version is what a client is told of a record's stamp: its hash, never 0.
type Version uint64

// Version returns the version of the state that a command left: index is 0 for the
// last command of a commit, and for every read.
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

// Match is an If-Match: the versions that the record must be at. Nil: any.
type Match struct {
	// Any is the asterisk: there only has to be a record.
	Any      bool
	Versions []Version
}

// allows reports whether the state with a stamp meets the condition. A zero stamp is of a state
// that no client has seen yet.
func (m *Match) allows(s Stamp) bool {
	return m == nil || m.Any || !s.Zero() && slices.Contains(m.Versions, s.Version(0))
}
