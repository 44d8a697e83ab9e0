package records

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// contactKey is the key of a customer's record, which never expires:
// {<store>}:contact:<customer id>.
func contactKey(k engine.RecordKey) string { return idKey(k, "contact") }

func ContactPrefix(store uuid.UUID) string { return KeyPrefix(store, "contact") }

// A contact's head directly follows the stamp, at a fixed position, so that admissions read
// nothing else: flags (1 byte), session number (8), group (16).
const ContactHeadSize = 1 + 8 + 16

const (
	contactGuest = 1 << iota
	contactB2B
	contactApproved
)

func appendContactHead(dst []byte, c *commerce.Contact) []byte {
	dst = append(dst, flag(c.Guest)*contactGuest|flag(c.B2B)*contactB2B|flag(c.Approved)*contactApproved)
	dst = binary.BigEndian.AppendUint64(dst, c.Session)
	return append(dst, c.GroupID[:]...)
}

// ParseContactHead reads a contact's head. It returns false if the text is none.
func ParseContactHead(text string) (c commerce.Contact, ok bool) {
	r := reader{b: text}
	r.contactHead(&c)
	return c, !r.bad
}

// ContactStamp reads a contact's stamp from the beginning of its record.
func ContactStamp(text string) engine.Stamp {
	r := reader{b: text}
	return r.open(recordFormat)
}

func (r *reader) contactHead(c *commerce.Contact) {
	flags := r.byte()
	c.Guest, c.B2B, c.Approved = flags&contactGuest != 0, flags&contactB2B != 0, flags&contactApproved != 0
	c.Session, c.GroupID = r.uint64(), r.uuid()
}

// appendContact encodes a contact's record. After its head and the writers come a block of
// fields, then addresses and tokens, each in a block.
func appendContact(dst []byte, r *engine.Record[*commerce.Contact]) []byte {
	c := r.State
	dst = append(dst, recordFormat)
	dst = AppendStamp(dst, r.Stamp)
	dst = appendContactHead(dst, c)
	dst = appendWriters(dst, r.Writers)
	dst = appendBlock(dst, func(dst []byte) []byte { return appendContactFields(dst, c) })
	dst = binary.AppendUvarint(dst, uint64(len(c.Addresses)))
	for i := range c.Addresses {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendAddress(dst, &c.Addresses[i]) })
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.Tokens)))
	for i := range c.Tokens {
		t := &c.Tokens[i]
		dst = appendBlock(dst, func(dst []byte) []byte { return appendMoment(append(dst, t.Hash[:]...), t.ExpiresAt) })
	}
	return dst
}

func appendContactFields(dst []byte, c *commerce.Contact) []byte {
	for _, text := range c.Texts() {
		dst = appendText(dst, *text)
	}
	dst = append(dst, byte(c.Own))
	dst = appendMoment(appendMoment(dst, c.CreatedAt), c.UpdatedAt)
	dst = binary.AppendUvarint(dst, uint64(len(c.Resets)))
	for i := range c.Resets {
		dst = appendMoment(append(dst, c.Resets[i].Hash[:]...), c.Resets[i].ExpiresAt)
	}
	return dst
}

func appendAddress(dst []byte, a *commerce.Address) []byte {
	dst = append(append(dst, a.ID[:]...), flag(a.IsDefault))
	for _, text := range a.Texts() {
		dst = appendText(dst, *text)
	}
	return dst
}

// appendMoment encodes a time of any year to the nanosecond.
func appendMoment(dst []byte, t time.Time) []byte {
	dst = binary.AppendVarint(dst, t.Unix())
	return binary.AppendUvarint(dst, uint64(t.Nanosecond()))
}

// decodeContact reads a contact's record. The strings of the result share text's memory.
func decodeContact(key engine.RecordKey, text string) (engine.Record[*commerce.Contact], error) {
	r := reader{b: text}
	c := &commerce.Contact{ID: key.ID}
	record := engine.Record[*commerce.Contact]{Size: len(text), Stamp: r.open(recordFormat), State: c}
	r.contactHead(c)
	record.Writers = r.writers()
	r.inBlock(func(r *reader) { r.contactFields(c) })
	c.Addresses = blocks(&r, (*reader).address)
	c.Tokens = blocks(&r, func(r *reader, t *commerce.CustomerToken) {
		copy(t.Hash[:], r.next(len(t.Hash)))
		t.ExpiresAt = r.moment()
	})
	if r.bad {
		return engine.Record[*commerce.Contact]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

func (r *reader) contactFields(c *commerce.Contact) {
	for _, text := range c.Texts() {
		*text = r.text()
	}
	c.Own = commerce.ProfileFields(r.byte())
	c.CreatedAt, c.UpdatedAt = r.moment(), r.moment()
	for range r.count() {
		var p commerce.PasswordReset
		copy(p.Hash[:], r.next(len(p.Hash)))
		p.ExpiresAt = r.moment()
		c.Resets = append(c.Resets, p)
	}
}

func (r *reader) address(a *commerce.Address) {
	a.ID, a.IsDefault = r.uuid(), r.byte() == 1
	for _, text := range a.Texts() {
		*text = r.text()
	}
}

func (r *reader) moment() time.Time { return time.Unix(r.varint(), int64(r.uvarint())).UTC() }

// GuestKept is the time after which a guest's contact leaves that no e-mail of a cart names again, 400
// days in milliseconds.
const GuestKept = "34560000000"

// GuestRecord is the contact that e-mail capture makes. Its stamp is that of the cart's commit,
// which no other state of this record has.
func GuestRecord(g *commerce.Guest, stamp engine.Stamp) []byte {
	state := &commerce.Contact{Guest: true, Email: g.Email, CreatedAt: g.At}
	return appendContact(nil, &engine.Record[*commerce.Contact]{Stamp: stamp, State: state})
}

// HeadText returns the head of a contact's record, empty if there is no record. Errors:
// redisdb.ErrCorrupt.
func HeadText(record string) (string, error) {
	if record == "" {
		return "", nil
	}
	r := reader{b: record}
	r.open(recordFormat)
	head := r.next(ContactHeadSize)
	if r.bad {
		return "", redisdb.ErrCorrupt
	}
	return strings.Clone(head), nil
}
