package storefile

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

func exportOf(doc *Document) *Export {
	settings, err := doc.Pages.Settings()
	if err != nil {
		panic(err)
	}
	return &Export{Settings: settings, Keys: doc.Keys, Customers: allOf(doc.Customers, nil)}
}

// allOf yields the customers and then err, unless it is nil.
func allOf(customers []commerce.Customer, err error) iter.Seq2[commerce.Customer, error] {
	return func(yield func(commerce.Customer, error) bool) {
		for _, c := range customers {
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(commerce.Customer{}, err)
		}
	}
}

func exported(t *testing.T, e *Export) string {
	t.Helper()
	var out bytes.Buffer
	if err := e.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// An export is the same store. It has no passwords in clear text.
func TestAnExportIsTheSameStore(t *testing.T) {
	for name, text := range map[string]string{"full": full(t), "minimal": minimal} {
		doc := mustParse(t, text)
		first := exported(t, exportOf(doc))
		again := mustParse(t, first)
		for i := range doc.Customers {
			doc.Customers[i].Password = ""
		}
		expect(t, name+": settings", settingsOf(t, again), settingsOf(t, doc))
		expect(t, name+": keys", again.Keys, doc.Keys)
		expect(t, name+": customers", again.Customers, doc.Customers)
		expect(t, name+": exported twice", exported(t, exportOf(again)), first)
		for _, secret := range []string{"demo-storefront-key", "demo-token-ada", `"password"`} {
			if strings.Contains(first, secret) {
				t.Errorf("%s: the export shows %s:\n%s", name, secret, first)
			}
		}
	}
}

var errWrite = errors.New("broken for a test")

// shortWriter fails after n bytes.
type shortWriter struct{ n int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, errWrite
	}
	return len(p), nil
}

func TestAFailedExportReturnsAnError(t *testing.T) {
	doc := mustParse(t, full(t))
	whole := len(exported(t, exportOf(doc)))
	for n := 0; n < whole; n += 37 {
		if err := exportOf(doc).Write(&shortWriter{n}); !errors.Is(err, errWrite) {
			t.Fatalf("Write of %d bytes to a disk for %d = %v", whole, n, err)
		}
	}
	e := exportOf(doc)
	e.Customers = allOf(slices.Clip(doc.Customers), errWrite)
	if err := e.Write(&bytes.Buffer{}); !errors.Is(err, errWrite) {
		t.Errorf("Write with customers that cannot be read = %v", err)
	}
}

// The current stock replaces the document's stock. The text stays canonical.
func TestSettingsWithTheCurrentStock(t *testing.T) {
	id := func(n byte) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 15: n} }
	now := map[uuid.UUID]commerce.Micros{
		id(1): 2_500_000, id(2): 0, id(3): 7_000_000, id(4): 1, id(5): 0, id(6): 9_000_000, id(7): 0,
	}
	product := func(n byte, members string) string { return `{` + members + `"id":"` + id(n).String() + `"` }
	for _, c := range []struct{ text, want string }{
		{`{}`, `{}`},
		{`{"products":null}`, `{"products":null}`},
		{`{"format":1,"products":[],"store":{"stock":"1"}}`, `{"format":1,"products":[],"store":{"stock":"1"}}`},
		{`{"products":[` + product(1, "") + `,"stock":"1"}]}`, `{"products":[` + product(1, "") + `,"stock":"2.5"}]}`},
		{`{"products":[` + product(2, "") + `,"stock":"1","tax":"x"}]}`, `{"products":[` + product(2, "") + `,"stock":"0","tax":"x"}]}`},
		{`{"products":[` + product(3, "") + `,"slug":"a","tax":"x"}]}`, `{"products":[` + product(3, "") + `,"slug":"a","stock":"7","tax":"x"}]}`},
		{`{"products":[` + product(9, "") + `,"stock":"1","variants":[` + product(4, "") + `,"name":"\u001f"},` + product(5, "") + `},` +
			product(8, "") + `,"stock":null}]}]}`,
			`{"products":[` + product(9, "") + `,"stock":"0","variants":[` + product(4, "") + `,"name":"\u001f","stock":"0.000001"},` + product(5, "") + `},` +
				product(8, "") + `,"stock":null}]}]}`},
		{`{"products":[` + product(1, "") + `,"stock":"1","variants":[` + product(5, "") + `}]},` +
			product(9, `"configurator":{"components":[{"product_id":"`+id(1).String()+`","qty":"1"}]},`) + `,"stock":"4"}]}`,
			`{"products":[` + product(1, "") + `,"stock":"2.5","variants":[` + product(5, "") + `}]},` +
				product(9, `"configurator":{"components":[{"product_id":"`+id(1).String()+`","qty":"1"}]},`) + `,"stock":"0"}]}`},
		{`{"products":[` + product(6, "") + `,"stock":null},` + product(7, "") + `,"stock":null}]}`,
			`{"products":[` + product(6, "") + `,"stock":"9"},` + product(7, "") + `,"stock":null}]}`},
	} {
		got, err := (&Export{OnHand: now}).withCurrent([]byte(c.text))
		if err != nil || string(got) != c.want {
			t.Errorf("%s\n got %s, %v\nwant %s", c.text, got, err, c.want)
		}
	}
	if _, err := (&Export{}).withCurrent([]byte(`{`)); err == nil {
		t.Error("settings that are not JSON were accepted")
	}
}

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
	settings, err := (&Export{Used: used}).withCurrent(before)
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
		if same, err := (&Export{Used: none}).withCurrent(before); err != nil || !bytes.Equal(same, before) {
			t.Errorf("with %v: %s, %v; want them as they were", none, same, err)
		}
	}
}
