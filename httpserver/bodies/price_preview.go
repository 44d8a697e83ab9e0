package bodies

import (
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Basket is the body of the price of a basket.
var Basket = Form("Basket", func(b *commerce.Basket) *commerce.Faults { return &b.Faults },
	field.Nullable("lines", lineAdds, "Line adds, as if they were sent one after another to a new cart.",
		func(b *commerce.Basket) *commerce.AddLines { return &b.Lines }),
	field.Nullable("discount_codes", codes, "As if they were attached one after another, at most the store's max_discount_codes.",
		func(b *commerce.Basket) *[]string { return &b.Codes }),
	field.Optional("country", country, "The country of delivery and of the tax, two letters in any case: the answer then has the shipping methods.",
		func(b *commerce.Basket) **commerce.Country { return &b.Country }),
	noted(field.Optional("at", moment, "The moment of the prices, now if it is absent; from now to 366 days ahead. Needs a key with catalog:manage.",
		func(b *commerce.Basket) *time.Time { return &b.At }),
		func(b *commerce.Basket) *bool { return &b.AtSent }),
)

// codes is the kind of lists of discount codes.
var codes = Kind[[]string]{
	Schema: openapi.List(openapi.Text.MaxLength(commerce.MaxCodeLength)),
	Read: func(v value, into *[]string) {
		if v.Kind() != strictjson.Array {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		*into = make([]string, 0, min(v.Len(), commerce.MaxBatch))
		for i, item := range v.Items() {
			if i == commerce.MaxBatch { // too many for any store
				return
			}
			var code string
			if at := (value{Value: item, name: v.name + "." + strconv.Itoa(i), faults: v.faults}); at.isThere() {
				verbatimCode.Read(at, &code)
			}
			*into = append(*into, code)
		}
	},
}

var verbatimCode = Verbatim(commerce.MaxCodeLength)

// country is the kind of countries of delivery, of two letters in any case.
var country = Kind[*commerce.Country]{
	Schema: openapi.Text.MinLength(commerce.CountryLength).MaxLength(commerce.CountryLength),
	Read: func(v value, into **commerce.Country) {
		if text, ok := v.text(); ok {
			*into = v.faults.Country(v.name, commerce.Trim(text))
		}
	},
}

// countryOrNone is country with null and blank for none.
var countryOrNone = Kind[*commerce.Country]{Schema: country.Schema.OrNull(), Read: func(v value, into **commerce.Country) {
	var none, sent *commerce.Country
	if none = new(commerce.Country); v.Kind() != strictjson.Null {
		country.Read(v, &sent)
	}
	if *into = none; sent != nil {
		*into = sent
	}
}}

// moment is the kind of times of RFC 3339.
var moment = Kind[time.Time]{Schema: openapi.Time, Read: func(v value, into *time.Time) {
	text, ok := v.text()
	if !ok {
		return
	}
	if *into, ok = commerce.ParseTime(commerce.Trim(text)); !ok {
		v.fault(commerce.MsgDate(v.name))
	}
}}
