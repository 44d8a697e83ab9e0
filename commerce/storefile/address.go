package storefile

import (
	"fmt"
	"unicode/utf8"

	"cartd/commerce"
)

// addressBook reads a customer's addresses. Spec: Address, rule 2.
func (d *document) addressBook(f field) (book []commerce.Address) {
	defaults := map[string]bool{}
	for item := range f.items() {
		o := item.object()
		a := d.address(o)
		if isDefault := o.get("is_default"); a.IsDefault && defaults[a.Type] {
			isDefault.conflict("is a second default address of type " + a.Type)
		}
		o.close()
		defaults[a.Type] = defaults[a.Type] || a.IsDefault
		book = keep(f.r, book, a)
	}
	f.notMore(commerce.MaxAddresses, "addresses")
	return book
}

// address reads one address; its id may be absent. Spec: POST create body.
func (d *document) address(o object) commerce.Address {
	return commerce.Address{
		ID:         o.get("id").uniqueID(&d.addresses),
		Type:       o.get("type").word(commerce.AddressTypes...),
		Label:      o.get("label").line(0, commerce.MaxAddressLabel),
		IsDefault:  o.get("is_default").boolean(false),
		Name:       o.required("name").line(1, commerce.MaxAddressName),
		Street:     o.required("street").line(1, commerce.MaxAddressStreet),
		PostalCode: o.required("postal_code").line(1, commerce.MaxAddressPostalCode),
		City:       o.required("city").line(1, commerce.MaxAddressCity),
		Country:    o.required("country").line(commerce.CountryLength, commerce.CountryLength),
		Phone:      o.get("phone").line(0, commerce.MaxAddressPhone),
	}
}

// line reads a text of one line of shortest to longest characters, without surrounding space. If shortest is
// not 0, a text of only space counts as missing.
func (f field) line(shortest, longest int) string {
	text, ok := f.str()
	text = commerce.Trim(text)
	f.judgeLine(text)
	switch n := utf8.RuneCountInString(text); {
	case !ok || shortest <= n && n <= longest:
	case shortest == longest:
		f.fault(fmt.Sprintf("must be %d characters", longest))
	case n == 0:
		f.fault("is required")
	default:
		f.fault(fmt.Sprintf("must be at most %d characters", longest))
	}
	return text
}
