package bodies

import (
	"reflect"
	"testing"
	"time"

	"cartd/commerce"
)

// The fields of a basket: lists of any length up to their limits, a country and a moment that may be null or
// blank. Every fault is found, in the order of the fields.
func TestBasketFields(t *testing.T) {
	const nl, list, codes = "country: The country field must be 2 characters.", "lines: The lines field must be an array.",
		"discount_codes: The discount codes field must be an array."
	const date = "at: The at field must be a valid date."
	at := time.Date(2026, 12, 24, 18, 0, 0, 0, time.FixedZone("", 3600))
	for _, row := range []struct {
		body  string
		want  commerce.Basket
		fault string
	}{
		{`{}`, commerce.Basket{}, ""},
		{`{"lines":[],"discount_codes":[],"country":null,"at":null}`, commerce.Basket{Lines: commerce.AddLines{}, Codes: []string{}}, ""},
		{`{"country":" nl ","at":" 2026-12-24T18:00:00+01:00 "}`, commerce.Basket{Country: &commerce.Country{'N', 'L'}, At: at, AtSent: true}, ""},
		{`{"country":"","at":"  "}`, commerce.Basket{}, ""},
		{`{"discount_codes":[" A ","a"]}`, commerce.Basket{Codes: []string{" A ", "a"}}, ""},
		{`{"lines":null}`, commerce.Basket{}, list}, {`{"lines":{}}`, commerce.Basket{}, list}, {`{"lines":"x"}`, commerce.Basket{}, list},
		{`{"discount_codes":"A"}`, commerce.Basket{}, codes}, {`{"discount_codes":null}`, commerce.Basket{}, codes},
		{`{"discount_codes":["A",null,7," "]}`, commerce.Basket{Codes: []string{"A", "", "", ""}},
			"discount_codes.1: The discount_codes.1 field is required.; discount_codes.2: The discount_codes.2 field must be a string.; " +
				"discount_codes.3: The discount_codes.3 field is required."},
		{`{"country":"NLD"}`, commerce.Basket{Country: &commerce.Country{}}, nl}, {`{"country":"N1"}`, commerce.Basket{Country: &commerce.Country{}}, nl},
		{`{"country":7}`, commerce.Basket{}, "country: The country field must be a string."},
		{`{"at":"tomorrow"}`, commerce.Basket{AtSent: true}, date}, {`{"at":"2026-12-24"}`, commerce.Basket{AtSent: true}, date},
		{`{"at":7}`, commerce.Basket{AtSent: true}, "at: The at field must be a string."},
		{`{"at":"x","country":"x","discount_codes":1,"lines":1}`, commerce.Basket{AtSent: true, Country: &commerce.Country{}},
			list + "; " + codes + "; " + nl + "; " + date},
	} {
		got, fault := Basket.Read(Parse([]byte(row.body)))
		faults := faultsOf(got.Faults.Refusal())
		got.Faults = commerce.Faults{}
		if got.At.Equal(row.want.At) {
			got.At = row.want.At
		}
		if fault != nil || !reflect.DeepEqual(got, row.want) || faults != row.fault {
			t.Errorf("%s: got %+v, %s\nwant %+v, %s", row.body, got, faults, row.want, row.fault)
		}
	}
	if _, fault := Basket.Read(Parse([]byte(`[1]`))); fault != commerce.InvalidJSON {
		t.Errorf("a list: %v", fault)
	}
}

// An entry's faults are its own; more entries than a batch may have are a fault of the list.
func TestBasketLines(t *testing.T) {
	line := `{"product_id":"` + testLine + `","quantity":2}`
	got, _ := Basket.Read(Parse([]byte(`{"lines":[` + line + `,7,[],{"product_id":"` + testLine + `"}]}`)))
	if got.Faults.Refusal() != nil || len(got.Lines) != 4 || got.Lines[0].Fault != nil || got.Lines[0].Quantity != 2*commerce.One {
		t.Fatalf("got %+v, %s", got.Lines, faultsOf(got.Faults.Refusal()))
	}
	for i, want := range []string{"", ": The  field must be an array.",
		"product_id: The product id field is required.; quantity: The quantity field is required.", "quantity: The quantity field is required."} {
		if faults := faultsOf(got.Lines[i].Fault); faults != want {
			t.Errorf("entry %d: got %q, want %q", i, faults, want)
		}
	}
	many := `{"lines":[` + line
	for range commerce.MaxBatch {
		many += "," + line
	}
	got, _ = Basket.Read(Parse([]byte(many + "]}")))
	if faults := faultsOf(got.Faults.Refusal()); faults != "lines: The lines field must not have more than 100 items." {
		t.Errorf("101 entries: %s", faults)
	}
}
