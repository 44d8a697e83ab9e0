package storefile

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"cartd/internal/strictjson"
)

// canonical returns what is kept and compared of a valid document: its canonical
// text without api_keys and customers, and the SHA-256 of the whole canonical
// text. Canonical is compact, with members sorted by name, strings with as few
// escapes as possible, and numbers as written.
func canonical(root strictjson.Value) (settings []byte, hash [sha256.Size]byte) {
	sum := sha256.New()
	sum.Write([]byte{'{'})
	var one []byte
	settings = append(settings, '{')
	for i, m := range sortedMembers(root) {
		one = appendSeparator(one[:0], i)
		one = m.append(one)
		sum.Write(one)
		if m.name.Is("api_keys") || m.name.Is("customers") {
			continue
		}
		settings = appendSeparator(settings, len(settings)-1)
		settings = m.append(settings)
	}
	sum.Write([]byte{'}'})
	sum.Sum(hash[:0])
	return append(settings, '}'), hash
}

// sortedMember is a member with its decoded name.
type sortedMember struct {
	text        []byte
	name, value strictjson.Value
}

func sortedMembers(object strictjson.Value) []sortedMember {
	var members []sortedMember
	for name, value := range object.Pairs() {
		text := []byte(name[1 : len(name)-1])
		if escaped(name) {
			text = []byte(name.Text())
		}
		members = append(members, sortedMember{text, name, value})
	}
	slices.SortFunc(members, func(a, b sortedMember) int { return bytes.Compare(a.text, b.text) })
	return members
}

func (m *sortedMember) append(dst []byte) []byte {
	dst = append(appendCanonical(dst, m.name), ':')
	return appendCanonical(dst, m.value)
}

// appendCanonical appends the canonical text of any value.
func appendCanonical(dst []byte, v strictjson.Value) []byte {
	switch v.Kind() {
	case strictjson.Object:
		dst = append(dst, '{')
		for i, m := range sortedMembers(v) {
			dst = m.append(appendSeparator(dst, i))
		}
		return append(dst, '}')
	case strictjson.Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			dst = appendCanonical(appendSeparator(dst, i), item)
		}
		return append(dst, ']')
	case strictjson.String:
		if escaped(v) {
			return appendString(dst, v.Text())
		}
	}
	return append(dst, v...)
}

// appendSeparator appends the comma that stands before all entries but the first.
func appendSeparator(dst []byte, index int) []byte {
	if index > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// escaped reports whether a string is written with escapes; one without is
// canonical as it stands.
func escaped(v strictjson.Value) bool { return bytes.IndexByte(v, '\\') >= 0 }

// appendString appends a text as a JSON string with no more escapes than needed.
func appendString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
