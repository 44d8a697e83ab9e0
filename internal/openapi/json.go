package openapi

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object with ordered members.
type object []member

type member struct {
	name  string
	value any
}

// with adds a member.
func (o object) with(name string, value any) object { return append(o, member{name, value}) }

// withText adds a member unless its text is empty.
func (o object) withText(name, text string) object {
	if text == "" {
		return o
	}
	return o.with(name, text)
}

// has reports whether there is a member of this name.
func (o object) has(name string) bool {
	for i := range o {
		if o[i].name == name {
			return true
		}
	}
	return false
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := plain(m.name) // cannot fail for a string
		value, err := plain(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(append(append(name, ':'), value...))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// plain returns a value as JSON without HTML escapes.
func plain(value any) ([]byte, error) {
	line, err := indented(value, "")
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// indented is plain as a file, with an indent of each level.
func indented(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return out.Bytes(), err
}
