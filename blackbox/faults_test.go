package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// listedFaults are the faults of an answer, or of one line of it, by field in their order.
type listedFaults struct {
	fields   []string
	messages map[string][]string
	codes    map[string][]map[string]any
}

// faultsOf reads the errors of a refusal with its error_codes, and wants the same fields in both.
func (a answer) faultsOf(errors, codes json.RawMessage) (l listedFaults) {
	a.t.Helper()
	orders := [2][]string{}
	for i, text := range []json.RawMessage{errors, codes} {
		d := json.NewDecoder(bytes.NewReader(text))
		if _, err := d.Token(); err != nil {
			a.t.Fatalf("%v\n%v", a, err)
		}
		for d.More() {
			name, _ := d.Token()
			orders[i] = append(orders[i], name.(string))
			var value json.RawMessage
			_ = d.Decode(&value)
		}
	}
	if fmt.Sprint(orders[0]) != fmt.Sprint(orders[1]) {
		a.t.Errorf("%v\nerrors of %q, error_codes of %q", a, orders[0], orders[1])
	}
	l.fields = orders[0]
	_ = json.Unmarshal(errors, &l.messages)
	if err := json.Unmarshal(codes, &l.codes); err != nil {
		a.t.Fatalf("%v\n%v", a, err)
	}
	return l
}

// An answer lists the faults of at most 100 fields, and one more field counts the others. Maps and lists
// whose names the client chooses are one fault if they are too long.
func TestListsOfFaults(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), managed,
		changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving", "required": true}}))}})
	c := n.client(t).withKey(keyAll)
	cart := c.newCart()
	repeated := func(n int, format string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(all, ",")
	}
	engraved := func(n int) string { return addBody(hammer, "1", `"properties":{`+repeated(n, `"p%d":"x"`)+`}`) }
	blinds := func(dimensions, choices string) string {
		return `{"quantity":1,"dimensions":{` + dimensions + `},"choices":[` + choices + `]}`
	}
	const tooMany, more = "The %s field must not have more than %d items.", "The %s field has %d more faults."
	for _, row := range []struct {
		method, path, body string
		status, fields     int
		first, last        string // a field with its message
		code               string // the last message as JSON
	}{
		{"POST", cart + "/lines/batch", batchBody(strings.Split(repeated(50, `{"x":%d}`), ",")...), 422, 100,
			"lines.0.product_id: The lines.0.product_id field is required.", "lines.49.quantity: The lines.49.quantity field is required.", `{"code":"required"}`},
		{"POST", cart + "/lines/batch", batchBody(strings.Split(repeated(100, `{"x":%d}`), ",")...), 422, 101,
			"lines.0.product_id: The lines.0.product_id field is required.", "request: " + fmt.Sprintf(more, "request", 100), `{"code":"more_faults","count":100}`},
		{"POST", "commerce/price", `{"discount_codes":[` + strings.Repeat(`[],`, 99) + `[]],"lines":1,"country":5}`, 422, 101,
			"lines: The lines field must be an array.", "request: " + fmt.Sprintf(more, "request", 3), `{"code":"more_faults","count":3}`},
		{"PATCH", "catalog", `{"format":1,"store":{"id":"` + storeBase + `"},"set":{"products":[` +
			repeated(137, `{"id":"a1000000-0000-4000-8000-%012d","name":"x","slug":"x%[1]d","unit":"piece","tax":"standard","price_amount":-1}`) + `]}}`, 422, 101,
			"set.products.0.price_amount: The set.products.0.price_amount field must be an integer of at least 0.",
			"document: " + fmt.Sprintf(more, "document", 37), `{"code":"more_faults","count":37}`},

		{"POST", cart + "/lines", engraved(19), 422, 20, "properties.engraving: The Engraving field is required.",
			"properties.p18: This field does not exist.", `{"code":"property_unknown"}`},
		{"POST", cart + "/lines", engraved(4000), 422, 1, "properties: " + fmt.Sprintf(tooMany, "properties", 20),
			"properties: " + fmt.Sprintf(tooMany, "properties", 20), `{"code":"max","max":20,"unit":"items"}`},
		{"POST", cart + "/lines/batch", batchBody(engraved(600), addBody(hammer, "1"), engraved(600)), 422, 3,
			"lines.0.properties: " + fmt.Sprintf(tooMany, "lines.0.properties", 20),
			"lines.2.properties: " + fmt.Sprintf(tooMany, "lines.2.properties", 20), `{"code":"max","max":20,"unit":"items"}`},
		{"PATCH", cart, `{"email":1,"metadata":{` + repeated(6000, `"k%d":[]`) + `}}`, 422, 2, "email: The email field must be a string.",
			"metadata: " + fmt.Sprintf(tooMany, "metadata", 16), `{"code":"max","max":16,"unit":"items"}`},

		{"POST", "configurator/products/" + blind + "/quote", blinds(`"width":1200,"height":1000,"a":1,"b":2`, `"linen"`), 422, 2,
			"dimensions.a: This dimension does not exist.", "dimensions.b: This dimension does not exist.", `{"code":"dimension_unknown"}`},
		{"POST", "configurator/products/" + blind + "/quote", blinds(repeated(2000, `"d%d":1`), `"linen"`), 422, 1,
			"dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), "dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), `{"code":"max","max":2,"unit":"items"}`},
		{"POST", "configurator/products/" + blind + "/quote", blinds(`"width":1200,"height":1000`, repeated(21, `"c%d"`)+`,"linen"`), 422, 1,
			"choices: " + fmt.Sprintf(tooMany, "choices", 20), "choices: " + fmt.Sprintf(tooMany, "choices", 20), `{"code":"max","max":20,"unit":"items"}`},
		{"POST", cart + "/lines", addBody(blind, "1", `"configuration":`+blinds(repeated(300, `"d%d":1`), `"linen"`)), 422, 1,
			"dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), "dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), `{"code":"max","max":2,"unit":"items"}`},
		{"POST", "commerce/price", batchBody(addBody(blind, "1", `"configuration":`+blinds(repeated(300, `"d%d":1`), `"linen"`))), 200, 1,
			"dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), "dimensions: " + fmt.Sprintf(tooMany, "dimensions", 2), `{"code":"max","max":2,"unit":"items"}`},
	} {
		client := c
		if row.path == "catalog" {
			client = n.client(t).withKey(keyManage)
		}
		a := client.request(row.method, row.path+"?include=error_codes", row.body)
		var body struct {
			Errors json.RawMessage
			Codes  json.RawMessage `json:"error_codes"`
			Data   struct {
				Lines []struct {
					Errors json.RawMessage
					Codes  json.RawMessage `json:"error_codes"`
				}
			}
		}
		if err := json.Unmarshal(a.wantStatus(row.status).body, &body); err != nil {
			t.Fatalf("%v\n%v", a, err)
		}
		if row.status == http.StatusOK {
			body.Errors, body.Codes = body.Data.Lines[0].Errors, body.Data.Lines[0].Codes
		}
		l := a.faultsOf(body.Errors, body.Codes)
		show := func(field string) string { return field + ": " + strings.Join(l.messages[field], " | ") }
		first, last := l.fields[0], l.fields[len(l.fields)-1]
		code, _ := json.Marshal(l.codes[last][0])
		if len(l.fields) != row.fields || show(first) != row.first || show(last) != row.last || string(code) != row.code {
			t.Errorf("%s %s %.80s: %d fields from %q to %q %s\nwant %d from %q to %q %s", row.method, row.path, row.body,
				len(l.fields), show(first), show(last), code, row.fields, row.first, row.last, row.code)
		}
	}
}
