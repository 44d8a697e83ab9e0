package records

import (
	"strconv"

	"cartd/commerce"
	"cartd/engine"
)

// DeletedKey is a sorted set of a contact's deleted addresses by the time of their deletion, Unix
// milliseconds: {<store>}:deleted:<customer id>. A member is the format, the time and the packed
// address. Nothing reads them: they are an archive. Spec: Address, rule 3.
func DeletedKey(k engine.RecordKey) string { return IDKey(k, "deleted") }

// ArchiveAddresses puts deleted addresses aside with a visit of their contact, and drops those
// whose time is over.
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
	return appendAddress(appendTime([]byte{recordFormat}, d.At), &d.Address)
}
