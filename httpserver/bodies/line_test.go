package bodies

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// quantityRows are the quantities of both line  Spec: Quantity rules. Package commerce tests
// which texts are numbers.
var quantityRows = []struct {
	sent     string // empty if absent
	quantity commerce.Quantity
	fault    string
}{
	{"2.0", 2000, ""}, {"25e-1", 2500, ""}, {"99999999.999", commerce.MaxQuantity, ""}, {`"2.5"`, 2500, ""}, {`"\u0032"`, 2000, ""},
	{"", 0, "required"}, {"null", 0, "required"}, {`""`, 0, "required"}, {`"  "`, 0, "required"}, {`"\u200b"`, 0, "required"}, {"[]", 0,
		"required"}, {"{}", 0, "required"},
	{"true", 0, "number"}, {"false", 0, "number"}, {"[1]", 0, "number"}, {`{"a":1}`, 0, "number"},
	{`"2e0"`, 0, "number"}, {`" 2"`, 0, "number"}, {"2.0001", 0, "decimals"}, {`"2.0000"`, 0, "decimals"}, {"-1", 0, "positive"}, {`"0"`, 0, "positive"},
	{"1e8", 0, "max"}, {`"000000002"`, 0, "max"}, {"-1.00001", 0, "decimals positive"}, {"100000000.0001", 0, "decimals max"},
}

var quantityTexts = map[string]string{
	"required": "The quantity field is required.",
	"number":   "The quantity field must be a number.",
	"decimals": "The quantity field must have 0-3 decimal places.",
	"positive": "The quantity field must be greater than 0.",
	"max":      "The quantity field must not be greater than 99999999.999.",
}

func quantityFault(words string) string {
	if words == "" {
		return ""
	}
	var texts []string
	for _, word := range strings.Fields(words) {
		texts = append(texts, quantityTexts[word])
	}
	return "quantity: " + strings.Join(texts, " | ")
}

func TestLineQuantity(t *testing.T) {
	product := `"product_id":"` + testLine + `"`
	for _, row := range quantityRows {
		member := `"quantity":` + row.sent
		if row.sent == "" {
			member = `"Quantity":2`
		}
		body := "{" + member + "}"
		change, fault := LineChange.Read(Parse([]byte(body)))
		if change.Quantity != row.quantity || faultsOf(fault) != quantityFault(row.fault) {
			t.Errorf("change %s: got %v, %s, want %v, %s", body, change.Quantity, faultsOf(fault), row.quantity, quantityFault(row.fault))
		}
		checkFault(t, body, fault)
		body = "{" + product + "," + member + "}"
		add, fault := LineAdd.Read(Parse([]byte(body)))
		if add.Quantity != row.quantity || faultsOf(fault) != quantityFault(row.fault) {
			t.Errorf("add %s: got %v, %s, want %v, %s", body, add.Quantity, faultsOf(fault), row.quantity, quantityFault(row.fault))
		}
	}
}

// Spec: POST body (Cart lines).
func TestLineAddFields(t *testing.T) {
	const (
		upper        = "0A0B0C0D-0E0F-4A0B-8C0D-0E0F0A0B0C0D"
		needProduct  = "product_id: The product id field is required."
		textProduct  = "product_id: The product id field must be a string."
		uuidProduct  = "product_id: The product id field must be a valid UUID."
		textVariant  = "variant_id: The variant id field must be a string."
		uuidVariant  = "variant_id: The variant id field must be a valid UUID."
		needQuantity = "quantity: The quantity field is required."
		configArray  = "configuration: The configuration field must be an array."
	)
	id, nobody := uuid.MustParse(testLine), uuid.Nil
	product := `"product_id":"` + testLine + `","quantity":1`
	type added = commerce.AddLine
	for _, row := range []struct {
		body  string
		want  added
		fault string
	}{
		{product, added{ProductID: id}, ""},
		{`"product_id":"` + upper + `","quantity":1`, added{ProductID: id}, ""},
		{`"product_id":"\u200b ` + testLine + `\u00a0","quantity":1`, added{ProductID: id}, ""},
		{`"product_id":"x","product_id":"` + testLine + `","quantity":1`, added{ProductID: id}, ""},
		{`"product_id":"00000000-0000-0000-0000-000000000000","quantity":1`, added{}, ""},
		{`"quantity":1`, added{}, needProduct},
		{`"product_id":null,"quantity":1`, added{}, needProduct},
		{`"product_id":" \ufeff","quantity":1`, added{}, needProduct},
		{`"product_id":[],"quantity":1`, added{}, needProduct},
		{`"product_id":12,"quantity":1`, added{}, textProduct},
		{`"product_id":["` + testLine + `"],"quantity":1`, added{}, textProduct},
		{`"product_id":"x","quantity":1`, added{}, uuidProduct},

		{product + `,"variant_id":"` + upper + `"`, added{ProductID: id, VariantID: id, VariantSent: true}, ""},
		{product + `,"variant_id":null`, added{ProductID: id}, ""},
		{product + `,"variant_id":"  "`, added{ProductID: id}, ""},
		{product + `,"variant_id":"00000000-0000-0000-0000-000000000000"`, added{ProductID: id, VariantSent: true}, ""},
		{product + `,"variant_id":1`, added{}, textVariant},
		{product + `,"variant_id":[]`, added{}, textVariant},
		{product + `,"variant_id":"x"`, added{}, uuidVariant},

		{product + `,"configuration":null`, added{ProductID: id}, ""},
		{product + `,"configuration":{}`, added{ProductID: id, Configuration: &commerce.Selection{}}, ""},
		{product + `,"configuration":[]`, added{ProductID: id, Configuration: &commerce.Selection{}}, ""},
		{product + `,"configuration":{"dimensions":1}`, added{ProductID: id, Configuration: &commerce.Selection{NoMap: true}}, ""},
		{product + `,"configuration":"x"`, added{}, configArray},
		{product + `,"configuration":[1]`, added{}, configArray},

		{product + `,"line_id":"x","unknown":{"a":[]},"Product_ID":1`, added{ProductID: id}, ""},
		{`"configuration":1,"variant_id":1`, added{}, needProduct + "; " + textVariant + "; " + needQuantity + "; " + configArray},
	} {
		body := "{" + row.body + "}"
		got, fault := LineAdd.Read(Parse([]byte(body)))
		if faultsOf(fault) != row.fault {
			t.Errorf("%s: got %s, want %s", body, faultsOf(fault), row.fault)
		}
		checkFault(t, body, fault)
		if row.fault != "" {
			continue
		}
		if row.want.LineID, row.want.Quantity = nobody, commerce.One; !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: got %+v, want %+v", body, got, row.want)
		}
	}
}

