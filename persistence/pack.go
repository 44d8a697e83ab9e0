package persistence

import "cartd/commerce"

// Pack returns a cart's record as Redis has it. One that holds stock is not packed:
// what was granted short stands behind the record, where only the script writes.
func (d *DB) Pack(r *commerce.CartRecord) string {
	if r.State.Hold.Asks != nil {
		return ""
	}
	return asText(func(b []byte) []byte { return appendCart(b, r) })
}

// Unpack is Pack's reverse.
func (d *DB) Unpack(_ commerce.RecordKey, packed string) (commerce.CartRecord, bool) {
	r, err := decodeCart(packed)
	return r, err == nil
}

// Pack returns nothing: an idle contact leaves, and is read again with the admission
// that next asks for it.
func (Contacts) Pack(*commerce.Record[*commerce.Contact]) string { return "" }

// Unpack has nothing to unpack.
func (Contacts) Unpack(commerce.RecordKey, string) (r commerce.Record[*commerce.Contact], ok bool) {
	return r, false
}
