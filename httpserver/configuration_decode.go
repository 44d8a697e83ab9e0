package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// configuration reads a line's configuration. It returns nil if none was sent, or null. The
// configurator validates the contents. Spec: POST body (Cart lines), configuration.
func (f *fields) configuration(name string) *commerce.Selection {
	value, sent := f.optionalMap(name)
	if !sent || value.Kind() == strictjson.Null {
		return nil
	}
	return selectionOf(value)
}

// selectionOf reads the members dimensions and choices of an object.
func selectionOf(object strictjson.Value) *commerce.Selection {
	var s commerce.Selection
	if value, sent := object.Get("dimensions"); sent {
		s.Dimensions = measures(value)
		s.NoMap = value.Kind() != strictjson.Object && !emptyList(value)
	}
	if value, sent := object.Get("choices"); sent {
		s.Choices, s.NoList = choiceIDs(value)
	}
	return &s
}

// emptyList reports whether a value is [], which counts as an empty map.
func emptyList(value strictjson.Value) bool {
	return value.Kind() == strictjson.Array && emptyContainer(value)
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

// choiceIDs reads the ids, not trimmed. noList is true if the value is no list of strings.
func choiceIDs(value strictjson.Value) (ids []string, noList bool) {
	for _, item := range value.Items() {
		if item.Kind() != strictjson.String {
			return nil, true
		}
		ids = append(ids, item.Text())
	}
	return ids, value.Kind() != strictjson.Array
}

// configurationQuoteShape is the body of a configurator quote.
var configurationQuoteShape = openapi.Object("ConfigurationQuoteRequest").
	May("dimensions", openapi.Map(openapi.Anything), "Whole millimetres by the dimension's key.").
	May("choices", openapi.List(openapi.Text), "Ids of choices.").
	May("quantity", quantityShape, "1 if absent.")

// decodeConfigurationQuote reads the body of a configurator quote. The quantity is 1 if absent.
func decodeConfigurationQuote(body sentBody) (*commerce.Selection, commerce.Quantity, *commerce.Refusal) {
	f := decodeObject(body)
	quantity := commerce.One
	if _, sent := f.object.Get("quantity"); sent {
		quantity = f.requiredQuantity("quantity")
	}
	return selectionOf(f.object), quantity, f.refusal()
}
