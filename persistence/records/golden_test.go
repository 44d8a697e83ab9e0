package records

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// golden is a record that the release before wrote, and the state that it wrote.
type golden struct {
	Kind   string
	ID     uuid.UUID
	Record []byte
	State  json.RawMessage
}

// wantGolden wants that a record of an earlier format decodes to its state, and that the state
// survives a rewrite in this node's format.
func wantGolden[S any](t *testing.T, g *golden, k *Codec[S], want S) {
	t.Helper()
	key := engine.RecordKey{ID: g.ID}
	got, err := k.Decode(key, string(g.Record))
	if err != nil || !reflect.DeepEqual(got.State, want) {
		t.Fatalf("%s %s: %v\n got %+v\nwant %+v", g.Kind, g.ID, err, got.State, want)
	}
	again, err := k.Decode(key, string(k.Encode(nil, &got, nil)))
	if err != nil || !reflect.DeepEqual(again.State, want) || !reflect.DeepEqual(again.Writers, got.Writers) {
		t.Errorf("%s %s, written again: %v\n got %+v\nwant %+v", g.Kind, g.ID, err, again.State, want)
	}
}

// testdata/format1.json has records that a node of format 1 wrote. They are read with the fields of
// that day; an order's price with tax follows from its totals.
func TestRecordsOfFormat1AreRead(t *testing.T) {
	data, err := os.ReadFile("testdata/format1.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	withTax := map[byte]commerce.Amount{41: 695, 42: 695 + 63}
	for i := range all {
		g := &all[i]
		state := func(s any) {
			if err := json.Unmarshal(g.State, s); err != nil {
				t.Fatal(err)
			}
		}
		switch g.Kind {
		case "order":
			var o commerce.Order
			if state(&o); o.Shipping != nil {
				o.Shipping.PriceWithTax = withTax[g.ID[15]]
			}
			wantGolden(t, g, Orders, &o)
		case "quote":
			var q commerce.Quote
			state(&q)
			wantGolden(t, g, Quotes, &q)
		case "cart":
			var c commerce.Cart
			state(&c)
			wantGolden(t, g, Carts, &c)
		case "contact":
			var c commerce.Contact
			state(&c)
			wantGolden(t, g, Contacts, &c)
		default:
			t.Fatalf("a record of kind %q", g.Kind)
		}
	}
	if len(all) != 7 {
		t.Errorf("read %d records", len(all))
	}
}
