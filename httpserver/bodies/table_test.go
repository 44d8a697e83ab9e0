package bodies

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// table is a body with its value and its faults as they are found by reading.
type table struct {
	schema *openapi.Schema
	read   func(body string) (value any, fault *commerce.Refusal)
}

func tableOf[T any](b *Body[T]) table {
	return table{b.Schema, func(body string) (any, *commerce.Refusal) {
		value, fault := b.Read(Parse([]byte(body)))
		if b.faults != nil {
			fault = b.faults(&value).Refusal()
			*b.faults(&value) = commerce.Faults{}
		}
		return value, fault
	}}
}

// tables are all bodies by the names of their components.
var tables = map[string]table{
	"LineAdd": tableOf(LineAdd), "LineChange": tableOf(LineChange), "ConfigurationQuote": tableOf(ConfigurationQuote), "Selection": tableOf(selectionBody),
	"CartPatch": tableOf(CartPatch), "DiscountCode": tableOf(DiscountCode), "Checkout": tableOf(Checkout), "CheckoutAddress": tableOf(checkoutAddress),
	"AddressAdd": tableOf(AddressAdd), "AddressPatch": tableOf(AddressPatch), "ProfilePatch": tableOf(ProfilePatch), "StockAdjustment": tableOf(StockAdjustment),
	"QuoteRequest": tableOf(QuoteRequest), "QuoteAccept": tableOf(QuoteAccept), "QuoteDecline": tableOf(QuoteDecline),
	"Payment": tableOf(Payment), "Cancel": tableOf(Cancel), "Refund": tableOf(Refund), "Shipment": tableOf(Shipment),
	"RefundPart": tableOf(RefundPart), "ShipLines": tableOf(ShipLines), "ReturnLines": tableOf(ReturnLines), "PartLine": tableOf(sentLine),
	"Register": tableOf(Register), "Login": tableOf(Login), "ForgotPassword": tableOf(ForgotPassword),
	"PasswordReset": tableOf(PasswordReset), "PasswordChange": tableOf(PasswordChange),
}

// described is the part of a schema that these tests read.
type described struct {
	Type                 any
	Format               string
	Enum                 []any
	MinLength, MaxLength int
	AnyOf                []described
}

