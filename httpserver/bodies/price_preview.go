package bodies

import (
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Basket is the body of the price of a basket.
var Basket = Form("Basket", func(b *commerce.Basket) *commerce.Faults { return &b.Faults },
	Optional("lines", lineAdds, "Line adds, as if they were sent one after another to a new cart.",
		func(b *commerce.Basket) *commerce.AddLines { return &b.Lines }),
	Optional("discount_codes", codes, "As if they were attached one after another, at most the store's max_discount_codes.",
		func(b *commerce.Basket) *[]string { return &b.Codes }),
	Asked("country", country, "The country of delivery and of the tax, two letters in any case: the answer then has the shipping methods.",
		func(b *commerce.Basket) **commerce.Country { return &b.Country }),
	Asked("at", moment, "The moment of the prices, now if it is absent; from now to 366 days ahead. Needs a key with catalog:manage.",
		func(b *commerce.Basket) *time.Time { return &b.At }).Noted(func(b *commerce.Basket) *bool { return &b.AtSent }),
)

// codes is the kind of lists of discount codes.
var codes = Kind[[]string]{
	Schema: openapi.List(openapi.Text.MaxLength(commerce.MaxCodeLength)),
	read: func(f *fields, name string, list strictjson.Value, into *[]string) {
		if list.Kind() != strictjson.Array {
			f.faults.Add(name, commerce.MsgArray(name))
			return
		}
		*into = make([]string, 0, min(list.Len(), commerce.MaxBatch))
		for i, item := range list.Items() {
			if i == commerce.MaxBatch { // too many for any store
				return
			}
			var code string
			path := name + "." + strconv.Itoa(i)
			if f.counts(required, path, item, true) {
				verbatimCode.read(f, path, item, &code)
			}
			*into = append(*into, code)
		}
	},
}

var verbatimCode = Verbatim(commerce.MaxCodeLength)

// country is the kind of countries of delivery, of two letters in any case.
var country = Kind[*commerce.Country]{
	Schema: openapi.Text.MinLength(commerce.CountryLength).MaxLength(commerce.CountryLength),
	read: func(f *fields, name string, value strictjson.Value, into **commerce.Country) {
		if text, ok := f.text(name, value); ok {
			*into = f.faults.Country(name, commerce.Trim(text))
		}
	},
}

// countryOrNone is country with null and blank for none.
var countryOrNone = Kind[*commerce.Country]{Schema: country.Schema.OrNull(), read: func(
	f *fields, name string, value strictjson.Value, into **commerce.Country,
) {
	var none, sent *commerce.Country
	if none = new(commerce.Country); value.Kind() != strictjson.Null {
		country.read(f, name, value, &sent)
	}
	if *into = none; sent != nil {
		*into = sent
	}
}}

// moment is the kind of times of RFC 3339.
var moment = Kind[time.Time]{Schema: openapi.Time, read: func(f *fields, name string, value strictjson.Value, into *time.Time) {
	text, ok := f.text(name, value)
	if !ok {
		return
	}
	if *into, ok = commerce.ParseTime(commerce.Trim(text)); !ok {
		f.faults.Add(name, commerce.MsgDate(name))
	}
}}
