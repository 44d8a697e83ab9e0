package storefile

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"
	"strings"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// canonical returns the pages and the hash of a valid document. The pages are those of its canonical
// text without api_keys and customers. The hash is the SHA-256 of the whole canonical text.
// A canonical text is compact, with members sorted by name but for those of ordered
// members; with strings with as few and as short escapes as possible, numbers as written, and LF for
// each end of a line in unified members.
//
// The canonical text is never in memory as a whole, because the document already is.
func canonical(root strictjson.Value) (*Paged, [sha256.Size]byte) {
	p := &Paged{Table: Table{Cut: cutFor(entriesIn(root))}}
	var rest bytes.Buffer
	whole, others, pages := sha256.New(), joiner{w: &rest}, p.cutter(maxPageText, p.pack())
	c := canonicalWriter{}
	before := "{" // what stands ahead of the next member of the whole text
	for _, m := range c.sorted(root, &documentOutline) {
		io.WriteString(whole, before)
		before = ","
		list := pagedList(string(m.text))
		switch {
		case m.of.has(apart):
			c.out = whole
			c.member(m)
			c.flush()
		case list == nil || list.name != storeMember && m.value.Len() == 0:
			c.out = nil
			c.value(m.value, m.of)
			others.rest = append(others.rest, Entry{List: string(m.text), Text: bytes.Clone(c.dst)})
			whole.Write(append(AppendText(nil, string(m.text)), ':'))
			c.out = whole
			c.flush()
		default:
			c.out = whole
			c.value(m.name, nil)
			c.dst = append(append(c.dst, ':'), listStart(list.name)...)
			c.flush()
			c.entries(list, m.value, whole, pages)
		}
	}
	io.WriteString(whole, "}")
	pages.end()
	others.finish()
	p.Rest = rest.Bytes()
	return p, [sha256.Size]byte(whole.Sum(nil))
}

// entriesIn is the number of entries of a document.
func entriesIn(root strictjson.Value) (n int) {
	for name, value := range root.Members() {
		switch list := pagedList(name); {
		case list == nil:
		case name == storeMember:
			n++
		default:
			n += value.Len()
		}
	}
	return n
}

var comma = []byte(",")

// entries writes the entries of a list, each into the pages and into the whole text.
func (c *canonicalWriter) entries(list *outline, value strictjson.Value, whole io.Writer, pages *cutter) {
	c.out = nil
	defer func() { c.out = whole }()
	var separator []byte
	for e := range entriesOf(list.name, value) {
		c.value(strictjson.Value(e.Text), list)
		e.Text = c.dst
		pages.add(&e)
		whole.Write(separator)
		whole.Write(c.dst)
		c.dst, separator = c.dst[:0], comma
	}
	io.WriteString(whole, strings.TrimSuffix(pageEnd(list.name), "}"))
}

// canonicalWriter appends canonical text to dst.
type canonicalWriter struct {
	dst []byte
	// out gets the text in pieces of about flushSize. It never fails. If it is nil, dst gets all
	// of the text.
	out io.Writer
	// members are those of the objects being written, outermost first.
	members []sortedMember
	// withoutSecrets leaves out the members in clear; secrets is the number of those that are written.
	withoutSecrets bool
	secrets        int
	// composed is an object that is written with the members that result; keptSecrets are the texts of the secrets of objects that have
	// none, by their first byte.
	composed    *composed
	keptSecrets map[*byte]string
	// current returns the current number of an entry that takes the place of a member, nil if there is none; it may be nil.
	current func(entry strictjson.Value, in, number *outline) []byte
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
	of          *outline
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
func (c *canonicalWriter) sorted(object strictjson.Value, of *outline) []sortedMember {
	start := len(c.members)
	if c.composed.of(object) {
		for name, value := range c.composed.pairs {
			if value.Kind() != strictjson.Null {
				c.enter(name, value, of)
			}
		}
	} else {
		for name, value := range object.Pairs() {
			c.enter(name, value, of)
		}
	}
	if secret, isKept := c.keptSecrets[&object[0]]; isKept {
		c.members = slices.DeleteFunc(c.members, func(m sortedMember) bool { return string(m.text) == "secret" }) // it is null
		c.members = append(c.members, sortedMember{[]byte("secret"), strictjson.Value(`"secret"`), AppendText(nil, secret), nil})
	}
	if c.current != nil && of != nil {
		c.setNumbers(object, of, start)
	}
	members := c.members[start:]
	slices.SortFunc(members, func(a, b sortedMember) int { return bytes.Compare(a.text, b.text) })
	return members
}

// enter adds a member to those of the object that is being written.
func (c *canonicalWriter) enter(name, value strictjson.Value, of *outline) {
	text := decodedName(name)
	member := of.member(text)
	if member.has(inClear) {
		if c.withoutSecrets {
			return
		}
		c.secrets++
	}
	c.members = append(c.members, sortedMember{text, name, value, member})
}

// value writes any value; of is nil if it has no marks.
func (c *canonicalWriter) value(v strictjson.Value, of *outline) {
	if c.out != nil && len(c.dst) >= flushSize {
		c.flush()
	}
	switch v.Kind() {
	case strictjson.Object:
		if of.has(ordered) {
			c.inOrder(v)
			return
		}
		c.object(v, of)
	case strictjson.Array:
		c.array(v, of)
	case strictjson.String:
		if escaped(v) {
			text := v.Text()
			if of.has(unified) {
				text = commerce.UnifyLines(text)
			}
			c.dst = AppendText(c.dst, text)
			return
		}
		fallthrough // written as it is
	default:
		c.dst = append(c.dst, v...)
	}
}

func (c *canonicalWriter) object(v strictjson.Value, of *outline) {
	start := len(c.members)
	c.dst = append(c.dst, '{')
	for i, m := range c.sorted(v, of) {
		c.separate(i)
		c.member(m)
	}
	c.dst = append(c.dst, '}')
	c.members = c.members[:start]
}

func (c *canonicalWriter) array(v strictjson.Value, of *outline) {
	c.dst = append(c.dst, '[')
	for i, item := range v.Items() {
		c.separate(i)
		c.value(item, of)
	}
	c.dst = append(c.dst, ']')
}

func (c *canonicalWriter) member(m sortedMember) {
	c.value(m.name, nil)
	c.dst = append(c.dst, ':')
	c.value(m.value, m.of)
}

// inOrder writes an object whose members keep their order.
func (c *canonicalWriter) inOrder(v strictjson.Value) {
	c.dst = append(c.dst, '{')
	i := 0
	for name, value := range v.Pairs() {
		c.separate(i)
		c.value(name, nil)
		c.dst = append(c.dst, ':')
		c.value(value, nil)
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

// AppendText appends a string as JSON.
func AppendText(dst []byte, text string) []byte {
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
