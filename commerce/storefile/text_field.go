package storefile

import (
	"fmt"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// textFields are the texts that a shopper gives with a line. An empty list is kept apart from none:
// lines of the product then take the properties of the front end only.
var textFields = then(
	ahead(atMost(listOf(textField), commerce.MaxTextFields, "text fields"), func(d *document) { d.textKeys = register[string]{} }),
	func(_ *document, _ value, all *[]commerce.TextField) {
		if *all == nil {
			*all = []commerce.TextField{}
		}
	})

var textField = objectKind("text_field",
	field.Required("key", unique(propertyKey, func(d *document) *register[string] { return &d.textKeys }), "",
		func(t *commerce.TextField) *string { return &t.Key }),
	field.Required("label", fieldLabel, "", func(t *commerce.TextField) *string { return &t.Label }),
	field.Optional("required", boolean(false), "", func(t *commerce.TextField) *bool { return &t.Required }),
	field.Optional("max_length", wholeOr(1, commerce.MaxPropertyLength, commerce.TextFieldMaxLength, 1), "In characters.",
		func(t *commerce.TextField) *int { return &t.MaxLength }),
)

// aPropertyKey describes the keys of text fields.
var aPropertyKey = fmt.Sprintf(`1 to %d of A–Z, a–z, 0–9, "_" and "-", not beginning with "_"`, commerce.MaxPropertyKey)

var propertyKey = judged(openapi.Text.Pattern(fmt.Sprintf(`^[A-Za-z0-9-][A-Za-z0-9_-]{0,%d}$`, commerce.MaxPropertyKey-1)).About(aPropertyKey),
	func(f value) string {
		key, ok := f.str()
		if ok && (!commerce.IsPropertyKey(key) || commerce.IsOwnKey(key)) {
			f.mustBe(aPropertyKey)
		}
		return key
	})

var fieldLabel = judged(openapi.Text.MinLength(1).MaxLength(commerce.MaxTextFieldLabel).Pattern(oneLine, visible), func(f value) string {
	label := f.text()
	if len(label) > commerce.MaxTextFieldLabel && commerce.Characters(label) > commerce.MaxTextFieldLabel {
		f.tooLong(commerce.MaxTextFieldLabel)
	}
	return label
})
