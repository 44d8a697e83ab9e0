package records

import (
	"encoding/binary"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// A record has: format (1 byte), stamp (24 bytes), the kind's fixed head if it has one, the
// table of writers, the packed state. Blocks begin with their length, so that a reader skips fields
// that it does not know, and takes an absent one for its default.

// A node writes a record in recordFormat, or in newestFormat if one of its values uses a field that
// this format appended, and reads all formats up to newestFormat. 0.1.0 has one format. A node that cannot
// read a format answers 503 and drops nothing. All kinds have the same formats, because they share values:
// carts, quotes and orders have lines, contacts and orders have addresses. To append a field to a value,
// state it last in the value's block (see coder), after raising newestFormat if this is the first one of a
// release.
const (
	recordFormat = 1
	newestFormat = 1
)

const (
	stampSize = 24
	StampFrom = 1 // in a record
	HeadFrom  = StampFrom + stampSize
)

// AppendStamp encodes a stamp in 24 bytes.
func AppendStamp(dst []byte, s engine.Stamp) []byte {
	dst = binary.BigEndian.AppendUint64(dst, s.Counter)
	dst = binary.BigEndian.AppendUint64(dst, s.Writer)
	return binary.BigEndian.AppendUint64(dst, s.Sequence)
}

// ParseStamp decodes the 24 bytes of a stamp. No bytes are the zero stamp, of no record.
func ParseStamp(b string) (engine.Stamp, error) {
	if len(b) == 0 {
		return engine.Stamp{}, nil
	}
	if len(b) != stampSize {
		return engine.Stamp{}, redisdb.ErrCorrupt
	}
	r := reader{b: b}
	return r.stamp(), nil
}

// reader decodes a record. After the first part that cannot be read it is bad, and returns zero
// values.
type reader struct {
	b   string
	bad bool
}

func (r *reader) next(n int) string {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad = true
		return ""
	}
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

func (r *reader) byte() byte {
	if s := r.next(1); s != "" {
		return s[0]
	}
	return 0
}

func (r *reader) uint64() uint64 {
	s := r.next(8)
	if s == "" {
		return 0
	}
	var v uint64
	for i := range 8 {
		v = v<<8 | uint64(s[i])
	}
	return v
}

func (r *reader) uvarint() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.bad = true
	return 0
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads a number of elements, each of which takes at least one byte.
func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return r.next(r.count()) }

func (r *reader) uuid() (id uuid.UUID) {
	copy(id[:], r.next(len(id)))
	return id
}

func (r *reader) stamp() engine.Stamp {
	return engine.Stamp{Counter: r.uint64(), Writer: r.uint64(), Sequence: r.uint64()}
}

// open reads a record's format, of which newest is the newest that is known, and its stamp.
func (r *reader) open(newest byte) (format byte, stamp engine.Stamp) {
	if format = r.byte(); format == 0 || format > newest {
		r.bad = true
	}
	return format, r.stamp()
}
