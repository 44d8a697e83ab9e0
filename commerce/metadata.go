package commerce

// MaxMetadataKeys is how many keys a cart's metadata has at most. Spec: PATCH body (Carts), metadata.
const MaxMetadataKeys = 16

// Metadata is the scalar map of a cart in the order the client sent it.
type Metadata []MetadataEntry

// MetadataEntry is one key with its value.
type MetadataEntry struct {
	Key   string
	Value Scalar
}

// Scalar is a JSON string, number, boolean or null. Text is a string's decoded
// text, and the JSON text of everything else, so that a number stays digit for digit. The zero
// Scalar stands for a list or a map.
type Scalar struct {
	IsString bool
	Text     string
}

// Metadata judges a map of the field: the number of its keys, and that each value is a scalar.
func (f *Faults) Metadata(field string, m Metadata) {
	if len(m) > MaxMetadataKeys {
		f.Add(field, MsgMaxItems(field, MaxMetadataKeys))
	}
	for i := range m {
		if m[i].Value == (Scalar{}) {
			path := field + "." + m[i].Key
			f.Add(path, MsgScalar(path))
		}
	}
}
