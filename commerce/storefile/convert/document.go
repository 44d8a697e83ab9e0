package convert

import (
	"bytes"
	"encoding/json"

	"github.com/google/uuid"
)

// Options are what the tables do not say about the store.
type Options struct {
	// Store is the store's id. The ids of products, variants and categories derive from it and from
	// their names, so that a later conversion makes the same ids.
	Store uuid.UUID
	// Name is the store's name; "" is that of the earlier document, else Shop.
	Name string
	// Tax is the rate in percent of products whose row names none; "" is the first rate of the earlier
	// document, else 21.
	Tax string
}

const (
	defaultName = "Shop"
	defaultTax  = "21"
)

// Document is a store document that is being made.
type Document struct {
	options Options
	files   []string
	notes   []*Note
	said    map[onceKey]*Note

	// members are those of an earlier document, in its order.
	members      members
	tax          string // the code of the rate of products that name none
	taxes        taxRates
	categories   *categories
	products     []*product
	byHandle     map[string]*product
	byID         map[uuid.UUID]*product
	bySlug       map[string]*product // of the earlier document
	productSlugs slugs
	redirects    redirects
	// gone are the products that were left out whole, by their handles.
	gone map[string]*Note
	// kept are rows that are read after all tables, counted the goods whose stock they add up. skus are the
	// goods by their article numbers.
	kept    []func()
	counted []owner
	skus    map[string][]owner
	// wooRows are rows of WooCommerce's export; wix are the products of Wix's, also in their order.
	wooRows  []*row
	wix      map[string]*wixProduct
	wixOrder []*wixProduct
	// catalogued is true if a table has products: those that are in no table are not for sale any more.
	catalogued bool
	// prices is the number of rows of a table csv that have a price.
	prices int
}

// New begins a document.
func New(o Options) *Document {
	d := &Document{
		options: o, files: []string{""}, said: map[onceKey]*Note{},
		byHandle: map[string]*product{}, byID: map[uuid.UUID]*product{}, bySlug: map[string]*product{},
		productSlugs: newSlugs(), categories: newCategories(), redirects: newRedirects(), taxes: newTaxRates(),
		gone: map[string]*Note{}, wix: map[string]*wixProduct{},
	}
	name := o.Name
	if name == "" {
		name = defaultName
	}
	d.members = members{
		{"format", int64(1)},
		{"store", members{
			{"id", o.Store}, {"name", name}, {"modules", listOf([]string{"catalog", "commerce", "stock", "customers"})}, {"prices_include_tax", true},
		}},
		{"tax_rates", nil}, {"categories", nil}, {"products", nil},
	}
	d.setTax(defaultTax)
	return d
}

// setTax sets the rate of products that name none, to the one of the options if they have one.
func (d *Document) setTax(rate string) {
	if d.options.Tax != "" {
		rate = d.options.Tax
	}
	if short, ok := shortPercent(rate); ok {
		rate = short
	}
	d.tax = d.taxes.code(rate)
}

// id derives the id of a thing of the store.
func (d *Document) id(kind, name string) uuid.UUID {
	return uuid.NewSHA1(d.options.Store, []byte(kind+"\x00"+name))
}

// Products and Categories are the numbers of them in the document.
func (d *Document) Products() int   { return len(d.products) }
func (d *Document) Categories() int { return len(d.categories.all) }

// JSON is the document's text, indented. Errors: of tables that make no shop.
func (d *Document) JSON() ([]byte, error) {
	if err := d.finish(); err != nil {
		return nil, err
	}
	d.members.set("tax_rates", d.taxes.all)
	d.members.set("categories", listOf(d.categories.members()))
	products := make([]any, len(d.products))
	for i, p := range d.products {
		products[i] = p.document()
	}
	d.members.set("products", products)
	if len(d.redirects.all) > 0 {
		d.members.set("redirects", d.redirects.all)
	}
	var b bytes.Buffer
	err := json.Indent(&b, appendValue(nil, d.members), "", "  ")
	b.WriteByte('\n')
	return b.Bytes(), err
}
