package commerce

// Media is the address of a picture.
type Media struct {
	URL string // https:// or a path
	Alt string // the text in its place; may be empty
}

// Attribute is a named property of a product or variant: a text, or a list of texts.
type Attribute struct {
	Name   string
	Values []string
	// List is true if the document has a list, also one of a single text.
	List bool
}

// Display is what a storefront shows of a product or variant and the engine has no rule for.
type Display struct {
	Media      []Media
	Attributes []Attribute // in the document's order
	Metadata   Metadata    // public
}

// Bytes is the length of all texts of the display.
func (d *Display) Bytes() int {
	n := d.Metadata.bytes()
	for i := range d.Media {
		n += len(d.Media[i].URL) + len(d.Media[i].Alt)
	}
	for i := range d.Attributes {
		n += len(d.Attributes[i].Name)
		for _, text := range d.Attributes[i].Values {
			n += len(text)
		}
	}
	return n
}

// MaxDisplayBytes is the maximum of Bytes over a product and its variants.
const MaxDisplayBytes = 64 << 10

// DisplayBytes is the sum over the product and its variants.
func (p *Product) DisplayBytes() int {
	n := p.Bytes()
	for i := range p.Variants {
		n += p.Variants[i].Bytes()
	}
	return n
}
