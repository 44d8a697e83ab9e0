package commerce

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// customer is whose records are erased.
var customer = testID(0xad)

// nameTexts gives every text of a value its own path as its value, with one member in each list.
func nameTexts(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		nameTexts(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		nameTexts(v.Index(0), path)
	case reflect.Struct:
		if _, isTime := v.Interface().(time.Time); isTime {
			v.Set(reflect.ValueOf(time.UnixMilli(1_795_000_000_123).UTC()))
			return
		}
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			nameTexts(v.Field(i), name)
		}
	}
}

// textsIn lists the texts of a value.
func textsIn(v reflect.Value) (all []string) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			all = append(all, v.String())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			all = textsIn(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, textsIn(v.Index(i))...)
		}
	case reflect.Struct:
		if _, isTime := v.Interface().(time.Time); isTime {
			return nil
		}
		for i := range v.NumField() {
			all = append(all, textsIn(v.Field(i))...)
		}
	}
	return all
}

// orderTexts are all texts of an order. An erasure removes those of the customer, and the merchant's
// about payment, cancel and way of the goods; with keepInvoices those of the billing address stay.
var orderTexts = map[string]string{
	"Email": "erased", "CustomerNote": "erased", "Metadata.Key": "erased", "Metadata.Value.Text": "erased",
	"Uses.Field":        "stays", // of no customer: TestErasureRemovesUsesByCustomer
	"Payment.Reference": "erased", "CancelReason": "erased", "Parts.Reference": "erased", "Parts.Reason": "erased",
	"Parts.ShipmentDetails.TrackingNumber": "erased", "Parts.ShipmentDetails.TrackingURL": "erased",

	"ShippingAddress.Label": "erased", "ShippingAddress.Name": "erased", "ShippingAddress.Street": "erased", "ShippingAddress.PostalCode": "erased",
	"ShippingAddress.City": "erased", "ShippingAddress.Phone": "erased", "ShippingAddress.Type": "erased", "ShippingAddress.Country": "stays",
	"ShippingAddress.Company": "erased", "ShippingAddress.Region": "erased", "BillingAddress.Company": "invoice", "BillingAddress.Region": "invoice",
	"BillingAddress.Label": "invoice", "BillingAddress.Name": "invoice", "BillingAddress.Street": "invoice", "BillingAddress.PostalCode": "invoice",
	"BillingAddress.City": "invoice", "BillingAddress.Phone": "invoice", "BillingAddress.Type": "invoice", "BillingAddress.Country": "stays",

	"Reference": "stays", "Parts.ShipmentDetails.Carrier": "stays", "Shipping.Name": "stays",
	"Discounts.Name": "stays", "Discounts.Code": "stays",

	"Lines.Line.Name": "stays", "Lines.Line.SKU": "stays", "Lines.VariantName": "stays", "Lines.Line.Configuration.Dimensions.Key": "stays",
	"VATID": "invoice", "Lines.Line.Configuration.Choices": "stays",
	"Lines.Line.Configuration.Breakdown.Label": "stays", "Lines.Line.Configuration.Components.Quantity": "stays",
	"Lines.Line.Configuration.MatrixID": "stays", "Lines.Line.Configuration.MatrixName": "stays",
	"Lines.Line.Properties.Key": "erased", "Lines.Line.Properties.Value": "erased", "Lines.Line.Properties.Label": "erased",
}

