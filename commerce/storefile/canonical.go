package storefile

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"

	"cartd/internal/strictjson"
)

// canonical returns what is kept and compared of a valid document: its canonical
// text without api_keys and customers, and the SHA-256 of the whole canonical
// text. Canonical is compact, with members sorted by name, strings with as few
// and as short escapes as possible, and numbers as written.
func canonical(root strictjson.Value) (settings []byte, hash [sha256.Size]byte) {
	c := canonicalWriter{dst: make([]byte, 0, len(root))} // it is never longer
	c.dst = append(c.dst, '{')
	sum := sha256.New()
	before := "{" // what stands before a member in the whole text
	for _, m := range c.sorted(root) {
		kept := len(c.dst)
		c.separate(kept - 1)
		start := len(c.dst)
		c.member(m)
		io.WriteString(sum, before)
		sum.Write(c.dst[start:])
		before = ","
		if m.name.Is("api_keys") || m.name.Is("customers") {
			c.dst = c.dst[:kept]
		}
	}
	io.WriteString(sum, "}")
	sum.Sum(hash[:0])
	return bytes.Clone(append(c.dst, '}')), hash
}

// canonicalWriter appends canonical text to dst.
type canonicalWriter struct {
	dst []byte
	// members are those of the objects being written, outermost first.
	members []sortedMember
}

// sortedMember is a member with its decoded name.
type sortedMember struct {
	text        []byte
	name, value strictjson.Value
}

// sorted returns an object's members in the order of their names. They stand at
// the end of c.members, where the caller takes them away.
func (c *canonicalWriter) sorted(object strictjson.Value) []sortedMember {
	start := len(c.members)
	for name, value := range object.Pairs() {
		text := []byte(name[1 : len(name)-1])
		if escaped(name) {
			text = []byte(name.Text())
		}
		c.members = append(c.members, sortedMember{text, name, value})
	}
	members := c.members[start:]
	slices.SortFunc(members, func(a, b sortedMember) int { return bytes.Compare(a.text, b.text) })
	return members
}

// value writes any value.
func (c *canonicalWriter) value(v strictjson.Value) {
	switch v.Kind() {
	case strictjson.Object:
		c.object(v)
	case strictjson.Array:
		c.array(v)
	case strictjson.String:
		if escaped(v) {
			c.text(v.Text())
			return
		}
		fallthrough // as it stands
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
	c.value(m.value)
}

// separate writes the comma that stands before every entry but the first.
func (c *canonicalWriter) separate(index int) {
	if index > 0 {
		c.dst = append(c.dst, ',')
	}
}

// escaped reports whether a string is written with escapes; one without is
// canonical as it stands.
func escaped(v strictjson.Value) bool { return bytes.IndexByte(v, '\\') >= 0 }

// shortEscapes are the letters of the control characters that have one.
var shortEscapes = map[byte]byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// text writes a string.
func (c *canonicalWriter) text(text string) {
	const hex = "0123456789abcdef"
	c.dst = append(c.dst, '"')
	for i := range len(text) {
		char := text[i]
		switch {
		case char == '"' || char == '\\':
			c.dst = append(c.dst, '\\', char)
		case char >= ' ':
			c.dst = append(c.dst, char)
		case shortEscapes[char] != 0:
			c.dst = append(c.dst, '\\', shortEscapes[char])
		default:
			c.dst = append(c.dst, '\\', 'u', '0', '0', hex[char>>4], hex[char&15])
		}
	}
	c.dst = append(c.dst, '"')
}
