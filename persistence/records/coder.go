package records

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
)

// coder writes a record, or reads one. A value's fields are stated once, in the order of its record,
// by a method that calls the coder for each: the same calls write the fields and read them. A value
// that is written is never changed, because other goroutines may see it; a value that is read must be
// zero before.
//
// A field that a format appended stands last in its value's block. since says whether the record has
// it; the second argument says whether the value uses it:
//
//	if c.since(2, l.GiftNote != "") {
//		c.text(&l.GiftNote)
//	}
type coder struct {
	// format is the record's. Nested values have the fields of this format.
	format  byte
	writing bool
	// lacks is true if a value that was written uses a field of a later format.
	lacks bool
	out   []byte // the bytes written
	in    reader // the bytes to read
}

// writing returns a coder that appends a record to dst, in the format of most records.
func writing(dst []byte) coder { return coder{format: recordFormat, writing: true, out: dst} }

// written reports whether a record that was appended to dst is complete. If a value uses a field that
// the format lacks, the coder begins again in the newest format.
func (c *coder) written(dst []byte) bool {
	if !c.lacks {
		return true
	}
	*c = coder{format: newestFormat, writing: true, out: dst}
	return false
}

// since reports whether the record has a field that a format appended. A value without the field
// reads as its default.
func (c *coder) since(format byte, used bool) bool {
	if c.writing {
		c.lacks = c.lacks || used && c.format < format
		return c.format >= format
	}
	return c.format >= format && c.in.b != ""
}

// reading returns a coder that reads text. The strings of the values share its memory.
func reading(text string) coder { return coder{in: reader{b: text}} }

// open is the beginning of a record: its format and stamp.
func (c *coder) open(stamp *engine.Stamp) {
	if c.writing {
		c.out = AppendStamp(append(c.out, c.format), *stamp)
		return
	}
	c.format, *stamp = c.in.open(newestFormat)
}

func (c *coder) writers(all *[]engine.Writer) {
	entries(c, all, func(w *engine.Writer) {
		c.uint64(&w.ID)
		c.uint64(&w.Sequence)
		c.time(&w.At)
	})
}

// check makes a record corrupt that does not fulfil a condition.
func (c *coder) check(ok bool) { c.in.bad = c.in.bad || !ok }

// bytes is a field of as many bytes as b has.
func (c *coder) bytes(b []byte) {
	if c.writing {
		c.out = append(c.out, b...)
		return
	}
	copy(b, c.in.next(len(b)))
}

func (c *coder) uuid(id *uuid.UUID) {
	if c.writing {
		c.out = append(c.out, id[:]...)
		return
	}
	*id = c.in.uuid()
}

// code is a number of one byte.
func code[B ~byte](c *coder, v *B) {
	if c.writing {
		c.out = append(c.out, byte(*v))
		return
	}
	*v = B(c.in.byte())
}

// is is a condition of one byte.
func (c *coder) is(v *bool) {
	if c.writing {
		c.out = append(c.out, flag(*v))
		return
	}
	*v = c.in.byte() == 1
}

// has is a byte that says whether a part follows: there, or what was read.
func (c *coder) has(there bool) bool {
	c.is(&there)
	return there
}

// flags are at most eight conditions in one byte, the first in its lowest bit.
func (c *coder) flags(all ...*bool) {
	if !c.writing {
		b := c.in.byte()
		for i, v := range all {
			*v = b>>i&1 == 1
		}
		return
	}
	var b byte
	for i, v := range all {
		b |= flag(*v) << i
	}
	c.out = append(c.out, b)
}

func (c *coder) uint64(v *uint64) {
	if c.writing {
		c.out = binary.BigEndian.AppendUint64(c.out, *v)
		return
	}
	*v = c.in.uint64()
}

func (c *coder) uvarint(v *uint64) {
	if c.writing {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	*v = c.in.uvarint()
}

// varint is a whole number with a sign, of as many bytes as it needs.
func varint[N ~int | ~int32 | ~int64](c *coder, v *N) {
	if c.writing {
		c.out = binary.AppendVarint(c.out, int64(*v))
		return
	}
	*v = N(c.in.varint())
}

func (c *coder) text(v *string) {
	if c.writing {
		c.out = binary.AppendUvarint(c.out, uint64(len(*v)))
		c.out = append(c.out, *v...)
		return
	}
	*v = c.in.text()
}

func (c *coder) texts(all ...*string) {
	for _, v := range all {
		c.text(v)
	}
}

// time is a time after 1970, in milliseconds.
func (c *coder) time(t *time.Time) {
	if c.writing {
		c.out = binary.AppendUvarint(c.out, uint64(max(0, t.UnixMilli())))
		return
	}
	*t = time.UnixMilli(int64(c.in.uvarint())).UTC()
}

// timeOrNone is a time that may be zero.
func (c *coder) timeOrNone(t *time.Time) {
	if c.writing && t.IsZero() {
		c.out = append(c.out, 0)
		return
	}
	if c.time(t); !c.writing && t.UnixMilli() == 0 {
		*t = time.Time{}
	}
}

// moment is a time of any year, to the nanosecond.
func (c *coder) moment(t *time.Time) {
	if c.writing {
		c.out = binary.AppendVarint(c.out, t.Unix())
		c.out = binary.AppendUvarint(c.out, uint64(t.Nanosecond()))
		return
	}
	*t = time.Unix(c.in.varint(), int64(c.in.uvarint())).UTC()
}

// made is where an optional part stands that the record has.
func made[T any](part **T) *T {
	if *part == nil {
		*part = new(T)
	}
	return *part
}

// entries is a list whose entries follow each other. An empty list stays as it is.
func entries[T any](c *coder, all *[]T, entry func(*T)) {
	if c.writing {
		c.out = binary.AppendUvarint(c.out, uint64(len(*all)))
	} else if n := c.in.count(); n > 0 {
		*all = make([]T, n)
	}
	for i := range *all {
		entry(&(*all)[i])
	}
}

// blocks is a list whose entries have a block each.
func blocks[T any](c *coder, all *[]T, entry func(*T)) {
	entries(c, all, func(v *T) { c.block(func() { entry(v) }) })
}

// block has fields after their length. Reading it skips those that a later format appended.
func (c *coder) block(fields func()) {
	if c.writing {
		start := len(c.out)
		c.out = append(c.out, 0, 0) // a length usually has one or two bytes
		fields()
		c.out = closeBlock(c.out, start)
		return
	}
	block := c.in.text()
	rest := c.in.b
	c.in.b = block
	fields()
	c.in.b = rest
}

// closeBlock puts the length of a block before its bytes, which follow two bytes at start.
func closeBlock(dst []byte, start int) []byte {
	n := len(dst) - start - 2
	var length [binary.MaxVarintLen64]byte
	size := binary.PutUvarint(length[:], uint64(n))
	switch {
	case size < 2:
		dst = append(dst[:start+1], dst[start+2:]...)
	case size > 2:
		dst = append(dst, length[:size-2]...)
		copy(dst[start+size:], dst[start+2:start+2+n])
	}
	copy(dst[start:], length[:size])
	return dst
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
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
