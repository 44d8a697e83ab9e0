package commerce

import "testing"

func TestFaultsBecomeOneRefusal(t *testing.T) {
	var f Faults
	if r := f.Refusal(); r != nil {
		t.Errorf("no fault gave %v", r)
	}
	f.Add("quantity", MsgDecimals("quantity"))
	f.Add("lines.0.unit_price", MsgNumber("lines.0.unit_price"))
	f.Add("quantity", MsgPositive("quantity"))
	f.Add("quantity", MsgDecimals("quantity")) // identical texts are not repeated
	want := &Refusal{Kind: Invalid, Message: "The quantity field must have 0-3 decimal places.", Fields: []FieldError{
		{"quantity", saying("The quantity field must have 0-3 decimal places.", "The quantity field must be greater than 0.")},
		{"lines.0.unit_price", saying("The lines.0.unit_price field must be a number.")},
	}}
	if got := f.Refusal(); inWords(got) != inWords(want) {
		t.Errorf("got %s; want %s", inWords(got), inWords(want))
	}
}
