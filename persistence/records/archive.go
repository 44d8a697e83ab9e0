package records

import (
	"strconv"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

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
