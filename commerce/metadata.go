package commerce

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

// Metadata checks the map of a field: the number of its keys, and that each value is a scalar.
func (f *Faults) Metadata(field string, m Metadata) {
	if len(m) > MaxMetadataKeys {
		f.Add(field, MsgMaxItems(field, MaxMetadataKeys))
	}
	if m.TooLong() {
		f.Add(field, MsgMaxBytes(field, MaxMetadataBytes))
	}
	for i := range m {
		if m[i].Value == (Scalar{}) {
			path := field + "." + m[i].Key
			f.Add(path, MsgScalar(path))
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
