package bodies

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// testLine is the id of products, variants and addresses in these tests.
const testLine = "0a0b0c0d-0e0f-4a0b-8c0d-0e0f0a0b0c0d"

// faultsOf returns a fault as "field: text | text; field: text".
func faultsOf(r *commerce.Refusal) string {
	if r == nil {
		return ""
	}
	var fields []string
	for _, f := range r.Fields {
		fields = append(fields, f.Field+": "+strings.Join(f.Texts(), " | "))
	}
	return strings.Join(fields, "; ")
}

// checkFault checks the properties that all faults of a body share.
func checkFault(t *testing.T, body string, r *commerce.Refusal) {
	t.Helper()
	if r == nil || r == commerce.InvalidJSON {
		return
	}
	if r.Kind != commerce.Invalid || r.Code != "" || len(r.Fields) == 0 || r.Message != r.Fields[0].Messages[0].Text() {
		t.Errorf("%s: got %+v, want a plain 422 whose message is the first error", body, r)
	}
}

// Malformed bodies have the same text on all routes. Package strictjson tests what is malformed.
func TestMalformedBodies(t *testing.T) {
	for _, body := range []string{
		"{", `{"email":"a@b"} x`, "\ufeff", "\u00a0", "{\"a\":\"\xff\"}", `[[]]`, `[] x`, `[{"email":"a@b"}]`, `"text"`, "12", "true", "null",
	} {
		_, patch := CartPatch.Read(Parse([]byte(body)))
		_, add := LineAdd.Read(Parse([]byte(body)))
		_, change := LineChange.Read(Parse([]byte(body)))
		if patch != commerce.InvalidJSON || add != commerce.InvalidJSON || change != commerce.InvalidJSON {
			t.Errorf("%q: got %v, %v, %v; want %v", body, patch, add, change, commerce.InvalidJSON)
		}
	}
}

func TestAnEmptyBodyIsAnEmptyObject(t *testing.T) {
	for _, body := range []string{"", "\t\r\n ", " { } ", "[]", " [ ]\n"} {
		patch, fault := CartPatch.Read(Parse([]byte(body)))
		_, add := LineAdd.Read(Parse([]byte(body)))
		want := "product_id: The product id field is required.; quantity: The quantity field is required."
		if fault != nil || patch.Email != nil || patch.MetadataSent || faultsOf(add) != want {
			t.Errorf("%q: a patch is %+v, %v, an add %s", body, patch, fault, faultsOf(add))
		}
	}
}

func TestTrim(t *testing.T) {
	for _, around := range []string{" ", "\t\r\n\v\f", "\u00a0", "\u2003", "\u3000", "\u200b", "\u200d", "\u200e", "\u2060", "\ufeff", " \u200b\ufeff\u00a0"} {
		if got := commerce.Trim(around + "a" + around + "b" + around); got != "a"+around+"b" {
			t.Errorf("trim with %+q: got %+q", around, got)
		}
	}
	if got := commerce.Trim("\u00e9"); got != "\u00e9" {
		t.Errorf("Trim(é) = %+q", got)
	}
}
