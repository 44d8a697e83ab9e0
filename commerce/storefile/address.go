package storefile

import (
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// addressBook are a customer's addresses. Spec: Address, rule 2.
var addressBook = ahead(atMost(listOf(address), commerce.MaxAddresses, "addresses"), func(d *document) { d.defaults = map[string]bool{} })

// address is one address; its id may be absent. Spec: POST create body.
var address = exportedKind("address",
	field.Optional("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.addresses }), "", func(a *commerce.Address) *uuid.UUID { return &a.ID }),
	field.Optional("type", word(commerce.AddressTypes...), "", commerce.AddressTexts[commerce.AddressType].Place),
	addressText(&commerce.AddressTexts[commerce.AddressLabel]),
	field.Optional("is_default", boolean(false), "Of one address of each type.", func(a *commerce.Address) *bool { return &a.IsDefault }),
	rule(func(d *document, o value, a *commerce.Address) {
		if a.IsDefault && d.defaults[a.Type] {
			o.get("is_default").conflict("is a second default address of type " + a.Type)
		}
		d.defaults[a.Type] = d.defaults[a.Type] || a.IsDefault
	}),
	recipient,
)

var recipient = func() row[*commerce.Address] {
	var texts []row[*commerce.Address]
	for i := commerce.AddressRecipient; i < len(commerce.AddressTexts); i++ {
		texts = append(texts, addressText(&commerce.AddressTexts[i]))
	}
	return field.Group(texts...)
}()

func addressText(t *commerce.AddressText) row[*commerce.Address] {
	kind := trimmedLine(t.Min, t.Max)
	if t.Min > 0 {
		return field.Required(t.Name, kind, "", t.Place)
	}
	return field.Optional(t.Name, kind, "", t.Place)
}

// trimmedLine is the kind of texts that field.line reads.
func trimmedLine(shortest, longest int) kind[string] {
	about := fmt.Sprintf("%d to %d characters, not counting the space around them", shortest, longest)
	if shortest == longest {
		about = fmt.Sprintf("%d characters, not counting the space around them", longest)
	}
	return unlessZero(judged(openapi.Text.Pattern(trimmed(shortest, longest)).About(about),
		func(f value) string { return f.line(shortest, longest) }))
}

// line reads a text of one line of shortest to longest characters, without surrounding space. If shortest is
// not 0, a text of only space counts as missing.
func (f value) line(shortest, longest int) string {
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
