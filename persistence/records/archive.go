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

func (c *coder) archived(d *commerce.DeletedAddress) {
	c.out = append(c.out, c.format)
	c.time(&d.At)
	c.address(&d.Address)
}

// ReadDeletedAddress reads a member of the archive. Errors: redisdb.ErrCorrupt.
func ReadDeletedAddress(member string) (d commerce.DeletedAddress, err error) {
	c := reading(member)
	if member == "" || member[0] < 1 || member[0] > newestFormat {
		return d, redisdb.ErrCorrupt
	}
	c.format, c.in.b = member[0], member[1:]
	c.time(&d.At)
	c.address(&d.Address)
	if c.in.bad {
		return d, redisdb.ErrCorrupt
	}
	return d, nil
}
