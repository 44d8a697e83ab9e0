package persistence

import (
	"reflect"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// An idle record is packed as its bytes in Redis, and unpacked unchanged. A cart with a hold is
// not packed.
func TestPackedRecordIsUnpackedUnchanged(t *testing.T) {
	db, r := Carts.In(&DB{}), cartAt(3, "a@b.co")
	text := string(db.Pack(nil, &r))
	r.Size = len(text)
	if got, ok := db.Unpack(engine.RecordKey{}, text); !ok || !reflect.DeepEqual(got, r) {
		t.Errorf("unpacked %+v, %v\nwant %+v", got, ok, r)
	}
	r.State.Hold.Asks = []commerce.StockAsk{{Item: nails, Quantity: 1}}
	if text := db.Pack(nil, &r); text != nil {
		t.Errorf("a cart that holds stock packs to %d bytes", len(text))
	}
	if _, ok := db.Unpack(engine.RecordKey{}, "x"); ok {
		t.Error("unpacked a text that is no record")
	}
}
