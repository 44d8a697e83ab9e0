package strictjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"
	"unicode/utf8"
)

var (
	surrogatePair = regexp.MustCompile(`(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}`)
	surrogate     = regexp.MustCompile(`(?i)\\ud[89a-f][0-9a-f]{2}`)
)

// oracleAccepts reports whether Parse must accept a text. It uses other means than Parse.
func oracleAccepts(data []byte) bool {
	if !json.Valid(data) || !utf8.Valid(data) || depth(data) > MaxDepth {
		return false
	}
	text := bytes.ReplaceAll(data, []byte(`\\`), []byte("x"))
	return !surrogate.Match(surrogatePair.ReplaceAll(text, []byte("x")))
}

// depth is the nesting depth of the lists and objects in a valid text.
func depth(data []byte) (deepest int) {
	d := json.NewDecoder(bytes.NewReader(data))
	level := 0
	for {
		token, err := d.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			level++
			deepest = max(deepest, level)
		case json.Delim('}'), json.Delim(']'):
			level--
		}
	}
}

// decoded converts a Value to the Go value that encoding/json would decode from the same text.
func decoded(v Value) any {
	switch v.Kind() {
	case Bool:
		return v.Bool()
	case Number:
		return json.Number(v)
	case String:
		return v.Text()
	case Array:
		list := []any{}
		for _, item := range v.Items() {
			list = append(list, decoded(item))
		}
		return list
	case Object:
		object := map[string]any{}
		for name := range v.Members() {
			last, _ := v.Get(name)
			object[name] = decoded(last)
		}
		return object
	}
	return nil
}

// agree fails unless Parse and encoding/json agree on a text.
func agree(t *testing.T, data []byte) {
	t.Helper()
	v, err := Parse(data)
	if want := oracleAccepts(data); (err == nil) != want {
		t.Fatalf("Parse(%q): %v, the oracle accepts: %v", data, err, want)
	}
	if err != nil {
		return
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var want any
	if err := d.Decode(&want); err != nil {
		t.Fatalf("encoding/json on %q: %v", data, err)
	}
	if got := decoded(v); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is %#v, want %#v", data, got, want)
	}
}

const sample = ` {"text": "a\"\\\/\b\f\n\r\té\ud83d\ude00", "numbers":[0,-0,1.50,-2e+10,3E-1], "nested":{"a":[[],{},null,true,false]}, "a":1, "a":"\\ud800"} `

// Parse agrees with the oracle on every text that differs from a valid one by one byte.
func TestAgreesWithEncodingJSONOnMutations(t *testing.T) {
	agree(t, []byte(sample))
	replacements := []byte("\"\\{}[],:0-+.eEut \n\x00\x1f\x7f\x80\xc3\xff")
	for at := range len(sample) {
		cut := []byte(sample[:at] + sample[at+1:])
		agree(t, cut)
		agree(t, []byte(sample[:at]))
		for _, c := range replacements {
			changed := []byte(sample)
			changed[at] = c
			agree(t, changed)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(lineAdd))
	f.Fuzz(func(t *testing.T, data []byte) { agree(t, data) })
}