func describedBy(t *testing.T, s *openapi.Schema) (d described) {
	t.Helper()
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// is reports whether values may have a type.
func (d described) is(name string) bool {
	return strings.Contains(fmt.Sprint(d.Type), name) || slices.ContainsFunc(d.AnyOf, func(one described) bool { return one.is(name) })
}

// samples are values of fields that cannot be made from their schemas.
var samples = map[string]string{
	"email": `"a@b.co"`, "restock": `false`, "metadata": `{"a":1}`, "dimensions": `{"a":1}`, "choices": `["a"]`, "configuration": `{"choices":["a"]}`,
	"properties": `{"a":"b"}`, "lines": `[{"line_id":"` + testLine + `","quantity":1}]`,
	"shipping_address": `{"name":"N"}`, "billing_address": `{"name":"N"}`,
}

// sample is a value of a field that is not its default.
func (d described) sample(name string) string {
	switch {
	case samples[name] != "":
		return samples[name]
	case strings.HasSuffix(name, "_id"):
		return `"` + testLine + `"`
	case d.is("boolean"):
		return `true`
	case len(d.Enum) > 0:
		names := slices.DeleteFunc(d.Enum, func(v any) bool { return v == nil })
		return quotedJSON(fmt.Sprint(names[len(names)-1]))
	case d.is("integer") || d.is("number"):
		return `7`
	}
	return quotedJSON(strings.Repeat("x", max(1, d.MinLength)))
}

// places are the names of the Go fields that differ from the body's.
var places = map[string][]string{
	"shipping_method_id": {"Method"}, "shipping_address": {"Shipping"}, "billing_address": {"Billing"},
	"shipping_address_id": {"Shipping", "InBook"}, "billing_address_id": {"Billing", "InBook"},
	"expected_total_amount": {"ExpectedTotal"}, "payment_minutes": {"Payment"}, "kind": {"B2B"}, "current_password": {"Current"},
}

// flat lists the parts of a value by their paths.
func flat(all map[string]string, path string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		flat(all, path, v.Elem())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			flat(all, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case v.Type() == reflect.TypeFor[[len(commerce.AddressTexts)]*string]():
		for i, t := range commerce.AddressTexts {
			flat(all, path+"."+strings.ReplaceAll(t.Name, "_", ""), v.Index(i))
		}
	default:
		all[path] = fmt.Sprint(v)
	}
}

// Each field sets the part of the value that has its name, and nothing else.
func TestEachFieldHasItsPlace(t *testing.T) {
	for name, table := range tables {
		nothing, _ := table.read("{}")
		before := map[string]string{}
		flat(before, "", reflect.ValueOf(nothing))
		for _, f := range table.schema.Fields() {
			body := `{"` + f.Name + `":` + describedBy(t, f.Schema).sample(f.Name) + `}`
			value, _ := table.read(body)
			after, changed := map[string]string{}, 0
			flat(after, "", reflect.ValueOf(value))
			want := places[f.Name]
			if want == nil {
				want = []string{strings.ReplaceAll(f.Name, "_", "")}
			}
			for path, part := range after {
				if part == before[path] {
					continue
				}
				changed++
				got, place := strings.ToLower(strings.TrimSuffix(path, "Sent"))+".", "."+strings.ToLower(strings.Join(want, "."))+"."
				if path != "" && !strings.Contains(got, place) && !strings.HasPrefix(place, strings.TrimSuffix(got, ".")) {
					t.Errorf("%s %s: sets %s", name, body, path)
				}
			}
			if confirms := strings.HasSuffix(f.Name, "_confirmation"); (changed == 0) != confirms {
				t.Errorf("%s %s: %d parts are set", name, body, changed)
			}
		}
	}
}

// faultsAt are the messages about a field of a body with this member.
func (table table) faultsAt(field, member string) (texts []string) {
	if _, fault := table.read("{" + member + "}"); fault != nil {
		for _, e := range fault.Fields {
			if e.Field == field {
				texts = append(texts, e.Texts()...)
			}
		}
	}
	return texts
}

// A field that the schema requires is missing if it is absent, null, blank or empty. Any other field may be
// absent, and null where the schema allows it.
func TestSchemasHaveThePresenceOfTheirFields(t *testing.T) {
	for name, table := range tables {
		for _, f := range table.schema.Fields() {
			if f.Name == "dimensions" || f.Name == "choices" || strings.HasSuffix(f.Name, "_confirmation") {
				continue // their shapes are not judged here, or by another field
			}
			required := []string{commerce.MsgRequired(f.Name).Text()}
			if got := table.faultsAt(f.Name, ""); f.Optional != (got == nil) || !f.Optional && !slices.Equal(got, required) {
				t.Errorf("%s without %s: %q, optional: %v", name, f.Name, got, f.Optional)
			}
			nullable := describedBy(t, f.Schema).is("null") || f.Schema.NotNull() != f.Schema
			if got := table.faultsAt(f.Name, `"`+f.Name+`":null`); nullable != (got == nil) {
				t.Errorf("%s with %s null: %q, nullable: %v", name, f.Name, got, nullable)
			}
			for _, value := range []string{"null", `" \u200b"`, "[]", "{}"} {
				if got := table.faultsAt(f.Name, `"`+f.Name+`":`+value); !f.Optional && !slices.Equal(got, required) {
					t.Errorf("%s with %s %s: %q", name, f.Name, value, got)
				}
			}
		}
	}
}

// The longest text that the schema of a field allows is accepted, and one more character is not; a
// control character is reported ahead of the length.
func TestSchemasHaveTheLimitsOfTheirRules(t *testing.T) {
	for name, table := range tables {
		for _, f := range table.schema.Fields() {
			d := describedBy(t, f.Schema)
			if d.MaxLength == 0 || f.Name == "email" {
				continue
			}
			messages := func(text string) []string { return table.faultsAt(f.Name, `"`+f.Name+`":`+quotedJSON(text)) }
			tooLong := commerce.MsgMaxCharacters(f.Name, d.MaxLength).Text()
			if d.MinLength == d.MaxLength {
				tooLong = commerce.MsgSize(f.Name, d.MaxLength).Text()
			}
			if got := messages(strings.Repeat("é", d.MaxLength)); got != nil {
				t.Errorf("%s.%s of %d characters: %q", name, f.Name, d.MaxLength, got)
			}
			if got := messages(strings.Repeat("é", d.MaxLength+1)); !slices.Equal(got, []string{tooLong}) {
				t.Errorf("%s.%s of %d characters: %q, want %q", name, f.Name, d.MaxLength+1, got, tooLong)
			}
			want := []string{commerce.MsgControlCharacter(f.Name).Text(), tooLong}
			if got := messages("a\x00" + strings.Repeat("é", d.MaxLength)); !slices.Equal(got, want) {
				t.Errorf("%s.%s with U+0000: %q, want %q", name, f.Name, got, want)
			}
		}
	}
}
