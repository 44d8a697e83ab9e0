//go:build long

package blackbox_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// costliest is the processor time that a visitor's request may take, apart from those that hash a password.
const costliest = 15 * time.Millisecond

// costly are the requests of a table, with their cost.
type costly struct {
	method, path, body string
	took               time.Duration
	answered           int
}

// No request of a visitor takes more than 15 ms of the server's processor time, whatever its body has: each
// route gets bodies of the largest size whose every member is a map or a list of faults, or a long text,
// and one of unknown members. Known dear requests follow.
func TestLongDearestRequests(t *testing.T) {
	var discounts list
	for i := range 500 {
		discounts = append(discounts, discountRow(i+1, "order", fmt.Sprint("Sale ", i), "", object{"value": percentOff("0.1")}))
	}
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), setting("rate_limit_per_minute", 1_000_000),
		changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving", "required": true}}),
		func(document object) { document["discounts"] = discounts })}})
	c := n.client(t).withKey(keyAll).withToken(tokenAda)
	cost := func(method, path, body string) costly {
		const times = 10
		call, answered := c.call(method, path+"?include=error_codes,details", body), 0
		began := cpu(t, n.Cmd.Process.Pid)
		for range times {
			got, err := n.way.Send(call)
			if err != nil {
				t.Fatalf("%s %s %.80s: %v", method, path, body, err)
			}
			answered = got.Status
		}
		return costly{method, path, body, (cpu(t, n.Cmd.Process.Pid) - began) / times, answered}
	}
	var all []costly
	for _, o := range visitorsOperations(t) {
		for _, body := range o.faultyBodies() {
			cart := c.newCart()
			places := strings.NewReplacer("/v1/api/", "", "commerce/carts/{id}", cart, "{lineId}", c.add(cart, nails, "1").Lines[0].ID,
				"products/{id}", "products/"+blind, "{id}", unknownID, "{token}", "x", "{code}", "x")
			all = append(all, cost(o.method, places.Replace(o.path), body))
		}
	}
	repeated := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(parts, ",")
	}
	cart := c.newCart()
	hundred := func(add string) string { return `{"lines":[` + strings.Repeat(add+",", 99) + add + `]}` }
	texts := addBody(hammer, "1", `"properties":{`+repeated(600, `"p%d":1`)+`}`)
	sizes := addBody(blind, "1", `"configuration":{"choices":["linen"],"dimensions":{`+repeated(300, `"d%d":1`)+`}}`)
	choices := addBody(blind, "1", `"configuration":{"choices":[`+repeated(300, `"c%d"`)+`],"dimensions":{"width":1200,"height":1000}}`)
	twenty := addBody(hammer, "1", `"properties":{`+repeated(20, `"p%d":1`)+`}`)
	for _, add := range []string{texts, sizes, choices, twenty, `{"x":1}`, addBody(nails, "1")} {
		all = append(all, cost("POST", "commerce/price", hundred(add)), cost("POST", cart+"/lines/batch", hundred(add)))
	}
	all = append(all,
		cost("PATCH", cart, `{"metadata":{`+repeated(6000, `"k%d":[]`)+`}}`),
		cost("POST", "configurator/products/"+blind+"/quote", `{"choices":[],"dimensions":{`+repeated(2000, `"d%d":1`)+`}}`),
		cost("POST", cart+"/lines", addBody(hammer, "1", `"properties":{`+repeated(4000, `"p%d":"x"`)+`}`)))
	slices.SortFunc(all, func(a, b costly) int { return cmp.Compare(b.took, a.took) })
	for _, r := range all[:20] {
		t.Logf("%8v %s %s (%d bytes): %d %.60s", r.took, r.method, r.path, len(r.body), r.answered, r.body)
	}
	for _, r := range all {
		if r.took > costliest {
			t.Errorf("%s %s %.100s… takes %v of processor time, at most %v", r.method, r.path, r.body, r.took, costliest)
		}
	}
}

// visitorsOperation is an operation that a browser's key may call, with the members of its body.
type visitorsOperation struct {
	method, path string
	members      []string
}

// visitorsOperations are those of the API's description whose bodies a visitor writes, but for those that
// hash a password.
func visitorsOperations(t *testing.T) (all []visitorsOperation) {
	text, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]json.RawMessage
	}
	var api struct {
		Paths map[string]map[string]struct {
			Security    []map[string][]string
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(text, &api); err != nil {
		t.Fatal(err)
	}
	others := append(slices.Clone(merchantsScopes), "catalog:write")
	isVisitors := func(granted map[string][]string) bool { return !slices.Contains(others, granted["apiKey"][0]) }
	for path, operations := range api.Paths {
		for method, o := range operations {
			s := o.RequestBody.Content["application/json"].Schema
			if name, named := strings.CutPrefix(s.Ref, "#/components/schemas/"); named {
				s = api.Components.Schemas[name]
			}
			if len(s.Properties) == 0 || s.Properties["password"] != nil || !slices.ContainsFunc(o.Security, isVisitors) {
				continue
			}
			delete(s.Properties, "at") // a browser's key may not send it
			all = append(all, visitorsOperation{strings.ToUpper(method), path, slices.Sorted(maps.Keys(s.Properties))})
		}
	}
	if len(all) < 15 {
		t.Fatalf("%d operations: %v", len(all), all)
	}
	return all
}

// faultyBodies are bodies of 60 KB.
func (o visitorsOperation) faultyBodies() (bodies []string) {
	const size = 60_000
	room := size / len(o.members)
	fill := func(open, close string, part func(i int) string) string {
		var b strings.Builder
		b.WriteString(open)
		for i := 0; b.Len() < room-len(close)-20; i++ {
			if i > 0 && open != `"` {
				b.WriteByte(',')
			}
			b.WriteString(part(i))
		}
		return b.String() + close
	}
	for _, value := range []string{
		fill("{", "}", func(i int) string { return fmt.Sprintf(`"k%d":[]`, i) }),
		fill("[", "]", func(int) string { return "[]" }),
		fill("[", "]", func(int) string { return "{}" }),
		fill("[", "]", func(i int) string { return fmt.Sprintf(`"%d"`, i) }),
		fill(`"`, `"`, func(int) string { return "é " }),
	} {
		var members []string
		for _, name := range o.members {
			members = append(members, `"`+name+`":`+value)
		}
		bodies = append(bodies, "{"+strings.Join(members, ",")+"}")
	}
	room = size
	return append(bodies, fill("{", "}", func(i int) string { return fmt.Sprintf(`"unknown%d":1`, i) }))
}
