package httpserver

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// An exchange has nothing of the last request, whichever fields that has set. It keeps only memory,
// which is empty or emptied before its next use.
func TestAnExchangeForgetsItsRequest(t *testing.T) {
	emptied := []string{"values", "requestID", "out", "origin", "tag"}
	reused := []string{"in", "eval"}
	x := &exchange{}
	all := reflect.ValueOf(x).Elem()
	for i := range all.NumField() {
		fill(all.Field(i))
		if all.Field(i).IsZero() {
			t.Errorf("%s is not filled", all.Type().Field(i).Name)
		}
	}
	x.reset()
	for i := range all.NumField() {
		switch name, field := all.Type().Field(i).Name, all.Field(i); {
		case slices.Contains(reused, name):
		case slices.Contains(emptied, name):
			if field.Len() != 0 || field.Cap() == 0 {
				t.Errorf("%s has length %d and capacity %d; want kept memory without content", name, field.Len(), field.Cap())
			}
		case !field.IsZero():
			t.Errorf("%s is %v; want its zero value", name, field)
		}
	}
}

// fill sets a variable, or all fields of a struct, to something other than the zero value.
func fill(v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // the fields are not exported
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Array:
		fill(v.Index(0))
	case reflect.String:
		v.SetString("sent")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	}
}
