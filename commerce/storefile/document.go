package storefile

import (
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	engine "cartd/commerce/configurator"
	"cartd/internal/strictjson"
)

// Document is a store document that has no fault.
type Document struct {
	// Store is everything but keys and customers, indexed.
	Store     *commerce.Store
	Keys      []commerce.APIKey
	Customers []commerce.Customer
	// Settings is the document as canonical JSON without api_keys and customers, packed
	// with gzip: what is kept of it. ParseKept returns the same Store of it.
	Settings []byte
	// Hash is the SHA-256 of the whole document as canonical JSON: equal for equal
	// content, whatever the white space and the order of members.
	Hash [sha256.Size]byte
}

// Parse reads a store document. The error is a *Faults with every fault there is;
// the Document keeps no part of data.
func Parse(data []byte) (*Document, error) {
	root, err := strictjson.Parse(data)
	if err != nil {
		var syntax *strictjson.SyntaxError
		errors.As(err, &syntax) // the only kind that Parse returns
		return nil, syntaxFault(data, syntax)
	}
	d := newDocument(root)
	read := d.read(field{r: &d.reader, raw: root})
	if faults := d.faults(root); faults != nil {
		return nil, faults
	}
	makeReady(read.Store)
	read.Settings, read.Hash = canonical(root)
	return read, nil
}

// document is a store document while it is read, with what is unique in it.
type document struct {
	reader
	groups, categories, products, goods, discounts, shippingMethods register[uuid.UUID]
	customers, addresses                                            register[uuid.UUID]
	taxCodes, categorySlugs, productSlugs, discountCodes            register[string]
	keyNames, emails, redirects                                     register[string]
	keyHashes, tokenHashes                                          register[[sha256.Size]byte]
	taxes                                                           map[string]commerce.Percent
	// components refer to products that may stand further down.
	components []reference
}

func newDocument(root strictjson.Value) *document {
	return &document{reader: reader{root: root}, taxes: map[string]commerce.Percent{}}
}

// reference is the id of something that is looked for once all of it is known.
type reference struct {
	at field
	id uuid.UUID
}

// read reads the whole, in an order in which everything is known before it
// is referred to.
func (d *document) read(f field) *Document {
	o := f.object()
	defer o.close()
	o.required("format").code(1)
	groups := list(o.get("customer_groups"), d.group)
	rates := list(o.get("tax_rates"), d.taxRate)
	store := d.store(o.required("store"))
	store.Groups, store.TaxRates = groups, rates
	store.Categories = d.categoryTree(o.get("categories"))
	store.Products = d.catalogue(o.get("products"))
	store.Discounts = list(o.get("discounts"), d.discount)
	store.ShippingMethods = list(o.get("shipping_methods"), d.shippingMethod)
	store.Redirects = list(o.get("redirects"), d.redirect)
	return &Document{
		Store:     store,
		Keys:      list(o.get("api_keys"), d.apiKey),
		Customers: list(o.get("customers"), d.customer),
	}
}

// makeReady works out, once, what requests look up in a store without faults.
func makeReady(s *commerce.Store) {
	s.Index()
	for _, p := range s.Products {
		if p.Configurator != nil {
			p.Configurator.Engine = engine.New(p.ID, p.Configurator)
		}
	}
}
