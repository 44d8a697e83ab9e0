package commerce

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fill gives every text of a record a value, every list one entry, and every pointer a target. It calls
// each with the path of each text.
func fill(v reflect.Value, path string, each func(path string, text reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		each(path, v)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path, each)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), path, each)
	case reflect.Struct:
		if v.Type().PkgPath() != "cartd/commerce" { // a time
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), each)
			}
		}
	}
}

// storedRecord is a kind of record in Redis.
type storedRecord interface{ BrokenBounds() *Refusal }

// A stored record with a control character in any of its texts is found: a text that is forgotten in
// BrokenBounds fails here.
func TestEveryTextOfAStoredRecordIsJudged(t *testing.T) {
	madeHere := func(path string) bool {
		return path == "Reasons" || path == "Uses.Field" || strings.HasSuffix(path, ".Components.Quantity")
	}
	judged := 0
	for _, make := range []func() storedRecord{
		func() storedRecord { return new(Cart) }, func() storedRecord { return new(Contact) }, func() storedRecord { return new(Order) },
		func() storedRecord { return new(Quote) },
	} {
		var paths []string
		record := make()
		set := func(hostile, char string) *Refusal {
			fill(reflect.ValueOf(record).Elem(), "", func(path string, text reflect.Value) {
				text.SetString("1")
				if path == hostile {
					text.SetString("a" + char + "b")
				}
			})
			if m := reflect.ValueOf(record).Elem().FieldByName("Metadata"); m.IsValid() && strings.HasPrefix(hostile, "Metadata") {
				m.Index(0).FieldByName("Value").FieldByName("IsString").SetBool(true)
			}
			return record.BrokenBounds()
		}
		fill(reflect.ValueOf(record).Elem(), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
		if r := set("", ""); r != nil {
			t.Fatalf("%T: %+v without a hostile text", record, r.Fields)
		}
		for _, path := range paths {
			if madeHere(path) {
				continue
			}
			judged++
			verbatim := strings.HasPrefix(path, "Metadata") || strings.HasSuffix(path, ".Code") || strings.HasPrefix(path, "Codes")
			if r := set(path, "\x00"); r == nil || len(r.Fields) != 1 || r.Fields[0].Messages[0].Row() != MsgControlCharacter("").Row() {
				t.Errorf("%T.%s with U+0000: %+v", record, path, r)
			}
			if r := set(path, "\x01"); (r == nil) != verbatim {
				t.Errorf("%T.%s with U+0001: %+v", record, path, r)
			}
		}
	}
	if judged < 80 {
		t.Errorf("%d texts were judged, too few", judged)
	}
}

// Names had no maximum once: a stored record that has a longer one is found.
func TestLongNamesOfStoredRecordsAreJudged(t *testing.T) {
	long := strings.Repeat("é", MaxName+1)
	ordered := []OrderLine{{Line: Line{Name: long}, VariantName: long}}
	for i, c := range []struct {
		record storedRecord
		fields []string
	}{
		{&Cart{Lines: []Line{{Name: long}}}, []string{"lines.0.name"}},
		{&Contact{FirstName: long, LastName: long, CompanyName: long}, []string{"first_name", "last_name", "company_name"}},
		{&Order{Lines: ordered, Discounts: []OrderDiscount{{Name: long}}, Shipping: &OrderShipping{Name: long}},
			[]string{"lines.0.name", "lines.0.variant_name", "discounts.0.name", "shipping.name"}},
	} {
		var got []string
		if r := c.record.BrokenBounds(); r != nil {
			for _, f := range r.Fields {
				got = append(got, f.Field)
			}
		}
		if !slices.Equal(got, c.fields) {
			t.Errorf("%d, %T: %q is named, want %q", i, c.record, got, c.fields)
		}
	}
	if r := (&Contact{FirstName: long[:2*MaxName]}).BrokenBounds(); r != nil {
		t.Errorf("a name of %d characters is named: %+v", MaxName, r.Fields)
	}
}

// Numbers that others cannot read are found in the metadata of stored records.
func TestNumbersOfStoredMetadataAreJudged(t *testing.T) {
	m := Metadata{{Key: "n", Value: Scalar{Text: "1e400"}}}
	for _, record := range []storedRecord{&Cart{Metadata: m}, &Order{Metadata: m}, &Quote{Metadata: m}} {
		if r := record.BrokenBounds(); r == nil || r.Fields[0].Field != "metadata.n" || r.Fields[0].Messages[0].Row() != MsgScalar("").Row() {
			t.Errorf("%T: %+v", record, r)
		}
	}
	for text, want := range map[string]bool{
		"": false, "1": true, "-1.5e10": true, "true": true, "false": true, "null": true, "1e400": false, "-1e400": false, "1e-400": true, strings.Repeat("1",
			32): true,
		strings.Repeat("1", 33): false,
	} {
		if got := (Scalar{Text: text}).Readable(); got != want {
			t.Errorf("%q is readable: %v", text, got)
		}
	}
}
