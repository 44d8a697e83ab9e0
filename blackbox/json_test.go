package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
)

// differs describes the first difference in status and body; empty if there is none.
func (a answer) differs(status int, body string) string {
	if a.status != status {
		return fmt.Sprintf("status %d, want %d", a.status, status)
	}
	got, err := canonical(a.body)
	if err != nil {
		return fmt.Sprintf("the body is not JSON: %v", err)
	}
	want, err := canonical([]byte(body))
	if err != nil {
		return fmt.Sprintf("the wanted body is not JSON: %v", err)
	}
	if got != want {
		return fmt.Sprintf(" got: %s\nwant: %s", got, want)
	}
	if g, w := errorKeys(a.body), errorKeys([]byte(body)); !slices.Equal(g, w) {
		return fmt.Sprintf("errors in the order %q, want %q", g, w)
	}
	return ""
}

// canonical returns JSON with sorted keys. Numbers keep their digits.
func canonical(text []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	if _, err := d.Token(); err != io.EOF {
		return "", fmt.Errorf("something follows the value in %s", text)
	}
	out, err := json.Marshal(v)
	return string(out), err
}

// errorKeys lists the keys of the errors object in their order.
func errorKeys(body []byte) []string {
	var refusal struct{ Errors json.RawMessage }
	if json.Unmarshal(body, &refusal) != nil || len(refusal.Errors) == 0 {
		return nil
	}
	return objectKeys(refusal.Errors)
}

// objectKeys lists the keys of a JSON object whose values are lists of scalars.
func objectKeys(object []byte) []string {
	var keys []string
	d := json.NewDecoder(bytes.NewReader(object))
	depth := 0
	for {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 1 {
				keys = append(keys, v)
			}
		}
	}
}

// quoted returns s as a JSON string.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestBodiesAreComparedDigitForDigit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, got, want string
		same            bool
	}{
		{"order of keys", `{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{"digits", `{"a":1.0}`, `{"a":1}`, false},
		{"missing key", `{"a":1}`, `{"a":1,"b":null}`, false},
		{"trailing bytes", `{"a":1} x`, `{"a":1}`, false},
		{"order of errors", `{"errors":{"a":["x"],"b":["y"]}}`, `{"errors":{"b":["y"],"a":["x"]}}`, false},
	} {
		a := answer{status: 200, body: []byte(c.got)}
		if same := a.differs(200, c.want) == ""; same != c.same {
			t.Errorf("%s: %s against %s: same is %v, want %v", c.name, c.got, c.want, same, c.same)
		}
	}
}
