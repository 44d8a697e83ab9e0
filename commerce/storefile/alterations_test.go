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

// intruders are the values that replace each value of a document.
var intruders = []string{
	`null`, `true`, `false`, `""`, `" "`, `"x"`, `"0"`, `"1"`, `"-1"`, `"1.5"`, `"01.50"`, `"0.0000001"`, `"1."`, `".5"`, `"1e2"`, `"100"`, `"100.0000000000"`,
	`"100.1"`, `"99999999.999"`, `"100000000"`, `"9000000000"`, `"9000000000.1"`, `"9223372036854.775807"`, `"9223372036854.775808"`, `"999999999999999999999"`,
	`0`, `-0`, `1`, `-1`, `1.5`, `5.0`, `-5.0`, `5e0`, `50e-1`, `1e3`, `0e9`, `301`, `301.0`, `303`, `1001`, `36501`, `2000000001`, `100000000`,
	`1000000000000`, `1000000000001`, `1e12`, `1e13`, `99999999999999999999`, `-99999999999999999999`, `[]`, `[null]`, `[1]`, `["x"]`, `[[]]`,
	`[{}]`, `{}`, `{"x":1}`,
	`"NL"`, `" N L\u00a0"`, `"é\u200b"`, `"\u200f"`, `"\u200eNL"`, `"2030-01-01T00:00:00Z"`, `"2030-02-29T00:00:00Z"`, `"00000000-0000-0000-0000-000000000000"`,
	`"AAAAAAAA-aaaa-1111-2222-000000000000"`, `"a@b"`, `"http://"`, `"HTTPS://x"`, `"$2"`,
}

// treeNode is a value of a document with a function that replaces it.
type treeNode struct {
	at      string // its path without indexes
	value   any
	replace func(any)
}

// treeNodes lists a value and all values within it.
func treeNodes(at string, v any, replace func(any)) []treeNode {
	all := []treeNode{{at, v, replace}}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, treeNodes(at+"."+name, v[name], func(other any) { v[name] = other })...)
		}
	case []any:
		for i := range v {
			all = append(all, treeNodes(at+"[]", v[i], func(other any) { v[i] = other })...)
		}
	}
	return all
}

// alterations yields documents that differ from the given ones in one value each. Values at the
// same path are replaced only in the first document that has them.
func alterations(t testing.TB, documents []string, yield func(change string, text func() string)) {
	replaced, known := map[string]bool{}, knownMembers(t, documents)
	for _, text := range documents {
		root := decodedTree(t, text)
		for _, p := range treeNodes("document", root, func(v any) { root = v }) {
			others := rearranged(p.value, known[p.at])
			if !replaced[p.at] {
				others = append(others, replacements(p.value)...)
			}
			replaced[p.at] = true
			for _, other := range others {
				p.replace(other)
				yield(p.at+" = "+spelt(other), func() string { return spelt(root) })
			}
			p.replace(p.value)
		}
	}
}

// knownMembers are, for each path of an object, its possible members with a value.
func knownMembers(t testing.TB, documents []string) map[string]map[string]any {
	known := map[string]map[string]any{}
	for _, text := range documents {
		for _, p := range treeNodes("document", decodedTree(t, text), nil) {
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

// rearranged are variants of an object or a list: without one of its values, or with one more. An
// object gets each known member; a list gets null, a repeat, and 250 and 251 times its first item.
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

// replacements are the intruders and values that are similar to v.
func replacements(v any) (all []any) {
	for _, text := range append(corruptions(v), intruders...) {
		all = append(all, json.RawMessage(text))
	}
	return all
}

// alterAnywhere alters one random value of a document and describes the change.
func alterAnywhere(random *rand.Rand, root *any) string {
	nodes := treeNodes("", *root, func(v any) { *root = v })
	p := nodes[random.IntN(len(nodes))]
	others := rearranged(p.value, map[string]any{"colour": 1})
	if len(others) == 0 || random.IntN(2) == 0 {
		others = replacements(p.value)
	}
	other := others[random.IntN(len(others))]
	p.replace(other)
	return p.at + " = " + spelt(other)
}

// corruptions are the JSON texts of values that are similar to a given one.
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

// fragments splits a document into one with its settings and one for each item of each list. Their
// references lead nowhere, which is no fault of shape. They are read much faster than the whole.
func fragments(t testing.TB, text string) (all []string) {
	whole := decodedTree(t, text).(map[string]any)
	small := decodedTree(t, minimal).(map[string]any)
	all = append(all, spelt(map[string]any{"format": 1, "store": whole["store"]}))
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		items, _ := whole[name].([]any)
		for _, item := range items {
			small[name] = []any{item}
			all = append(all, spelt(small))
		}
		if items != nil {
			delete(small, name)
		}
	}
	return all
}

func spelt(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // an intruder is not valid JSON
	}
	return string(text)
}

// decodedTree is a document as maps and lists, with its numbers as written.
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
