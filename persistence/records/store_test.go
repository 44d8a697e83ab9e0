package records

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/engine"
)

func storeRecord() engine.Record[*engine.StoreState] {
	at := time.UnixMilli(1_800_000_000_123).UTC()
	return engine.Record[*engine.StoreState]{
		Stamp: engine.Stamp{Counter: 8, Writer: 9, Sequence: 1}, Writers: []engine.Writer{{ID: 2, Sequence: 3, At: at}},
		State: &engine.StoreState{
			Changed: true, Hash: [32]byte{1, 31: 2}, Revised: engine.Stamp{Counter: 7, Writer: 2, Sequence: 3}, At: at, Products: 300, Limit: 77,
			Last: engine.StoreLine{By: "key erp", At: at, Sets: 40}, Ring: storefile.PageName{3}, Secrets: storefile.PageName{15: 4},
			Table: storefile.Table{Cut: 512, Rest: []byte(`{"format":1}`), Pages: []storefile.PageName{{5}, {6}, {7}}},
		},
	}
}

func TestStoreRecordIsReadAsItWasWritten(t *testing.T) {
	for name, edit := range map[string]func(*engine.StoreState){
		"whole": func(*engine.StoreState) {},
		"plain": func(s *engine.StoreState) {
			*s = engine.StoreState{Table: storefile.Table{Cut: 64, Rest: []byte("{}")}}
		},
		"large": func(s *engine.StoreState) { s.Pages = make([]storefile.PageName, 13_000) },
		"dropped": func(s *engine.StoreState) {
			*s = engine.StoreState{Dropped: true, Table: storefile.Table{Rest: []byte{}}}
		},
	} {
		want := storeRecord()
		edit(want.State)
		text := string(Stores.Encode(nil, &want, nil))
		want.Size = len(text)
		got, err := Stores.Decode(engine.RecordKey{}, text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got.State, want.State)
		}
		for n := 0; n < len(text) && name == "whole"; n++ {
			if got, err := Stores.Decode(engine.RecordKey{}, text[:n]); err == nil {
				t.Errorf("cut to %d of %d bytes: read %+v", n, len(text), got.State)
			}
		}
	}
}

// A revision is the version of the commit that last changed the document.
func TestRevisionOfAStore(t *testing.T) {
	record := storeRecord()
	if got := record.State.Revision(); got != "691da87795cf98b3" {
		t.Errorf("revision %s", got)
	}
}

func TestKeysOfAStore(t *testing.T) {
	store := uuid.MustParse("11111111-1111-4111-8111-111111111111")
	if got, want := Stores.Key(engine.RecordKey{Store: store}), "{11111111-1111-4111-8111-111111111111}:store"; got != want {
		t.Errorf("the record's key is %s, want %s", got, want)
	}
	if got, want := PageKey(store, storefile.PageName{1, 15: 255}), "{11111111-1111-4111-8111-111111111111}:page:010000000000000000000000000000ff"; got != want {
		t.Errorf("a page's key is %s, want %s", got, want)
	}
	v := NewVisit(Stores, &engine.Visit[*engine.StoreState]{Key: engine.RecordKey{Store: store}, Writes: true, Next: storeRecord()}, nil)
	if v.Key != "{11111111-1111-4111-8111-111111111111}:store" || v.Expiry != "" || v.Seen != "" {
		t.Errorf("the visit is of %s, seen %q, expires %q", v.Key, v.Seen, v.Expiry)
	}
}
