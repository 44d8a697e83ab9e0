package bodies

import (
	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// selection are the fields of a configuration. The configurator judges their contents and their shapes.
var selection = field.Rows(
	field.Nullable("dimensions", dimensions, "Whole millimetres by the dimension's key.", func(s *commerce.Selection) *commerce.Selection { return s }),
	field.Nullable("choices", choices, "Ids of choices.", func(s *commerce.Selection) *commerce.Selection { return s }),
)

var selectionBody = Object("Selection", selection...)

// Selection is the kind of a line's configuration. An empty list counts as an empty object. Spec: POST body (Cart lines), configuration.
var Selection = Kind[*commerce.Selection]{
	Schema: selectionBody.Schema,
	Read: func(v value, into **commerce.Selection) {
		if v.Kind() != strictjson.Object && !emptyContainer(v.Value) {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		*into = new(commerce.Selection)
		selectionBody.below(v, *into)
	},
}

// dimensions is the kind of measures by their key. An empty list counts as an empty map.
var dimensions = Kind[commerce.Selection]{
	Schema: openapi.Map(openapi.Anything),
	Read: func(v value, into *commerce.Selection) {
		into.NoMap = v.Kind() != strictjson.Object && (v.Kind() != strictjson.Array || !emptyContainer(v.Value))
		into.Dimensions = measures(v.Value)
	},
}

func measures(object strictjson.Value) (all []commerce.Measure) {
	for key, value := range object.Members() {
		m := commerce.Measure{Key: key}
		if value.Kind() == strictjson.Number {
			m.Value, m.Whole = commerce.ParseWhole(string(value))
		}
		all = append(all, m)
	}
	return all
}

// choices is the kind of lists of ids, which are not trimmed.
var choices = Kind[commerce.Selection]{
	Schema: openapi.List(openapi.Text),
	Read: func(v value, into *commerce.Selection) {
		into.Choices, into.NoList = choiceIDs(v.Value)
	},
}

// choiceIDs reads the ids. noList is true if the value is no list of strings.
func choiceIDs(value strictjson.Value) (ids []string, noList bool) {
	for _, item := range value.Items() {
		if item.Kind() != strictjson.String {
			return nil, true
		}
		ids = append(ids, item.Text())
	}
	return ids, value.Kind() != strictjson.Array
}

// AskedConfiguration is a configuration of which the price is asked.
type AskedConfiguration struct {
	commerce.Selection
	Quantity commerce.Quantity
}

// ConfigurationQuote is the body of a configurator quote.
var ConfigurationQuote = Object("ConfigurationQuoteRequest",
	field.Of(selection, func(a *AskedConfiguration) *commerce.Selection { return &a.Selection }),
	field.Read(field.NeededIfSent, "quantity", field.IfAbsent(Quantity, commerce.One), "1 if absent.",
		func(a *AskedConfiguration) *commerce.Quantity { return &a.Quantity }))
