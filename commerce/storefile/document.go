package storefile

import (
	"bytes"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	engine "cartd/commerce/configurator"
	"cartd/internal/strictjson"
)

// Document is a store document without faults.
type Document struct {
	// Store is the document without keys and customers, indexed.
	Store     *commerce.Store
	Keys      []commerce.APIKey
	Customers []commerce.Customer
	// Settings is the document as canonical JSON without api_keys and customers, packed with gzip.
	// It is stored; ParseKept reads the same Store from it.
	Settings []byte
	// Hash is the SHA-256 of the whole document as canonical JSON. White space and the order of
	// members do not change it.
	Hash [sha256.Size]byte
}

// Some editors write a byteOrderMark at the start of a UTF-8 file. It is ignored.
var byteOrderMark = []byte("\ufeff")

// Parse reads a store document. The error is a *Faults with every fault. The Document keeps no part
// of data.
func Parse(data []byte) (*Document, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	root, err := strictjson.Parse(data)
	if err != nil {
		var syntax *strictjson.SyntaxError
		errors.As(err, &syntax) // strictjson.Parse returns no other error
		return nil, syntaxFault(data, syntax)
	}
	d := newDocument(root)
	read := d.read(field{r: &d.reader, raw: root})
	if faults := d.faults(data, root); faults != nil {
		return nil, faults
	}
	makeReady(read.Store)
	read.Settings, read.Hash = canonical(root)
	return read, nil
}

// document reads a store document. It has the registers of the document's unique keys.
type document struct {
	reader
	groups, categories, products, goods, discounts, shippingMethods register[uuid.UUID]
	customers, addresses                                            register[uuid.UUID]
	taxCodes, categorySlugs, productSlugs, discountCodes            register[string]
	keyNames, emails, redirects                                     register[string]
	keyHashes, tokenHashes                                          register[[sha256.Size]byte]
	taxes                                                           map[string]commerce.Percent
	// texts has each attribute's name and value once: many products share them.
	texts map[string]string
	// partial is true for a document of which a product has only the members that a change replaces.
	partial bool
	// components refer to products that may follow in the document.
	components []reference
}

func newDocument(root strictjson.Value) *document {
	return &document{reader: reader{root: root}, taxes: map[string]commerce.Percent{}, texts: map[string]string{}}
}

// reference is an id that is resolved when all products are read.
type reference struct {
	at field
	id uuid.UUID
}

// read reads the whole document. It reads a noun after the nouns that it refers to.
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
	store.Discounts = d.discountList(o.get("discounts"))
	store.ShippingMethods = d.shippingMethodList(o.get("shipping_methods"))
	store.Redirects = list(o.get("redirects"), d.redirect)
	return &Document{
		Store:     store,
		Keys:      list(o.get("api_keys"), d.apiKey),
		Customers: list(o.get("customers"), d.customer),
	}
}

// makeReady builds the indexes and engines of a store without faults, so that requests only look
// them up.
func makeReady(s *commerce.Store) {
	s.Index()
	for _, p := range s.Products {
		if p.Configurator != nil {
			p.Configurator.Engine = engine.New(p.ID, p.Configurator)
		}
	}
}
