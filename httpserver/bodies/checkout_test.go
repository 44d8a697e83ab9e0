package bodies

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Each fault of a checkout is reported under its field.
func TestCheckoutBodies(t *testing.T) {
	address := `{"name":"Ada","street":"Dam 1","postal_code":"1012","city":"A","country":"NL"`
	for body, want := range map[string][]string{
		``:   nil,
		`[]`: nil,
		`{"email":null,"shipping_method_id":null,"shipping_address":null,"shipping_address_id":null,"billing_address":null,"billing_address_id":null,
			"customer_note":null,"reference":null,"expected_total_amount":null}`: nil,
		`{"email":" ","shipping_method_id":"","shipping_address":"","shipping_address_id":" ","billing_address":{},"billing_address_id":"","customer_note":" ","expected_total_amount":""}`: nil,
		`{"email":" A@B.co ","expected_total_amount":1.5e2,"shipping_address":` + address +
			`,"label":null,"type":"x","id":5}}`: nil,
		`{"email":5,"shipping_method_id":5,"shipping_address":5,"shipping_address_id":5,"billing_address":[1],"billing_address_id":false,"customer_note":5,"reference":{},"expected_total_amount":"5"}`: {
			"shipping_method_id: The shipping method id field must be a string.",
			"shipping_address: The shipping address field must be an array.", "shipping_address_id: The shipping address id field must be a string.",
			"billing_address: The billing address field must be an array.", "billing_address_id: The billing address id field must be a string.",
			"email: The email field must be a string.",
			"customer_note: The customer note field must be a string.", "reference: The reference field must be a string.",
			"expected_total_amount: The expected total amount field must be an integer.",
		},
		`{"email":"x","expected_total_amount":-1,"customer_note":"` + longText(1001) + `","reference":"` + longText(101) + `"}`: {
			"email: The email field must be a valid email address.", "customer_note: The customer note field must not be greater than 1000 characters.",
			"reference: The reference field must not be greater than 100 characters.", "expected_total_amount: The expected total amount field must be at least 0.",
		},
		`{"expected_total_amount":1.5}`: {"expected_total_amount: The expected total amount field must be an integer."},
		`{"shipping_address":{"label":"` + longText(51) + `","name":" ","street":5,"postal_code":"` + longText(21) + `","country":"NLD","phone":5}}`: {
			"shipping_address.label: The shipping_address.label field must not be greater than 50 characters.",
			"shipping_address.name: The shipping_address.name field is required.", "shipping_address.street: The shipping_address.street field must be a string.",
			"shipping_address.postal_code: The shipping_address.postal_code field must not be greater than 20 characters.",
			"shipping_address.city: The shipping_address.city field is required.", "shipping_address.country: The shipping_address.country field must be 2 characters.",
			"shipping_address.phone: The shipping_address.phone field must be a string.",
		},
	} {
		form, refusal := Checkout.Read(Parse([]byte(body)))
		var got []string
		if faults := form.Faults.Refusal(); faults != nil {
			for _, f := range faults.Fields {
				for _, m := range f.Texts() {
					got = append(got, f.Field+": "+m)
				}
			}
		}
		if refusal != nil || !slices.Equal(got, want) {
			t.Errorf("%.300s: %v\n got %q\nwant %q", body, refusal, got, want)
		}
	}
	form, _ := Checkout.Read(Parse([]byte(`{"email":" A@B.co ","expected_total_amount":1.5e2,"shipping_method_id":" ` + testLine +
		` ","billing_address_id":"x","shipping_address":` + address + `,"type":"x"}}`)))
	want := commerce.CheckoutForm{
		Email: "a@b.co",
		CheckoutFields: commerce.CheckoutFields{AskedDelivery: commerce.AskedDelivery{
			Method: commerce.AskedID{Sent: true, Present: true, ID: uuid.MustParse(testLine)},
			Shipping: commerce.AskedAddress{Sent: true, Present: true,
				Address: commerce.Address{Name: "Ada", Street: "Dam 1", PostalCode: "1012", City: "A", Country: "NL"}},
			Billing: commerce.AskedAddress{InBook: commerce.AskedID{Sent: true, Present: true}},
		}},
	}
	if total := form.ExpectedTotal; total == nil || *total != 150 {
		t.Errorf("the expected total is %v", total)
	}
	if form.ExpectedTotal = nil; !sameForm(form, want) {
		t.Errorf("got %+v\nwant %+v", form, want)
	}
	for _, body := range []string{"{", "5", `"x"`, `[1]`} {
		if _, refusal := Checkout.Read(Parse([]byte(body))); refusal != commerce.InvalidJSON {
			t.Errorf("%s: %v", body, refusal)
		}
	}
}

func longText(n int) string {
	text := make([]byte, 0, 2*n)
	for range n {
		text = append(text, "é"...)
	}
	return string(text)
}

func sameForm(a, b commerce.CheckoutForm) bool {
	return a.Email == b.Email && a.Method == b.Method && a.Shipping == b.Shipping && a.Billing == b.Billing && a.CustomerNote == b.CustomerNote &&
		a.Reference == b.Reference
}

// What the cart or the store judges is passed on as it was asked for.
func TestAskedValues(t *testing.T) {
	for sent, want := range map[string]commerce.AskedMinutes{
		`30`: {Sent: true, Number: "30"}, `1.5`: {Sent: true, Number: "1.5"}, `"30"`: {Sent: true}, `[]`: {Sent: true}, `false`: {Sent: true}, `null`: {}, `" "`: {},
	} {
		if form, _ := Checkout.Read(Parse([]byte(`{"payment_minutes":` + sent + `}`))); form.Payment != want || form.Faults.Refusal() != nil {
			t.Errorf("payment_minutes %s: %+v, %v; want %+v", sent, form.Payment, form.Faults.Refusal(), want)
		}
	}
	id := uuid.MustParse(testLine)
	for sent, want := range map[string]commerce.AskedID{
		`" ` + testLine + `"`: {Sent: true, ID: id}, `"x"`: {Sent: true}, `5`: {Sent: true}, `[]`: {}, `{}`: {}, `null`: {}, `""`: {},
	} {
		want.Present = true
		if form, _ := Checkout.Read(Parse([]byte(`{"shipping_method_id":` + sent + `}`))); form.Method != want {
			t.Errorf("shipping_method_id %s: %+v, want %+v", sent, form.Method, want)
		}
	}
}

// An empty list or object counts as missing if the cart proves to need the text.
func TestEmptyValuesInPlaceOfTexts(t *testing.T) {
	for _, name := range []string{"email", "shipping_method_id", "shipping_address_id"} {
		for _, sent := range []string{"[]", "{}"} {
			var want commerce.Faults
			want.AddEmpty(name)
			if form, _ := Checkout.Read(Parse([]byte(`{"` + name + `":` + sent + `}`))); !reflect.DeepEqual(form.Faults, want) {
				t.Errorf("%s %s: %+v", name, sent, form.Faults)
			}
		}
	}
}
