package storefile

import (
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/strictjson"
)

// Document is a store document without faults.
type Document struct {
	// Store is the document without keys and customers, indexed.
	Store     *commerce.Store
	Keys      []commerce.APIKey
	Customers []commerce.Customer
	// Pages are the document as canonical JSON without api_keys and customers. They are stored; PagedStore.Assemble
	// reads the same Store from them.
	Pages *Paged
	// Hash is the SHA-256 of the whole document as canonical JSON. White space and the order of
	// members do not change it.
	Hash [sha256.Size]byte
}

// Some editors write a byteOrderMark at the start of a UTF-8 file. It is ignored.
var byteOrderMark = []byte("\ufeff")

// Parse reads a store document. The error is a *Faults with every fault. The Document keeps no part
// of data.
func Parse(data []byte) (*Document, error) {
	root, d, err := parsePart(data)
	if err != nil {
		return nil, err
	}
	read := d.read()
	if faults := d.faults(data, root); faults != nil {
		return nil, faults
	}
	makeReady(read.Store)
	read.Pages, read.Hash = canonical(root)
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
	taxes                                                           map[string]*commerce.TaxRate
	// rateMaps are the maps of tax rates by country, which the store's settings judge.
	rateMaps  []countryField
	countries *countrySettings // nil until the settings are read
	// texts has each attribute's name and value once: many products share them.
	texts map[string]string
	// stored are the entries that stay beside a change set; nil if a whole document is read.
	stored *stored
	// components refer to products that may follow in the document.
	components []reference
	// ownStocks count only for products that are components.
	ownStocks []ownStock
	// elsewhere are the faults of stored entries whose text is not read.
	elsewhere []storedFault
	// stock is the field of the product that was read last.
	stock value
	// discount is the id of the discount that is being read. secrets are the texts of the secrets that batches without one keep, by
	// the first byte of the batch.
	discount uuid.UUID
	secrets  map[*byte]string
	// parents are the fields of the categories' parents.
	parents []value
	// made belongs to the configurator that is being read, defaults to the customer: the types that have a default address.
	made     madeToMeasure
	defaults map[string]bool
	// textKeys are the keys of the product's text fields that are being read.
	textKeys register[string]
	// batchPrefixes are the normal forms of all prefixes of codes. batchNumbers are the numbers of the
	// discount's batches that are being read.
	batchPrefixes register[string]
	batchNumbers  register[int]
	// above is the last number of an ascending list.
	above int64
	// ends are those of the price periods that were read last, by their group. moments are the different
	// beginnings and ends of all price periods.
	ends    map[uuid.UUID]time.Time
	moments map[time.Time]bool
}

func newDocument(root strictjson.Value) *document {
	return &document{reader: reader{root: root}, taxes: map[string]*commerce.TaxRate{}, texts: map[string]string{}}
}

// reference is an id that is resolved when all products are read.
type reference struct {
	at value
	id uuid.UUID
}

// The names of two lists of a document.
const (
	productList  = "products"
	discountList = "discounts"
)

// wholeObject is a document.
var wholeObject = objectKind("document", documentRows...)

// documentRows are the members of a document. A noun follows the nouns that it refers to.
var documentRows = []row[*Document]{
	field.Required("format", codes(1), "", func(_ *Document) *int { return new(int) }),
	field.Optional("customer_groups", listOf(customerGroup), "", func(d *Document) *[]commerce.CustomerGroup { return &d.Store.Groups }),
	field.Optional("tax_rates", listOf(taxRate), "", func(d *Document) *[]commerce.TaxRate { return &d.Store.TaxRates }),
	field.Required("store", storeObject, "", func(d *Document) *commerce.Store { return d.Store }),
	rule(func(d *document, _ value, _ *Document) { d.judgeRates() }),
	field.Optional("categories", categoryTree, "", func(d *Document) *[]commerce.Category { return &d.Store.Categories }),
	field.Optional(productList, catalogue, "", func(d *Document) *[]*commerce.Product { return &d.Store.Products }),
	field.Optional(discountList, discounts, "", func(d *Document) *[]commerce.Discount { return &d.Store.Discounts }),
	field.Optional("shipping_methods", shippingMethods, "", func(d *Document) *[]commerce.ShippingMethod { return &d.Store.ShippingMethods }),
	field.Optional("redirects", listOf(redirect), "", func(d *Document) *[]commerce.Redirect { return &d.Store.Redirects }),
	field.Optional("api_keys", marked(listOf(apiKey), apart|confidential), "", func(d *Document) *[]commerce.APIKey { return &d.Keys }),
	field.Optional("customers", marked(listOf(customer), apart), "", func(d *Document) *[]commerce.Customer { return &d.Customers }),
}

// read reads the whole document.
func (d *document) read() *Document {
	read := &Document{Store: &commerce.Store{}}
	wholeObject.Read(value{d: d, raw: d.root}, read)
	return read
}

// Schema is the JSON Schema of a document, docs/store.schema.json.
func Schema() ([]byte, error) {
	return wholeObject.Schema.About("The settings, keys, customers and catalogue of one store. Amounts are in minor units. "+
		"A member that may be null may also be absent, which means the same.").Document("urn:cartd:store-document:1", "The store document, format 1")
}

// makeReady builds the indexes and engines of a store without faults, so that requests only look
// them up.
func makeReady(s *commerce.Store) {
	s.Index()
	makeEngines(s.Products)
}
