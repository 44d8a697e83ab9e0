package storefile

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
)

// An export writes the usage at its canonical position. An import of it gives the same text.
func TestAnExportHasTheUsageOfDiscounts(t *testing.T) {
	text := `{"format":1,"store":{"id":"11111111-1111-4111-8111-111111111111","name":"S","modules":[]},"discounts":[
		{"id":"60000000-0000-4000-8000-000000000001","name":"a","kind":"order","used":7,"value":{"type":"fixed","amount":1}},
		{"id":"60000000-0000-4000-8000-000000000002","name":"b","kind":"order","usage_limit":9,"value":{"type":"fixed","amount":1}},
		{"id":"60000000-0000-4000-8000-000000000003","name":"c","kind":"bogo","buy":{},"get":{}},
		{"id":"60000000-0000-4000-8000-000000000004","name":"d","kind":"order","used":5,"value":{"type":"fixed","amount":1}},
		{"id":"60000000-0000-4000-8000-000000000005","name":"e","kind":"order","value":{"type":"fixed","amount":1}},
		{"id":"60000000-0000-4000-8000-000000000006","name":"f","kind":"order","used":3,"value":{"type":"fixed","amount":1}}]}`
	doc := mustParse(t, text)
	used := map[uuid.UUID]int64{}
	for i, n := range []int64{12, 3, 100, 5, 0} { // the sixth is unknown
		used[doc.Store.Discounts[i].ID] = n
	}
	before := []byte(settingsOf(t, doc))
	settings, err := withUsed(before, used)
	if err != nil {
		t.Fatal(err)
	}
	again := mustParse(t, string(settings))
	for i, want := range []int64{12, 3, 100, 5, 0, 3} {
		if got := again.Store.Discounts[i].Used; got != want {
			t.Errorf("discount %d: used %d, want %d", i, got, want)
		}
	}
	if want := settingsOf(t, again); string(settings) != want {
		t.Errorf("the settings are not canonical:\n%s\nwant\n%s", settings, want)
	}
	for _, none := range []map[uuid.UUID]int64{nil, {}, {doc.Store.Discounts[0].ID: 7, doc.Store.Discounts[4].ID: 0}} {
		if same, err := withUsed(before, none); err != nil || !bytes.Equal(same, before) {
			t.Errorf("with %v: %s, %v; want them as they were", none, same, err)
		}
	}
}
