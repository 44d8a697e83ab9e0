package records

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// golden is a record that a release wrote, and the state that it wrote.
type golden struct {
	Kind   string
	ID     uuid.UUID
	Record []byte
	State  json.RawMessage
}

// wantGolden wants that a record decodes to its state, that the state survives a rewrite in this
// node's format, and that the rewrite has the same bytes if that is the record's format.
func wantGolden[S any](t *testing.T, g *golden, k *Codec[S], want S) {
	t.Helper()
	key := engine.RecordKey{ID: g.ID}
	got, err := k.Decode(key, string(g.Record))
	if err != nil || !reflect.DeepEqual(got.State, want) {
		t.Fatalf("%s %s: %v\n got %+v\nwant %+v", g.Kind, g.ID, err, got.State, want)
	}
	rewritten := k.Encode(nil, &got, nil)
	if g.Record[0] == recordFormat && !bytes.Equal(rewritten, g.Record) {
		t.Errorf("%s %s is written as\n%x, want\n%x", g.Kind, g.ID, rewritten, g.Record)
	}
	again, err := k.Decode(key, string(rewritten))
	if err != nil || !reflect.DeepEqual(again.State, want) || !reflect.DeepEqual(again.Writers, got.Writers) {
		t.Errorf("%s %s, written again: %v\n got %+v\nwant %+v", g.Kind, g.ID, err, again.State, want)
	}
}

// testdata/format1.json has two records of each kind, of which the first has every optional part.
func TestRecordsOfReleasesAreRead(t *testing.T) {
	data, err := os.ReadFile("testdata/format1.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i := range all {
		g := &all[i]
		kinds[g.Kind]++
		switch g.Kind {
		case "order":
			wantGolden(t, g, Orders, stateOf[commerce.Order](t, g))
		case "quote":
			wantGolden(t, g, Quotes, stateOf[commerce.Quote](t, g))
		case "cart":
			wantGolden(t, g, Carts, stateOf[commerce.Cart](t, g))
		case "contact":
			wantGolden(t, g, Contacts, stateOf[commerce.Contact](t, g))
		case "store":
			wantGolden(t, g, Stores, stateOf[engine.StoreState](t, g))
		default:
			t.Fatalf("a record of kind %q", g.Kind)
		}
	}
	if want := (map[string]int{"order": 2, "quote": 2, "cart": 2, "contact": 2, "store": 2}); !maps.Equal(kinds, want) {
		t.Errorf("records of the kinds %v, want %v", kinds, want)
	}
}

func stateOf[T any](t *testing.T, g *golden) *T {
	t.Helper()
	state := new(T)
	if err := json.Unmarshal(g.State, state); err != nil {
		t.Fatal(err)
	}
	return state
}
