package bodies

import (
	"reflect"
	"testing"

	"cartd/commerce"
)

func TestConfigurationQuoteFields(t *testing.T) {
	whole := func(key string, value int64) commerce.Measure {
		return commerce.Measure{Key: key, Value: value, Whole: true}
	}
	for _, c := range []struct {
		body     string
		want     commerce.Selection
		quantity commerce.Quantity
		fault    string
	}{
		{``, commerce.Selection{}, commerce.One, ""},
		{`{"dimensions":{},"choices":[]}`, commerce.Selection{}, commerce.One, ""},
		{`{"dimensions":{"width":1200,"h\u0065ight":1.2e3}}`, commerce.Selection{Dimensions: []commerce.Measure{whole("width", 1200), whole("height", 1200)}},
			commerce.One, ""},
		{`{"dimensions":{"a":"1200","b":null,"c":true,"d":[],"e":{},"f":1200.5,"g":-1}}`, commerce.Selection{Dimensions: []commerce.Measure{
			{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}, {Key: "e"}, {Key: "f"}, whole("g", -1),
		}}, commerce.One, ""},
		{`{"dimensions":{"a":"x","a":5}}`, commerce.Selection{Dimensions: []commerce.Measure{{Key: "a"}, whole("a", 5)}}, commerce.One, ""},
		{`{"choices":["b"," a","b",""]}`, commerce.Selection{Choices: []string{"b", " a", "b", ""}}, commerce.One, ""},
		{`{"dimensions":"x","choices":"x"}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"dimensions":[1],"choices":{}}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"choices":["a",1]}`, commerce.Selection{NoList: true}, commerce.One, ""},
		{`{"quantity":"2.5"}`, commerce.Selection{}, 2500, ""},
		{`{"quantity":null}`, commerce.Selection{}, 0, "quantity: The quantity field is required."},
		{`{"quantity":0,"choices":5}`, commerce.Selection{NoList: true}, 0, "quantity: The quantity field must be greater than 0."},
	} {
		got, fault := ConfigurationQuote.Read(Parse([]byte(c.body)))
		if !reflect.DeepEqual(got, AskedConfiguration{Selection: c.want, Quantity: c.quantity}) || faultsOf(fault) != c.fault {
			t.Errorf("%s: got %+v, %s; want %+v, %v, %s", c.body, got, faultsOf(fault), c.want, c.quantity, c.fault)
		}
	}
	if _, fault := ConfigurationQuote.Read(Parse([]byte("[1]"))); fault != commerce.InvalidJSON {
		t.Errorf("a list: got %v, want %v", fault, commerce.InvalidJSON)
	}
}
