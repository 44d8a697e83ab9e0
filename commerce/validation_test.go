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

// The texts of the platform's clients, letter for letter.
func TestValidationMessages(t *testing.T) {
	for got, want := range map[Message]string{
		MsgRequired("postal_code"):        "The postal code field is required.",
		MsgString("email"):                "The email field must be a string.",
		MsgArray("metadata"):              "The metadata field must be an array.",
		MsgUUID("product_id"):             "The product id field must be a valid UUID.",
		MsgEmail("email"):                 "The email field must be a valid email address.",
		MsgMaxCharacters("email", 255):    "The email field must not be greater than 255 characters.",
		MsgMaxItems("metadata", 16):       "The metadata field must not have more than 16 items.",
		MsgMax("quantity", "99"):          "The quantity field must not be greater than 99.",
		MsgNumber("quantity"):             "The quantity field must be a number.",
		MsgDecimals("lines.0.quantity"):   "The lines.0.quantity field must have 0-3 decimal places.",
		MsgPositive("quantity"):           "The quantity field must be greater than 0.",
		MsgScalar("metadata.delivery_on"): "The metadata.delivery_on field must be a string, number, boolean or null.",
	} {
		if got := got.Text(); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}
