package bodies

import (
	"testing"

	"cartd/commerce"
)

// A value is a signature, no signature, or no text. The quote decides whether that is a fault.
func TestDecodeSignature(t *testing.T) {
	const onePixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
	picture := commerce.ParseSignature(onePixel)
	if picture == "" {
		t.Fatal("the test's picture is none")
	}
	for body, want := range map[string]commerce.AskedSignature{
		``:                                    {},
		`{"signature":null}`:                  {},
		`{"signature":" \t"}`:                 {},
		`{"signature":"x"}`:                   {Sent: true},
		`{"signature":5}`:                     {Sent: true, NoText: true},
		`{"signature":false}`:                 {Sent: true, NoText: true},
		`{"signature":[]}`:                    {Sent: true, NoText: true},
		`{"signature":{"a":1}}`:               {Sent: true, NoText: true},
		`{"signature":" ` + onePixel + `\n"}`: {Sent: true, PNG: picture},
		`{"signature":"x","signature":"` + onePixel + `"}`:  {Sent: true, PNG: picture},
		`{"signature":"\u0064` + onePixel[1:] + `"}`:        {Sent: true, PNG: picture},
		`{"signature":"` + onePixel[:40] + onePixel + `"}`:  {Sent: true},
		`{"Signature":"` + onePixel + `","signer_name":""}`: {},
	} {
		form, refusal := QuoteAccept.Read(Parse([]byte(body)))
		if refusal != nil || form.Faults.Refusal() != nil || form.Signature != want || form.SignerName != "" {
			t.Errorf("%s: %+v, %v", body, form, refusal)
		}
	}
}

// An accept reads addresses, but no ids of addresses in the book.
func TestDecodeQuoteAccept(t *testing.T) {
	address := `{"name":" Ada ","street":"Dam 1","postal_code":"1012","city":"A","country":"NL","phone":""}`
	form, refusal := QuoteAccept.Read(Parse([]byte(`{"shipping_address":` + address + `,"billing_address":{},"billing_address_id":"` + testLine + `",
		"shipping_address_id":5,"shipping_method_id":null,"signer_name":" Ada "}`)))
	want := commerce.AcceptForm{SignerName: "Ada"}
	want.Shipping = commerce.AskedAddress{Sent: true, Address: commerce.Address{Name: "Ada", Street: "Dam 1", PostalCode: "1012", City: "A", Country: "NL"}}
	if refusal != nil || form.Faults.Refusal() != nil || form.AskedDelivery != want.AskedDelivery || form.SignerName != want.SignerName {
		t.Errorf("got %+v, %v\nwant %+v", form, refusal, want)
	}
}