// Every text of an order is either erased or stays, as orderTexts says: a new field needs a row.
func TestEraseKnowsEveryTextOfAnOrder(t *testing.T) {
	var o Order
	nameTexts(reflect.ValueOf(&o).Elem(), "")
	o.Customer = Binding{ID: customer}
	all := textsIn(reflect.ValueOf(o))
	for _, keepInvoices := range []bool{false, true} {
		e := &Erasure{Identity: Identity{Customers: []uuid.UUID{customer}}, KeepInvoices: keepInvoices}
		next, erased := e.Order(&o)
		if !erased {
			t.Fatal("nothing is erased")
		}
		left := textsIn(reflect.ValueOf(*next))
		for _, text := range all {
			want := orderTexts[text]
			if want == "" {
				t.Errorf("orderTexts has no row for %s", text)
				continue
			}
			if stays := want == "stays" || want == "invoice" && keepInvoices; slices.Contains(left, text) != stays {
				t.Errorf("with keepInvoices %v %s stays %v, want %v", keepInvoices, text, !stays, stays)
			}
		}
		if got, want := next.Payment.Reference, ErasedReference(o.Payment.Reference); got != want {
			t.Errorf("the payment's reference is %q, want %q", got, want)
		}
		if again, _ := e.Order(next); !reflect.DeepEqual(again, next) {
			t.Errorf("erased again: %+v", again)
		}
	}
	for text := range orderTexts {
		if !slices.Contains(all, text) {
			t.Errorf("an order has no text %s", text)
		}
	}
}

// An order without a billing address was invoiced to its shipping address.
func TestEraseKeepsTheAddressOfTheInvoice(t *testing.T) {
	home, office := &Address{Name: "Ada", Street: "Dam 1", Country: "NL"}, &Address{Name: "Ada Ltd", Street: "Rokin 2", Country: "BE"}
	for _, c := range []struct {
		name                      string
		shipping, billing         *Address
		keep                      bool
		wantShipping, wantBilling *Address
	}{
		{"both, kept", home, office, true, countryOf(home), office},
		{"shipping alone, kept", home, nil, true, home, nil},
		{"billing alone, kept", nil, office, true, nil, office},
		{"none, kept", nil, nil, true, nil, nil},
		{"both", home, office, false, countryOf(home), countryOf(office)},
		{"shipping alone", home, nil, false, countryOf(home), nil},
	} {
		e := &Erasure{Identity: Identity{Customers: []uuid.UUID{customer}}, KeepInvoices: c.keep}
		next, _ := e.Order(&Order{Customer: Binding{ID: customer}, ShippingAddress: c.shipping, BillingAddress: c.billing})
		if !reflect.DeepEqual(next.ShippingAddress, c.wantShipping) || !reflect.DeepEqual(next.BillingAddress, c.wantBilling) {
			t.Errorf("%s: %+v, %+v; want %+v, %+v", c.name, next.ShippingAddress, next.BillingAddress, c.wantShipping, c.wantBilling)
		}
	}
}

// Erasing keeps the reason "unpaid" of an order, because it contains nothing about a person.
func TestEraseLeavesTheReasonOfAnUnpaidOrder(t *testing.T) {
	e := &Erasure{Identity: Identity{Customers: []uuid.UUID{customer}}}
	next, _ := e.Order(&Order{Email: "a@b.co", Customer: Binding{ID: customer}, CancelReason: UnpaidReason})
	if next.CancelReason != UnpaidReason || next.Email != "" {
		t.Errorf("the order is %+v", next)
	}
}

// Of a quote only its goods without their texts, its delivery, the reasons why it was needed, its reference, and the names of events and of
// keys stay; of a contact no text.
func TestEraseLeavesNoOtherText(t *testing.T) {
	var q Quote
	nameTexts(reflect.ValueOf(&q).Elem(), "")
	e := &Erasure{Identity: Identity{Customers: []uuid.UUID{{}}}}
	left, _ := e.Quote(&q)
	stay := []string{"Reasons", "QuoteDetails.Reference", "Delivery.Name", "Delivery.TaxCode", "History.Event", "History.By"}
	for _, text := range textsIn(reflect.ValueOf(*left)) {
		if !slices.Contains(stay, text) && !strings.HasPrefix(text, "Goods.") || strings.Contains(text, ".Properties.") {
			t.Errorf("a quote keeps %s", text)
		}
	}
	var c Contact
	nameTexts(reflect.ValueOf(&c).Elem(), "")
	next, _ := e.Contact(&c)
	if left := textsIn(reflect.ValueOf(*next)); len(left) > 0 {
		t.Errorf("a contact keeps %v", left)
	}
}
