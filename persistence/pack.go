package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// Pack appends a cart's record as Redis has it. One that holds stock is not packed:
// what was granted short stands behind the record, where only the script writes.
func (d *DB) Pack(dst []byte, r *engine.CartRecord) []byte {
	if r.State.Hold.Asks != nil {
		return dst
	}
	return records.Carts.Encode(dst, r, nil)
}

// Unpack is Pack's reverse.
func (d *DB) Unpack(_ engine.RecordKey, packed string) (engine.CartRecord, bool) {
	r, err := records.DecodeCart(packed)
	return r, err == nil
}

// Pack appends nothing: an idle contact leaves, and is read again with the admission
// that next asks for it.
func (Contacts) Pack(dst []byte, _ *engine.Record[*commerce.Contact]) []byte { return dst }

// Pack appends nothing, as for contacts.
func (Quotes) Pack(dst []byte, _ *engine.Record[*commerce.Quote]) []byte { return dst }

// Unpack has nothing to unpack.
func (Quotes) Unpack(engine.RecordKey, string) (r engine.Record[*commerce.Quote], ok bool) {
	return r, false
}

// Unpack has nothing to unpack.
func (Contacts) Unpack(engine.RecordKey, string) (r engine.Record[*commerce.Contact], ok bool) {
	return r, false
}
