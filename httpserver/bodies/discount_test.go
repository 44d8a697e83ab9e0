package bodies

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// docs/api/discounts.md#attach-and-detach: code is a required text of at most 64 characters. It is not
// trimmed.
func TestCodeFields(t *testing.T) {
	long := strings.Repeat("é", 64)
	for _, row := range []struct{ body, code, fault string }{
		{`{"code":"WELCOME10"}`, "WELCOME10", ""},
		{`{"code":" a \u00a0"}`, " a \u00a0", ""},
		{`{"code":"` + long + `"}`, long, ""},
		{`{"code":"` + long + ` "}`, long + " ", "code: The code field must not be greater than 64 characters."},
		{`{}`, "", "code: The code field is required."},
		{`{"code":null}`, "", "code: The code field is required."},
		{`{"code":" \u200b"}`, "", "code: The code field is required."},
		{`{"code":10}`, "", "code: The code field must be a string."},
	} {
		code, fault := DiscountCode.Read(Parse([]byte(row.body)))
		if code != row.code || faultsOf(fault) != row.fault {
			t.Errorf("%s: got %q, %s; want %q, %s", row.body, code, faultsOf(fault), row.code, row.fault)
		}
		checkFault(t, row.body, fault)
	}
	if _, fault := DiscountCode.Read(Parse([]byte("["))); fault != commerce.InvalidJSON {
		t.Errorf("got %v; want %v", fault, commerce.InvalidJSON)
	}
}
