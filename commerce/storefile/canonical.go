package storefile

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// canonical returns the settings and the hash of a valid document. The settings are its canonical
// text without api_keys and customers, packed. The hash is the SHA-256 of the whole canonical text.
// A canonical text is compact, with members sorted by name but for those of attributes and metadata,
// whose order is shown; with strings with as few and as short escapes
// as possible, numbers as written, and LF for each end of a line in a description.
//
// The canonical text is never in memory as a whole, because the document already is.
func canonical(root strictjson.Value) (settings []byte, hash [sha256.Size]byte) {
	kept, whole := newPacker(), sha256.New()
	both := io.MultiWriter(kept, whole)
	c := canonicalWriter{}
	openKept, openWhole := "{", "{" // the separator ahead of the next member of each text
	for _, m := range c.sorted(root) {
		io.WriteString(whole, openWhole)
		openWhole, c.out = ",", whole
		if !m.name.Is("api_keys") && !m.name.Is("customers") {
			io.WriteString(kept, openKept)
			openKept, c.out = ",", both
		}
		c.member(m)
		c.flush()
	}
	io.WriteString(both, "}")
	whole.Sum(hash[:0])
	return kept.packed(), hash
}

// canonicalWriter appends canonical text to dst.
type canonicalWriter struct {
	dst []byte
	// out gets the text in pieces of about flushSize. It never fails. If it is nil, dst gets all
	// of the text.
	out io.Writer
	// members are those of the objects being written, outermost first.
	members []sortedMember
}

// flushSize is the length of dst at which it is flushed.
const flushSize = 64 << 10

func (c *canonicalWriter) flush() {
	c.out.Write(c.dst)
	c.dst = c.dst[:0]
}

// sortedMember is a member with its decoded name.
type sortedMember struct {
	text        []byte
	name, value strictjson.Value
}

// decodedName is the text of a member's name. It is a part of the document where that is possible.
func decodedName(name strictjson.Value) []byte {
	if escaped(name) {
		return []byte(name.Text())
	}
	return name[1 : len(name)-1]
}

// sorted returns an object's members in the order of their names. They are the end of c.members; the
// caller removes them.
func (c *canonicalWriter) sorted(object strictjson.Value) []sortedMember {
	start := len(c.members)
	for name, value := range object.Pairs() {
		c.members = append(c.members, sortedMember{decodedName(name), name, value})
	}
	members := c.members[start:]
	slices.SortFunc(members, func(a, b sortedMember) int { return bytes.Compare(a.text, b.text) })
	return members
}

// value writes any value.
func (c *canonicalWriter) value(v strictjson.Value) {
	if c.out != nil && len(c.dst) >= flushSize {
		c.flush()
	}
	switch v.Kind() {
	case strictjson.Object:
		c.object(v)
	case strictjson.Array:
		c.array(v)
	case strictjson.String:
		if escaped(v) {
			c.dst = appendText(c.dst, v.Text())
			return
		}
		fallthrough // written as it is
	default:
		c.dst = append(c.dst, v...)
	}
}

func (c *canonicalWriter) object(v strictjson.Value) {
	start := len(c.members)
	c.dst = append(c.dst, '{')
	for i, m := range c.sorted(v) {
		c.separate(i)
		c.member(m)
	}
	c.dst = append(c.dst, '}')
	c.members = c.members[:start]
}

func (c *canonicalWriter) array(v strictjson.Value) {
	c.dst = append(c.dst, '[')
	for i, item := range v.Items() {
		c.separate(i)
		c.value(item)
	}
	c.dst = append(c.dst, ']')
}

func (c *canonicalWriter) member(m sortedMember) {
	c.value(m.name)
	c.dst = append(c.dst, ':')
	if m.value.Kind() == strictjson.Object && (string(m.text) == "attributes" || string(m.text) == "metadata") {
		c.inOrder(m.value)
		return
	}
	if string(m.text) == "description" && m.value.Kind() == strictjson.String && escaped(m.value) {
		c.dst = appendText(c.dst, commerce.UnifyLines(m.value.Text()))
		return
	}
	c.value(m.value)
}

// inOrder writes an object whose members keep their order.
func (c *canonicalWriter) inOrder(v strictjson.Value) {
	c.dst = append(c.dst, '{')
	i := 0
	for name, value := range v.Pairs() {
		c.separate(i)
		c.value(name)
		c.dst = append(c.dst, ':')
		c.value(value)
		i++
	}
	c.dst = append(c.dst, '}')
}

// separate writes a comma, except ahead of the first entry.
func (c *canonicalWriter) separate(index int) {
	if index > 0 {
		c.dst = append(c.dst, ',')
	}
}

// escaped reports whether a string has escapes. A string without escapes is already canonical.
func escaped(v strictjson.Value) bool { return bytes.IndexByte(v, '\\') >= 0 }

// shortEscapes are the control characters that have a short escape, with its letter.
var shortEscapes = map[byte]byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// appendText appends a string.
func appendText(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(text) {
		char := text[i]
		switch {
		case char == '"' || char == '\\':
			dst = append(dst, '\\', char)
		case char >= ' ':
			dst = append(dst, char)
		case shortEscapes[char] != 0:
			dst = append(dst, '\\', shortEscapes[char])
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[char>>4], hex[char&15])
		}
	}
	return append(dst, '"')
}
