package httpserver

import (
	"bytes"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// fields reads the known fields of a body one after another and collects their faults. It returns
// copies only. Of presence and type, a field reports the first rule that fails, and no later rule
// of the field is checked.
type fields struct {
	object strictjson.Value
	faults commerce.Faults
	// malformed is the refusal of a body that is not an object, else nil.
	malformed *commerce.Refusal
}

// sentBody is the body of a request as a JSON value, which is nil if there is none. invalid: the body
// is no JSON.
type sentBody struct {
	value   strictjson.Value
	invalid bool
}

// parseBody reads a body. Blanks count as none.
func parseBody(body []byte) sentBody {
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return sentBody{}
	}
	value, err := strictjson.Parse(body)
	return sentBody{value, err != nil}
}

// decodeObject reads a body that must be a JSON object. An empty body and an empty list count as the
// empty object. Content-Type has no effect, and unknown fields are ignored.
func decodeObject(body sentBody) fields {
	switch {
	case !body.invalid && body.value.Kind() == strictjson.Object:
		return fields{object: body.value}
	case !body.invalid && (body.value == nil || emptyContainer(body.value)):
		return fields{}
	}
	return fields{malformed: commerce.InvalidJSON}
}

// refusal returns the faults of the body as one refusal, or nil.
func (f *fields) refusal() *commerce.Refusal {
	if f.malformed != nil {
		return f.malformed
	}
	return f.faults.Refusal()
}

// requiredID reads a UUID that must be present.
func (f *fields) requiredID(name string) uuid.UUID {
	value, _ := f.object.Get(name)
	if id, ok := plainID(value); ok {
		return id
	}
	if missing(value) {
		f.faults.Add(name, commerce.MsgRequired(name))
		return uuid.Nil
	}
	id, _ := f.id(name, value)
	return id
}

// optionalID reads a UUID that may be absent, null or blank. It returns false in these cases, and
// for a faulty value.
func (f *fields) optionalID(name string) (uuid.UUID, bool) {
	value, _ := f.object.Get(name)
	if id, ok := plainID(value); ok {
		return id, true
	}
	if value.Kind() == strictjson.Null || blank(value) {
		return uuid.Nil, false
	}
	return f.id(name, value)
}

// plainID reads an id without JSON escapes or spaces around it. It makes no copy.
func plainID(value strictjson.Value) (uuid.UUID, bool) {
	if value.Kind() != strictjson.String {
		return uuid.Nil, false
	}
	return commerce.ParseID([]byte(value[1 : len(value)-1]))
}

func (f *fields) id(name string, value strictjson.Value) (uuid.UUID, bool) {
	if value.Kind() != strictjson.String {
		f.faults.Add(name, commerce.MsgString(name))
		return uuid.Nil, false
	}
	id, ok := commerce.ParseID(commerce.Trim(value.Text()))
	if !ok {
		f.faults.Add(name, commerce.MsgUUID(name))
	}
	return id, ok
}

// requiredQuantity reads a quantity, as a number or as a string that is not trimmed.
// Spec: Quantity rules.
func (f *fields) requiredQuantity(name string) commerce.Quantity {
	isString, text, ok := f.number(name)
	if !ok {
		return 0
	}
	return f.faults.Quantity(name, isString, text)
}

// number reads the text of a number or of a string, which must be present. ok is false if the value
// is neither.
func (f *fields) number(name string) (isString bool, text string, ok bool) {
	value, _ := f.object.Get(name)
	switch {
	case missing(value):
		f.faults.Add(name, commerce.MsgRequired(name))
	case value.Kind() == strictjson.Number:
		return false, string(value), true
	case value.Kind() == strictjson.String:
		return true, value.Text(), true
	default:
		f.faults.Add(name, commerce.MsgNumber(name))
	}
	return false, "", false
}

// optionalMap reads an object that may be absent. An empty list counts as an empty object, and null
// is returned as it is. It returns false for an absent or faulty value.
func (f *fields) optionalMap(name string) (strictjson.Value, bool) {
	value, sent := f.object.Get(name)
	switch {
	case !sent:
		return nil, false
	case value.Kind() == strictjson.Null, value.Kind() == strictjson.Object, emptyContainer(value):
		return value, true
	}
	f.faults.Add(name, commerce.MsgArray(name))
	return nil, false
}

// missing reports whether a value counts as absent in a required field: null, a blank string, [] or
// {}.
func missing(value strictjson.Value) bool {
	return value.Kind() == strictjson.Null || blank(value) || emptyContainer(value)
}

// blank reports whether a value is a string without visible characters, which counts as null.
func blank(value strictjson.Value) bool {
	return value.Kind() == strictjson.String && commerce.Trim(value.Text()) == ""
}

func emptyContainer(value strictjson.Value) bool {
	if kind := value.Kind(); kind != strictjson.Array && kind != strictjson.Object {
		return false
	}
	for range value.Items() {
		return false
	}
	for range value.Pairs() {
		return false
	}
	return true
}
