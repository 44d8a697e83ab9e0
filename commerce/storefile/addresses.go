package storefile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cartd/commerce"
)

// maxAddresses is how many addresses a contact may have.
const maxAddresses = 250

// addressBook reads a customer's addresses. Spec: Address, rule 2.
func (d *document) addressBook(f field) (book []commerce.Address) {
	defaults := map[string]bool{}
	for item := range f.items() {
		o := item.object()
		a := d.address(o)
		if isDefault := o.get("is_default"); a.IsDefault && defaults[a.Type] {
			isDefault.fault("is a second default address of type " + a.Type)
		}
		o.close()
		defaults[a.Type] = defaults[a.Type] || a.IsDefault
		book = append(book, a)
	}
	if len(book) > maxAddresses {
		f.fault(fmt.Sprintf("must have at most %d addresses", maxAddresses))
	}
	return book
}

// address reads one address; its id may be absent. Spec: POST create body.
func (d *document) address(o object) commerce.Address {
	return commerce.Address{
		ID:         o.get("id").uniqueID(&d.addresses),
		Type:       o.get("type").word("shipping", "billing", "work"),
		Label:      o.get("label").line(50),
		IsDefault:  o.get("is_default").boolean(false),
		Name:       o.filled("name", 150),
		Street:     o.filled("street", 255),
		PostalCode: o.filled("postal_code", 20),
		City:       o.filled("city", 100),
		Country:    country(o.required("country")),
		Phone:      o.get("phone").line(50),
	}
}

// line reads a text without the space around it, of at most so many characters.
func (f field) line(characters int) string {
	text := trim(f.remark())
	if utf8.RuneCountInString(text) > characters {
		f.fault(fmt.Sprintf("must be at most %d characters", characters))
	}
	return text
}

// filled reads a required line; one of nothing but space is not there.
func (o object) filled(name string, characters int) string {
	f := o.required(name)
	text, ok := f.note()
	if ok && trim(text) == "" {
		f.fault("is required")
	}
	if !ok {
		return ""
	}
	return f.line(characters)
}

// country reads any two characters.
func country(f field) string {
	text, ok := f.note()
	if text = trim(text); ok && utf8.RuneCountInString(text) != 2 {
		f.fault("must be 2 characters")
	}
	return text
}

// trim takes away what the API takes away around the fields of an address: white
// space, zero-width characters and byte order marks.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || '\u200b' <= r && r <= '\u200d' || r == '\u2060' || r == '\ufeff'
	})
}
