package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// LineAdd is the body of a line add. Spec: POST body (Cart lines).
var LineAdd = Object("LineAdd",
	field.Required("product_id", ID, "", func(a *commerce.AddLine) *uuid.UUID { return &a.ProductID }),
	noted(field.Optional("variant_id", ID, "Needed if the product has active variants, else forbidden.",
		func(a *commerce.AddLine) *uuid.UUID { return &a.VariantID }),
		func(a *commerce.AddLine) *bool { return &a.VariantSent }),
	field.Required("quantity", Quantity, "", func(a *commerce.AddLine) *commerce.Quantity { return &a.Quantity }),
	field.Nullable("configuration", field.OrNull(Selection), "Needed if the product is made to measure, else forbidden.",
		func(a *commerce.AddLine) **commerce.Selection { return &a.Configuration }),
	field.Nullable("properties", field.OrNull(Properties),
		"The line's texts, by the keys of the product's text fields, and by keys of the front end's own, which begin with _.",
		func(a *commerce.AddLine) **commerce.SentProperties { return &a.Properties }),
)

// LineChange is the body of a line's PATCH. Spec: PATCH line body.
var LineChange = Object("LineChange",
	field.Required("quantity", Quantity, "", func(l *commerce.ChangeLine) *commerce.Quantity { return &l.Quantity }),
	noted(field.Nullable("properties", field.OrNull(Properties), "Replaces the whole map; null clears it.",
		func(l *commerce.ChangeLine) **commerce.SentProperties { return &l.Properties }),
		func(l *commerce.ChangeLine) *bool { return &l.PropertiesSent }),
)

// LineBatch is the body of a batch.
var LineBatch = Object("LineBatch",
	field.Required("lines", field.Shaped(lineAdds, lineAdds.Schema.MinItems(1)), "Line adds, applied in this order.",
		func(a *commerce.AddLines) *commerce.AddLines { return a }),
)

// lineAdds is the kind of lists of line adds.
var lineAdds = listOf[commerce.AddLines](LineAdd, commerce.MaxBatch, func(item strictjson.Value) (entry commerce.BatchedAdd) {
	entry.AddLine, entry.Fault = LineAdd.entry(item)
	return entry
})

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
	field.Read(field.IsRequiredIfSent, "quantity", field.IfAbsent(Quantity, commerce.One), "1 if absent.",
		func(a *AskedConfiguration) *commerce.Quantity { return &a.Quantity }))

// Properties is the kind of a line's texts by their keys, in the order in which these first appear. The product judges the keys and the
// texts. An empty list counts as an empty map.
var Properties = Kind[*commerce.SentProperties]{
	Schema: openapi.Map(openapi.Text.OrNull()).MaxFields(commerce.MaxProperties),
	Read: func(v value, into **commerce.SentProperties) {
		if v.Kind() != strictjson.Object && !emptyContainer(v.Value) {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		*into = sentProperties(v.Value)
	},
}

func sentProperties(object strictjson.Value) *commerce.SentProperties {
	all, at := commerce.SentProperties{}, map[string]int{}
	for key, value := range object.Members() {
		i, known := at[key]
		if !known {
			i, at[key] = len(all), len(all)
			all = append(all, commerce.SentText{Key: key})
		}
		text := &all[i] // the last of a repeated key counts
		text.Text, text.NoText = "", value.Kind() != strictjson.String && value.Kind() != strictjson.Null
		if value.Kind() == strictjson.String {
			text.Text = value.Text()
		}
	}
	return &all
}
