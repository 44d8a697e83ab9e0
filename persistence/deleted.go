package persistence

import (
	"fmt"

	"cartd/commerce"
	"cartd/engine"
)

// deletedKey is the list of a contact's deleted addresses, the latest last:
// {<store>}:deleted:<customer id>. An entry is its time of deletion (Unix ms, 13 digits),
// the format and the packed address. Nothing reads them: they are retained.
// Spec: Address, rule 3.
func deletedKey(k engine.RecordKey) string {
	var key [longestKey]byte
	return string(commerce.AppendID(appendKeyPrefix(key[:0], k.Store, "deleted"), k.ID))
}

// retain puts deleted addresses aside with a commit of their contact, and lets those go
// whose time is over.
func (w *wire) retain(k engine.RecordKey, deleted []commerce.DeletedAddress) {
	key := deletedKey(k)
	for i := range deleted {
		w.add(retainDeleted, key, retained(&deleted[i]))
	}
}

// retained is a deleted address as the commit script takes it.
func retained(d *commerce.DeletedAddress) []byte {
	life := commerce.DeletedAddressLifetime
	over := max(0, d.At.Add(-life).UnixMilli()) // the script reads digits only
	text := fmt.Appendf(nil, "%013d %d %d\n%013d", over, commerce.MaxDeletedAddresses, life.Milliseconds(), d.At.UnixMilli())
	return appendAddress(append(text, contactFormat), &d.Address)
}
