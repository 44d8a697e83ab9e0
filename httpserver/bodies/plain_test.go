package bodies

import (
	"encoding/json"
	"strings"
	"testing"

	"cartd/commerce"
)

func bodyOf(text string) Sent { return Parse([]byte(text)) }

// A text is trimmed ahead of the rule of control characters. Length counts what is left, with LF as the
// end of a line.
func TestTextsAreTrimmedAheadOfTheirRules(t *testing.T) {
	for _, c := range []struct{ sent, reference, errors string }{
		{`"\r\n\tRFQ 7\n\u2028\u0085\u200b"`, "RFQ 7", ""},
		{`"\n"`, "", ""},
		{`"RFQ\n7"`, "RFQ\n7", "reference: The reference field must not contain control characters."},
		{`"RFQ 7\u0000"`, "RFQ 7\x00", "reference: The reference field must not contain control characters."},
		{`"\u0001"`, "\x01", "reference: The reference field must not contain control characters."},
		{`"` + strings.Repeat("a", commerce.MaxReference-1) + `\u2029b"`, "", "reference: The reference field must not contain control characters. | " +
			"The reference field must not be greater than 100 characters."},
	} {
		form, _ := Checkout.Read(bodyOf(`{"reference":` + c.sent + `}`))
		if got := faultsOf(form.Faults.Refusal()); got != c.errors || c.reference != "" && form.Reference != c.reference {
			t.Errorf("%s: got %q, %s; want %q, %s", c.sent, form.Reference, got, c.reference, c.errors)
		}
	}
	for _, c := range []struct{ sent, note, errors string }{
		{`" a\r\nb\rc\n\td\r\n "`, "a\nb\nc\n\td", ""},
		{`"` + strings.Repeat(`\r\n`, commerce.MaxCustomerNote-2) + `"`, "", ""},
		{`"a` + strings.Repeat(`\r\n`, commerce.MaxCustomerNote-2) + `b"`, "a" + strings.Repeat("\n", commerce.MaxCustomerNote-2) + "b", ""},
		{`"a\u0000b"`, "a\x00b", "customer_note: The customer note field must not contain control characters."},
		{`"a\u000bb"`, "a\vb", "customer_note: The customer note field must not contain control characters."},
		{`"a\u2028b"`, "a\u2028b", "customer_note: The customer note field must not contain control characters."},
	} {
		form, _ := Checkout.Read(bodyOf(`{"customer_note":` + c.sent + `}`))
		if got := faultsOf(form.Faults.Refusal()); got != c.errors || form.CustomerNote != c.note {
			t.Errorf("%.50s: got %.50q, %s; want %.50q, %s", c.sent, form.CustomerNote, got, c.note, c.errors)
		}
	}
	if form, _ := QuoteRequest.Read(bodyOf(`{"message":"a\r\nb"}`)); form.Message != "a\nb" || form.Faults.Refusal() != nil {
		t.Errorf("a message is %q", form.Message)
	}
}

// Metadata stays as it is sent but for U+0000 and for numbers that others cannot read.
func TestMetadataThatOthersCanRead(t *testing.T) {
	const scalar, control = " field must be a string, number, boolean or null.", " field must not contain control characters."
	for _, c := range []struct{ sent, errors string }{
		{`{"a":"\r\n\u0001 x ","b\n":1e308,"c":-0,"d":` + strings.Repeat("9", 32) + `,"e":1e-400,"f":true,"g":null}`, ""},
		{`{"a":1e400}`, "metadata.a: The metadata.a" + scalar},
		{`{"a":-1e309}`, "metadata.a: The metadata.a" + scalar},
		{`{"a":` + strings.Repeat("9", 33) + `}`, "metadata.a: The metadata.a" + scalar},
		{`{"a":0.` + strings.Repeat("0", 31) + `}`, "metadata.a: The metadata.a" + scalar},
		{`{"a":"x\u0000y"}`, "metadata.a: The metadata.a" + control},
		{`{"a\u0000":1}`, "metadata.a\x00: The metadata.a\x00" + control},
		{`{"b":1e999,"a":[],"c":"\u0000"}`, "metadata.b: The metadata.b" + scalar + "; metadata.a: The metadata.a" + scalar +
			"; metadata.c: The metadata.c" + control},
	} {
		if _, refusal := CartPatch.Read(bodyOf(`{"metadata":` + c.sent + `}`)); faultsOf(refusal) != c.errors {
			t.Errorf("%s: got %s, want %s", c.sent, faultsOf(refusal), c.errors)
		}
	}
}

// Codes and passwords stay as they are sent but for U+0000.
func TestVerbatimTexts(t *testing.T) {
	for _, char := range []string{"\x01", "\n", "\u2028", "\x00"} {
		code, refusal := DiscountCode.Read(bodyOf(`{"code":` + quotedJSON("a"+char) + `}`))
		if (refusal != nil) != (char == "\x00") || code != "a"+char {
			t.Errorf("a code with %q: %q, %v", char, code, refusal)
		}
		login, refusal := Login.Read(bodyOf(`{"email":"a@b.co","password":` + quotedJSON(" a-password"+char) + `}`))
		if (refusal != nil) != (char == "\x00") || login.Password != " a-password"+char {
			t.Errorf("a password with %q: %q, %v", char, login.Password, refusal)
		}
	}
}

func quotedJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
