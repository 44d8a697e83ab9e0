package persistence

import (
	"reflect"
	"testing"

	"cartd/engine"
)

// An idle record is its own bytes in Redis, and comes back as it was.
func TestAnIdleRecordComesBackAsItWas(t *testing.T) {
	db, d := &DB{}, seeded(t)
	packed := 0
	for range 300 {
		r := d.cart(d.IntN(6))
		text := string(db.Pack(nil, r))
		if (text == "") != (r.State.Hold.Asks != nil) {
			t.Fatalf("a cart with %d holds packs to %d bytes", len(r.State.Hold.Asks), len(text))
		}
		if text == "" {
			continue
		}
		packed++
		if got, ok := db.Unpack(engine.RecordKey{}, text); !ok || !reflect.DeepEqual(got, *r) {
			t.Fatalf("came back as %+v, %v\nwant %+v", got, ok, r)
		}
	}
	if packed < 50 {
		t.Errorf("%d of 300 carts were packed", packed)
	}
	if _, ok := db.Unpack(engine.RecordKey{}, "x"); ok {
		t.Error("unpacked what is none")
	}
}
