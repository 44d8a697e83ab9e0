package storefile

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// The values that are put in the place of each value of a document.
var intruders = []string{
	`null`, `true`, `false`, `""`, `" "`, `"x"`, `"0"`, `"1"`, `"-1"`, `"1.5"`, `"01.50"`, `"0.0000001"`, `"1."`, `".5"`, `"1e2"`, `"100"`, `"100.0000000000"`,
	`"100.1"`, `"99999999.999"`, `"100000000"`, `"9000000000"`, `"9000000000.1"`, `"9223372036854.775807"`, `"9223372036854.775808"`, `"999999999999999999999"`,
	`0`, `-0`, `1`, `-1`, `1.5`, `5.0`, `-5.0`, `5e0`, `50e-1`, `1e3`, `0e9`, `301`, `301.0`, `303`, `1001`, `36501`, `2000000001`, `100000000`,
	`1000000000000`, `1000000000001`, `1e12`, `1e13`, `99999999999999999999`, `-99999999999999999999`, `[]`, `[null]`, `[1]`, `["x"]`, `[[]]`, `[{}]`, `{}`, `{"x":1}`,
	`"NL"`, `" N L\u00a0"`, `"é\u200b"`, `"2030-01-01T00:00:00Z"`, `"2030-02-29T00:00:00Z"`, `"00000000-0000-0000-0000-000000000000"`,
	`"AAAAAAAA-aaaa-1111-2222-000000000000"`, `"a@b"`, `"http://"`, `"HTTPS://x"`, `"$2"`,
}

// place is a value of a document and a way to put another there.
type place struct {
	at    string // its path without indexes
	value any
	put   func(any)
}

// placesOf lists a value and all within it.
func placesOf(at string, v any, put func(any)) []place {
	all := []place{{at, v, put}}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, placesOf(at+"."+name, v[name], func(other any) { v[name] = other })...)
		}
	case []any:
		for i := range v {
			all = append(all, placesOf(at+"[]", v[i], func(other any) { v[i] = other })...)
		}
	}
	return all
}

// alterations hands documents over that differ from given ones in one place each.
// Values at the same path are replaced in the first of them only.
func alterations(t testing.TB, documents []string, hand func(what, text string)) {
	replaced, known := map[string]bool{}, knownMembers(t, documents)
	for _, text := range documents {
		root := decodedTree(t, text)
		for _, p := range placesOf("document", root, func(v any) { root = v }) {
			others := rearranged(p.value, known[p.at])
			if !replaced[p.at] {
				others = append(others, replacements(p.value)...)
			}
			replaced[p.at] = true
			for _, other := range others {
				p.put(other)
				hand(p.at+" = "+spelt(other), spelt(root))
			}
			p.put(p.value)
		}
	}
}

// knownMembers are the members of all objects by their path, each with a value.
func knownMembers(t testing.TB, documents []string) map[string]map[string]any {
	known := map[string]map[string]any{}
	for _, text := range documents {
		for _, p := range placesOf("document", decodedTree(t, text), nil) {
			if object, ok := p.value.(map[string]any); ok {
				if known[p.at] == nil {
					known[p.at] = map[string]any{"": 1, "colour": 1, "Name": 1, "20000000-0000-4000-8000-00000000000A": 1}
				}
				maps.Copy(known[p.at], object)
			}
		}
	}
	return known
}

// rearranged are an object or a list without one of its values, and with another:
// what objects have elsewhere, and 251 times what the list has first.
func rearranged(v any, known map[string]any) (all []any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(known)) {
			if _, has := v[name]; !has {
				with := maps.Clone(v)
				with[name] = known[name]
				all = append(all, with)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			without := maps.Clone(v)
			delete(without, name)
			all = append(all, without)
		}
	case []any:
		all = append(all, append([]any{nil}, v...))
		if len(v) > 0 {
			all = append(all, slices.Repeat(v[:1], commerce.MaxAddresses), slices.Repeat(v[:1], commerce.MaxAddresses+1))
		}
		for i, item := range v {
			all = append(all, slices.Delete(slices.Clone(v), i, i+1), slices.Insert(slices.Clone(v), i, item))
		}
	}
	return all
}

// replacements are other values: the intruders, and some that are nearly this one.
func replacements(v any) (all []any) {
	for _, text := range append(corruptions(v), intruders...) {
		all = append(all, json.RawMessage(text))
	}
	return all
}

// alterAnywhere alters a document in one place at random and says what it did.
func alterAnywhere(random *rand.Rand, root *any) string {
	places := placesOf("", *root, func(v any) { *root = v })
	p := places[random.IntN(len(places))]
	others := rearranged(p.value, map[string]any{"colour": 1})
	if len(others) == 0 || random.IntN(2) == 0 {
		others = replacements(p.value)
	}
	other := others[random.IntN(len(others))]
	p.put(other)
	return p.at + " = " + spelt(other)
}

// corruptions are the JSON texts of values that are nearly a given one.
func corruptions(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		for _, other := range []string{v + "x", strings.ToUpper(v), strings.ToLower(v), " " + v, "\u200b" + v + "\t", v + "0", "0" + v, strings.Repeat(v, 60)} {
			texts = append(texts, spelt(other))
		}
	case json.Number:
		n := v.String()
		texts = []string{spelt(n), n + ".5", n + ".0", n + "e0", n + ".0e0", "-" + n}
	}
	return texts
}

// fragments splits a document: one with its settings, and one for each item of
// each list. What they refer to is missing, which is no fault of shape, and they
// are read much faster than the whole.
func fragments(t testing.TB, text string) (all []string) {
	whole := decodedTree(t, text).(map[string]any)
	least := decodedTree(t, minimal).(map[string]any)
	all = append(all, spelt(map[string]any{"format": 1, "store": whole["store"]}))
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		items, _ := whole[name].([]any)
		for _, item := range items {
			least[name] = []any{item}
			all = append(all, spelt(least))
		}
		if items != nil {
			delete(least, name)
		}
	}
	return all
}

func spelt(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // an intruder is no JSON
	}
	return string(text)
}

// decodedTree is a document as maps and lists, its numbers as written.
func decodedTree(t testing.TB, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var content any
	if err := decoder.Decode(&content); err != nil {
		t.Fatal(err)
	}
	return content
}
