package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Options are what the tables do not say about the store.
type Options struct {
	// Store is the store's id. The ids of products, variants and categories derive from it and from
	// their names, so that a later conversion makes the same ids.
	Store uuid.UUID
	Name  string
	// Tax is the rate in percent of products whose row names none.
	Tax string
}

// Note says what was not taken over from a line of a table.
type Note struct {
	File string
	Line int
	Text string
}

func (n Note) String() string { return fmt.Sprintf("%s: line %d: %s", n.File, n.Line, n.Text) }

// Document is a store document that is being made. Its members are those of the format.
type Document struct {
	Format     int         `json:"format"`
	Store      store       `json:"store"`
	TaxRates   []taxRate   `json:"tax_rates"`
	Categories []*category `json:"categories"`
	Products   []*product  `json:"products"`

	// Notes are in the order of the lines.
	Notes []Note `json:"-"`

	options    Options
	products   map[string]*product
	categories map[string]*category
	file       string
}

type store struct {
	ID               uuid.UUID `json:"id"`
	Name             string    `json:"name"`
	Modules          []string  `json:"modules"`
	PricesIncludeTax bool      `json:"prices_include_tax"`
}

type taxRate struct {
	Code string `json:"code"`
	Rate string `json:"rate"`
}

type category struct {
	ID       uuid.UUID  `json:"id"`
	Name     string     `json:"name"`
	Slug     string     `json:"slug"`
	ParentID *uuid.UUID `json:"parent_id,omitempty"`
}

type medium struct {
	URL string  `json:"url"`
	Alt *string `json:"alt,omitempty"`
}

// goods are the members that products and variants share.
type goods struct {
	ID          uuid.UUID      `json:"id"`
	Name        string         `json:"name"`
	SKU         string         `json:"sku,omitempty"`
	Active      bool           `json:"active"`
	PriceAmount *int64         `json:"price_amount,omitempty"`
	Stock       string         `json:"stock,omitempty"`
	WeightGrams json.Number    `json:"weight_grams,omitempty"`
	Media       []medium       `json:"media,omitempty"`
	Attributes  map[string]any `json:"attributes,omitempty"`
	Metadata    map[string]any `json:"metadata,omitempty"`
}

type product struct {
	goods
	Slug             string      `json:"slug"`
	Description      string      `json:"description,omitempty"`
	CategoryIDs      []uuid.UUID `json:"category_ids,omitempty"`
	Unit             string      `json:"unit,omitempty"`
	RequiresShipping bool        `json:"requires_shipping"`
	TrackStock       bool        `json:"track_stock"`
	Tax              string      `json:"tax"`
	Variants         []*goods    `json:"variants,omitempty"`
}

// New begins a document.
func New(o Options) *Document {
	d := &Document{
		Format: 1, options: o, products: map[string]*product{}, categories: map[string]*category{},
		Store: store{ID: o.Store, Name: o.Name, Modules: []string{"catalog", "commerce", "stock", "customers"}, PricesIncludeTax: true},
	}
	d.taxCode(o.Tax)
	return d
}

// JSON is the document's text, indented.
func (d *Document) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(d)
	return b.Bytes(), err
}

// id derives the id of a thing of the store.
func (d *Document) id(kind, name string) uuid.UUID {
	return uuid.NewSHA1(d.options.Store, []byte(kind+"\x00"+name))
}

func (d *Document) note(line int, format string, args ...any) {
	d.Notes = append(d.Notes, Note{d.file, line, fmt.Sprintf(format, args...)})
}

// product returns the product of a handle, a new one if there is none yet.
func (d *Document) product(handle string) (p *product, isNew bool) {
	if p = d.products[handle]; p != nil {
		return p, false
	}
	p = &product{Slug: slug(handle), RequiresShipping: true}
	p.goods = goods{ID: d.id("product", handle), Active: true}
	d.products[handle] = p
	d.Products = append(d.Products, p)
	return p, true
}

// variant adds a variant to a product.
func (d *Document) variant(p *product, handle, name string) *goods {
	v := &goods{ID: d.id("variant", handle+"\x00"+name), Name: name, Active: true}
	p.Variants = append(p.Variants, v)
	return v
}

// hasVariant reports whether the product has a variant of this name.
func (p *product) hasVariant(name string) bool {
	return slices.ContainsFunc(p.Variants, func(v *goods) bool { return v.Name == name })
}

// taxCode returns the code of a rate, which it adds to the document.
func (d *Document) taxCode(rate string) string {
	code := "rate-" + strings.ReplaceAll(rate, ".", "-")
	if !slices.ContainsFunc(d.TaxRates, func(r taxRate) bool { return r.Code == code }) {
		d.TaxRates = append(d.TaxRates, taxRate{code, rate})
	}
	return code
}

// categoryOf returns the category of a path such as Blinds > Roller, and makes those that are
// missing.
func (d *Document) categoryOf(path string) *category {
	var parent *category
	var names []string
	for _, name := range strings.Split(path, ">") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		names = append(names, name)
		key := strings.Join(names, " > ")
		c := d.categories[key]
		if c == nil {
			c = &category{ID: d.id("category", key), Name: name, Slug: slug(strings.Join(names, "-"))}
			if parent != nil {
				c.ParentID = &parent.ID
			}
			d.categories[key] = c
			d.Categories = append(d.Categories, c)
		}
		parent = c
	}
	return parent
}

// slug makes a slug of a name: lower-case letters and digits, joined by hyphens.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case isWord(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// amount reads a price such as 19.99 in minor units. It returns false if the text is no price.
func amount(text string) (int64, bool) {
	price, ok := number(text)
	cents := price.Shift(2)
	if !ok || price.IsNegative() || !cents.IsInteger() || cents.GreaterThan(maxAmount) {
		return 0, false
	}
	return cents.IntPart(), true
}

// maxAmount is the maximum price of a document, in minor units.
var maxAmount = decimal.New(1, 12)

// number reads a plain decimal number of a sensible length.
func number(text string) (decimal.Decimal, bool) {
	if len(text) > 24 || strings.ContainsAny(text, "eE") {
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(text)
	return n, err == nil
}
