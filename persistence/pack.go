package persistence

import "cartd/commerce"

// Pack appends a cart's record as Redis has it. One that holds stock is not packed:
// what was granted short stands behind the record, where only the script writes.
func (d *DB) Pack(dst []byte, r *commerce.CartRecord) []byte {
	if r.State.Hold.Asks != nil {
		return dst
	}
	return appendCart(dst, r)
}

// Unpack is Pack's reverse.
func (d *DB) Unpack(_ commerce.RecordKey, packed string) (commerce.CartRecord, bool) {
	r, err := decodeCart(packed)
	return r, err == nil
}

// Pack appends nothing: an idle contact leaves, and is read again with the admission
// that next asks for it.
func (Contacts) Pack(dst []byte, _ *commerce.Record[*commerce.Contact]) []byte { return dst }

// Unpack has nothing to unpack.
func (Contacts) Unpack(commerce.RecordKey, string) (r commerce.Record[*commerce.Contact], ok bool) {
	return r, false
}