func FuzzDecodeLineAdd(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"product_id":"` + testLine + `","variant_id":null,"quantity":"1.5","configuration":{}}`,
		`{"product_id":1,"quantity":[]}`, `{"configuration":{"dimensions":{"width":1.2e3,"height":null},"choices":["linen",1]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		add, fault := LineAdd.Read(Parse(body))
		checkFault(t, string(body), fault)
		if fault == nil && (add.Quantity <= 0 || add.Quantity > commerce.MaxQuantity) {
			t.Errorf("%q: accepted %+v", body, add)
		}
		if s := add.Configuration; s != nil && (s.NoMap && s.Dimensions != nil || s.NoList && s.Choices != nil) {
			t.Errorf("%q: of the wrong shape and yet read: %+v", body, s)
		}
	})
}

func FuzzDecodeLineChange(f *testing.F) {
	for _, row := range quantityRows {
		f.Add([]byte(`{"quantity":` + row.sent + `}`))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		change, fault := LineChange.Read(Parse(body))
		checkFault(t, string(body), fault)
		quantity := change.Quantity
		if fault == nil && (quantity <= 0 || quantity > commerce.MaxQuantity) {
			t.Errorf("%q: accepted %v", body, quantity)
		}
		if fault != nil && len(fault.Fields) > 0 && fault.Fields[0].Field == "quantity" && quantity != 0 {
			t.Errorf("%q: read %v beside %v", body, quantity, fault)
		}
	})
}

// docs/api/lines.md#batch: 1–100 adds, each entry's errors under its own path.
func TestBatchFields(t *testing.T) {
	entry := `{"product_id":"` + testLine + `","quantity":2}`
	many := strings.Repeat(entry+",", 99) + entry
	for _, row := range []struct {
		body  string
		adds  int
		fault string
	}{
		{`{"lines":[` + entry + `]}`, 1, ""},
		{`{"lines":[` + many + `]}`, 100, ""},
		{`{"lines":[` + many + `,1]}`, 0, "lines: The lines field must not have more than 100 items."},
		{`{}`, 0, "lines: The lines field is required."},
		{`{"lines":[]}`, 0, "lines: The lines field is required."},
		{`{"lines":{"0":` + entry + `}}`, 0, "lines: The lines field must be an array."},
		{`{"lines":1}`, 0, "lines: The lines field must be an array."},
	} {
		adds, fault := LineBatch.Read(Parse([]byte(row.body)))
		if len(adds) != row.adds || faultsOf(fault) != row.fault {
			t.Errorf("%.60s: got %d adds, %s; want %d, %s", row.body, len(adds), faultsOf(fault), row.adds, row.fault)
		}
		checkFault(t, row.body, fault)
	}
	if _, fault := LineBatch.Read(Parse([]byte(`{"lines":[{]}`))); fault != commerce.InvalidJSON {
		t.Errorf("got %v; want %v", fault, commerce.InvalidJSON)
	}
}

func TestEachEntryOfABatchIsReadAsAnAdd(t *testing.T) {
	entries := []string{`{"product_id":"` + testLine + `","quantity":"2.5","variant_id":null}`, `[]`, `{}`, `1`, `null`, `"x"`, `[1]`}
	adds, fault := LineBatch.Read(Parse([]byte(`{"lines":[` + strings.Join(entries, ",") + `]}`)))
	if fault != nil || len(adds) != len(entries) {
		t.Fatalf("got %d adds, %v", len(adds), fault)
	}
	missing := "product_id: The product id field is required.; quantity: The quantity field is required."
	if adds[0].Fault != nil || adds[0].Quantity != 2500 || faultsOf(adds[1].Fault) != missing || faultsOf(adds[2].Fault) != missing {
		t.Errorf("got %+v", adds[:3])
	}
	for i, add := range adds[3:] {
		if add.Fault == nil || len(add.Fault.Fields) != 1 || add.Fault.Fields[0].Messages[0] != commerce.MsgArray("") {
			t.Errorf("%s: got %v; want a fault of the entry itself", entries[i+3], add.Fault)
		}
	}
}

// BenchmarkLineAdd measures the reading of an add. It must allocate nothing but the copies of a configuration's texts.
func BenchmarkLineAdd(b *testing.B) {
	for name, body := range map[string]string{
		"plain": `{"product_id":"` + testLine + `","variant_id":"` + testLine + `","quantity":2}`,
		"made":  `{"product_id":"` + testLine + `","quantity":2,"configuration":{"dimensions":{"width":1200,"height":1500},"choices":["linen","left"]}}`,
	} {
		b.Run(name, func(b *testing.B) {
			sent := []byte(body)
			b.ReportAllocs()
			for b.Loop() {
				if _, fault := LineAdd.Read(Parse(sent)); fault != nil {
					b.Fatal(fault)
				}
			}
		})
	}
}

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
