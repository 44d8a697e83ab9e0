package commerce

import (
	"math"
	"strconv"
)

// MaxMetadataKeys is the maximum number of keys in a cart's metadata.
// Spec: PATCH body (Carts), metadata.
const MaxMetadataKeys = 16

// MaxMetadataBytes is the maximum length of the map's keys and values together.
// docs/decisions.md#limits.
const MaxMetadataBytes = 16 << 10

// Metadata is a map of scalars, in the order of the client or of the document.
type Metadata []MetadataEntry

// MetadataEntry is one key with its value.
type MetadataEntry struct {
	Key   string
	Value Scalar
}

// Scalar is a JSON string, number, boolean or null. Text is the decoded text of a string, else the
// JSON text, so that a number keeps its digits. The zero Scalar stands for a list or a map.
type Scalar struct {
	IsString bool
	Text     string
}

// MaxNumberLength is the maximum length of a number that is passed on as it was written.
const MaxNumberLength = 32

// Readable reports whether others can read the value: it is a scalar and, if a number, a finite double
// of at most MaxNumberLength characters.
func (s Scalar) Readable() bool {
	if s.IsString {
		return true
	}
	if s.Text == "" {
		return false
	}
	if first := s.Text[0]; first != '-' && (first < '0' || first > '9') { // true, false, null
		return true
	}
	n, err := strconv.ParseFloat(s.Text, 64)
	return len(s.Text) <= MaxNumberLength && err == nil && !math.IsInf(n, 0)
}

// hasNUL reports whether the key or a text has U+0000.
func (e *MetadataEntry) hasNUL() bool { return HasNUL(e.Key) || HasNUL(e.Value.Text) }

// Metadata checks the map of a field: the number of its keys, and if they are not too many its length and
// each entry.
func (f *Faults) Metadata(field string, m Metadata) {
	if len(m) > MaxMetadataKeys {
		f.Add(field, MsgMaxItems(field, MaxMetadataKeys))
		return
	}
	if m.TooLong() {
		f.Add(field, MsgMaxBytes(field, MaxMetadataBytes))
	}
	f.metadataEntries(field, m)
}

// metadataEntries checks each entry of a map.
func (f *Faults) metadataEntries(field string, m Metadata) {
	for i := range m {
		path := field + "." + m[i].Key
		if !m[i].Value.Readable() {
			f.Add(path, MsgScalar(path))
		}
		if m[i].hasNUL() {
			f.Add(path, MsgControlCharacter(path))
		}
	}
}

// TooLong reports whether the keys and values exceed MaxMetadataBytes.
func (m Metadata) TooLong() bool { return m.bytes() > MaxMetadataBytes }

// bytes is the length of the keys and of the decoded values.
func (m Metadata) bytes() (n int) {
	for i := range m {
		n += len(m[i].Key) + len(m[i].Value.Text)
	}
	return n
}
