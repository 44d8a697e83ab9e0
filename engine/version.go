package engine

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

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
