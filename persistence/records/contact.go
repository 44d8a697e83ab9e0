package records

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// ContactPrefix is what the keys of all contacts of a store begin with.
func ContactPrefix(store uuid.UUID) string { return KeyPrefix(store, engine.ContactKind.Name) }

// ContactHeadSize is the size of a contact's head, which directly follows the stamp, at a fixed position,
// so that admissions read nothing else: flags (1 byte), session number (8), group (16).
const ContactHeadSize = 1 + 8 + 16

func (c *coder) contactHead(v *commerce.Contact) {
	c.flags(&v.Guest, &v.B2B, &v.Approved, &v.ReverseCharge)
	c.uint64(&v.Session)
	c.uuid(&v.GroupID)
}

// ParseContactHead reads a contact's head. It returns false if the text is none.
func ParseContactHead(text string) (v commerce.Contact, ok bool) {
	c := reading(text)
	c.contactHead(&v)
	return v, !c.in.bad
}

// ContactStamp reads a contact's stamp from the beginning of its record.
func ContactStamp(text string) engine.Stamp {
	r := reader{b: text}
	_, stamp := r.open(newestFormat)
	return stamp
}

// appendContact encodes a contact's record.
func appendContact(dst []byte, r *engine.Record[*commerce.Contact]) []byte {
	c := writing(dst)
	for c.contact(r); !c.written(dst); c.contact(r) {
	}
	return c.out
}

// decodeContact reads a contact's record. The strings of the result share text's memory.
func decodeContact(key engine.RecordKey, text string) (engine.Record[*commerce.Contact], error) {
	c := reading(text)
	record := engine.Record[*commerce.Contact]{Size: len(text), State: &commerce.Contact{ID: key.ID}}
	if c.contact(&record); c.in.bad {
		return engine.Record[*commerce.Contact]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

// contact is a contact's record. After its head and the writers come a block of fields, then
// addresses and tokens, each in a block.
func (c *coder) contact(r *engine.Record[*commerce.Contact]) {
	c.open(&r.Stamp)
	c.contactHead(r.State)
	c.writers(&r.Writers)
	c.block(func() { c.contactFields(r.State) })
	blocks(c, &r.State.Addresses, c.address)
	blocks(c, &r.State.Tokens, c.token)
}

func (c *coder) contactFields(v *commerce.Contact) {
	texts := v.Texts()
	c.texts(texts[:]...)
	code(c, &v.Own)
	c.moment(&v.CreatedAt)
	c.moment(&v.UpdatedAt)
	entries(c, &v.Resets, func(p *commerce.PasswordReset) {
		c.bytes(p.Hash[:])
		c.moment(&p.ExpiresAt)
	})
}

func (c *coder) token(t *commerce.CustomerToken) {
	c.bytes(t.Hash[:])
	c.moment(&t.ExpiresAt)
}

func (c *coder) address(a *commerce.Address) {
	c.uuid(&a.ID)
	c.is(&a.IsDefault)
	texts := a.Texts()
	c.texts(texts[:]...)
}

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
	r.open(newestFormat)
	head := r.next(ContactHeadSize)
	if r.bad {
		return "", redisdb.ErrCorrupt
	}
	return strings.Clone(head), nil
}

// DeletedKey is the key of a contact's deleted addresses by the time of their deletion, Unix
// milliseconds (ZSET): {<store>}:deleted:<customer id>. A member is the format, the time and
// the packed address. The set is an archive: no node reads it, only `cartd show customer --json`. Spec:
// Address, rule 3.
func DeletedKey(k engine.RecordKey) string { return idKey(k, "deleted") }

// ArchiveAddresses adds deleted addresses to the archive with a visit of their contact, and
// drops the expired ones.
func ArchiveAddresses(plan *Plan, k engine.RecordKey, deleted []commerce.DeletedAddress) {
	key, life := DeletedKey(k), commerce.DeletedAddressLifetime
	for i := range deleted {
		d := &deleted[i]
		plan.Sorted("ZADD", key, Millis(d.At), archived(d))
		plan.Sorted("ZREMRANGEBYSCORE", key, "-inf", Millis(d.At.Add(-life)))
	}
	plan.Sorted("ZREMRANGEBYRANK", key, "0", strconv.Itoa(-1-commerce.MaxDeletedAddresses))
	plan.Write("PEXPIRE", key, life.Milliseconds())
}

func archived(d *commerce.DeletedAddress) []byte {
	c := writing(nil)
	for c.archived(d); !c.written(nil); c.archived(d) {
	}
	return c.out
}

// archived is a member of the archive: its format, the time and the address.
func (c *coder) archived(d *commerce.DeletedAddress) {
	code(c, &c.format)
	c.check(c.format >= 1 && c.format <= newestFormat)
	c.time(&d.At)
	c.address(&d.Address)
}

// ReadDeletedAddress reads a member of the archive. Errors: redisdb.ErrCorrupt.
func ReadDeletedAddress(member string) (d commerce.DeletedAddress, err error) {
	c := reading(member)
	if c.archived(&d); c.in.bad {
		err = redisdb.ErrCorrupt
	}
	return d, err
}
