package commerce

// TextField is a text that a shopper may give with a line of the product, such as an engraving.
// docs/api/lines.md#properties.
type TextField struct {
	Key, Label string
	Required   bool
	MaxLength  int // in code points
}

// The limits of a product's text fields. Lengths are in code points.
const (
	MaxTextFields      = 10
	MaxPropertyKey     = 40
	MaxTextFieldLabel  = 100
	MaxPropertyLength  = 500
	TextFieldMaxLength = 200 // the default of MaxLength
)

// TextField returns the product's text field with this key, or nil.
func (p *Product) TextField(key string) *TextField {
	return find(p.TextFields, func(f *TextField) bool { return f.Key == key })
}

// TakesProperties reports whether lines of the product may have properties: its document has the
// member text_fields, an empty list too.
func (p *Product) TakesProperties() bool { return p.TextFields != nil }
