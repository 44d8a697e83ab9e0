package persistence

import (
	"strconv"

	"cartd/commerce"
	"cartd/engine"
)

// deletedKey is a sorted set of a contact's deleted addresses by the time of their deletion, Unix
// milliseconds: {<store>}:deleted:<customer id>. A member is the format, the time and the packed
// address. Nothing reads them: they are retained. Spec: Address, rule 3.
func deletedKey(k engine.RecordKey) string {
	var key [longestKey]byte
	return string(commerce.AppendID(appendKeyPrefix(key[:0], k.Store, "deleted"), k.ID))
}

// retain puts deleted addresses aside with a visit of their contact, and lets those go
// whose time is over.
func (w *wire) retain(k engine.RecordKey, deleted []commerce.DeletedAddress) {
	key, life := deletedKey(k), commerce.DeletedAddressLifetime
	for i := range deleted {
		d := &deleted[i]
		w.Plan.Sorted("ZADD", key, millis(d.At), retained(d))
		w.Plan.Sorted("ZREMRANGEBYSCORE", key, "-inf", millis(d.At.Add(-life)))
	}
	w.Plan.Sorted("ZREMRANGEBYRANK", key, "0", strconv.Itoa(-1-commerce.MaxDeletedAddresses))
	w.Plan.Write("PEXPIRE", key, life.Milliseconds())
}

func retained(d *commerce.DeletedAddress) []byte {
	return appendAddress(appendTime([]byte{contactFormat}, d.At), &d.Address)
}
